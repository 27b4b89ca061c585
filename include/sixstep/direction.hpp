// SPDX-License-Identifier: BSD-3-Clause
// How a plan is executed: its direction, its sign, and its scale.
#pragma once

#pragma GCC visibility push(default)
namespace sixstep {

/// forward: exp(-2 pi i jk/n); backward: exp(+2 pi i jk/n).
enum class Direction { forward, backward };

/// The sign of the exponent: exp(-2 pi i jk/n) or exp(+2 pi i jk/n).
enum class Sign { minus, plus };

/// The factor of a transform: 1, 1/N or 1/sqrt(N). N is the product of the transformed extents; a
/// cosine or sine transform counts its logical_size().
enum class Scale { none, by_n, by_sqrt_n };

}  // namespace sixstep
#pragma GCC visibility pop
