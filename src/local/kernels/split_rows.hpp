// SPDX-License-Identifier: BSD-3-Clause
// Complex transforms of columns with separate real and imaginary parts, as in the kernels' own
// rows, so that nothing has to be shuffled on the way in and out.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// Groups of L columns: row k of group g has L real parts from first + k step + g group on, then L
/// imaginary parts. All three members are multiples of a vector.
template <class Real>
struct SplitRows {
  Real* first;
  Index step;
  Index group;
};

/// A second base of complex Transforms that can do this.
template <class Real>
class SplitTransform {
 public:
  virtual ~SplitTransform() = default;

  /// Unscaled, from `in` to `out`, which must not overlap. Overwrites `in`.
  virtual void run_split(SplitRows<Real> const& in, SplitRows<Real> const& out, Index groups,
                         bool backward, std::byte* scratch) const = 0;
};

}  // namespace sixstep::local
