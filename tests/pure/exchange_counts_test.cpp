// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of schedules: as many as the literature knows, of no more bytes than are needed, on
// ranks that are all busy.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "redistribution/redistribution.hpp"
#include "refuses.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {
namespace {

using cases::Random;
using oracle::at;

constexpr Distribution cyclic = Distribution::cyclic;

int exchanges(Layout const& input, std::optional<Layout> const& output = {},
              std::vector<int> const& axes = {}) {
  return schedule({.input = input, .output = output, .axes = axes}).exchanges();
}
int natural(Layout const& layout, std::vector<int> const& axes = {}) {
  return exchanges(layout, layout, axes);
}

TEST(exchanges, of_3d_slabs_are_one_and_two_if_the_output_lies_as_the_input) {
  for (int ranks : {2, 3, 8, 64}) {
    Layout const slab = Layout::slab({64, 64, 64}, ranks);
    EXPECT_EQ(exchanges(slab), 1) << ranks;
    EXPECT_EQ(natural(slab), 2) << ranks;
    EXPECT_EQ(exchanges(slab, Layout::slab({64, 64, 64}, ranks, 1)), 1) << ranks;
  }
}

TEST(exchanges, of_3d_pencils_are_two_and_three_if_the_output_lies_as_the_input) {
  // Volumetric decomposition: Takahashi (2010).
  for (int ranks : {4, 6, 16, 64}) {
    Layout const pencil = Layout::pencil({64, 64, 64}, ranks);
    EXPECT_EQ(exchanges(pencil), 2) << ranks;
    EXPECT_EQ(natural(pencil), 3) << ranks;
  }
}

TEST(exchanges, of_3d_bricks_are_three_and_four_if_the_output_lies_as_the_input) {
  for (int ranks : {8, 27, 64}) {
    Layout const brick = Layout::brick({240, 240, 240}, ranks);
    EXPECT_EQ(exchanges(brick), 3) << ranks;
    EXPECT_EQ(natural(brick), 4) << ranks;
  }
}

TEST(exchanges, of_2d_slabs_are_one_and_two_if_the_output_lies_as_the_input) {
  EXPECT_EQ(exchanges(Layout::slab({64, 64}, 8)), 1);
  EXPECT_EQ(natural(Layout::slab({64, 64}, 8)), 2);
}

TEST(exchanges, of_one_axis_in_order_are_three_and_two_in_transposed_order) {
  // Six-step: Bailey (1990).
  for (int ranks : {2, 4, 16}) {
    Layout const slab = Layout::slab({1 << 16}, ranks);
    EXPECT_EQ(natural(slab), 3) << ranks;
    EXPECT_EQ(exchanges(slab), 2) << ranks;
  }
}

TEST(exchanges, from_cyclic_to_cyclic_are_one) {
  // Inda and Bisseling (2001); in several dimensions Koopman and Bisseling (2023).
  EXPECT_EQ(natural(Layout::grid({1 << 16}, {16}, {cyclic})), 1);
  EXPECT_EQ(natural(Layout::grid({64, 64, 64}, {2, 2, 2}, {cyclic, cyclic, cyclic})), 1);
  EXPECT_EQ(natural(Layout::grid({1024, 1024}, {4, 4}, {cyclic, cyclic})), 1);
}

TEST(exchanges, on_one_rank_are_none) {
  EXPECT_EQ(natural(Layout::slab({16, 16, 16}, 1)), 0);
  EXPECT_EQ(exchanges(Layout::slab({1 << 16}, 1)), 0);
  EXPECT_EQ(natural(Layout::grid({64}, {1}, {cyclic})), 0);
}

TEST(exchanges, of_axes_that_are_whole_are_none) {
  EXPECT_EQ(natural(Layout::slab({16, 16, 16}, 8), {1, 2}), 0);
  EXPECT_EQ(natural(Layout::pencil({16, 16, 16}, 16), {2}), 0);
  EXPECT_EQ(exchanges(Layout::pencil({16, 16, 16}, 16), {}, {2}), 0);
}

TEST(exchanges, of_one_split_axis_are_one_and_two_if_the_output_lies_as_the_input) {
  EXPECT_EQ(exchanges(Layout::slab({64, 64, 64}, 8), {}, {0}), 1);
  EXPECT_EQ(natural(Layout::slab({64, 64, 64}, 8), {0}), 2);
  EXPECT_EQ(natural(Layout::pencil({64, 64, 64}, 16), {1}), 2);
}

TEST(exchanges, of_a_prime_length_gather_and_scatter) {
  EXPECT_EQ(natural(Layout::slab({10007}, 4)), 2);
  EXPECT_EQ(exchanges(Layout::slab({10007}, 4)), 2);  // no output is left on a single rank
}

TEST(exchanges, of_extents_of_one_are_none) {
  EXPECT_EQ(natural(Layout::slab({1, 1, 64}, 4)), 0);
  EXPECT_EQ(natural(Layout::slab({1}, 4)), 0);
}

TEST(exchanges, are_counted_in_the_stages) {
  Schedule const made = schedule({.input = Layout::pencil({64, 64, 64}, 16)});
  EXPECT_EQ(summary(made), "fft 64, exchange, fft 64, exchange, fft 64");
  EXPECT_EQ(made.exchanges(), 2);
  EXPECT_EQ(made.transformed_points(), 64.0 * 64 * 64);
}

TEST(exchanges, is_the_same_however_the_memory_lies) {
  // The memory order may change which axis is transformed first, but not what is moved.
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    Shape const shape = cases::random_shape(random, 3, 400);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 8));
    EXPECT_EQ(natural(layout), natural(layout.with_order({2, 0, 1}))) << cases::describe(layout);
  }
}

