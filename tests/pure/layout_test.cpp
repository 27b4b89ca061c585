// SPDX-License-Identifier: BSD-3-Clause
// Layouts: how shapes are dealt out, how local arrays lie, grids, equality and ghosts.
#include "sixstep/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;

constexpr Distribution block = Distribution::block;
constexpr Distribution cyclic = Distribution::cyclic;

Box box_of(std::initializer_list<Range> ranges) { return {PerAxis<Range>(ranges)}; }

// Dealing out.

TEST(layout, blocks_are_near_equal_and_the_longer_ones_come_first) {
  for (Index extent = 0; extent <= 40; ++extent) {
    for (int parts = 1; parts <= 13; ++parts) {
      Layout const layout = Layout::grid({extent}, {parts});
      Index next = 0;
      for (int part = 0; part < parts; ++part) {
        // An equal share, rounded up, of what is left.
        Index const left = extent - next;
        Index const share = (left + parts - part - 1) / (parts - part);
        Range const range = layout.box(part).ranges[0];
        EXPECT_EQ(range.lo, next) << extent << " over " << parts << ", part " << part;
        EXPECT_EQ(range.hi, next + share) << extent << " over " << parts << ", part " << part;
        next += share;
      }
      EXPECT_EQ(next, extent);
    }
  }
}

TEST(layout, cyclic_deals_index_i_to_part_i_mod_parts) {
  for (Index extent = 0; extent <= 30; ++extent) {
    for (int parts = 1; parts <= 11; ++parts) {
      Layout const layout = Layout::grid({extent}, {parts}, {cyclic});
      for (int part = 0; part < parts; ++part) {
        std::vector<Index> expected;
        for (Index i = 0; i < extent; ++i)
          if (i % parts == part) expected.push_back(i);
        EXPECT_EQ(oracle::indices(layout.box(part).ranges[0]), expected);
        EXPECT_EQ(layout.local_size(part), static_cast<Index>(expected.size()));
      }
    }
  }
}

TEST(layout, the_last_axis_of_the_grid_counts_ranks_fastest) {
  Layout const layout = Layout::grid({20, 30, 40}, {2, 3, 4});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        EXPECT_EQ(layout.box((i * 3 + j) * 4 + k),
                  box_of({{i * 10, i * 10 + 10}, {j * 10, j * 10 + 10}, {k * 10, k * 10 + 10}}));
}

TEST(layout, every_point_is_held_by_exactly_one_rank) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 5), 200);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 12));
    for (int owner : oracle::owners(layout)) ASSERT_GE(owner, 0) << cases::describe(layout);
    Index most = 0, sum = 0;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Index points = 0;
      oracle::for_each_point(layout.box(rank), [&](Shape const&) { ++points; });
      EXPECT_EQ(layout.local_size(rank), points) << cases::describe(layout);
      EXPECT_EQ(oracle::points_of(layout.local_shape(rank)), points);
      most = std::max(most, points);
      sum += points;
    }
    EXPECT_EQ(layout.largest_local_size(), most) << cases::describe(layout);
    EXPECT_EQ(sum, oracle::points_of(shape));
  }
}

TEST(layout, ranks_beyond_the_extent_hold_nothing) {
  for (Distribution distribution : {block, cyclic}) {
    Layout const layout = Layout::grid({3, 2}, {7, 1}, {distribution, block});
    for (int rank = 0; rank < 7; ++rank) {
      EXPECT_EQ(layout.local_size(rank), rank < 3 ? 2 : 0);
      EXPECT_EQ(layout.box(rank).empty(), rank >= 3);
    }
  }
}

TEST(layout, slabs_split_one_axis_over_all_ranks) {
  EXPECT_EQ(Layout::slab({8, 9, 10}, 4).grid(), (Grid{4, 1, 1}));
  EXPECT_EQ(Layout::slab({8, 9, 10}, 4, 2).grid(), (Grid{1, 1, 4}));
}

