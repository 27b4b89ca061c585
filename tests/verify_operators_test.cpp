// SPDX-License-Identifier: BSD-3-Clause
// Operators, convolutions and maps that are verified: right ones raise no alarm, and bits that flip
// are found on every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/operator_runner.hpp"
#include "meddler.hpp"
#include "nodes_of.hpp"
#include "refuses.hpp"
#include "sixstep/convolution.hpp"
#include "sixstep/map.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/poisson.hpp"
#include "solver_cases.hpp"

namespace sixstep::verified {
namespace {

using oracle::at;
using solver_cases::Case;
using solver_cases::Random;

Case random_case(Random& random) {
  Case given = random.once_in(2) ? solver_cases::random_case(random, random.between(1, 4), 1000)
                                 : solver_cases::random_longer_case(random);
  given.options.verify = random.once_in(2) ? Verify::result : Verify::all;
  return given;
}

template <class Real>
std::vector<Real> random_reals(Random& random, Index count) {
  std::vector<Real> made(at(count));
  for (Real& x : made) x = static_cast<Real>(random.between(-1000, 1000)) / Real{1000};
  return made;
}

/// Executions of operators that were right.
struct Right {
  Verified all = {};

  void add(Verified const& found, Index executions, std::string const& about) {
    EXPECT_EQ(found.checked, executions) << about;
    EXPECT_EQ(found.repaired, 0) << about;
    EXPECT_LT(found.largest_share, 0.6) << about;
    all.checked += found.checked;
    all.compared += found.compared;
    all.largest_share = std::max(all.largest_share, found.largest_share);
  }
  void tell(char const* what) const {
    if (ranks::rank() == 0)
      std::cout << all.checked << ' ' << what << ", " << all.compared
                << " messages and arrays, at most " << all.largest_share << " of the bound\n";
  }
};

/// Executes out of place and in place.
template <class Real, class Applied>
void apply_often(Applied& op, bool real, Random& mine, int executions) {
  using Complex = std::complex<Real>;
  Index const unit = real ? 1 : 2;
  std::vector<Real> out(at(op.output_size() * unit));
  for (int i = 0; i < executions; ++i) {
    std::vector<Real> in = random_reals<Real>(mine, op.in_place_size() * unit);
    Real* const to = i % 2 == 0 ? out.data() : in.data();
    if (real)
      op.apply(in.data(), to);
    else
      op.apply(reinterpret_cast<Complex const*>(in.data()), reinterpret_cast<Complex*>(to));
  }
}

template <class Real>
void apply_right(Case const& given, Random& mine, Right& right) {
  constexpr int executions = 4;
  Symbol const symbol = given.numbers().symbol(given.results, given.options.fields);
  Operator<Real> op =
      given.result
          ? Operator<Real>(given.layout, *given.result, MPI_COMM_WORLD, symbol, given.options)
          : Operator<Real>(given.layout, MPI_COMM_WORLD, symbol, given.options);
  apply_often<Real>(op, given.has_real_arrays(), mine, executions);
  right.add(op.verified(), executions, solver_cases::describe(given) + "\n" + op.describe());
}

TEST(Verify, operators_that_are_right_raise_no_alarm) {
  Right right;
  for (int round = 0; round < ranks::rounds(200) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 100);
    NodesOf const nodes(random.between(1, 3));
    Case const given = random_case(random);
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    random.once_in(3) ? apply_right<float>(given, mine, right)
                      : apply_right<double>(given, mine, right);
  }
  right.tell("operators");
}

/// A few operators, each executed many times with other numbers.
TEST(Verify, many_operators_are_right) {
  Right right;
  for (int round = 0; round < cases::rounds(1) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 40000);
    NodesOf const nodes(random.between(1, 3));
    Case given = random_case(random);
    given.options.verify = Verify::all;
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    Symbol const symbol = given.numbers().symbol(given.results, given.options.fields);
    Operator<double> op(given.layout, given.result.value_or(OperatorResult{given.layout}),
                        MPI_COMM_WORLD, symbol, given.options);
    apply_often<double>(op, given.has_real_arrays(), mine, 100);
    right.add(op.verified(), 100, solver_cases::describe(given));
  }
  right.tell("operators");
}

