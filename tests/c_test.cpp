// SPDX-License-Identifier: BSD-3-Clause
// The C interface, called from C++: what C++'s tests ask of plans, for a sample, and what only C
// can get wrong.
#include "sixstep.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "c/options.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "real_oracle.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using arrays::rounding;
using oracle::at;
using oracle::Exact;
using oracle::Kinds;
using oracle::Whole;

int all() { return ranks::count(); }

struct Free {
  void operator()(sixstep_layout* layout) const { sixstep_layout_free(layout); }
  void operator()(sixstep_plan* plan) const { sixstep_plan_free(plan); }
  void operator()(sixstep_redistribution* moves) const { sixstep_redistribution_free(moves); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Free>;

/// The handle that create(args..., &handle) makes.
template <class Handle, class Create, class... Args>
Owned<Handle> made(Create create, Args... args) {
  Handle* handle = nullptr;
  EXPECT_EQ(create(args..., &handle), SIXSTEP_OK) << sixstep_error_message();
  return Owned<Handle>(handle);
}

sixstep_options with_kinds(std::vector<int> const& kinds, std::vector<int> const& axes = {}) {
  sixstep_options options = SIXSTEP_OPTIONS;
  options.kinds_count = static_cast<int>(kinds.size());
  std::copy(kinds.begin(), kinds.end(), options.kinds);
  options.axes_count = static_cast<int>(axes.size());
  std::copy(axes.begin(), axes.end(), options.axes);
  return options;
}

/// Calls visit(point, offset) for what a rank holds.
template <class Visit>
void for_each_element(sixstep_part const& part, Visit const& visit) {
  Box box;
  for (int axis = 0; axis < part.axes; ++axis)
    box.ranges.push_back({part.lo[axis], part.hi[axis], part.step[axis]});
  oracle::for_each_point(box, [&](Shape const& point) {
    Index offset = part.offset;
    for (int axis = 0; axis < part.axes; ++axis)
      offset += (point[axis] - part.lo[axis]) / part.step[axis] * part.stride[axis];
    visit(point, offset);
  });
}

template <class Number>
struct real_of {
  using type = Number;
};
template <class Real>
struct real_of<std::complex<Real>> {
  using type = Real;
};

template <class Number>
Number number(Exact const& value) {
  if constexpr (std::is_floating_point_v<Number>)
    return static_cast<Number>(value.real());
  else
    return static_cast<Number>(value);
}

template <class Number>
void fill(std::vector<Number>& array, sixstep_part const& part, Whole const& whole) {
  for_each_element(part, [&](Shape const& point, Index offset) {
    array.at(at(offset)) = number<Number>(whole.values[at(oracle::number_of(whole.shape, point))]);
  });
}

template <class Number>
double difference(std::vector<Number> const& array, sixstep_part const& part, Whole const& whole,
                  long double scale = 1) {
  long double worst = 0;
  for_each_element(part, [&](Shape const& point, Index offset) {
    Exact const expected = whole.values[at(oracle::number_of(whole.shape, point))] * scale;
    long double const error = std::abs(static_cast<Exact>(array.at(at(offset))) - expected);
    worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
  });
  return static_cast<double>(worst);
}

Whole values(Shape const& shape, bool reals) {
  Whole whole{shape, oracle::values(oracle::points_of(shape), 5)};
  if (reals)
    for (Exact& value : whole.values) value = value.real();
  return whole;
}

/// Forward against the definition, and back to where it began, in arrays of these elements.
template <class In, class Out>
void expect_transforms(sixstep_layout const* input, sixstep_layout const* output,
                       sixstep_options const& options, Kinds const& kinds) {
  using Real = typename real_of<In>::type;
  int const precision = std::is_same_v<Real, double> ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE;
  auto const plan =
      made<sixstep_plan>(sixstep_plan_create, precision, input, output, MPI_COMM_WORLD, &options);
  ASSERT_TRUE(plan);
  std::size_t in_bytes = 0, out_bytes = 0;
  sixstep_plan_element_bytes(plan.get(), &in_bytes, &out_bytes);
  ASSERT_EQ(in_bytes, sizeof(In));
  ASSERT_EQ(out_bytes, sizeof(Out));
  Index in_size = 0, out_size = 0;
  ASSERT_EQ(sixstep_plan_sizes(plan.get(), &in_size, &out_size, nullptr), SIXSTEP_OK);
  sixstep_part in_part, out_part;
  ASSERT_EQ(sixstep_plan_input_part(plan.get(), &in_part), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_output_part(plan.get(), &out_part), SIXSTEP_OK);
  ASSERT_EQ(out_part.axes, in_part.axes);

  int axes = 0;
  sixstep_layout_counts(input, &axes, nullptr);
  Index extents[SIXSTEP_MAX_DIGITS];
  sixstep_layout_shape(input, extents);
  Shape shape;
  for (int axis = 0; axis < axes; ++axis) shape.push_back(extents[axis]);
  Whole const field = values(shape, std::is_floating_point_v<In>);
  Whole const spectrum = oracle::forward(field, kinds);
  std::vector<In> in(at(in_size));
  std::vector<Out> out(at(out_size));
  fill(in, in_part, field);
  double const limit = 4 * rounding<Real>(oracle::points_of(shape));

  ASSERT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), SIXSTEP_UNSCALED), SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(difference(out, out_part, spectrum), limit);
  std::vector<In> back(at(in_size));
  ASSERT_EQ(sixstep_plan_backward(plan.get(), out.data(), back.data(), SIXSTEP_BY_N), SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(difference(back, in_part, field), limit);
}

Kinds const xyz{{0, Kind::c2c}, {1, Kind::c2c}, {2, Kind::c2c}};
Index const shape[] = {9, 10, 8};
Index const half_shape[] = {9, 10, 5};

TEST(c, plans_transform_complex_numbers_in_any_layout) {
  sixstep_options const options = SIXSTEP_OPTIONS;
  int const grid[] = {1, all(), 1}, cyclic[] = {0, SIXSTEP_CYCLIC, 0}, order[] = {2, 0, 1};
  Index const before[] = {1, 0, 2}, after[] = {0, 3, 1};
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const pencil = made<sixstep_layout>(sixstep_layout_pencil, 3, shape, all());
  auto const brick = made<sixstep_layout>(sixstep_layout_brick, 3, shape, all());
  auto const dealt = made<sixstep_layout>(sixstep_layout_grid, 3, shape, grid, cyclic, order);
  auto const turned = made<sixstep_layout>(sixstep_layout_with_order, slab.get(), order);
  auto const halo = made<sixstep_layout>(sixstep_layout_with_ghosts, slab.get(), before, after);
  for (auto const* input : {&slab, &pencil, &brick, &dealt, &turned, &halo}) {
    // Left open, a cyclic axis may come out in two digits.
    sixstep_layout const* const output = input == &dealt ? pencil.get() : nullptr;
    char const* words = nullptr;
    sixstep_layout_describe(input->get(), &words);
    SCOPED_TRACE(words);
    expect_transforms<std::complex<double>, std::complex<double>>(input->get(), output, options,
                                                                  xyz);
    expect_transforms<std::complex<float>, std::complex<float>>(input->get(), slab.get(), options,
                                                                xyz);
    if (ranks::failed_anywhere()) return;
  }
}

TEST(c, plans_transform_reals) {
  auto const input = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const output = made<sixstep_layout>(sixstep_layout_slab, 3, half_shape, all(), 1);
  Kinds const half{{0, Kind::c2c}, {1, Kind::c2c}, {2, Kind::r2c}};
  Kinds const walls{{0, Kind::dct2}, {1, Kind::dst1}, {2, Kind::dct1}};
  Kinds const channel{{2, Kind::r2c}, {0, Kind::c2c}, {1, Kind::dct1}};
  sixstep_options padded = with_kinds({SIXSTEP_R2C});
  padded.padded = 1;
  for (sixstep_options const& options : {with_kinds({SIXSTEP_R2C}), padded}) {
    expect_transforms<double, std::complex<double>>(input.get(), output.get(), options, half);
    expect_transforms<float, std::complex<float>>(input.get(), nullptr, options, half);
  }
  expect_transforms<double, double>(input.get(), nullptr,
                                    with_kinds({SIXSTEP_DCT2, SIXSTEP_DST1, SIXSTEP_DCT1}), walls);
  expect_transforms<float, float>(input.get(), input.get(),
                                  with_kinds({SIXSTEP_DCT2, SIXSTEP_DST1, SIXSTEP_DCT1}), walls);
  expect_transforms<double, std::complex<double>>(
      input.get(), nullptr, with_kinds({SIXSTEP_R2C, SIXSTEP_C2C, SIXSTEP_DCT1}, {2, 0, 1}),
      channel);
}

TEST(c, a_sign_is_independent_of_the_direction) {
  sixstep_options const options = SIXSTEP_OPTIONS;
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), slab.get(),
                                       MPI_COMM_WORLD, &options);
  sixstep_part part;
  sixstep_plan_input_part(plan.get(), &part);
  Whole const field = values({9, 10, 8}, false);
  Whole expected = field;
  oracle::transform_along(expected.values, expected.shape, {}, +1);
  for (int direction : {SIXSTEP_FORWARD, SIXSTEP_BACKWARD}) {
    std::vector<std::complex<double>> array(at(part.points));
    fill(array, part, field);
    ASSERT_EQ(sixstep_plan_execute(plan.get(), array.data(), array.data(), direction, SIXSTEP_PLUS,
                                   SIXSTEP_BY_SQRT_N),
              SIXSTEP_OK);
    EXPECT_LT(difference(array, part, expected, 1 / std::sqrt(720.0L)), rounding<double>(720));
  }
}