TEST(layout, pencils_split_the_first_two_axes_and_bricks_all) {
  EXPECT_EQ(Layout::pencil({64, 64, 64}, 16).grid(), (Grid{4, 4, 1}));
  EXPECT_EQ(Layout::pencil({64, 64, 64, 64}, 4).grid(), (Grid{2, 2, 1, 1}));
  EXPECT_EQ(Layout::brick({64, 64, 64}, 64).grid(), (Grid{4, 4, 4}));
  EXPECT_EQ(Layout::brick({64, 64, 64}, 1).grid(), (Grid{1, 1, 1}));
}

TEST(layout, an_axis_is_whole_if_every_rank_that_holds_anything_holds_it_whole) {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 40);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 8));
    for (int axis = 0; axis < layout.axes(); ++axis) {
      bool whole = true;
      for (int rank = 0; rank < layout.ranks(); ++rank) {
        std::set<Index> held;
        oracle::for_each_point(layout.box(rank),
                               [&](Shape const& point) { held.insert(point[axis]); });
        whole = whole && (held.empty() || static_cast<Index>(held.size()) == shape[axis]);
      }
      EXPECT_EQ(layout.whole(axis), whole) << "axis " << axis << " of " << cases::describe(layout);
    }
  }
}

// Memory.

TEST(layout, strides_follow_the_memory_order) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 5), 300);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 7));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Shape const strides = layout.strides(rank);
      Box const box = layout.box(rank);
      oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
        Index by_strides = 0;
        for (int axis = 0; axis < layout.axes(); ++axis)
          by_strides += (point[axis] - box.ranges[axis].lo) / box.ranges[axis].step * strides[axis];
        ASSERT_EQ(by_strides, offset) << "rank " << rank << " of " << cases::describe(layout);
      });
    }
  }
}

TEST(layout, fortran_order_makes_the_first_axis_contiguous) {
  Layout const layout = Layout::grid({4, 5, 6}, {1, 1, 1}, {}, {2, 1, 0});
  EXPECT_EQ(layout.strides(0), (Shape{1, 4, 20}));
  EXPECT_EQ(Layout::grid({4, 5, 6}, {1, 1, 1}).strides(0), (Shape{30, 6, 1}));
}

TEST(layout, with_order_changes_the_memory_order_only) {
  Layout const layout = Layout::grid({4, 5, 6}, {2, 1, 3}, {cyclic, block, block});
  Layout const other = layout.with_order({1, 2, 0});
  EXPECT_EQ(other.order(), (Order{1, 2, 0}));
  for (int rank = 0; rank < 6; ++rank) EXPECT_EQ(other.box(rank), layout.box(rank));
  EXPECT_EQ(other.strides(0), (Shape{1, 4, 2}));
  EXPECT_EQ(layout.order(), (Order{0, 1, 2}));
}

TEST(layout, c_order_counts_the_axes) {
  EXPECT_EQ(c_order(4), (Order{0, 1, 2, 3}));
  EXPECT_EQ(Layout::slab({2, 2}, 1).order(), (Order{0, 1}));
}

// Grids.

TEST(choose_grid, leaves_the_fewest_points_on_the_fullest_rank_and_then_is_nearest_to_square) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 5000);
    int const ranks = random.between(1, 60);
    int const split = random.between(1, axes);
    Grid const grid = choose_grid(shape, ranks, split);
    ASSERT_EQ(grid.size(), axes);

    auto const cost = [&](Grid const& g) {
      Index fullest = 1;
      int sum = 0;
      for (int axis = 0; axis < axes; ++axis) {
        Index most = 0;  // indices along the axis of the fullest part
        for (Index i = 0; i < shape[axis]; i += g[axis]) ++most;
        fullest *= most;
        sum += g[axis];
      }
      return std::pair(fullest, sum);
    };
    int product = 1;
    for (int axis = 0; axis < axes; ++axis) {
      product *= grid[axis];
      if (axis >= split) {
        EXPECT_EQ(grid[axis], 1);
      }
    }
    EXPECT_EQ(product, ranks);

    Shape tried(axes, 1);  // all grids of numbers up to `ranks`
    Box every;
    for (int axis = 0; axis < axes; ++axis)
      every.ranges.push_back({1, axis < split - 1 ? ranks + 1 : 2, 1});
    oracle::for_each_point(every, [&](Shape const& point) {
      Grid candidate(axes, 1);
      int rest = ranks;
      for (int axis = 0; axis < split - 1; ++axis) {
        int const parts = static_cast<int>(point[axis]);
        if (rest % parts != 0) return;
        candidate[axis] = parts;
        rest /= parts;
      }
      candidate[split - 1] = rest;
      EXPECT_LE(cost(grid), cost(candidate))
          << to_string(shape) << " over " << ranks << ", " << split << " axes split";
    });
  }
}

