// SPDX-License-Identifier: BSD-3-Clause
// Sweeps without a plan: windows in any order and on any thread, scales and tables, against the
// definition of the transform.
#include "sweep/sweep_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "base/memory.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "program/compile.hpp"
#include "sweep/runs.hpp"

namespace sixstep::sweep {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;

/// The program of the only rank for some axes of a shape, in so many bytes of cache.
program::Program program_of(Shape const& shape, std::vector<int> const& axes, Index cache_bytes,
                            int real_bytes) {
  Layout const layout = Layout::slab(shape, 1);
  program::Limits const limits{
      .cache_bytes = cache_bytes, .last_cache_bytes = cache_bytes, .threads = 2};
  schedule::Problem problem{.input = layout, .output = layout, .axes = axes};
  problem.real_bytes = real_bytes;
  return program::compile(schedule::schedule(problem), 0, limits);
}

/// Runs the windows of a sweep somehow.
using Windows = std::function<void(SweepRunner const&, void const*, void*, Mode const&)>;

void run_alone(SweepRunner const& sweep, Index lo, Index hi, void const* source, void* target,
               Mode const& mode) {
  Memory const scratch = allocate(sweep.scratch_bytes());
  Index const next = 7 * hi % (sweep.extent() + 1);  // any counts may follow
  sweep.run(lo, hi, next, source, target, mode, scratch.get());
}

/// All steps of a program that has one rank, and so no moves.
template <class Real>
std::vector<std::complex<Real>> run(program::Program const& program,
                                    std::vector<std::complex<Real>> const& input, Mode const& mode,
                                    Windows const& windows) {
  using Complex = std::complex<Real>;
  Kernels kernels;
  std::vector<std::vector<Complex>> buffers(program::work_arrays + 2,
                                            std::vector<Complex>(input.size()));
  auto const buffer = [&](program::Buffer which) -> std::vector<Complex>& {
    return buffers[static_cast<std::size_t>(which)];
  };
  buffer(program::Buffer::input) = input;
  for (program::Step const& step : program.steps) {
    SweepRunner const sweep(std::get<program::Sweep>(step.work), kernels, sizeof(Real));
    windows(sweep, buffer(step.source).data(), buffer(step.target).data(), mode);
  }
  return buffer(program::Buffer::output);
}

template <class Real>
double difference(std::vector<std::complex<Real>> const& got, std::vector<Exact> const& expected) {
  long double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    worst = std::max(worst, std::abs(Exact(got[i]) - expected[i]));
  return static_cast<double>(worst);
}

/// Forward transforms of random shapes, scaled and multiplied by a table.
template <class Real>
void expect_transforms(double bound, Windows const& windows) {
  Random random(1);
  int stacks = 0;
  for (int round = 0; round < 120; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 5), 2000);
    SCOPED_TRACE(to_string(shape));
    std::vector<int> const axes = cases::random_axes(random, shape.size());
    Index const points = volume(shape);
    std::vector<Exact> whole = oracle::values(points, 1), table = oracle::values(points, 2);
    std::vector<std::complex<Real>> input(whole.begin(), whole.end());
    std::vector<std::complex<Real>> const factors(table.begin(), table.end());
    // The last transform scales: there must be one.
    double const scale =
        schedule::schedule({.input = Layout::slab(shape, 1), .axes = axes}).stages.empty() ? 1
                                                                                           : 0.5;
    Mode const mode{.scale = scale, .table = random.once_in(2) ? factors.data() : nullptr};
    oracle::transform_along(whole, shape, axes, -1);
    for (std::size_t i = 0; i < whole.size(); ++i)
      whole[i] *= static_cast<long double>(scale) * (mode.table ? table[i] : Exact(1));
    program::Program const program =
        program_of(shape, axes, Index{1} << random.between(0, 14), sizeof(Real));
    for (program::Step const& step : program.steps)
      stacks += std::get<program::Sweep>(step.work).stacked.empty() ? 0 : 1;
    ASSERT_TRUE(program.takes_table());
    EXPECT_LT(difference(run<Real>(program, input, mode, windows), whole),
              bound * static_cast<double>(points));
  }
  EXPECT_GT(stacks, 0) << "no sweep went through what is stacked one after the other";
}

void in_turn(SweepRunner const& sweep, void const* source, void* target, Mode const& mode) {
  run_alone(sweep, 0, sweep.extent(), source, target, mode);
}

