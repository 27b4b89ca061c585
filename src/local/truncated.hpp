// SPDX-License-Identifier: BSD-3-Clause
// Transforms with fewer rows on one side than they have coefficients: of results the rest is
// dropped, of coefficients that are given the rest is zero.
//
// Composed of a Transform; knows nothing about vectors.
#pragma once

#include "local/transform.hpp"

namespace sixstep::local {

/// The rows of a side: all, or the first and the last of them that make up the given number.
struct Kept {
  Index all;
  Index first;
  Index last = 0;

  Index rows() const { return first + last; }
};

/// `whole`, which must outlive it, with such rows on each side, of which one has them all. A strip
/// of columns passes through a block that stays in cache.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_truncated(Transform<In, Out> const& whole, Kept const& in,
                                                   Kept const& out, Tuning const& tuning = {});

}  // namespace sixstep::local
