// SPDX-License-Identifier: BSD-3-Clause
// The kinds of transform along an axis.
#pragma once

#include "sixstep/index.hpp"
#include "sixstep/named.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The transform along an axis of n points, unscaled, as FFTW defines it:
///
///   c2c   X[k] = sum_j x[j] exp(-+2 pi i jk/n), complex to complex
///   r2c   the same sum over reals, k = 0 ... n/2; backward c2r, which ignores the imaginary parts
///         of X[0] and, if n is even, of X[n/2]
///   dct1  y[k] = x[0] + (-1)^k x[n-1] + 2 sum_(0<j<n-1) x[j] cos(pi j k/(n-1)), n >= 2
///   dct2  y[k] = 2 sum_j x[j] cos(pi (j+1/2) k/n)
///   dct3  y[k] = x[0] + 2 sum_(j>0) x[j] cos(pi j (k+1/2)/n)
///   dct4  y[k] = 2 sum_j x[j] cos(pi (j+1/2) (k+1/2)/n)
///   dst1  y[k] = 2 sum_j x[j] sin(pi (j+1) (k+1)/(n+1))
///   dst2  y[k] = 2 sum_j x[j] sin(pi (j+1/2) (k+1)/n)
///   dst3  y[k] = (-1)^k x[n-1] + 2 sum_(j<n-1) x[j] sin(pi (j+1) (k+1/2)/n)
///   dst4  y[k] = 2 sum_j x[j] sin(pi (j+1/2) (k+1/2)/n)
enum class Kind { c2c, r2c, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };
constexpr auto names_of(Kind) {
  return std::array{"c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};
}

/// Whether the kind transforms reals to as many reals: a cosine or sine transform.
bool is_r2r(Kind kind);
/// The kind that undoes `kind` up to a factor of logical_size(): dct2 and dct3 undo each other,
/// dst2 and dst3 too; every other kind undoes itself (c2c and r2c in the other direction).
Kind inverse(Kind kind);
/// The factor by which a transform of n points and its inverse multiply together: n for c2c and
/// r2c, 2(n-1) for dct1, 2(n+1) for dst1, 2n for the others.
Index logical_size(Kind kind, Index n);

}  // namespace sixstep
#pragma GCC visibility pop
