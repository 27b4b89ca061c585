// SPDX-License-Identifier: BSD-3-Clause
// Transforms of any kinds along any axes by their definitions, on the whole array in long double.
//
// Reals are complex numbers without an imaginary part: the sums of cosines and sines act on the
// parts of complex numbers each, as they should.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "oracles/fourier.hpp"
#include "sixstep/kind.hpp"

namespace oracle {

using sixstep::Kind;

/// A whole array, row-major.
struct Whole {
  Shape shape;
  std::vector<Exact> values;
};

/// What each axis of an array undergoes.
using Kinds = std::vector<std::pair<int, Kind>>;

/// y[k] = sum_j coefficient(j, k) x[j] along an axis, which then has `extent` points.
template <class Coefficient>
Whole summed(Whole const& x, int axis, Index extent, Coefficient const& coefficient) {
  Index const n = x.shape[axis];
  Whole y{x.shape, {}};
  y.shape[axis] = extent;
  Index inner = 1;
  for (int a = axis + 1; a < x.shape.size(); ++a) inner *= x.shape[a];
  y.values.resize(at(points_of(y.shape)));
  std::vector<Exact> row(at(n));
  for (Index k = 0; k < extent; ++k) {
    for (Index j = 0; j < n; ++j) row[at(j)] = coefficient(j, k);
    for (Index o = 0; o < points_of(x.shape) / (n * inner); ++o)
      for (Index i = 0; i < inner; ++i) {
        long double re = 0, im = 0;
        for (Index j = 0; j < n; ++j) {
          Exact const& w = row[at(j)];
          Exact const& v = x.values[at((o * n + j) * inner + i)];
          re += w.real() * v.real() - w.imag() * v.imag();
          im += w.real() * v.imag() + w.imag() * v.real();
        }
        y.values[at((o * extent + k) * inner + i)] = {re, im};
      }
  }
  return y;
}

/// exp(i 2 pi p / q). Most calls in a row have the same q.
inline Exact wave(Index p, Index q) {
  static thread_local std::vector<Exact> roots;
  if (roots.size() != at(q)) roots = roots_of_unity(q, +1);
  return roots[at(p % q)];
}

/// FFTW's definitions.
inline long double r2r_coefficient(Kind kind, Index n, Index j, Index k) {
  long double const sign = k % 2 == 0 ? 1 : -1;
  auto const cosine = [](Index p, Index q) { return 2 * wave(p, q).real(); };
  auto const sine = [](Index p, Index q) { return 2 * wave(p, q).imag(); };
  bool const first = j == 0, last = j == n - 1;
  switch (kind) {
    case Kind::dct1:
      return first ? 1 : last ? sign : cosine(j * k, 2 * (n - 1));
    case Kind::dct2:
      return cosine((2 * j + 1) * k, 4 * n);
    case Kind::dct3:
      return first ? 1 : cosine(j * (2 * k + 1), 4 * n);
    case Kind::dct4:
      return cosine((2 * j + 1) * (2 * k + 1), 8 * n);
    case Kind::dst1:
      return sine((j + 1) * (k + 1), 2 * (n + 1));
    case Kind::dst2:
      return sine((2 * j + 1) * (k + 1), 4 * n);
    case Kind::dst3:
      return last ? sign : sine((j + 1) * (2 * k + 1), 4 * n);
    default:
      return sine((2 * j + 1) * (2 * k + 1), 8 * n);
  }
}

/// The kind that undoes one.
inline Kind undone_by(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

/// What a kind and its inverse multiply by.
inline long double there_and_back(Kind kind, Index n) {
  Index const size = kind == Kind::c2c || kind == Kind::r2c ? n
                     : kind == Kind::dct1                   ? 2 * n - 2
                     : kind == Kind::dst1                   ? 2 * n + 2
                                                            : 2 * n;
  return static_cast<long double>(size);
}

/// Along all axes but that of r2c.
inline Whole transformed_but_real(Whole x, Kinds const& kinds, int sign) {
  for (auto const& [axis, kind] : kinds) {
    Index const n = x.shape[axis];
    Kind const which = sign < 0 ? kind : undone_by(kind);
    if (kind == Kind::c2c)
      x = summed(x, axis, n, [&](Index j, Index k) {
        return sign < 0 ? std::conj(wave(j * k, n)) : wave(j * k, n);
      });
    else if (kind != Kind::r2c)
      x = summed(x, axis, n, [&](Index j, Index k) { return r2r_coefficient(which, n, j, k); });
  }
  return x;
}

/// Forward: r2c first, as only reals have it.
inline Whole forward(Whole x, Kinds const& kinds) {
  for (auto const& [axis, kind] : kinds) {
    Index const n = x.shape[axis];
    if (kind == Kind::r2c)
      x = summed(x, axis, n / 2 + 1, [&](Index j, Index k) { return std::conj(wave(j * k, n)); });
  }
  return transformed_but_real(std::move(x), kinds, -1);
}

/// Backward to n points along the r2c axis: what is missing is the conjugate of what is there, and
/// X[0] and X[n/2] have no imaginary part. Last, as it is no linear map of complex numbers.
inline Whole backward(Whole x, Kinds const& kinds, Index n) {
  x = transformed_but_real(std::move(x), kinds, +1);
  for (auto const& [axis, kind] : kinds) {
    if (kind != Kind::r2c) continue;
    auto const term = [&](Index k, Index j) {
      long double const twice = k == 0 || 2 * k == n ? 1 : 2;
      return twice * wave(j * k, n);
    };
    x = summed(x, axis, n, term);
    for (Exact& value : x.values) value = value.real();
  }
  return x;
}

}  // namespace oracle
