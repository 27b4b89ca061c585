// SPDX-License-Identifier: BSD-3-Clause
// Which part of a global array each rank holds, and in which order it lies in the rank's memory.
//
// All ranges are half-open, [lo, hi), in global indices, slowest axis first.
// A layout knows nothing about MPI or about data; everything here is pure.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/error.hpp"
#include "sixstep/index.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The largest number of axes a user's array may have.
inline constexpr int max_axes = 8;

/// A short sequence held in place, one entry an axis. It has room for twice max_axes entries,
/// because a long axis can be viewed as two. Errors: more entries than that.
template <class T>
class PerAxis {
 public:
  constexpr PerAxis() = default;
  constexpr PerAxis(std::initializer_list<T> values) {
    for (T const& value : values) push_back(value);
  }
  constexpr PerAxis(int axes, T const& value) {
    for (int axis = 0; axis < axes; ++axis) push_back(value);
  }
  /// Copies any container of values that convert to T.
  template <class Container>
  requires requires(Container const& c) { c.begin(), c.end(), c.size(); }
  constexpr explicit PerAxis(Container const& values) {
    for (auto const& value : values) push_back(static_cast<T>(value));
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  constexpr T const& operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  constexpr T* begin() { return values_.data(); }
  constexpr T* end() { return values_.data() + size_; }
  constexpr T const* begin() const { return values_.data(); }
  constexpr T const* end() const { return values_.data() + size_; }
  constexpr T const& back() const { return (*this)[size_ - 1]; }
  constexpr void push_back(T const& value) {
    if (size_ == capacity)
      throw Error(text("at most ", capacity, " axes are possible, more were given"));
    values_[static_cast<std::size_t>(size_++)] = value;
  }
  constexpr bool operator==(PerAxis const& other) const {
    if (size_ != other.size_) return false;
    for (int axis = 0; axis < size_; ++axis)
      if (!((*this)[axis] == other[axis])) return false;
    return true;
  }

 private:
  static constexpr int capacity = 2 * max_axes;
  std::array<T, static_cast<std::size_t>(capacity)> values_{};
  int size_ = 0;
};

/// Extents of an array, slowest axis first.
using Shape = PerAxis<Index>;
/// The number of ranks along each axis.
using Grid = PerAxis<int>;
/// A permutation of the axes, slowest in memory first: {0, 1, 2} is C order, {2, 1, 0} Fortran's.
using Order = PerAxis<int>;

/// The number of points of a shape.
Index volume(Shape const& shape);
/// "256 x 256 x 256".
std::string to_string(Shape const& shape);
/// {0, 1, ..., axes - 1}: the last axis lies contiguous.
Order c_order(int axes);

/// The indices lo, lo + step, ... below hi; empty if hi <= lo.
struct Range {
  Index lo = 0;
  Index hi = 0;
  Index step = 1;

  constexpr Index count() const { return hi <= lo ? 0 : (hi - lo + step - 1) / step; }
  constexpr bool empty() const { return hi <= lo; }
  /// Whether both have the same indices.
  constexpr bool operator==(Range const& other) const {
    if (count() != other.count()) return false;
    return empty() || (lo == other.lo && (count() == 1 || step == other.step));
  }
};

/// The indices that `a` and `b` share. Two progressions meet in a progression whose step is the
/// least common multiple (Chinese remainder theorem).
Range intersect(Range const& a, Range const& b);

/// A product of ranges, one an axis. Empty if any range is.
struct Box {
  PerAxis<Range> ranges;

  int axes() const { return ranges.size(); }
  bool empty() const;
  Index volume() const;
  Shape shape() const;
  bool operator==(Box const&) const = default;
};

/// The indices that `a` and `b` share; empty if they are disjoint.
Box intersect(Box const& a, Box const& b);
/// "[0, 128) x [0, 256)"; a step other than one follows a colon.
std::string to_string(Box const& box);

/// How an axis is dealt out: near-equal blocks, the longer ones first, or index i to part i mod
/// parts.
enum class Distribution { block, cyclic };

/// A near-square grid of `ranks` over the first `split_axes` axes of `shape`; the rest stay whole.
///
/// Chooses the factorisation that leaves the fewest points on the fullest rank; among equals, the
/// one that is nearest to square. Errors: no axes, ranks < 1, split_axes not in 1..axes.
Grid choose_grid(Shape const& shape, int ranks, int split_axes);

/// Elements before and after a rank's box in its local array, along each axis.
struct Ghosts {
  Shape before;
  Shape after;
  bool operator==(Ghosts const&) const = default;
};

struct Deals;  // how axes are dealt out, for the library itself

/// The decomposition of a global array: its shape, a box of it for each rank, and the memory order.
///
/// A rank's local array has the extents of its box, in the memory order `order()`. It is dense, or
/// has ghosts around the box, which transforms neither read nor write. A box may be empty; so is
/// its array then. Layouts are values: cheap to copy, immutable, equal if they place every point
/// alike.
class Layout {
 public:
  /// An empty layout.
  Layout() = default;

