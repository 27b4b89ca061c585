// SPDX-License-Identifier: BSD-3-Clause
// Prices of steps and windows, by the figures of a machine.
#include "model/price.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "prices.hpp"
#include "program/compile.hpp"
#include "program/ways.hpp"
#include "tuned.hpp"

namespace sixstep::model {
namespace {

using schedule::Problem;

StepPrice first_exchange(Price const& prediction) {
  for (StepPrice const& step : prediction.steps)
    if (step.communicates) return step;
  return {};
}

// Steps.

TEST(passes, take_time_for_memory_and_for_arithmetic) {
  // Rows, then columns of a plane in cache; then columns from strips to strips.
  Price const found = slabs({16, 16, 1 << 10}, 1, simple());
  double const n = 256 << 10, copy_s = 16 * n / 1e9;
  double const flops_s = 5 * n * (10 / (2 * 2e9) + 4 / 2e9 + 4 / 2e9);
  EXPECT_EQ(found.communication_s, 0);
  double seconds = flops_s;
  for (StepPrice const& step : found.steps) {
    EXPECT_FALSE(step.communicates);
    EXPECT_EQ(step.bytes, 2 * 16 * n);
    seconds += copy_s;
  }
  // Of the sides of two passes at most one pass has strips.
  EXPECT_GE(found.seconds, seconds * (1 - rounding));
  EXPECT_LE(found.seconds, (seconds + 2 * copy_s) * (1 + rounding));
}

TEST(passes, by_strips_take_as_much_longer_as_the_machine_says) {
  schedule::Problem rows{.input = Layout::slab({4096, 4096}, 1), .axes = {1}};
  schedule::Problem columns{.input = Layout::slab({4096, 4096}, 1), .axes = {0}};
  Machine on = simple();
  on.double_gflops = {};
  double const copy_s = 16 * 4096.0 * 4096 / 1e9;
  EXPECT_LE(apart(priced(rows, on).seconds, copy_s), rounding);
  EXPECT_LE(apart(priced(columns, on).seconds, 2 * copy_s), rounding);
  on.memory->cache_bytes = 2 * 16 * 4096.0 * 4096;
  EXPECT_EQ(priced(columns, on).seconds, 0);
}

/// As it would be measured: a rank alone copies half as fast as all four together.
Machine measured() {
  Machine on = simple();
  on.network.reset();
  on.memory->together = {Curve::Points{{1 << 10, 4e9}, {1 << 20, 1e9}}, 0.5};
  on.memory->alone = Copies{Curve::Points{{1 << 10, 8e9}, {1 << 20, 2e9}}, 0.5};
  on.double_gflops = {};
  return on;
}

TEST(passes, copy_as_fast_as_arrays_of_their_size_are_copied) {
  Machine const on = measured();
  auto const seconds = [&](Index points) {
    return priced({.input = Layout::slab({points, 4}, 1), .axes = {1}}, on).seconds;
  };
  EXPECT_LE(apart(seconds(8), 8 * 4 * 16 / 8e9), rounding) << "1 KiB in both arrays";
  EXPECT_LE(apart(seconds(256), 256 * 4 * 16 / 5e9), rounding) << "half way, in the logarithm";
  EXPECT_LE(apart(seconds(1 << 20), (4 << 20) * 16 / 2e9), rounding);
}

TEST(passes, add_memory_and_arithmetic_of_a_core_unless_all_cores_wait_for_memory) {
  Machine on = measured();
  on.double_gflops.rows = 0.1;
  Index const planes = 1 << 14;
  auto const seconds = [&](int ranks) {
    Layout const input = Layout::slab({planes, 16}, ranks);
    return priced({.input = input, .axes = {1}}, on).seconds;
  };
  double const bytes = 16 * 16.0 * planes, flops = 5 * 16 * 4.0 * planes;
  EXPECT_LE(apart(seconds(4), bytes / 4 / 2e9 + flops / 4 / 0.2e9), rounding);
  on.double_gflops.rows = 100;
  EXPECT_LE(apart(seconds(4), bytes / 4 / 1e9), rounding) << "four at once";
  EXPECT_LE(apart(seconds(1), bytes / 2e9 + flops / 200e9), rounding) << "one has them to itself";
  on.node_cores = 2;
  on.memory->together.copied_bytes_per_s = Curve::Points{{1, 1e12}};
  EXPECT_LE(apart(seconds(4), bytes / 4 / 1e9 + flops / 4 / 50e9), rounding) << "half a core each";
}

TEST(passes, that_copy_fetch_the_lines_that_they_write) {
  Machine on = measured();
  on.memory->alone.reset();
  Layout const input = Layout::slab({64, 64, 64}, 4);
  // By messages there and back, and then to where all was.
  StepPrice const last = priced({.input = input, .output = input}, on).steps.back();
  ASSERT_EQ(last.what, "reorder");
  EXPECT_LE(apart(last.seconds, 1.5 * last.bytes / 2 / 1e9), rounding);
}

TEST(passes, of_a_program_take_as_long_one_by_one) {
  Machine const on = machine("t2k-tsukuba");
  int const ranks = 32;
  for (bool const reals : {false, true}) {
    schedule::Problem problem{.input = Layout::grid({60, 64, 70}, {4, 8, 1})};
    if (reals) problem.kinds = {Kind::c2c, Kind::c2c, Kind::r2c};
    schedule::Schedule const schedule = schedule::schedule(problem);
    double all = 0;
    for (program::Step const& step : program::compile(schedule, 0).steps)
      if (auto const* sweep = std::get_if<program::Sweep>(&step.work))
        all += price(*sweep, ranks, sizeof(double), on).seconds;
    EXPECT_LE(apart(all, priced(problem, on).computation_s), rounding);
  }
}

TEST(passes, of_a_rank_without_points_take_no_time) {
  schedule::Schedule const schedule = schedule::schedule({.input = Layout::slab({4, 4, 4}, 9)});
  for (program::Step const& step : program::compile(schedule, 8).steps)
    if (auto const* sweep = std::get_if<program::Sweep>(&step.work)) {
      EXPECT_EQ(price(*sweep, 9, sizeof(double), simple()).seconds, 0);
    }
}

TEST(rates, are_those_of_rows_windows_strips_twiddles_and_reals) {
  Machine on = simple();
  on.memory.reset();
  on.network.reset();
  on.double_gflops = {.rows = 1, .columns = 2, .strips = 4, .twiddled = 8, .reals = 16};
  double const flops = 5 * 256 * 256 * 8.0, core = 2e9;
  auto const seconds = [&](schedule::Problem const& problem) {
    return priced(problem, on).seconds;
  };
  Layout const plane = Layout::slab({256, 256}, 1), volume = Layout::slab({4, 128, 128}, 1);
  EXPECT_LE(apart(seconds({.input = plane, .axes = {1}}), flops / core), rounding);
  EXPECT_LE(apart(seconds({.input = plane, .axes = {0}}), flops / core / 4), rounding);
  EXPECT_LE(apart(seconds({.input = plane, .axes = {1}, .kinds = {Kind::r2c}}), flops / core / 32),
            rounding);
  // Rows, then columns of a window.
  EXPECT_LE(apart(seconds({.input = volume, .axes = {1, 2}}),
                  5 * 4 * 128 * 128 * 7 * (1 + 1.0 / 2) / core),
            rounding);
  // Strips with a twiddle, then rows or strips without.
  Price const axis = priced({.input = Layout::slab({1 << 20}, 1)}, on);
  ASSERT_EQ(axis.steps.size(), 2u);
  EXPECT_LE(apart(axis.steps[0].seconds, 5 * 10 * (1 << 20) / core / 8), rounding);
}

TEST(passes, of_reals_have_half_the_flops) {
  Machine on = simple();
  on.memory.reset();
  Layout const input = Layout::slab({64, 256}, 1);
  double const complex = priced({.input = input, .axes = {1}}, on).seconds;
  double const flops = 5 * 64 * 256 * 8.0;
  EXPECT_LE(apart(complex, flops / (2 * 2e9)), rounding);
  for (Kind kind : {Kind::r2c, Kind::dct2})
    EXPECT_LE(
        apart(priced({.input = input, .axes = {1}, .kinds = {kind}}, on).seconds, complex / 2),
        rounding);
}

TEST(rates, lie_on_lines_between_logarithms) {
  Machine const on = simple();
  auto const rate = [&](Index n) { return kernel_flops_per_s(on, n, 8) / 2e9; };  // two cores
  EXPECT_DOUBLE_EQ(rate(16), 1);
  EXPECT_DOUBLE_EQ(rate(64), 1.5);
  EXPECT_DOUBLE_EQ(rate(256), 2);
  EXPECT_DOUBLE_EQ(rate(2), 1);
  EXPECT_DOUBLE_EQ(rate(1 << 20), 2);
  EXPECT_DOUBLE_EQ(kernel_flops_per_s(on, 1 << 20, 4), 8e9);
}

TEST(exchanges, tell_messages_inside_a_node_from_those_that_leave_it) {
  Machine on = simple();
  on.memory.reset();
  on.double_gflops = {};
  // Of 7 messages of 1 KiB 3 stay on the node; the others share 4e9 bytes/s with 3 ranks.
  Price const found = slabs({8, 8, 64}, 8, on);
  EXPECT_LE(apart(found.seconds, 3 * (1e-6 + 1024 / 4e9) + 4 * (1e-5 + 1024 / 1e9)), rounding);
  EXPECT_EQ(first_exchange(found).messages, 7);
  EXPECT_EQ(first_exchange(found).bytes, 7 * 1024);
  // At another leaf, of one node each, they have half of it.
  on.network->shape = FatTree{1, 0.5};
  EXPECT_LE(
      apart(slabs({8, 8, 64}, 8, on).seconds, 3 * (1e-6 + 1024 / 4e9) + 4 * (1e-5 + 1024 / 0.5e9)),
      rounding);
}

TEST(exchanges, have_fewer_bytes_between_nodes_where_messages_are_shortened) {
  Machine on = simple();
  on.memory.reset();
  on.double_gflops = {};
  program::Limits limits{.wire = {.tolerance = 1e-4, .form = {.bytes = 2, .block = 32}}};
  for (int rank = 0; rank < 8; ++rank) limits.wire.node.push_back(rank / 4);
  // 128 reals are two chunks of two scales and 64 integers of two bytes.
  Price const found = priced({.input = Layout::slab({8, 8, 64}, 8)}, on, limits);
  EXPECT_LE(apart(found.seconds, 3 * (1e-6 + 1024 / 4e9) + 4 * (1e-5 + 264 / 1e9)), rounding);
  EXPECT_EQ(first_exchange(found).bytes, 3 * 1024 + 4 * 264);
}

TEST(exchanges, by_nodes_are_priced_by_hop) {
  Machine on = machine("takahashi-formula");
  int const ranks = 64;
  program::Limits limits;
  for (int rank = 0; rank < ranks; ++rank) {
    limits.nodes.node.push_back(rank);
    limits.nodes.segment.push_back(0);
  }
  limits.media = {redistribution::Medium::by_nodes};
  // 7 and 7 messages of 8 KiB, not 63 of 1 KiB.
  Price const found = priced({.input = Layout::slab({64, 64, 64}, ranks)}, on, limits);
  EXPECT_LE(apart(found.seconds, 14 * (1e-5 + 8 * 1024 / 1e9)), rounding);
  EXPECT_EQ(first_exchange(found).messages, 14);
}

TEST(exchanges, in_memory_are_meetings) {
  Machine const on = simple();
  program::Limits limits{.media = {redistribution::Medium::in_memory}};
  limits.nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}};
  Price const found = priced({.input = Layout::slab({64, 64, 64}, 4)}, on, limits);
  EXPECT_GT(found.communication_s, 0);
  EXPECT_LT(found.communication_s, 1e-5);
}

