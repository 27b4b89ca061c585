// SPDX-License-Identifier: BSD-3-Clause
// Traffic: the messages, passes, windows and buffers of programs, counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "program/compile.hpp"

namespace sixstep::program {
namespace {

using cases::Random;
using oracle::at;
using redistribution::Message;

constexpr Distribution cyclic = Distribution::cyclic;

std::vector<Move> moves_of(Program const& program) {
  std::vector<Move> moves;
  for (Step const& step : program.steps)
    if (auto const* move = std::get_if<Move>(&step.work)) moves.push_back(*move);
  return moves;
}

int passes(schedule::Problem const& problem) {
  return compile(schedule::schedule(problem), 0).sweeps();
}

// Messages.

TEST(messages, of_4096_pencils_are_63_to_each_of_two_groups) {
  // P x Q ranks: P - 1 messages of 16 N / (P^2 Q) bytes, then Q - 1 of 16 N / (P Q^2).
  Index const points = Index{256} * 256 * 256, p = 64, q = 64;
  schedule::Schedule const made =
      schedule::schedule({.input = Layout::grid({256, 256, 256}, {64, 64, 1})});
  for (int rank : {0, 1, 63, 64, 2047, 4095}) {
    std::vector<Move> const moves = moves_of(compile(made, rank));
    ASSERT_EQ(moves.size(), 2u);
    std::set<int> partners;
    for (Move const& move : moves) {
      int to_others = 0;
      for (redistribution::Message const& message : move.moves->send.messages) {
        EXPECT_EQ(message.count, points / (p * p * q));
        if (message.rank == rank) continue;
        ++to_others;
        partners.insert(message.rank);
      }
      EXPECT_EQ(to_others, 63);
      EXPECT_EQ(redistribution::group_of(move.from, move.to, rank).size(), 64u);
    }
    EXPECT_EQ(partners.size(), 126u) << "a row and a column of the grid";
    for (int partner : partners)
      EXPECT_TRUE(partner / 64 == rank / 64 || partner % 64 == rank % 64);
  }
}

TEST(messages, of_rectangular_grids_have_the_size_that_the_grid_gives_them) {
  Index const points = 64 * 64 * 64;
  for (auto const& [p, q] : {std::pair{2, 8}, std::pair{8, 2}, std::pair{4, 4}}) {
    schedule::Schedule const made =
        schedule::schedule({.input = Layout::grid({64, 64, 64}, {p, q, 1})});
    std::vector<Move> const moves = moves_of(compile(made, 0));
    ASSERT_EQ(moves.size(), 2u);
    std::multiset<Index> found, expected{points / (p * p * q), points / (p * q * q)};
    std::multiset<std::size_t> numbers;
    for (Move const& move : moves) {
      found.insert(move.moves->send.messages[0].count);
      numbers.insert(move.moves->send.messages.size());
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(numbers, (std::multiset<std::size_t>{static_cast<std::size_t>(p),
                                                   static_cast<std::size_t>(q)}));
  }
}

TEST(messages, of_slabs_carry_all_but_one_part_of_the_array) {
  for (int ranks : {2, 4, 8, 16}) {
    schedule::Schedule const made =
        schedule::schedule({.input = Layout::slab({64, 64, 64}, ranks)});
    Index sent = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (Move const& move : moves_of(compile(made, rank)))
        for (redistribution::Message const& message : move.moves->send.messages)
          if (message.rank != rank) sent += message.count;
    Index const points = 64 * 64 * 64;
    EXPECT_EQ(sent, points / ranks * (ranks - 1)) << ranks;
  }
}

// Passes.

TEST(passes, of_3d_slabs_are_two) {
  EXPECT_EQ(passes({.input = Layout::slab({64, 64, 64}, 8)}), 2);
}

TEST(passes, of_pencils_are_one_an_axis) {
  EXPECT_EQ(passes({.input = Layout::pencil({64, 64, 64}, 16)}), 3);
}

TEST(passes, of_one_rank_are_at_most_one_an_axis) {
  EXPECT_LE(passes({.input = Layout::slab({64, 64, 64}, 1)}), 2);
  EXPECT_EQ(passes({.input = Layout::slab({64, 64}, 1), .axes = {1}}), 1);
}

TEST(passes, of_several_fields_are_as_few_as_of_one) {
  auto const alone = [](Shape const& shape, std::vector<int> const& axes, int ranks, int split) {
    Layout const slab = Layout::slab(shape, ranks, split);
    return passes({.input = slab, .output = slab, .axes = axes});
  };
  EXPECT_EQ(alone({256, 256, 256}, {}, 1, 0), 2);
  EXPECT_EQ(alone({16, 256, 256, 256}, {1, 2, 3}, 1, 0), 2);
  EXPECT_EQ(alone({3, 3, 256, 256, 256}, {2, 3, 4}, 1, 0), 2);
  EXPECT_EQ(alone({256, 256, 256, 3}, {0, 1, 2}, 1, 0), 2);
  EXPECT_EQ(alone({256, 256, 256}, {}, 4, 0), 3);
  EXPECT_EQ(alone({3, 256, 256, 256}, {1, 2, 3}, 4, 1), 3);
  EXPECT_EQ(alone({50, 32, 32, 32}, {1, 2, 3}, 1, 0), 1);  // each fits in cache
}

TEST(passes, of_reals_are_as_few) {
  Layout const slab = Layout::slab({64, 64, 64}, 8), pencil = Layout::pencil({64, 64, 64}, 16);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::r2c}}), 2);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::r2c}, .padded = true}), 2);
  EXPECT_EQ(passes({.input = pencil, .kinds = {Kind::r2c}}), 3);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::dct2}}), 2);
  EXPECT_EQ(passes({.input = slab, .axes = {2, 1, 0}, .kinds = {Kind::r2c, Kind::dct1, Kind::c2c}}),
            2);
}

