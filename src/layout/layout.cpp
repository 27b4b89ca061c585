// SPDX-License-Identifier: BSD-3-Clause
// Layouts: deal out a shape to ranks, and find the ranks that hold a region. Ghosts: ghosts.cpp.
//
// Knows nothing about MPI or memory beyond the order of axes.
#include "sixstep/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "layout/box_tree.hpp"
#include "layout/checks.hpp"
#include "layout/deals.hpp"

namespace sixstep {

namespace {

Order check_permutation(char const* name, Order const& order, int axes) {
  Order sorted = order;
  std::sort(sorted.begin(), sorted.end());
  require(
      sorted == c_order(axes), name, ": a permutation of ", [&] { return axis_names(axes); },
      " is needed, {", [&] { return axis_list(order, ", "); }, "} was given");
  return order;
}

Order check_order(Order const& order, int axes) {
  return order.empty() ? c_order(axes) : check_permutation("order", order, axes);
}

/// Entry axes[a] at a, `other` where axes[a] is -1.
template <class T>
PerAxis<T> taken(PerAxis<T> const& values, Order const& axes, T const& other) {
  PerAxis<T> result;
  for (int axis : axes) result.push_back(axis < 0 ? other : values[axis]);
  return result;
}

}  // namespace

Layout Layout::grid(Shape const& shape, Grid const& grid, PerAxis<Distribution> const& distribution,
                    Order const& order) {
  check_shape(shape);
  require(grid.size() == shape.size(), "grid: ", shape.size(), " entries are needed, one an axis, ",
          grid.size(), " were given");
  Wide ranks = 1;
  for (int axis = 0; axis < grid.size(); ++axis) {
    require(grid[axis] >= 1, "grid: at least 1 rank along each axis is needed, axis ",
            axis_name(axis, grid.size()), " has ", grid[axis]);
    ranks *= grid[axis];
    require(
        ranks <= std::numeric_limits<int>::max(), "grid: at most 2^31 - 1 ranks are possible, ",
        [&] { return list(grid, " x "); }, " has more");
  }
  require(distribution.empty() || distribution.size() == shape.size(),
          "distribution: ", shape.size(), " entries are needed, one an axis, ", distribution.size(),
          " were given");
  Layout layout;
  layout.shape_ = shape;
  layout.order_ = check_order(order, shape.size());
  layout.ranks_ = static_cast<int>(ranks);
  layout.grid_ = grid;
  layout.distribution_ = distribution.empty()
                             ? PerAxis<Distribution>(shape.size(), Distribution::block)
                             : distribution;
  Deals deals{PerAxis<Dealt>(shape.size(), Dealt{})};
  int stride = 1;
  for (int axis = shape.size() - 1; axis >= 0; --axis) {
    Deal deal = Deal::even(shape[axis], grid[axis], layout.distribution_[axis]);
    deals.axes[axis] = {std::move(deal), stride, grid[axis]};
    stride *= grid[axis];
  }
  layout.deals_ = std::make_shared<Deals const>(std::move(deals));
  return layout;
}

Layout Layout::slab(Shape const& shape, int ranks, int axis) {
  check_shape(shape);
  check_axis(axis, shape.size());
  Grid grid(shape.size(), 1);
  grid[axis] = ranks;
  return Layout::grid(shape, grid);
}

Layout Layout::pencil(Shape const& shape, int ranks) {
  require(shape.size() >= 2, "shape: at least 2 axes are needed for pencils, ", shape.size(),
          " was given");
  return Layout::grid(shape, choose_grid(shape, ranks, 2));
}

Layout Layout::brick(Shape const& shape, int ranks) {
  return Layout::grid(shape, choose_grid(shape, ranks, shape.size()));
}

Layout Layout::boxes(Shape const& shape, std::vector<Box> const& boxes, Order const& order) {
  check_shape(shape);
  require(!boxes.empty(), "boxes: one a rank is needed, none was given");
  require(boxes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
          "boxes: at most 2^31 - 1 are possible, ", boxes.size(), " were given");
  Wide held = 0;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    Box const& box = boxes[rank];
    require(box.axes() == shape.size(), "boxes: box ", rank, " has ", box.axes(),
            " axes, the shape has ", shape.size());
    for (int axis = 0; axis < box.axes(); ++axis) {
      Range const& range = box.ranges[axis];
      if (range.step == 1 && (box.empty() || (range.lo >= 0 && range.hi <= shape[axis]))) continue;
      // Make the message only for a wrong box: for a million boxes that would take seconds.
      throw Error(text("boxes: box ", rank, ", ", to_string(box),
                       range.step == 1 ? text(", sticks out of the shape ", to_string(shape))
                                       : ", has a step; only step 1 is possible"));
    }
    if (!box.empty()) held += box.volume();
  }
  Layout layout;
  layout.shape_ = shape;
  layout.order_ = check_order(order, shape.size());
  layout.ranks_ = static_cast<int>(boxes.size());
  layout.distribution_ = PerAxis<Distribution>(shape.size(), Distribution::block);
  layout.tree_ = std::make_shared<BoxTree const>(boxes);
  for (int rank = 0; rank < layout.ranks_; ++rank) {
    if (boxes[static_cast<std::size_t>(rank)].empty()) continue;
    for (int other : layout.ranks_meeting(boxes[static_cast<std::size_t>(rank)])) {
      if (other == rank) continue;
      throw Error(text("boxes: box ", std::min(rank, other), ", ",
                       to_string(layout.box(std::min(rank, other))), ", and box ",
                       std::max(rank, other), ", ", to_string(layout.box(std::max(rank, other))),
                       ", overlap"));
    }
  }
  require(
      held == sixstep::volume(shape), "boxes: together they hold ", static_cast<Index>(held),
      " of the ", sixstep::volume(shape), " points of the shape ", [&] { return to_string(shape); },
      "; every point is needed");
  return layout;
}

