// SPDX-License-Identifier: BSD-3-Clause
// Maps of the C interface: against plans and loops over points and coefficients, and what only C
// can get wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
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

double factor(double const* k) { return 1 + k[0] * k[0] + 2 * k[1] * k[1] + 3 * k[2] * k[2]; }
double number(Index const* index) {
  return 1 + 0.1 * static_cast<double>(index[0] + 2 * index[1] + 3 * index[2]);
}

/// What functions count, and may be told to return.
struct Context {
  std::atomic<int> calls = 0;
  int code = 0;
};

// The map of these tests: from fields a and b of coefficients to a, b times the factor, and their
// sum; from the values there to two products; from these, exchanged, through the factor.
template <class Value>
int before(void* context, sixstep_batch const* batch) {
  auto const* a = static_cast<Value const*>(batch->in[0]);
  auto const* b = static_cast<Value const*>(batch->in[1]);
  Value* made[3];
  for (int i = 0; i < 3; ++i) made[i] = static_cast<Value*>(batch->out[i]);
  for (Index i = 0; i < batch->count; ++i) {
    double const k[] = {batch->k[0][i], batch->k[1][i], batch->k[2][i]};
    made[0][i] = a[i];
    made[1][i] = b[i] * static_cast<decltype(std::abs(Value()))>(factor(k));
    made[2][i] = a[i] + b[i];
  }
  ++static_cast<Context*>(context)->calls;
  return batch->fields == 2 && batch->results == 3 && batch->axes == 3 ? 0 : 100;
}

template <class Value>
int multiply(void* context, sixstep_batch const* batch) {
  Value const* in[3];
  for (int i = 0; i < 3; ++i) in[i] = static_cast<Value const*>(batch->in[i]);
  auto* const product = static_cast<Value*>(batch->out[0]);
  auto* const scaled = static_cast<Value*>(batch->out[1]);
  for (Index i = 0; i < batch->count; ++i) {
    Index index[3];
    if (sixstep_batch_index(batch, i, index) != SIXSTEP_OK) return 200;
    product[i] = in[0][i] * in[1][i];
    scaled[i] = in[2][i] * static_cast<decltype(std::abs(Value()))>(number(index));
  }
  if (batch->fields != 3 || batch->results != 2 || batch->k != nullptr) return 300;
  ++static_cast<Context*>(context)->calls;
  return static_cast<Context*>(context)->code;
}

template <class Value>
int after(void* context, sixstep_batch const* batch) {
  for (int row = 0; row < 2; ++row)
    for (Index i = 0; i < batch->count; ++i) {
      double const k[] = {batch->k[0][i], batch->k[1][i], batch->k[2][i]};
      static_cast<Value*>(batch->out[row])[i] = static_cast<Value const*>(batch->in[1 - row])[i] /
                                                static_cast<decltype(std::abs(Value()))>(factor(k));
    }
  ++static_cast<Context*>(context)->calls;
  return 0;
}

