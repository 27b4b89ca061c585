// SPDX-License-Identifier: BSD-3-Clause
// Plans of all kinds, chosen at random or by hand, and their comparison with the definitions: out
// of place and in place, forward and backward.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "cases.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::real_cases {

using cases::Random;
using oracle::at;
using oracle::Exact;
using oracle::Whole;

inline int mine() { return ranks::rank(); }
inline int all() { return ranks::count(); }

struct Case {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  Scale scale = Scale::none;
};

/// Axes and kinds in full, as Options means them.
inline oracle::Kinds kinds_of(Case const& given) {
  std::vector<int> axes = given.options.axes;
  for (int axis = 0; given.options.axes.empty() && axis < given.input.axes(); ++axis)
    axes.push_back(axis);
  std::vector<Kind> kinds = given.options.kinds;
  if (kinds.empty()) kinds = {Kind::c2c};
  bool const one_r2c = kinds.size() == 1 && kinds[0] == Kind::r2c;
  oracle::Kinds found;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    bool const is_last = i + 1 == axes.size();
    Kind const kind = one_r2c && !is_last ? Kind::c2c : kinds[kinds.size() == 1 ? 0 : i];
    found.emplace_back(axes[i], kind);
  }
  return found;
}

inline bool has(oracle::Kinds const& kinds, Kind wanted) {
  return std::any_of(kinds.begin(), kinds.end(), [&](auto const& k) { return k.second == wanted; });
}

inline int real_axis(oracle::Kinds const& kinds) {
  for (auto const& [axis, kind] : kinds)
    if (kind == Kind::r2c) return axis;
  return -1;
}

inline Shape spectral(Shape shape, oracle::Kinds const& kinds) {
  int const axis = real_axis(kinds);
  if (axis >= 0) shape[axis] = shape[axis] / 2 + 1;
  return shape;
}

inline std::string describe(Case const& given) {
  std::string kinds;
  for (auto const& [axis, kind] : kinds_of(given)) kinds += text(" ", axis, ":", to_string(kind));
  Options const& options = given.options;
  return text("input ", cases::describe(given.input), "\noutput ",
              given.output ? cases::describe(*given.output) : "open", "\nkinds", kinds,
              options.padded ? ", padded" : "", ", exchange ", static_cast<int>(options.exchange),
              options.preserve_input ? "" : ", input given up",
              options.low_memory ? ", low memory" : "", ", threads ", options.threads, ", scale ",
              static_cast<int>(given.scale));
}

/// One side of a plan: where its elements lie in memory, and of how many reals they are.
struct Side {
  Layout layout;
  bool real;
  bool padded = false;

  Index unit() const { return real ? 1 : 2; }
  Index place(Index offset) const {
    if (!padded) return offset * unit();
    Index const n = layout.shape()[layout.order().back()];
    return offset / n * (2 * (n / 2 + 1)) + offset % n;
  }
  Index reals() const {
    Index const points = layout.local_size(mine());
    return points == 0 ? 0 : padded ? place(points) : points * unit();
  }
};

template <class Real>
void fill(std::vector<Real>& array, Side const& side, Whole const& whole) {
  oracle::for_each_element(side.layout, mine(), [&](Shape const& point, Index offset) {
    Exact const& value = whole.values[at(oracle::number_of(side.layout.shape(), point))];
    array[at(side.place(offset))] = static_cast<Real>(value.real());
    if (!side.real) array[at(side.place(offset) + 1)] = static_cast<Real>(value.imag());
  });
}

template <class Real>
double difference(std::vector<Real> const& array, Side const& side, Whole const& whole,
                  long double scale) {
  long double worst = 0;
  oracle::for_each_element(side.layout, mine(), [&](Shape const& point, Index offset) {
    Exact const expected = whole.values[at(oracle::number_of(side.layout.shape(), point))] * scale;
    Index const place = side.place(offset);
    Exact const got(array[at(place)], side.real ? Real(0) : array[at(place + 1)]);
    long double const error = std::abs(got - expected);
    worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
  });
  return ranks::largest(static_cast<double>(worst));
}

