// SPDX-License-Identifier: BSD-3-Clause
// Local arrays with ghosts: their extents, strides and offsets.
#include <algorithm>
#include <numeric>
#include <utility>

#include "layout/checks.hpp"

namespace sixstep {

/// The widths of ghosts alone may overflow a sum.
void check_array(Shape const& extents, Ghosts const& ghosts) {
  Wide product = 1;
  for (int axis = 0; axis < extents.size(); ++axis) {
    product *= Wide{extents[axis]} + ghosts.before[axis] + ghosts.after[axis];
    require(
        product <= largest_volume, "ghosts: local arrays of ", [&] { return to_string(extents); },
        " with ", [&] { return list(ghosts.before, ", "); }, " before and ",
        [&] { return list(ghosts.after, ", "); }, " after have over 2^62 elements");
  }
}

namespace {

Shape around(Shape extents, Ghosts const& ghosts) {
  for (int axis = 0; axis < extents.size(); ++axis)
    extents[axis] += ghosts.before[axis] + ghosts.after[axis];
  return extents;
}

}  // namespace

Ghosts Layout::ghosts(int rank) const {
  check_rank(rank, ranks_);
  Ghosts const none{Shape(axes(), 0), Shape(axes(), 0)};
  if (!ghosts_ || box(rank).empty()) return none;
  return ghosts_->size() == 1 ? ghosts_->front() : (*ghosts_)[static_cast<std::size_t>(rank)];
}

Index Layout::array_size(int rank) const {
  Index const own = local_size(rank);
  return own > 0 && ghosts_ ? volume(around(local_shape(rank), ghosts(rank))) : own;
}

Shape Layout::strides(int rank) const {
  Shape const own = local_shape(rank);
  Shape const extents = ghosts_ ? around(own, ghosts(rank)) : own;
  Shape strides(axes(), 0);
  Index stride = 1;
  for (int position = axes() - 1; position >= 0; --position) {
    strides[order_[position]] = stride;
    stride *= extents[order_[position]];
  }
  return strides;
}

Index Layout::offset(int rank) const {
  check_rank(rank, ranks_);
  if (!ghosts_) return 0;
  Shape const before = ghosts(rank).before, apart = strides(rank);
  return std::inner_product(before.begin(), before.end(), apart.begin(), Index{0});
}

Layout Layout::with_ghosts(Shape const& before, Shape const& after) const {
  for (Shape const& width : {before, after}) {
    require(width.size() == axes(), "ghosts: ", axes(), " entries are needed, one an axis, ",
            width.size(), " were given");
    for (int axis = 0; axis < axes(); ++axis)
      require(width[axis] >= 0, "ghosts: 0 or more are needed, axis ", axis_name(axis, axes()),
              " has ", width[axis]);
  }
  check_array(shape_, {before, after});
  auto const is_some = [](Index width) { return width > 0; };
  bool const any = std::any_of(before.begin(), before.end(), is_some) ||
                   std::any_of(after.begin(), after.end(), is_some);
  Layout other = *this;
  other.ghosts_ =
      any ? std::make_shared<std::vector<Ghosts> const>(1, Ghosts{before, after}) : nullptr;
  return other;
}

Layout Layout::in_arrays(std::vector<Shape> const& extents,
                         std::vector<Shape> const& starts) const {
  auto const ranks = static_cast<std::size_t>(ranks_);
  require(extents.size() == ranks && starts.size() == ranks, "arrays: extents and starts of ",
          ranks_, " ranks are needed, ", extents.size(), " and ", starts.size(), " were given");
  std::vector<Ghosts> all;
  bool any = false;
  for (std::size_t i = 0; i < ranks; ++i) {
    int const rank = static_cast<int>(i);
    Ghosts& ghosts = all.emplace_back(Ghosts{Shape(axes(), 0), Shape(axes(), 0)});
    Shape const inner = local_shape(rank);
    if (volume(inner) == 0) continue;
    Shape const &outer = extents[i], &start = starts[i];
    require(outer.size() == axes() && start.size() == axes(), "arrays: extents and starts of ",
            axes(), " axes are needed, rank ", rank, " has ", outer.size(), " and ", start.size());
    for (int axis = 0; axis < axes(); ++axis) {
      Wide const after = Wide{outer[axis]} - start[axis] - inner[axis];
      require(
          start[axis] >= 0 && after >= 0, "arrays: the box of rank ", rank, ", ",
          [&] { return to_string(inner); }, " from ", [&] { return list(start, ", "); },
          " on, sticks out of its array, ", [&] { return to_string(outer); });
      ghosts.before[axis] = start[axis];
      ghosts.after[axis] = static_cast<Index>(after);
      any = any || outer[axis] != inner[axis];
    }
    check_array(inner, ghosts);
  }
  Layout other = *this;
  other.ghosts_ = any ? std::make_shared<std::vector<Ghosts> const>(std::move(all)) : nullptr;
  return other;
}

bool Layout::has_same_ghosts(Layout const& other) const {
  if (!ghosts_ || !other.ghosts_) return !ghosts_ && !other.ghosts_;
  if (*ghosts_ == *other.ghosts_) return true;
  for (int rank = 0; rank < ranks_; ++rank)
    if (!(ghosts(rank) == other.ghosts(rank))) return false;
  return true;
}

}  // namespace sixstep