TEST(choose_grid, is_near_square_where_the_shape_is) {
  EXPECT_EQ(choose_grid({256, 256, 256}, 4096, 2), (Grid{64, 64, 1}));
  EXPECT_EQ(choose_grid({256, 256, 256}, 4096, 3), (Grid{16, 16, 16}));
  EXPECT_EQ(choose_grid({256, 256, 256}, 7, 1), (Grid{7, 1, 1}));
}

TEST(choose_grid, takes_any_number_of_ranks) {
  int const most = std::numeric_limits<int>::max();  // a prime
  EXPECT_EQ(choose_grid({8, 8}, most, 2), (Grid{1, most}));
  EXPECT_EQ(choose_grid({64, 64, 64}, 1 << 30, 3), (Grid{1 << 10, 1 << 10, 1 << 10}));
}

TEST(choose_grid, refuses_what_it_cannot_split) {
  EXPECT_TRUE(refuses("ranks", {"0 was given"}, [] { choose_grid({4, 4}, 0, 2); }));
  EXPECT_TRUE(refuses("ranks", {"-3 was given"}, [] { choose_grid({4, 4}, -3, 2); }));
  EXPECT_TRUE(refuses("split_axes", {"1 to 2", "3 was given"}, [] { choose_grid({4, 4}, 2, 3); }));
  EXPECT_TRUE(refuses("split_axes", {"1 to 2", "0 was given"}, [] { choose_grid({4, 4}, 2, 0); }));
  EXPECT_TRUE(refuses("shape", {"none was given"}, [] { choose_grid({}, 2, 1); }));
  EXPECT_TRUE(refuses("shape", {"axis 1 is -4"}, [] { choose_grid({4, -4}, 2, 1); }));
}

// Equality and text.

TEST(layout, is_equal_to_another_if_both_place_every_point_alike) {
  Random random(9);
  Shape const shape{4, 3};
  std::vector<Layout> layouts{
      Layout::slab(shape, 2),
      Layout::slab(shape, 2, 1),
      Layout::grid(shape, {2, 1}, {cyclic, block}),
      Layout::grid(shape, {2, 1}, {}, {1, 0}),
      Layout::boxes(shape, {box_of({{0, 2}, {0, 3}}), box_of({{2, 4}, {0, 3}})}),
      Layout::boxes(shape, {box_of({{2, 4}, {0, 3}}), box_of({{0, 2}, {0, 3}})})};
  for (int round = 0; round < 30; ++round)
    layouts.push_back(cases::random_layout(random, shape, 2));
  for (Layout const& a : layouts)
    for (Layout const& b : layouts)
      EXPECT_EQ(a == b, a.order() == b.order() && oracle::owners(a) == oracle::owners(b))
          << cases::describe(a) << "\n"
          << cases::describe(b);
}

TEST(layout, is_equal_to_another_wherever_their_empty_boxes_are) {
  Layout const a = Layout::boxes({2}, {box_of({{0, 2}}), box_of({{2, 2}})});
  EXPECT_EQ(a, Layout::boxes({2}, {box_of({{0, 2}}), box_of({{0, 0}})}));
  EXPECT_EQ(Layout::slab({1, 2}, 2), Layout::grid({1, 2}, {2, 1}, {cyclic, block}));
}

TEST(layout, of_another_shape_or_rank_count_is_another) {
  EXPECT_FALSE(Layout::slab({4, 4}, 2) == Layout::slab({4, 5}, 2));
  EXPECT_FALSE(Layout::slab({4, 4}, 2) == Layout::slab({4, 4}, 3));
  EXPECT_FALSE(Layout::slab({4}, 2) == Layout::slab({4, 1}, 2));
}

