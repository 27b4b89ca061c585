// SPDX-License-Identifier: BSD-3-Clause
// The C interface, called from C++: what C++'s tests ask of plans, for a sample, and what only C
// can get wrong.
#include "sixstep.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "c/options.hpp"
#include "c_handles.hpp"
#include "machines.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"
#include "tested_device.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using arrays::rounding;
using oracle::at;
using oracle::Exact;
using oracle::Kinds;
using oracle::Whole;

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

/// Forward against the definition, and back to where it began, in arrays of these elements: in two
/// arrays, and in one.
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
  Index in_size = 0, out_size = 0, in_place_size = 0;
  ASSERT_EQ(sixstep_plan_sizes(plan.get(), &in_size, &out_size, &in_place_size), SIXSTEP_OK);
  sixstep_part in_part, out_part;
  ASSERT_EQ(sixstep_plan_input_part(plan.get(), &in_part), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_output_part(plan.get(), &out_part), SIXSTEP_OK);
  ASSERT_EQ(out_part.axes, in_part.axes);

  Whole const field = values({9, 10, 8}, std::is_floating_point_v<In>);
  Whole const spectrum = oracle::forward(field, kinds);
  std::vector<In> in(at(in_size)), back(at(in_size));
  std::vector<Out> out(at(out_size)), both(at(in_place_size));
  fill(in, in_part, field);
  double const limit = 4 * rounding<Real>(720);

  ASSERT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), SIXSTEP_UNSCALED), SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(difference(out, out_part, spectrum), limit);
  ASSERT_EQ(sixstep_plan_backward(plan.get(), out.data(), back.data(), SIXSTEP_BY_N), SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(difference(back, in_part, field), limit);

  std::copy_n(reinterpret_cast<std::byte const*>(in.data()), in.size() * sizeof(In),
              reinterpret_cast<std::byte*>(both.data()));
  ASSERT_EQ(sixstep_plan_forward(plan.get(), both.data(), both.data(), SIXSTEP_UNSCALED),
            SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(difference(both, out_part, spectrum), limit) << "in place";
  ASSERT_EQ(sixstep_plan_backward(plan.get(), both.data(), both.data(), SIXSTEP_BY_N), SIXSTEP_OK)
      << sixstep_error_message();
  std::copy_n(reinterpret_cast<std::byte const*>(both.data()), in.size() * sizeof(In),
              reinterpret_cast<std::byte*>(back.data()));
  EXPECT_LT(difference(back, in_part, field), limit) << "in place";
}

Kinds const xyz{{0, Kind::c2c}, {1, Kind::c2c}, {2, Kind::c2c}};
Index const shape[] = {9, 10, 8};
Index const half_shape[] = {9, 10, 5};

/// Slab, pencil, brick, cyclic in another order of memory, a slab in another order, one with
/// ghosts, and slabs as a list of boxes, the last of them the first rank's.
std::vector<Owned<sixstep_layout>> layouts() {
  int const grid[] = {1, all(), 1}, cyclic[] = {0, SIXSTEP_CYCLIC, 0}, order[] = {2, 0, 1};
  Index const before[] = {1, 0, 2}, after[] = {0, 3, 1};
  std::vector<Index> lo, hi;
  Layout const slabs = Layout::slab({9, 10, 8}, all(), 1);
  for (int rank = 0; rank < all(); ++rank)
    for (Range const& range : slabs.box(all() - 1 - rank).ranges) {
      lo.push_back(range.lo);
      hi.push_back(range.hi);
    }
  std::vector<Owned<sixstep_layout>> made_of_all;
  auto const add = [&](auto create, auto... args) {
    made_of_all.push_back(made<sixstep_layout>(create, args...));
    return made_of_all.back().get();
  };
  sixstep_layout const* const slab = add(sixstep_layout_slab, 3, shape, all(), 0);
  add(sixstep_layout_pencil, 3, shape, all());
  add(sixstep_layout_brick, 3, shape, all());
  add(sixstep_layout_grid, 3, shape, grid, cyclic, order);
  add(sixstep_layout_with_order, slab, order);
  add(sixstep_layout_with_ghosts, slab, before, after);
  add(sixstep_layout_boxes, 3, shape, all(), lo.data(), hi.data(), nullptr);
  return made_of_all;
}

/// Every layout to pencils of this shape, in double and single precision in turn.
template <template <class> class In, template <class> class Out>
void expect_transforms_in_all_layouts(Index const* out_shape, sixstep_options const& options,
                                      Kinds const& kinds) {
  auto const output = made<sixstep_layout>(sixstep_layout_pencil, 3, out_shape, all());
  bool single = kinds.front().second == Kind::c2c;
  for (auto const& input : layouts()) {
    char const* words = nullptr;
    sixstep_layout_describe(input.get(), &words);
    SCOPED_TRACE(words);
    single = !single;
    if (single)
      expect_transforms<In<float>, Out<float>>(input.get(), output.get(), options, kinds);
    else
      expect_transforms<In<double>, Out<double>>(input.get(), output.get(), options, kinds);
    if (ranks::failed_anywhere()) return;
  }
}

template <class Real>
using Number = Real;
template <class Real>
using Complex = std::complex<Real>;

TEST(c, plans_transform_complex_numbers_in_any_layout) {
  expect_transforms_in_all_layouts<Complex, Complex>(shape, with_kinds({}), xyz);
}

TEST(c, plans_transform_reals_in_any_layout) {
  Kinds const half{{0, Kind::c2c}, {1, Kind::c2c}, {2, Kind::r2c}};
  expect_transforms_in_all_layouts<Number, Complex>(half_shape, with_kinds({SIXSTEP_R2C}), half);
}

TEST(c, plans_transform_cosines_and_sines_in_any_layout) {
  std::vector<std::pair<std::vector<int>, Kinds>> const walls{
      {{SIXSTEP_DCT2, SIXSTEP_DST1, SIXSTEP_DCT1},
       {{0, Kind::dct2}, {1, Kind::dst1}, {2, Kind::dct1}}},
      {{SIXSTEP_DCT3, SIXSTEP_DCT4, SIXSTEP_DST2},
       {{0, Kind::dct3}, {1, Kind::dct4}, {2, Kind::dst2}}},
      {{SIXSTEP_DST3, SIXSTEP_DST4, SIXSTEP_DCT2},
       {{0, Kind::dst3}, {1, Kind::dst4}, {2, Kind::dct2}}}};
  for (auto const& [of_c, of_cpp] : walls)
    expect_transforms_in_all_layouts<Number, Number>(shape, with_kinds(of_c), of_cpp);
}

TEST(c, plans_mix_kinds_in_any_layout) {
  Kinds const channel{{2, Kind::r2c}, {0, Kind::c2c}, {1, Kind::dct1}};
  expect_transforms_in_all_layouts<Number, Complex>(
      half_shape, with_kinds({SIXSTEP_R2C, SIXSTEP_C2C, SIXSTEP_DCT1}, {2, 0, 1}), channel);
}

TEST(c, plans_choose_their_output_and_take_padded_rows) {
  auto const input = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  Kinds const half{{0, Kind::c2c}, {1, Kind::c2c}, {2, Kind::r2c}};
  sixstep_options padded = with_kinds({SIXSTEP_R2C});
  padded.padded = 1;
  expect_transforms<Complex<double>, Complex<double>>(input.get(), nullptr, with_kinds({}), xyz);
  expect_transforms<double, Complex<double>>(input.get(), nullptr, padded, half);
  expect_transforms<float, Complex<float>>(input.get(), nullptr, padded, half);
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

TEST(c, plans_work_on_a_device) {
  auto const device = static_cast<int>(tested_device());
  take_gpu(ranks::rank());
  sixstep_options options = SIXSTEP_OPTIONS;
  options.device = device;
  std::int64_t const extents[] = {8, 6, 4};
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, extents, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                       MPI_COMM_WORLD, &options);
  std::int64_t size = 0;
  ASSERT_EQ(sixstep_plan_sizes(plan.get(), nullptr, nullptr, &size), SIXSTEP_OK);
  std::vector<std::complex<double>> here(static_cast<std::size_t>(size), 1);
  std::size_t const bytes = here.size() * sizeof here[0];
  void *in = nullptr, *out = nullptr;
  ASSERT_EQ(sixstep_plan_allocate(plan.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_device_allocate(device, bytes, &out), SIXSTEP_OK);
  ASSERT_EQ(sixstep_device_copy(device, in, here.data(), bytes), SIXSTEP_OK);
  EXPECT_EQ(sixstep_plan_forward(plan.get(), here.data(), out, SIXSTEP_UNSCALED),
            size > 0 ? SIXSTEP_ERROR_ARGUMENT : SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_forward_async(plan.get(), in, out, SIXSTEP_UNSCALED), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_backward_async(plan.get(), out, in, SIXSTEP_BY_N), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_wait(plan.get()), SIXSTEP_OK);
  std::fill(here.begin(), here.end(), 0);
  ASSERT_EQ(sixstep_device_copy(device, here.data(), in, bytes), SIXSTEP_OK);
  std::int64_t points = 0;
  ASSERT_EQ(sixstep_plan_sizes(plan.get(), &points, nullptr, nullptr), SIXSTEP_OK);
  for (std::size_t i = 0; i < static_cast<std::size_t>(points); ++i)
    EXPECT_LT(std::abs(here[i] - 1.0), 1e-14);
  EXPECT_EQ(sixstep_plan_set_stream(plan.get(), nullptr),
            device == SIXSTEP_CUDA ? SIXSTEP_OK : SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_device_allocate(SIXSTEP_NONE, 8, &out), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_device_copy(7, here.data(), in, bytes), SIXSTEP_ERROR_ARGUMENT);
  sixstep_free(in);
  sixstep_free(out);
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
    Index count = -1;
    ASSERT_EQ(sixstep_plan_wavenumbers(plan.get(), axis, &count, nullptr), SIXSTEP_OK);
    std::vector<double> ours(at(count));
    ASSERT_EQ(sixstep_plan_wavenumbers(plan.get(), axis, &count, ours.data()), SIXSTEP_OK);
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
  EXPECT_EQ(sixstep_plan_wavenumber_along(plan.get(), 0, 8, w), SIXSTEP_OK);
  EXPECT_EQ(w[0], -1);
  double seconds = -1;
  EXPECT_EQ(sixstep_plan_communication_seconds(plan.get(), &seconds), SIXSTEP_OK);
  double error = -1;
  EXPECT_EQ(sixstep_plan_wire_error(plan.get(), &error), SIXSTEP_OK);
  EXPECT_EQ(error, 0);
  Index checked = -1, unchecked = -1, repaired = -1, compared = -1;
  EXPECT_EQ(sixstep_plan_verified(plan.get(), &checked, &unchecked, &repaired, &compared, &error),
            SIXSTEP_OK);
  EXPECT_EQ(checked + unchecked + repaired + compared, 0);
  EXPECT_GE(seconds, 0);
  EXPECT_STREQ(sixstep_version(), version);
  Index size = 0;
  EXPECT_EQ(sixstep_good_size(11, 1, &size), SIXSTEP_OK);
  EXPECT_EQ(size, 12);
  EXPECT_EQ(sixstep_logical_size(SIXSTEP_DST1, 11, &size), SIXSTEP_OK);
  EXPECT_EQ(size, 24);
  int kind = -1;
  EXPECT_EQ(sixstep_inverse_kind(SIXSTEP_DCT2, &kind), SIXSTEP_OK);
  EXPECT_EQ(kind, SIXSTEP_DCT3);
}

TEST(c, steps_and_what_they_take_are_those_of_cpp) {
  sixstep_options const options = with_kinds({SIXSTEP_R2C});
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                       MPI_COMM_WORLD, &options);
  Plan<double> theirs(Layout::slab({9, 10, 8}, all()), MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  std::vector<double> in(at(theirs.input_size()));
  std::vector<std::complex<double>> out(at(theirs.output_size()));
  theirs.backward(out.data(), in.data());
  ASSERT_EQ(sixstep_plan_backward(plan.get(), out.data(), in.data(), 0), SIXSTEP_OK);
  int count = 0;
  sixstep_step const* steps = nullptr;
  for (int direction : {SIXSTEP_FORWARD, SIXSTEP_BACKWARD}) {
    ASSERT_EQ(sixstep_plan_breakdown(plan.get(), direction, &count, &steps), SIXSTEP_OK);
    auto const expected = theirs.breakdown(static_cast<Direction>(direction));
    ASSERT_EQ(words_of(count, steps), words_of(expected));
    double seconds = 0;
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(steps[i].bytes, expected[at(i)].bytes);
      seconds += steps[i].seconds;
    }
    EXPECT_EQ(seconds > 0, direction == SIXSTEP_BACKWARD) << "backward alone was executed";
  }

  machines::MachineFile const file(machines::made_up());
  sixstep_prediction prediction{};
  ASSERT_EQ(sixstep_plan_predict(plan.get(), file.name().c_str(), &prediction), SIXSTEP_OK)
      << sixstep_error_message();
  Prediction const expected = theirs.predict(file.name());
  EXPECT_EQ(prediction.seconds, expected.seconds);
  EXPECT_EQ(prediction.communication, expected.communication);
  EXPECT_EQ(prediction.computation, expected.computation);
  EXPECT_EQ(words_of(prediction.steps_count, prediction.steps), words_of(expected.steps));
  EXPECT_EQ(sixstep_plan_predict(plan.get(), "/no/such/machine.json", &prediction),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_NE(std::string(sixstep_error_message()).find("/no/such/machine.json"), std::string::npos);
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
  options.axes_count = options.kinds_count = options.lengths_count = options.modes_count = 1;
  options.sphere_count = 1;
  options.sphere[0] = 2.5;
  int64_t const columns[] = {1, 0, 2};
  options.columns_count = 3;
  options.columns = columns;
  options.lengths[0] = 9;
  options.modes[0] = 3;
  options.transform = options.preserve_input = options.own_workspace = 0;
  options.padded = options.interleaved = options.low_memory = options.regrid =
      options.split_untransformed = 1;
  options.fields = options.threads = options.windows = options.pipelines = 5;
  options.exchange = SIXSTEP_ONE_SIDED;
  options.driver = SIXSTEP_THREAD;
  options.local = SIXSTEP_MKL;
  options.reproducible = SIXSTEP_BITS_EVERYWHERE;
  options.verify = SIXSTEP_VERIFY_RESULT;
  options.tuning = SIXSTEP_EXHAUSTIVE;
  options.tuning_seconds = 3;
  options.trace = "trace.json";
  options.twiddle = 0;
  options.device = SIXSTEP_EMULATED;
  options.gpu = 0;
  options.output = SIXSTEP_NATURAL_AXES;
  options.wire = 1e-5;
  auto const set = words(c::options_of(&options)), plain = words(Options{});
  for (std::size_t i = 0; i < set.size(); ++i) EXPECT_NE(set[i], plain[i]);
}

}  // namespace
}  // namespace sixstep
