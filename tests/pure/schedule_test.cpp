// SPDX-License-Identifier: BSD-3-Clause
// Schedules: by interpretation that they compute the transform; the reverse one; what is refused.
#include "schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/match.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "refuses.hpp"
#include "views.hpp"

namespace sixstep::schedule {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;

constexpr Distribution block = Distribution::block;
constexpr Distribution cyclic = Distribution::cyclic;

/// Runs stages on a whole array in working axes, and checks on the way that each transformed axis
/// is on one rank where it is transformed.
class Interpreter {
 public:
  Interpreter(Shape const& shape, layout::Placement const& start, std::vector<Exact> array)
      : shape_(shape), array_(std::move(array)), owners_(views::owners(start)) {}

  void run(Stage const& stage, int sign) {
    std::visit(match{[&](Fft const& fft) {
                       expect_whole(fft.axis);
                       oracle::transform(array_, shape_, fft.axis, sign);
                     },
                     [&](Twiddle const& twiddle) {
                       Index const period = shape_[twiddle.axis] * shape_[twiddle.other];
                       std::vector<Exact> const roots = oracle::roots_of_unity(period, sign);
                       oracle::for_each_point(shape_, [&](Shape const& point) {
                         Index const product = point[twiddle.axis] * point[twiddle.other];
                         array_[at(oracle::number_of(shape_, point))] *=
                             roots[at(product % period)];
                       });
                     },
                     [](AtPoints const&) {}, [](Gather const&) {},
                     [&](Transpose const& exchange) {
                       EXPECT_EQ(views::owners(exchange.from), owners_);
                       EXPECT_EQ(exchange.to.view.shape, shape_);
                       owners_ = views::owners(exchange.to);
                     }},
               stage);
  }

  std::vector<int> const& owners() const { return owners_; }
  std::vector<Exact> const& array() const { return array_; }

 private:
  void expect_whole(int axis) const {
    oracle::for_each_point(shape_, [&](Shape point) {
      int const owner = owners_[at(oracle::number_of(shape_, point))];
      point[axis] = 0;
      ASSERT_EQ(owner, owners_[at(oracle::number_of(shape_, point))])
          << "working axis " << axis << " is split where it is transformed";
    });
  }

  Shape shape_;
  std::vector<Exact> array_;
  std::vector<int> owners_;
};

/// The largest difference between what the stages make of an array and the transform of it.
long double error_of(Schedule const& made, std::vector<int> const& axes, int sign,
                     Shape const& shape) {
  std::vector<Exact> expected = oracle::values(oracle::points_of(shape), 7);
  std::vector<Exact> working(expected.size());
  // A working array that lies as the view says; a shape of digits has the same numbers as the
  // user's.
  oracle::for_each_point(made.input.layout.shape(), [&](Shape const& point) {
    Shape const digits = views::working_point(made.input.view, point);
    working[at(oracle::number_of(made.shape, digits))] =
        expected[at(oracle::number_of(made.input.layout.shape(), point))];
  });
  Interpreter interpreter(made.shape, made.input, std::move(working));
  for (Stage const& stage : made.stages) interpreter.run(stage, sign);
  EXPECT_EQ(interpreter.owners(), views::owners(made.output)) << "the stages end elsewhere";

  oracle::transform_along(expected, shape, axes, sign);
  long double worst = 0;
  Shape const& out = made.output.layout.shape();
  EXPECT_EQ(oracle::points_of(out), oracle::points_of(shape));
  oracle::for_each_point(out, [&](Shape const& point) {
    Shape const digits = views::working_point(made.output.view, point);
    worst =
        std::max(worst, std::abs(interpreter.array()[at(oracle::number_of(made.shape, digits))] -
                                 expected[at(oracle::number_of(out, point))]));
  });
  return worst;
}

std::string describe(Problem const& problem, Schedule const& made) {
  std::string axes;
  for (int axis : problem.axes) axes += text(" ", axis);
  return text("input ", cases::describe(problem.input), "\noutput ",
              problem.output ? cases::describe(*problem.output) : "open", "\naxes", axes, "\n",
              summary(made));
}

void expect_transform(Problem const& problem, Choices const& choices = {}) {
  Schedule const made = schedule(problem, choices);
  SCOPED_TRACE(describe(problem, made));
  long double const bound =
      1e-15L * static_cast<long double>(oracle::points_of(problem.input.shape()));
  Shape const& shape = problem.input.shape();
  EXPECT_LT(error_of(made, problem.axes, -1, shape), bound) << "forward";
  EXPECT_LT(error_of(reverse(made), problem.axes, +1, shape), bound) << "backward";
  EXPECT_TRUE(made.input.layout == problem.input);
  if (problem.output) {
    EXPECT_TRUE(made.output.layout == *problem.output);
  }
}

TEST(schedule, computes_the_transform_of_any_layouts) {
  Random random(1);
  for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 150);
    int const ranks = random.between(1, 9);
    Problem problem{.input = cases::random_layout(random, shape, ranks),
                    .axes = cases::random_axes(random, axes)};
    if (!random.once_in(4)) problem.output = cases::random_layout(random, shape, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transform(problem,
                     {.regrid = random.once_in(2), .split_untransformed = random.once_in(2)});
  }
}

