// SPDX-License-Identifier: BSD-3-Clause
// Options::verify: sums of right results agree, for any problem; what cannot be checked is refused
// or counted. Flips of bits are in verify_flips_test.cpp, verify_messages_test.cpp and
// verify_sweeps_test.cpp.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "local/transform.hpp"
#include "nodes_of.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "schedule/problem.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"
#include "verified_plans.hpp"
#include "verify/axis_pair.hpp"
#include "verify/result_check.hpp"

namespace sixstep::verified {
namespace {

template <class Real, class Body>
void with_plan(Task const& task, Body const& body) {
  if (task.output) {
    Plan<Real> plan(task.input, *task.output, MPI_COMM_WORLD, task.options);
    return body(plan);
  }
  Plan<Real> plan(task.input, MPI_COMM_WORLD, task.options);
  body(plan);
}

/// Executes there and back, out of place and in place, with any scale and sign.
template <class In, class Out, class Real>
void execute_all(Plan<Real>& plan, Random& random, Task const& task) {
  constexpr Scale scales[] = {Scale::none, Scale::by_n, Scale::by_sqrt_n};
  Random mine(static_cast<std::uint64_t>(random.between(1, 1000000) + ranks::rank()));
  std::vector<In> in = random_array<In>(mine, plan.input_size());
  std::vector<Out> out(at(plan.output_size()));
  plan.forward(in.data(), out.data(), scales[random.between(0, 2)]);
  std::vector<Out> spectrum = random_array<Out>(mine, plan.output_size());
  plan.backward(spectrum.data(), in.data(), scales[random.between(0, 2)]);
  std::vector<Out> both = random_array<Out>(mine, plan.in_place_size());
  auto* const points = reinterpret_cast<In*>(both.data());
  plan.forward(points, both.data());
  plan.backward(both.data(), points, Scale::by_n);
  Index executions = 4;
  if constexpr (!std::is_same_v<In, Real> && !std::is_same_v<Out, Real>) {
    in = random_array<In>(mine, plan.input_size());
    plan.execute(in.data(), out.data(), Direction::forward, Sign::plus);
    plan.execute(out.data(), in.data(), Direction::backward, Sign::minus);
    executions += 2;
  }
  Verified const verified = plan.verified();
  EXPECT_EQ(verified.checked, executions) << describe(task);
  EXPECT_EQ(verified.unchecked, 0);
  EXPECT_LT(verified.largest_share, 0.5) << describe(task);
}

/// Solves random problems, whose results are all right, and returns what was found.
template <class Real>
Verified solve_random_problems(std::uint64_t first, int rounds) {
  Verified all;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task task = random_task(random);
    task.input = cases::with_random_ghosts(random, task.input, 4);
    if (task.output) task.output = cases::with_random_ghosts(random, *task.output, 4);
    NodesOf const nodes(random.between(1, 3));
    try {
      with_plan<Real>(task, [&](Plan<Real>& plan) {
        using Complex = std::complex<Real>;
        if (task.real_output)
          execute_all<Real, Real>(plan, random, task);
        else if (task.real_input)
          execute_all<Real, Complex>(plan, random, task);
        else
          execute_all<Complex, Complex>(plan, random, task);
        Verified const found = plan.verified();
        all.checked += found.checked;
        all.compared += found.compared;
        all.largest_share = std::max(all.largest_share, found.largest_share);
      });
    } catch (Error const& error) {
      ADD_FAILURE() << "seed " << seed << ": " << describe(task) << ": " << error.what();
    }
    if (ranks::failed_anywhere()) break;
  }
  return all;
}

void tell(Verified const& found) {
  if (ranks::rank() == 0)
    std::cout << found.checked << " executions, " << found.compared
              << " messages and arrays, at most " << found.largest_share << " of the bound\n";
}

TEST(Verify, right_results_agree_in_double) {
  tell(solve_random_problems<double>(1, ranks::rounds(300)));
}

TEST(Verify, right_results_agree_in_single) {
  tell(solve_random_problems<float>(500000, ranks::rounds(300)));
}

/// Executions of a few plans, each many times with other numbers.
TEST(Verify, many_executions_are_right) {
  using Complex = std::complex<double>;
  Verified all;
  for (int round = 0; round < cases::rounds(2); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 900);
    Shape const shape{random.between(Index{6}, Index{24}), random.between(Index{6}, Index{24}),
                      random.between(Index{6}, Index{24})};
    NodesOf const nodes(random.between(1, 3));
    Plan<double> plan(cases::random_layout(random, shape, ranks::count()),
                      cases::random_layout(random, shape, ranks::count()), MPI_COMM_WORLD,
                      {.exchange = all_exchanges[at(Index{round % 5})], .verify = Verify::all});
    Random mine(static_cast<std::uint64_t>(1000 * round + ranks::rank()));
    auto in = random_array<Complex>(mine, plan.input_size());
    std::vector<Complex> out(at(plan.output_size()));
    for (int execution = 0; execution < 50; ++execution) {
      plan.forward(in.data(), out.data());
      plan.backward(out.data(), in.data(), Scale::by_n);
      for (Complex& x : in) x *= Complex(0.6, -0.8);
    }
    Verified const found = plan.verified();
    EXPECT_EQ(found.checked, 100);
    EXPECT_EQ(found.repaired, 0);
    all.checked += found.checked;
    all.compared += found.compared;
    all.largest_share = std::max(all.largest_share, found.largest_share);
  }
  EXPECT_LT(all.largest_share, 0.5);
  tell(all);
}

