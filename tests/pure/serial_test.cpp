// SPDX-License-Identifier: BSD-3-Clause
// Serial plans: results by the definition, in arrays of any strides. What else they promise is in
// serial_plans_test.cpp.
#include "sixstep/serial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracles/kinds.hpp"
#include "refuses.hpp"
#include "serial/strides.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;
using oracle::Whole;

struct Case {
  Shape shape;
  SerialOptions options;
  bool in_place;
  Direction direction;
  Scale scale;
  std::uint64_t seed;
};

std::string describe(Case const& given) {
  std::string words = text(to_string(given.shape), ", axes");
  for (std::size_t i = 0; i < given.options.axes.size(); ++i)
    words += text(" ", given.options.axes[i], " ", to_string(given.options.kinds[i]));
  words += ", order";
  for (int axis : given.options.order) words += text(" ", axis);
  words += ", input strides";
  for (Index stride : given.options.input_strides) words += text(" ", stride);
  words += ", output strides";
  for (Index stride : given.options.output_strides) words += text(" ", stride);
  return text(words, ", padded ", given.options.padded, ", in place ", given.in_place, ", threads ",
              given.options.threads, ", backward ", given.direction == Direction::backward,
              ", preserve ", given.options.preserve_input, ", for this use alone ",
              given.options.uses != SerialUses{}, ", scale ", static_cast<int>(given.scale));
}

bool has(Case const& given, Kind kind) {
  auto const& kinds = given.options.kinds;
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// A cosine or sine transform that n points allow.
Kind random_r2r(Random& random, Index n) {
  return static_cast<Kind>(random.between(static_cast<int>(n == 1 ? Kind::dct2 : Kind::dct1),
                                          static_cast<int>(Kind::dst4)));
}

/// Whether no two points lie at the same place, by a list of all places.
bool places_differ(Shape const& shape, Shape const& strides) {
  std::set<Index> places;
  oracle::for_each_point(shape, [&](Shape const& point) {
    Index place = 0;
    for (int axis = 0; axis < shape.size(); ++axis) place += point[axis] * strides[axis];
    places.insert(place);
  });
  return static_cast<Index>(places.size()) == oracle::points_of(shape);
}

/// Axes in any order with any gaps between them, or any strides that give each point a place.
Shape random_strides(Random& random, Shape const& shape) {
  int const axes = shape.size();
  Shape strides(axes, 0);
  for (int attempt = random.between(0, 5); attempt < 6; ++attempt) {
    for (Index& stride : strides) stride = random.between(Index{1}, 2 * oracle::points_of(shape));
    if (places_differ(shape, strides)) return strides;
  }
  Index stride = random.once_in(2) ? 1 : random.between(1, 3);
  for (int axis : cases::random_order(random, axes)) {
    strides[axis] = shape[axis] == 1 && random.once_in(2) ? 0 : stride;
    stride = stride * shape[axis] + (random.once_in(2) ? 0 : random.between(0, 9));
  }
  return strides;
}

Shape output_shape(Case const& given) {
  Shape shape = given.shape;
  for (std::size_t i = 0; i < given.options.axes.size(); ++i)
    if (given.options.kinds[i] == Kind::r2c)
      shape[given.options.axes[i]] = shape[given.options.axes[i]] / 2 + 1;
  return shape;
}

Case random_case(std::uint64_t seed) {
  Random random(seed);
  int const axes = random.between(1, 8);
  Case given{.shape = cases::random_shape(random, axes, random.once_in(8) ? 1500 : 150),
             .options = {},
             .in_place = random.once_in(2),
             .direction = random.once_in(2) ? Direction::backward : Direction::forward,
             .scale = static_cast<Scale>(random.between(0, 2)),
             .seed = seed};
  SerialOptions& options = given.options;
  options.order = cases::random_order(random, axes);
  options.preserve_input = !random.once_in(3);
  options.threads = random.between(1, 4);
  do options.axes = cases::random_axes(random, axes);
  while (options.axes.empty());
  // Complex numbers, reals to complex numbers, or reals alone.
  int const numbers = random.between(0, 2);
  for (int axis : options.axes)
    options.kinds.push_back(
        numbers < 2 && random.once_in(2) ? Kind::c2c : random_r2r(random, given.shape[axis]));
  if (numbers == 0) options.kinds.back() = Kind::c2c;
  if (numbers == 1) {
    options.kinds.back() = Kind::r2c;
    bool const is_fastest = std::none_of(
        options.order.begin(), options.order.end(), [&, is_behind = false](int axis) mutable {
          bool const found = is_behind && std::find(options.axes.begin(), options.axes.end(),
                                                    axis) != options.axes.end();
          is_behind = is_behind || axis == options.axes.back();
          return found;
        });
    options.padded = is_fastest && (given.in_place || random.once_in(2));
  }
  if (!options.padded && random.once_in(2))
    options.input_strides = random_strides(random, given.shape);
  if (random.once_in(2)) options.output_strides = random_strides(random, output_shape(given));
  bool const backward = given.direction == Direction::backward;
  if (random.once_in(2))
    options.uses = {.forward = !backward,
                    .backward = backward,
                    .in_place = given.in_place,
                    .out_of_place = !given.in_place};
  return given;
}

/// The reals of an element of one side, laid out as the plan says.
struct Side {
  Shape shape, strides;
  bool is_complex;

  template <class Visit>
  void for_each(Visit const& visit) const {
    oracle::for_each_point(shape, [&](Shape const& point) {
      Index offset = 0;
      for (int axis = 0; axis < shape.size(); ++axis) offset += point[axis] * strides[axis];
      visit(at(oracle::number_of(shape, point)), at(offset));
    });
  }
};

template <class Real>
void execute(SerialPlan<Real> const& plan, Real const* in, Real* out, Case const& given,
             bool complex_in, bool complex_out) {
  using Complex = std::complex<Real>;
  auto const* const values = reinterpret_cast<Complex const*>(in);
  auto* const results = reinterpret_cast<Complex*>(out);
  if (complex_in && complex_out) plan.execute(values, results, given.direction, given.scale);
  if (complex_in && !complex_out) plan.execute(values, out, given.scale);
  if (!complex_in && complex_out) plan.execute(in, results, given.scale);
  if (!complex_in && !complex_out) plan.execute(in, out, given.direction, given.scale);
}

Whole expected_of(Whole const& x, Case const& given) {
  oracle::Kinds kinds;
  Index n = 0;
  long double points = 1;
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    int const axis = given.options.axes[i];
    Kind const kind = given.options.kinds[i];
    kinds.emplace_back(axis, kind);
    points *= oracle::there_and_back(kind, given.shape[axis]);
    if (kind == Kind::r2c) n = given.shape[axis];
  }
  Whole y = given.direction == Direction::forward ? oracle::forward(x, kinds)
            : n > 0                               ? oracle::backward(x, kinds, n)
                                                  : oracle::transformed_but_real(x, kinds, +1);
  long double const factor = given.scale == Scale::none   ? 1
                             : given.scale == Scale::by_n ? 1 / points
                                                          : 1 / std::sqrt(points);
  for (Exact& value : y.values) value *= factor;
  return y;
}