/// Three functions with one context, for points and coefficients of these types.
template <class Point, class Coefficient>
sixstep_map_functions functions(Context& context) {
  return {{before<Coefficient>, &context, 3},
          {multiply<Point>, &context, 2},
          {after<Coefficient>, &context, 2}};
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

/// Plans and loops that do what the map does, in arrays of one field.
template <class Point, class Coefficient>
class ByPlans {
 public:
  using Real = decltype(std::abs(Point()));

  ByPlans(sixstep_layout const* points, sixstep_layout const* coefficients, int kind) {
    sixstep_options options = SIXSTEP_OPTIONS;
    options.kinds_count = 1;
    options.kinds[0] = kind;
    plan =
        made<sixstep_plan>(sixstep_plan_create, sizeof(Real) == 8 ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE,
                           points, coefficients, MPI_COMM_WORLD, &options);
    around = kind == SIXSTEP_DCT2 ? std::numbers::pi : 2 * std::numbers::pi;
    sixstep_plan_input_part(plan.get(), &part);
    sixstep_plan_output_part(plan.get(), &waves);
    Index in = 0, out = 0;
    sixstep_plan_sizes(plan.get(), &in, &out, nullptr);
    points_size = at(in);
    size = at(out);
  }

  using Points = std::vector<Point>;
  using Coefficients = std::vector<Coefficient>;

  Coefficients forward(Points const& values) const {
    Coefficients spectrum(size);
    EXPECT_EQ(sixstep_plan_forward(plan.get(), values.data(), spectrum.data(), SIXSTEP_UNSCALED),
              SIXSTEP_OK);
    return spectrum;
  }
  Points backward(Coefficients const& spectrum) const {
    Points values(points_size);
    EXPECT_EQ(sixstep_plan_backward(plan.get(), spectrum.data(), values.data(), SIXSTEP_BY_N),
              SIXSTEP_OK);
    return values;
  }
  /// Multiplies or divides by the factor.
  Coefficients times(Coefficients spectrum, bool divided) const {
    for_each_element(waves, [&](Shape const& k, Index i) {
      double w[3];
      sixstep_plan_wavenumber(plan.get(), k.begin(), w);
      for (int axis = 0; axis < 3; ++axis) w[axis] *= around / sides[axis];
      spectrum[at(i)] *= static_cast<Real>(divided ? 1 / factor(w) : factor(w));
    });
    return spectrum;
  }
  std::vector<Coefficients> map(Coefficients const& a, Coefficients const& b) const {
    Coefficients sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    Points const u = backward(a), v = backward(times(b, false));
    Points product = u, scaled = backward(sum);
    for (std::size_t i = 0; i < u.size(); ++i) product[i] *= v[i];
    for_each_element(part, [&](Shape const& point, Index i) {
      scaled[at(i)] *= static_cast<Real>(number(point.begin()));
    });
    return {times(forward(scaled), true), times(forward(product), true)};
  }

  Owned<sixstep_plan> plan;
  double around = 0;
  sixstep_part part, waves;
  std::size_t points_size = 0, size = 0;
};

/// Compares a map with plans, in two arrays and in one of the library.
template <class Point, class Coefficient>
void expect_maps(sixstep_layout const* points, sixstep_layout const* coefficients, int kind,
                 Index batch, bool interleaved = false) {
  using Real = decltype(std::abs(Point()));
  Context context;
  sixstep_map_functions const all_three = functions<Point, Coefficient>(context);
  sixstep_map_options options = options_of(kind);
  options.batch = batch;
  options.plan.interleaved = interleaved ? 1 : 0;
  auto const map =
      made<sixstep_map>(sixstep_map_create, sizeof(Real) == 8 ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE,
                        points, coefficients, MPI_COMM_WORLD, &all_three, &options);
  ASSERT_TRUE(map);
  std::size_t in_bytes = 0, out_bytes = 0;
  ASSERT_EQ(sixstep_map_element_bytes(map.get(), &in_bytes, &out_bytes), SIXSTEP_OK);
  ASSERT_EQ(in_bytes, sizeof(Coefficient));
  ASSERT_EQ(out_bytes, sizeof(Coefficient));
  auto const input = made<sixstep_layout>(sixstep_map_input, map.get());
  ByPlans<Point, Coefficient> const by_plans(points, input.get(), kind);
  std::vector<Point> values[2];
  for (int field = 0; field < 2; ++field) {
    values[field].resize(by_plans.points_size);
    for_each_element(by_plans.part, [&](Shape const& point, Index i) {
      values[field][at(i)] = static_cast<Real>(std::cos(1 + field + 3 * number(point.begin())));
    });
  }
  auto const a = by_plans.forward(values[0]), b = by_plans.forward(values[1]);
  auto const expected = by_plans.map(a, b);

  sixstep_part in, out;
  Index in_size = 0, out_size = 0;
  ASSERT_EQ(sixstep_map_input_part(map.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_map_output_part(map.get(), &out), SIXSTEP_OK);
  ASSERT_EQ(sixstep_map_sizes(map.get(), &in_size, &out_size, nullptr), SIXSTEP_OK);
  std::vector<Coefficient> given(at(in_size)), found(at(out_size));
  auto const place = [&](sixstep_part const& box, int field, Shape const& k) {
    Index offset = box.offset + field * box.stride[3];
    for (int axis = 0; axis < 3; ++axis) offset += (k[axis] - box.lo[axis]) * box.stride[axis];
    return at(offset);
  };
  for_each_element(by_plans.waves, [&](Shape const& k, Index i) {
    given[place(in, 0, k)] = a[at(i)];
    given[place(in, 1, k)] = b[at(i)];
  });
  double largest = 0;
  for (auto const& field : expected)
    for (Coefficient const& value : field)
      largest = std::max(largest, static_cast<double>(std::abs(value)));
  double const bound = 100 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                       (1 + ranks::largest(largest));
  auto const worst = [&](Coefficient const* made_by_map) {
    double error = 0;
    for_each_element(by_plans.waves, [&](Shape const& k, Index i) {
      for (int field = 0; field < 2; ++field) {
        auto const difference = static_cast<double>(
            std::abs(made_by_map[place(out, field, k)] - expected[at(field)][at(i)]));
        error = std::isnan(difference) ? HUGE_VAL : std::max(error, difference);
      }
    });
    return error;
  };
  ASSERT_EQ(sixstep_map_apply(map.get(), given.data(), found.data()), SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(worst(found.data()), bound);
  void* memory = nullptr;
  ASSERT_EQ(sixstep_map_allocate(map.get(), &memory), SIXSTEP_OK);
  auto* const one = static_cast<Coefficient*>(memory);
  std::copy(given.begin(), given.end(), one);
  ASSERT_EQ(sixstep_map_apply(map.get(), one, one), SIXSTEP_OK) << sixstep_error_message();
  EXPECT_LT(worst(one), bound) << "in place";
  EXPECT_EQ(sixstep_free(memory), SIXSTEP_OK);
  if (by_plans.part.points > 0 && by_plans.waves.points > 0) {
    EXPECT_GE(context.calls, 6);
  }
}

/// All kinds of numbers, in both precisions.
void expect_maps_of_all_kinds(Shape const& shape) {
  SCOPED_TRACE(Layout::slab(shape, all()).describe());
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape.begin(), all(), 0);
  using Complex = std::complex<double>;
  using Single = std::complex<float>;
  expect_maps<double, Complex>(slab.get(), nullptr, SIXSTEP_R2C, 16);
  expect_maps<float, Single>(slab.get(), nullptr, SIXSTEP_R2C, 1000);
  expect_maps<Complex, Complex>(slab.get(), nullptr, SIXSTEP_C2C, 1);
  expect_maps<Single, Single>(slab.get(), nullptr, SIXSTEP_C2C, 16, true);
  expect_maps<double, double>(slab.get(), nullptr, SIXSTEP_DCT2, 16);
  expect_maps<float, float>(slab.get(), nullptr, SIXSTEP_DCT2, 7);
}

// Of one plane all ranks but one have nothing.
TEST(c_maps, are_transforms_back_functions_and_transforms_forward) {
  for (Shape const& shape : {Shape{7, 5, 8}, Shape{1, 1, 3}}) expect_maps_of_all_kinds(shape);
}

int twice(void*, sixstep_batch const* batch) {
  using Complex = std::complex<double>;
  auto const* const in = static_cast<Complex const*>(batch->in[0]);
  std::transform(in, in + batch->count, static_cast<Complex*>(batch->out[0]),
                 [](Complex const& u) { return 2.0 * u; });
  return 0;
}

TEST(c_maps, put_the_result_where_its_layout_says) {
  Index const shape[] = {6, 5, 8};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const waves = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 1);
  auto const results = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 2);
  sixstep_map_functions functions = {};
  functions.at_points = {twice, nullptr, 1};
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  options.results = results.get();
  auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_DOUBLE, points.get(), waves.get(),
                                     MPI_COMM_WORLD, &functions, &options);
  sixstep_part in, out, expected;
  ASSERT_EQ(sixstep_map_input_part(map.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_map_output_part(map.get(), &out), SIXSTEP_OK);
  ASSERT_EQ(sixstep_layout_part(results.get(), ranks::rank(), &expected), SIXSTEP_OK);
  ASSERT_TRUE(std::equal(out.lo, out.lo + 3, expected.lo) && out.points == expected.points);
  auto const value = [](Shape const& k) { return std::complex(number(k.begin()), 0.5); };
  std::vector<std::complex<double>> given(at(in.points)), found(at(out.points));
  for_each_element(in, [&](Shape const& k, Index i) { given[at(i)] = value(k); });
  ASSERT_EQ(sixstep_map_apply(map.get(), given.data(), found.data()), SIXSTEP_OK);
  for_each_element(out, [&](Shape const& k, Index i) {
    EXPECT_LT(std::abs(found[at(i)] - 2.0 * value(k)), 1e-13);
  });
}