Box Layout::box(int rank) const {
  check_rank(rank, ranks_);
  if (tree_) return tree_->at(rank);
  Box box;
  if (deals_->is_idle(rank)) return {PerAxis<Range>(axes(), Range{})};
  for (Dealt const& axis : deals_->axes) box.ranges.push_back(axis.range(rank));
  return box;
}

Index Layout::largest_local_size() const {
  return ranks_ > 0 ? local_size(busiest_rank(*this)) : 0;
}

Layout Layout::dense() const {
  Layout other = *this;
  other.ghosts_.reset();
  return other;
}

bool Layout::whole(int axis) const {
  check_axis(axis, axes());
  if (deals_) return deals_->axes[axis].deal.whole() || sixstep::volume(shape_) == 0;
  Range const everything{0, shape_[axis], 1};
  return std::all_of(tree_->boxes.begin(), tree_->boxes.end(),
                     [&](Box const& box) { return box.empty() || box.ranges[axis] == everything; });
}

Layout Layout::with_order(Order const& order) const {
  Layout other = *this;
  other.order_ = check_order(order, axes());
  return other;
}

Layout Layout::transposed(Order const& axes) const {
  check_permutation("axes", axes, this->axes());
  Order order;
  for (int axis : order_)
    order.push_back(static_cast<int>(std::find(axes.begin(), axes.end(), axis) - axes.begin()));
  return Deals::in_axes(*this, axes, order);
}

Layout Deals::in_axes(Layout const& layout, Order const& axes, Order const& order, Index extent) {
  Layout other = layout;
  other.shape_ = taken(layout.shape_, axes, extent);
  check_shape(other.shape_);
  other.order_ = order;
  other.distribution_ = taken(layout.distribution_, axes, Distribution::block);
  other.grid_ = {};
  if (layout.tree_) {
    std::vector<Box> boxes = layout.tree_->boxes;
    for (Box& box : boxes) {
      bool const is_empty = box.empty();
      box.ranges = taken(box.ranges, axes, Range{0, extent});
      if (is_empty && !box.empty()) box.ranges = PerAxis<Range>(axes.size(), Range{});
    }
    other.tree_ = std::make_shared<Layout::BoxTree const>(std::move(boxes));
  } else {
    Dealt const undivided{Deal::even(extent, 1, Distribution::block)};
    Deals const deals{taken(layout.deals_->axes, axes, undivided), layout.deals_->idle};
    other.grid_ = deals.grid(layout.ranks_, other.distribution_);
    if (other.grid_.empty()) other.distribution_ = deals.distribution();
    other.deals_ = std::make_shared<Deals const>(deals);
  }
  if (layout.ghosts_) {
    std::vector<Ghosts> all = *layout.ghosts_;
    for (Ghosts& ghosts : all)
      ghosts = {taken(ghosts.before, axes, Index{0}), taken(ghosts.after, axes, Index{0})};
    other.ghosts_ = std::make_shared<std::vector<Ghosts> const>(std::move(all));
    for (int rank = 0; rank < other.ranks_; ++rank)
      check_array(other.local_shape(rank), other.ghosts(rank));
  }
  return other;
}