/// The largest error of a case, in what rounding explains.
template <class Real>
double error_of(Case const& given) {
  SerialPlan<Real> const plan(given.shape, given.options);
  bool const forward = given.direction == Direction::forward;
  Side const input{plan.input_shape(), plan.input_strides(),
                   !has(given, Kind::r2c) && has(given, Kind::c2c)};
  Side const output{plan.output_shape(), plan.output_strides(),
                    has(given, Kind::r2c) || has(given, Kind::c2c)};
  Side const &source = forward ? input : output, &target = forward ? output : input;
  auto const reals = [&](Side const& side) {
    Index const size = &side == &input ? plan.input_size() : plan.output_size();
    return at(size * (side.is_complex ? 2 : 1));
  };
  Real const unset = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> in(
      given.in_place ? at(plan.in_place_size() * (output.is_complex ? 2 : 1)) : reals(source),
      unset);
  std::vector<Real> out(given.in_place ? 0 : reals(target), unset);
  Random random(given.seed + 1);
  Whole x{source.shape, std::vector<Exact>(at(oracle::points_of(source.shape)))};
  auto const value = [&] { return static_cast<Real>(random.between(-1000, 1000)) / Real{1000}; };
  source.for_each([&](std::size_t number, std::size_t place) {
    Real const re = value(), im = source.is_complex ? value() : 0;
    x.values[number] = {re, im};
    if (source.is_complex) {
      in[2 * place] = re;
      in[2 * place + 1] = im;
    } else {
      in[place] = re;
    }
  });
  std::vector<Real> const before = in;
  std::vector<Real>& result = given.in_place ? in : out;
  execute(plan, in.data(), result.data(), given, source.is_complex, target.is_complex);
  auto const same = [](Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!given.in_place && given.options.preserve_input) {
    EXPECT_TRUE(std::equal(in.begin(), in.end(), before.begin(), same)) << describe(given);
  }
  if (!given.options.padded) {
    std::vector<bool> is_beside(result.size(), true);
    for (Side const* side : {&target, given.in_place ? &source : &target})
      side->for_each([&](std::size_t, std::size_t place) {
        std::size_t const each = side->is_complex ? 2 : 1;
        for (std::size_t part = 0; part < each; ++part) is_beside[each * place + part] = false;
      });
    for (std::size_t i = 0; i < result.size(); ++i)
      if (is_beside[i] && !std::isnan(result[i])) {
        ADD_FAILURE() << "element " << i << " is none of the array's: " << describe(given);
        break;
      }
  }
  Whole const y = expected_of(x, given);
  long double worst = 0, largest = 0;
  target.for_each([&](std::size_t number, std::size_t place) {
    Exact const found = target.is_complex ? Exact(result[2 * place], result[2 * place + 1])
                                          : Exact(result[place], 0);
    Exact const expected = target.is_complex ? y.values[number] : Exact(y.values[number].real(), 0);
    long double const error = std::abs(found - expected);
    worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
    largest = std::max(largest, std::abs(expected));
  });
  long double const points = static_cast<long double>(oracle::points_of(given.shape));
  long double const explained = std::numeric_limits<Real>::epsilon() * (1 + std::log2(points)) *
                                std::max(largest, std::numeric_limits<long double>::min());
  return static_cast<double>(worst / explained);
}