TEST(exchanges, in_memory_cost_what_meetings_were_measured_to_take) {
  Machine on = simple();
  on.inside.meeting_s = 1;
  program::Limits limits{.media = {redistribution::Medium::in_memory}};
  limits.nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}};
  formulas::Composition const composition =
      formulas::compose({.input = Layout::slab({64, 64, 64}, 4)});
  EXPECT_EQ(price(composition, {limits}, on).communication_s, 1);
  EXPECT_EQ(price(composition, {limits}, on, {.in_segments = true}).communication_s, 2)
      << "nobody leaves while others read";
}

TEST(exchanges, have_the_bandwidth_of_their_messages) {
  Machine on = simple();
  on.memory.reset();
  on.double_gflops = {};
  on.inside.rank_bytes_per_s = Curve::Points{{1024, 1e9}, {4096, 3e9}};
  on.network->rank_bytes_per_s = Curve::Points{{1024, 0.1e9}, {4096, 2e9}};
  EXPECT_LE(
      apart(slabs({8, 8, 64}, 8, on).seconds, 3 * (1e-6 + 1024 / 1e9) + 4 * (1e-5 + 1024 / 0.1e9)),
      rounding);
}

TEST(exchanges, share_what_a_node_sends_in_messages_of_their_size) {
  Machine on = simple();
  on.network->node_bytes_per_s = Curve::Points{{1024, 1e9}, {4096, 4e9}};
  auto const rate = [&](double bytes) { return sent_bytes_per_s(on, 64, false, bytes); };
  EXPECT_DOUBLE_EQ(rate(8), 1e9 / 4);
  EXPECT_DOUBLE_EQ(rate(2048), 2.5e9 / 4);
  EXPECT_DOUBLE_EQ(rate(1 << 20), 1e9);
  for (double bytes = 8, last = 0; bytes < 1e6; last = rate(bytes), bytes *= 1.5)
    EXPECT_GE(rate(bytes), last) << bytes << ": it goes no other way than its points";
}

