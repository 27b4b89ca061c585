// SPDX-License-Identifier: BSD-3-Clause
// Programs: those of all ranks are run by the definitions and must compute the transform.
#include "program/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "flow_of_all.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "sanitized.hpp"

namespace sixstep::program {
namespace {

using cases::Random;

oracle::Kinds kinds_of(schedule::Problem const& problem) {
  oracle::Kinds kinds;
  for (int i = 0; i < problem.input.axes(); ++i) {
    if (problem.axes.empty()) kinds.emplace_back(i, Kind::c2c);
    if (i < static_cast<int>(problem.axes.size()))
      kinds.emplace_back(problem.axes[at(i)],
                         problem.kinds.empty() ? Kind::c2c : problem.kinds[at(i)]);
  }
  return kinds;
}

/// Where an element of the user's array lies.
Index place_of(layout::Placement const& user, Index offset) {
  Index const n = user.layout.shape()[user.layout.order().back()];
  return user.row == 0 ? offset : offset / n * user.row + offset % n;
}

void expect_transform(schedule::Problem const& problem, Setting const& setting) {
  int const sign = setting.sign;
  bool const in_place = setting.arrays.in_place;
  schedule::Schedule const forward = schedule::schedule(problem);
  schedule::Schedule const made = sign < 0 ? forward : schedule::reverse(forward);
  oracle::Kinds const kinds = kinds_of(problem);
  std::string axes;
  for (auto const& [axis, kind] : kinds) axes += text(" ", axis, ":", to_string(kind));
  SCOPED_TRACE(text("input ", cases::describe(problem.input), "\noutput ",
                    problem.output ? cases::describe(*problem.output) : "open", "\nkinds", axes,
                    problem.padded ? ", padded" : "", sign < 0 ? ", forward" : ", backward",
                    in_place ? ", in place" : "", setting.arrays.in_segments ? ", in segments" : "",
                    setting.arrays.preserve_input ? "" : ", input given up", ", nodes of ",
                    setting.ranks_per_node, setting.nodes_differ ? " that differ" : "",
                    ", windows ", setting.windows, ", of exchanges ", setting.exchange_windows,
                    ", order ", setting.order, "\n", summary(made)));
  std::optional<AllPrograms> tried;
  ASSERT_NO_THROW(tried.emplace(made, setting));
  AllPrograms& runner = *tried;
  Layout const &input = made.input.layout, &output = made.output.layout;
  oracle::Whole whole{sign < 0 ? problem.input.shape() : schedule::output_shape(problem), {}};
  whole.values = oracle::values(oracle::points_of(whole.shape), 3);
  if (made.input.number == layout::Number::real)
    for (Exact& value : whole.values) value = value.real();

  for (int rank = 0; rank < input.ranks(); ++rank) {
    Program const& program = runner.programs[at(rank)];
    EXPECT_EQ(program.steps.front().source == Buffer::input, !in_place);
    EXPECT_EQ(program.steps.back().target, Buffer::output);
    for (std::size_t i = 1; i < program.steps.size(); ++i)
      EXPECT_EQ(program.steps[i].source, program.steps[i - 1].target);
    auto const reals = [&](layout::Placement const& end) {
      return place_of(end, end.layout.local_size(rank)) * layout::reals_of(end.number);
    };
    EXPECT_EQ(program.input_reals, reals(made.input));
    EXPECT_EQ(program.output_reals, reals(made.output));
    Memory& start = runner.memory.at(in_place ? Buffer::output : Buffer::input);
    ASSERT_GE(start.size(runner.place(rank)), program.input_reals);
    oracle::for_each_element(input, rank, [&](Shape const& p, Index offset) {
      put(start.of(runner.place(rank)), place_of(made.input, offset), made.input.number,
          whole.values[at(oracle::number_of(input.shape(), p))]);
    });
  }
  run(runner);
  if (testing::Test::HasFailure()) return;

  int real = 0;
  while (real < static_cast<int>(kinds.size()) - 1 && kinds[at(real)].second != Kind::r2c) ++real;
  Index const n = problem.input.shape()[kinds[at(real)].first];
  oracle::Whole const expected =
      sign < 0 ? oracle::forward(whole, kinds) : oracle::backward(whole, kinds, n);
  long double worst = 0;
  for (int rank = 0; rank < output.ranks(); ++rank) {
    long double const* const array = runner.memory.at(Buffer::output).of(runner.place(rank));
    oracle::for_each_element(output, rank, [&](Shape const& point, Index offset) {
      Exact const got = get(array, place_of(made.output, offset), made.output.number);
      long double const error =
          std::abs(got - expected.values[at(oracle::number_of(output.shape(), point))]);
      worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
    });
  }
  EXPECT_LT(worst, 1e-14L * static_cast<long double>(made.transformed_points()));
}

/// Tries both directions, in place and not, among separate ranks, and with all or some ranks on one
/// node.
void expect_transforms(schedule::Problem const& problem, Random& random) {
  int const ranks = problem.input.ranks();
  for (int sign : {-1, +1}) {
    for (bool in_place : {false, true}) {
      expect_transform(problem, {.sign = sign,
                                 .arrays = {.in_place = in_place},
                                 .windows = random.once_in(2) ? 1 : random.between(2, 5)});
      if (random.once_in(2))
        expect_transform(problem,
                         {.sign = sign,
                          .arrays = {.in_place = in_place, .preserve_input = random.once_in(2)},
                          .exchange_windows = random.once_in(8) ? 64 : random.between(2, 4),
                          .order = static_cast<unsigned>(random.between(0, 1 << 20))});
      if (ranks == 1) continue;
      Setting setting{.sign = sign,
                      .arrays = {in_place, random.once_in(2), random.once_in(2)},
                      .ranks_per_node = random.once_in(2) ? ranks : random.between(2, ranks),
                      .last_first = random.once_in(2),
                      .nodes_differ = random.once_in(2),
                      .windows = random.once_in(2) ? 1 : random.between(2, 5)};
      expect_transform(problem, setting);
      // Latency alone costs: two hops as soon as they are fewer messages. Or bytes alone do: cut.
      setting.network =
          random.once_in(3) ? redistribution::Network{0, 1} : redistribution::Network{1, 1e30};
      setting.ranks_per_node = random.between(1, (ranks + 1) / 2);
      expect_transform(problem, setting);
    }
  }
}

TEST(program, of_all_ranks_together_computes_the_transform) {
  Random random(1);
  for (int round = 0; round < cases::rounds(90) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks),
                              .axes = cases::random_axes(random, axes)};
    if (random.once_in(2))
      problem.output = cases::random_layout(random, shape, ranks);
    else if (random.once_in(2))
      problem.output = problem.input;
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

TEST(program, of_any_kinds_computes_the_transform) {
  Random random(4);
  for (int round = 0; round < cases::rounds(100) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks)};
    for (int axis = 0; axis < axes; ++axis)
      if (axis == 0 || !random.once_in(3)) problem.axes.push_back(axis);
    random.shuffle(problem.axes);
    bool const r2r_only = random.once_in(4);
    for (int axis : problem.axes) {
      Kind const r2r = static_cast<Kind>(random.between(shape[axis] < 2 ? 3 : 2, 9));
      problem.kinds.push_back(r2r_only || random.once_in(2) ? r2r : Kind::c2c);
    }
    if (!r2r_only && random.between(0, 2) > 0) problem.kinds.back() = Kind::r2c;
    int const last = problem.axes.back();
    problem.padded = problem.kinds.back() == Kind::r2c && problem.input.whole(last) &&
                     problem.input.order().back() == last && random.once_in(2);
    Layout const& in = problem.input;
    if (random.once_in(2))
      problem.output = cases::random_layout(random, schedule::output_shape(problem), ranks);
    else if (random.once_in(2) && !in.grid().empty())
      problem.output =
          Layout::grid(schedule::output_shape(problem), in.grid(), in.distribution(), in.order());
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

TEST(program, where_reals_are_as_many_as_coefficients_computes_the_transform) {
  Random random(7);
  for (int round = 0; round < cases::rounds(100) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(2, 4), ranks = random.between(2, 4);
    Shape shape;
    for (int axis = 0; axis < axes; ++axis) shape.push_back(random.between(Index{1}, Index{3}));
    int const real = random.between(0, axes - 1);
    shape[real] = random.between(Index{1}, Index{2});
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks)};
    for (int axis = 0; axis < axes; ++axis)
      if (axis == real || random.once_in(2)) problem.axes.push_back(axis);
    for (int axis : problem.axes)
      problem.kinds.push_back(axis == real        ? Kind::r2c
                              : random.once_in(3) ? Kind::dst2
                                                  : Kind::c2c);
    problem.output = cases::random_layout(random, schedule::output_shape(problem), ranks);
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

/// The numbers of ranks for which a list of problems is tried. More ranks make the same accesses
/// more often.
std::vector<int> numbers_of_ranks() {
  return sanitized() ? std::vector<int>{3} : std::vector<int>{2, 3, 4};
}

TEST(program, of_one_long_axis_computes_the_transform) {
  Random random(5);
  for (Index n : {64, 60, 97, 256}) {
    for (int ranks : numbers_of_ranks()) {
      for (Distribution distribution : {Distribution::block, Distribution::cyclic}) {
        Layout const layout = Layout::grid({n}, {ranks}, {distribution});
        expect_transforms({.input = layout}, random);
        expect_transforms({.input = layout, .output = layout}, random);
      }
    }
  }
}

TEST(program, with_rows_in_tiles_computes_the_transform) {
  Random random(6);
  for (Shape const& shape : {Shape{6, 5, 70}, Shape{70, 4, 3}, Shape{3, 9, 65}}) {
    for (int ranks : numbers_of_ranks()) {
      Layout const slab = Layout::slab(shape, ranks);
      expect_transforms({.input = slab}, random);
      expect_transforms({.input = slab, .output = slab}, random);
      expect_transforms(
          {.input = slab, .axes = {0, 1, 2}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}}, random);
      expect_transforms({.input = Layout::pencil(shape, ranks)}, random);
    }
  }
}

TEST(program, with_points_of_fields_in_tiles_computes_the_transform) {
  Random random(7);
  for (Shape const& shape : {Shape{4, 3, 34, 3}, Shape{4, 4, 21, 5}, Shape{5, 6, 9, 2}}) {
    for (int ranks : {2, 3}) {
      Layout const slab = Layout::slab(shape, ranks);
      expect_transforms({.input = slab, .axes = {0, 1, 2}}, random);
      expect_transforms({.input = slab, .output = slab, .axes = {0, 1, 2}}, random);
      expect_transforms(
          {.input = slab, .axes = {0, 1, 2}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}}, random);
    }
  }
}

}  // namespace
}  // namespace sixstep::program