TEST(sweep_runner, computes_the_transform_in_either_precision) {
  expect_transforms<double>(1e-14, in_turn);
  expect_transforms<float>(1e-5, in_turn);
}

TEST(sweep_runner, runs_any_range_of_counts_in_any_order) {
  Random random(2);
  expect_transforms<double>(
      1e-14, [&](SweepRunner const& sweep, void const* source, void* target, Mode const& mode) {
        std::vector<Index> cuts{0, sweep.extent()};
        for (int i = 0; i < 3; ++i) cuts.push_back(random.between(Index{0}, sweep.extent()));
        std::sort(cuts.begin(), cuts.end());
        std::vector<std::size_t> ranges;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) ranges.push_back(i);
        random.shuffle(ranges);
        for (std::size_t i : ranges) run_alone(sweep, cuts[i], cuts[i + 1], source, target, mode);
      });
}

TEST(sweep_runner, runs_windows_at_once_on_threads_of_the_callers) {
  expect_transforms<double>(
      1e-14, [](SweepRunner const& sweep, void const* source, void* target, Mode const& mode) {
        std::vector<std::thread> threads;
        constexpr Index of_them = 3;
        for (Index i = 0; i < of_them; ++i)
          threads.emplace_back([&, i] {
            run_alone(sweep, sweep.extent() * i / of_them, sweep.extent() * (i + 1) / of_them,
                      source, target, mode);
          });
        for (std::thread& thread : threads) thread.join();
      });
}

/// Interleaved fields: columns of 2 to 30 elements side by side, which are gathered.
template <class Real>
void expect_fields(double bound) {
  for (Index fields : {2, 3, 5, 8, 15, 30}) {
    for (std::vector<int> const& axes : {std::vector<int>{2}, {1, 2}, {0, 2}, {0, 1, 2}}) {
      Shape const shape{5, 19, 16, fields};
      SCOPED_TRACE(to_string(shape));
      std::vector<Exact> whole = oracle::values(volume(shape), 1);
      std::vector<Exact> const table = oracle::values(volume(shape), 2);
      std::vector<std::complex<Real>> const input(whole.begin(), whole.end());
      std::vector<std::complex<Real>> const factors(table.begin(), table.end());
      oracle::transform_along(whole, shape, axes, -1);
      for (std::size_t i = 0; i < whole.size(); ++i) whole[i] *= table[i];
      program::Program const program = program_of(shape, axes, Index{1} << 18, sizeof(Real));
      EXPECT_LT(difference(run<Real>(program, input, {.table = factors.data()}, in_turn), whole),
                bound);
    }
  }
}

TEST(sweep_runner, transforms_interleaved_fields) {
  expect_fields<double>(1e-11);
  expect_fields<float>(1e-2);
}

TEST(runs, of_any_size_are_copied_and_nothing_else) {
  constexpr Index rows = 37, columns = 3;
  for (Index bytes = 4; bytes <= 200; ++bytes) {
    for (Index gap : {0, 5}) {
      Spacing const source{bytes, rows * bytes + 7}, target{columns * (bytes + gap), bytes + gap};
      std::vector<std::byte> from(static_cast<std::size_t>(columns * source.column));
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = std::byte(i * 7 % 251);
      std::vector<std::byte> to(static_cast<std::size_t>(rows * target.row)), expected = to;
      for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column)
          std::copy_n(from.begin() + row * source.row + column * source.column, bytes,
                      expected.begin() + row * target.row + column * target.column);
      copy_runs(from.data(), source, to.data(), target, {rows, columns, bytes});
      EXPECT_TRUE(to == expected) << bytes << " bytes, " << gap << " between";
    }
  }
}

TEST(sweep_runner, of_nothing_has_no_counts) {
  Layout const layout = Layout::slab({3, 4}, 5);  // the last two ranks have nothing
  program::Program const program =
      program::compile(schedule::schedule({.input = layout, .output = layout}), 4);
  Kernels kernels;
  for (program::Step const& step : program.steps)
    if (auto const* sweep = std::get_if<program::Sweep>(&step.work)) {
      EXPECT_EQ(SweepRunner(*sweep, kernels, 8).extent(), 0);
    }
}

}  // namespace
}  // namespace sixstep::sweep
