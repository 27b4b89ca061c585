// SPDX-License-Identifier: BSD-3-Clause
// Transforms with fewer rows than coefficients on one side: the other results are dropped, or the
// other coefficients are taken to be zero.
//
// Composed of a Transform; knows nothing about vectors.
#pragma once

#include "local/transform.hpp"

namespace sixstep::local {

/// The rows of a side: all of them, or only the `first` first and the `last` last ones.
struct Kept {
  Index all;
  Index first;
  Index last = 0;

  Index rows() const { return first + last; }
};

/// The transform `whole`, which must outlive it, with only the kept rows on one side; the other
/// side must have all rows. A strip of columns passes through a block that stays in cache.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_truncated(Transform<In, Out> const& whole, Kept const& in,
                                                   Kept const& out, Tuning const& tuning = {});

}  // namespace sixstep::local