TEST(exchanges, of_reals_has_as_many_exchanges_of_half_the_bytes) {
  for (int real : {0, 1, 2}) {
    std::vector<Kind> kinds(3, Kind::c2c);
    kinds[at(real)] = Kind::r2c;
    Layout const slab = Layout::slab({64, 64, 64}, 4, real == 0 ? 1 : 0);
    Problem const problem{.input = slab, .axes = {0, 1, 2}, .kinds = kinds};
    Schedule const made = schedule(problem), complex = schedule({.input = slab});
    EXPECT_EQ(made.exchanges(), complex.exchanges());
    EXPECT_LT(made.seconds, 0.6 * complex.seconds);
    EXPECT_EQ(made.output.layout.shape(), output_shape(problem));
    EXPECT_EQ(output_shape(problem)[real], 33);
  }
}

TEST(exchanges, moves_reals_where_the_real_axis_is_split) {
  Layout const layout = Layout::slab({64, 60, 50}, 4);
  Schedule const made =
      schedule({.input = layout, .axes = {1, 2, 0}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}});
  EXPECT_EQ(summary(made).substr(0, 16), "exchange, r2c 64");
  EXPECT_EQ(summary(reverse(made)).substr(summary(made).size() - 16), "c2r 64, exchange");
}

TEST(exchanges, does_cosines_and_sines_on_either_side_of_r2c) {
  Layout const layout = Layout::slab({12, 9, 10}, 2);
  std::vector<Kind> const kinds{Kind::c2c, Kind::dst3, Kind::r2c};
  Schedule const made = schedule({.input = layout, .axes = {0, 1, 2}, .kinds = kinds});
  EXPECT_EQ(made.exchanges(), 1);
  EXPECT_NE(summary(made).find("dst3 9"), std::string::npos);
  EXPECT_NE(summary(reverse(made)).find("dst2 9"), std::string::npos);
  EXPECT_DOUBLE_EQ(made.transformed_points(), 12 * 18 * 10);
}

// Of fewer modes than points.

/// Bytes that all ranks send to others.
double bytes_sent(Schedule const& made) {
  double bytes = 0;
  for (redistribution::Ends const& ends : made.ends())
    for (int rank = 0; rank < ends.from.layout.ranks(); ++rank)
      for (redistribution::Message const& message :
           redistribution::rank_messages(ends.from, ends.to, rank, c_order(made.shape.size()))
               .send.messages)
        if (message.rank != rank)
          bytes += static_cast<double>(message.count * made.bytes_of(ends.from.number));
  return bytes;
}

