// SPDX-License-Identifier: BSD-3-Clause
// Outputs of the plan's choice: whose axes they have, and how much a rank has of them.
#include "schedule/output_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cases.hpp"
#include "formulas/composition.hpp"
#include "layout/fields.hpp"
#include "refuses.hpp"

namespace sixstep::schedule {
namespace {

using cases::Random;

/// The fewest points on the fullest rank of any grid of blocks that has one part along `kept`.
Index least_fullest(Shape const& shape, int ranks, int kept, int axis = 0) {
  if (axis == shape.size()) return ranks == 1 ? 1 : std::numeric_limits<Index>::max();
  Index least = std::numeric_limits<Index>::max();
  for (int parts = 1; parts <= (axis == kept ? 1 : ranks); ++parts) {
    if (ranks % parts != 0) continue;
    Index const rest = least_fullest(shape, ranks / parts, kept, axis + 1);
    if (rest == std::numeric_limits<Index>::max()) continue;
    least = std::min(least, (shape[axis] + parts - 1) / parts * rest);
  }
  return least;
}

/// Whether some rank has more than twice an even share of a layout, although some grid of blocks
/// leaves no rank with more; or more than every grid.
bool is_uneven(Layout const& layout, int kept = -1) {
  Index const fullest = layout.largest_local_size();
  if (fullest * layout.ranks() <= 2 * volume(layout.shape())) return false;
  return fullest > least_fullest(layout.shape(), layout.ranks(), kept);
}

/// Whether the user's array has one axis of more than one point.
bool is_one_axis(Problem const& problem) {
  int long_axes = 0;
  for (int axis = 0; axis < problem.input.axes(); ++axis)
    if (axis != problem.kept_whole && problem.input.shape()[axis] > 1) ++long_axes;
  return long_axes <= 1;
}

std::string words(Problem const& problem, Layout const& output) {
  std::string axes, kinds, modes;
  for (int axis : problem.axes) axes += text(" ", axis);
  for (Kind kind : problem.kinds) kinds += text(" ", to_string(kind));
  for (Index count : problem.modes) modes += text(" ", count);
  return text("input ", cases::describe(problem.input), ", axes", axes, ", kinds", kinds, ", modes",
              modes, ", ", to_string(problem.lies), "\noutput ", cases::describe(output));
}

void expect_even(Problem const& problem, Choices const& choices = {}) {
  formulas::Composition const made = formulas::compose(problem, choices);
  Layout const output = made.output.layout;
  SCOPED_TRACE(words(problem, output));
  // X[k1 + N1 k2] in the place of x[N2 n1 + n2]: an axis that is seen as (slow, fast) is (fast,
  // slow) in the output.
  if (made.direct()) {
    for (auto const& digits : made.schedules[0].output.view.digits)
      EXPECT_TRUE(digits.size() < 2 || digits[0] > digits[1]) << summary(made.schedules[0]);
  }
  bool const may_be_digits = problem.lies == Output::cheapest && is_one_axis(problem);
  if (may_be_digits) {
    EXPECT_EQ(volume(output.shape()), volume(output_shape(problem)));
  } else {
    EXPECT_EQ(output.shape(), output_shape(problem));
  }
  if (problem.lies == Output::natural_axes) {
    EXPECT_EQ(output.order(), problem.input.order());
  }
  EXPECT_FALSE(is_uneven(output, output.axes() == problem.input.axes() ? problem.kept_whole : -1));
  if (problem.kept_whole >= 0) {
    EXPECT_TRUE(output.whole(output.axes() - 1));
  }
}

Layout input_by_chance(Random& random, Shape const& shape, int ranks) {
  switch (random.between(0, 3)) {
    case 0:
      return Layout::slab(shape, ranks, random.between(0, shape.size() - 1));
    case 1:
      return shape.size() > 1 ? Layout::pencil(shape, ranks) : Layout::slab(shape, ranks);
    case 2:
      return Layout::brick(shape, ranks).with_order(cases::random_order(random, shape.size()));
    default:
      return cases::random_layout(random, shape, ranks);
  }
}

/// Kinds and modes of all axes that are transformed.
void choose_kinds(Random& random, Problem& problem) {
  if (random.once_in(3)) return;
  std::size_t const real =
      static_cast<std::size_t>(random.between(0, static_cast<int>(problem.axes.size()) - 1));
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Index const n = problem.input.shape()[problem.axes[i]];
    problem.kinds.push_back(i == real ? Kind::r2c : random.once_in(4) ? Kind::dct2 : Kind::c2c);
    problem.modes.push_back(random.between((n + 1) / 2, n));
  }
}

TEST(outputs, have_the_axes_of_the_input_and_no_rank_has_more_than_twice_its_share) {
  Random random(32);
  for (int round = 0; round < cases::rounds(2000) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape shape;
    for (int axis = 0; axis < axes; ++axis) shape.push_back(random.between(Index{1}, Index{13}));
    int const ranks = random.between(1, 64);
    Problem problem{.input = input_by_chance(random, shape, ranks),
                    .axes = cases::random_axes(random, axes)};
    if (problem.axes.empty())
      for (int axis = 0; axis < axes; ++axis) problem.axes.push_back(axis);
    choose_kinds(random, problem);
    if (random.once_in(2)) problem.lies = Output::natural_axes;
    if (random.once_in(6)) {
      problem.input = with_fields(problem.input, random.between(2, 5),
                                  random.once_in(2) ? Storage::blocks : Storage::interleaved);
      problem.kept_whole = axes;
    }
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_even(problem, {.regrid = random.once_in(4), .split_untransformed = random.once_in(4)});
  }
}

TEST(outputs, are_in_natural_order_where_modes_leave_one_long_axis) {
  for (int ranks : {5, 7})
    for (Shape const& shape : {Shape{2, 8}, Shape{3, 8}, Shape{2, 12}, Shape{4, 8}}) {
      Problem problem{.input = Layout::brick(shape, ranks), .axes = {0, 1}};
      problem.kinds = {Kind::c2c, Kind::c2c};
      problem.modes = {1, shape[1]};
      expect_even(problem);
      problem.lies = Output::natural_axes;
      expect_even(problem);
    }
}

TEST(outputs, of_slabs_have_the_axes_of_the_input_on_any_number_of_ranks) {
  for (Shape const& shape : {Shape{5, 5, 5}, Shape{13, 13, 13}, Shape{12, 10, 9}, Shape{7, 6, 1},
                             Shape{32, 32, 32}, Shape{65, 64, 64}})
    for (int ranks : {2, 3, 4, 7, 8, 12, 13, 24, 31, 48, 56, 60, 64}) {
      expect_even({.input = Layout::slab(shape, ranks)});
      expect_even({.input = Layout::slab(shape, ranks), .lies = Output::natural_axes});
      expect_even({.input = Layout::pencil(shape, ranks)});
    }
  expect_even({.input = Layout::slab({64, 64, 64}, 56)});
}

TEST(outputs, of_slabs_take_one_exchange_where_slabs_are_even_enough) {
  auto const exchanges = [](Shape const& shape, int ranks, Output lies) {
    return schedule({.input = Layout::slab(shape, ranks), .lies = lies}).exchanges();
  };
  for (Output const lies : {Output::cheapest, Output::natural_axes}) {
    EXPECT_EQ(exchanges({5, 5, 5}, 4, lies), 1);
    EXPECT_EQ(exchanges({13, 13, 13}, 12, lies), 1);
    EXPECT_EQ(exchanges({65, 64, 64}, 64, lies), 1);
    EXPECT_EQ(exchanges({12, 10, 9}, 8, lies), 1);
    EXPECT_EQ(exchanges({32, 32, 32}, 24, lies), 1);
    EXPECT_EQ(exchanges({64, 64, 64}, 56, lies), 1);
  }
}

TEST(outputs, in_natural_axes_take_the_exchanges_of_the_cheapest) {
  for (int ranks : {2, 4, 16, 64})
    for (Order const& order : {Order{0, 1, 2}, Order{2, 1, 0}, Order{1, 2, 0}})
      for (Layout const& input :
           {Layout::slab({64, 64, 64}, ranks), Layout::pencil({64, 64, 64}, ranks),
            Layout::brick({64, 64, 64}, ranks)}) {
        Problem problem{.input = input.with_order(order)};
        Schedule const cheapest = schedule(problem);
        problem.lies = Output::natural_axes;
        Schedule const natural = schedule(problem);
        EXPECT_EQ(natural.exchanges(), cheapest.exchanges()) << input.describe();
        EXPECT_EQ(natural.output.layout.order(), order) << input.describe();
        EXPECT_EQ(natural.output.layout.grid(), cheapest.output.layout.grid());
      }
}

TEST(outputs, of_one_axis_in_natural_axes_are_in_its_order) {
  for (int ranks : {2, 4, 16})
    for (Shape const& shape : {Shape{1 << 16}, Shape{1 << 16, 1}, Shape{10007}}) {
      Problem const problem{.input = Layout::slab(shape, ranks), .lies = Output::natural_axes};
      EXPECT_EQ(formulas::compose(problem).output.layout.shape(), shape);
    }
}

TEST(outputs, as_the_input_are_the_inputs_layout_or_its_grid_over_another_shape) {
  auto const end = [](Problem problem) {
    problem.lies = Output::as_input;
    return schedule(problem).output.layout;
  };
  Layout const cyclic =
      Layout::grid({8, 12, 10}, {2, 3, 1},
                   {Distribution::block, Distribution::cyclic, Distribution::block}, {2, 0, 1});
  EXPECT_EQ(end({.input = cyclic}), cyclic);
  Layout const ghosts = Layout::slab({8, 6}, 2).with_ghosts({1, 1}, {1, 0});
  EXPECT_EQ(end({.input = ghosts}), ghosts);
  EXPECT_EQ(end({.input = cyclic, .axes = {0, 1, 2}, .kinds = {Kind::r2c}}),
            Layout::grid({8, 12, 6}, {2, 3, 1}, cyclic.distribution(), cyclic.order()));
  EXPECT_EQ(end({.input = cyclic, .axes = {0, 1}, .modes = {5, 9}}),
            Layout::grid({5, 9, 10}, {2, 3, 1}, cyclic.distribution(), cyclic.order()));
  // Boxes stay as they are where an axis that they have whole has another extent.
  std::vector<Box> const boxes{{{{0, 5}, {0, 6}}}, {{{5, 8}, {0, 6}}}};
  Layout const list = Layout::boxes({8, 6}, boxes);
  EXPECT_EQ(end({.input = list, .axes = {0, 1}, .kinds = {Kind::r2c}}), list.with_extent(1, 4));
  EXPECT_TRUE(
      refuses("output", {"as_input", "axis 0 whole", "8 in the input", "5 in the output"}, [&] {
        end({.input = list, .axes = {1, 0}, .kinds = {Kind::r2c}});
      }));
}

TEST(outputs, beside_a_layout_are_refused) {
  Layout const slab = Layout::slab({8, 6}, 2);
  for (Output const lies : {Output::as_input, Output::natural_axes})
    EXPECT_TRUE(refuses("output", {"a layout and the option", to_string(lies).c_str()},
                        [&] { schedule({.input = slab, .output = slab, .lies = lies}); }));
}

}  // namespace
}  // namespace sixstep::schedule