TEST(c, arrays_of_fields_lie_as_their_strides_say) {
  sixstep_options options = SIXSTEP_OPTIONS;
  options.fields = 2;
  Index const before[] = {1, 0, 2}, after[] = {0, 3, 1};
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const halo = made<sixstep_layout>(sixstep_layout_with_ghosts, slab.get(), before, after);
  Whole const field = values({9, 10, 8}, false);
  Whole const spectrum = oracle::forward(field, xyz);
  for (int interleaved : {0, 1}) {
    options.interleaved = interleaved;
    auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, halo.get(), nullptr,
                                         MPI_COMM_WORLD, &options);
    Index in_size = 0, out_size = 0;
    sixstep_plan_sizes(plan.get(), &in_size, &out_size, nullptr);
    sixstep_part in_part, out_part;
    sixstep_plan_input_part(plan.get(), &in_part);
    sixstep_plan_output_part(plan.get(), &out_part);
    std::vector<std::complex<double>> in(at(in_size)), out(at(out_size));
    fill(in, in_part, field);  // the second field is zero
    ASSERT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), 0), SIXSTEP_OK);
    EXPECT_LT(difference(out, out_part, spectrum), rounding<double>(720));
    if (out_part.points > 0) out_part.offset += out_part.stride[3];
    Whole nothing = spectrum;
    for (Exact& value : nothing.values) value = 0;
    EXPECT_EQ(difference(out, out_part, nothing), 0);
  }
}

