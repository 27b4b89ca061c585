// SPDX-License-Identifier: BSD-3-Clause
// Ranges and boxes: what they share, which ranks hold a region, and lists of boxes as layouts.
#include "sixstep/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;

Box box_of(std::initializer_list<Range> ranges) { return {PerAxis<Range>(ranges)}; }

/// A box that may have steps, and may stick out of the shape.
Box random_region(Random& random, Shape const& shape, Index beyond) {
  Box region;
  for (Index extent : shape) {
    Index const lo = random.between(-beyond, extent - 1 + beyond);
    Index const hi = random.between(lo, extent + beyond);
    region.ranges.push_back(
        {lo, hi, random.once_in(2) ? Index{1} : random.between(Index{1}, extent)});
  }
  return region;
}

std::vector<int> holders(Layout const& layout, Box const& region) {
  std::vector<int> const owners = oracle::owners(layout);
  std::set<int> found;
  oracle::for_each_point(region, [&](Shape const& point) {
    for (int axis = 0; axis < point.size(); ++axis)
      if (point[axis] < 0 || point[axis] >= layout.shape()[axis]) return;
    found.insert(owners[oracle::at(oracle::number_of(layout.shape(), point))]);
  });
  return {found.begin(), found.end()};
}

// Ranges and boxes.

TEST(ranges, count_is_the_number_of_indices) {
  for (Index lo = -3; lo <= 5; ++lo)
    for (Index hi = -3; hi <= 9; ++hi)
      for (Index step = 1; step <= 5; ++step) {
        Range const range{lo, hi, step};
        EXPECT_EQ(range.count(), static_cast<Index>(oracle::indices(range).size()));
        EXPECT_EQ(range.empty(), oracle::indices(range).empty());
      }
}

TEST(ranges, are_equal_if_they_hold_the_same_indices) {
  std::vector<Range> ranges;
  for (Index lo = 0; lo <= 4; ++lo)
    for (Index hi = 0; hi <= 8; ++hi)
      for (Index step = 1; step <= 4; ++step) ranges.push_back({lo, hi, step});
  for (Range const& a : ranges)
    for (Range const& b : ranges)
      ASSERT_EQ(a == b, oracle::indices(a) == oracle::indices(b))
          << to_string(Box{{a}}) << " and " << to_string(Box{{b}});
}

TEST(ranges, intersect_in_the_indices_that_both_hold) {
  std::vector<Range> ranges;
  for (Index lo = 0; lo <= 12; lo += 3)
    for (Index length = 0; length <= 30; length += 5)
      for (Index step = 1; step <= 12; ++step) ranges.push_back({lo, lo + length, step});
  for (Range const& a : ranges) {
    for (Range const& b : ranges) {
      std::vector<Index> const in_a = oracle::indices(a), in_b = oracle::indices(b);
      std::vector<Index> shared;
      std::set_intersection(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                            std::back_inserter(shared));
      ASSERT_EQ(oracle::indices(intersect(a, b)), shared)
          << to_string(Box{{a}}) << " and " << to_string(Box{{b}});
    }
  }
}

TEST(ranges, intersect_where_products_of_steps_outgrow_32_bits) {
  // 2^31 - 1 and 65537 are primes: they meet once in (2^31 - 1) 65537 indices.
  Index const p = (Index{1} << 31) - 1, q = 65537;
  Index const far = Index{1} << 61;
  Range const shared = intersect({3, far, p}, {5, far, q});
  EXPECT_EQ(shared.step, p * q);
  EXPECT_EQ(shared.lo % p, 3);
  EXPECT_EQ(shared.lo % q, 5);
  EXPECT_GE(shared.lo, 0);
  EXPECT_LT(shared.lo, p * q);
}

