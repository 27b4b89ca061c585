// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: all ranks of a redistribution in one process, every element its working number.
#include "redistribution/redistribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cases.hpp"
#include "message_places.hpp"
#include "oracles/fourier.hpp"
#include "views.hpp"

namespace sixstep::redistribution {
namespace {

using cases::Random;
using oracle::at;

constexpr Index nothing = -1;

struct Case {
  layout::Placement from;
  layout::Placement to;
  Order block_order;
};

Case random_case(Random& random, int most_axes, Index points, int ranks) {
  views::Pair const pair = views::random_views(random, random.between(1, most_axes), points);
  Layout const from = cases::random_layout(random, pair.shape, ranks);
  Layout const to = cases::random_layout(random, pair.shape, ranks);
  return {{from, random.once_in(2) ? pair.first : pair.second},
          {to, random.once_in(2) ? pair.first : pair.second},
          cases::random_order(random, pair.first.shape.size())};
}

std::string describe(Case const& given) {
  return "from " + views::describe(given.from) + "\nto " + views::describe(given.to);
}

/// Messages follow each other and fill the buffer, in their order.
void expect_contiguous(Side const& side, Cuts const& cuts) {
  Index next = 0;
  auto const place = [&](Message const& message) {
    switch (cuts.sorted) {
      case Sorted::by_receiver:
        return std::tuple(message.behind, message.rank, message.before);
      case Sorted::by_sender:
        return std::tuple(message.before, message.rank, message.behind);
      case Sorted::by_rank:
        break;
    }
    return std::tuple(message.rank, message.before, message.behind);
  };
  for (std::size_t i = 0; i < side.messages.size(); ++i) {
    EXPECT_TRUE(i == 0 || place(side.messages[i - 1]) < place(side.messages[i]));
    EXPECT_EQ(side.messages[i].offset, next);
    EXPECT_GT(side.messages[i].count, 0);
    next += side.messages[i].count;
  }
  EXPECT_EQ(side.size, next);
}

/// The packed buffer of a rank that holds working numbers.
std::vector<Index> pack(layout::Placement const& from, int rank, Side const& side) {
  std::map<Index, Index> const held = views::offsets(from, rank);
  bool twice = false;
  std::vector<Index> buffer(at(side.size), nothing);
  for (auto const& [number, offset] : views::offsets(from.view.shape, side.packed, twice)) {
    EXPECT_TRUE(held.count(number)) << "rank " << rank << " sends what it does not hold";
    if (offset < 0 || offset >= side.size || buffer[at(offset)] != nothing)
      ADD_FAILURE() << "offset " << offset << " of " << side.size << " is wrong or used twice";
    else
      buffer[at(offset)] = number;
  }
  EXPECT_FALSE(twice);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), nothing), 0);
  return buffer;
}

/// The box of a window, by its definition; everything where a rank is not cut.
Box window_of(layout::Pieces const& pieces, Cut const& cut, int window, Shape const& shape) {
  Box box;
  for (Index extent : shape) box.ranges.push_back({0, extent, 1});
  if (cut.axis < 0 || pieces.size() != 1) return box;
  Range const range = pieces.front().box.ranges[cut.axis];
  Index const windows = std::min<Index>(cut.windows, range.count());
  auto const begin = [&](Index i) { return range.lo + range.count() * i / windows * range.step; };
  box.ranges[cut.axis] = {begin(window), begin(window + 1), 1};
  return box;
}

Shape point_of(Shape const& shape, Index number) {
  Shape point(shape.size(), 0);
  for (int axis = shape.size() - 1; axis >= 0; --axis) {
    point[axis] = number % shape[axis];
    number /= shape[axis];
  }
  return point;
}

bool contains(Box const& box, Shape const& point) {
  for (int axis = 0; axis < box.axes(); ++axis)
    if (point[axis] < box.ranges[axis].lo || point[axis] >= box.ranges[axis].hi) return false;
  return true;
}

/// How a test wants an exchange done.
struct How {
  Cuts cuts = {};
  InArray in_array = {};
};