/// An error of an element with a small weight is hardly seen.
TEST(Verify, no_weight_along_a_short_axis_is_small) {
  double smallest = 1;
  for (Index n = 1; n <= 32; ++n)
    for (Kind const kind : {Kind::c2c, Kind::r2c})
      for (Direction const direction : {Direction::forward, Direction::backward})
        for (auto const reals :
             {verify::Reals::neither, verify::Reals::of_source, verify::Reals::of_result})
          for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            if (reals == verify::Reals::of_result && kind == Kind::r2c &&
                direction == Direction::forward)
              continue;
            auto const pair = verify::weights_of({kind, n, n, n}, direction, reals, seed);
            Index const sources =
                direction == Direction::forward ? n : schedule::coefficients(kind, n);
            double least = std::numeric_limits<double>::infinity(), squares = 0;
            for (Index i = 0; i < sources; ++i) {
              least = std::min(least, std::norm(pair.source[i]));
              squares += std::norm(pair.source[i]);
            }
            smallest =
                std::min(smallest, std::sqrt(least * static_cast<double>(sources) / squares));
          }
  EXPECT_GT(smallest, 0.1);
}

/// Few elements of longer axes have small weights, and these may be reals on one side.
TEST(Verify, weights_along_an_axis_are_even) {
  for (Index const n : {33, 64, 181, 256, 1000})
    for (Direction const direction : {Direction::forward, Direction::backward})
      for (auto const reals :
           {verify::Reals::neither, verify::Reals::of_source, verify::Reals::of_result}) {
        auto const pair = verify::weights_of({Kind::c2c, n, n, n}, direction, reals, 7);
        EXPECT_EQ(pair.source.are_real(), reals == verify::Reals::of_source);
        EXPECT_EQ(pair.result.are_real(), reals == verify::Reals::of_result);
        Index small = 0;
        for (Index i = 0; i < n; ++i) {
          if (std::norm(pair.source[i]) < 0.09 * static_cast<double>(n)) ++small;
          EXPECT_GT(std::abs(pair.result[i]), 0.7);
          EXPECT_LT(std::abs(pair.result[i]), 1.3);
        }
        EXPECT_LE(small, n / 20 + 1) << n;
      }
}

TEST(Verify, the_error_has_its_own_code) {
  Error const error("words", ErrorCode::corrupted);
  EXPECT_EQ(error.code(), ErrorCode::corrupted);
}

TEST(Verify, infinities_and_nans_are_no_corruption) {
  using Complex = std::complex<double>;
  Plan<double> plan(Layout::slab({12, 10}, ranks::count()), MPI_COMM_WORLD,
                    {.verify = Verify::result});
  double const limits[] = {std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(), 1e200};
  for (double const limit : limits) {
    std::vector<Complex> in(at(plan.input_size()), 1.0), out(at(plan.output_size()));
    if (ranks::rank() == 0) in[0] = limit;
    plan.forward(in.data(), out.data());
  }
  EXPECT_EQ(plan.verified().unchecked, 3);
  EXPECT_EQ(plan.verified().checked, 0);
  for (double const size : {0.0, 1e-320, 1e-180, 1.0, 1e120}) {
    std::vector<Complex> in(at(plan.input_size()), size), out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
  }
  EXPECT_EQ(plan.verified().checked, 5);
  EXPECT_LT(plan.verified().largest_share, 0.5);
}

