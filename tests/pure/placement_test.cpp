// SPDX-License-Identifier: BSD-3-Clause
// Placements: pieces of working indices against the local array point by point.
#include "layout/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "views.hpp"

namespace sixstep::layout {
namespace {

using cases::Random;

Placement random_placement(Random& random, int most_axes, Index points, int ranks) {
  views::Pair const pair = views::random_views(random, random.between(1, most_axes), points);
  Layout const layout = cases::random_layout(random, pair.shape, ranks);
  return {layout, random.once_in(2) ? pair.first : pair.second};
}

Box random_region(Random& random, Shape const& shape) {
  Box region;
  for (Index extent : shape) {
    Index const lo = random.between(Index{0}, extent - 1);
    region.ranges.push_back({lo, random.between(lo, extent),
                             random.once_in(2) ? Index{1} : random.between(Index{1}, extent)});
  }
  return region;
}

std::map<Index, Index> offsets_once(Shape const& shape, Pieces const& pieces) {
  bool twice = false;
  std::map<Index, Index> found = views::offsets(shape, pieces, twice);
  EXPECT_FALSE(twice) << "pieces overlap";
  return found;
}

TEST(placement, pieces_hold_every_element_once_where_it_lies) {
  Random random(1);
  for (int round = 0; round < 1500; ++round) {
    Placement const placement = random_placement(random, 3, 300, random.between(1, 9));
    for (int rank = 0; rank < placement.layout.ranks(); ++rank)
      ASSERT_EQ(offsets_once(placement.view.shape, placement.pieces(rank)),
                views::offsets(placement, rank))
          << "rank " << rank << " of " << views::describe(placement);
  }
}

TEST(placement, a_layout_in_its_own_axes_is_one_piece_a_rank) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 200);
    Placement const placement = place(cases::random_layout(random, shape, random.between(1, 9)));
    EXPECT_EQ(placement.view.shape, shape);
    EXPECT_TRUE(placement.is_boxes());
    for (int rank = 0; rank < placement.layout.ranks(); ++rank) {
      Pieces const pieces = placement.pieces(rank);
      ASSERT_EQ(pieces.size(), placement.layout.box(rank).empty() ? 0u : 1u);
      EXPECT_EQ(offsets_once(shape, pieces), views::offsets(placement, rank));
    }
  }
}

TEST(placement, blocks_that_end_with_rows_are_one_piece_and_others_at_most_three) {
  View const view{{6, 4}, {{0, 1}}};
  for (int ranks : {1, 2, 3, 6}) {
    Placement const aligned{Layout::slab({24}, ranks), view};
    EXPECT_TRUE(aligned.is_boxes()) << ranks;
    for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(aligned.pieces(rank).size(), 1u);
  }
  Placement const ragged{Layout::boxes({24}, {{{{0, 2}}}, {{{2, 21}}}, {{{21, 24}}}}), view};
  EXPECT_FALSE(ragged.is_boxes());
  EXPECT_EQ(ragged.pieces(1).size(), 3u);
}

TEST(placement, of_a_cyclic_axis_has_few_pieces_however_the_axis_is_split) {
  for (Index fast : {1, 2, 3, 5, 7, 11, 233})
    for (int ranks : {2, 3, 4, 6, 7}) {
      View const view{{30, fast}, {{0, 1}}};
      Placement const cyclic{Layout::grid({30 * fast}, {ranks}, {Distribution::cyclic}), view};
      for (int rank = 0; rank < ranks; ++rank)
        EXPECT_LE(cyclic.pieces(rank).size(), static_cast<std::size_t>(ranks) + 2) << fast;
    }
}

TEST(placement, cycles_that_fit_the_rows_are_one_piece) {
  View const view{{6, 4}, {{0, 1}}};
  for (int ranks : {2, 4, 8})
    EXPECT_TRUE((Placement{Layout::grid({24}, {ranks}, {Distribution::cyclic}), view}.is_boxes()))
        << ranks;
}

TEST(placement, is_boxes_tells_whether_no_rank_has_several_pieces) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    Placement const placement = random_placement(random, 2, 200, random.between(1, 6));
    bool single = true;
    for (int rank = 0; rank < placement.layout.ranks(); ++rank)
      single = single && placement.pieces(rank).size() <= 1;
    EXPECT_EQ(placement.is_boxes(), single) << views::describe(placement);
  }
}

TEST(placement, an_axis_is_whole_if_every_column_along_it_is_on_one_rank) {
  Random random(4);
  int whole = 0, split = 0;
  for (int round = 0; round < 1500; ++round) {
    Placement const placement = random_placement(random, 2, 100, random.between(1, 6));
    if (!placement.is_boxes()) continue;
    Shape const& shape = placement.view.shape;
    std::vector<int> const owners = views::owners(placement);
    for (int axis = 0; axis < shape.size(); ++axis) {
      bool together = true;
      oracle::for_each_point(shape, [&](Shape point) {
        int const owner = owners[oracle::at(oracle::number_of(shape, point))];
        point[axis] = 0;
        together = together && owner == owners[oracle::at(oracle::number_of(shape, point))];
      });
      ASSERT_EQ(placement.whole(axis), together)
          << "working axis " << axis << " of " << views::describe(placement);
      ++(together ? whole : split);
    }
  }
  EXPECT_GT(whole, 100);
  EXPECT_GT(split, 100);
}