TEST(Verify, convolutions_that_are_right_raise_no_alarm) {
  Right right;
  for (int round = 0; round < ranks::rounds(80) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 300);
    Shape const signal = cases::random_shape(random, random.between(1, 3), 500);
    ConvolutionOptions options;
    options.mode = static_cast<ConvolutionMode>(random.between(0, 3));
    Shape kernel = signal;
    for (Index& extent : kernel)
      extent = options.mode == ConvolutionMode::periodic ? random.between(Index{1}, extent)
                                                         : random.between(Index{1}, 2 * extent);
    options.correlate = random.once_in(2);
    bool const real = random.once_in(2);
    if (real) options.kinds = {Kind::r2c};
    options.fields = random.once_in(3) ? 2 : 1;
    options.verify = random.once_in(2) ? Verify::result : Verify::all;
    Shape const result = Convolution<double>::result_shape(signal, kernel, options);
    Convolution<double> op(
        cases::random_layout(random, signal, ranks::count()), Layout::slab(kernel, ranks::count()),
        cases::random_layout(random, result, ranks::count()), MPI_COMM_WORLD, options);
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    auto const numbers = random_reals<double>(
        mine, 2 * Layout::slab(kernel, ranks::count()).array_size(ranks::rank()) + 2);
    if (real)
      op.set_kernel(numbers.data());
    else
      op.set_kernel(reinterpret_cast<std::complex<double> const*>(numbers.data()));
    apply_often<double>(op, real, mine, 2);
    right.add(op.verified(), 2, op.describe());
  }
  right.tell("convolutions");
}

/// Squares values at points; before and behind, numbers of k multiply coefficients.
template <class Value>
void square(Batch<Value> const& batch) {
  for (Index i = 0; i < batch.count; ++i) batch.out[0][i] = batch.in[0][i] * batch.in[0][i];
}
template <class Value>
void scale_waves(Batch<Value> const& batch) {
  for (Index i = 0; i < batch.count; ++i)
    batch.out[0][i] = batch.in[0][i] / (1 + std::abs(batch.k[0][i]));
}

TEST(Verify, maps_that_are_right_raise_no_alarm) {
  using Complex = std::complex<double>;
  Right right;
  for (int round = 0; round < ranks::rounds(60) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 700);
    Shape const shape = cases::random_shape(random, random.between(2, 3), 1000);
    bool const real = random.once_in(2);
    MapOptions options;
    if (real) options.kinds = {Kind::r2c};
    options.verify = random.once_in(2) ? Verify::result : Verify::all;
    options.threads = random.between(1, 2);
    options.backward = random.once_in(2) ? Scale::by_n : Scale::none;
    options.forward = random.once_in(2) ? Scale::by_sqrt_n : Scale::none;
    MapFunctions<double> functions;
    if (random.once_in(2)) functions.before = {BatchFunction<double>(scale_waves<Complex>), 1};
    functions.at_points = real ? MapFunctions<double>::Step{square<double>, 1}
                               : MapFunctions<double>::Step{square<Complex>, 1};
    if (random.once_in(2)) functions.after = {BatchFunction<double>(scale_waves<Complex>), 1};
    Shape coefficients = shape;
    if (real) coefficients[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
    if (random.once_in(2))
      options.results = cases::random_layout(random, coefficients, ranks::count());
    Map<double> map(cases::random_layout(random, shape, ranks::count()),
                    cases::random_layout(random, coefficients, ranks::count()), MPI_COMM_WORLD,
                    functions, options);
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    apply_often<double>(map, false, mine, 2);
    right.add(map.verified(), 2, map.describe());
  }
  right.tell("maps");
}

/// Ranks whose functions do not throw must not wait for those that have left.
TEST(Verify, functions_that_throw_leave_no_rank_behind) {
  using Complex = std::complex<double>;
  bool throws = true;
  MapFunctions<double> functions;
  functions.at_points = {[&](Batch<Complex> const& batch) {
                           if (throws && ranks::rank() == 0) throw std::runtime_error("no");
                           square(batch);
                         },
                         1};
  MapOptions options;
  options.verify = Verify::all;
  Map<double> map(Layout::slab({12, 14, 10}, ranks::count()), MPI_COMM_WORLD, functions, options);
  std::vector<Complex> in(at(map.input_size()), 1.0), out(at(map.output_size()));
  bool thrown = false;
  try {
    map.apply(in.data(), out.data());
  } catch (std::runtime_error const&) {
    thrown = true;
  }
  EXPECT_EQ(thrown, ranks::rank() == 0);
  EXPECT_EQ(map.verified().checked, 0);
  throws = false;
  map.apply(in.data(), out.data());
  EXPECT_EQ(map.verified().checked, 1);
}

TEST(Verify, solvers_are_verified) {
  PoissonOptions options;
  options.verify = Verify::all;
  Poisson<double> poisson(Layout::slab({16, 12, 10}, ranks::count()), MPI_COMM_WORLD, options);
  auto& inverse = poisson.inverse();
  std::vector<double> f(at(inverse.input_size()), 0), u(f.size());
  if (!f.empty()) f[0] = 1;
  poisson.solve(f.data(), u.data());
  EXPECT_EQ(inverse.verified().checked, 1);
}

