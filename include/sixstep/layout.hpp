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

/// A short sequence held in place, one entry an axis. Working shapes may have twice max_axes,
/// because a long axis can be viewed as two. Errors: more entries than these.
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
  /// From any container of values that convert to T.
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
    if (size_ == capacity) throw Error(text("at most ", capacity, " axes fit, more were given"));
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

/// The indices lo, lo + step, ... below hi. Empty if hi <= lo.
struct Range {
  Index lo = 0;
  Index hi = 0;
  Index step = 1;

  constexpr Index count() const { return hi <= lo ? 0 : (hi - lo + step - 1) / step; }
  constexpr bool empty() const { return hi <= lo; }
  /// Equal if they hold the same indices.
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
/// Chooses, of all factorisations, the one that leaves the fewest points on the fullest rank, then
/// the one that is nearest to square. Errors: no axes, ranks < 1, split_axes not in 1..axes.
Grid choose_grid(Shape const& shape, int ranks, int split_axes);

/// Elements around a rank's box in its local array, along each axis.
struct Ghosts {
  Shape before;
  Shape after;
  bool operator==(Ghosts const&) const = default;
};

struct Deals;  // how axes are dealt out, for the library itself

/// Who holds what: a global shape, a box of it for each rank, and the order of each rank's memory.
///
/// A rank's local array is dense, the extents of its box laid out in `order()`, or has ghosts
/// around it, which transforms neither read nor write. A box may be empty; its array is, too.
/// Layouts are values: cheap to copy, immutable, equal if they place every point alike.
class Layout {
 public:
  /// An empty layout, to be assigned to.
  Layout() = default;

  /// Ranks in a grid, `grid[a]` of them along axis a, the last axis fastest: rank = (i0 g1 + i1) g2
  /// + i2.
  ///
  /// `distribution` and `order` may be left empty (all block; C order).
  /// Errors: no axes; a negative extent; a grid of another length or with an
  /// entry < 1; a product of extents over 2^62 or of ranks over 2^31 - 1; `order` no permutation.
  static Layout grid(Shape const& shape, Grid const& grid,
                     PerAxis<Distribution> const& distribution = {}, Order const& order = {});
  /// One axis split over all ranks. Errors as grid(); also an axis that does not exist.
  static Layout slab(Shape const& shape, int ranks, int axis = 0);
  /// The first two axes split, near square. Errors as brick(); also fewer than 2 axes.
  static Layout pencil(Shape const& shape, int ranks);
  /// All axes split, near cubic. Errors as choose_grid() and grid().
  static Layout brick(Shape const& shape, int ranks);
  /// Any boxes, one a rank, step 1, disjoint and together the whole shape; empty ones are welcome.
  ///
  /// Errors name the first box that has a step, sticks out, or meets another; or say how many
  /// points no box holds.
  static Layout boxes(Shape const& shape, std::vector<Box> const& boxes, Order const& order = {});

  int axes() const { return shape_.size(); }
  int ranks() const { return ranks_; }
  Shape const& shape() const { return shape_; }
  Order const& order() const { return order_; }
  /// Ranks along each axis; empty where ranks are numbered otherwise, and for a list of boxes.
  Grid const& grid() const { return grid_; }
  /// One entry an axis; all block for a list of boxes.
  PerAxis<Distribution> const& distribution() const { return distribution_; }

  /// What `rank` holds. Errors, of this and of all that takes a rank: rank not in 0..ranks-1.
  Box box(int rank) const;
  /// Extents of the rank's local array, in axis order (not memory order).
  Shape local_shape(int rank) const { return box(rank).shape(); }
  /// Points that the rank holds.
  Index local_size(int rank) const { return box(rank).volume(); }
  /// The most points that any rank holds.
  Index largest_local_size() const;
  /// For each axis, the distance in elements between neighbours in the rank's local array; elements
  /// before its box; and those of all of it, ghosts included.
  Shape strides(int rank) const;
  Index offset(int rank) const;
  Index array_size(int rank) const;
  /// None of an empty box.
  Ghosts ghosts(int rank) const;
  bool has_ghosts() const { return ghosts_ != nullptr; }
  /// Whether every rank that holds anything holds this axis whole. Errors: `axis` does not exist.
  bool whole(int axis) const;
  /// The same placement, each rank's memory in another order. Errors: `order` no permutation.
  Layout with_order(Order const& order) const;

  /// The axes named anew, as NumPy's transpose does: axis a of the result is axis axes[a] of this
  /// one. Ranks and memory stay as they are. Errors: `axes` no permutation.
  Layout transposed(Order const& axes) const;

  /// The same boxes in larger local arrays, which have so many more elements along each axis before
  /// and after them on every rank: ghosts, or padding. Errors: not one entry an axis; a negative
  /// one; arrays of over 2^62 elements.
  Layout with_ghosts(Shape const& before, Shape const& after) const;
  /// The same boxes in local arrays of these extents, each beginning at `starts`, one a rank, as
  /// MPI_Type_create_subarray has them. Those of empty boxes are not looked at. Errors: not one of
  /// each a rank, a box that sticks out of its array, which is named; arrays of over 2^62 elements.
  Layout in_arrays(std::vector<Shape> const& extents, std::vector<Shape> const& starts) const;
  /// The same boxes in dense arrays.
  Layout dense() const;

  /// The same ranks hold the same of all other axes, and all of this one, which has another extent:
  /// what an array becomes by a transform of n reals to n/2 + 1 complex numbers. In dense arrays.
  ///
  /// Errors: `axis` does not exist or is not whole; an extent < 1; too many points.
  Layout with_extent(int axis, Index extent) const;

  /// The ranks whose boxes meet `region`, ascending. Cost: proportional to their number (and to its
  /// product with log(ranks) for a list of boxes). Errors: other axes than these; a step < 1.
  std::vector<int> ranks_meeting(Box const& region) const;

  /// Same shape, same box on every rank, same order, same ghosts.
  bool operator==(Layout const& other) const;
  /// "256 x 256 x 256 over 2 x 1 x 1 ranks (slab)".
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
  std::shared_ptr<Deals const> deals_;                 // boxes are products of these, ...
  std::shared_ptr<BoxTree const> tree_;                // ... or any
  std::shared_ptr<std::vector<Ghosts> const> ghosts_;  // of each rank, or one of all; null: none
};

}  // namespace sixstep
#pragma GCC visibility pop
