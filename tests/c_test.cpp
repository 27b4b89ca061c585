// SPDX-License-Identifier: BSD-3-Clause
// Plans of the C interface: they transform with the bits of C++'s, and tell the same.
#include "sixstep.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "c/options.hpp"
#include "c_handles.hpp"
#include "c_same_bits.hpp"
#include "machines.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"
#include "tested_device.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using oracle::at;

/// The local array of what only plans have: elements that differ between input and output.
Calls<sixstep_plan> calls_of_plan() {
  return {.sizes = sixstep_plan_sizes,
          .element_bytes = sixstep_plan_element_bytes,
          .input_part = sixstep_plan_input_part,
          .output_part = sixstep_plan_output_part,
          .input = sixstep_plan_input,
          .output = sixstep_plan_output};
}

/// Transforms there and back by a plan of C and by that of C++: in two arrays, and in one.
template <class In, class Out>
void expect_same_transforms(sixstep_layout const* input, sixstep_layout const* output,
                            sixstep_options const& options, Options const& options_of_cpp) {
  using Real = decltype(std::abs(In()));
  auto const plan = made<sixstep_plan>(sixstep_plan_create, precision_of<In>, input, output,
                                       MPI_COMM_WORLD, &options);
  ASSERT_TRUE(plan);
  auto theirs = output == nullptr
                    ? Plan<Real>(input->layout, MPI_COMM_WORLD, options_of_cpp)
                    : Plan<Real>(input->layout, output->layout, MPI_COMM_WORLD, options_of_cpp);
  expect_same_arrays<In, Out>(plan.get(), theirs, calls_of_plan());
  auto const in = numbers<In>(theirs.input_size());
  std::vector<In> back(in.size()), expected_back(in.size());
  std::vector<Out> out(at(theirs.output_size())), expected(out.size());
  ASSERT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), SIXSTEP_UNSCALED), SIXSTEP_OK)
      << sixstep_error_message();
  theirs.forward(in.data(), expected.data());
  EXPECT_TRUE(have_same_bits(out.data(), expected.data(), theirs.output_size()));
  ASSERT_EQ(sixstep_plan_backward(plan.get(), out.data(), back.data(), SIXSTEP_BY_N), SIXSTEP_OK)
      << sixstep_error_message();
  theirs.backward(out.data(), expected_back.data(), Scale::by_n);
  EXPECT_TRUE(have_same_bits(back.data(), expected_back.data(), theirs.input_size()));

  std::vector<Out> both(at(theirs.in_place_size())), both_of_theirs(both.size());
  auto const as_input = [](std::vector<Out>& array) { return reinterpret_cast<In*>(array.data()); };
  std::copy(in.begin(), in.end(), as_input(both));
  std::copy(in.begin(), in.end(), as_input(both_of_theirs));
  ASSERT_EQ(sixstep_plan_forward(plan.get(), both.data(), both.data(), SIXSTEP_UNSCALED),
            SIXSTEP_OK)
      << sixstep_error_message();
  theirs.forward(as_input(both_of_theirs), both_of_theirs.data());
  EXPECT_TRUE(have_same_bits(both.data(), both_of_theirs.data(), theirs.output_size()));
  ASSERT_EQ(sixstep_plan_backward(plan.get(), both.data(), both.data(), SIXSTEP_BY_N), SIXSTEP_OK)
      << sixstep_error_message();
  theirs.backward(both_of_theirs.data(), as_input(both_of_theirs), Scale::by_n);
  EXPECT_TRUE(have_same_bits(as_input(both), as_input(both_of_theirs), theirs.input_size()));
}

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
void expect_same_in_all_layouts(Index const* out_shape, sixstep_options const& options,
                                Options const& options_of_cpp) {
  auto const output = made<sixstep_layout>(sixstep_layout_pencil, 3, out_shape, all());
  bool single = false;
  for (auto const& input : layouts()) {
    SCOPED_TRACE(input->layout.describe());
    single = !single;
    if (single)
      expect_same_transforms<In<float>, Out<float>>(input.get(), output.get(), options,
                                                    options_of_cpp);
    else
      expect_same_transforms<In<double>, Out<double>>(input.get(), output.get(), options,
                                                      options_of_cpp);
    if (ranks::failed_anywhere()) return;
  }
}