TEST(c, arrays_of_the_library_serve_and_outlive_their_plan) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                 MPI_COMM_WORLD, nullptr);
  void *in = nullptr, *out = nullptr;
  ASSERT_EQ(sixstep_plan_allocate(plan.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_allocate(plan.get(), &out), SIXSTEP_OK);
  sixstep_part part, out_part;
  sixstep_plan_input_part(plan.get(), &part);
  sixstep_plan_output_part(plan.get(), &out_part);
  auto* const first = static_cast<std::complex<double>*>(in);
  std::fill(first, first + part.points, 1.0);
  EXPECT_EQ(sixstep_plan_forward(plan.get(), in, out, SIXSTEP_BY_N), SIXSTEP_OK);
  plan.reset();
  for_each_element(out_part, [&](Shape const& k, Index offset) {
    double const expected = k == Shape{0, 0, 0} ? 1 : 0;
    EXPECT_NEAR(std::abs(static_cast<std::complex<double>*>(out)[offset] - expected), 0, 1e-14);
  });
  EXPECT_EQ(sixstep_free(in), SIXSTEP_OK);
  EXPECT_EQ(sixstep_free(out), SIXSTEP_OK);
  EXPECT_EQ(sixstep_free(nullptr), SIXSTEP_OK);
  double own = 0;
  EXPECT_EQ(sixstep_free(&own), SIXSTEP_ERROR_ARGUMENT);
}