TEST(layout, describes_itself) {
  EXPECT_EQ(Layout::slab({256, 256, 256}, 2).describe(),
            "256 x 256 x 256 over 2 x 1 x 1 ranks (slab)");
  EXPECT_EQ(Layout::pencil({8, 8, 8}, 4).describe(), "8 x 8 x 8 over 2 x 2 x 1 ranks (pencil)");
  EXPECT_EQ(Layout::brick({8, 8, 8}, 8).describe(), "8 x 8 x 8 over 2 x 2 x 2 ranks (brick)");
  EXPECT_EQ(Layout::grid({8, 4}, {2, 1}, {cyclic, cyclic}, {1, 0}).describe(),
            "8 x 4 over 2 x 1 ranks (slab), axis 0 cyclic, memory order 1 0");
  EXPECT_EQ(Layout::boxes({6}, {box_of({{0, 4}}), box_of({{4, 6}})}).describe(), "6 over 2 boxes");
}

TEST(layout, keeps_its_ranks_where_a_whole_axis_gets_another_extent) {
  Layout const grid =
      Layout::grid({6, 5, 8}, {2, 3, 1},
                   {Distribution::cyclic, Distribution::block, Distribution::block}, {2, 0, 1});
  Layout const boxes =
      Layout::boxes({4, 8}, {Box{{{0, 1}, {0, 8}}}, Box{{{0, 0}, {0, 0}}}, Box{{{1, 4}, {0, 8}}}});
  Layout const nothing =  // along one axis only, in the second box
      Layout::boxes({4, 8}, {Box{{{0, 1}, {0, 8}}}, Box{{{1, 1}, {0, 8}}}, Box{{{1, 4}, {0, 8}}}});
  for (Layout const& layout : {grid, boxes, nothing}) {
    int const last = layout.axes() - 1;
    Layout const other = layout.with_extent(last, 5);
    for (int rank = 0; rank < layout.ranks(); ++rank) EXPECT_LE(other.box(rank).ranges[last].hi, 5);
    EXPECT_EQ(other.shape()[last], 5);
    EXPECT_TRUE(other.order() == layout.order());
    EXPECT_TRUE(other.with_extent(last, 8) == layout);
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      EXPECT_EQ(other.box(rank).empty(), layout.box(rank).empty());
      for (int axis = 0; axis < last; ++axis)
        EXPECT_TRUE(other.box(rank).ranges[axis] == layout.box(rank).ranges[axis]);
    }
  }
  Layout const longer = Layout::grid({4, 1}, {1, 3}).with_extent(1, 5);  // two ranks hold nothing
  EXPECT_EQ(longer.local_size(0), 20);
  EXPECT_EQ(longer.local_size(1), 0);
  EXPECT_TRUE(refuses("axis", {"axis 1", "is split"}, [&] { grid.with_extent(1, 3); }));
  EXPECT_TRUE(refuses("axis", {"0 to 2", "3"}, [&] { grid.with_extent(3, 3); }));
  EXPECT_TRUE(refuses("extent", {"at least 1", "0"}, [&] { grid.with_extent(2, 0); }));
}

TEST(ghosts, lie_around_each_box) {
  Layout const layout = Layout::slab({5, 3}, 2).with_ghosts({1, 0}, {2, 4});
  EXPECT_EQ(layout.array_size(0), (1 + 3 + 2) * 7);
  EXPECT_EQ(layout.array_size(1), (1 + 2 + 2) * 7);
  EXPECT_EQ(layout.strides(1), (Shape{7, 1}));
  EXPECT_EQ(layout.offset(0), 7);
  EXPECT_EQ(layout.local_size(0), 9);
  EXPECT_TRUE(layout.has_ghosts());
  EXPECT_FALSE(layout == layout.dense());
  EXPECT_EQ(layout.dense(), Layout::slab({5, 3}, 2));
  EXPECT_EQ(layout.with_ghosts({0, 0}, {0, 0}), layout.dense());
  EXPECT_NE(layout.describe().find("ghosts 1 0 before and 2 4 after"), std::string::npos);
}

