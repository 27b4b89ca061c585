// SPDX-License-Identifier: BSD-3-Clause
// Layouts: arguments that are refused, by name and by what is needed.
#include "sixstep/layout.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "refuses.hpp"

namespace sixstep {
namespace {

constexpr Distribution block = Distribution::block;
constexpr Distribution cyclic = Distribution::cyclic;

Box box_of(std::initializer_list<Range> ranges) { return {PerAxis<Range>(ranges)}; }

TEST(grid, refuses_a_shape_without_axes) {
  EXPECT_TRUE(refuses("shape", {"at least one", "none was given"}, [] { Layout::grid({}, {}); }));
}

TEST(grid, refuses_a_negative_extent) {
  EXPECT_TRUE(refuses("shape", {"axis 1 is -6"}, [] { Layout::grid({4, -6}, {1, 1}); }));
}

TEST(grid, refuses_a_grid_of_another_length) {
  EXPECT_TRUE(refuses("grid", {"2 entries", "3 were given"}, [] {
    Layout::grid({4, 6}, {1, 1, 1});
  }));
  EXPECT_TRUE(refuses("grid", {"2 entries", "0 were given"}, [] { Layout::grid({4, 6}, {}); }));
}

TEST(grid, refuses_fewer_than_one_rank_along_an_axis) {
  EXPECT_TRUE(refuses("grid", {"at least 1", "axis 1 has 0"}, [] {
    Layout::grid({4, 6}, {2, 0});
  }));
  EXPECT_TRUE(refuses("grid", {"axis 0 has -2"}, [] { Layout::grid({4, 6}, {-2, -1}); }));
}

TEST(grid, refuses_more_than_2_to_the_62_points) {
  Index const big = Index{1} << 31;
  EXPECT_EQ(volume(Layout::grid({big, big}, {1, 1}).shape()), Index{1} << 62);
  EXPECT_TRUE(refuses("shape", {"2147483648 x 2147483649", "2^62"}, [&] {
    Layout::grid({big, big + 1}, {1, 1});
  }));
  EXPECT_TRUE(refuses("shape", {"2^62"}, [&] {
    Layout::grid({big, big, big, big, big, big, big, big}, Grid(8, 1));
  }));
  Index const most = std::numeric_limits<Index>::max();
  EXPECT_TRUE(refuses("shape", {"2^62"}, [&] { Layout::grid({most, most, most}, Grid(3, 1)); }));
}

TEST(grid, refuses_more_than_2_to_the_31_ranks) {
  EXPECT_EQ(Layout::grid({8, 8}, {2147483647, 1}).ranks(), 2147483647);
  EXPECT_TRUE(refuses("grid", {"65536 x 32768", "2^31 - 1 ranks"}, [] {
    Layout::grid({8, 8}, {65536, 32768});
  }));
  EXPECT_TRUE(refuses("grid", {"2^31 - 1 ranks"}, [] {
    Layout::grid({8, 8, 8}, {2147483647, 2147483647, 2147483647});
  }));
}

TEST(grid, refuses_an_order_that_is_no_permutation) {
  for (Order const& order : {Order{0, 0}, Order{1, 2}, Order{0}, Order{0, 1, 2}, Order{-1, 0}})
    EXPECT_TRUE(refuses("order", {"a permutation of 0 to 1"}, [&] {
      Layout::grid({4, 6}, {1, 1}, {}, order);
    }));
  EXPECT_TRUE(refuses("order", {"{2, 2, 0} was given"}, [] {
    Layout::grid({4, 6, 2}, {1, 1, 1}, {}, {2, 2, 0});
  }));
  EXPECT_TRUE(refuses("order", {"{1, 1} was given"}, [] {
    static_cast<void>(Layout::slab({4, 6}, 2).with_order({1, 1}));
  }));
}

TEST(grid, refuses_a_distribution_of_another_length) {
  EXPECT_TRUE(refuses("distribution", {"2 entries", "1 were given"}, [] {
    Layout::grid({4, 6}, {1, 1}, {cyclic});
  }));
}

TEST(grid, refuses_slabs_of_an_axis_that_is_not_there) {
  EXPECT_TRUE(refuses("axis", {"0 to 1", "2 was given"}, [] { Layout::slab({4, 6}, 2, 2); }));
  EXPECT_TRUE(refuses("axis", {"0 to 1", "-1 was given"}, [] { Layout::slab({4, 6}, 2, -1); }));
}

TEST(grid, refuses_pencils_of_a_single_axis) {
  EXPECT_TRUE(refuses("shape", {"at least 2 axes", "1"}, [] { Layout::pencil({4}, 2); }));
}

TEST(grid, refuses_to_hold_more_axes_than_fit) {
  EXPECT_NE(message_of([] { Shape(17, Index{1}); }).find("at most 16 axes"), std::string::npos);
}

TEST(layout, refuses_ranks_that_it_does_not_have) {
  Layout const layout = Layout::slab({4, 6}, 3);
  EXPECT_TRUE(refuses("rank", {"0 to 2", "3 was given"}, [&] { layout.box(3); }));
  EXPECT_TRUE(refuses("rank", {"0 to 2", "-1 was given"}, [&] { layout.local_size(-1); }));
  EXPECT_TRUE(refuses("rank", {"0 to 2", "7 was given"}, [&] { layout.strides(7); }));
  EXPECT_TRUE(refuses("rank", {"0 to 2", "3 was given"}, [&] { layout.ghosts(3); }));
  EXPECT_TRUE(refuses("rank", {"0 to 2", "-1 was given"}, [&] { layout.offset(-1); }));
  EXPECT_TRUE(refuses("rank", {"0 to 2", "3 was given"}, [&] { layout.array_size(3); }));
}

TEST(layout, refuses_axes_that_it_does_not_have) {
  Layout const boxes = Layout::boxes({4}, {box_of({{0, 1}}), box_of({{1, 4}})});
  for (Layout const& layout : {Layout::slab({4}, 3), boxes})
    for (int axis : {-1, 1, 1000000})
      EXPECT_TRUE(refuses("axis", {"0 to 0", text(axis, " was given").c_str()},
                          [&] { layout.whole(axis); }));
  EXPECT_TRUE(refuses("axis", {"0 was given"}, [] { Layout().whole(0); }));
}

TEST(layout, refuses_regions_that_are_none_of_its_boxes) {
  Layout const layout = Layout::grid({4, 6}, {2, 3}, {cyclic, block});
  for (Box const& region : {Box{}, box_of({{0, 4}}), box_of({{0, 4}, {0, 6}, {0, 1}})})
    EXPECT_TRUE(refuses("region", {"each of the 2 axes", text("there are ", region.axes()).c_str()},
                        [&] { layout.ranks_meeting(region); }));
  for (Index step : {0, -1})
    EXPECT_TRUE(refuses("region", {"axis 1", text("has ", step).c_str()}, [&] {
      layout.ranks_meeting(box_of({{0, 4}, {0, 6, step}}));
    }));
  EXPECT_TRUE(Layout().ranks_meeting(Box{}).empty());
}

}  // namespace
}  // namespace sixstep
