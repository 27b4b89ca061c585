// SPDX-License-Identifier: BSD-3-Clause
// Loops over counts along several axes.
#pragma once

#include "sixstep/indices.hpp"

namespace sixstep::layout {

/// Calls body(counts) for every combination of counts in [lo[x], hi[x])
/// along `axes`.
template <class Body>
void for_each(PerAxis<int> const& axes, Shape const& lo, Shape const& hi, Body const& body) {
  for (int axis : axes)
    if (lo[axis] >= hi[axis]) return;
  Shape counts = lo;
  for (;;) {
    body(counts);
    int position = axes.size() - 1;
    for (; position >= 0; --position) {
      int const axis = axes[position];
      if (++counts[axis] < hi[axis]) break;
      counts[axis] = lo[axis];
    }
    if (position < 0) return;
  }
}

/// The offset of `counts` along `axes`.
inline Index dot(PerAxis<int> const& axes, Shape const& counts, Shape const& strides) {
  Index sum = 0;
  for (int axis : axes) sum += counts[axis] * strides[axis];
  return sum;
}

}  // namespace sixstep::layout