TEST(c, wave_numbers_and_words_are_those_of_cpp) {
  sixstep_options options = with_kinds({SIXSTEP_R2C});
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                       MPI_COMM_WORLD, &options);
  Plan<double> const theirs(Layout::slab({9, 10, 8}, all()), MPI_COMM_WORLD,
                            {.kinds = {Kind::r2c}});
  Index const k[] = {8, 3, 4};
  double w[3] = {};
  ASSERT_EQ(sixstep_plan_wavenumber(plan.get(), k, w), SIXSTEP_OK);
  EXPECT_EQ(std::vector<double>(w, w + 3), (std::vector<double>{-1, 3, 4}));
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> const expected = theirs.wavenumbers(axis);
    std::vector<double> ours(expected.size() + 1);
    ASSERT_EQ(sixstep_plan_wavenumbers(plan.get(), axis, ours.data()), SIXSTEP_OK);
    ours.pop_back();
    EXPECT_EQ(ours, expected);
  }
  char const* words = nullptr;
  ASSERT_EQ(sixstep_plan_describe(plan.get(), &words), SIXSTEP_OK);
  EXPECT_EQ(words, theirs.describe());
  int passes = 0, exchanges = 0, threads = 0;
  ASSERT_EQ(sixstep_plan_counts(plan.get(), &passes, &exchanges, &threads), SIXSTEP_OK);
  EXPECT_EQ(passes, theirs.passes());
  EXPECT_EQ(exchanges, theirs.exchanges());
  EXPECT_EQ(threads, theirs.threads());
  double seconds = -1;
  EXPECT_EQ(sixstep_plan_communication_seconds(plan.get(), &seconds), SIXSTEP_OK);
  EXPECT_GE(seconds, 0);
  EXPECT_STREQ(sixstep_version(), version);
  Index size = 0;
  EXPECT_EQ(sixstep_good_size(11, 1, &size), SIXSTEP_OK);
  EXPECT_EQ(size, 12);
}

