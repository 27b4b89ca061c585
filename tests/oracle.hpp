// SPDX-License-Identifier: BSD-3-Clause
// What the tests compare with: points, offsets and transforms by their definitions.
//
// Of the library it asks only which box a rank holds and in which memory order; everything else is
// worked out here, point by point.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sixstep/layout.hpp"

namespace oracle {

using sixstep::Box;
using sixstep::Index;
using sixstep::Layout;
using sixstep::Order;
using sixstep::Range;
using sixstep::Shape;

using Exact = std::complex<long double>;
constexpr long double turn = 6.283185307179586476925286766559005768L;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

inline Index points_of(Shape const& shape) {
  Index points = 1;
  for (Index extent : shape) points *= extent;
  return points;
}

/// The indices of a range, one by one.
inline std::vector<Index> indices(Range const& range) {
  std::vector<Index> found;
  for (Index i = range.lo; i < range.hi; i += range.step) found.push_back(i);
  return found;
}

/// How many indices a range has.
inline Index count_of(Range const& range) {
  return range.lo < range.hi ? (range.hi - range.lo - 1) / range.step + 1 : 0;
}

/// Calls visit(point) for every point of a box, the last axis fastest.
template <class Visit>
void for_each_point(Box const& box, Visit const& visit) {
  std::vector<std::vector<Index>> along;
  for (Range const& range : box.ranges) along.push_back(indices(range));
  for (auto const& axis : along)
    if (axis.empty()) return;
  std::vector<std::size_t> count(along.size(), 0);
  for (;;) {
    Shape point;
    for (std::size_t axis = 0; axis < along.size(); ++axis)
      point.push_back(along[axis][count[axis]]);
    visit(point);
    std::size_t axis = along.size();
    for (; axis > 0; --axis) {
      if (++count[axis - 1] < along[axis - 1].size()) break;
      count[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

/// Calls visit(point) for every point of a shape, the last axis fastest.
template <class Visit>
void for_each_point(Shape const& shape, Visit const& visit) {
  Box all;
  for (Index extent : shape) all.ranges.push_back({0, extent, 1});
  for_each_point(all, visit);
}

/// The number of a point when all are counted, the last axis fastest.
inline Index number_of(Shape const& shape, Shape const& point) {
  Index number = 0;
  for (int axis = 0; axis < shape.size(); ++axis) number = number * shape[axis] + point[axis];
  return number;
}

/// Where a point of `box` lies in a dense array of memory order `order`.
inline Index offset_of(Box const& box, Order const& order, Shape const& point) {
  Index offset = 0;
  for (int axis : order) {
    Range const& range = box.ranges[axis];
    offset = offset * count_of(range) + (point[axis] - range.lo) / range.step;
  }
  return offset;
}

/// Where a point lies in a rank's array, whose ghosts make it larger than its box.
inline Index place_of(Layout const& layout, int rank, Shape const& point) {
  Box const box = layout.box(rank);
  sixstep::Ghosts const ghosts = layout.ghosts(rank);
  Index place = 0;
  for (int axis : layout.order()) {
    Range const& range = box.ranges[axis];
    place = place * (ghosts.before[axis] + range.count() + ghosts.after[axis]) +
            ghosts.before[axis] + (point[axis] - range.lo) / range.step;
  }
  return place;
}

/// Calls visit(point, offset) for every point of a rank's local array.
template <class Visit>
void for_each_element(Layout const& layout, int rank, Visit const& visit) {
  Box const box = layout.box(rank);
  for_each_point(box,
                 [&](Shape const& point) { visit(point, offset_of(box, layout.order(), point)); });
}

/// The rank that holds each point, by the point's number; -1 for none, -2 for more than one.
inline std::vector<int> owners(Layout const& layout) {
  std::vector<int> found(at(points_of(layout.shape())), -1);
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    for_each_point(layout.box(rank), [&](Shape const& point) {
      int& owner = found[at(number_of(layout.shape(), point))];
      owner = owner == -1 ? rank : -2;
    });
  }
  return found;
}

/// exp(sign 2 pi i k / n) for k = 0 ... n - 1.
inline std::vector<Exact> roots_of_unity(Index n, int sign) {
  std::vector<Exact> roots;
  for (Index k = 0; k < n; ++k) {
    long double const angle = turn * static_cast<long double>(k) / static_cast<long double>(n);
    roots.emplace_back(std::cos(angle), static_cast<long double>(sign) * std::sin(angle));
  }
  return roots;
}

/// A column and its transform.
struct Transformed {
  int sign;
  std::vector<Exact> column, result;
};

/// X[k] = sum_j x[j] exp(sign 2 pi i j k / n) along one axis of a row-major array, by the
/// definition. Tests transform the same long columns by many plans, so these are remembered.
inline void transform(std::vector<Exact>& array, Shape const& shape, int axis, int sign) {
  Index const n = shape[axis];
  Index inner = 1;
  for (int a = axis + 1; a < shape.size(); ++a) inner *= shape[a];
  Index const outer = points_of(shape) / (n * inner);
  static thread_local std::deque<Transformed> known;
  bool const remember = n >= 256 && outer * inner == 1;
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
      for (Index k = 0; k < n; ++k) {
        long double real = 0, imaginary = 0;
        Index turned = 0;  // j k mod n
        for (Index j = 0; j < n; ++j) {
          Exact const& x = first[j * inner];
          Exact const& w = roots[at(turned)];
          real += x.real() * w.real() - x.imag() * w.imag();
          imaginary += x.real() * w.imag() + x.imag() * w.real();
          turned += k;
          if (turned >= n) turned -= n;
        }
        column[at(k)] = {real, imaginary};
      }
      for (Index k = 0; k < n; ++k) first[k * inner] = column[at(k)];
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