/// Waves of an axis that lie at the peak of its weights are the worst case of long axes, and so are
/// impulses whose rounding errors are one wave: that may lie there.
TEST(Verify, impulses_on_long_axes_agree) {
  using Complex = std::complex<double>;
  for (Index const n : {Index{1} << 17, Index{100003}}) {
    for (Output const output : {Output::cheapest, Output::as_input}) {
      Plan<double> plan(Layout::slab({n}, ranks::count()), MPI_COMM_WORLD,
                        {.output = output, .verify = Verify::result});
      Index const mine = plan.input_box().volume();
      std::vector<Complex> out(at(plan.output_size()));
      for (Index where = 0; where < n; where += n / 61) {
        std::vector<Complex> in(at(plan.input_size()));
        Range const range = plan.input_box().ranges[0];
        if (mine > 0 && where >= range.lo && where < range.hi) in[at(where - range.lo)] = 1;
        plan.forward(in.data(), out.data());
        plan.backward(out.data(), in.data(), Scale::by_n);
      }
      EXPECT_LT(plan.verified().largest_share, 0.5) << n;
    }
  }
}

TEST(Verify, other_kernels_and_short_messages_agree) {
  using Complex = std::complex<double>;
  NodesOf const nodes(1);
  Layout const slab = Layout::slab({20, 18, 14}, ranks::count());
  std::vector<Options> all{{.wire = {.tolerance = 1e-6}}, {.reproducible = Bits::machine}};
  all.push_back({.transform = false});
  all.push_back({.low_memory = true});
  for (Local const local : {Local::fftw, Local::mkl})
    if (message_of([&] { local::kernels_of<double>(local); }).empty())
      all.push_back({.local = local});
  for (Options options : all) {
    options.verify = Verify::all;
    Plan<double> plan(slab, MPI_COMM_WORLD, options);
    Random random(static_cast<std::uint64_t>(ranks::rank()) + 3);
    auto in = random_array<Complex>(random, plan.input_size());
    std::vector<Complex> out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
    plan.backward(out.data(), in.data(), Scale::by_n);
    EXPECT_EQ(plan.verified().checked, 2);
    EXPECT_LT(plan.verified().largest_share, 0.5) << plan.describe();
    EXPECT_NE(plan.describe().find("verified  the result"), std::string::npos);
  }
}

TEST(Verify, what_cannot_be_verified_is_refused) {
  Layout const slab = Layout::slab({8, 8, 8}, ranks::count());
  auto const plan = [&](Options options) {
    options.verify = Verify::result;
    Plan<double>(slab, MPI_COMM_WORLD, options);
  };
  EXPECT_TRUE(refuses("verify", {"emulated"}, [&] { plan({.device = Device::emulated}); }));
  EXPECT_TRUE(refuses("verify", {"sphere"}, [&] { plan({.sphere = {3}}); }));
  EXPECT_TRUE(refuses("verify", {"twiddle"}, [&] { plan({.axes = {0}, .twiddle = 1}); }));
  EXPECT_TRUE(refuses("verify", {"none, result or all", "value 7"},
                      [&] { Plan<double>(slab, MPI_COMM_WORLD, {.verify = Verify{7}}); }));
  OperatorOptions of_operator;
  of_operator.verify = Verify::result;
  of_operator.sphere = {3};
  EXPECT_TRUE(refuses("verify", {"sphere"}, [&] {
    Operator<double>(slab, MPI_COMM_WORLD, Symbol([](PerAxis<double> const&) { return 1.0; }),
                     of_operator);
  }));
}

TEST(Verify, nothing_is_counted_without_it) {
  using Complex = std::complex<double>;
  Plan<double> plan(Layout::slab({8, 8}, ranks::count()), MPI_COMM_WORLD);
  std::vector<Complex> in(at(plan.input_size())), out(at(plan.output_size()));
  plan.forward(in.data(), out.data());
  EXPECT_EQ(plan.verified().checked, 0);
  EXPECT_EQ(plan.describe().find("verified"), std::string::npos);
}

}  // namespace
}  // namespace sixstep::verified
