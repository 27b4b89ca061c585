// SPDX-License-Identifier: BSD-3-Clause
// Passes that gather columns: columns that are neighbours in a plane and in the list are one run.
#include "sweep/gather_pass.hpp"

#include <algorithm>
#include <cstring>

#include "sweep/runs.hpp"

namespace sixstep::sweep {

using layout::Piece;
using schedule::Columns;

namespace {

/// `piece`, with the ranges of `region` along all axes but the two of the planes.
Piece restricted(Piece const& piece, Box region, Columns const& columns) {
  region.ranges[columns.slow] = piece.box.ranges[columns.slow];
  region.ranges[columns.fast] = piece.box.ranges[columns.fast];
  return layout::restrict(piece, region);
}

/// The count of an index in a range; -1 if the range does not have it.
Index count_of(Range const& range, Index index) {
  Index const from_first = index - range.lo;
  if (from_first < 0 || index >= range.hi || from_first % range.step != 0) return -1;
  return from_first / range.step;
}

/// Writes zeros to runs of bytes.
void clear_runs(std::byte* to, Spacing const& target, Runs const& runs) {
  for (Index row = 0; row < runs.rows; ++row)
    for (Index column = 0; column < runs.columns; ++column)
      std::memset(to + row * target.row + column * target.column, 0,
                  static_cast<std::size_t>(runs.bytes));
}

}  // namespace

GatherPass::GatherPass(program::Pass const& pass, Index element_bytes)
    : gather_(*pass.gather),
      box_(pass.box),
      target_box_(pass.target_box),
      element_bytes_(element_bytes),
      from_scratch_(pass.from_scratch),
      to_scratch_(pass.to_scratch) {
  if (pass.box.empty() || pass.target_box.empty()) return;
  Columns const& columns = *gather_.columns;
  layout::Pieces const& planes = gather_.scatters ? pass.target : pass.source;
  layout::Pieces const& gathered = gather_.scatters ? pass.source : pass.target;
  for (Piece const& plane : planes) {
    for (Piece const& list : gathered) add_runs(plane, list);
    if (gather_.scatters) add_zeros(plane);
  }
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (axis != columns.slow && axis != columns.fast) others_.push_back(axis);
}

std::size_t GatherPass::bytes() const {
  std::size_t sum = overlaps_.capacity() * sizeof(Overlap);
  for (Overlap const& overlap : overlaps_) sum += overlap.runs.capacity() * sizeof(Run);
  return sum;
}

void GatherPass::add_runs(Piece const& all_planes, Piece const& all_gathered) {
  Columns const& columns = *gather_.columns;
  Piece const planes = restricted(all_planes, all_gathered.box, columns);
  Piece const gathered = restricted(all_gathered, all_planes.box, columns);
  if (planes.box.empty() || gathered.box.empty()) return;
  Range const& slow = planes.box.ranges[columns.slow];
  Range const& fast = planes.box.ranges[columns.fast];
  Range const& list = gathered.box.ranges[columns.fast];
  Piece const& source = gather_.scatters ? gathered : planes;
  Piece const& target = gather_.scatters ? planes : gathered;
  Overlap overlap{localise(source, box_),
                  localise(target, target_box_),
                  (gather_.scatters ? all_gathered : all_planes).strides,
                  (gather_.scatters ? all_planes : all_gathered).strides,
                  source.strides[columns.fast],
                  target.strides[columns.fast],
                  {}};
  for (Index i = 0; i < list.count(); ++i) {
    Columns::Column const& column = columns[list.lo + i * list.step];
    Index const slow_count = count_of(slow, column.slow), fast_count = count_of(fast, column.fast);
    if (slow_count < 0 || fast_count < 0) continue;
    Index const in_planes =
        slow_count * planes.strides[columns.slow] + fast_count * planes.strides[columns.fast];
    Index const in_list = i * gathered.strides[columns.fast];
    Run const next{gather_.scatters ? in_list : in_planes, gather_.scatters ? in_planes : in_list,
                   1};
    if (!overlap.runs.empty()) {
      Run& last = overlap.runs.back();
      if (next.source == last.source + last.count * overlap.source_step &&
          next.target == last.target + last.count * overlap.target_step) {
        ++last.count;
        continue;
      }
    }
    overlap.runs.push_back(next);
  }
  if (!overlap.runs.empty()) overlaps_.push_back(std::move(overlap));
}

void GatherPass::add_zeros(Piece const& planes) {
  Columns const& columns = *gather_.columns;
  Range const& slow = planes.box.ranges[columns.slow];
  Range const& fast = planes.box.ranges[columns.fast];
  std::vector<bool> has_column(static_cast<std::size_t>(slow.count() * fast.count()));
  for (Columns::Column const& column : columns.columns) {
    Index const slow_count = count_of(slow, column.slow), fast_count = count_of(fast, column.fast);
    if (slow_count >= 0 && fast_count >= 0)
      has_column[static_cast<std::size_t>(slow_count * fast.count() + fast_count)] = true;
  }
  LocalPiece const target = localise(planes, target_box_);
  Overlap overlap{target, target, planes.strides, planes.strides, 0, planes.strides[columns.fast],
                  {},     true};
  auto column = has_column.begin();
  for (Index i = 0; i < slow.count(); ++i) {
    bool continues = false;
    for (Index j = 0; j < fast.count(); ++j, ++column) {
      if (!*column && continues) ++overlap.runs.back().count;
      if (!*column && !continues)
        overlap.runs.push_back({0, i * planes.strides[columns.slow] + j * overlap.target_step, 1});
      continues = !*column;
    }
  }
  if (!overlap.runs.empty()) overlaps_.push_back(std::move(overlap));
}

void GatherPass::run(void const* source, void* target, Region const& region, Mode const&,
                     std::byte*) const {
  for (Overlap const& overlap : overlaps_) run(overlap, source, target, region);
}

void GatherPass::run(Overlap const& overlap, void const* source, void* target,
                     Region const& region) const {
  LocalPiece const &from = overlap.source, &to = overlap.target;
  Shape lo, hi;
  region.clip(to.start, to.step, to.extent, lo, hi);
  for (int axis : others_)
    if (hi[axis] <= lo[axis]) return;
  // Rows are the longest of the other axes, or the one along which both sides are contiguous: then
  // these are copied as they lie.
  bool const is_dense = overlap.target_step == 1 && (overlap.is_zero || overlap.source_step == 1);
  int rows = -1;
  for (int axis : others_)
    if (rows < 0 || hi[axis] - lo[axis] > hi[rows] - lo[rows]) rows = axis;
  bool are_rows_dense = false;
  for (int axis : others_)
    if (!is_dense && to.strides[axis] == 1 && (overlap.is_zero || from.strides[axis] == 1) &&
        hi[axis] - lo[axis] > 1) {
      rows = axis;
      are_rows_dense = true;
    }
  PerAxis<int> outer;
  for (int axis : others_)
    if (axis != rows) outer.push_back(axis);
  Index const count = rows < 0 ? 1 : hi[rows] - lo[rows];
  auto const spacing = [&](LocalPiece const& side, Index step) {
    Index const row = rows < 0 ? 0 : side.strides[rows] * element_bytes_;
    if (is_dense) return Spacing{row, 0};
    return are_rows_dense ? Spacing{step * element_bytes_, 0} : Spacing{row, step * element_bytes_};
  };
  auto const runs_of = [&](Index length) {
    if (is_dense) return Runs{count, 1, length * element_bytes_};
    return are_rows_dense ? Runs{length, 1, count * element_bytes_}
                          : Runs{count, length, element_bytes_};
  };
  Spacing const source_spacing = spacing(from, overlap.source_step);
  Spacing const target_spacing = spacing(to, overlap.target_step);
  auto const place = [&](LocalPiece const& side, Shape const& counts, Shape const* scratch) {
    Index sum = side.offset - (scratch ? region.offset(*scratch) : 0);
    for (int axis : others_) sum += counts[axis] * side.strides[axis];
    return sum;
  };
  for_each(outer, lo, hi, [&](Shape counts) {
    if (rows >= 0) counts[rows] = lo[rows];
    Index const from_place = place(from, counts, from_scratch_ ? &overlap.source_scratch : nullptr);
    Index const to_place = place(to, counts, to_scratch_ ? &overlap.target_scratch : nullptr);
    for (Run const& run : overlap.runs) {
      auto* const written =
          static_cast<std::byte*>(target) + (to_place + run.target) * element_bytes_;
      if (overlap.is_zero) {
        clear_runs(written, target_spacing, runs_of(run.count));
        continue;
      }
      copy_runs(static_cast<std::byte const*>(source) + (from_place + run.source) * element_bytes_,
                source_spacing, written, target_spacing, runs_of(run.count));
    }
  });
}

}  // namespace sixstep::sweep
