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

/// Works like for_each_index(), with wave numbers in place of indices, for the transform of an
/// array of the shape `points`. The wave number of index k is k, or k - n if k >= n/2; along an
/// axis with n/2 + 1 coefficients (r2c) it is k.
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

// Sums of reals are exact and rounded once at the end, so their bits depend on the elements alone.

/// Calls each(part, n, i) for this rank's elements, without ghosts, on all threads. Element i is
/// number n of a run of up to 512, after which finish(part, n) gets their number. Each thread has a
/// copy of `start` as its part. Returns the parts.
template <class Part, class Each, class Finish>
std::vector<Part> visit_in_runs(Layout const& layout, Ranks const& ranks, Part const& start,
                                Each const& each, Finish const& finish) {
  constexpr Index run = 512;
  int const threads = ranks.threads();
  std::vector<Part> parts(static_cast<std::size_t>(threads), start);
  Walk const walk(layout.box(ranks.rank()), layout.strides(ranks.rank()));
  Index const begin = layout.offset(ranks.rank()), points = walk.points();
  bool const is_dense = layout.array_size(ranks.rank()) == points;
  on_threads(threads, [&](int thread) {
    Part part = start;
    Index const end = points * (thread + 1) / threads;
    for (Index first = points * thread / threads; first < end; first += run) {
      Index const count = std::min(run, end - first);
      if (is_dense) {
        for (Index n = 0; n < count; ++n) each(part, n, first + n);
      } else {
        Index n = 0;
        auto const visit = [&](Shape const&, Index i) { each(part, n++, begin + i); };
        walk(first, first + count, visit);
      }
      finish(part, count);
    }
    parts[static_cast<std::size_t>(thread)] = part;
  });
  return parts;
}

/// Combines this rank's elements, without ghosts, beginning with `start`.
template <class Result, class Element, class Combine>
Result reduce_points(Layout const& layout, Ranks const& ranks, Element const& element,
                     Result const& start, Combine const& combine) {
  auto const parts = visit_in_runs(
      layout, ranks, start,
      [&](Result& part, Index, Index i) { part = combine(part, static_cast<Result>(element(i))); },
      [](Result const&, Index) {});
  return std::accumulate(parts.begin(), parts.end(), start, combine);
}

/// The terms that an element adds to each of several sums.
template <std::size_t sums, std::size_t terms>
using Terms = std::array<std::array<double, terms>, sums>;

/// The sums over all elements, the same on all ranks. terms_of(i) are the Terms of element i.
template <std::size_t sums, std::size_t terms, class TermsOf>
std::array<double, sums> sums_of_terms(Layout const& layout, Ranks const& ranks,
                                       TermsOf const& terms_of) {
  struct RunSums {
    std::array<ExactSum, sums> all;
    std::array<std::array<double, 512 * terms>, sums> run;
  };
  auto const parts = visit_in_runs(
      layout, ranks, RunSums{},
      [&](RunSums& part, Index n, Index i) {
        Terms<sums, terms> const more = terms_of(i);
        for (std::size_t sum = 0; sum < sums; ++sum)
          std::ranges::copy(more[sum], &part.run[sum][static_cast<std::size_t>(n) * terms]);
      },
      [](RunSums& part, Index count) {
        for (std::size_t sum = 0; sum < sums; ++sum)
          part.all[sum].add(
              std::span(part.run[sum]).first(static_cast<std::size_t>(count) * terms));
      });
  std::array<ExactSum, sums> all;
  std::array<double, sums> values;
  for (RunSums const& part : parts)
    for (std::size_t sum = 0; sum < sums; ++sum) all[sum].add(part.all[sum]);
  ranks.sum(std::span(all));
  std::ranges::transform(all, values.begin(), [](ExactSum const& sum) { return sum.value(); });
  return values;
}
template <std::size_t sums, std::size_t terms, class F, class... Es>
std::array<double, sums> sums_of_terms(Mapped<F, Es...> const& terms_of) {
  Layout const& layout = terms_of.layout();
  Ranks const& ranks = terms_of.ranks();
  return sums_of_terms<sums, terms>(layout, ranks, terms_of.elements(layout, ranks));
}

