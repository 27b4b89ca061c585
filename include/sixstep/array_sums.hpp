// SPDX-License-Identifier: BSD-3-Clause
// Points, ghosts, slices and sums of global arrays. array.hpp includes this file.
#pragma once

#include "sixstep/array.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

// Points.

/// Calls visit(point, element) for this rank's elements, on all threads; point is a Shape of global
/// indices. Not collective.
template <class T, class Visit>
void for_each_index(Array<T>& array, Visit const& visit) {
  T* const data = array.data();
  for_each(array.layout(), array.ranks().rank(), array.ranks().threads(),
           [&](Shape const& point, Index i) { visit(point, data[i]); });
}

/// As for_each_index(), with wave numbers in place of indices, for the transform of an array of the
/// shape `points`. The wave number of index k is k, or k - n if k >= n/2; along an axis with n/2 +
/// 1 coefficients (r2c) it is k.
template <class T, class Visit>
void for_each_wave(Array<T>& array, Shape const& points, Visit const& visit) {
  Shape const coefficients = array.shape();
  require(points.size() == coefficients.size(), "points: ", coefficients.size(),
          " extents are needed, ", points.size(), " were given");
  for_each_index(array, [&](Shape const& k, T& element) {
    Shape wave = k;
    for (int axis = 0; axis < k.size(); ++axis)
      if (points[axis] == coefficients[axis] && 2 * k[axis] >= points[axis])
        wave[axis] -= points[axis];
    visit(std::as_const(wave), element);
  });
}

/// Fills the ghosts of an array, corners included, from the ranks that hold the points. Each axis
/// has a boundary, periodic or open. Errors: not one boundary an axis; a cyclic axis has ghosts.
template <class T>
void update_ghosts(Array<T>& array, PerAxis<Boundary> const& boundaries) {
  array.ranks().update_ghosts(array.layout(), boundaries, array.data(), sizeof(T));
}
template <class T>
void update_ghosts(Array<T>& array, Boundary boundary) {
  update_ghosts(array, PerAxis<Boundary>(array.layout().axes(), boundary));
}

// Sums.

/// Combines this rank's elements, without ghosts, to their sum or maximum. Runs of some thousand
/// elements are combined separately, so that rounding errors stay small.
template <class Sum, class Element, class Combine>
Sum reduce_points(Layout const& layout, Ranks const& ranks, Element const& element, Sum const& zero,
                  Combine const& combine) {
  constexpr Index run = 4096;
  int const threads = ranks.threads();
  std::vector<Sum> sums(static_cast<std::size_t>(threads), zero);
  Walk const walk(layout.box(ranks.rank()), layout.strides(ranks.rank()));
  Index const begin = layout.offset(ranks.rank()), points = walk.points();
  bool const is_dense = layout.array_size(ranks.rank()) == points;
  on_threads(threads, [&](int thread) {
    Index const end = points * (thread + 1) / threads;
    Sum sum = zero;
    for (Index first = points * thread / threads; first < end; first += run) {
      Index const last = std::min(first + run, end);
      Sum part = zero;
      if (is_dense) {
        for (Index i = first; i < last; ++i) part = combine(part, static_cast<Sum>(element(i)));
      } else {
        auto const visit = [&](Shape const&, Index i) {
          part = combine(part, static_cast<Sum>(element(begin + i)));
        };
        walk(first, last, visit);
      }
      sum = combine(sum, part);
    }
    sums[static_cast<std::size_t>(thread)] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), zero, combine);
}

/// The type of a sum of elements, with components of 64 bits.
template <class T>
using SumOf = std::conditional_t<is_complex<T>, std::complex<double>,
                                 std::conditional_t<std::is_integral_v<T>, Index, double>>;

/// The sum of all elements, the same on all ranks.
template <Expression E>
auto sum(E&& expression) {
  auto const operand = operand_of(std::forward<E>(expression));
  Layout const& layout = operand.layout();
  Ranks const& ranks = operand.ranks();
  auto const elements = map([](auto const& x) { return x; }, operand).elements(layout, ranks);
  using Sum = SumOf<typename std::remove_cvref_t<E>::Element>;
  Sum all = reduce_points(layout, ranks, elements, Sum(0), std::plus<>());
  if constexpr (is_complex<Sum>)
    ranks.sum(std::span(reinterpret_cast<double*>(&all), 2));
  else
    ranks.sum(std::span(&all, 1));
  return all;
}

/// The largest or the smallest of real elements, the same on all ranks.
template <Expression E>
auto max(E&& expression) {
  using Real = SumOf<typename std::remove_cvref_t<E>::Element>;
  auto const operand = operand_of(std::forward<E>(expression));
  Layout const& layout = operand.layout();
  Ranks const& ranks = operand.ranks();
  auto const elements = map([](auto const& x) { return x; }, operand).elements(layout, ranks);
  Real all = reduce_points(layout, ranks, elements, std::numeric_limits<Real>::lowest(),
                           [](Real a, Real b) { return b > a || b != b ? b : a; });
  ranks.max(std::span(&all, 1));
  return all;
}
template <Expression E>
auto min(E&& expression) {
  return -max(-std::forward<E>(expression));
}

/// sum conj(a) b.
template <Expression A, Expression B>
auto dot(A&& a, B&& b) {
  return sum(conj(std::forward<A>(a)) * std::forward<B>(b));
}
/// sqrt(sum |a|^2).
template <Expression E>
double two_norm(E&& e) {
  return std::sqrt(sum(
      map([](auto const& x) { return static_cast<double>(std::norm(x)); }, std::forward<E>(e))));
}
/// max |a|.
template <Expression E>
double max_norm(E&& e) {
  return static_cast<double>(max(abs(std::forward<E>(e))));
}

template <class T>
Array<T> Array<T>::slice(Box const& box) const {
  ranks().require(box.axes() == layout_.axes(), "box: ", layout_.axes(), " ranges are needed, ",
                  box.axes(), " were given");
  for (int axis = 0; axis < box.axes(); ++axis) {
    Range const& range = box.ranges[axis];
    ranks().require(!range.empty() && range.step >= 1 && range.lo >= 0 && range.hi <= shape()[axis],
                    "box: indices of axis ", axis, " are 0 to ", shape()[axis] - 1, ", ",
                    to_string(box), " was given");
  }
  ranks().note("slice", to_string(box));
  bool const cyclic = std::ranges::count(layout_.distribution(), Distribution::cyclic) > 0;
  if (cyclic) {
    Array blocks(Layout::slab(shape(), ranks().size()), ranks(), false);
    blocks = *this;
    return blocks.slice(box);
  }
  std::vector<Box> parts;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    Box part = intersect(layout_.box(rank), box);
    for (int axis = 0; axis < box.axes(); ++axis) {
      Range const all = box.ranges[axis], mine = part.ranges[axis];
      Index const lo = (mine.lo - all.lo) / all.step;
      part.ranges[axis] = part.empty() ? Range{} : Range{lo, lo + mine.count()};
    }
    parts.push_back(part.empty() ? Box{PerAxis<Range>(box.axes(), Range{})} : part);
  }
  Array some(Layout::boxes(box.shape(), parts, layout_.order()), ranks(), false);
  LocalView<T const> const here = local();
  for_each_index(some, [&](Shape point, T& element) {
    for (int axis = 0; axis < point.size(); ++axis)
      point[axis] = box.ranges[axis].lo + point[axis] * box.ranges[axis].step;
    element = here[point];
  });
  return some;
}

}  // namespace sixstep
#pragma GCC visibility pop
