// SPDX-License-Identifier: BSD-3-Clause
// Placements in the axes that the user sees: each rank has the same box, at the same places.
#include "schedule/users_axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.hpp"
#include "layout/deals.hpp"

namespace sixstep::schedule {
namespace {

using cases::Random;

/// Working axes that are dealt out to ranks as a grid does. Some had one point when they were
/// dealt out, which the first part has, and may have grown since.
Layout random_working(Random& random, std::vector<int> const& hidden) {
  int const axes = random.between(static_cast<int>(hidden.size()) + 1, 4),
            ranks = random.between(1, 12);
  Shape shape = cases::random_shape(random, axes, 100);
  for (int axis : hidden) shape[axis] = 1;
  Grid const grid = cases::random_grid(random, axes, ranks);
  PerAxis<Distribution> distribution;
  for (int axis = 0; axis < axes; ++axis)
    distribution.push_back(random.once_in(4) ? Distribution::cyclic : Distribution::block);
  Order const order = cases::random_order(random, axes);
  if (random.once_in(2)) return Layout::grid(shape, grid, distribution, order);
  int const grown = random.between(0, axes - 1);
  Index const points = shape[grown];
  shape[grown] = 1;
  Deals deals = *Deals::of(Layout::grid(shape, grid, distribution, order));
  deals.axes[grown].deal = Deal(points, {{0, 1, {0, points, 1}, 0}});
  return deals.boxes(ranks, order);
}

TEST(users_axes, each_rank_has_the_box_that_it_has_in_working_axes) {
  int grids = 0, lists = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    std::vector<int> const hidden = random.once_in(3) ? std::vector{0} : std::vector<int>{};
    Layout const working = random_working(random, hidden);
    layout::Placement const here = layout::place(working);
    // Axes of one digit or of two, in any order.
    std::vector<int> shown;
    for (int axis = static_cast<int>(hidden.size()); axis < working.axes(); ++axis)
      shown.push_back(axis);
    random.shuffle(shown);
    layout::View view{working.shape(), {}};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (i == 0 || random.once_in(2)) view.digits.push_back({});
      view.digits[view.digits.size() - 1].push_back(shown[i]);
    }
    SCOPED_TRACE(text("seed ", seed, ": ", cases::describe(working)));

    layout::Placement const found = present(here, view);
    (found.layout.grid().empty() ? lists : grids) += 1;
    ASSERT_EQ(found.layout.ranks(), working.ranks());
    ASSERT_EQ(found.layout.axes(), static_cast<int>(shown.size()));
    EXPECT_EQ(found.view.shape, working.shape());
    Order order;
    for (int axis : found.layout.order()) order.push_back(shown[static_cast<std::size_t>(axis)]);
    Order expected;
    for (int axis : working.order())
      if (std::find(shown.begin(), shown.end(), axis) != shown.end()) expected.push_back(axis);
    EXPECT_EQ(order, expected);
    for (int axis = 0; axis < found.layout.axes(); ++axis)
      EXPECT_EQ(found.view.digits[axis], PerAxis<int>{shown[static_cast<std::size_t>(axis)]});
    for (int rank = 0; rank < working.ranks(); ++rank) {
      Box const box = working.box(rank), seen = found.layout.box(rank);
      EXPECT_EQ(seen.volume(), box.volume()) << "rank " << rank;
      if (box.empty()) continue;
      for (int axis = 0; axis < seen.axes(); ++axis)
        EXPECT_EQ(seen.ranges[axis], box.ranges[shown[static_cast<std::size_t>(axis)]])
            << "rank " << rank;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(grids, 100);
  EXPECT_GT(lists, 100);
}

}  // namespace
}  // namespace sixstep::schedule
