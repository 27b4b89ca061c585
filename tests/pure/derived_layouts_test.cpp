// SPDX-License-Identifier: BSD-3-Clause
// Layouts that are made from layouts: each point stays where a map of all points says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cases.hpp"
#include "layout/deals.hpp"
#include "layout/fields.hpp"
#include "oracles/fourier.hpp"
#include "sixstep/layout.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;

/// The rank and the place in its array of every point, by the point's number. It is made from the
/// arguments of a layout, and shares no code with layouts.
struct OwnerMap {
  Shape shape;
  Order order;
  Shape before, after;           // ghosts
  std::vector<int> owners = {};  // by number
  std::vector<Index> places = {};
  std::vector<Index> array_sizes = {};  // by rank
};

Order natural(int axes) {
  Order order;
  while (order.size() < axes) order.push_back(order.size());
  return order;
}

/// The part that has each index of an axis.
std::vector<int> parts_of(Index extent, int parts, Distribution distribution) {
  std::vector<int> found;
  for (int part = 0; part < parts; ++part) {
    Index const left = extent - static_cast<Index>(found.size());
    if (distribution == Distribution::block)  // an equal share, rounded up, of what is left
      found.insert(found.end(), at((left + parts - part - 1) / (parts - part)), part);
  }
  for (Index i = 0; distribution == Distribution::cyclic && i < extent; ++i)
    found.push_back(static_cast<int>(i % parts));
  return found;
}

/// Works out where each point lies in its rank's array.
void lay_out(OwnerMap& map, int ranks) {
  int const axes = map.shape.size();
  std::vector<std::vector<std::set<Index>>> held(at(ranks), std::vector<std::set<Index>>(at(axes)));
  oracle::for_each_point(map.shape, [&](Shape const& point) {
    int const owner = map.owners[at(oracle::number_of(map.shape, point))];
    for (int axis = 0; axis < axes; ++axis) held[at(owner)][at(axis)].insert(point[axis]);
  });
  map.places.clear();
  oracle::for_each_point(map.shape, [&](Shape const& point) {
    auto const& mine = held[at(map.owners[at(oracle::number_of(map.shape, point))])];
    Index place = 0;
    for (int axis : map.order) {
      auto const& indices = mine[at(axis)];
      auto const smaller = std::distance(indices.begin(), indices.find(point[axis]));
      place *= map.before[axis] + static_cast<Index>(indices.size()) + map.after[axis];
      place += map.before[axis] + smaller;
    }
    map.places.push_back(place);
  });
  map.array_sizes.clear();
  for (auto const& mine : held) {
    Index size = 1;
    for (int axis = 0; axis < axes; ++axis)
      size *= mine[at(axis)].empty()
                  ? 0
                  : map.before[axis] + static_cast<Index>(mine[at(axis)].size()) + map.after[axis];
    map.array_sizes.push_back(size);
  }
}

struct Case {
  Layout layout;
  OwnerMap map;
  std::string history;
};

OwnerMap unowned(Shape const& shape, Order const& order) {
  Shape const none(shape.size(), 0);
  return {shape, order, none, none};
}

Case dealt_out(Shape const& shape, Grid const& grid, PerAxis<Distribution> const& distribution,
               Order const& order) {
  Case made{Layout::grid(shape, grid, distribution, order), unowned(shape, order), {}};
  std::vector<std::vector<int>> parts;
  for (int axis = 0; axis < shape.size(); ++axis)
    parts.push_back(parts_of(shape[axis], grid[axis], distribution[axis]));
  oracle::for_each_point(shape, [&](Shape const& point) {
    int rank = 0;
    for (int axis = 0; axis < shape.size(); ++axis)
      rank = rank * grid[axis] + parts[at(axis)][at(point[axis])];
    made.map.owners.push_back(rank);
  });
  return made;
}

Case random_case(Random& random) {
  int const axes = random.between(1, 4), ranks = random.between(1, 8);
  Shape const shape = cases::random_shape(random, axes, 200);
  Order const order = cases::random_order(random, axes);
  Case made;
  if (random.once_in(4)) {
    std::vector<Box> const boxes = cases::random_boxes(random, shape, ranks);
    made = {Layout::boxes(shape, boxes, order), unowned(shape, order), {}};
    made.map.owners.assign(at(oracle::points_of(shape)), -1);
    for (int rank = 0; rank < ranks; ++rank)
      oracle::for_each_point(boxes[at(rank)], [&](Shape const& point) {
        made.map.owners[at(oracle::number_of(shape, point))] = rank;
      });
  } else {
    PerAxis<Distribution> distribution;
    for (int axis = 0; axis < axes; ++axis)
      distribution.push_back(random.once_in(2) ? Distribution::cyclic : Distribution::block);
    made = dealt_out(shape, cases::random_grid(random, axes, ranks), distribution, order);
  }
  lay_out(made.map, ranks);
  made.history = cases::describe(made.layout);
  return made;
}