/// Runs the exchange of all ranks: what each rank receives, as it lies in its buffer, is checked,
/// and counted by working number in `arrived[rank]`.
void run(Case const& given, How const& how, std::vector<std::map<Index, int>>& arrived) {
  int const ranks = given.from.layout.ranks();
  Shape const& shape = given.to.view.shape;
  std::vector<RankMessages> moves;
  std::vector<std::vector<Index>> sent;
  for (int rank = 0; rank < ranks; ++rank) {
    moves.push_back(
        rank_messages(given.from, given.to, rank, given.block_order, how.cuts, how.in_array));
    if (!how.in_array.send) expect_contiguous(moves.back().send, how.cuts);
    if (!how.in_array.receive) expect_contiguous(moves.back().receive, how.cuts);
    sent.push_back(pack(given.from, rank, moves.back().send));
  }
  for (int rank = 0; rank < ranks; ++rank) {
    Side const& receive = moves[at(rank)].receive;
    std::vector<Index> buffer(at(receive.size), nothing);
    for (Message const& message : receive.messages) {
      std::vector<Message> const& theirs = moves[at(message.rank)].send.messages;
      auto const match = std::find_if(theirs.begin(), theirs.end(), [&](Message const& m) {
        return m.rank == rank && m.before == message.before && m.behind == message.behind;
      });
      ASSERT_NE(match, theirs.end());
      ASSERT_EQ(match->count, message.count);
      Box const before =
          window_of(given.from.pieces(message.rank), how.cuts.before, message.before, shape);
      Box const behind = window_of(given.to.pieces(rank), how.cuts.behind, message.behind, shape);
      for (Index i = 0; i < message.count; ++i) {
        Index const number = sent[at(message.rank)][at(exchange::offset_in(*match, i))];
        Shape const point = point_of(shape, number);
        ASSERT_TRUE(contains(before, point) && contains(behind, point)) << "in another window";
        Index const offset = exchange::offset_in(message, i);
        ASSERT_GE(offset, 0);
        ASSERT_LT(offset, receive.size);
        ASSERT_EQ(buffer[at(offset)], nothing) << "received twice";
        buffer[at(offset)] = number;
      }
    }
    bool twice = false;
    for (auto const& [number, offset] : views::offsets(shape, receive.packed, twice)) {
      ASSERT_GE(offset, 0);
      ASSERT_LT(offset, receive.size);
      ASSERT_EQ(buffer[at(offset)], number) << "rank " << rank << " takes one point for another";
      ++arrived[at(rank)][number];
    }
    EXPECT_FALSE(twice);
  }
  std::size_t sends = 0, receives = 0;
  for (RankMessages const& mine : moves) {
    sends += mine.send.messages.size();
    receives += mine.receive.messages.size();
  }
  EXPECT_EQ(sends, receives) << "a message that nobody receives";
}

void expect_all_arrived(Case const& given, std::vector<std::map<Index, int>> const& arrived) {
  for (int rank = 0; rank < given.to.layout.ranks(); ++rank) {
    std::map<Index, int> expected;
    for (auto const& [number, offset] : views::offsets(given.to, rank)) expected[number] = 1;
    ASSERT_EQ(arrived[at(rank)], expected) << "rank " << rank;
  }
}

TEST(redistribution, brings_every_element_to_its_place) {
  Random random(1);
  for (int round = 0; round < 800 && !testing::Test::HasFailure(); ++round) {
    int const ranks = random.between(1, 8);
    Case const given = random_case(random, 3, 200, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round << ": " << describe(given));
    std::vector<std::map<Index, int>> arrived(at(ranks));
    run(given, {}, arrived);
    expect_all_arrived(given, arrived);
  }
}

TEST(redistribution, uneven_blocks_keep_global_order) {
  Case const given{
      layout::place(Layout::slab({7, 5}, 3)), layout::place(Layout::slab({7, 5}, 3, 1)), {0, 1}};
  std::vector<std::map<Index, int>> arrived(3);
  run(given, {}, arrived);
  expect_all_arrived(given, arrived);
  RankMessages const first = rank_messages(given.from, given.to, 0, {0, 1});
  ASSERT_EQ(first.send.messages.size(), 3u);
  EXPECT_EQ(first.send.messages[0].count, 3 * 2);
  EXPECT_EQ(first.send.messages[2].count, 3 * 1);
}

Cut random_cut(Random& random, int axes) {
  if (random.once_in(4)) return {};
  return {random.between(0, axes - 1), random.between(1, 6)};
}

TEST(redistribution, from_windows_to_windows_delivers_everything_exactly_once) {
  Random random(2);
  for (int round = 0; round < 600 && !testing::Test::HasFailure(); ++round) {
    int const ranks = random.between(1, 6);
    Case const given = random_case(random, 3, 150, ranks);
    int const axes = given.from.view.shape.size();
    How how{{random_cut(random, axes), random_cut(random, axes),
             static_cast<Sorted>(random.between(0, 2))}};
    if (given.from.is_boxes() && given.to.is_boxes())
      how.in_array = {random.once_in(2), random.once_in(2)};
    SCOPED_TRACE(testing::Message() << "round " << round << ": " << describe(given));
    std::vector<std::map<Index, int>> arrived(at(ranks));
    run(given, how, arrived);
    expect_all_arrived(given, arrived);
  }
}