TEST(c, layouts_are_those_of_cpp) {
  Shape const extents{9, 10, 8};
  Layout const theirs = Layout::pencil(extents, all());
  std::vector<Index> lo, hi;
  for (int rank = 0; rank < all(); ++rank)
    for (Range const& range : theirs.box(rank).ranges) {
      lo.push_back(range.lo);
      hi.push_back(range.hi);
    }
  Index const* const my_lo = lo.data() + 3 * ranks::rank();
  Index const* const my_hi = hi.data() + 3 * ranks::rank();
  auto const pencil = made<sixstep_layout>(sixstep_layout_pencil, 3, shape, all());
  auto const boxes =
      made<sixstep_layout>(sixstep_layout_boxes, 3, shape, all(), lo.data(), hi.data(), nullptr);
  auto const gathered =
      made<sixstep_layout>(sixstep_layout_gather, 3, shape, my_lo, my_hi, nullptr, MPI_COMM_WORLD);
  std::vector<Index> const starts(lo.size(), 2), larger(lo.size(), 14);
  auto const halo =
      made<sixstep_layout>(sixstep_layout_in_arrays, boxes.get(), larger.data(), starts.data());
  auto const dense = made<sixstep_layout>(sixstep_layout_dense, halo.get());
  auto const half = made<sixstep_layout>(sixstep_layout_with_extent, pencil.get(), 2, Index{5});
  int equal = -1;
  for (auto const* other : {&boxes, &gathered, &dense}) {
    ASSERT_EQ(sixstep_layout_equal(pencil.get(), other->get(), &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 1);
  }
  for (auto const* other : {&halo, &half}) {
    ASSERT_EQ(sixstep_layout_equal(pencil.get(), other->get(), &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 0);
  }
  int order[3] = {}, turned[] = {2, 0, 1};
  auto const other = made<sixstep_layout>(sixstep_layout_with_order, pencil.get(), turned);
  ASSERT_EQ(sixstep_layout_order(other.get(), order), SIXSTEP_OK);
  EXPECT_EQ(std::vector<int>(order, order + 3), std::vector<int>(turned, turned + 3));
  Layout const arrays = theirs.in_arrays(std::vector<Shape>(at(all()), Shape{14, 14, 14}),
                                         std::vector<Shape>(at(all()), Shape{2, 2, 2}));
  for (int rank = 0; rank < all(); ++rank) {
    sixstep_part part;
    ASSERT_EQ(sixstep_layout_part(halo.get(), rank, &part), SIXSTEP_OK);
    EXPECT_EQ(part.offset, arrays.offset(rank));
    Index elements = 0;
    ASSERT_EQ(sixstep_layout_array_size(halo.get(), rank, &elements), SIXSTEP_OK);
    EXPECT_EQ(elements, arrays.array_size(rank));
  }
  char const* words = nullptr;
  ASSERT_EQ(sixstep_layout_describe(pencil.get(), &words), SIXSTEP_OK);
  EXPECT_EQ(words, theirs.describe());
  auto const tuned = made<sixstep_layout>(sixstep_layout_tuned, SIXSTEP_SINGLE, 3, shape, 1,
                                          MPI_COMM_WORLD, nullptr);
  int ranks = 0;
  EXPECT_EQ(sixstep_layout_counts(tuned.get(), nullptr, &ranks), SIXSTEP_OK);
  EXPECT_EQ(ranks, all());
}

TEST(c, redistributions_move_elements_of_any_size) {
  struct Particle {
    Index number;
    char rest[5];
  };
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const turned = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 2);
  auto const moves =
      made<sixstep_redistribution>(sixstep_redistribution_create, sizeof(Particle), slab.get(),
                                   turned.get(), MPI_COMM_WORLD, nullptr);
  sixstep_part from, to;
  sixstep_layout_part(slab.get(), ranks::rank(), &from);
  sixstep_layout_part(turned.get(), ranks::rank(), &to);
  Index from_size = 0, to_size = 0;
  ASSERT_EQ(sixstep_redistribution_sizes(moves.get(), &from_size, &to_size), SIXSTEP_OK);
  EXPECT_EQ(from_size, from.points);
  EXPECT_EQ(to_size, to.points);
  void *in = nullptr, *out = nullptr;
  ASSERT_EQ(sixstep_redistribution_allocate(moves.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_redistribution_allocate(moves.get(), &out), SIXSTEP_OK);
  auto* const given = static_cast<Particle*>(in);
  for_each_element(from, [&](Shape const& point, Index offset) {
    given[offset].number = oracle::number_of({9, 10, 8}, point);
  });
  ASSERT_EQ(sixstep_redistribution_execute(moves.get(), in, out, SIXSTEP_FORWARD), SIXSTEP_OK);
  for_each_element(to, [&](Shape const& point, Index offset) {
    EXPECT_EQ(static_cast<Particle*>(out)[offset].number, oracle::number_of({9, 10, 8}, point));
  });
  char const* words = nullptr;
  ASSERT_EQ(sixstep_redistribution_describe(moves.get(), &words), SIXSTEP_OK);
  EXPECT_NE(std::string(words).find("elements  of 16 bytes"), std::string::npos) << words;
  sixstep_free(in);
  sixstep_free(out);
}

TEST(c, options_are_all_those_of_cpp) {
  sixstep_options options = SIXSTEP_OPTIONS;
  std::vector<std::string> defaults;
  auto const words = [](Options const& of) {
    std::vector<std::string> all_words;
    for_each_option(of, [&](auto name, auto const& value) {
      std::ostringstream out;
      out << name << " ";
      if constexpr (requires { value.size(); })
        for (auto const& entry : value) out << static_cast<double>(entry) << " ";
      else
        out << static_cast<double>(value);
      all_words.push_back(out.str());
    });
    return all_words;
  };
  EXPECT_EQ(words(c::options_of(&options)), words(Options{}));
  EXPECT_EQ(words(c::options_of(nullptr)), words(Options{}));
  options.axes_count = options.kinds_count = options.modes_count = 1;
  options.modes[0] = 3;
  options.transform = options.preserve_input = options.own_workspace = 0;
  options.padded = options.interleaved = options.low_memory = options.regrid =
      options.split_untransformed = 1;
  options.fields = options.threads = options.windows = options.pipelines = 5;
  options.exchange = SIXSTEP_ONE_SIDED;
  options.driver = SIXSTEP_THREAD;
  options.local = SIXSTEP_MKL;
  options.tuning = SIXSTEP_EXHAUSTIVE;
  options.tuning_seconds = 3;
  options.trace = "trace.json";
  options.twiddle = 0;
  auto const set = words(c::options_of(&options)), plain = words(Options{});
  for (std::size_t i = 0; i < set.size(); ++i) EXPECT_NE(set[i], plain[i]);
}

TEST(c, errors_have_the_codes_and_words_of_cpp) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all() + 1, 0);
  sixstep_plan* plan = nullptr;
  EXPECT_EQ(
      sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_WORLD, nullptr, &plan),
      SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(std::string(sixstep_error_message()).rfind("input: a layout for the ", 0), 0u)
      << sixstep_error_message();
  sixstep_layout* layout = nullptr;
  EXPECT_EQ(sixstep_layout_slab(3, shape, 0, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_layout_slab(9, shape, 1, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_layout_slab(-1, shape, 1, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(layout, nullptr);
  EXPECT_EQ(sixstep_good_size(0, 1, nullptr), SIXSTEP_ERROR_ARGUMENT);
}

TEST(c, options_of_other_headers_are_completed_or_refused) {
  sixstep_options options = SIXSTEP_OPTIONS;
  for (std::size_t size : {std::size_t{0}, std::size_t{8}, sizeof options + 8}) {
    options.size = size;
    EXPECT_THROW(c::options_of(&options), Error);
  }
  options = SIXSTEP_OPTIONS;
  options.axes_count = 9;
  EXPECT_THROW(c::options_of(&options), Error);
  options = SIXSTEP_OPTIONS;
  options.exchange = 5;
  EXPECT_THROW(c::options_of(&options), Error);
}

TEST(c, a_rank_that_gives_nonsense_fails_with_all_others) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  sixstep_options wrong = SIXSTEP_OPTIONS;
  wrong.tuning = 77;
  bool const last = ranks::rank() == all() - 1;
  sixstep_plan* plan = nullptr;
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, last ? nullptr : slab.get(), nullptr,
                                MPI_COMM_WORLD, nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "input: a pointer is needed, NULL was given");
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_WORLD,
                                last ? &wrong : nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "tuning: 0 to 2 are possible, 77 was given");
  if (all() > 1) {
    EXPECT_EQ(sixstep_plan_create(last ? SIXSTEP_SINGLE : SIXSTEP_DOUBLE, slab.get(), nullptr,
                                  MPI_COMM_WORLD, nullptr, &plan),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), last ? nullptr : slab.get(),
                                  MPI_COMM_WORLD, nullptr, &plan),
              SIXSTEP_ERROR_ARGUMENT);
  }
  EXPECT_EQ(plan, nullptr);
  sixstep_layout* layout = nullptr;
  Index const none[] = {0, 0, 0};
  EXPECT_EQ(sixstep_layout_gather(3, shape, last ? nullptr : none, shape, nullptr, MPI_COMM_WORLD,
                                  &layout),
            SIXSTEP_ERROR_ARGUMENT);
  sixstep_redistribution* moves = nullptr;
  EXPECT_EQ(sixstep_redistribution_create(last ? 0 : 8, slab.get(), slab.get(), MPI_COMM_WORLD,
                                          nullptr, &moves),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_NULL, nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
}