TEST(modes, that_are_not_kept_are_not_sent) {
  Layout const slab = Layout::slab({192, 192, 192}, 2);
  std::vector<int> const axes{0, 1, 2};
  for (Kind const kind : {Kind::c2c, Kind::r2c, Kind::dct2}) {
    Schedule const all = schedule({.input = slab, .axes = axes, .kinds = {kind}});
    Schedule const some =
        schedule({.input = slab, .axes = axes, .kinds = {kind}, .modes = {128, 128, 128}});
    EXPECT_EQ(some.exchanges(), all.exchanges());
    EXPECT_LT(bytes_sent(some), 0.45 * bytes_sent(all)) << to_string(kind);
    EXPECT_EQ(some.output.layout.shape(), (Shape{128, 128, kind == Kind::r2c ? 65 : 128}));
    EXPECT_DOUBLE_EQ(some.transformed_points(), all.transformed_points());
  }
}

TEST(lengths, that_grow_wait_for_the_far_side_of_an_exchange) {
  std::vector<int> const axes{0, 1, 2};
  std::vector<Index> const lengths{256, 256, 256};
  struct Case {
    Layout layout;
    double waiting, at_once;  // shares of the bytes of arrays with zeros
  };
  for (auto const& [layout, waiting, without] :
       {Case{Layout::slab({128, 128, 128}, 4), 0.25, 0.5},
        Case{Layout::pencil({128, 128, 128}, 4), 0.375, 0.375}}) {
    Schedule const all = schedule({.input = Layout::grid({256, 256, 256}, layout.grid())});
    Problem const problem{.input = layout, .axes = axes, .lengths = lengths};
    Schedule const at_once = schedule(problem);
    Schedule const waits = schedule(problem, {.growing_waits = true});
    EXPECT_EQ(waits.exchanges(), all.exchanges());
    EXPECT_DOUBLE_EQ(bytes_sent(waits), waiting * bytes_sent(all)) << summary(waits);
    EXPECT_DOUBLE_EQ(bytes_sent(at_once), without * bytes_sent(all)) << summary(at_once);
    EXPECT_DOUBLE_EQ(waits.transformed_points(), all.transformed_points());
  }
}

TEST(modes, have_as_few_exchanges_as_all_points) {
  cases::Random random(11);
  for (int round = 0; round < 100; ++round) {
    Shape const shape{random.between(4, 24), random.between(4, 24), random.between(4, 24)};
    int const ranks = random.between(1, 9);
    Problem problem{.input = random.once_in(2) ? Layout::slab(shape, ranks, random.between(0, 2))
                                               : Layout::pencil(shape, ranks),
                    .axes = {0, 1, 2}};
    if (random.once_in(2)) problem.kinds = {Kind::c2c, Kind::c2c, Kind::r2c};
    bool const natural = random.once_in(2);
    auto const exchanges = [&] {
      problem.output.reset();
      if (natural) problem.output = Layout::grid(output_shape(problem), problem.input.grid());
      return schedule(problem).exchanges();
    };
    int const all = exchanges();
    for (Index n : shape) problem.modes.push_back(random.between((2 * n + 2) / 3, n));
    EXPECT_LE(exchanges(), all) << cases::describe(problem.input) << "\n"
                                << summary(schedule(problem));
  }
}

TEST(modes, are_told) {
  Schedule const made = schedule({.input = Layout::slab({12, 9, 10}, 2),
                                  .axes = {0, 1, 2},
                                  .kinds = {Kind::c2c, Kind::dct2, Kind::r2c},
                                  .modes = {8, 6, 7}});
  EXPECT_EQ(summary(made), "r2c 10 to 4, dct2 9 to 6, exchange, fft 12 to 8");
  EXPECT_EQ(summary(reverse(made)), "fft 12 from 8, exchange, dct3 9 from 6, c2r 10 from 4");
}

