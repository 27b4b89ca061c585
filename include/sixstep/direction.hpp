// SPDX-License-Identifier: BSD-3-Clause
// How a plan is executed: there or back, with which sign, and scaled or not.
#pragma once

#pragma GCC visibility push(default)
namespace sixstep {

/// forward: exp(-2 pi i jk/n); backward: exp(+2 pi i jk/n).
enum class Direction { forward, backward };

/// Of the exponent: exp(-2 pi i jk/n) or exp(+2 pi i jk/n).
enum class Sign { minus, plus };

/// What a transform is multiplied by: 1, 1/N or 1/sqrt(N), N the product of the transformed
/// extents; of a cosine or sine transform, of its logical_size().
enum class Scale { none, by_n, by_sqrt_n };

}  // namespace sixstep
#pragma GCC visibility pop
