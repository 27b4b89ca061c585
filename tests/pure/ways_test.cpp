// SPDX-License-Identifier: BSD-3-Clause
// Ways: of the exchanges in windows, those that let passes and exchanges overlap.
#include "program/ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "cases.hpp"
#include "decision/media.hpp"
#include "layout/fields.hpp"
#include "program/compile.hpp"
#include "schedule/search.hpp"

namespace sixstep::program {
namespace {

/// How many quarters of the steps before steps wait for, on all ranks, with as many work arrays as
/// in turn.
Index waits_of(schedule::Problem const& problem, Limits const& limits, Arrays const& arrays) {
  schedule::Schedule const made = schedule::schedule(problem);
  ToCompile const job{made, arrays, limits, {}};
  ToCompile in_turn = job;
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

/// Whether step i waits until all windows of an earlier one have ended.
bool waits_for_all_of(Step const& step, std::size_t i) {
  return std::find(step.after_all_of.begin(), step.after_all_of.end(), i) !=
             step.after_all_of.end() ||
         step.behind == i;
}

/// Whether a sweep leaves less than it reads.
bool leaves_less(Sweep const& sweep) {
  Pass const& first = sweep.passes.front();
  Pass const& last = sweep.passes.back();
  return first.box.volume() * layout::reals_of(first.source_number) >
         last.target_box.volume() * layout::reals_of(last.target_number);
}

/// Expects that no step writes where a sweep in place that leaves less than it reads still reads,
/// and returns how many might.
int expect_none_behind_what_shrinks(Program const& program) {
  int found = 0;
  for (std::size_t c2r = 0; c2r < program.steps.size(); ++c2r) {
    auto const* sweep = std::get_if<Sweep>(&program.steps[c2r].work);
    Buffer const buffer = program.steps[c2r].source;
    if (!sweep || program.steps[c2r].target != buffer || !leaves_less(*sweep)) continue;
    for (std::size_t i = c2r + 1; i < program.steps.size(); ++i) {
      if (program.steps[i].target != buffer || program.steps[i].source == buffer) continue;
      EXPECT_TRUE(waits_for_all_of(program.steps[i], c2r)) << "step " << i;
      ++found;
    }
  }
  return found;
}

TEST(ways, behind_a_c2r_in_place_wait_until_all_of_its_input_is_read) {
  int found = 0;
  for (Shape const& shape : {Shape{6, 38}, Shape{8, 10}, Shape{5, 12}})
    for (Index cyclic : {0, 1})
      for (bool in_arrays : {false, true}) {
        auto const first = cyclic == 1 ? Distribution::cyclic : Distribution::block;
        schedule::Problem const problem{
            .input = Layout::grid(shape, {2, 2}, {first, Distribution::block}),
            .output = Layout::slab({shape[0], shape[1] / 2 + 1}, 4, 1),
            .axes = {1, 0},
            .kinds = {Kind::r2c, Kind::c2c}};
        schedule::Schedule const backward = schedule::reverse(schedule::schedule(problem));
        for (int rank = 0; rank < 4; ++rank)
          for (Arrays const& arrays : {two, lost, in_place})
            found += expect_none_behind_what_shrinks(
                compile(backward, rank, {.exchange_windows = 3, .in_arrays = in_arrays}, arrays));
      }
  EXPECT_GT(found, 0);
}

TEST(ways, behind_a_transform_in_place_that_drops_modes_too) {
  schedule::Problem problem{.input = with_fields(Layout::slab({100, 2}, 3), 1, Storage::blocks),
                            .axes = {0},
                            .kinds = {Kind::r2c},
                            .modes = {6}};
  problem.never_split = problem.kept_whole = 2;
  problem.is_inner = true;
  schedule::Schedule const forward = schedule::schedule(problem);
  schedule::AtPoints const three_fields{
      .axis = forward.input.view.digits[2][0], .mixes = true, .before = 1, .after = 3};
  schedule::Schedule const there_and_back = schedule::joined(
      {schedule::Half{forward}, three_fields, schedule::Half{schedule::reverse(forward), true}});
  int found = 0;
  for (int rank = 0; rank < 2; ++rank)
    found += expect_none_behind_what_shrinks(
        compile(there_and_back, rank, {.exchange_windows = 4, .in_arrays = false}, in_place));
  EXPECT_GT(found, 0);
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
    limits.media = decision::used_media(
        decision::suitable_media(made.ends(), made.real_bytes, limits.nodes, {}), limits.nodes);
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