TEST(c, null_is_an_error_wherever_something_is_needed) {
  sixstep_part part;
  Index index = 0;
  int number = 0;
  double seconds = 0;
  std::size_t bytes = 0;
  void* array = nullptr;
  char const* words = nullptr;
  sixstep_layout* layout = nullptr;
  std::vector<std::function<int()>> const calls{
      [&] { return sixstep_layout_slab(3, nullptr, 1, 0, &layout); },
      [&] { return sixstep_layout_slab(3, shape, 1, 0, nullptr); },
      [&] { return sixstep_layout_grid(3, shape, nullptr, nullptr, nullptr, &layout); },
      [&] { return sixstep_layout_boxes(3, shape, 1, nullptr, shape, nullptr, &layout); },
      [&] { return sixstep_layout_with_order(nullptr, &number, &layout); },
      [&] { return sixstep_layout_with_ghosts(nullptr, shape, shape, &layout); },
      [&] { return sixstep_layout_in_arrays(nullptr, shape, shape, &layout); },
      [&] { return sixstep_layout_dense(nullptr, &layout); },
      [&] { return sixstep_layout_with_extent(nullptr, 0, 1, &layout); },
      [&] { return sixstep_layout_counts(nullptr, &number, &number); },
      [&] { return sixstep_layout_shape(nullptr, &index); },
      [&] { return sixstep_layout_order(nullptr, &number); },
      [&] { return sixstep_layout_part(nullptr, 0, &part); },
      [&] { return sixstep_layout_array_size(nullptr, 0, &index); },
      [&] { return sixstep_layout_equal(nullptr, nullptr, &number); },
      [&] { return sixstep_layout_describe(nullptr, &words); },
      [&] { return sixstep_plan_input(nullptr, &layout); },
      [&] { return sixstep_plan_output(nullptr, &layout); },
      [&] { return sixstep_plan_input_part(nullptr, &part); },
      [&] { return sixstep_plan_output_part(nullptr, &part); },
      [&] { return sixstep_plan_sizes(nullptr, &index, &index, &index); },
      [&] { return sixstep_plan_element_bytes(nullptr, &bytes, &bytes); },
      [&] { return sixstep_plan_wavenumber(nullptr, &index, &seconds); },
      [&] { return sixstep_plan_wavenumbers(nullptr, 0, &seconds); },
      [&] { return sixstep_plan_allocate(nullptr, &array); },
      [&] { return sixstep_plan_forward(nullptr, &index, &index, 0); },
      [&] { return sixstep_plan_backward(nullptr, &index, &index, 0); },
      [&] { return sixstep_plan_execute(nullptr, &index, &index, 0, 0, 0); },
      [&] { return sixstep_plan_workspace_bytes(nullptr, &bytes); },
      [&] { return sixstep_plan_set_workspace(nullptr, &index, 8); },
      [&] { return sixstep_plan_describe(nullptr, &words); },
      [&] { return sixstep_plan_counts(nullptr, &number, &number, &number); },
      [&] { return sixstep_plan_communication_seconds(nullptr, &seconds); },
      [&] { return sixstep_plan_write_trace(nullptr); },
      [&] { return sixstep_redistribution_sizes(nullptr, &index, &index); },
      [&] { return sixstep_redistribution_allocate(nullptr, &array); },
      [&] { return sixstep_redistribution_execute(nullptr, &index, &index, 0); },
      [&] { return sixstep_redistribution_describe(nullptr, &words); }};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i](), SIXSTEP_ERROR_ARGUMENT) << "call " << i;
    EXPECT_NE(std::string(sixstep_error_message()).find("NULL was given"), std::string::npos)
        << "call " << i << ": " << sixstep_error_message();
  }
  EXPECT_EQ(sixstep_layout_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_plan_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_redistribution_free(nullptr), SIXSTEP_OK);
}