Layout Layout::with_extent(int axis, Index extent) const {
  check_axis(axis, axes());
  require(
      whole(axis), "axis: every rank must hold it whole, axis ", axis_name(axis, axes()), " of ",
      [&] { return describe(); }, " is split");
  require(extent >= 1, "extent: at least 1 is needed, ", extent, " was given");
  Shape shape = shape_;
  shape[axis] = extent;
  // An axis of one point may be split. A grid would deal its new extent out to all parts.
  bool const is_undivided = !grid_.empty() && grid_[axis] == 1;
  if (is_undivided || (!grid_.empty() && extent == 1))
    return Layout::grid(shape, grid_, distribution_, order_);
  if (deals_) {
    Deals deals = *deals_;
    Dealt& dealt = deals.axes[axis];
    // Without points no rank has the axis, so deal it out as if it had one.
    if (!dealt.deal.whole() || dealt.deal.series().empty())
      dealt.deal = Deal::even(1, dealt.parts, Distribution::block);
    std::vector<Series> series = dealt.deal.series();
    for (Series& each : series) each.range = {0, extent, 1};
    dealt.deal = Deal(extent, std::move(series));
    return deals.boxes(ranks_, order_);
  }
  std::vector<Box> boxes;
  for (int rank = 0; rank < ranks_; ++rank) {
    boxes.push_back(box(rank));
    Range const all = {0, extent, 1};
    Range& range = boxes.back().ranges[axis];
    range = boxes.back().empty() ? intersect(range, all) : all;
  }
  return Layout::boxes(shape, boxes, order_);
}

std::vector<int> Layout::ranks_meeting(Box const& region) const {
  require(region.axes() == axes(), "region: a range for each of the ", axes(),
          " axes is needed, there are ", region.axes());
  for (int axis = 0; axis < axes(); ++axis)
    require(region.ranges[axis].step >= 1, "region: steps of at least 1 are needed, axis ",
            axis_name(axis, axes()), " has ", region.ranges[axis].step);
  if (ranks_ == 0 || region.empty()) return {};
  if (tree_) {
    std::vector<int> found;
    tree_->meeting(region, found);
    std::sort(found.begin(), found.end());
    return found;
  }
  return deals_->ranks(deals_->meeting(region));
}

bool Layout::operator==(Layout const& other) const {
  if (!(shape_ == other.shape_ && order_ == other.order_ && ranks_ == other.ranks_)) return false;
  if (!has_same_ghosts(other)) return false;
  if (tree_ == other.tree_ && deals_ == other.deals_) return true;
  if (deals_ && other.deals_) {
    bool const alike = deals_->axes == other.deals_->axes;
    if (alike || !(grid_.empty() || other.grid_.empty() || sixstep::volume(shape_) == 0))
      return alike;
  }
  for (int rank = 0; rank < ranks_; ++rank) {
    Box const mine = box(rank), theirs = other.box(rank);
    if (!(mine == theirs) && !(mine.empty() && theirs.empty())) return false;
  }
  return true;
}

std::string Layout::describe() const {
  std::ostringstream out;
  out << to_string(shape_) << " over ";
  if (grid_.empty()) {
    out << ranks_ << " boxes";
  } else {
    int const split = static_cast<int>(
        std::count_if(grid_.begin(), grid_.end(), [](int parts) { return parts > 1; }));
    char const* const names[] = {"whole", "slab", "pencil", "brick"};
    out << list(grid_, " x ") << " ranks (" << names[std::min(split, 3)] << ")";
  }
  for (int axis = 0; axis < axes(); ++axis)
    if (deals_ && deals_->axes[axis].parts > 1 && distribution_[axis] == Distribution::cyclic)
      out << ", axis " << axis_name(axis, axes()) << " cyclic";
  if (!(order_ == c_order(axes()))) out << ", memory order " << axis_list(order_, " ");
  if (ghosts_ && ghosts_->size() == 1)
    out << ", ghosts " << list(ghosts_->front().before, " ") << " before and "
        << list(ghosts_->front().after, " ") << " after";
  else if (ghosts_)
    out << ", in larger arrays";
  return out.str();
}

}  // namespace sixstep