TEST(exchanges, between_nodes_need_a_network) {
  Machine on = simple();
  on.network.reset();
  EXPECT_NO_THROW(slabs({8, 8, 64}, 4, on));
  EXPECT_THROW(slabs({8, 8, 64}, 8, on), Error);
}

TEST(windows, leave_one_of_the_first_pass_and_one_of_the_last_uncovered) {
  Machine on = simple();
  on.node_ranks = 1;
  on.network->latency_s = 0;
  schedule::Problem const problem{.input = Layout::slab({64, 64, 64}, 4)};
  Price const in_turn = priced(problem, on), flow = priced(problem, on, {.exchange_windows = 8});
  EXPECT_LE(apart(in_turn.seconds, in_turn.communication_s + in_turn.computation_s), rounding);
  EXPECT_LE(apart(flow.communication_s, in_turn.communication_s), rounding);
  // Two passes, which take longer than the exchange: what is left of that is its last window.
  EXPECT_GT(flow.computation_s, flow.communication_s);
  EXPECT_LE(apart(flow.seconds, flow.computation_s + flow.communication_s / 8), rounding);
  on.network->node_bytes_per_s = 1e7;
  Price const slow = priced(problem, on, {.exchange_windows = 8});
  EXPECT_LE(apart(slow.seconds, slow.communication_s + slow.computation_s / 8), rounding);
}