TEST(boxes, intersect_in_the_points_that_both_hold) {
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 400);
    Box const a = random_region(random, shape, 2), b = random_region(random, shape, 2);
    std::set<std::vector<Index>> in_a, shared, found;
    auto const key = [](Shape const& p) { return std::vector<Index>(p.begin(), p.end()); };
    oracle::for_each_point(a, [&](Shape const& p) { in_a.insert(key(p)); });
    oracle::for_each_point(b, [&](Shape const& p) {
      if (in_a.count(key(p))) shared.insert(key(p));
    });
    Box const both = intersect(a, b);
    oracle::for_each_point(both, [&](Shape const& p) { found.insert(key(p)); });
    EXPECT_EQ(found, shared) << to_string(a) << " and " << to_string(b);
    EXPECT_EQ(both.volume(), static_cast<Index>(shared.size()));
    EXPECT_EQ(both.empty(), shared.empty());
  }
}

TEST(boxes, print_their_ranges_and_steps) {
  EXPECT_EQ(to_string(box_of({{0, 128}, {2, 256, 4}})), "[0, 128) x [2, 256):4");
  EXPECT_EQ(to_string(Shape{256, 3}), "256 x 3");
}

// Who holds a region.

TEST(ranks_meeting, are_those_that_hold_a_point_of_the_region) {
  Random random(6);
  for (int round = 0; round < 1500; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 150);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 20));
    Box const region = random_region(random, shape, 0);
    ASSERT_EQ(layout.ranks_meeting(region), holders(layout, region))
        << to_string(region) << " of " << cases::describe(layout);
  }
}

TEST(ranks_meeting, ignore_what_sticks_out_of_the_shape) {
  Random random(7);
  for (int round = 0; round < 1500; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 60);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 12));
    Box const region = random_region(random, shape, 5);
    ASSERT_EQ(layout.ranks_meeting(region), holders(layout, region))
        << to_string(region) << " of " << cases::describe(layout);
  }
}

TEST(ranks_meeting, are_found_among_hundreds_of_boxes) {
  Random random(8);
  Shape const shape{30, 24, 20};
  for (int ranks : {5, 100, 700}) {
    Layout const layout = Layout::boxes(shape, cases::random_boxes(random, shape, ranks));
    std::vector<int> const owners = oracle::owners(layout);
    for (int round = 0; round < 200; ++round) {
      Box const region = random_region(random, shape, 3);
      ASSERT_EQ(layout.ranks_meeting(region), holders(layout, region)) << to_string(region);
    }
  }
}

TEST(ranks_meeting, of_an_empty_region_are_none) {
  EXPECT_TRUE(Layout::slab({8, 8}, 4).ranks_meeting(box_of({{0, 8}, {3, 3}})).empty());
  EXPECT_TRUE(Layout::boxes({2, 2}, {box_of({{0, 2}, {0, 2}})})
                  .ranks_meeting(box_of({{0, 2}, {2, 1}}))
                  .empty());
}

TEST(ranks_meeting, of_a_layout_without_points_are_none) {
  EXPECT_TRUE(Layout::slab({0, 8}, 4).ranks_meeting(box_of({{0, 1}, {0, 8}})).empty());
}

// Lists of boxes.

TEST(boxes, hold_what_they_were_given) {
  std::vector<Box> const given{box_of({{0, 2}, {0, 3}}), box_of({{2, 2}, {0, 0}}),
                               box_of({{0, 2}, {3, 4}}), box_of({{2, 5}, {0, 4}})};
  Layout const layout = Layout::boxes({5, 4}, given, {1, 0});
  ASSERT_EQ(layout.ranks(), 4);
  EXPECT_EQ(layout.order(), (Order{1, 0}));
  EXPECT_TRUE(layout.grid().empty());
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ(layout.box(rank), given[static_cast<std::size_t>(rank)]);
}

TEST(boxes, may_be_empty_wherever_they_are) {
  EXPECT_EQ(Layout::boxes({3}, {box_of({{9, 9}}), box_of({{0, 3}}), box_of({{5, -7}})}).ranks(), 3);
}

TEST(boxes, that_overlap_are_refused_by_both_their_names) {
  EXPECT_TRUE(refuses("boxes", {"box 1, [0, 4) x [3, 6)", "box 2, [3, 6) x [0, 4)", "overlap"}, [] {
    Layout::boxes({6, 6},
                  {box_of({{0, 3}, {0, 3}}), box_of({{0, 4}, {3, 6}}), box_of({{3, 6}, {0, 4}})});
  }));
  EXPECT_TRUE(refuses("boxes", {"box 0", "box 1", "overlap"}, [] {
    Layout::boxes({6}, {box_of({{0, 6}}), box_of({{0, 6}})});
  }));
}

TEST(boxes, that_overlap_are_refused_however_large) {
  Index const big = Index{1} << 31;
  Box const all = box_of({{0, big}, {0, big}});
  EXPECT_TRUE(refuses("boxes", {"box 0", "box 1", "overlap"}, [&] {
    Layout::boxes({big, big}, {all, all, all, all});
  }));
}

TEST(boxes, that_stick_out_are_refused_by_name) {
  EXPECT_TRUE(refuses("boxes", {"box 1, [3, 7) x [0, 6)", "sticks out", "6 x 6"}, [] {
    Layout::boxes({6, 6}, {box_of({{0, 3}, {0, 6}}), box_of({{3, 7}, {0, 6}})});
  }));
  EXPECT_TRUE(refuses("boxes", {"box 0, [-1, 6)", "sticks out"}, [] {
    Layout::boxes({6}, {box_of({{-1, 6}})});
  }));
}

TEST(boxes, with_a_step_are_refused_by_name) {
  EXPECT_TRUE(refuses("boxes", {"box 1, [1, 6):2", "step"},
                      [] {
                        Layout::boxes({6}, {box_of({{0, 6, 2}}), box_of({{1, 6, 2}})});
                      }) ||
              refuses("boxes", {"box 0, [0, 6):2", "step"}, [] {
                Layout::boxes({6}, {box_of({{0, 6, 2}}), box_of({{1, 6, 2}})});
              }));
  EXPECT_TRUE(refuses("boxes", {"box 1, [4, 6):2", "step"}, [] {
    Layout::boxes({6}, {box_of({{0, 4}}), box_of({{4, 6, 2}}), box_of({{5, 6}})});
  }));
  EXPECT_TRUE(refuses("boxes", {"box 1, [0, 6):0 x [6, 6)", "step"}, [] {
    Layout::boxes({6, 6}, {box_of({{0, 6}, {0, 6}}), box_of({{0, 6, 0}, {6, 6}})});
  }));
}

TEST(boxes, that_leave_points_out_are_refused_with_their_number) {
  EXPECT_TRUE(refuses("boxes", {"35 of the 36 points", "6 x 6"}, [] {
    Layout::boxes({6, 6}, {box_of({{0, 5}, {0, 6}}), box_of({{5, 6}, {0, 5}})});
  }));
}

TEST(boxes, with_other_axes_than_the_shape_are_refused_by_name) {
  EXPECT_TRUE(refuses("boxes", {"box 1 has 1 axes", "has 2"}, [] {
    Layout::boxes({6, 6}, {box_of({{0, 6}, {0, 6}}), box_of({{0, 0}})});
  }));
}

TEST(boxes, are_needed_for_one_rank_at_least) {
  EXPECT_TRUE(refuses("boxes", {"none was given"}, [] { Layout::boxes({6}, {}); }));
}

TEST(boxes, need_a_shape_and_an_order) {
  EXPECT_TRUE(refuses("shape", {"axis 0 is -1"}, [] { Layout::boxes({-1}, {box_of({{0, 0}})}); }));
  EXPECT_TRUE(refuses("order", {"{3} was given"}, [] {
    Layout::boxes({1}, {box_of({{0, 1}})}, {3});
  }));
}

}  // namespace
}  // namespace sixstep