// What layouts are made to, and what becomes of the map.

Case transposed(Case const& old, Order const& axes) {
  Case made{old.layout.transposed(axes), old.map, old.history};
  int const count = axes.size();
  for (int axis = 0; axis < count; ++axis) {
    made.map.shape[axis] = old.map.shape[axes[axis]];
    made.map.before[axis] = old.map.before[axes[axis]];
    made.map.after[axis] = old.map.after[axes[axis]];
    for (int position = 0; position < count; ++position)
      if (old.map.order[position] == axes[axis]) made.map.order[position] = axis;
  }
  oracle::for_each_point(old.map.shape, [&](Shape const& point) {
    Shape renamed(count, 0);
    for (int axis = 0; axis < count; ++axis) renamed[axis] = point[axes[axis]];
    auto const from = at(oracle::number_of(old.map.shape, point));
    auto const to = at(oracle::number_of(made.map.shape, renamed));
    made.map.owners[to] = old.map.owners[from];
    made.map.places[to] = old.map.places[from];
  });
  return made;
}

Case of_fields(Case const& old, Index count, Storage storage) {
  Case made{with_fields(old.layout, count, storage), old.map, old.history};
  bool const interleaved = storage == Storage::interleaved;
  int const last = old.map.shape.size();
  for (Shape* shape : {&made.map.before, &made.map.after}) shape->push_back(0);
  made.map.shape.push_back(count);
  made.map.order = interleaved ? old.map.order : Order{last};
  if (interleaved) made.map.order.push_back(last);
  for (int axis : interleaved ? Order{} : old.map.order) made.map.order.push_back(axis);
  made.map.owners.clear();
  made.map.places.clear();
  for (std::size_t number = 0; number < old.map.owners.size(); ++number) {
    int const owner = old.map.owners[number];
    for (Index field = 0; field < count; ++field) {
      made.map.owners.push_back(owner);
      made.map.places.push_back(interleaved ? old.map.places[number] * count + field
                                            : old.map.places[number] +
                                                  field * old.map.array_sizes[at(owner)]);
    }
  }
  for (Index& size : made.map.array_sizes) size *= count;
  return made;
}

Case with_extent(Case const& old, int axis, Index extent) {
  Case made{old.layout.with_extent(axis, extent), old.map, old.history};
  made.map.shape[axis] = extent;
  made.map.before = made.map.after = Shape(made.map.shape.size(), 0);
  made.map.owners.clear();
  oracle::for_each_point(made.map.shape, [&](Shape point) {
    point[axis] = 0;
    made.map.owners.push_back(old.map.owners[at(oracle::number_of(old.map.shape, point))]);
  });
  lay_out(made.map, old.layout.ranks());
  return made;
}

Case with_ghosts(Case old, Shape const& before, Shape const& after) {
  old.layout = old.layout.with_ghosts(before, after);
  old.map.before = before;
  old.map.after = after;
  lay_out(old.map, old.layout.ranks());
  return old;
}

Case with_order(Case old, Order const& order) {
  old.layout = old.layout.with_order(order);
  old.map.order = order;
  lay_out(old.map, old.layout.ranks());
  return old;
}

Case derived(Random& random, Case const& old) {
  int const axes = old.layout.axes();
  int const what = random.between(0, 5);
  if (what == 0) return transposed(old, cases::random_order(random, axes));
  if (what == 1) return with_order(old, cases::random_order(random, axes));
  if (what == 2 && axes < 5)
    return of_fields(old, random.between(1, 3),
                     random.once_in(2) ? Storage::blocks : Storage::interleaved);
  if (what == 3) {
    Shape before, after;
    for (int axis = 0; axis < axes; ++axis) {
      before.push_back(random.between(0, 2));
      after.push_back(random.between(0, 2));
    }
    return with_ghosts(old, before, after);
  }
  int const axis = random.between(0, axes - 1);
  if (what == 4 && old.layout.whole(axis)) return with_extent(old, axis, random.between(1, 6));
  Case made = old;
  made.layout = old.layout.dense();
  made.map.before = made.map.after = Shape(axes, 0);
  lay_out(made.map, made.layout.ranks());
  return made;
}

// The comparison.

/// A difference in words, or none.
std::string points_that_differ(Layout const& layout, OwnerMap const& map) {
  std::vector<int> seen(map.owners.size(), 0);
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Box const box = layout.box(rank);
    Shape const strides = layout.strides(rank);
    Index const first = layout.offset(rank);
    std::string wrong;
    oracle::for_each_point(box, [&](Shape const& point) {
      auto const number = at(oracle::number_of(map.shape, point));
      Index place = first;
      for (int axis = 0; axis < point.size(); ++axis)
        place += (point[axis] - box.ranges[axis].lo) / box.ranges[axis].step * strides[axis];
      Box one;
      for (Index index : point) one.ranges.push_back({index, index + 1});
      bool const right = map.owners[number] == rank && map.places[number] == place &&
                         layout.ranks_meeting(one) == std::vector{rank};
      if (!right) wrong = text("rank ", rank, ", point ", to_string(point));
      ++seen[number];
    });
    if (!wrong.empty()) return wrong;
    if (layout.array_size(rank) != map.array_sizes[at(rank)])
      return text("the size of the array of rank ", rank, " is ", layout.array_size(rank));
  }
  bool const once = std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; });
  return once ? "" : "a point is held by nobody or by two ranks";
}

