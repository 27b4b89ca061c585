// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device as transforms of scattered columns.
#include <algorithm>

#include "device/sweep.hpp"
#include "sixstep/error.hpp"

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
    std::vector<Part> const& parts, local::Kept const& kept, Region const& region) {
  if (kept.at != 0) return std::nullopt;
  int const rows_axis = *pass_.axis;
  ScatteredPlace place;
  place.rows.assign(static_cast<std::size_t>(kept.all), {RowCode::nowhere});
  Block unused;
  unused.strides = Shape(extents_.size(), 0);
  bool is_alike = true;
  for_each_shared(parts, kept, kept.all - kept.rows(), region, unused, [&](Shared const& shared) {
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

std::optional<DeviceSweep::ScatteredRegion> DeviceSweep::scattered(Region const& region) {
  auto const from = scattered_place(source_, kept_source_, region);
  auto const to = scattered_place(target_, kept_target_, region);
  if (!from || !to) return std::nullopt;

  // Axes that continue each other on both sides become one, unless the phase counts along them.
  struct Axis {
    Index extent, from, to;
    int axis;
  };
  PerAxis<Axis> axes;
  for (int axis : order_) {
    if (region.count(axis) == 1) continue;
    Axis const next{region.count(axis), from->strides[axis], to->strides[axis], axis};
    auto const is_counted = [&](int it) { return pass_.twiddle_axis && *pass_.twiddle_axis == it; };
    if (axes.size() > 0) {
      Axis& slower = axes[axes.size() - 1];
      if (slower.from == next.extent * next.from && slower.to == next.extent * next.to &&
          !is_counted(slower.axis) && !is_counted(axis)) {
        slower = {slower.extent * next.extent, next.from, next.to, axis};
        continue;
      }
    }
    axes.push_back(next);
  }
  constexpr int most_axes = ScatteredSide::most_axes;
  if (axes.size() > most_axes) return std::nullopt;

  ScatteredRegion made{};
  Scattered& columns = made.columns;
  columns.n = kept_source_.all;
  columns.real_bytes = real_bytes_;
  int const skipped = most_axes - axes.size();
  Along column{-1, 0, 0};
  if (pass_.twiddle_axis) {
    int const axis = *pass_.twiddle_axis;
    Range const& range = pass_.box.ranges[axis];
    column.first = range.lo + region.lo[axis] * range.step;
    column.step = range.step;
  }
  for (int i = 0; i < axes.size(); ++i) {
    columns.extents[skipped + i] = axes[i].extent;
    columns.source.strides[skipped + i] = axes[i].from;
    columns.target.strides[skipped + i] = axes[i].to;
    if (pass_.twiddle_axis && *pass_.twiddle_axis == axes[i].axis) column.axis = skipped + i;
  }
  if (pass_.twiddle_axis) {
    columns.phase = kernels_->roots(pass_.twiddle_period);
    columns.phase.row = {Scattered::rows_axis, 0, 1};
    columns.phase.column = column;
  }
  auto const set = [&](ScatteredSide& side, ScatteredPlace const& place, int& segment,
                       Index& offset) {
    Index least = 0;
    for (Index stride : side.strides)
      if (stride > 0 && (least == 0 || stride < least)) least = stride;
    bool const is_plain = place.is_plain();
    if (is_plain) {
      side.row_stride = place.row_stride();
      segment = place.rows[0].rank() + first_segment_;
      offset = place.rows[0].offset();
    } else {
      side.rows = kernels_->rows(place.rows);
    }
    auto const there = [](RowCode row) { return row.is_there(); };
    auto const row = std::find_if(place.rows.begin(), place.rows.end(), there);
    auto const next =
        row == place.rows.end() ? row : std::find_if(row + 1, place.rows.end(), there);
    side.has_rows_first =
        least == 0 || (next != place.rows.end() && next->offset() - row->offset() < least);
  };
  set(columns.source, *from, made.source_segment, made.source_offset);
  set(columns.target, *to, made.target_segment, made.target_offset);
  return made;
}

/// Prepares scattered columns for all of these regions, or for none.
void DeviceSweep::prepare_scattered(std::vector<Region> const& regions) {
  if (!is_complex() || axes_.size() > 1) return;
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
  columns.phase.conjugate = mode.backward;
  columns.scale = pass_.scales ? mode.scale : 1;
  columns.table = table_at(mode, found->target_offset);
  queue.run(*scattered_plan_, columns);
}

}  // namespace sixstep::device
