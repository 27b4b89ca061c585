// SPDX-License-Identifier: BSD-3-Clause
// Walks through local arrays: every element once, in the order of memory, on any threads.
#include "sixstep/indices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;

struct Visit {
  Shape point;
  Index offset;
  bool operator==(Visit const&) const = default;
};
using Visits = std::vector<Visit>;

/// What a walk should be, found point by point and sorted.
Visits expected(Layout const& layout, int rank) {
  Visits visits;
  oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
    visits.push_back({point, offset});
  });
  std::ranges::sort(visits, {}, &Visit::offset);
  return visits;
}

auto append_to(Visits& visits) {
  return [&visits](Shape const& point, Index offset) { visits.push_back({point, offset}); };
}

TEST(indices, of_any_layout_come_in_the_order_of_memory) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 5), 200);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 9));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Visits visits;
      for_each(layout, rank, append_to(visits));
      ASSERT_EQ(visits, expected(layout, rank))
          << "rank " << rank << ", " << cases::describe(layout);
    }
  }
}

TEST(indices, of_any_layout_are_visited_once_by_any_number_of_threads) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 100);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 5));
    int const rank = random.between(0, layout.ranks() - 1);
    Visits const all = expected(layout, rank);
    std::vector<Shape> points(all.size());
    std::vector<std::atomic<int>> times(all.size());
    for_each(layout, rank, random.between(1, 9), [&](Shape const& point, Index offset) {
      points[oracle::at(offset)] = point;
      ++times[oracle::at(offset)];
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(points[i], all[i].point) << cases::describe(layout);
      ASSERT_EQ(times[i], 1) << cases::describe(layout);
    }
  }
}

TEST(indices, of_a_box_in_a_larger_array) {
  // As padded rows are, and arrays with ghosts.
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 120);
    Order const order = cases::random_order(random, shape.size());
    Layout const larger = Layout::grid(shape, Grid(shape.size(), 1), {}, order);
    Box box;
    for (Index extent : shape) {
      Index const lo = random.between(Index{0}, extent - 1);
      box.ranges.push_back({lo, random.between(lo + 1, extent), 1});
    }
    Visits all;
    Shape first;
    for (Range const& range : box.ranges) first.push_back(range.lo);
    Index const begin = oracle::offset_of(larger.box(0), order, first);
    oracle::for_each_point(box, [&](Shape const& point) {
      all.push_back({point, oracle::offset_of(larger.box(0), order, point) - begin});
    });
    std::ranges::sort(all, {}, &Visit::offset);
    Visits visits;
    for_each(box, larger.strides(0), append_to(visits));
    ASSERT_EQ(visits, all) << to_string(box) << " of " << larger.describe();
  }
}

TEST(indices, of_several_fields_are_those_of_the_first) {
  Box const box{{Range{1, 3}, Range{0, 2}}};
  Visits visits;
  for_each(box, {6, 3, 1}, append_to(visits));  // three components, point by point
  Visits const expected{{{1, 0}, 0}, {{1, 1}, 3}, {{2, 0}, 6}, {{2, 1}, 9}};
  EXPECT_EQ(visits, expected);
}

TEST(indices, of_nothing_are_none) {
  Visits visits;
  for_each(Layout::slab({2, 3}, 4), 3, append_to(visits));
  for_each(Layout::slab({2, 3}, 4), 3, 2, append_to(visits));
  for_each(Box{}, Shape{}, append_to(visits));
  EXPECT_TRUE(visits.empty());
}

TEST(indices, refuse_what_does_not_fit) {
  auto const ignore = [](Shape const&, Index) {};
  Layout const layout = Layout::slab({4, 3}, 2);
  EXPECT_TRUE(refuses("strides", {"2 entries", "1 were given"},
                      [&] { for_each(layout.box(0), {1}, ignore); }));
  EXPECT_TRUE(refuses("threads", {"0 were given"}, [&] { for_each(layout, 0, 0, ignore); }));
  EXPECT_TRUE(refuses("rank", {"2 was given"}, [&] { for_each(layout, 2, ignore); }));
}

TEST(indices, hand_on_what_a_visit_throws_on_any_thread) {
  Layout const layout = Layout::slab({100}, 1);
  for (Index culprit : {0, 57, 99})
    EXPECT_THROW(for_each(layout, 0, 4,
                          [&](Shape const&, Index offset) {
                            if (offset == culprit) throw std::out_of_range("a user's");
                          }),
                 std::out_of_range);
}

}  // namespace
}  // namespace sixstep