  /// Ranks in a grid, `grid[a]` of them along axis a, the last axis fastest: rank = (i0 g1 + i1) g2
  /// + i2.
  ///
  /// `distribution` and `order` may be left empty (all block; C order). Errors: no axes; a negative
  /// extent; a grid of another length or with an entry < 1; a product of extents over 2^62 or of
  /// ranks over 2^31 - 1; `order` is no permutation.
  static Layout grid(Shape const& shape, Grid const& grid,
                     PerAxis<Distribution> const& distribution = {}, Order const& order = {});
  /// One axis split over all ranks. Errors: those of grid(); the axis does not exist.
  static Layout slab(Shape const& shape, int ranks, int axis = 0);
  /// The first two axes split in a near-square grid. Errors: those of brick(); fewer than 2 axes.
  static Layout pencil(Shape const& shape, int ranks);
  /// All axes split in a near-cubic grid. Errors: those of choose_grid() and grid().
  static Layout brick(Shape const& shape, int ranks);
  /// Any boxes, one a rank, with step 1. They are disjoint and together fill the shape; any of them
  /// may be empty.
  ///
  /// An error names the first box that has a step, leaves the shape, or meets another box; or says
  /// how many points no box holds.
  static Layout boxes(Shape const& shape, std::vector<Box> const& boxes, Order const& order = {});

  int axes() const { return shape_.size(); }
  int ranks() const { return ranks_; }
  Shape const& shape() const { return shape_; }
  Order const& order() const { return order_; }
  /// Ranks along each axis; empty for a list of boxes, and if ranks are numbered in another way.
  Grid const& grid() const { return grid_; }
  /// One entry an axis; all block for a list of boxes.
  PerAxis<Distribution> const& distribution() const { return distribution_; }

  /// The box of `rank`. Errors, here and in all functions with a rank: rank not in 0..ranks-1.
  Box box(int rank) const;
  /// Extents of the rank's box, in axis order (not memory order).
  Shape local_shape(int rank) const { return box(rank).shape(); }
  /// Points that the rank holds.
  Index local_size(int rank) const { return box(rank).volume(); }
  /// The most points that any rank holds.
  Index largest_local_size() const;
  /// For each axis, the distance in elements between neighbours in the rank's local array.
  Shape strides(int rank) const;
  /// Elements of the rank's local array before the first element of its box.
  Index offset(int rank) const;
  /// Elements of the rank's local array, ghosts included.
  Index array_size(int rank) const;
  /// The ghosts around the rank's box; 0 for an empty box.
  Ghosts ghosts(int rank) const;
  bool has_ghosts() const { return ghosts_ != nullptr; }
  /// Whether every rank that holds points holds this axis whole. Errors: `axis` does not exist.
  bool whole(int axis) const;
  /// Keeps the boxes and changes the memory order. Errors: `order` is no permutation.
  Layout with_order(Order const& order) const;

  /// Renames the axes, as NumPy's transpose does: axis a of the result is axis axes[a] of this
  /// layout. Ranks and memory stay as they are. Errors: `axes` is no permutation.
  Layout transposed(Order const& axes) const;

  /// Keeps the boxes and enlarges every local array by `before` and `after` elements along each
  /// axis: ghosts, or padding. Errors: not one entry an axis; a negative entry; an array of over
  /// 2^62 elements.
  Layout with_ghosts(Shape const& before, Shape const& after) const;
  /// Keeps the boxes. The box of each rank begins at its `starts` in a local array of its
  /// `extents`, as in MPI_Type_create_subarray. Entries for empty boxes are ignored. Errors: not
  /// one entry a rank; a box that leaves its array (the error names it); an array of over 2^62
  /// elements.
  Layout in_arrays(std::vector<Shape> const& extents, std::vector<Shape> const& starts) const;
  /// Keeps the boxes, in dense arrays.
  Layout dense() const;

  /// Changes the extent of `axis`, which must be whole, and keeps the boxes along all other axes,
  /// in dense arrays. An array gets this layout when n reals are transformed to n/2 + 1 complex
  /// numbers.
  ///
  /// Errors: `axis` does not exist or is not whole; an extent < 1; too many points.
  Layout with_extent(int axis, Index extent) const;

  /// The ranks whose boxes meet `region`, ascending. Cost: proportional to their number (times
  /// log(ranks) for a list of boxes). Errors: another number of axes; a step < 1.
  std::vector<int> ranks_meeting(Box const& region) const;

  /// Whether shape, order, and every rank's box and ghosts are the same.
  bool operator==(Layout const& other) const;
  /// For example "256 x 256 x 256 over 2 x 1 x 1 ranks (slab)".
  std::string describe() const;

 private:
  friend struct Deals;
  struct BoxTree;

  bool has_same_ghosts(Layout const& other) const;

  Shape shape_;
  Order order_;
  int ranks_ = 0;
  Grid grid_;
  PerAxis<Distribution> distribution_;
  std::shared_ptr<Deals const> deals_;                 // set if the boxes are products of deals
  std::shared_ptr<BoxTree const> tree_;                // set for a list of any boxes
  std::shared_ptr<std::vector<Ghosts> const> ghosts_;  // one a rank, or one for all; null: none
};

}  // namespace sixstep
#pragma GCC visibility pop