TEST(serial, random_problems_are_solved_as_they_are_defined) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Case const given = random_case(seed);
    EXPECT_LT(error_of<double>(given), 32) << seed << ": " << describe(given);
    EXPECT_LT(error_of<float>(given), 32) << seed << ": " << describe(given);
  }
}

/// Transforms of at most 300 complex numbers or reals, with loops over them anywhere in memory.
Case small_transforms(std::uint64_t seed) {
  Random random(seed);
  Case given = random_case(seed);
  int const axes = random.between(1, 4);
  given.shape = cases::random_shape(random, axes, 300);
  for (int loops = random.between(0, 2); loops > 0; --loops)
    given.shape.push_back(random.between(1, random.once_in(2) ? 30 : 4));
  SerialOptions& options = given.options;
  options.order = cases::random_order(random, given.shape.size());
  options.axes.clear();
  for (int axis = 0; axis < axes; ++axis) options.axes.push_back(axis);
  options.kinds.assign(options.axes.size(), Kind::c2c);
  if (random.once_in(2)) options.kinds.back() = Kind::r2c;
  options.padded = false;
  options.input_strides = options.output_strides = {};
  if (random.once_in(2)) options.input_strides = random_strides(random, given.shape);
  if (random.once_in(2)) options.output_strides = random_strides(random, output_shape(given));
  return given;
}

TEST(serial, small_transforms_are_solved_one_after_another) {
  int boxes = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Case const given = small_transforms(seed);
    EXPECT_LT(error_of<double>(given), 32) << seed << ": " << describe(given);
    EXPECT_LT(error_of<float>(given), 32) << seed << ": " << describe(given);
    SerialPlan<double> const plan(given.shape, given.options);
    boxes += plan.describe().find("boxes") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(boxes, 200);
}

TEST(serial, long_axes_and_primes_are_solved_as_they_are_defined) {
  for (Index n : {1, 2, 509, 1024})
    for (bool in_place : {false, true})
      for (Direction direction : {Direction::forward, Direction::backward}) {
        Case const given{.shape = {n},
                         .options = {.axes = {0}, .kinds = {Kind::c2c}, .threads = 2},
                         .in_place = in_place,
                         .direction = direction,
                         .scale = Scale::by_n,
                         .seed = 1};
        EXPECT_LT(error_of<double>(given), 32) << describe(given);
      }
}

// FFTW's guru interface: three transforms of 4 x 5, the batch between the two axes in memory.
TEST(serial, strides_are_those_of_the_caller) {
  SerialPlan<double> const plan(
      {3, 4, 5}, {.axes = {1, 2}, .input_strides = {7, 25, 1}, .output_strides = {2, 30, 6}});
  EXPECT_EQ(plan.input_size(), 2 * 7 + 3 * 25 + 4 + 1);
  EXPECT_EQ(plan.output_size(), 2 * 2 + 3 * 30 + 4 * 6 + 1);
  EXPECT_EQ(plan.input_strides(), (Shape{7, 25, 1}));
  EXPECT_EQ(plan.output_strides(), (Shape{2, 30, 6}));
  std::string const words = plan.describe();
  EXPECT_NE(words.find("strides 7, 25, 1"), std::string::npos) << words;
  EXPECT_NE(words.find("strides 2, 30, 6"), std::string::npos) << words;
}

TEST(serial, strides_of_dense_arrays_are_none_of_the_callers) {
  SerialPlan<double> const plan({4, 5}, {.input_strides = {1, 4}, .output_strides = {5, 1}});
  EXPECT_EQ(plan.describe().find("strides"), std::string::npos) << plan.describe();
}

// One point a mebielement: work arrays hold points, not what lies between them.
TEST(serial, work_arrays_have_no_gaps) {
  constexpr Index far = Index{1} << 20;
  for (Shape const& output : {Shape{far, far * 100}, Shape{1, 100}}) {
    SerialPlan<double> const plan(
        {100, 90}, {.input_strides = {far * 90, far}, .output_strides = output, .threads = 1});
    EXPECT_LT(plan.workspace_bytes(), std::size_t{4} << 20) << to_string(output);
  }
}

TEST(serial, strides_are_refused_where_two_points_meet) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 60);
    Shape strides;
    for (int axis = 0; axis < shape.size(); ++axis) strides.push_back(random.between(1, 25));
    bool const is_refused = refuses("input_strides", {"a place for each point is needed"}, [&] {
      serial::check_strides("input_strides", shape, strides);
    });
    EXPECT_EQ(is_refused, !places_differ(shape, strides))
        << to_string(shape) << " with " << to_string(strides);
  }
}

}  // namespace
}  // namespace sixstep