/// What a layout says of its axes, compared with the boxes it gives to its ranks.
std::string words_that_differ(Layout const& layout) {
  for (int axis = 0; axis < layout.axes(); ++axis) {
    bool is_in_steps = false, is_whole = true;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Box const box = layout.box(rank);
      if (box.empty()) continue;
      std::vector<Index> const held = oracle::indices(box.ranges[axis]);
      is_in_steps = is_in_steps || (held.size() > 1 && held[1] > held[0] + 1);
      is_whole = is_whole && static_cast<Index>(held.size()) == layout.shape()[axis];
    }
    if (is_in_steps && layout.distribution()[axis] != Distribution::cyclic)
      return text("axis ", axis, " is said to be in blocks");
    if (is_whole != layout.whole(axis)) return text("whole(", axis, ")");
  }
  if (layout.grid().empty()) return "";
  Layout const again =
      Layout::grid(layout.shape(), layout.grid(), layout.distribution(), layout.order());
  for (int rank = 0; rank < layout.ranks(); ++rank)
    if (!(again.box(rank) == layout.box(rank)) && !layout.box(rank).empty()) return "grid()";
  return again.ranks() == layout.ranks() ? "" : "grid()";
}

TEST(derived_layouts, have_each_point_where_it_has_to_be) {
  Random random(32);
  for (int round = 0; round < cases::rounds(3000); ++round) {
    Case now = random_case(random);
    for (int step = random.between(0, 4); step >= 0; --step) {
      now.history += "\n  " + now.layout.describe();
      ASSERT_TRUE(now.layout.shape() == now.map.shape) << now.history;
      ASSERT_EQ(points_that_differ(now.layout, now.map), "") << now.history;
      ASSERT_EQ(words_that_differ(now.layout), "") << now.history;
      now = derived(random, now);
    }
  }
}

TEST(derived_layouts, of_all_small_grids_transposed_have_each_point_where_it_has_to_be) {
  for (Grid const& grid : {Grid{2, 2, 1}, Grid{2, 1, 3}, Grid{1, 2, 4}, Grid{2, 2, 2}})
    for (Shape const& shape : {Shape{5, 3, 4}, Shape{1, 6, 7}})
      for (int cyclic = 0; cyclic < 8; ++cyclic) {
        PerAxis<Distribution> distribution;
        for (int axis = 0; axis < 3; ++axis)
          distribution.push_back(cyclic >> axis & 1 ? Distribution::cyclic : Distribution::block);
        Case one = dealt_out(shape, grid, distribution, natural(3));
        lay_out(one.map, one.layout.ranks());
        Order axes = natural(3);
        do {
          Case const other = transposed(one, axes);
          ASSERT_EQ(points_that_differ(other.layout, other.map), "") << other.layout.describe();
          ASSERT_EQ(words_that_differ(other.layout), "") << other.layout.describe();
          for (int axis = 0; axis < 3; ++axis) {  // of as many parts as points both are the same
            int const before = axes[axis];
            if (shape[before] <= grid[before] || grid[before] == 1) continue;
            ASSERT_EQ(other.layout.distribution()[axis], distribution[before]);
          }
          Layout const back = other.layout.transposed(
              Order{static_cast<int>(std::find(axes.begin(), axes.end(), 0) - axes.begin()),
                    static_cast<int>(std::find(axes.begin(), axes.end(), 1) - axes.begin()),
                    static_cast<int>(std::find(axes.begin(), axes.end(), 2) - axes.begin())});
          ASSERT_EQ(back, one.layout);
          ASSERT_EQ(back.grid(), grid);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
}

TEST(derived_layouts, have_points_again_that_a_layout_of_none_gets) {
  for (Grid const& grid : {Grid{2, 1}, Grid{1, 3}, Grid{2, 2}}) {
    Layout const none = Layout::grid({0, 4}, grid);
    for (int axis = 0; axis < 2; ++axis) {
      Layout const some = none.with_extent(axis, 5);
      Index held = 0;
      for (int rank = 0; rank < some.ranks(); ++rank) held += some.local_size(rank);
      EXPECT_EQ(held, volume(some.shape())) << some.describe();
      EXPECT_TRUE(some.whole(axis));
    }
  }
}

}  // namespace
}  // namespace sixstep