TEST(c, bad_calls_of_a_plan_are_refused) {
  sixstep_options lent = with_kinds({SIXSTEP_R2C});
  lent.own_workspace = 0;
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                       MPI_COMM_WORLD, &lent);
  std::vector<double> in(720);
  std::vector<std::complex<double>> out(720);
  EXPECT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), 3), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_execute(plan.get(), in.data(), out.data(), 0, SIXSTEP_PLUS, 0),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_execute(plan.get(), in.data(), out.data(), 2, SIXSTEP_PLUS, 0),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_wavenumbers(plan.get(), 3, in.data()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_write_trace(plan.get()), SIXSTEP_ERROR_ARGUMENT);
  std::size_t bytes = 0;
  ASSERT_EQ(sixstep_plan_workspace_bytes(plan.get(), &bytes), SIXSTEP_OK);
  std::vector<std::complex<double>> work(bytes / 16 + 8);
  auto const address = (reinterpret_cast<std::uintptr_t>(work.data()) + 63) / 64 * 64;
  EXPECT_EQ(sixstep_plan_set_workspace(plan.get(), reinterpret_cast<void*>(address + 8), bytes),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_set_workspace(plan.get(), reinterpret_cast<void*>(address), bytes),
            SIXSTEP_OK);
  EXPECT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), 0), SIXSTEP_OK)
      << sixstep_error_message();
}

}  // namespace
}  // namespace sixstep
