// SPDX-License-Identifier: BSD-3-Clause
// Maps of the C interface: their results have the bits of C++'s, and what is refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "c_same_bits.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/map.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using oracle::at;

// No two axes are alike, so that none can be taken for another one.
double const sides[] = {2, 3, 4};

/// What functions count, and may be told to return.
struct Context {
  std::atomic<int> calls = 0;
  int code = 0;
};

// The map of these tests: from fields a and b of coefficients to a, b times the factor, and their
// sum; from the values there to two products; from these, exchanged, through the factor.
template <class Value>
using RealOf = decltype(std::abs(Value()));

template <class Value>
RealOf<Value> factor_at(double const* const* k, Index i) {
  return static_cast<RealOf<Value>>(1 + k[0][i] * k[0][i] + 2 * k[1][i] * k[1][i] +
                                    3 * k[2][i] * k[2][i]);
}
template <class Value>
void mix(Value const* const* in, Value* const* out, double const* const* k, Index count) {
  for (Index i = 0; i < count; ++i) {
    out[0][i] = in[0][i];
    out[1][i] = in[1][i] * factor_at<Value>(k, i);
    out[2][i] = in[0][i] + in[1][i];
  }
}
/// index_of(i) is the global index of point i.
template <class Value, class IndexOf>
void multiply(Value const* const* in, Value* const* out, IndexOf const& index_of, Index count) {
  for (Index i = 0; i < count; ++i) {
    Shape const j = index_of(i);
    out[0][i] = in[0][i] * in[1][i];
    out[1][i] = in[2][i] * static_cast<RealOf<Value>>(j[0] + 2 * j[1] + 3 * j[2]);
  }
}
template <class Value>
void divide(Value const* const* in, Value* const* out, double const* const* k, Index count) {
  for (int row = 0; row < 2; ++row)
    for (Index i = 0; i < count; ++i) out[row][i] = in[1 - row][i] / factor_at<Value>(k, i);
}

// Compilers let a pointer to void be any pointer to data.
template <class Value>
Value const* const* in_of(sixstep_batch const* batch) {
  return reinterpret_cast<Value const* const*>(batch->in);
}
template <class Value>
Value* const* out_of(sixstep_batch const* batch) {
  return reinterpret_cast<Value* const*>(batch->out);
}

template <class Value>
int before(void* context, sixstep_batch const* batch) {
  mix(in_of<Value>(batch), out_of<Value>(batch), batch->k, batch->count);
  ++static_cast<Context*>(context)->calls;
  return batch->fields == 2 && batch->results == 3 && batch->axes == 3 ? 0 : 100;
}
template <class Value>
int at_points(void* context, sixstep_batch const* batch) {
  int failed = 0;
  auto const index_of = [&](Index i) {
    Shape index{0, 0, 0};
    if (sixstep_batch_index(batch, i, index.begin()) != SIXSTEP_OK) failed = 200;
    return index;
  };
  multiply(in_of<Value>(batch), out_of<Value>(batch), index_of, batch->count);
  if (batch->fields != 3 || batch->results != 2 || batch->k != nullptr) return 300;
  ++static_cast<Context*>(context)->calls;
  return failed != 0 ? failed : static_cast<Context*>(context)->code;
}
template <class Value>
int after(void* context, sixstep_batch const* batch) {
  divide(in_of<Value>(batch), out_of<Value>(batch), batch->k, batch->count);
  ++static_cast<Context*>(context)->calls;
  return batch->fields == 2 && batch->results == 2 ? 0 : 400;
}

/// Three functions with one context, for points and coefficients of these types.
template <class Point, class Coefficient>
sixstep_map_functions functions(Context& context) {
  return {{before<Coefficient>, &context, 3},
          {at_points<Point>, &context, 2},
          {after<Coefficient>, &context, 2}};
}

/// The same functions for C++.
template <class Real>
MapFunctions<Real> functions_of_cpp() {
  return {{[](auto const& batch) { mix(batch.in, batch.out, batch.k, batch.count); }, 3},
          {[](auto const& batch) {
             multiply(
                 batch.in, batch.out, [&](Index i) { return batch.index(i); }, batch.count);
           },
           2},
          {[](auto const& batch) { divide(batch.in, batch.out, batch.k, batch.count); }, 2}};
}

sixstep_map_options options_of(int kind, int fields = 2) {
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = kind;
  options.plan.fields = fields;
  options.sides_count = 3;
  std::copy(sides, sides + 3, options.sides);
  return options;
}

MapOptions options_of_cpp(Kind kind) {
  MapOptions options{{.kinds = {kind}, .fields = 2}};
  options.sides = {sides, sides + 3};
  return options;
}