TEST(schedule, computes_the_transform_of_one_long_axis) {
  Random random(2);
  for (Index n : {16, 60, 128, 210, 256, 97, 98}) {
    for (int ranks : {2, 3, 4, 8}) {
      for (Distribution distribution : {block, cyclic}) {
        Layout const layout = Layout::grid({n}, {ranks}, {distribution});
        expect_transform({.input = layout});
        expect_transform({.input = layout, .output = layout});
        expect_transform({.input = layout, .output = cases::random_layout(random, {n}, ranks)});
      }
    }
  }
}

TEST(schedule, computes_the_transform_of_cyclic_axes) {
  Layout const two = Layout::grid({16, 16}, {2, 4}, {cyclic, cyclic});
  expect_transform({.input = two, .output = two});
  Layout const three = Layout::grid({8, 4, 16}, {2, 2, 4}, {cyclic, cyclic, cyclic});
  expect_transform({.input = three, .output = three});
  expect_transform({.input = three});
}

TEST(schedule, computes_the_transform_where_ranks_outnumber_points) {
  for (int ranks : {5, 9, 64}) {
    Layout const layout = Layout::slab({2, 2, 1}, ranks);
    expect_transform({.input = layout, .output = layout});
    expect_transform({.input = layout});
  }
}

TEST(schedule, takes_as_many_as_eight_axes) {
  for (int axes = 5; axes <= 8; ++axes) {
    Layout const layout = Layout::pencil(Shape(axes, 2), 4);
    expect_transform({.input = layout, .output = layout});
    EXPECT_EQ(schedule({.input = layout, .output = layout}).exchanges(), 3);
  }
}

TEST(schedule, names_the_axes_in_any_order) {
  Layout const layout = Layout::pencil({8, 6, 4}, 4);
  EXPECT_EQ(summary(schedule({.input = layout, .axes = {0, 2, 1}})),
            summary(schedule({.input = layout})));
}

TEST(schedule, passes_the_place_of_the_input_in_complex_numbers_where_an_axis_is_viewed_as_two) {
  Problem const problem{.input = Layout::grid({8, 4, 12}, {6, 1, 1}, {}, {2, 1, 0}),
                        .output = Layout::grid({8, 4, 7}, {3, 1, 2}, {}, {1, 2, 0}),
                        .axes = {1, 0, 2},
                        .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}};
  EXPECT_GT(schedule(problem).exchanges(), 0);
}