template <class Real>
using Number = Real;
template <class Real>
using Complex = std::complex<Real>;

TEST(c, plans_transform_complex_numbers_in_any_layout) {
  expect_same_in_all_layouts<Complex, Complex>(shape, with_kinds({}), {});
}

TEST(c, plans_transform_reals_in_any_layout) {
  expect_same_in_all_layouts<Number, Complex>(half_shape, with_kinds({SIXSTEP_R2C}),
                                              {.kinds = {Kind::r2c}});
}

TEST(c, plans_transform_cosines_and_sines_in_any_layout) {
  std::vector<std::pair<std::vector<int>, std::vector<Kind>>> const walls{
      {{SIXSTEP_DCT2, SIXSTEP_DST1, SIXSTEP_DCT1}, {Kind::dct2, Kind::dst1, Kind::dct1}},
      {{SIXSTEP_DCT3, SIXSTEP_DCT4, SIXSTEP_DST2}, {Kind::dct3, Kind::dct4, Kind::dst2}},
      {{SIXSTEP_DST3, SIXSTEP_DST4, SIXSTEP_DCT2}, {Kind::dst3, Kind::dst4, Kind::dct2}}};
  for (auto const& [of_c, of_cpp] : walls)
    expect_same_in_all_layouts<Number, Number>(shape, with_kinds(of_c), {.kinds = of_cpp});
}

TEST(c, plans_mix_kinds_in_any_layout) {
  expect_same_in_all_layouts<Number, Complex>(
      half_shape, with_kinds({SIXSTEP_R2C, SIXSTEP_C2C, SIXSTEP_DCT1}, {2, 0, 1}),
      {.axes = {2, 0, 1}, .kinds = {Kind::r2c, Kind::c2c, Kind::dct1}});
}

TEST(c, plans_choose_their_output_and_take_padded_rows) {
  auto const input = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  sixstep_options padded = with_kinds({SIXSTEP_R2C});
  padded.padded = 1;
  Options const padded_of_cpp{.kinds = {Kind::r2c}, .padded = true};
  expect_same_transforms<Complex<double>, Complex<double>>(input.get(), nullptr, with_kinds({}),
                                                           {});
  expect_same_transforms<double, Complex<double>>(input.get(), nullptr, padded, padded_of_cpp);
  expect_same_transforms<float, Complex<float>>(input.get(), nullptr, padded, padded_of_cpp);
}

TEST(c, a_sign_is_independent_of_the_direction) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), slab.get(),
                                       MPI_COMM_WORLD, nullptr);
  Plan<double> theirs(slab->layout, slab->layout, MPI_COMM_WORLD);
  for (int const direction : {SIXSTEP_FORWARD, SIXSTEP_BACKWARD})
    for (int const sign : {SIXSTEP_MINUS, SIXSTEP_PLUS}) {
      auto array = numbers<Complex<double>>(theirs.in_place_size()), expected = array;
      ASSERT_EQ(sixstep_plan_execute(plan.get(), array.data(), array.data(), direction, sign,
                                     SIXSTEP_BY_SQRT_N),
                SIXSTEP_OK);
      theirs.execute(expected.data(), expected.data(), static_cast<Direction>(direction),
                     static_cast<Sign>(sign), Scale::by_sqrt_n);
      EXPECT_TRUE(have_same_bits(array.data(), expected.data(), theirs.output_size()));
    }
}

TEST(c, arrays_of_fields_lie_as_their_strides_say) {
  Index const before[] = {1, 0, 2}, after[] = {0, 3, 1};
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const halo = made<sixstep_layout>(sixstep_layout_with_ghosts, slab.get(), before, after);
  sixstep_options options = SIXSTEP_OPTIONS;
  options.fields = 2;
  for (int const interleaved : {0, 1}) {
    options.interleaved = interleaved;
    expect_same_transforms<Complex<double>, Complex<double>>(
        halo.get(), nullptr, options, {.fields = 2, .interleaved = interleaved == 1});
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