/// The terms of an element x of sum().
template <class T>
auto terms_of_sum(T const& x) {
  if constexpr (is_complex<T>)
    return Terms<2, 1>{{{static_cast<double>(x.real())}, {static_cast<double>(x.imag())}}};
  else
    return Terms<1, 1>{{{static_cast<double>(x)}}};
}
/// The terms of an element of two_norm(): the squares of its real and imaginary part.
template <class T>
auto terms_of_norm(T const& x) {
  auto const square = [](auto y) { return static_cast<double>(y) * static_cast<double>(y); };
  if constexpr (is_complex<T>)
    return Terms<1, 2>{{{square(x.real()), square(x.imag())}}};
  else
    return Terms<1, 1>{{{square(x)}}};
}
/// The terms of elements of dot(): the products of their real and imaginary parts.
template <class A, class B>
auto terms_of_dot(A const& a, B const& b) {
  auto const product = [](auto x, auto y) {
    return static_cast<double>(x) * static_cast<double>(y);
  };
  if constexpr (is_complex<A> || is_complex<B>)
    return Terms<2, 2>{
        {{product(std::real(a), std::real(b)), product(std::imag(a), std::imag(b))},
         {product(std::real(a), std::imag(b)), -product(std::imag(a), std::real(b))}}};
  else
    return Terms<1, 1>{{{product(a, b)}}};
}

/// The value of a sum: a real number, or a complex one of its parts.
inline double value_of_sums(std::array<double, 1> const& sums) { return sums[0]; }
inline std::complex<double> value_of_sums(std::array<double, 2> const& sums) {
  return {sums[0], sums[1]};
}

/// The type of a sum of elements, with components of 64 bits.
template <class T>
using SumOf = std::conditional_t<is_complex<T>, std::complex<double>,
                                 std::conditional_t<std::is_integral_v<T>, Index, double>>;

/// The sum of all elements, the same on all ranks. For real and complex elements it is the exact
/// sum, rounded once: the same bits for any layout and any number of ranks and threads.
template <Expression E>
auto sum(E&& expression) {
  using Element = typename std::remove_cvref_t<E>::Element;
  if constexpr (std::is_integral_v<Element>) {
    auto const elements = map([](Element x) { return x; }, std::forward<E>(expression));
    Layout const& layout = elements.layout();
    Ranks const& ranks = elements.ranks();
    Index all =
        reduce_points(layout, ranks, elements.elements(layout, ranks), Index{0}, std::plus<>());
    ranks.sum(std::span(&all, 1));
    return all;
  } else {
    constexpr std::size_t sums = is_complex<Element> ? 2 : 1;
    return value_of_sums(sums_of_terms<sums, 1>(
        map([](Element const& x) { return terms_of_sum(x); }, std::forward<E>(expression))));
  }
}

/// The largest or the smallest of real elements, the same on all ranks. NaN if one is NaN; 0 is
/// above -0.
template <Expression E>
auto max(E&& expression) {
  using Real = SumOf<typename std::remove_cvref_t<E>::Element>;
  using Limits = std::numeric_limits<Real>;
  auto const operand = operand_of(std::forward<E>(expression));
  Layout const& layout = operand.layout();
  Ranks const& ranks = operand.ranks();
  auto const elements = map([](auto const& x) { return x; }, operand).elements(layout, ranks);
  auto const larger = [](Real a, Real b) {
    bool const is_zero_above = b == a && std::is_floating_point_v<Real> && std::signbit(a);
    return b > a || b != b || is_zero_above ? b : a;
  };
  Real const least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  Real all = reduce_points(layout, ranks, elements, least, larger);
  ranks.max(std::span(&all, 1));
  return all;
}
template <Expression E>
auto min(E&& expression) {
  return -max(-std::forward<E>(expression));
}

/// sum conj(a) b. The products of real and imaginary parts are rounded to double, and their sum is
/// as in sum().
template <Expression A, Expression B>
auto dot(A&& a, B&& b) {
  using First = typename std::remove_cvref_t<A>::Element;
  using Second = typename std::remove_cvref_t<B>::Element;
  if constexpr (std::is_integral_v<First> && std::is_integral_v<Second>) {
    return sum(std::forward<A>(a) * std::forward<B>(b));
  } else {
    constexpr std::size_t parts = is_complex<First> || is_complex<Second> ? 2 : 1;
    return value_of_sums(sums_of_terms<parts, parts>(
        map([](First const& x, Second const& y) { return terms_of_dot(x, y); }, std::forward<A>(a),
            std::forward<B>(b))));
  }
}
/// sqrt(sum |a|^2). The squares of real and imaginary parts are rounded to double, and their sum is
/// as in sum().
template <Expression E>
double two_norm(E&& e) {
  using Element = typename std::remove_cvref_t<E>::Element;
  constexpr std::size_t terms = is_complex<Element> ? 2 : 1;
  return std::sqrt(value_of_sums(sums_of_terms<1, terms>(
      map([](Element const& x) { return terms_of_norm(x); }, std::forward<E>(e)))));
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
