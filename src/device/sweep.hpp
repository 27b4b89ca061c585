// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device: passes that are put into a queue.
//
// A pass is a single transform of columns if these lie at one distance on both sides. Passes next
// to it join it if together they make a transform along several axes. Complex columns that lie
// otherwise are transformed as scattered ones, if the device can do their length. All others are
// copied to a block, transformed there, and copied to their target, as many at a time as fit the
// block, which is small enough to stay in the device's cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "device/backend.hpp"
#include "device/kernels.hpp"
#include "local/truncated.hpp"
#include "program/program.hpp"
#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::device {

/// One side of an execution: the beginning of the rank's own buffer, and shifts[i], the distance in
/// bytes from there to the buffer of the rank i segments on. `shifts` is null if there are no
/// others.
struct DeviceSide {
  std::byte* begin = nullptr;
  Index const* shifts = nullptr;

  std::byte* of(int segment) const { return segment == 0 ? begin : begin + shifts[segment]; }
};

/// A pass, or several that the device does at once, ready to be put into queues.
class DeviceSweep {
 public:
  /// Says what happens to the source: it is read later, it may be lost, or it is the target.
  enum class Source { kept, lost, target };

  /// The most bytes of blocks, and of the scratch of transforms without a block.
  struct Bounds {
    std::size_t block_bytes;
    std::size_t scratch_bytes;
  };

  /// Joins successive sweeps of one pass each. Empty if there are several and the device cannot do
  /// them at once: all must be plain complex transforms, but for r2c as the first or its inverse as
  /// the last; or there are three that go to coefficients, multiply these by a table, and go back.
  /// `kernels` outlives the sweep. `source`: what becomes of it.
  static std::optional<DeviceSweep> make(std::vector<program::Sweep const*> const& sweeps,
                                         DeviceKernels& kernels, int real_bytes,
                                         Bounds const& bounds, Source source);

  Index extent() const { return extent_; }
  /// Whether a transform for all columns at once must be followed by a trip through memory that
  /// multiplies by the factors of an execution.
  bool multiplies_apart(sweep::Mode const& mode) const {
    return is_direct_ && scattered_.empty() && !folds() && end_of(here(mode)).changes;
  }
  /// Whether columns can be transformed as scattered ones.
  bool can_scatter() const { return !scattered_.empty(); }
  /// The bytes of a block. The scratch of transforms begins behind it.
  std::size_t block_bytes() const { return block_bytes_; }
  /// The part of `bytes` that belongs to `counts` counts along the window axis.
  Index share(Index bytes, Index counts) const {
    return extent_ == 0 ? 0 : bytes / extent_ * counts;
  }

  /// Puts counts [lo, hi) of the window axis into a queue.
  void put(device::Queue& queue, Index lo, Index hi, DeviceSide const& source,
           DeviceSide const& target, sweep::Mode const& mode, std::byte* scratch,
           std::size_t block_bytes) const;

 private:
  /// A piece in counts of the box, and the segment in which it lies.
  struct PlacedPiece {
    sweep::LocalPiece piece;
    int segment;
  };
  /// Counts along each axis: from lo to hi.
  struct Region {
    Shape lo, hi;
    Index count(int axis) const { return hi[axis] - lo[axis]; }
  };
  /// The place of a region's columns in a block, in elements. The rows of a column are contiguous,
  /// or a row of all columns is.
  struct Block {
    Shape strides;
    Index row = 1;
    Index columns = 1;
    Index rows = 1;             // from column to column, where rows follow each other
    bool lies_by_rows = false;  // columns follow each other
  };
  /// A transform without a block, repeated for all counts along the axes `loops`.
  struct Direct {
    device::Columns columns;
    PerAxis<int> loops;
  };

  /// The part of a piece that lies in a block: counts along each axis of the box, but rows of the
  /// block along the transformed axis, and where the part begins on either side.
  struct Shared {
    Shape first, step, extent;
    Shape strides;  // in the array
    Index in_array, in_block;
    int segment;
  };

