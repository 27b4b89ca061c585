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

/// n contiguous reals in half-complex order, to the parts of n/2 + 1 complex numbers.
inline void gather_half_complex(Real const* from, Real* parts, Index n) {
  parts[0] = from[0];
  parts[1] = 0;
  for (Index k = 1; 2 * k < n; ++k) {
    parts[2 * k] = from[k];
    parts[2 * k + 1] = from[n - k];
  }
  if (n % 2 == 0) {
    parts[n] = from[n / 2];
    parts[n + 1] = 0;
  }
}

/// The same for columns anywhere.
inline void gather_half_complex(ArrayColumns const& from, BlockColumns const& to, Index columns,
                                Index n) {
  if (from.stride == 1 && to.stride == 1) {
    for (Index c = 0; c < columns; ++c)
      gather_half_complex(from.real + c * from.lane, reinterpret_cast<Real*>(to.data + c * to.lane),
                          n);
    return;
  }
  for_each_row(columns, n / 2 + 1, from, [&](Index c, Index k) {
    Real const* const column = from.real + c * from.lane;
    bool const is_real = k == 0 || 2 * k == n;
    to.data[c * to.lane + k * to.stride] = {column[k * from.stride],
                                            is_real ? 0 : column[(n - k) * from.stride]};
  });
}

/// The parts of n/2 + 1 complex numbers to n contiguous reals: combine(re, im, first, last) tells
/// those at k and n - k.
template <class Combine>
void scatter_halves(Real const* parts, Real* to, Index n, Combine const& combine) {
  to[0] = parts[0];
  for (Index k = 1; 2 * k < n; ++k) combine(parts[2 * k], parts[2 * k + 1], to[k], to[n - k]);
  if (n % 2 == 0) to[n / 2] = parts[n];
}

/// The same for columns anywhere.
template <class Combine>
void scatter_halves(BlockColumns const& from, ArrayColumns const& to, Index columns, Index n,
                    Combine const& combine) {
  if (from.stride == 1 && to.stride == 1) {
    for (Index c = 0; c < columns; ++c)
      scatter_halves(reinterpret_cast<Real const*>(from.data + c * from.lane),
                     to.real + c * to.lane, n, combine);
    return;
  }
  for_each_row(columns, n / 2 + 1, to, [&](Index c, Index k) {
    Real* const column = to.real + c * to.lane;
    std::complex<Real> const x = from.data[c * from.lane + k * from.stride];
    if (k == 0 || 2 * k == n)
      column[k * to.stride] = x.real();
    else
      combine(x.real(), x.imag(), column[k * to.stride], column[(n - k) * to.stride]);
  });
}

inline void scatter_half_complex(BlockColumns const& from, ArrayColumns const& to, Index columns,
                                 Index n) {
  scatter_halves(from, to, columns, n, [](Real re, Real im, Real& first, Real& last) {
    first = re;
    last = im;
  });
}

inline void scatter_hartley(BlockColumns const& from, ArrayColumns const& to, Index columns,
                            Index n) {
  scatter_halves(from, to, columns, n, [](Real re, Real im, Real& first, Real& last) {
    first = re - im;
    last = re + im;
  });
}

}  // namespace sixstep::fftw