TEST(c_maps, keep_the_layout_of_coefficients_that_is_given) {
  Index const shape[] = {6, 5, 8}, half[] = {6, 5, 5}, one[] = {1, 1, 1};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const turned = made<sixstep_layout>(sixstep_layout_slab, 3, half, all(), 2);
  auto const ghosts = made<sixstep_layout>(sixstep_layout_with_ghosts, turned.get(), one, one);
  for (sixstep_layout const* coefficients : {turned.get(), ghosts.get()}) {
    expect_maps<double, std::complex<double>>(points.get(), coefficients, SIXSTEP_R2C, 16);
    Context context;
    auto const all_three = functions<double, std::complex<double>>(context);
    sixstep_map_options const options = options_of(SIXSTEP_R2C);
    auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_DOUBLE, points.get(),
                                       coefficients, MPI_COMM_WORLD, &all_three, &options);
    for (auto const get : {sixstep_map_input, sixstep_map_output}) {
      auto const ours = made<sixstep_layout>(get, map.get());
      int equal = 0;
      ASSERT_EQ(sixstep_layout_equal(ours.get(), coefficients, &equal), SIXSTEP_OK);
      EXPECT_EQ(equal, 1);
    }
  }
}

int square(void*, sixstep_batch const* batch) {
  auto const* const u = static_cast<float const*>(batch->in[0]);
  for (Index i = 0; i < batch->count; ++i) static_cast<float*>(batch->out[0])[i] = u[i] * u[i];
  return 0;
}