  /// Scattered columns of the region [lo, hi) of the window axis, without the memory and the
  /// factors of an execution.
  struct ScatteredRegion {
    Index lo, hi;
    Scattered columns;
    int source_segment, target_segment;  // in which sides without a table of rows lie
    Index source_offset, target_offset;  // and their beginning there, in elements
    Index first_point;                   // the number of the first point
  };

  DeviceSweep(std::vector<program::Sweep const*> const& sweeps, DeviceKernels& kernels,
              int real_bytes, Bounds const& bounds, Source fate);
  void join_passes(std::vector<program::Sweep const*> const& sweeps);
  void place_pieces();
  sweep::LocalPiece const& largest_of_source() const;
  void count_rows(std::vector<program::Sweep const*> const& sweeps);
  void prepare_blocks(std::vector<Region> const& regions);
  static bool keeps_all(program::Pass const& pass);
  bool prepare(Bounds const& bounds, std::vector<Region> const& regions);
  void prepare_scattered(std::vector<Region> const& regions);
  std::optional<ScatteredRegion> scattered(Region const& region);
  struct ScatteredPlace;
  struct ScatteredAxis;
  PerAxis<ScatteredAxis> scattered_axes(Region const& region, ScatteredPlace const& from,
                                        ScatteredPlace const& to) const;
  void place_rows(ScatteredSide& side, ScatteredPlace const& place, int& segment, Index& offset);
  void place_points(ScatteredRegion& made, Region const& region,
                    PerAxis<ScatteredAxis> const& axes);
  std::optional<ScatteredPlace> scattered_place(std::vector<PlacedPiece> const& pieces,
                                                local::Kept const& kept, Region const& region);
  void put_scattered(device::Queue& queue, Index lo, Index hi, DeviceSide const& source,
                     DeviceSide const& target, sweep::Mode const& mode) const;
  Region whole() const;
  Region window(Index lo, Index hi) const;
  std::optional<Direct> direct(Region const& region) const;
  std::optional<Direct> folded(Region const& region) const;
  static Index calls_of(Direct const& direct, Region const& region);
  void add_columns(Direct& made, Region const& region, Shape const& from, Shape const& to) const;
  static bool begins_evenly(sweep::LocalPiece const& reals, Region const& region,
                            PerAxis<int> const& loops);
  template <class Use>
  void for_each_block(Region const& region, Use const& use) const;
  Block block(Region const& region, int reals) const;
  device::Columns columns_in(Block const& source, Block const& target) const;
  Index column_reals() const;

  void put_hermitian_part(device::Queue& queue, Region const& region, std::byte* begin) const;
  void put_fold(device::Queue& queue, Region const& region, std::byte const* source,
                std::byte* target, double scale) const;
  void put_direct(device::Queue& queue, Region const& region, DeviceSide const& source,
                  DeviceSide const& target, sweep::Mode const& mode, std::byte* scratch) const;
  void put_block(device::Queue& queue, Region const& region, DeviceSide const& source,
                 DeviceSide const& target, sweep::Mode const& mode, std::byte* block,
                 std::byte* scratch) const;
  void put_copies(device::Queue& queue, Region const& region, DeviceSide const& source,
                  DeviceSide const& target, sweep::Mode const& mode) const;
  sweep::Mode here(sweep::Mode const& mode) const;
  device::Copy end_of(sweep::Mode const& mode) const;
  Factors table_at(sweep::Mode const& mode, Index offset) const;
  Factors points_at(sweep::Mode const& mode, Index number) const;
  template <class Use>
  void for_each_shared(std::vector<PlacedPiece> const& pieces, local::Kept const& kept, Index gap,
                       Region const& region, Block const& block, Use const& use) const;
  static device::Along along(Shared const& shared, int axis, Index factor = 1, Index more = 0);
  void load(device::Queue& queue, Region const& region, DeviceSide const& source,
            Block const& block, std::byte* begin) const;
  void fill_gap(device::Queue& queue, Region const& region, Block const& block,
                std::byte* begin) const;
  void store(device::Queue& queue, Region const& region, DeviceSide const& target,
             Block const& block, sweep::Mode const& mode, std::byte* begin) const;