/// Compares a map of C with that of C++.
template <class Point, class Coefficient>
void expect_same_maps(sixstep_layout const* points, sixstep_layout const* coefficients, Kind kind,
                      Index batch, bool interleaved = false) {
  using Real = RealOf<Point>;
  Context context;
  sixstep_map_functions const all_three = functions<Point, Coefficient>(context);
  sixstep_map_options options = options_of(static_cast<int>(kind));
  options.batch = batch;
  options.plan.interleaved = interleaved ? 1 : 0;
  auto const map = made<sixstep_map>(sixstep_map_create, precision_of<Point>, points, coefficients,
                                     MPI_COMM_WORLD, &all_three, &options);
  MapOptions theirs_options = options_of_cpp(kind);
  theirs_options.batch = batch;
  theirs_options.interleaved = interleaved;
  Map<Real> theirs =
      coefficients == nullptr
          ? Map<Real>(points->layout, MPI_COMM_WORLD, functions_of_cpp<Real>(), theirs_options)
          : Map<Real>(points->layout, coefficients->layout, MPI_COMM_WORLD,
                      functions_of_cpp<Real>(), theirs_options);
  expect_same<Coefficient>(map.get(), theirs);
  if (points->layout.local_size(ranks::rank()) > 0 &&
      theirs.input().local_size(ranks::rank()) > 0) {
    EXPECT_GE(context.calls, 6);
  }
}

/// All kinds of numbers, in both precisions.
void expect_same_maps_of_all_kinds(Shape const& shape) {
  SCOPED_TRACE(Layout::slab(shape, all()).describe());
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape.begin(), all(), 0);
  using Complex = std::complex<double>;
  using Single = std::complex<float>;
  expect_same_maps<double, Complex>(slab.get(), nullptr, Kind::r2c, 16);
  expect_same_maps<float, Single>(slab.get(), nullptr, Kind::r2c, 1000);
  expect_same_maps<Complex, Complex>(slab.get(), nullptr, Kind::c2c, 1);
  expect_same_maps<Single, Single>(slab.get(), nullptr, Kind::c2c, 16, true);
  expect_same_maps<double, double>(slab.get(), nullptr, Kind::dct2, 16);
  expect_same_maps<float, float>(slab.get(), nullptr, Kind::dct2, 7);
}

// Of one plane all ranks but one have nothing.
TEST(c_maps, are_those_of_cpp) {
  for (Shape const& shape : {Shape{7, 5, 8}, Shape{1, 1, 3}}) expect_same_maps_of_all_kinds(shape);
}

int square(void*, sixstep_batch const* batch) {
  using Complex = std::complex<double>;
  for (Index i = 0; i < batch->count; ++i)
    out_of<Complex>(batch)[0][i] = in_of<Complex>(batch)[0][i] * in_of<Complex>(batch)[0][i];
  return 0;
}

// Without sides and functions of k, and with factors of its own.
TEST(c_maps, need_only_a_function_of_points_and_put_the_result_where_its_layout_says) {
  Index const shape[] = {6, 5, 8};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const waves = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 1);
  auto const results = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 2);
  sixstep_map_functions functions = {};
  functions.at_points = {square, nullptr, 1};
  MapFunctions<double> functions_of_cpp;
  functions_of_cpp.at_points = {[](Batch<std::complex<double>> const& batch) {
                                  for (Index i = 0; i < batch.count; ++i)
                                    batch.out[0][i] = batch.in[0][i] * batch.in[0][i];
                                },
                                1};
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  options.results = results.get();
  options.backward = SIXSTEP_UNSCALED;
  options.forward = SIXSTEP_BY_N;
  MapOptions theirs_options;
  theirs_options.results = results->layout;
  theirs_options.backward = Scale::none;
  theirs_options.forward = Scale::by_n;
  auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_DOUBLE, points.get(), waves.get(),
                                     MPI_COMM_WORLD, &functions, &options);
  Map<double> theirs(points->layout, waves->layout, MPI_COMM_WORLD, functions_of_cpp,
                     theirs_options);
  EXPECT_TRUE(theirs.output() == results->layout);
  expect_same<std::complex<double>>(map.get(), theirs);
}

TEST(c_maps, keep_the_layout_of_coefficients_that_is_given) {
  Index const shape[] = {6, 5, 8}, half[] = {6, 5, 5}, one[] = {1, 1, 1};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const turned = made<sixstep_layout>(sixstep_layout_slab, 3, half, all(), 2);
  auto const ghosts = made<sixstep_layout>(sixstep_layout_with_ghosts, turned.get(), one, one);
  for (sixstep_layout const* coefficients : {turned.get(), ghosts.get()})
    expect_same_maps<double, std::complex<double>>(points.get(), coefficients, Kind::r2c, 16);
}

TEST(c_maps, tell_what_those_of_cpp_tell) {
  sixstep_map_options options = options_of(SIXSTEP_R2C);
  options.plan.own_workspace = 0;
  MapOptions theirs_options{{.kinds = {Kind::r2c}, .fields = 2, .own_workspace = false}};
  theirs_options.sides = {2, 3, 4};
  auto const nothing = [](auto const&) {};
  Map<float> theirs(Layout::slab({6, 5, 8}, all()), MPI_COMM_WORLD,
                    {{nothing, 3}, {nothing, 2}, {nothing, 2}}, theirs_options);
  Index const shape[] = {6, 5, 8};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  Context context;
  auto const all_three = functions<float, std::complex<float>>(context);
  auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_SINGLE, points.get(), nullptr,
                                     MPI_COMM_WORLD, &all_three, &options);
  expect_tells(map.get(), theirs);
}