TEST(passes, over_padded_rows_need_no_work_array_where_nothing_moves) {
  schedule::Problem const problem{
      .input = Layout::slab({64, 64, 64}, 8), .axes = {1, 2}, .kinds = {Kind::r2c}, .padded = true};
  schedule::Schedule const forward = schedule::schedule(problem);
  for (schedule::Schedule const& made : {forward, schedule::reverse(forward)}) {
    Program const program = compile(made, 0);
    EXPECT_EQ(program.sweeps(), 1);
    EXPECT_EQ(program.all_work_reals(), 0);
  }
}

TEST(passes, from_cyclic_to_cyclic_are_two) {
  Layout const layout = Layout::grid({1 << 16}, {16}, {cyclic});
  EXPECT_EQ(passes({.input = layout, .output = layout}), 2);
}

/// Passes and work arrays of a slab transform on one node.
std::pair<int, double> cost_on_a_node(bool natural_output, Arrays const& arrays) {
  Layout const slab = Layout::slab({64, 64, 128}, 4);
  schedule::Problem problem{.input = slab};
  if (natural_output) problem.output = slab;
  Limits const limits{
      .media = {redistribution::Medium::in_memory, redistribution::Medium::in_memory},
      .nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}}};
  Program const program = compile(schedule::schedule(problem), 0, limits, arrays);
  for (Move const& move : moves_of(program)) EXPECT_TRUE(move.way.resting);
  return {program.sweeps(),
          static_cast<double>(program.all_work_reals()) / static_cast<double>(program.input_reals)};
}

TEST(passes, on_one_node_are_as_few_as_memory_allows) {
  using Cost = std::pair<int, double>;
  Arrays const apart{}, common{.in_segments = true}, given_up{false, true, false};
  Arrays const in_place{.in_place = true}, in_place_in_common{true, true};
  EXPECT_EQ(cost_on_a_node(false, apart), Cost(2, 1));
  EXPECT_EQ(cost_on_a_node(true, apart), Cost(3, 1));
  EXPECT_EQ(cost_on_a_node(false, common), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(true, common), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(false, given_up), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(false, in_place), Cost(2, 1));
  EXPECT_EQ(cost_on_a_node(true, in_place_in_common), Cost(2, 0));
}

TEST(passes, in_windows_take_a_fraction_of_a_work_array) {
  Layout const slab = Layout::slab({64, 64, 128}, 4);
  schedule::Schedule const made = schedule::schedule({.input = slab, .output = slab});
  for (bool on_a_node : {false, true}) {
    Limits limits{.windows = 16};
    if (on_a_node) {
      limits.media = {redistribution::Medium::in_memory, redistribution::Medium::in_memory};
      limits.nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}};
    }
    Program const program = compile(made, 0, limits, Arrays{.in_place = true});
    EXPECT_EQ(program.sweeps(), 4);
    EXPECT_EQ(program.all_work_reals(), program.input_reals / (on_a_node ? 16 : 8));
  }
}

// Steps.

TEST(programs, scale_in_one_pass_only) {
  Random random(2);
  for (int round = 0; round < cases::rounds(100); ++round) {
    Shape const shape = cases::random_shape(random, 3, 120);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 6));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      schedule::Schedule const made = schedule::schedule({.input = layout});
      int scaled = 0, transforms = 0;
      for (Step const& step : compile(made, rank).steps) {
        if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
          for (Pass const& pass : sweep->passes) {
            scaled += pass.scales ? 1 : 0;
            transforms += pass.axis ? 1 : 0;
            EXPECT_TRUE(!pass.scales || pass.axis);
          }
        }
      }
      EXPECT_EQ(scaled, transforms > 0 ? 1 : 0) << cases::describe(layout);
    }
  }
}

