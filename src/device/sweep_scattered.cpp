// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device as transforms of scattered columns.
#include <algorithm>

#include "device/sweep.hpp"
#include "sixstep/error.hpp"
#include "sweep/kernels.hpp"

namespace sixstep::device {

/// Where the columns of a region lie on one side: the strides of its axes, and the place of each
/// row in the first column.
struct DeviceSweep::ScatteredPlace {
  Shape strides;  // along all axes of the box
  std::vector<RowCode> rows;
  /// Whether rows follow each other at equal distances in the memory of one rank.
  bool is_plain() const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!rows[i].is_there() || rows[i].rank() != rows[0].rank() ||
          rows[i].offset() != rows[0].offset() + static_cast<Index>(i) * row_stride())
        return false;
    return true;
  }
  Index row_stride() const { return rows.size() < 2 ? 0 : rows[1].offset() - rows[0].offset(); }
};

/// Nothing if not all rows have all columns, at the same distances.
std::optional<DeviceSweep::ScatteredPlace> DeviceSweep::scattered_place(
    std::vector<PlacedPiece> const& pieces, local::Kept const& kept, Region const& region) {
  if (kept.splits) return std::nullopt;
  int const rows_axis = *pass_.axis;
  ScatteredPlace place;
  place.rows.assign(static_cast<std::size_t>(kept.all), {RowCode::nowhere});
  Block unused;
  unused.strides = Shape(extents_.size(), 0);
  bool is_alike = true;
  for_each_shared(pieces, kept, kept.all - kept.rows(), region, unused, [&](Shared const& shared) {
    bool const is_first = place.strides.size() == 0;
    if (is_first) place.strides = shared.strides;
    for (int axis : order_) {
      if (region.count(axis) == 1) continue;
      is_alike = is_alike && shared.extent[axis] == region.count(axis) && shared.step[axis] == 1 &&
                 shared.strides[axis] == place.strides[axis];
    }
    is_alike = is_alike && shared.segment - first_segment_ < RowCode::most_ranks;
    if (!is_alike) return;
    for (Index i = 0; i < shared.extent[rows_axis]; ++i) {
      Index const row = shared.first[rows_axis] + i * shared.step[rows_axis];
      place.rows[static_cast<std::size_t>(row)] = RowCode::of(
          shared.in_array + i * shared.strides[rows_axis], shared.segment - first_segment_);
    }
  });
  if (!is_alike || place.strides.size() == 0) return std::nullopt;
  return place;
}

/// An axis along which columns are numbered, and its number among the axes of the box.
struct DeviceSweep::ScatteredAxis {
  Index extent, from, to, in_points;
  int axis;
};

/// The axes of a region's columns, slowest first. Those that continue each other on both sides, and
/// in the table of points, become one, unless the twiddles count along them.
PerAxis<DeviceSweep::ScatteredAxis> DeviceSweep::scattered_axes(Region const& region,
                                                                ScatteredPlace const& from,
                                                                ScatteredPlace const& to) const {
  auto const is_counted = [&](int axis) {
    return pass_.twiddle_axis && *pass_.twiddle_axis == axis;
  };
  PerAxis<ScatteredAxis> axes;
  for (int axis : order_) {
    if (region.count(axis) == 1) continue;
    ScatteredAxis const next{region.count(axis), from.strides[axis], to.strides[axis],
                             points_ ? points_->numbering.strides[axis] : 0, axis};
    if (axes.size() > 0) {
      ScatteredAxis& slower = axes[axes.size() - 1];
      if (slower.from == next.extent * next.from && slower.to == next.extent * next.to &&
          slower.in_points == next.extent * next.in_points && !is_counted(slower.axis) &&
          !is_counted(axis)) {
        slower = {slower.extent * next.extent, next.from, next.to, next.in_points, axis};
        continue;
      }
    }
    axes.push_back(next);
  }
  return axes;
}

/// Says where the rows of a side lie: at one distance from `offset` in a segment, or by a table.
void DeviceSweep::place_rows(ScatteredSide& side, ScatteredPlace const& place, int& segment,
                             Index& offset) {
  if (place.is_plain()) {
    side.row_stride = place.row_stride();
    segment = place.rows[0].rank() + first_segment_;
    offset = place.rows[0].offset();
  } else {
    side.rows = kernels_->rows(place.rows);
  }
  Index least = 0;  // distance of columns
  for (Index stride : side.strides)
    if (stride > 0 && (least == 0 || stride < least)) least = stride;
  auto const is_there = [](RowCode row) { return row.is_there(); };
  auto const end = place.rows.end();
  auto const row = std::find_if(place.rows.begin(), end, is_there);
  auto const next = row == end ? end : std::find_if(row + 1, end, is_there);
  side.has_rows_first = least == 0 || (next != end && next->offset() - row->offset() < least);
}

