// SPDX-License-Identifier: BSD-3-Clause
// Ways: of the exchanges in windows, those that let passes and exchanges overlap.
#include "program/ways.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "cases.hpp"
#include "exchange/medium.hpp"
#include "program/compile.hpp"
#include "schedule/search.hpp"

namespace sixstep::program {
namespace {

/// How many quarters of the steps before steps wait for, on all ranks, with as many work arrays as
/// in turn.
Index waits_of(schedule::Problem const& problem, Limits const& limits, Arrays const& arrays) {
  schedule::Schedule const made = schedule::schedule(problem);
  Job const job{made, arrays, limits, {}};
  Job in_turn = job;
  in_turn.limits.exchange_windows = 1;
  Chosen const chosen = choose_ways(job);
  EXPECT_EQ(chosen.exchange_windows, limits.exchange_windows);
  Index waits = 0;
  for (int rank = 0; rank < problem.input.ranks(); ++rank) {
    Index const most = make_program(in_turn, rank, chosen.in_turn).value().cost.reals;
    waits += make_program(job, rank, chosen.ways, {}, most).value().cost.waits;
  }
  return waits;
}

constexpr Arrays two{}, lost{.preserve_input = false}, in_place{.in_place = true};

TEST(ways, of_slabs_pencils_and_lines_let_nothing_wait) {
  auto const expect_none = [](Layout const& input, bool natural, Arrays const& arrays) {
    schedule::Problem problem{.input = input};
    if (natural) problem.output = input;
    EXPECT_EQ(waits_of(problem, {.exchange_windows = 8}, arrays), 0)
        << input.describe() << (natural ? ", natural" : "") << (arrays.in_place ? ", in place" : "")
        << (arrays.preserve_input ? "" : ", input lost");
  };
  expect_none(Layout::pencil({48, 48, 48}, 6), false, in_place);
  for (int ranks : {4, 6}) {
    for (bool natural : {false, true}) {
      for (Arrays const& arrays : {two, lost, in_place})
        expect_none(Layout::slab({48, 48, 48}, ranks), natural, arrays);
      expect_none(Layout::pencil({48, 48, 48}, ranks), natural, two);
    }
  }
  for (Arrays const& arrays : {two, in_place})
    expect_none(Layout::slab({1 << 14}, 4), true, arrays);
}

/// Expects that a window waits only for windows up to the same number.
void expect_pace(Windows after, int window) {
  EXPECT_LE(static_cast<int>(std::bit_width(after)), window + 1);
}

TEST(ways, of_pencils_on_a_square_grid_wait_for_no_later_window) {
  for (int width : {2, 3}) {
    schedule::Schedule const made =
        schedule::schedule({.input = Layout::grid({48, 48, 48}, {width, width, 1})});
    for (int rank = 0; rank < width * width; ++rank) {
      Program const program = compile(made, rank, {.exchange_windows = 8}, two);
      EXPECT_TRUE(program.flows);
      for (Step const& step : program.steps) {
        EXPECT_TRUE(step.after_all_of.empty());
        if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
          int window = 0;
          for (Windows const after : sweep->after) expect_pace(after, window++);
        }
        if (auto const* move = std::get_if<Move>(&step.work)) {
          for (redistribution::Message const& message : move->moves->receive.messages)
            expect_pace(message.after, message.before);
        }
      }
    }
  }
}

TEST(ways, lead_to_buffers_on_every_rank_however_boxes_differ) {
  cases::Random random(1);
  for (int round = 0; round < 100; ++round) {
    int const ranks = random.between(6, 12);
    Shape const shape = cases::random_shape(random, random.between(3, 4), 20000);
    Layout const home = cases::random_layout(random, shape, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round << ": " << home.describe());
    schedule::Schedule const made = schedule::schedule({.input = home, .output = home});
    // Nodes of one rank, which exchange in two hops, however long messages are.
    Limits limits;
    limits.nodes.network = {1e-5, 1e12};
    for (int rank = 0; rank < ranks; ++rank) {
      limits.nodes.node.push_back(rank);
      limits.nodes.segment.push_back(0);
    }
    limits.media = exchange::choose_media(made.ends(), made.real_bytes, limits.nodes, {});
    for (int rank = 0; rank < ranks; ++rank)
      for (Arrays const& arrays : {two, lost}) ASSERT_NO_THROW(compile(made, rank, limits, arrays));
  }
}

TEST(ways, of_packed_messages_alone_wait) {
  schedule::Problem const pencils{.input = Layout::pencil({128, 128, 128}, 4)};
  EXPECT_GT(waits_of(pencils, {.exchange_windows = 16, .in_arrays = false}, two), 0);
}

}  // namespace
}  // namespace sixstep::program