/// Calls the overload for such sides.
template <class Real>
void execute(Plan<Real>& plan, Real* in, Real* out, Side const& from, Side const& to, bool forward,
             Scale scale) {
  using Complex = std::complex<Real>;
  auto* const complex_in = reinterpret_cast<Complex*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  Direction const direction = forward ? Direction::forward : Direction::backward;
  if (from.real && to.real)
    plan.execute(in, out, direction, scale);
  else if (from.real)
    plan.forward(in, complex_out, scale);
  else if (to.real)
    plan.backward(complex_in, out, scale);
  else
    plan.execute(complex_in, complex_out, direction, scale);
}

struct Expected {
  Whole in, out;
  long double scale;
  double bound;
  bool keeps_input = true;
};

/// Out of place, which may have to keep the input, and in place; with our arrays and the plan's.
template <class Real>
void expect_direction(Plan<Real>& plan, bool forward, Side const& from, Side const& to,
                      Expected const& expected, Scale scale) {
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  char const* const direction = forward ? "forward" : "backward";
  Side const& output = forward ? to : from;
  std::size_t const most = at(plan.in_place_size() * output.unit());
  std::vector<Real> before(at(from.reals()), nan);
  fill(before, from, expected.in);
  for (bool plans_arrays : {false, true}) {
    SCOPED_TRACE(
        text(direction, plans_arrays ? ", arrays of the plan" : "", "\n", plan.describe()));
    std::vector<Real> our_in(most, nan), our_out(most, nan);
    auto const plans_in = plan.template allocate<Real>(),
               plans_out = plan.template allocate<Real>();
    Real* const in = plans_arrays ? plans_in.get() : our_in.data();
    Real* const out = plans_arrays ? plans_out.get() : our_out.data();
    auto const result = [&] { return std::vector<Real>(out, out + to.reals()); };
    std::copy(before.begin(), before.end(), in);
    std::fill_n(out, most, nan);
    execute(plan, in, out, from, to, forward, scale);
    EXPECT_LT(difference(result(), to, expected.out, expected.scale), expected.bound);
    if (expected.keeps_input) {
      EXPECT_TRUE(before.empty() ||
                  std::memcmp(in, before.data(), before.size() * sizeof(Real)) == 0)
          << "the input was changed";
    }
    std::fill_n(out, most, nan);
    std::copy(before.begin(), before.end(), out);
    execute(plan, out, out, from, to, forward, scale);
    EXPECT_LT(difference(result(), to, expected.out, expected.scale), expected.bound) << "in place";
  }
}

inline Whole random_whole(Shape const& shape, bool real, std::uint64_t seed) {
  Whole whole{shape, oracle::values(oracle::points_of(shape), seed)};
  for (Exact& value : whole.values)
    if (real) value = value.real();
  return whole;
}

/// Forward and backward of one r2c axis of n points alone, by the transform of complex numbers:
/// faster.
inline Whole forward_along(Whole x) {
  Index const n = x.shape[0];
  ranks::compute_once(x.values, [&] { oracle::transform(x.values, x.shape, 0, -1); });
  x.values.resize(at(n / 2 + 1));
  return {{n / 2 + 1}, x.values};
}

inline Whole backward_along(Whole const& y, Index n) {
  Whole x{{n}, std::vector<Exact>(at(n))};
  for (Index k = 0; 2 * k <= n; ++k) {
    Exact const value = k == 0 || 2 * k == n ? y.values[at(k)].real() : y.values[at(k)];
    x.values[at((n - k) % n)] = std::conj(value);
    x.values[at(k)] = value;
  }
  ranks::compute_once(x.values, [&] { oracle::transform(x.values, x.shape, 0, +1); });
  return x;
}