TEST(redistribution, to_where_everything_is_sends_to_oneself_only) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    Case given = random_case(random, 3, 150, random.between(1, 6));
    given.to = given.from;
    for (int rank = 0; rank < given.from.layout.ranks(); ++rank) {
      RankMessages const moves = rank_messages(given.from, given.to, rank, given.block_order);
      for (Message const& message : moves.send.messages) EXPECT_EQ(message.rank, rank);
      EXPECT_EQ(moves.send.size, given.from.layout.local_size(rank));
    }
  }
}

TEST(redistribution, sends_blocks_in_the_order_asked_for) {
  layout::Placement const from = layout::place(Layout::slab({8, 6, 4}, 2));
  layout::Placement const to = layout::place(Layout::slab({8, 6, 4}, 2, 1));
  for (Order const& order : {Order{0, 1, 2}, Order{2, 1, 0}, Order{1, 2, 0}}) {
    RankMessages const moves = rank_messages(from, to, 0, order);
    ASSERT_GE(moves.send.packed.size(), 1u);
    Box const first{{{0, 4}, {0, 3}, {0, 4}}};  // what rank 0 keeps
    bool twice = false;
    std::map<Index, Index> const packed = views::offsets({8, 6, 4}, moves.send.packed, twice);
    oracle::for_each_point(first, [&](Shape const& point) {
      EXPECT_EQ(packed.at(oracle::number_of({8, 6, 4}, point)),
                oracle::offset_of(first, order, point));
    });
  }
}

TEST(redistribution, messages_along_the_receivers_slowest_axis_arrive_as_its_array) {
  // The axis that is gathered lies slowest: block after block makes up the whole.
  layout::Placement const from = layout::place(Layout::slab({8, 6, 4}, 4));
  layout::Placement const to = layout::place(Layout::slab({8, 6, 4}, 4, 1));
  for (int rank = 0; rank < 4; ++rank) {
    RankMessages const moves = rank_messages(from, to, rank, {0, 1, 2});
    EXPECT_EQ(moves.receive.packed, coalesce(to.pieces(rank)));
  }
}

TEST(redistribution, moves_no_more_than_meets_the_other_side) {
  // 64 ranks as 8 x 8 pencils: turning them takes a message to each of 8 ranks of the row.
  Shape const shape{16, 16, 16};
  layout::Placement const from = layout::place(Layout::grid(shape, {8, 8, 1}));
  layout::Placement const to = layout::place(Layout::grid(shape, {8, 1, 8}));
  for (int rank = 0; rank < 64; ++rank) {
    RankMessages const moves = rank_messages(from, to, rank, {0, 1, 2});
    ASSERT_EQ(moves.send.messages.size(), 8u);
    for (Message const& message : moves.send.messages) {
      EXPECT_EQ(message.rank / 8, rank / 8);
      EXPECT_EQ(message.count, 2 * 2 * 2);
    }
  }
}

// Groups.

/// Ranks joined by the points that go from one to the other, transitively.
std::vector<std::vector<int>> components(Case const& given) {
  int const ranks = given.from.layout.ranks();
  std::vector<int> label(at(ranks));
  std::iota(label.begin(), label.end(), 0);
  std::vector<int> const senders = views::owners(given.from);
  std::vector<int> const receivers = views::owners(given.to);
  for (std::size_t point = 0; point < senders.size(); ++point) {
    int const a = label[at(senders[point])], b = label[at(receivers[point])];
    if (a != b) std::replace(label.begin(), label.end(), std::max(a, b), std::min(a, b));
  }
  std::vector<std::vector<int>> groups(at(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int other = 0; other < ranks; ++other)
      if (label[at(other)] == label[at(rank)]) groups[at(rank)].push_back(other);
  return groups;
}

TEST(group_of, holds_all_that_a_rank_exchanges_with_directly_or_through_others) {
  Random random(5);
  int several = 0;
  for (int round = 0; round < 1000; ++round) {
    Case const given = random_case(random, 3, 150, random.between(1, 10));
    auto const expected = components(given);
    for (int rank = 0; rank < given.from.layout.ranks(); ++rank) {
      std::vector<int> const group = group_of(given.from, given.to, rank);
      ASSERT_EQ(group, expected[at(rank)]) << "rank " << rank << ": " << describe(given);
      several += group.size() > 1 && static_cast<int>(group.size()) < given.from.layout.ranks();
    }
  }
  EXPECT_GT(several, 100);
}

TEST(group_of, turned_pencils_is_a_row_of_the_grid) {
  layout::Placement const from = layout::place(Layout::grid({9, 9, 9}, {3, 3, 1}));
  layout::Placement const to = layout::place(Layout::grid({9, 9, 9}, {3, 1, 3}));
  EXPECT_EQ(group_of(from, to, 4), (std::vector<int>{3, 4, 5}));
}

}  // namespace
}  // namespace sixstep::redistribution
