// SPDX-License-Identifier: BSD-3-Clause
// Layouts for C.
#include <algorithm>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;
using c::per_axis;
using c::per_axis_or_none;

namespace {

/// Stores the handle of what make() returns. It counts axes as the maker of `from` does, if `from`
/// is not null.
template <class Make>
int layout_of(sixstep_layout** layout, sixstep_layout const* from, Make const& make) {
  return guarded(from, [&] {
    given(layout, "layout");
    c::hand_out(layout, make());
  });
}
template <class Make>
int layout_of(sixstep_layout** layout, Make const& make) {
  return layout_of(layout, nullptr, make);
}

PerAxis<Distribution> distribution_of(int axes, int const* given) {
  PerAxis<Distribution> made;
  for (int const dealt : per_axis_or_none(axes, given, "distribution"))
    made.push_back(c::enumerated(dealt, Distribution::cyclic, "distribution"));
  return made;
}

Box box_of(int axes, int64_t const* lo, int64_t const* hi) {
  Box box;
  for (int axis = 0; axis < axes; ++axis) box.ranges.push_back({lo[axis], hi[axis]});
  return box;
}

/// One shape for each rank, from values[rank * axes + axis].
std::vector<Shape> by_rank(Layout const& layout, int64_t const* values, char const* name) {
  given(values, name);
  std::vector<Shape> made;
  for (int rank = 0; rank < layout.ranks(); ++rank)
    made.push_back(
        per_axis(layout.axes(), values + static_cast<std::ptrdiff_t>(rank) * layout.axes(), name));
  return made;
}

}  // namespace

sixstep_part c::part_of(Layout const& layout, int rank, Shape const& strides) {
  Box const box = layout.box(rank);
  sixstep_part part{};
  part.axes = box.axes();
  for (int axis = 0; axis < box.axes(); ++axis) {
    part.lo[axis] = box.ranges[axis].lo;
    part.hi[axis] = box.ranges[axis].hi;
    part.step[axis] = box.ranges[axis].step;
  }
  std::copy(strides.begin(), strides.end(), part.stride);
  if (layout.has_ghosts() && !box.empty()) {
    Shape const before = layout.ghosts(rank).before;
    for (int axis = 0; axis < box.axes(); ++axis) part.offset += before[axis] * strides[axis];
  }
  part.points = box.volume();
  return part;
}

int sixstep_choose_grid(int axes, int64_t const* shape, int ranks, int split_axes, int* grid) {
  return guarded([&] {
    Grid const chosen = choose_grid(per_axis(axes, shape, "shape"), ranks, split_axes);
    std::copy(chosen.begin(), chosen.end(), &given(grid, "grid"));
  });
}

int sixstep_layout_grid(int axes, int64_t const* shape, int const* grid, int const* distribution,
                        int const* order, sixstep_layout** layout) {
  return layout_of(layout, [&] {
    return Layout::grid(per_axis(axes, shape, "shape"), per_axis(axes, grid, "grid"),
                        distribution_of(axes, distribution),
                        per_axis_or_none(axes, order, "order"));
  });
}

int sixstep_layout_slab(int axes, int64_t const* shape, int ranks, int axis,
                        sixstep_layout** layout) {
  return layout_of(layout,
                   [&] { return Layout::slab(per_axis(axes, shape, "shape"), ranks, axis); });
}

int sixstep_layout_pencil(int axes, int64_t const* shape, int ranks, sixstep_layout** layout) {
  return layout_of(layout, [&] { return Layout::pencil(per_axis(axes, shape, "shape"), ranks); });
}

int sixstep_layout_brick(int axes, int64_t const* shape, int ranks, sixstep_layout** layout) {
  return layout_of(layout, [&] { return Layout::brick(per_axis(axes, shape, "shape"), ranks); });
}

int sixstep_layout_boxes(int axes, int64_t const* shape, int ranks, int64_t const* lo,
                         int64_t const* hi, int const* order, sixstep_layout** layout) {
  return layout_of(layout, [&] {
    Shape const extents = per_axis(axes, shape, "shape");
    given(lo, "lo");
    given(hi, "hi");
    require(ranks >= 1, "ranks: 1 or more are needed, ", ranks, " were given");
    std::vector<Box> boxes;
    for (std::ptrdiff_t rank = 0; rank < ranks; ++rank)
      boxes.push_back(box_of(axes, lo + rank * axes, hi + rank * axes));
    return Layout::boxes(extents, boxes, per_axis_or_none(axes, order, "order"));
  });
}

int sixstep_layout_gather(int axes, int64_t const* shape, int64_t const* lo, int64_t const* hi,
                          int const* order, MPI_Comm comm, sixstep_layout** layout) {
  return guarded([&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    Shape extents;
    Box mine;
    Order memory;
    mpi::together(all, [&] {
      given(layout, "layout");
      extents = per_axis(axes, shape, "shape");
      given(lo, "lo");
      given(hi, "hi");
      mine = box_of(axes, lo, hi);
      memory = per_axis_or_none(axes, order, "order");
    });
    c::hand_out(layout, gather_boxes(extents, mine, all.get(), memory));
  });
}

int sixstep_layout_tuned(int precision, int axes, int64_t const* shape, int output, MPI_Comm comm,
                         sixstep_options const* options, sixstep_layout** layout) {
  return guarded([&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    Shape extents;
    Options chosen;
    Output lies = Output::cheapest;
    mpi::together(all, [&] {
      given(layout, "layout");
      lies = c::enumerated<Output>(output, "output");
      c::enumerated(precision, SIXSTEP_SINGLE, "precision");
      extents = per_axis(axes, shape, "shape");
      chosen = c::options_of(options);
    });
    c::hand_out(layout, precision == SIXSTEP_DOUBLE
                            ? Plan<double>::tuned_layout(extents, all.get(), chosen, lies)
                            : Plan<float>::tuned_layout(extents, all.get(), chosen, lies));
  });
}