TEST(c_maps, options_are_those_of_cpp) {
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  for (auto const& ours : {c::map_options_of(&options), c::map_options_of(nullptr)}) {
    MapOptions const theirs;
    EXPECT_TRUE(static_cast<Options const&>(ours) == Options{});
    EXPECT_EQ(ours.sides, theirs.sides);
    EXPECT_EQ(ours.backward, theirs.backward);
    EXPECT_EQ(ours.forward, theirs.forward);
    EXPECT_EQ(ours.batch, theirs.batch);
  }
  options = options_of(SIXSTEP_R2C, 5);
  options.backward = SIXSTEP_BY_SQRT_N;
  options.forward = SIXSTEP_BY_N;
  options.batch = 99;
  MapOptions const set = c::map_options_of(&options);
  EXPECT_EQ(set.sides, (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(set.fields, 5);
  EXPECT_EQ(set.backward, Scale::by_sqrt_n);
  EXPECT_EQ(set.forward, Scale::by_n);
  EXPECT_EQ(set.batch, 99);
  options.backward = 3;
  EXPECT_THROW(c::map_options_of(&options), Error);
  options = SIXSTEP_MAP_OPTIONS;
  options.size += 8;
  EXPECT_THROW(c::map_options_of(&options), Error);
}

TEST(c_maps, a_function_that_fails_is_an_error_on_its_rank) {
  Index const shape[] = {6, 5, 8};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  Context context;
  auto const all_three = functions<double, std::complex<double>>(context);
  sixstep_map_options const options = options_of(SIXSTEP_R2C);
  auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_DOUBLE, points.get(), nullptr,
                                     MPI_COMM_WORLD, &all_three, &options);
  Index size = 0;
  ASSERT_EQ(sixstep_map_sizes(map.get(), nullptr, nullptr, &size), SIXSTEP_OK);
  std::vector<std::complex<double>> array(at(size));
  bool const fails = ranks::rank() == all() - 1;
  context.code = fails ? 3 : 0;
  int const code = sixstep_map_apply(map.get(), array.data(), array.data());
  EXPECT_EQ(code, fails ? SIXSTEP_ERROR_ARGUMENT : SIXSTEP_OK);
  if (fails) {
    EXPECT_STREQ(sixstep_error_message(), "at_points: the function returned 3, 0 is needed");
  }
  context.code = 0;
  EXPECT_EQ(sixstep_map_apply(map.get(), array.data(), array.data()), SIXSTEP_OK);
}

TEST(c_maps, errors_have_the_words_of_cpp_on_all_ranks) {
  Index const shape[] = {6, 5, 8};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  bool const last = ranks::rank() == all() - 1;
  Context context;
  sixstep_map_functions const good = functions<double, std::complex<double>>(context);
  sixstep_map_functions wrong = good;
  sixstep_map_options options = options_of(SIXSTEP_R2C);
  sixstep_map* map = nullptr;
  auto const expect_refused = [&](sixstep_map_functions const* of, std::string const& words) {
    EXPECT_EQ(sixstep_map_create(SIXSTEP_DOUBLE, points.get(), nullptr, MPI_COMM_WORLD, of,
                                 &options, &map),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(map, nullptr);
  };
  expect_refused(last ? nullptr : &good, "functions: a pointer is needed, NULL was given");
  wrong.at_points.function = last ? nullptr : good.at_points.function;
  expect_refused(&wrong, "at_points.function: a pointer is needed, NULL was given");
  wrong = good;
  wrong.before.function = nullptr;
  expect_refused(&wrong, "before.function: a pointer is needed, NULL was given");
  wrong = good;
  wrong.after.results = 0;
  expect_refused(&wrong, "after.results: 1 or more are needed, 0 were given");
  options.batch = 0;
  expect_refused(&good, "batch: 1 or more points are needed, 0 were given");
  options = options_of(SIXSTEP_R2C);
  options.plan.kinds_count = options.plan.transform = 0;
  expect_refused(&good, "transform: a map without a transform is not possible");
  options = options_of(SIXSTEP_R2C);
  options.forward = 3;
  expect_refused(&good, "forward: 0 to 2 are possible, 3 was given");
  if (all() > 1) {
    options = options_of(SIXSTEP_R2C);
    wrong = good;
    wrong.after.results = last ? 3 : 2;
    EXPECT_EQ(sixstep_map_create(SIXSTEP_DOUBLE, points.get(), nullptr, MPI_COMM_WORLD, &wrong,
                                 &options, &map),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_NE(std::string(sixstep_error_message()).find("results"), std::string::npos);
  }
}

TEST(c_maps, null_is_an_error_wherever_something_is_needed) {
  std::int64_t index = 0;
  sixstep_batch const batch{};
  expect_null_is_refused({[&] { return sixstep_batch_index(nullptr, 0, &index); },
                          [&] { return sixstep_batch_index(&batch, 0, nullptr); }});
  expect_null_is_refused<sixstep_map>();
  EXPECT_EQ(sixstep_map_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep
