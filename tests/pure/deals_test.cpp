// SPDX-License-Identifier: BSD-3-Clause
// Deals: what is computed from a few numbers against every part and every index.
#include "layout/deals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cases.hpp"
#include "layout/placement.hpp"

namespace sixstep {
namespace {

using cases::Random;

std::vector<Index> indices(Range const& range) {
  std::vector<Index> found;
  for (Index index = range.lo; index < range.hi; index += range.step) found.push_back(index);
  return found;
}

/// Blocks of random lengths, some of none, in any order of the parts.
Deal random_blocks(Random& random, Index extent, int parts) {
  std::vector<Series> series;
  std::vector<Box> const boxes = cases::random_boxes(random, {extent}, parts);
  for (int part = 0; part < parts; ++part)
    append(series, {part, 1, boxes[static_cast<std::size_t>(part)].ranges[0]});
  return Deal(extent, series);
}

Deal random_deal(Random& random, Index extent, int parts) {
  switch (random.between(0, 2)) {
    case 0:
      return Deal::even(extent, parts, Distribution::block);
    case 1:
      return Deal::even(extent, parts, Distribution::cyclic);
    default:
      return random_blocks(random, extent, parts);
  }
}

TEST(deals, give_every_index_to_one_part) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    Index const extent = random.between(Index{0}, Index{60});
    int const parts = random.between(1, 20);
    Deal const deal = random_deal(random, extent, parts);
    std::multiset<Index> held;
    for (int part = 0; part < parts; ++part)
      for (Index index : indices(deal.range(part))) held.insert(index);
    ASSERT_EQ(static_cast<Index>(held.size()), extent);
    for (Index index = 0; index < extent; ++index) ASSERT_EQ(held.count(index), 1u);
  }
}

TEST(deals, know_the_parts_that_meet_a_region) {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    Index const extent = random.between(Index{1}, Index{60});
    int const parts = random.between(1, 20);
    Deal const deal = random_deal(random, extent, parts);
    Index const lo = random.between(Index{0}, extent - 1);
    Range const region{lo, random.between(lo, extent), random.between(Index{1}, Index{9})};
    std::vector<int> found, wanted;
    for (Parts const& some : deal.meeting(region))
      for (int part = some.first; part < some.first + some.count; ++part) found.push_back(part);
    for (int part = 0; part < parts; ++part)
      if (!intersect(deal.range(part), region).empty()) wanted.push_back(part);
    ASSERT_EQ(found, wanted) << extent << " over " << parts;
  }
}

TEST(deals, of_even_blocks_are_two_series_and_as_few_from_a_list) {
  for (int parts : {3, 4, 1 << 20}) {
    Deal const deal = Deal::even(10'000'000'019, parts, Distribution::block);
    EXPECT_LE(deal.series().size(), 2u);
    std::vector<Series> listed;
    for (int part = 0; part < parts; ++part) append(listed, {part, 1, deal.range(part)});
    EXPECT_EQ(listed, deal.series());
  }
}

TEST(deals, seen_as_two_axes_are_boxes_where_every_part_is_one) {
  Random random(3);
  int boxes = 0, products = 0;
  for (int round = 0; round < 3000; ++round) {
    Index const slow = random.between(Index{1}, Index{8}),
                fast = random.between(Index{1}, Index{8});
    int const ranks = random.between(1, 20);
    Layout const layout =
        random.once_in(2)
            ? Layout::grid({slow * fast}, {ranks},
                           {random.once_in(2) ? Distribution::block : Distribution::cyclic})
            : Deals{{{random_blocks(random, slow * fast, ranks), 1, ranks}}}.boxes(ranks);
    layout::Placement const placement{layout, {{slow, fast}, {{0, 1}}}};
    bool is_boxes = true, has_slow = true, has_fast = true;
    for (int rank = 0; rank < ranks; ++rank) {
      layout::Pieces const pieces = placement.pieces(rank);
      is_boxes = is_boxes && pieces.size() <= 1;
      for (layout::Piece const& piece : pieces) {
        has_slow = has_slow && piece.box.ranges[0].count() == slow;
        has_fast = has_fast && piece.box.ranges[1].count() == fast;
      }
    }
    ASSERT_EQ(placement.is_boxes(), is_boxes) << cases::describe(layout) << slow << "x" << fast;
    auto const deals = placement.deals();
    if (!is_boxes) {
      ASSERT_FALSE(deals) << cases::describe(layout);
      continue;
    }
    ++boxes;
    ASSERT_EQ(placement.whole(0), has_slow) << cases::describe(layout) << slow << "x" << fast;
    ASSERT_EQ(placement.whole(1), has_fast) << cases::describe(layout) << slow << "x" << fast;
    if (!deals) continue;
    ++products;
    for (int rank = 0; rank < ranks; ++rank) {
      layout::Pieces const pieces = placement.pieces(rank);
      if (pieces.empty()) continue;
      Box const box{{(*deals)[0].range(rank), (*deals)[1].range(rank)}};
      ASSERT_EQ(box, pieces[0].box) << cases::describe(layout);
    }
  }
  EXPECT_GT(boxes, 300);
  EXPECT_GT(products, 200);
}

TEST(deals, of_layouts_are_alike_where_every_rank_has_the_same) {
  Random random(4);
  int alike = 0;
  for (int round = 0; round < 5000; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 12);
    int const ranks = random.between(1, 12);
    Layout const a = cases::random_layout(random, shape, ranks).with_order({}),
                 b = cases::random_layout(random, shape, ranks).with_order({});
    bool same = true;
    for (int rank = 0; rank < ranks; ++rank) {
      Box const mine = a.box(rank), theirs = b.box(rank);
      same = same && (mine == theirs || (mine.empty() && theirs.empty()));
    }
    ASSERT_EQ(a == b, same) << cases::describe(a) << cases::describe(b);
    ASSERT_EQ(same_boxes(layout::place(a), layout::place(b)), same)
        << cases::describe(a) << cases::describe(b);
    alike += same ? 1 : 0;
  }
  EXPECT_GT(alike, 100);
}

}  // namespace
}  // namespace sixstep
