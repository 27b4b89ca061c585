// SPDX-License-Identifier: BSD-3-Clause
// Complex transforms of columns whose real and imaginary parts are apart, as the kernels have them
// in their own rows: nothing has to be shuffled on the way in and out.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// Groups of L columns: row k of group g has L real parts from first + k step + g group on, then L
/// imaginary parts. All three are multiples of a vector.
template <class Real>
struct SplitRows {
  Real* first;
  Index step;
  Index group;
};

/// What a Transform of complex numbers is as well if it can do that.
template <class Real>
class SplitTransform {
 public:
  virtual ~SplitTransform() = default;

  /// Unscaled, from `in` to `out`, which do not overlap. What is in `in` is lost.
  virtual void run_split(SplitRows<Real> const& in, SplitRows<Real> const& out, Index groups,
                         bool backward, std::byte* scratch) const = 0;
};

}  // namespace sixstep::local
