// SPDX-License-Identifier: BSD-3-Clause
// Conversions of reals to short forms and back. base/short_form.hpp says how these lie, and
// docs/decisions/0050-short-messages.md how far they round.
#pragma once

#include <array>
#include <cstddef>

#include "base/short_form.hpp"
#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// Sums of squares of numbers and of what rounding has changed. Very large and very small numbers
/// have sums of their own, scaled by 2^-1200 and 2^1200. Numbers in blocks with an infinity or a
/// NaN do not count.
struct RoundingSums {
  enum Size { large, usual, small };
  std::array<double, 3> values{};
  std::array<double, 3> errors{};

  RoundingSums& operator+=(RoundingSums const& more);
  /// The L2 norm of the errors over that of the numbers; 0 if all numbers are 0.
  double relative_error() const;
};

/// Kernels for an instruction set. Arrays need no alignment.
template <class Real>
struct ShortReals {
  /// Writes reals in short form, which may overwrite the reals from their begin on.
  void (*shorten)(Real const* from, Index count, ShortForm const& form, std::byte* to,
                  RoundingSums& sums);
  /// Reads what shorten() has written, which may be at the end of the reals' place.
  void (*lengthen)(std::byte const* from, Index count, ShortForm const& form, Real* to);
  /// Adds squares of reals to `sums`.
  void (*add)(Real const* reals, Index count, RoundingSums& sums);
};

template <class Real>
ShortReals<Real> short_reals(Target target);
template <>
ShortReals<float> short_reals(Target target);
template <>
ShortReals<double> short_reals(Target target);

}  // namespace sixstep::local
