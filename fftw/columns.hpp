// SPDX-License-Identifier: BSD-3-Clause
// Moves columns between arrays and a block of interleaved complex numbers.
//
// h: half-complex order, h[k] = Re X[k] and h[n-k] = Im X[k]. Hartley: H[k] = Re X[k] - Im X[k],
// H[n-k] = Re X[k] + Im X[k].
#pragma once

#include <complex>

#include "names.hpp"
#include "sixstep/index.hpp"

namespace sixstep::fftw {

/// Columns of an array, in reals. `imaginary` is used by split numbers alone.
struct ArrayColumns {
  Real* real;
  Real* imaginary;
  Index stride;  // between rows
  Index lane;    // between columns
};

/// Columns of a block.
struct BlockColumns {
  std::complex<Real>* data;
  Index stride;
  Index lane;
};

/// Calls move(column, row), so that the shorter stride of the array is in the inner loop.
template <class Move>
void for_each_row(Index columns, Index rows, ArrayColumns const& array, Move const& move) {
  auto const length = [](Index stride) { return stride < 0 ? -stride : stride; };
  if (length(array.lane) < length(array.stride))
    for (Index k = 0; k < rows; ++k)
      for (Index c = 0; c < columns; ++c) move(c, k);
  else
    for (Index c = 0; c < columns; ++c)
      for (Index k = 0; k < rows; ++k) move(c, k);
}

/// Split numbers: `rows` of each column.
inline void gather_split(ArrayColumns const& from, BlockColumns const& to, Index columns,
                         Index rows) {
  for_each_row(columns, rows, from, [&](Index c, Index k) {
    Index const at = c * from.lane + k * from.stride;
    to.data[c * to.lane + k * to.stride] = {from.real[at], from.imaginary[at]};
  });
}

inline void scatter_split(BlockColumns const& from, ArrayColumns const& to, Index columns,
                          Index rows) {
  for_each_row(columns, rows, to, [&](Index c, Index k) {
    std::complex<Real> const x = from.data[c * from.lane + k * from.stride];
    Index const at = c * to.lane + k * to.stride;
    to.real[at] = x.real();
    to.imaginary[at] = x.imag();
  });
}

/// n reals of each column in half-complex order, to n/2 + 1 complex numbers.
inline void gather_half_complex(ArrayColumns const& from, BlockColumns const& to, Index columns,
                                Index n) {
  for_each_row(columns, n / 2 + 1, from, [&](Index c, Index k) {
    Real const* const column = from.real + c * from.lane;
    bool const is_real = k == 0 || 2 * k == n;
    to.data[c * to.lane + k * to.stride] = {column[k * from.stride],
                                            is_real ? 0 : column[(n - k) * from.stride]};
  });
}

/// n/2 + 1 complex numbers to n reals: combine(X, first, last) tells those at k and n - k.
template <class Combine>
void scatter_halves(BlockColumns const& from, ArrayColumns const& to, Index columns, Index n,
                    Combine const& combine) {
  for_each_row(columns, n / 2 + 1, to, [&](Index c, Index k) {
    Real* const column = to.real + c * to.lane;
    std::complex<Real> const x = from.data[c * from.lane + k * from.stride];
    if (k == 0 || 2 * k == n)
      column[k * to.stride] = x.real();
    else
      combine(x, column[k * to.stride], column[(n - k) * to.stride]);
  });
}

inline void scatter_half_complex(BlockColumns const& from, ArrayColumns const& to, Index columns,
                                 Index n) {
  scatter_halves(from, to, columns, n, [](std::complex<Real> x, Real& first, Real& last) {
    first = x.real();
    last = x.imag();
  });
}

inline void scatter_hartley(BlockColumns const& from, ArrayColumns const& to, Index columns,
                            Index n) {
  scatter_halves(from, to, columns, n, [](std::complex<Real> x, Real& first, Real& last) {
    first = x.real() - x.imag();
    last = x.real() + x.imag();
  });
}

}  // namespace sixstep::fftw
