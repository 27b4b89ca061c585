// SPDX-License-Identifier: BSD-3-Clause
// The layouts of FFTW's distributed arrays. All of it is pure.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::fftw {

/// One end of a transform: an array that is split along axis 0, or along axis 1 and then stored
/// with the first two axes exchanged, as FFTW_MPI_TRANSPOSED_IN and _OUT have it.
struct End {
  Index block = 0;  ///< as the caller gave it: 0 for the default
  bool transposed = false;
};

/// Whether the blocks of this end, if they are given, hold all of `shape`.
bool is_complete(End const& end, Shape const& shape, int ranks);

/// The layout of an array of `shape` at this end. An array of one axis is never transposed.
Layout layout_of(End const& end, Shape const& shape, int ranks);

/// The layout of an array that is split along `axis`, in memory order `order`.
Layout blocks_along(int axis, Index block, Shape const& shape, int ranks, Order const& order);

}  // namespace sixstep::fftw