/// Says where the numbers that multiply the region's coefficients lie in the table of points.
void DeviceSweep::place_points(ScatteredRegion& made, Region const& region,
                               PerAxis<ScatteredAxis> const& axes) {
  int const rows_axis = *pass_.axis, skipped = ScatteredSide::most_axes - axes.size();
  program::Numbering const& numbering = points_->numbering;
  made.columns.there_and_back = true;
  ScatteredSide& side = made.columns.in_table;
  for (int i = 0; i < axes.size(); ++i) side.strides[skipped + i] = axes[i].in_points;
  side.row_stride = numbering.strides[rows_axis];
  Shape first = region.lo;
  first[rows_axis] = 0;
  made.first_point = numbering.number(first);
  local::Kept const kept =
      sweep::kept_waves(Kind::c2c, points_->box.ranges[rows_axis].count(), pass_.points);
  if (kept.rows() == kept.all) return;
  std::vector<RowCode> rows(static_cast<std::size_t>(kept.all), {RowCode::nowhere});
  for (Index i = 0; i < kept.rows(); ++i)
    rows[static_cast<std::size_t>(kept.row(i))] = RowCode::of(i * side.row_stride, 0);
  side.rows = kernels_->rows(rows);
}

std::optional<DeviceSweep::ScatteredRegion> DeviceSweep::scattered(Region const& region) {
  auto const from = scattered_place(source_, kept_source_, region);
  auto const to = scattered_place(target_, kept_target_, region);
  if (!from || !to) return std::nullopt;
  PerAxis<ScatteredAxis> const axes = scattered_axes(region, *from, *to);
  int const skipped = ScatteredSide::most_axes - axes.size();
  if (skipped < 0) return std::nullopt;

  ScatteredRegion made{};
  Scattered& columns = made.columns;
  columns.n = kept_source_.all;
  columns.real_bytes = real_bytes_;
  for (int i = 0; i < axes.size(); ++i) {
    columns.extents[skipped + i] = axes[i].extent;
    columns.source.strides[skipped + i] = axes[i].from;
    columns.target.strides[skipped + i] = axes[i].to;
  }
  if (pass_.twiddle_axis) {
    int const axis = *pass_.twiddle_axis;
    Range const& range = pass_.box.ranges[axis];
    columns.phase = kernels_->roots(pass_.twiddle_period);
    columns.phase.row = {Scattered::rows_axis, 0, 1};
    columns.phase.column = {-1, range.lo + region.lo[axis] * range.step, range.step};
    for (int i = 0; i < axes.size(); ++i)
      if (axes[i].axis == axis) columns.phase.column.axis = skipped + i;
  }
  place_rows(columns.source, *from, made.source_segment, made.source_offset);
  place_rows(columns.target, *to, made.target_segment, made.target_offset);
  if (points_) place_points(made, region, axes);
  return made;
}

/// Prepares scattered columns for all of these regions, or for none.
void DeviceSweep::prepare_scattered(std::vector<Region> const& regions) {
  if (!is_complex() || axes_.size() > 1 || (points_ && pass_.splits)) return;
  scattered_plan_ = kernels_->plan_scattered(kept_source_.all, real_bytes_);
  if (!scattered_plan_) return;
  for (Region const& region : regions) {
    bool is_empty = false;
    for (int axis : order_) is_empty = is_empty || region.count(axis) <= 0;
    if (is_empty) continue;
    std::optional<ScatteredRegion> made = scattered(region);
    if (!made) {
      scattered_.clear();
      return;
    }
    made->lo = window_axis_ < 0 ? 0 : region.lo[window_axis_];
    made->hi = window_axis_ < 0 ? extent_ : region.hi[window_axis_];
    scattered_.push_back(*made);
  }
}

void DeviceSweep::put_scattered(device::Queue& queue, Index lo, Index hi, DeviceSide const& source,
                                DeviceSide const& target, sweep::Mode const& mode) const {
  auto const found = std::find_if(scattered_.begin(), scattered_.end(),
                                  [&](auto const& it) { return it.lo == lo && it.hi == hi; });
  require_internal(found != scattered_.end(), "a window that was not prepared");
  Scattered columns = found->columns;
  auto const place = [&](ScatteredSide& side, DeviceSide const& arrays, int segment, Index offset) {
    side.memory = arrays.of(segment) + offset * 2 * real_bytes_;
    if (!side.rows || !arrays.shifts) return;
    for (int rank = 0; rank < RowCode::most_ranks && rank + first_segment_ <= last_segment_; ++rank)
      side.shifts[rank] = arrays.of(rank + first_segment_) - arrays.begin;
  };
  place(columns.source, source, found->source_segment, found->source_offset);
  place(columns.target, target, found->target_segment, found->target_offset);
  columns.backward = mode.backward;
  columns.phase.conjugate = mode.backward != columns.there_and_back;
  columns.scale = mode.scale;
  if (columns.there_and_back) {
    columns.table = points_at(mode, found->first_point);
  } else {
    columns.table = table_at(mode, found->target_offset);
    columns.in_table = columns.target;
  }
  queue.run(*scattered_plan_, columns);
}

}  // namespace sixstep::device