TEST(windows, cost_a_latency_for_each_pair) {
  Machine const on = machine("takahashi-formula");
  schedule::Problem const problem{.input = Layout::slab({64, 64, 64}, 4)};
  double const in_turn = priced(problem, on).seconds;
  EXPECT_NEAR(priced(problem, on, {.exchange_windows = 8}).seconds,
              in_turn + 3 * (8 * 8 - 1) * on.network->latency_s, 1e-12);
}

TEST(windows, do_not_hide_what_messages_cost_the_thread_that_computes) {
  Machine on = simple();
  on.node_ranks = 1;
  Problem const problem{.input = Layout::slab({64, 64, 64}, 4)};
  Price const free = priced(problem, on, {.exchange_windows = 4});
  on.network->overhead_s = on.network->latency_s / 2;
  Price const busy = priced(problem, on, {.exchange_windows = 4});
  EXPECT_EQ(busy.communication_s, free.communication_s) << "it is a part of the latency";
  double const messages = 3 * 4 * 4, overhead_s = messages * on.network->overhead_s;
  EXPECT_LE(apart(first_exchange(busy).overhead_s, overhead_s), rounding);
  ASSERT_GT(busy.computation_s, busy.communication_s);
  EXPECT_LE(apart(busy.seconds,
                  busy.computation_s + overhead_s + (busy.communication_s - overhead_s) / 4),
            rounding);
}

