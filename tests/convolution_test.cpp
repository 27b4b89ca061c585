// SPDX-License-Identifier: BSD-3-Clause
// Convolutions and correlations of all modes against their sums.
#include "sixstep/convolution.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "oracles/convolutions.hpp"
#include "refuses.hpp"
#include "solver_cases.hpp"

namespace sixstep {
namespace {

using namespace solver_cases;
using ranks::failed_anywhere;
using ranks::rounds;

struct Problem {
  Case signal;
  Case kernel;
  Case result;
  ConvolutionOptions options;  // with axes and kinds in full
};

Problem random_problem(Random& random) {
  Problem made;
  made.signal = random_case(random, random.between(1, 3), 200);
  ConvolutionOptions& options = made.options;
  static_cast<Options&>(options) = made.signal.options;
  options.modes.clear();
  bool has_real = false;
  for (Kind& kind : options.kinds) {
    kind = random.once_in(2) && !has_real ? Kind::r2c : Kind::c2c;
    has_real = has_real || kind == Kind::r2c;
  }
  made.signal.options.kinds = options.kinds;
  options.mode = static_cast<ConvolutionMode>(random.between(0, 3));
  options.correlate = random.once_in(3);
  Shape const shape = made.signal.layout.shape();
  Shape kernel = shape, result = shape;
  for (int axis : options.axes) {
    Index const n = shape[axis];
    bool const periodic = options.mode == ConvolutionMode::periodic;
    kernel[axis] = random.between(Index{1}, periodic ? n : 2 * n);
    result[axis] = convolution_oracle::points_of(options.mode, n, kernel[axis]);
  }
  made.kernel = {.layout = cases::random_layout(random, kernel, all()),
                 .options = made.signal.options};
  made.kernel.options.fields = 1;
  made.result = made.signal;
  made.result.ghosts = {};
  made.result.layout = cases::random_layout(random, result, all());
  return made;
}

Whole random_whole(Shape const& shape, bool is_real, std::uint64_t seed) {
  Whole whole{shape, oracle::values(oracle::points_of(shape), seed)};
  if (is_real)
    for (Exact& value : whole.values) value = value.real();
  return whole;
}

template <class Real, class Use>
void with(bool is_real, Real* in, Real* out, Use const& use) {
  using Complex = std::complex<Real>;
  if (is_real)
    use(in, out);
  else
    use(reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out));
}

template <class Real>
void expect_definition(Problem const& problem, bool layout_is_given) {
  bool const is_real = problem.signal.has_real_arrays();
  auto const unit = static_cast<std::size_t>(is_real ? 1 : 2);
  SCOPED_TRACE(text(describe(problem.signal), "\nkernel ", problem.kernel.layout.describe(),
                    "\nresult ", problem.result.layout.describe(), "\nmode ",
                    to_string(problem.options.mode),
                    problem.options.correlate ? " correlate" : ""));
  Convolution<Real> made =
      layout_is_given ? Convolution<Real>(problem.signal.layout, problem.kernel.layout,
                                          problem.result.layout, MPI_COMM_WORLD, problem.options)
                      : Convolution<Real>(problem.signal.layout, problem.kernel.layout,
                                          MPI_COMM_WORLD, problem.options);
  SCOPED_TRACE(made.describe());
  Problem given = problem;
  given.result.layout = made.output();
  EXPECT_EQ(to_string(made.output().shape()), to_string(problem.result.layout.shape()));
  // As the signal, ghosts included, if it has as many points.
  if (!layout_is_given && given.result.layout == given.signal.layout)
    given.result.ghosts = given.signal.ghosts;
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> in(at(made.input_size()) * unit, nan), out(at(made.output_size()) * unit, nan);
  std::vector<Real> kernel(at(problem.kernel.layout.local_size(mine())) * unit, nan);
  std::vector<Whole> fields;
  for (int field = 0; field < problem.options.fields; ++field)
    fields.push_back(random_whole(problem.signal.layout.shape(), is_real,
                                  static_cast<std::uint64_t>(field + 1)));
  fill(in, problem.signal, fields);
  std::vector<Real> const before = in;
  std::vector<Index> periods;
  for (int axis : problem.options.axes) periods.push_back(problem.signal.layout.shape()[axis]);
  convolution_oracle::Convolves const convolve{problem.options.axes, periods, problem.options.mode,
                                               problem.options.correlate};
  for (std::uint64_t const seed : {77u, 78u}) {
    Whole const of_kernel = random_whole(problem.kernel.layout.shape(), is_real, seed);
    fill(kernel, problem.kernel, {of_kernel});
    std::vector<Whole> expected;
    for (Whole const& field : fields) expected.push_back(convolve(field, of_kernel));
    double largest = 1;
    for (Whole const& each : expected)
      for (Exact const& value : each.values)
        largest = std::max(largest, static_cast<double>(std::abs(value)));
    double const bound = 100 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * largest;
    with(is_real, kernel.data(), kernel.data(), [&](auto* k, auto*) { made.set_kernel(k); });
    in = before;
    with(is_real, in.data(), out.data(), [&](auto* a, auto* b) { made.apply(a, b); });
    EXPECT_LT(ranks::largest(difference(out, given.result, expected)), bound);
    std::vector<Real> one(at(made.in_place_size()) * unit, nan);
    std::copy(before.begin(), before.end(), one.begin());
    with(is_real, one.data(), one.data(), [&](auto* a, auto* b) { made.apply(a, b); });
    EXPECT_LT(ranks::largest(difference(one, given.result, expected)), bound) << "in place";
  }
}

TEST(convolution, is_its_sum) {
  Random random(3);
  for (int round = 0; round < rounds(80) && !failed_anywhere(); ++round) {
    Problem const problem = random_problem(random);
    bool const given = problem.signal.layout.grid().empty() || random.once_in(2);
    random.once_in(4) ? expect_definition<float>(problem, given)
                      : expect_definition<double>(problem, given);
  }
}

/// Its six exchanges may all be under way: a rank with few windows is at the last of them while
/// another one is at the first.
TEST(convolution, in_windows_of_many_exchanges) {
  int const across = ranks::count() % 2 == 0 ? 2 : 1;
  int number = 0;
  for (Exchange const exchange : {Exchange::one_sided, Exchange::pairwise, Exchange::persistent})
    for (int const windows : {2, 3, 64})
      for (Index const length : {Index{1}, Index{2}, Index{3}}) {
        int const each = number++;
        if ((each / 9 + each / 3 + each) % 3 != 0) continue;  // any two values meet once
        Problem problem;
        problem.options.exchange = exchange;
        problem.options.windows = windows;
        problem.options.mode = ConvolutionMode::same;
        problem.options.axes = {2, 1, 0};
        problem.options.kinds = {Kind::c2c, Kind::c2c, Kind::r2c};
        problem.signal.layout = Layout::grid({2, 6, 4}, {across, 1, ranks::count() / across});
        static_cast<Options&>(problem.signal.options) = problem.options;
        problem.kernel = {.layout = Layout::slab({length, 6, 4}, ranks::count()),
                          .options = problem.signal.options};
        problem.result = problem.signal;
        each % 2 == 0 ? expect_definition<double>(problem, true)
                      : expect_definition<float>(problem, false);
      }
}

TEST(convolution, with_an_even_kernel_keeps_reals) {
  Layout const line = Layout::slab({6, 9}, all());
  ConvolutionOptions options;
  options.kinds = {Kind::r2c};
  options.mode = ConvolutionMode::periodic;
  options.lengths = {8, 20};
  Layout const whole = Layout::slab({8, 20}, all());
  std::vector<double> kernel(at(whole.local_size(mine())));
  oracle::for_each_element(whole, mine(), [&](Shape const& point, Index offset) {
    auto const near = [](Index j, Index n) { return static_cast<double>(std::min(j, n - j)); };
    kernel[at(offset)] = 1 / (1 + near(point[0], 8) + 3 * near(point[1], 20));
  });
  std::vector<double> made[2];
  for (bool const even : {false, true}) {
    options.even = even;
    Convolution<double> convolution(line, whole, MPI_COMM_WORLD, options);
    convolution.set_kernel(kernel.data());
    std::vector<double> in(at(convolution.input_size())), out(at(convolution.output_size()));
    oracle::for_each_element(line, mine(), [&](Shape const& point, Index offset) {
      in[at(offset)] = static_cast<double>(point[0] * 7 % 5 + point[1] * point[1] % 3);
    });
    convolution.apply(in.data(), out.data());
    made[even ? 1 : 0] = out;
  }
  for (std::size_t i = 0; i < made[0].size(); ++i) EXPECT_NEAR(made[0][i], made[1][i], 1e-12);
}

TEST(convolution, refuses_what_it_cannot_do) {
  Layout const signal = Layout::slab({6, 8}, all());
  auto const refused = [&](char const* argument, std::initializer_list<char const*> words,
                           Shape const& kernel, ConvolutionOptions const& options) {
    EXPECT_TRUE(refuses(argument, words, [&] {
      Convolution<double>(signal, Layout::slab(kernel, all()), MPI_COMM_WORLD, options);
    }));
  };
  ConvolutionOptions options;
  refused("kernel", {"2 axes are needed", "it has 1"}, {4}, options);
  options.axes = {1};
  refused("kernel", {"axis 0 is not transformed", "6 points", "it has 4"}, {4, 3}, options);
  options = {};
  options.modes = {2, 2};
  refused("modes", {"all modes"}, {4, 3}, options);
  options = {};
  options.lengths = {12, 12};
  refused("lengths", {"only the mode periodic", "full was given"}, {4, 3}, options);
  options = {};
  options.even = true;
  refused("even", {"the mode periodic", "full was given"}, {4, 3}, options);
  options = {};
  options.kinds = {Kind::dct2};
  refused("kinds", {"c2c or r2c", "dct2"}, {4, 3}, options);
  options = {};
  options.mode = ConvolutionMode::periodic;
  refused("kernel", {"at most 8 points", "axis 1", "it has 9"}, {4, 9}, options);
  options = {};
  options.mode = static_cast<ConvolutionMode>(9);
  refused("mode", {"full", "valid", "value 9 was given"}, {4, 3}, options);
  EXPECT_TRUE(refuses("result", {"9 x 10", "9 x 9"}, [&] {
    Convolution<double>(signal, Layout::slab({4, 3}, all()), Layout::slab({9, 9}, all()),
                        MPI_COMM_WORLD, {});
  }));
  Convolution<double> made(signal, Layout::slab({4, 3}, all()), MPI_COMM_WORLD);
  std::vector<std::complex<double>> array(at(made.in_place_size()));
  EXPECT_TRUE(refuses("kernel", {"call set_kernel() first"},
                      [&] { made.apply(array.data(), array.data()); }));
  EXPECT_TRUE(refuses("in, out", {"Complex arrays"},
                      [&] { made.set_kernel(reinterpret_cast<double*>(array.data())); }));
  // One rank alone has no array.
  std::complex<double>* const mine = ranks::rank() == 0 ? nullptr : array.data();
  EXPECT_TRUE(refuses("kernel", {"is needed on rank 0"}, [&] { made.set_kernel(mine); }));
}

}  // namespace
}  // namespace sixstep
