// SPDX-License-Identifier: BSD-3-Clause
// How FFTW's interface deals out arrays: blocks of one axis, and the room that a rank needs.
//
// All of it is pure. FFTW's blocks have one length, so trailing ranks may be short or empty.
#pragma once

#include <span>

#include "sixstep/index.hpp"

namespace sixstep::fftw {

/// The indices [start, start + count) of an axis; {0, 0} if there are none.
struct Slice {
  Index count = 0;
  Index start = 0;
  bool operator==(Slice const&) const = default;
};

/// The block length that is meant by `given`: FFTW_MPI_DEFAULT_BLOCK (0) is the least length with
/// which every index has a rank.
Index block_length(Index n, Index given, int ranks);

/// What `rank` holds of an axis of `n` points in blocks of `block` points.
Slice slice(Index n, Index block, int rank);

/// Whether every index of an axis has a rank.
bool holds_all(Index n, Index block, int ranks);

/// The elements, in tuples of `howmany`, that arrays of shape `n` need on any rank, split along
/// axis 0 in blocks of `block0`, or along axis 1 in blocks of `block1`. It is the same on all
/// ranks, and enough for the default blocks too.
Index room(std::span<Index const> n, Index howmany, Index block0, Index block1, int ranks);

}  // namespace sixstep::fftw
