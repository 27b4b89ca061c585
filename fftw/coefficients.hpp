// SPDX-License-Identifier: BSD-3-Clause
// FFTW's transforms of reals as matrices.
#pragma once

#include "local/numbers/roots.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// 2 cos(2 pi p / q) and 2 sin(2 pi p / q).
inline Real twice_cosine(Index p, Index q) { return 2 * local::root<Real>(p, q).real(); }
inline Real twice_sine(Index p, Index q) { return -2 * local::root<Real>(p, q).imag(); }

/// The factor of element j in coefficient k of the half-complex and Hartley transforms: the real
/// parts are first, and the imaginary parts follow in reverse order.
inline Real half_complex_coefficient(R2r kind, Index n, Index j, Index k) {
  if (kind == FFTW_DHT) {
    local::WideComplex const root = local::wide_root(j * k, n);
    return static_cast<Real>((root.re.hi - root.im.hi) + (root.re.lo - root.im.lo));
  }
  if (kind == FFTW_R2HC)
    return (2 * k <= n ? twice_cosine(j * k, n) : -twice_sine(j * (n - k), n)) / 2;
  if (j == 0 || 2 * j == n) return twice_cosine(j * k, n) / 2;
  return 2 * j < n ? twice_cosine(j * k, n) : -twice_sine((n - j) * k, n);
}

/// The factor of element j in result k of a transform of n reals.
inline Real coefficient(R2r kind, Index n, Index j, Index k) {
  bool const is_first = j == 0, is_last = j == n - 1;
  Real const sign = k % 2 == 0 ? 1 : -1;
  switch (kind) {
    case FFTW_REDFT00:
      return is_first ? 1 : is_last ? sign : twice_cosine(j * k, 2 * (n - 1));
    case FFTW_REDFT10:
      return twice_cosine((2 * j + 1) * k, 4 * n);
    case FFTW_REDFT01:
      return is_first ? 1 : twice_cosine(j * (2 * k + 1), 4 * n);
    case FFTW_REDFT11:
      return twice_cosine((2 * j + 1) * (2 * k + 1), 8 * n);
    case FFTW_RODFT00:
      return twice_sine((j + 1) * (k + 1), 2 * (n + 1));
    case FFTW_RODFT10:
      return twice_sine((2 * j + 1) * (k + 1), 4 * n);
    case FFTW_RODFT01:
      return is_last ? sign : twice_sine((j + 1) * (2 * k + 1), 4 * n);
    case FFTW_RODFT11:
      return twice_sine((2 * j + 1) * (2 * k + 1), 8 * n);
    case FFTW_R2HC:
    case FFTW_HC2R:
    case FFTW_DHT:
      break;
  }
  return half_complex_coefficient(kind, n, j, k);
}

}  // namespace sixstep::fftw