struct Flips {
  int made = 0, found = 0, named = 0;
};

/// The product of the symbol of a case.
formulas::OperatorProduct product_of(Case const& given) {
  return formulas::times_symbol(given.numbers().symbol(given.results, given.options.fields));
}

/// The largest difference of two arrays, over the largest element of the second one, on all ranks.
double error_of(std::vector<double> const& made, std::vector<double> const& right) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    worst = ranks::worse(worst, std::abs(made[i] - right[i]));
    largest = std::max(largest, std::abs(right[i]));
  }
  return ranks::largest(worst) / std::max(ranks::largest(largest), 1e-300);
}

/// Flips a bit of what a sweep has read or written, or of what an operation has made.
void flip(Case given, sweep::End where, Random& random, Random& mine, Flips& flips) {
  given.options.verify = Verify::all;
  given.options.preserve_input = true;
  given.options.kept = true;
  auto const runner =
      make_operator(OperatorWanted{given.layout, given.result, given.options, product_of(given)},
                    MPI_COMM_WORLD, sizeof(double));
  Meddler meddler(*runner, where);
  std::vector<double> const in = random_reals<double>(mine, runner->input_reals() + 1);
  std::vector<double> right(at(runner->output_reals() + 1)), out(right.size());
  if (where == sweep::End::written) meddler.spare(std::as_bytes(std::span(in)));
  auto const run = [&](std::vector<double>& to) {
    runner->execute(in.data(), to.data(), Direction::forward, Scale::none, false, Scale::by_n);
  };
  run(right);
  long const calls = meddler.calls();
  meddler.set_round(calls);
  std::vector<long> all(at(ranks::count()));
  MPI_Allgather(&calls, 1, MPI_LONG, all.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  if (std::ranges::max(all) == 0) return;
  for (int i = 0; i < 4; ++i) {
    int victim = random.between(0, ranks::count() - 1);
    while (all[at(victim)] == 0) victim = (victim + 1) % ranks::count();
    int const times = random.between(1, 2);
    meddler.calls();
    if (ranks::rank() == victim)
      meddler.flip_at(static_cast<long>(mine.between(Index{0}, Index{calls} - 1)), times,
                      static_cast<std::uint64_t>(mine.between(Index{0}, Index{1} << 60)));
    std::optional<Detection> told;
    runner->on_detection([&](Detection const& found) { told = found; });
    std::string const message = message_of([&] { run(out); });
    std::string const about = solver_cases::describe(given) + ": " + message;
    ++flips.made;
    EXPECT_TRUE(told.has_value() || where == sweep::End::written) << about;
    if (told) {
      ++flips.found;
      EXPECT_EQ(told->repaired, message.empty()) << about;
      // Rows come in another order when it is executed again: then the second flip may be of a
      // harmless bit. Bits that are read are compared, so that none of their flips is harmless.
      if (times == 1 || where == sweep::End::read) {
        EXPECT_EQ(told->repaired, times == 1) << about;
      }
      if (told->rank >= 0) ++flips.named;
      EXPECT_TRUE(told->rank < 0 || told->rank == victim) << about << told->where;
    }
    bool const same = where == sweep::End::read || (told && times == 1);
    EXPECT_TRUE(!message.empty() || error_of(out, right) <= (same ? 0 : 1e-4)) << about;
    meddler.flip_at(-1, 0, 0);
    told.reset();
    run(out);
    EXPECT_FALSE(told.has_value());
    EXPECT_EQ(error_of(out, right), 0) << about;
    runner->on_detection(nullptr);
  }
}

Flips flip_in_random_operators(sweep::End where, int rounds) {
  Flips flips;
  for (int round = 0; round < ranks::rounds(rounds) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 9000);
    NodesOf const nodes(random.between(1, 3));
    Case const given = random_case(random);
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    flip(given, where, random, mine, flips);
  }
  if (ranks::rank() == 0)
    std::cout << flips.made << " flips, " << flips.found << " found, " << flips.named
              << " with the rank\n";
  return flips;
}

TEST(Verify, a_flip_between_sweeps_of_an_operator_is_found) {
  flip_in_random_operators(sweep::End::read, 60);
}

TEST(Verify, a_flip_in_an_operator_is_found) {
  Flips const flips = flip_in_random_operators(sweep::End::written, 60);
  EXPECT_GT(flips.found, flips.made / 2);
}

}  // namespace
}  // namespace sixstep::verified