TEST(placement, ranks_meeting_leave_out_none_that_holds_a_part) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    Placement const placement = random_placement(random, 3, 200, random.between(1, 9));
    Box const region = random_region(random, placement.view.shape);
    std::vector<int> const owners = views::owners(placement);
    std::set<int> holders;
    oracle::for_each_point(region, [&](Shape const& point) {
      holders.insert(owners[oracle::at(oracle::number_of(placement.view.shape, point))]);
    });
    std::vector<int> const found = placement.ranks_meeting(region);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
    ASSERT_TRUE(std::includes(found.begin(), found.end(), holders.begin(), holders.end()))
        << to_string(region) << " of " << views::describe(placement);
    if (placement.view.shape.size() == placement.layout.axes()) {
      ASSERT_EQ(found, std::vector<int>(holders.begin(), holders.end()));
    }
  }
}

// Coalescing.

TEST(coalesce, keeps_where_every_element_lies) {
  Random random(6);
  for (int round = 0; round < 1000; ++round) {
    Placement const placement = random_placement(random, 3, 200, random.between(1, 5));
    Pieces pieces;  // of several ranks' boxes, here and there in one buffer
    Index offset = 0;
    for (int rank = 0; rank < placement.layout.ranks(); ++rank) {
      if (random.once_in(4)) offset += random.between(Index{0}, Index{9});
      for (Piece piece : placement.pieces(rank)) {
        piece.offset += offset;
        pieces.push_back(piece);
      }
      offset += placement.layout.local_size(rank);
    }
    ASSERT_EQ(offsets_once(placement.view.shape, coalesce(pieces)),
              offsets_once(placement.view.shape, pieces))
        << views::describe(placement);
  }
}

TEST(coalesce, makes_one_piece_of_an_array_that_was_cut) {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 300);
    Piece const whole =
        place(Layout::grid(shape, Grid(axes, 1), {}, cases::random_order(random, axes)))
            .pieces(0)
            .front();
    Grid const cuts = cases::random_grid(random, axes, random.between(1, 12));
    Layout const parts = Layout::grid(shape, cuts);
    Pieces cut;
    for (int part = 0; part < parts.ranks(); ++part) {
      Box const box = parts.box(part);
      if (box.empty()) continue;
      Piece piece{box, whole.offset, whole.strides};
      for (int axis = 0; axis < axes; ++axis)
        piece.offset += box.ranges[axis].lo * whole.strides[axis];
      cut.push_back(piece);
    }
    Pieces const joined = coalesce(cut);
    ASSERT_EQ(joined.size(), 1u) << to_string(shape) << " cut by " << parts.describe();
    EXPECT_EQ(joined, coalesce({whole}));
  }
}

TEST(coalesce, joins_what_was_packed_in_blocks_into_one_array) {
  // Messages of 2 rows each, one behind the other, are 6 rows.
  Pieces const packed{{{{{0, 2}, {0, 5}}}, 0, {5, 1}},
                      {{{{2, 4}, {0, 5}}}, 10, {5, 1}},
                      {{{{4, 6}, {0, 5}}}, 20, {5, 1}}};
  EXPECT_EQ(coalesce(packed), (Pieces{{{{{0, 6}, {0, 5}}}, 0, {5, 1}}}));
}

TEST(coalesce, leaves_apart_what_lies_apart) {
  Pieces const gap{{{{{0, 2}, {0, 5}}}, 0, {5, 1}}, {{{{2, 4}, {0, 5}}}, 11, {5, 1}}};
  EXPECT_EQ(coalesce(gap).size(), 2u);
  Pieces const columns{{{{{0, 2}, {0, 5}}}, 0, {5, 1}}, {{{{0, 2}, {5, 10}}}, 10, {5, 1}}};
  EXPECT_EQ(coalesce(columns).size(), 2u);
}

TEST(same_places, is_what_joined_pieces_say) {
  Random random(8);
  int alike = 0;
  for (int round = 0; round < 4000; ++round) {
    Placement const placement = random_placement(random, 3, 60, 1);
    Pieces const one = placement.pieces(0);
    Pieces other = random.once_in(2) ? coalesce(one) : random_placement(random, 3, 60, 1).pieces(0);
    if (!other.empty() && random.once_in(3)) {
      auto const i =
          static_cast<std::size_t>(random.between(1, static_cast<int>(other.size()))) - 1;
      Piece piece = other[i];
      if (random.once_in(2)) piece.offset += random.between(Index{0}, Index{2});
      Range& range = piece.box.ranges[random.between(0, piece.box.axes() - 1)];
      if (random.once_in(2)) range.lo += range.step;
      if (!range.empty()) other.put(i, piece);
    }
    if (!one.empty() && !other.empty() && one.front().box.axes() != other.front().box.axes())
      continue;
    bool const expected = coalesce(one) == coalesce(other);
    alike += expected ? 1 : 0;
    EXPECT_EQ(same_places(one, other), expected) << views::describe(placement);
    EXPECT_EQ(same_places(other, one), expected) << views::describe(placement);
  }
  EXPECT_GT(alike, 500);
}

TEST(coalesce, of_nothing_is_nothing) { EXPECT_TRUE(coalesce({}).empty()); }

}  // namespace
}  // namespace sixstep::layout