template <class Real>
void expect_transforms(Case const& given) {
  SCOPED_TRACE(describe(given));
  oracle::Kinds const kinds = kinds_of(given);
  bool const crosses = has(kinds, Kind::r2c), complex = has(kinds, Kind::c2c) && !crosses;
  Shape const shape = given.input.shape();
  Plan<Real> plan = given.output
                        ? Plan<Real>(given.input, *given.output, MPI_COMM_WORLD, given.options)
                        : Plan<Real>(given.input, MPI_COMM_WORLD, given.options);
  ASSERT_TRUE(plan.input() == given.input);
  if (given.output) {
    ASSERT_TRUE(plan.output() == *given.output);
  }
  std::vector<std::byte> workspace;
  if (!given.options.own_workspace) {
    constexpr std::size_t alignment = 64;
    workspace.resize(plan.workspace_bytes() + alignment);
    auto const address = reinterpret_cast<std::uintptr_t>(workspace.data());
    plan.set_workspace(workspace.data() + (alignment - address % alignment),
                       plan.workspace_bytes());
  }
  Side const input{given.input, !complex, given.options.padded};
  Side const output{plan.output(), !complex && !crosses};
  ASSERT_EQ(plan.input_size(), input.reals() / input.unit());
  ASSERT_EQ(plan.output_size(), output.reals() / output.unit());
  ASSERT_GE(plan.in_place_size() * output.unit(), std::max(input.reals(), output.reals()));

  long double size = 1;
  for (auto const& [axis, kind] : kinds) size *= oracle::there_and_back(kind, shape[axis]);
  long double const scale = given.scale == Scale::none   ? 1
                            : given.scale == Scale::by_n ? 1 / size
                                                         : 1 / std::sqrt(size);
  double const bound = 2 * arrays::rounding<Real>(static_cast<Index>(size), scale);
  bool const alone = crosses && given.input.axes() == 1;
  Whole const x = random_whole(shape, input.real, 1);
  expect_direction<Real>(plan, true, input, output,
                         {x, alone ? forward_along(x) : oracle::forward(x, kinds), scale, bound,
                          given.options.preserve_input},
                         given.scale);
  Whole const y = random_whole(spectral(shape, kinds), output.real, 2);
  Index const n = crosses ? shape[real_axis(kinds)] : 0;
  expect_direction<Real>(plan, false, output, input,
                         {y, alone ? backward_along(y, n) : oracle::backward(y, kinds, n), scale,
                          bound, given.options.preserve_input},
                         given.scale);
}

/// At most one r2c; dct1 where there are two points.
inline std::vector<Kind> random_kinds(Random& random, Shape const& shape,
                                      std::vector<int> const& axes) {
  bool const r2r_only = random.once_in(4), with_r2c = random.once_in(2);
  int const real = with_r2c ? random.between(0, static_cast<int>(axes.size()) - 1) : -1;
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Kind kind = static_cast<Kind>(random.between(2, 9));
    if (kind == Kind::dct1 && shape[axes[i]] < 2) kind = Kind::dct2;
    if (!r2r_only && random.once_in(2)) kind = Kind::c2c;
    if (!r2r_only && static_cast<int>(i) == real) kind = Kind::r2c;
    kinds.push_back(kind);
  }
  return kinds;
}

inline Case random_case(Random& random, int axes, Index points) {
  Shape const shape = cases::random_shape(random, axes, points);
  Case given{.input = cases::random_layout(random, shape, all()),
             .options = {.axes = cases::random_axes(random, axes),
                         .preserve_input = !random.once_in(3),
                         .low_memory = random.once_in(3),
                         .exchange = static_cast<Exchange>(random.between(0, 2)),
                         .threads = random.between(1, 2),
                         .regrid = random.once_in(3)},
             .scale = static_cast<Scale>(random.between(0, 2))};
  std::vector<int>& named = given.options.axes;
  if (named.empty())
    for (int axis = 0; axis < axes; ++axis) named.push_back(axis);
  given.options.kinds = random_kinds(random, shape, named);
  int const real = real_axis(kinds_of(given));
  given.options.padded = real >= 0 && real == given.input.order().back() &&
                         given.input.whole(real) && random.once_in(2);
  if (!random.once_in(3))
    given.output = cases::random_layout(random, spectral(shape, kinds_of(given)), all());
  return given;
}

}  // namespace sixstep::real_cases