TEST(modes, that_are_too_many_too_few_or_not_for_each_axis_are_refused) {
  Layout const slab = Layout::slab({8, 6}, 2);
  for (Index const modes : {0, -3, 7})
    EXPECT_TRUE(refuses("modes", {"1 to 6 of axis 1", std::to_string(modes).c_str()}, [&] {
      schedule({.input = slab, .modes = {8, modes}});
    }));
  EXPECT_TRUE(refuses("modes", {"each of the 2 axes", "1 were given"},
                      [&] { schedule({.input = slab, .modes = {4}}); }));
  EXPECT_TRUE(refuses("output", {"8 x 6", "8 x 4"}, [&] {
    schedule({.input = slab, .output = slab, .modes = {8, 4}});
  }));
}

/// Whether an axis is whole wherever the plan chooses the layout.
bool stays_whole(int axis, Schedule const& made) {
  for (Stage const& stage : made.stages)
    if (auto const* exchange = std::get_if<Transpose>(&stage))
      if (!exchange->to.whole(axis)) return false;
  return true;
}

TEST(exchanges, keeps_components_together_on_any_number_of_ranks) {
  for (int ranks = 1; ranks <= 12; ++ranks)
    for (int components : {2, 3, 4, 9})
      for (int first : {0, 1}) {  // of the axes that are transformed
        Shape const shape =
            first == 1 ? Shape{components, 32, 36, 40} : Shape{32, 36, 40, components};
        int const component = first == 1 ? 0 : 3;
        std::vector<int> const axes{first, first + 1, first + 2};
        for (int axis : axes) {
          Layout const slab = Layout::slab(shape, ranks, axis);
          EXPECT_TRUE(stays_whole(component, schedule({.input = slab, .axes = axes})))
              << to_string(shape) << " on " << ranks;
          EXPECT_TRUE(
              stays_whole(component, schedule({.input = slab, .output = slab, .axes = axes})));
        }
        Grid pencil(4, 1);
        pencil[first] = ranks;
        pencil[first + 1] = 2;
        Problem const problem{.input = Layout::grid(shape, pencil), .axes = axes};
        EXPECT_TRUE(stays_whole(component, schedule(problem)));
        EXPECT_EQ(schedule(problem).exchanges(), ranks == 1 ? 1 : 2);
      }
}

TEST(exchanges, splits_components_if_it_may_or_the_user_does) {
  Layout const slab = Layout::slab({3, 64, 64, 64}, 3, 1);
  Problem problem{.input = slab, .axes = {1, 2, 3}};
  EXPECT_FALSE(stays_whole(0, schedule(problem, {.split_untransformed = true})));
  problem.output = Layout::slab({3, 64, 64, 64}, 3, 0);
  EXPECT_EQ(schedule(problem).exchanges(), 1);
  // Where the input splits them, they may stay split.
  Problem const split{.input = Layout::grid({3, 64, 64, 64}, {3, 2, 1, 1}), .axes = {1, 2, 3}};
  EXPECT_EQ(schedule(split).exchanges(), 1);
}

TEST(exchanges, splits_what_is_not_transformed_if_ranks_would_be_idle_the_longest_axis_first) {
  Schedule const made = schedule({.input = Layout::slab({4, 64, 64}, 4, 2), .axes = {2}});
  EXPECT_TRUE(stays_whole(0, made));
  EXPECT_EQ(made.exchanges(), 1);
  EXPECT_EQ(made.fullest, 4 * 64 * 16);
  EXPECT_EQ(natural(Layout::slab({64, 3}, 3), {0}), 2);
  EXPECT_EQ(schedule({.input = Layout::slab({64, 3}, 3), .axes = {0}}).fullest, 66);
  // Both split axes are transformed and must lie whole in turn: their ranks join.
  Schedule const joined = schedule({.input = Layout::grid({64, 64, 3}, {4, 4, 1}), .axes = {0, 1}});
  EXPECT_TRUE(stays_whole(2, joined));
  EXPECT_EQ(joined.fullest, 64 * 64 * 3 / 16);
}

TEST(exchanges, keeps_ranks_busy_where_it_can) {
  // 64 x 64 x 64 over 16 x 16 pencils: every step is dealt out to all.
  Schedule const made = schedule({.input = Layout::grid({64, 64, 64}, {16, 16, 1})});
  EXPECT_EQ(made.fullest, 64 * 64 * 64 / 256);
}

}  // namespace
}  // namespace sixstep::schedule