// Simulated message by message, 256^3 points on 32 ranks of Blue Gene/Q: see docs/performance.md.
TEST(windows, are_fastest_in_as_many_as_simulated) {
  Machine const on = machine("bluegene-q");
  struct Simulated {
    Layout input;
    std::vector<double> seconds;  // in 1, 2, 4 and 8 windows
    std::size_t best;
  };
  for (auto const& [input, seconds, best] :
       {Simulated{Layout::slab({256, 256, 256}, 32), {6.50e-3, 5.50e-3, 5.60e-3, 8.15e-3}, 1},
        Simulated{
            Layout::grid({256, 256, 256}, {4, 8, 1}), {8.81e-3, 7.33e-3, 6.58e-3, 5.97e-3}, 3}}) {
    std::vector<double> found;
    for (int windows : {1, 2, 4, 8})
      found.push_back(priced({.input = input}, on, {.exchange_windows = windows}).seconds);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_LE(apart(found[i], seconds[i]), 0.2) << input.describe() << ' ' << i;
    auto const least = std::min_element(found.begin(), found.end()) - found.begin();
    EXPECT_EQ(static_cast<std::size_t>(least), best) << input.describe();
  }
}

TEST(windows, are_worth_messages_that_cost_little_more_than_long_ones) {
  // By these 256^3 points go in as many windows as are simulated to be fastest, or in half as many.
  EXPECT_EQ(shortest_worth_a_window(machine("bluegene-q"), 32), Index{1} << 14);
  EXPECT_EQ(shortest_worth_a_window(machine("t2k-tsukuba"), 32), Index{1} << 16);
  Machine on = simple();
  EXPECT_EQ(shortest_worth_a_window(on, 64), 4096) << "no overhead, one bandwidth";
  on.network->overhead_s = 1;
  EXPECT_EQ(shortest_worth_a_window(on, 64), 1 << 20);
  on.network.reset();
  EXPECT_EQ(shortest_worth_a_window(on, 64), std::nullopt);
}

TEST(passes, are_those_of_the_plans_tuning) {
  Machine const on = simple();
  formulas::Composition const composition =
      formulas::compose({.input = Layout::slab({64, 64, 64}, 1)});
  auto const seconds = [&](Tuning const& tuning) {
    return price(composition, {{.tuning = tuning}}, on).seconds;
  };
  // In a window of all columns those of the slowest axis lie in one run of memory.
  EXPECT_LT(seconds(tuned(&Tuning::least_lone_columns, 64 * 64,
                          tuned(&Tuning::most_lone_columns, 64 * 64))),
            seconds({}));
}

}  // namespace
}  // namespace sixstep::model