bool twiddles_lie_between_their_ffts(Schedule const& schedule) {
  std::vector<int> transformed;
  auto const is_transformed = [&](int axis) {
    return std::find(transformed.begin(), transformed.end(), axis) != transformed.end();
  };
  for (Stage const& stage : schedule.stages)
    if (auto const* fft = std::get_if<Fft>(&stage))
      transformed.push_back(fft->axis);
    else if (auto const* twiddle = std::get_if<Twiddle>(&stage))
      if (is_transformed(twiddle->axis) == is_transformed(twiddle->other)) return false;
  return true;
}

TEST(reverse, of_the_reverse_is_the_schedule) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    int const axes = random.between(1, 3);
    Shape const shape = cases::random_shape(random, axes, 300);
    int const ranks = random.between(1, 8);
    Schedule const made = schedule({.input = cases::random_layout(random, shape, ranks),
                                    .output = cases::random_layout(random, shape, ranks)});
    Schedule const again = reverse(reverse(made));
    EXPECT_TRUE(again.input.layout == made.input.layout);
    EXPECT_TRUE(again.output.layout == made.output.layout);
    EXPECT_EQ(reverse(made).exchanges(), made.exchanges());
    // Up to twiddles, which move next to either of their Ffts.
    auto const without_twiddles = [](Schedule const& s) {
      std::string line;
      for (Stage const& stage : s.stages)
        if (auto const* fft = std::get_if<Fft>(&stage))
          line += text("fft ", fft->axis, " ");
        else if (std::holds_alternative<Transpose>(stage))
          line += "exchange ";
      return line;
    };
    EXPECT_EQ(without_twiddles(again), without_twiddles(made));
    EXPECT_EQ(again.stages.size(), made.stages.size());
    EXPECT_TRUE(twiddles_lie_between_their_ffts(made));
    EXPECT_TRUE(twiddles_lie_between_their_ffts(reverse(made)));
  }
}

// What is refused.

TEST(schedule, refuses_an_axis_that_is_not_there) {
  Layout const layout = Layout::slab({4, 4}, 2);
  EXPECT_TRUE(refuses("axes", {"0 to 1", "2 was given"}, [&] {
    schedule({.input = layout, .axes = {0, 2}});
  }));
  EXPECT_TRUE(refuses("axes", {"0 to 1", "-1 was given"},
                      [&] { schedule({.input = layout, .axes = {-1}}); }));
}

TEST(schedule, refuses_an_axis_that_is_named_twice) {
  EXPECT_TRUE(refuses("axes", {"axis 1 is named twice"}, [] {
    schedule({.input = Layout::slab({4, 4}, 2), .axes = {1, 0, 1}});
  }));
}

TEST(schedule, refuses_an_output_of_another_shape) {
  EXPECT_TRUE(refuses("output", {"4 x 4", "4 x 5"}, [] {
    schedule({.input = Layout::slab({4, 4}, 2), .output = Layout::slab({4, 5}, 2)});
  }));
  EXPECT_TRUE(refuses("output", {"4 x 4", "16"}, [] {
    schedule({.input = Layout::slab({4, 4}, 2), .output = Layout::slab({16}, 2)});
  }));
}

TEST(schedule, refuses_an_output_for_other_ranks) {
  EXPECT_TRUE(refuses("output", {"2 ranks", "it is for 3"}, [] {
    schedule({.input = Layout::slab({4, 4}, 2), .output = Layout::slab({4, 4}, 3)});
  }));
}

TEST(schedule, refuses_too_many_axes_or_none) {
  EXPECT_TRUE(refuses("input", {"1 to 8 axes", "has 9"},
                      [] { schedule({.input = Layout::slab(Shape(9, 2), 2)}); }));
  EXPECT_TRUE(refuses("input", {"1 to 8 axes", "has 0"}, [] { schedule({.input = Layout()}); }));
}

TEST(schedule, refuses_an_array_without_points) {
  EXPECT_TRUE(refuses("input", {"at least 1", "4 x 0 x 3"}, [] {
    schedule({.input = Layout::slab({4, 0, 3}, 2)});
  }));
}

}  // namespace
}  // namespace sixstep::schedule