  bool is_complex() const { return pass_.kind == Kind::c2c; }
  bool to_complex() const { return pass_.kind == Kind::r2c && reals_from_ == 1; }
  bool goes_back() const { return pass_.kind == Kind::r2c && reals_from_ == 2; }
  /// Whether spectra of reals are folded on the way to the target. cuFFT's inverse of r2c may lose
  /// its input.
  bool folds() const { return goes_back() && fate_ == Source::kept; }

  DeviceKernels* kernels_;
  int real_bytes_;
  program::Pass pass_;                   // the source of the first, the target of the last
  std::optional<program::Pass> points_;  // the pass at points among them
  bool scales_ = false;                  // one of them is the last transform in its direction
  bool scales_back_ = false;             // likewise of those against the direction
  PerAxis<int> axes_;                    // the axes that are transformed
  Shape extents_;                        // of the box, as it is read
  std::vector<PlacedPiece> source_, target_;
  PerAxis<int> order_;       // axes that are not transformed, slowest first as the source lies
  bool rows_first_ = false;  // in the source, rows follow each other
  local::Kept kept_source_{0, 0, 0}, kept_target_{0, 0, 0};
  Index rows_ = 0;                     // of the transform in a block, as it reads them
  int reals_from_ = 2, reals_to_ = 2;  // of an element on either side
  int window_axis_ = -1;
  Index extent_ = 0;
  Source fate_;
  bool is_direct_ = false;
  std::vector<ScatteredRegion> scattered_;
  device::Planned const* scattered_plan_ = nullptr;
  int first_segment_ = 0, last_segment_ = 0;  // in which pieces lie
  std::size_t block_bytes_ = 0;
  std::size_t most_block_bytes_ = 0;
};

/// The counts start + i step, i < extent, that lie in [lo, hi): those with i in [first, end).
struct CountRange {
  Index first, end;
};
inline CountRange counts_in(sweep::LocalPiece const& piece, int axis, Index lo, Index hi) {
  Index const start = piece.start[axis], step = piece.step[axis];
  auto const from = [&](Index count) {
    return count <= start ? Index{0} : (count - start + step - 1) / step;
  };
  return {from(lo), std::min(piece.extent[axis], from(hi))};
}

/// Calls use(shared) for the parts of all pieces of a side that lie in a region. These are rows
/// that are kept, at one distance in the piece and in the block, where `gap` rows lie between the
/// first and the last, unless the last begin again at row 0.
template <class Use>
void DeviceSweep::for_each_shared(std::vector<PlacedPiece> const& pieces, local::Kept const& kept,
                                  Index gap, Region const& region, Block const& block,
                                  Use const& use) const {
  int const rows_axis = *pass_.axis;
  Shared shared;
  for (PlacedPiece const& placed : pieces) {
    sweep::LocalPiece const& piece = placed.piece;
    shared.segment = placed.segment;
    shared.first = shared.extent = Shape(extents_.size(), 0);
    shared.strides = piece.strides;
    bool is_empty = false;
    Index offset = piece.offset, in_block = 0;
    for (int axis : order_) {
      CountRange const counts = counts_in(piece, axis, region.lo[axis], region.hi[axis]);
      is_empty = is_empty || counts.first >= counts.end;
      shared.extent[axis] = counts.end - counts.first;
      shared.first[axis] = piece.start[axis] + counts.first * piece.step[axis];
      offset += counts.first * piece.strides[axis];
      in_block += (shared.first[axis] - region.lo[axis]) * block.strides[axis];
    }
    if (is_empty) continue;
    shared.step = piece.step;
    for (bool const last : {false, true}) {
      Index const lo = last ? kept.first : 0, hi = last ? kept.rows() : kept.first;
      CountRange const counts = counts_in(piece, rows_axis, lo, hi);
      if (counts.first >= counts.end) continue;
      shared.extent[rows_axis] = counts.end - counts.first;
      Index const moved = !last ? kept.at : kept.at == 0 ? gap : -kept.first;
      shared.first[rows_axis] =
          piece.start[rows_axis] + counts.first * piece.step[rows_axis] + moved;
      shared.in_array = offset + counts.first * piece.strides[rows_axis];
      shared.in_block = in_block + shared.first[rows_axis] * block.row;
      use(shared);
    }
  }
}

}  // namespace sixstep::device