TEST(programs, keep_scratch_large_enough_for_a_window) {
  Random random(3);
  for (int round = 0; round < cases::rounds(200); ++round) {
    Shape const shape = cases::random_shape(random, 4, 2000);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 4));
    schedule::Schedule const made =
        schedule::schedule({.input = layout, .axes = cases::random_axes(random, 4)});
    Index const cache_bytes = random.between(Index{64}, Index{8192});
    Limits const limits{.cache_bytes = cache_bytes,
                        .last_cache_bytes = 4 * cache_bytes,
                        .threads = random.between(1, 3)};
    for (Step const& step : compile(made, 0, limits).steps) {
      auto const* sweep = std::get_if<Sweep>(&step.work);
      if (!sweep) continue;
      for (Pass const& pass : sweep->passes) {
        for (layout::Piece const& piece : pass.to_scratch ? pass.target : layout::Pieces{}) {
          Index last = piece.offset;
          for (int axis = 0; axis < made.shape.size(); ++axis) {
            Index counts = piece.box.ranges[axis].count();
            if (axis == sweep->window_axis) counts = std::min(counts, sweep->window);
            if (sweep->stacked_counts(axis) > 0)
              counts = std::min(counts, sweep->stacked_counts(axis));
            last += (counts - 1) * piece.strides[axis];
          }
          EXPECT_LT(reals_of(pass.target_number) * last, sweep->scratch_reals)
              << cases::describe(layout);
        }
      }
    }
  }
}

// Windows.

TEST(windows, cover_the_box) {
  for (int threads : {1, 2, 5}) {
    for (Index cache : {Index{1}, Index{4096}, Index{1} << 20}) {
      schedule::Schedule const made = schedule::schedule({.input = Layout::slab({30, 28, 26}, 2)});
      for (Step const& step : compile(made, 0, {.cache_bytes = cache, .threads = threads}).steps) {
        auto const* sweep = std::get_if<Sweep>(&step.work);
        if (!sweep || sweep->window_axis < 0) continue;
        Index const extent = sweep->passes[0].box.ranges[sweep->window_axis].count();
        EXPECT_GE(sweep->windows() * sweep->window, extent);
        EXPECT_LT((sweep->windows() - 1) * sweep->window, extent);
      }
    }
  }
}

TEST(windows, of_several_passes_never_cut_rows) {
  Random random(5);
  int together = 0;
  for (int round = 0; round < cases::rounds(200); ++round) {
    Shape const shape = cases::random_shape(random, 4, 20000);
    Layout const layout = Layout::slab(shape, 1);
    schedule::Schedule const made = schedule::schedule(
        {.input = layout, .output = layout, .axes = cases::random_axes(random, 4)});
    int contiguous = -1;
    for (int axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] > 1) contiguous = axis;
    for (Step const& step : compile(made, 0, {.threads = random.between(1, 3)}).steps) {
      auto const* sweep = std::get_if<Sweep>(&step.work);
      if (!sweep || sweep->passes.size() < 2) continue;
      ++together;
      EXPECT_NE(sweep->window_axis, contiguous) << cases::describe(layout);
    }
  }
  EXPECT_GT(together, 20);
}

/// Fields side by side make short runs of a count along the last axis, so its windows would be
/// narrow.
TEST(windows, of_transforms_to_reals_are_planes_if_fields_lie_side_by_side) {
  Layout const layout = Layout::slab({32, 32, 32, 15}, 1);
  schedule::Schedule const made = schedule::reverse(schedule::schedule(
      {.input = layout, .axes = {0, 1, 2}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}}));
  Program const program = compile(made, 0, {.cache_bytes = 1 << 16, .last_cache_bytes = 1 << 19});
  ASSERT_EQ(program.steps.size(), 2u);
  auto const& sweep = std::get<Sweep>(program.steps[1].work);
  EXPECT_EQ(sweep.passes.size(), 2u);
  EXPECT_EQ(sweep.window_axis, 0);
}

/// The number of windows of the first sweep of a program for one rank.
int windows_of(Shape const& shape, std::vector<int> const& axes, Limits const& limits) {
  Layout const layout = Layout::slab(shape, 1);
  Program const program =
      compile(schedule::schedule({.input = layout, .output = layout, .axes = axes}), 0, limits);
  return static_cast<int>(std::get<Sweep>(program.steps.front().work).windows());
}

TEST(windows, of_few_long_rows_are_shared_by_threads) {
  Limits const two{.cache_bytes = 1 << 18, .threads = 2};
  EXPECT_EQ(windows_of({16, 1024}, {1}, two), 4);
  EXPECT_EQ(windows_of({3, 4096}, {1}, two), 3);
}

TEST(windows, are_not_so_small_that_no_thread_is_worth_waking) {
  Limits const two{.cache_bytes = 1 << 18, .threads = 2};
  EXPECT_EQ(windows_of({16, 256}, {1}, two), 1);
  EXPECT_EQ(windows_of({32, 256}, {1}, two), 2);
  EXPECT_EQ(windows_of({16, 16, 16}, {0, 1, 2}, two), 1);
}

}  // namespace
}  // namespace sixstep::program
