// SPDX-License-Identifier: BSD-3-Clause
// Complex transforms along axes of a whole array by the definition, and numbers to transform.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "oracles/points.hpp"
#include "oracles/roots.hpp"

namespace oracle {

/// A column and its transform.
struct Transformed {
  int sign;
  std::vector<Exact> column, result;
};

/// X[k] = sum_j x[j] w[j k mod n] of a column and of the n-th roots of unity w, to X[0] ... X[n-1].
/// X[n-k] has the conjugate factors of X[k], so four sums of reals serve both.
inline void transform(std::vector<Exact> const& x, std::vector<Exact> const& w, Exact* to,
                      Index step) {
  auto const n = static_cast<Index>(x.size());
  for (Index k = 0; 2 * k <= n; ++k) {
    long double re_re = 0, im_im = 0, re_im = 0, im_re = 0;
    Index turned = 0;  // j k mod n
    for (Exact const& value : x) {
      Exact const& root = w[at(turned)];
      re_re += value.real() * root.real();
      im_im += value.imag() * root.imag();
      re_im += value.real() * root.imag();
      im_re += value.imag() * root.real();
      turned += k;
      if (turned >= n) turned -= n;
    }
    to[k * step] = {re_re - im_im, re_im + im_re};
    if (k > 0) to[(n - k) * step] = {re_re + im_im, im_re - re_im};
  }
}

/// X[k] = sum_j x[j] exp(sign 2 pi i j k / n) along one axis of a row-major array, by the
/// definition. Tests transform the same long columns by many plans, so these are remembered.
inline void transform(std::vector<Exact>& array, Shape const& shape, int axis, int sign) {
  Index const n = shape[axis];
  Index inner = 1;
  for (int a = axis + 1; a < shape.size(); ++a) inner *= shape[a];
  Index const outer = points_of(shape) / (n * inner);
  static thread_local std::deque<Transformed> known;
  bool const remember = n >= 32 && outer * inner == 1;
  if (remember) {
    for (Transformed const& each : known)
      if (each.sign == sign && each.column == array) {
        array = each.result;
        return;
      }
    known.push_back({sign, array, {}});
  }
  std::vector<Exact> const roots = roots_of_unity(n, sign);
  std::vector<Exact> column(at(n));
  for (Index o = 0; o < outer; ++o) {
    for (Index i = 0; i < inner; ++i) {
      Exact* const first = array.data() + o * n * inner + i;
      for (Index j = 0; j < n; ++j) column[at(j)] = first[j * inner];
      transform(column, roots, first, inner);
    }
  }
  if (remember) known.back().result = array;
  if (known.size() > 32) known.pop_front();
}

/// The same along several axes; along all if none is named.
inline void transform_along(std::vector<Exact>& array, Shape const& shape, std::vector<int> axes,
                            int sign) {
  if (axes.empty())
    for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
  for (int axis : axes) transform(array, shape, axis, sign);
}

/// A value between -1 and 1 for each number; exact in every precision.
inline Exact value(Index number, std::uint64_t seed) {
  auto const mixed = [&](std::uint64_t salt) {
    std::uint64_t x = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ull + seed * 7 + salt;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    return static_cast<long double>(static_cast<std::int64_t>(x % 2049) - 1024) / 1024;
  };
  return {mixed(1), mixed(2)};
}

/// An array of such values.
inline std::vector<Exact> values(Index points, std::uint64_t seed) {
  std::vector<Exact> array;
  for (Index number = 0; number < points; ++number) array.push_back(value(number, seed));
  return array;
}

}  // namespace oracle
