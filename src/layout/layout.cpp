// SPDX-License-Identifier: BSD-3-Clause
// Layouts: deal out a shape to ranks, and find the ranks that hold a region.
//
// Knows nothing about MPI or memory beyond the order of axes.
#include "sixstep/layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "layout/counting.hpp"
#include "layout/deals.hpp"

namespace sixstep {

namespace {

__extension__ using Wide = __int128;

constexpr Index largest_volume = Index{1} << 62;

/// x with x = a (mod m) and x = b (mod n), in [0, lcm); -1 if there is none.
Index common_residue(Index a, Index m, Index b, Index n) {
  // Extended Euclid on (m, n): m u = g (mod n).
  Index old_r = m, r = n, old_u = 1, u = 0;
  while (r != 0) {
    Index const quotient = old_r / r;
    old_r = std::exchange(r, old_r - quotient * r);
    old_u = std::exchange(u, old_u - quotient * u);
  }
  Index const gcd = old_r;
  if ((b - a) % gcd != 0) return -1;
  Wide const period = static_cast<Wide>(m) / gcd * n;
  Wide const steps = static_cast<Wide>((b - a) / gcd) * old_u % (n / gcd);
  Wide const x = (a + steps * m) % period;
  return static_cast<Index>(x < 0 ? x + period : x);
}

void check_shape(Shape const& shape) {
  require(shape.size() >= 1, "shape: at least one axis is needed, none was given");
  Wide product = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    require(shape[axis] >= 0, "shape: extents must not be negative, axis ",
            axis_name(axis, shape.size()), " is ", shape[axis]);
    if (shape[axis] > 0) product *= shape[axis];
    require(product <= largest_volume, "shape: at most 2^62 points are possible, ",
            to_string(shape), " has more");
  }
}

/// Checks the extents of a local array. The widths of ghosts alone may overflow a sum.
void check_array(Shape const& extents, Ghosts const& ghosts) {
  Wide product = 1;
  for (int axis = 0; axis < extents.size(); ++axis) {
    product *= Wide{extents[axis]} + ghosts.before[axis] + ghosts.after[axis];
    require(product <= largest_volume, "ghosts: local arrays of ", to_string(extents), " with ",
            list(ghosts.before, ", "), " before and ", list(ghosts.after, ", "),
            " after have over 2^62 elements");
  }
}

Shape around(Shape extents, Ghosts const& ghosts) {
  for (int axis = 0; axis < extents.size(); ++axis)
    extents[axis] += ghosts.before[axis] + ghosts.after[axis];
  return extents;
}

Order check_permutation(char const* name, Order const& order, int axes) {
  Order sorted = order;
  std::sort(sorted.begin(), sorted.end());
  require(sorted == c_order(axes), name, ": a permutation of ", axis_names(axes), " is needed, {",
          axis_list(order, ", "), "} was given");
  return order;
}

void check_axis(int axis, int axes) {
  require(axis >= 0 && axis < axes, "axis: ", axis_names(axes), " is needed, ",
          axis_name(axis, axes), " was given");
}

void check_rank(int rank, int ranks) {
  require(rank >= 0 && rank < ranks, "rank: 0 to ", ranks - 1, " is needed, ", rank, " was given");
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

// Shapes, ranges, boxes.

Index volume(Shape const& shape) {
  // If an extent is 0, the product of the others may exceed 64 bits.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::string to_string(Shape const& shape) { return list(shape, " x "); }

Order c_order(int axes) {
  Order order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  return order;
}

Range intersect(Range const& a, Range const& b) {
  Index const lo = std::max(a.lo, b.lo);
  Index const hi = std::min(a.hi, b.hi);
  if (hi <= lo) return {lo, lo, 1};
  if (a.step == 1 && b.step == 1) return {lo, hi, 1};
  Index const residue = common_residue(a.lo % a.step, a.step, b.lo % b.step, b.step);
  if (residue < 0) return {lo, lo, 1};
  Index const step = std::lcm(a.step, b.step);
  Index const gap = (residue - lo % step + step) % step;
  return gap >= hi - lo ? Range{lo, lo, 1} : Range{lo + gap, hi, step};
}

bool Box::empty() const {
  return std::any_of(ranges.begin(), ranges.end(), [](Range const& r) { return r.empty(); });
}

Index Box::volume() const { return sixstep::volume(shape()); }

Shape Box::shape() const {
  Shape extents;
  for (Range const& range : ranges) extents.push_back(range.count());
  return extents;
}

Box intersect(Box const& a, Box const& b) {
  Box shared;
  for (int axis = 0; axis < a.axes(); ++axis)
    shared.ranges.push_back(intersect(a.ranges[axis], b.ranges[axis]));
  return shared;
}

std::string to_string(Box const& box) {
  bool const as_fortran = counting() == Counting::fortran;
  PerAxis<std::string> ranges;
  for (Range const& range : box.ranges)
    ranges.push_back(text(
        as_fortran ? text(range.lo + 1, ":", range.hi) : text("[", range.lo, ", ", range.hi, ")"),
        range.step == 1 ? "" : text(":", range.step)));
  return list(ranges, " x ");
}

// Grids.

namespace {

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    found.push_back(d);
    if (d < n / d) found.push_back(n / d);
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct GridSearch {
  Shape const& shape;
  int split_axes;
  std::vector<int> divisors;  // of all ranks
  Grid current;
  Grid best;
  Index best_fullest = std::numeric_limits<Index>::max();
  Index best_spread = std::numeric_limits<Index>::max();

  void visit(int axis, int ranks_left) {
    if (axis == split_axes - 1) {
      current[axis] = ranks_left;
      consider();
      return;
    }
    for (int const parts : divisors) {
      if (ranks_left % parts != 0) continue;
      current[axis] = parts;
      visit(axis + 1, ranks_left / parts);
    }
  }

  void consider() {
    Index fullest = 1;
    Index spread = 0;
    for (int axis = 0; axis < shape.size(); ++axis)
      fullest *= (shape[axis] + current[axis] - 1) / current[axis];
    for (int axis = 0; axis < split_axes; ++axis) spread += current[axis];
    if (std::pair(fullest, spread) < std::pair(best_fullest, best_spread)) {
      best = current;
      best_fullest = fullest;
      best_spread = spread;
    }
  }
};

}  // namespace

Grid choose_grid(Shape const& shape, int ranks, int split_axes) {
  check_shape(shape);
  require(ranks >= 1, "ranks: at least 1 is needed, ", ranks, " was given");
  require(split_axes >= 1 && split_axes <= shape.size(), "split_axes: 1 to ", shape.size(),
          " are needed for a shape of ", shape.size(), " axes, ", split_axes, " was given");
  GridSearch search{shape, split_axes, divisors(ranks), Grid(shape.size(), 1), {}};
  search.visit(0, ranks);
  return search.best;
}

// Lists of boxes.

/// Boxes in a binary tree of bounding boxes, so that a question visits few of them.
struct Layout::BoxTree {
  struct Node {
    Box bounds;
    int first, last;            // of `ranks`
    int left = -1, right = -1;  // -1: a leaf
  };

  explicit BoxTree(std::vector<Box> all) : boxes(std::move(all)) {
    for (int rank = 0; rank < static_cast<int>(boxes.size()); ++rank)
      if (!at(rank).empty()) ranks.push_back(rank);
    if (!ranks.empty()) build(0, static_cast<int>(ranks.size()));
  }

  Box const& at(int rank) const { return boxes[static_cast<std::size_t>(rank)]; }

  int build(int first, int last) {
    int const self = static_cast<int>(nodes.size());
    nodes.push_back({hull(first, last), first, last});
    constexpr int leaf_size = 4;
    if (last - first <= leaf_size) return self;
    int widest = 0;
    Box const bounds = nodes.back().bounds;
    for (int axis = 1; axis < bounds.axes(); ++axis)
      if (bounds.ranges[axis].count() > bounds.ranges[widest].count()) widest = axis;
    int const middle = first + (last - first) / 2;
    std::nth_element(
        ranks.begin() + first, ranks.begin() + middle, ranks.begin() + last,
        [&](int a, int b) { return at(a).ranges[widest].lo < at(b).ranges[widest].lo; });
    int const left = build(first, middle);
    int const right = build(middle, last);
    nodes[static_cast<std::size_t>(self)].left = left;
    nodes[static_cast<std::size_t>(self)].right = right;
    return self;
  }

  Box hull(int first, int last) const {
    Box bounds = at(ranks[static_cast<std::size_t>(first)]);
    for (int i = first + 1; i < last; ++i) {
      Box const& box = at(ranks[static_cast<std::size_t>(i)]);
      for (int axis = 0; axis < bounds.axes(); ++axis) {
        bounds.ranges[axis].lo = std::min(bounds.ranges[axis].lo, box.ranges[axis].lo);
        bounds.ranges[axis].hi = std::max(bounds.ranges[axis].hi, box.ranges[axis].hi);
      }
    }
    return bounds;
  }

  void meeting(Box const& region, std::vector<int>& found, int node = 0) const {
    if (nodes.empty()) return;
    Node const& here = nodes[static_cast<std::size_t>(node)];
    if (intersect(here.bounds, region).empty()) return;
    if (here.left >= 0) {
      meeting(region, found, here.left);
      meeting(region, found, here.right);
      return;
    }
    for (int i = here.first; i < here.last; ++i) {
      int const rank = ranks[static_cast<std::size_t>(i)];
      if (!intersect(at(rank), region).empty()) found.push_back(rank);
    }
  }

  std::vector<Box> boxes;
  std::vector<int> ranks;  // of the boxes that are not empty, grouped by node
  std::vector<Node> nodes;
};

// Layouts.

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
    require(ranks <= std::numeric_limits<int>::max(), "grid: at most 2^31 - 1 ranks are possible, ",
            list(grid, " x "), " has more");
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
  require(held == sixstep::volume(shape), "boxes: together they hold ", static_cast<Index>(held),
          " of the ", sixstep::volume(shape), " points of the shape ", to_string(shape),
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

Ghosts Layout::ghosts(int rank) const {
  check_rank(rank, ranks_);
  Ghosts const none{Shape(axes(), 0), Shape(axes(), 0)};
  if (!ghosts_ || box(rank).empty()) return none;
  return ghosts_->size() == 1 ? ghosts_->front() : (*ghosts_)[static_cast<std::size_t>(rank)];
}

Index Layout::array_size(int rank) const {
  return local_size(rank) > 0 ? volume(around(local_shape(rank), ghosts(rank))) : 0;
}

Shape Layout::strides(int rank) const {
  Shape const extents = around(local_shape(rank), ghosts(rank));
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
      require(start[axis] >= 0 && after >= 0, "arrays: the box of rank ", rank, ", ",
              to_string(inner), " from ", list(start, ", "), " on, sticks out of its array, ",
              to_string(outer));
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
  require(whole(axis), "axis: every rank must hold it whole, axis ", axis_name(axis, axes()),
          " of ", describe(), " is split");
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

bool Layout::has_same_ghosts(Layout const& other) const {
  if (!ghosts_ || !other.ghosts_) return !ghosts_ && !other.ghosts_;
  if (*ghosts_ == *other.ghosts_) return true;
  for (int rank = 0; rank < ranks_; ++rank)
    if (!(ghosts(rank) == other.ghosts(rank))) return false;
  return true;
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