int sixstep_layout_with_order(sixstep_layout const* from, int const* order,
                              sixstep_layout** layout) {
  return layout_of(layout, from, [&] {
    Layout const& old = given(from, "from").layout;
    return old.with_order(per_axis(old.axes(), order, "order"));
  });
}

int sixstep_layout_with_ghosts(sixstep_layout const* from, int64_t const* before,
                               int64_t const* after, sixstep_layout** layout) {
  return layout_of(layout, from, [&] {
    Layout const& old = given(from, "from").layout;
    return old.with_ghosts(per_axis(old.axes(), before, "before"),
                           per_axis(old.axes(), after, "after"));
  });
}

int sixstep_layout_in_arrays(sixstep_layout const* from, int64_t const* extents,
                             int64_t const* starts, sixstep_layout** layout) {
  return layout_of(layout, from, [&] {
    Layout const& old = given(from, "from").layout;
    return old.in_arrays(by_rank(old, extents, "extents"), by_rank(old, starts, "starts"));
  });
}

int sixstep_layout_dense(sixstep_layout const* from, sixstep_layout** layout) {
  return layout_of(layout, from, [&] { return given(from, "from").layout.dense(); });
}

int sixstep_layout_with_extent(sixstep_layout const* from, int axis, int64_t extent,
                               sixstep_layout** layout) {
  return layout_of(layout, from,
                   [&] { return given(from, "from").layout.with_extent(axis, extent); });
}

int sixstep_layout_transposed(sixstep_layout const* from, int const* axes,
                              sixstep_layout** layout) {
  return layout_of(layout, from, [&] {
    Layout const& old = given(from, "from").layout;
    return old.transposed(per_axis(old.axes(), axes, "axes"));
  });
}

int sixstep_layout_counts(sixstep_layout const* layout, int* axes, int* ranks) {
  return guarded(layout, [&] {
    Layout const& of = given(layout, "layout").layout;
    c::put(axes, of.axes());
    c::put(ranks, of.ranks());
  });
}

int sixstep_layout_shape(sixstep_layout const* layout, int64_t* shape) {
  return guarded(layout, [&] {
    Shape const& extents = given(layout, "layout").layout.shape();
    std::copy(extents.begin(), extents.end(), &given(shape, "shape"));
  });
}

int sixstep_layout_order(sixstep_layout const* layout, int* order) {
  return guarded(layout, [&] {
    Order const& axes = given(layout, "layout").layout.order();
    std::copy(axes.begin(), axes.end(), &given(order, "order"));
  });
}

int sixstep_layout_dealt(sixstep_layout const* layout, int* grid, int* distribution) {
  return guarded(layout, [&] {
    Layout const& of = given(layout, "layout").layout;
    for (int axis = 0; axis < of.axes(); ++axis) {
      if (grid != nullptr) grid[axis] = of.grid().empty() ? 0 : of.grid()[axis];
      if (distribution != nullptr) distribution[axis] = static_cast<int>(of.distribution()[axis]);
    }
  });
}

int sixstep_layout_whole(sixstep_layout const* layout, int axis, int* whole) {
  return guarded(layout,
                 [&] { given(whole, "whole") = given(layout, "layout").layout.whole(axis); });
}

int sixstep_layout_part(sixstep_layout const* layout, int rank, sixstep_part* part) {
  return guarded(layout, [&] {
    Layout const& of = given(layout, "layout").layout;
    given(part, "part") = c::part_of(of, rank, of.strides(rank));
  });
}

int sixstep_layout_array_size(sixstep_layout const* layout, int rank, int64_t* elements) {
  return guarded(layout, [&] {
    given(elements, "elements") = given(layout, "layout").layout.array_size(rank);
  });
}

int sixstep_layout_ghosts(sixstep_layout const* layout, int rank, int64_t* before, int64_t* after) {
  return guarded(layout, [&] {
    Layout const& of = given(layout, "layout").layout;
    given(before, "before");
    given(after, "after");
    Ghosts const ghosts = of.ghosts(rank);
    std::copy(ghosts.before.begin(), ghosts.before.end(), before);
    std::copy(ghosts.after.begin(), ghosts.after.end(), after);
  });
}

int sixstep_layout_largest_size(sixstep_layout const* layout, int64_t* points) {
  return guarded(layout, [&] {
    given(points, "points") = given(layout, "layout").layout.largest_local_size();
  });
}

int sixstep_layout_ranks_meeting(sixstep_layout const* layout, int64_t const* lo, int64_t const* hi,
                                 int* count, int* ranks) {
  return guarded(layout, [&] {
    Layout const& of = given(layout, "layout").layout;
    given(lo, "lo");
    given(hi, "hi");
    std::vector<int> const meeting = of.ranks_meeting(box_of(of.axes(), lo, hi));
    given(count, "count") = static_cast<int>(meeting.size());
    if (ranks != nullptr) std::copy(meeting.begin(), meeting.end(), ranks);
  });
}

int sixstep_layout_equal(sixstep_layout const* a, sixstep_layout const* b, int* equal) {
  return guarded(a, [&] { given(equal, "equal") = given(a, "a").layout == given(b, "b").layout; });
}

int sixstep_layout_describe(sixstep_layout* layout, char const** words) {
  return guarded(layout, [&] {
    given(words, "words");
    sixstep_layout& of = given(layout, "layout");
    of.words = of.layout.describe();
    *words = of.words.c_str();
  });
}

int sixstep_layout_free(sixstep_layout* layout) {
  delete layout;
  return SIXSTEP_OK;
}
