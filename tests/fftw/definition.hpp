// SPDX-License-Identifier: BSD-3-Clause
// FFTW's transforms by their definitions, in long double.
#pragma once

#include <cstddef>
#include <vector>

#include "oracles/kinds.hpp"
#include "sixstep-fftw/fftw3.h"

namespace definition {

using oracle::Exact;
using Column = std::vector<Exact>;

/// What happens along an axis: one of FFTW's kinds of reals, or one of those below.
constexpr int c2c_minus = 20, c2c_plus = 21, r2c = 22, c2r = 23;

/// sum_j x[j] exp(+-2 pi i jk/n).
inline Column fourier(Column x, bool plus) {
  oracle::transform(x, {static_cast<sixstep::Index>(x.size())}, 0, plus ? 1 : -1);
  return x;
}

/// The n coefficients of which n/2 + 1 are given; those that must be real are taken as real.
inline Column whole(Column x, std::size_t n) {
  x.resize(n);
  x[0] = x[0].real();
  if (n % 2 == 0) x[n / 2] = x[n / 2].real();
  for (std::size_t k = 1; 2 * k < n; ++k) x[n - k] = std::conj(x[k]);
  return x;
}

/// What FFTW's manual calls REDFT00 is called a DCT of type 1 elsewhere, and so on.
inline sixstep::Kind kind_of(int fftw_kind) {
  using sixstep::Kind;
  switch (fftw_kind) {
    case FFTW_REDFT00:
      return Kind::dct1;
    case FFTW_REDFT10:
      return Kind::dct2;
    case FFTW_REDFT01:
      return Kind::dct3;
    case FFTW_REDFT11:
      return Kind::dct4;
    case FFTW_RODFT00:
      return Kind::dst1;
    case FFTW_RODFT10:
      return Kind::dst2;
    case FFTW_RODFT01:
      return Kind::dst3;
    default:
      return Kind::dst4;
  }
}

/// The sums of cosines and sines.
inline Column trigonometric(Column const& x, int fftw_kind) {
  auto const n = static_cast<sixstep::Index>(x.size());
  return oracle::summed({{n}, x}, 0, n,
                        [&](sixstep::Index j, sixstep::Index k) {
                          return oracle::r2r_coefficient(kind_of(fftw_kind), n, j, k);
                        })
      .values;
}

/// One column of n points.
inline Column transformed(Column const& x, int kind, std::size_t n) {
  if (kind == c2c_minus || kind == c2c_plus) return fourier(x, kind == c2c_plus);
  if (kind == c2r) return fourier(whole(x, n), true);
  Column y(n);
  if (kind == FFTW_HC2R) {
    for (std::size_t k = 0; k <= n / 2; ++k)
      y[k] = {x[k].real(), k == 0 || 2 * k == n ? 0 : x[n - k].real()};
    return fourier(whole(y, n), true);
  }
  if (kind > FFTW_DHT && kind < c2c_minus) return trigonometric(x, kind);
  Column const spectrum = fourier(x, false);
  if (kind == r2c) return {spectrum.begin(), spectrum.begin() + static_cast<long>(n / 2 + 1)};
  for (std::size_t k = 0; k < n; ++k) {
    if (kind == FFTW_DHT) y[k] = spectrum[k].real() - spectrum[k].imag();
    if (kind == FFTW_R2HC) y[k] = 2 * k <= n ? spectrum[k].real() : spectrum[n - k].imag();
  }
  return y;
}

/// A row-major array.
struct Array {
  std::vector<std::size_t> shape;
  Column values;
};

/// A kind along one axis of n points, which may change how many the array has.
inline Array along(Array const& x, std::size_t axis, int kind, std::size_t n) {
  std::size_t const before = x.shape[axis];
  std::size_t inner = 1;
  for (std::size_t a = axis + 1; a < x.shape.size(); ++a) inner *= x.shape[a];
  std::size_t const outer = x.values.size() / (before * inner);
  std::size_t const after = kind == r2c ? n / 2 + 1 : n;
  Array y = x;
  y.shape[axis] = after;
  y.values.assign(outer * after * inner, 0);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t i = 0; i < inner; ++i) {
      Column column(before);
      for (std::size_t k = 0; k < before; ++k) column[k] = x.values[(o * before + k) * inner + i];
      Column const made = transformed(column, kind, n);
      for (std::size_t k = 0; k < after; ++k) y.values[(o * after + k) * inner + i] = made[k];
    }
  return y;
}

}  // namespace definition