TEST(ghosts, follow_the_memory_order) {
  Layout const layout = Layout::grid({4, 6}, {1, 1}, {}, {1, 0}).with_ghosts({1, 2}, {0, 1});
  EXPECT_EQ(layout.strides(0), (Shape{1, 5}));
  EXPECT_EQ(layout.offset(0), 1 + 2 * 5);
  EXPECT_EQ(layout.array_size(0), 5 * 9);
}

TEST(ghosts, may_differ_from_rank_to_rank) {
  Layout const dense = Layout::slab({5, 3}, 3);  // 2, 2 and 1 rows
  Layout const layout = dense.in_arrays({{4, 4}, {2, 3}, {3, 8}}, {{1, 1}, {0, 0}, {2, 0}});
  EXPECT_EQ(layout.array_size(0), 16);
  EXPECT_EQ(layout.offset(0), 5);
  EXPECT_EQ(layout.array_size(1), 6);
  EXPECT_EQ(layout.ghosts(2), (Ghosts{{2, 0}, {0, 5}}));
  EXPECT_EQ(dense.in_arrays({{2, 3}, {2, 3}, {1, 3}}, {{0, 0}, {0, 0}, {0, 0}}), dense);
  EXPECT_EQ(dense.in_arrays({{4, 4}, {4, 4}, {3, 4}}, {{1, 1}, {1, 1}, {1, 1}}),
            dense.with_ghosts({1, 1}, {1, 0}));
}

TEST(ghosts, of_an_empty_box_there_are_none) {
  Layout const layout = Layout::slab({2, 3}, 3).with_ghosts({1, 1}, {1, 1});
  EXPECT_EQ(layout.array_size(2), 0);
  EXPECT_EQ(layout.ghosts(2), (Ghosts{{0, 0}, {0, 0}}));
}

TEST(ghosts, are_lost_where_an_axis_gets_another_extent) {
  Layout const layout = Layout::slab({4, 6}, 2).with_ghosts({1, 1}, {1, 1});
  EXPECT_EQ(layout.with_extent(1, 4), Layout::slab({4, 4}, 2));
}

TEST(ghosts, that_cannot_be_are_refused_by_name) {
  Layout const layout = Layout::slab({4, 6}, 2);
  EXPECT_TRUE(refuses("ghosts", {"2 entries", "1 were"}, [&] { layout.with_ghosts({1}, {1, 1}); }));
  EXPECT_TRUE(refuses("ghosts", {"axis 1", "-1"}, [&] { layout.with_ghosts({1, 1}, {0, -1}); }));
  EXPECT_TRUE(refuses("ghosts", {"over 2^62"}, [&] {
    layout.with_ghosts({Index{1} << 61, 0}, {0, 0});
  }));
  Index const most = std::numeric_limits<Index>::max();
  for (auto const& around : {std::pair{most, Index{0}}, {Index{0}, most}, {most, most}}) {
    Index const before = around.first, after = around.second;
    EXPECT_TRUE(refuses("ghosts", {text(before).c_str(), text(after).c_str(), "over 2^62"}, [&] {
      layout.with_ghosts({before, before}, {after, after});
    }));
  }
  EXPECT_TRUE(refuses("arrays", {"rank 0", text(most).c_str(), "sticks out"}, [&] {
    layout.in_arrays({{2, 6}, {2, 6}}, {{most, 0}, {0, 0}});
  }));
  EXPECT_TRUE(refuses("arrays", {"rank 0", text(-most).c_str(), "sticks out"}, [&] {
    layout.in_arrays({{-most, 6}, {2, 6}}, {{most, 0}, {0, 0}});
  }));
  EXPECT_TRUE(refuses("ghosts", {"over 2^62"}, [&] {
    layout.in_arrays({{most, 6}, {2, 6}}, {{0, 0}, {0, 0}});
  }));
  EXPECT_TRUE(refuses("arrays", {"2 ranks", "1 and 1"}, [&] {
    layout.in_arrays({{2, 6}}, {{0, 0}});
  }));
  EXPECT_TRUE(refuses("arrays", {"rank 1", "2 x 6", "sticks out"}, [&] {
    layout.in_arrays({{2, 6}, {2, 6}}, {{0, 0}, {1, 0}});
  }));
}

}  // namespace
}  // namespace sixstep