// Without sides and functions of k, and with factors of its own.
TEST(c_maps, need_only_a_function_of_points) {
  Index const shape[] = {4, 6};
  auto const points = made<sixstep_layout>(sixstep_layout_slab, 2, shape, all(), 0);
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.backward = SIXSTEP_UNSCALED;
  options.forward = SIXSTEP_BY_N;
  sixstep_map_functions const of_points = {
      {nullptr, nullptr, 0}, {square, nullptr, 1}, {nullptr, nullptr, 0}};
  auto const map = made<sixstep_map>(sixstep_map_create, SIXSTEP_SINGLE, points.get(), nullptr,
                                     MPI_COMM_WORLD, &of_points, &options);
  Index size = 0;
  sixstep_part part;
  ASSERT_EQ(sixstep_map_sizes(map.get(), &size, nullptr, nullptr), SIXSTEP_OK);
  ASSERT_EQ(sixstep_map_input_part(map.get(), &part), SIXSTEP_OK);
  std::vector<std::complex<float>> u(at(size));
  // 3 + 2 cos x, and its square 11 + 12 cos x + 2 cos 2x
  for_each_element(part, [&](Shape const& k, Index i) {
    u[at(i)] = k[0] == 0 && k[1] == 0 ? 3 : k[0] == 0 && k[1] == 1 ? 1 : 0;
  });
  ASSERT_EQ(sixstep_map_apply(map.get(), u.data(), u.data()), SIXSTEP_OK);
  for_each_element(part, [&](Shape const& k, Index i) {
    float const expected = k[0] != 0 ? 0.F : std::array{11.F, 6.F, 1.F, 0.F}[at(k[1])];
    EXPECT_LT(std::abs(u[at(i)] - expected), 1e-5F) << k[0] << ", " << k[1];
  });
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
  expect_tells(
      map.get(), theirs,
      {sixstep_map_sizes, sixstep_map_describe, sixstep_map_counts, sixstep_map_workspace_bytes,
       sixstep_map_set_workspace, sixstep_map_apply, sixstep_map_breakdown,
       sixstep_map_communication_seconds, sixstep_map_predict, sixstep_map_write_trace});
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
  sixstep_part part;
  std::int64_t index = 0;
  int count = 0;
  double real = 0;
  std::size_t bytes = 0;
  void* array = nullptr;
  char const* words = nullptr;
  sixstep_step const* steps = nullptr;
  sixstep_prediction prediction;
  sixstep_layout* layout = nullptr;
  sixstep_batch const batch{};
  expect_null_is_refused({[&] { return sixstep_batch_index(nullptr, 0, &index); },
                          [&] { return sixstep_batch_index(&batch, 0, nullptr); },
                          [&] { return sixstep_map_apply(nullptr, &real, &real); },
                          [&] { return sixstep_map_input(nullptr, &layout); },
                          [&] { return sixstep_map_output(nullptr, &layout); },
                          [&] { return sixstep_map_input_part(nullptr, &part); },
                          [&] { return sixstep_map_output_part(nullptr, &part); },
                          [&] { return sixstep_map_sizes(nullptr, &index, &index, &index); },
                          [&] { return sixstep_map_element_bytes(nullptr, &bytes, &bytes); },
                          [&] { return sixstep_map_allocate(nullptr, &array); },
                          [&] { return sixstep_map_workspace_bytes(nullptr, &bytes); },
                          [&] { return sixstep_map_set_workspace(nullptr, &real, 8); },
                          [&] { return sixstep_map_describe(nullptr, &words); },
                          [&] { return sixstep_map_counts(nullptr, &count, &count, &count); },
                          [&] { return sixstep_map_communication_seconds(nullptr, &real); },
                          [&] { return sixstep_map_breakdown(nullptr, &count, &steps); },
                          [&] { return sixstep_map_predict(nullptr, "machine.json", &prediction); },
                          [&] { return sixstep_map_write_trace(nullptr); }});
  EXPECT_EQ(sixstep_map_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep
