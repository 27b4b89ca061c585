// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device that are one call of its library, or a few.
#include <algorithm>

#include "device/copy_maker.hpp"
#include "device/sweep.hpp"

namespace sixstep::device {

/// Whether no coefficient is dropped or put between others as zero.
bool DeviceSweep::keeps_all(program::Pass const& pass) {
  if (pass.box.empty()) return true;
  if (pass.splits || pass.first > 0) return false;
  Index const n = pass.points, made = pass.kind == Kind::r2c ? n / 2 + 1 : n;
  auto const all = [&](layout::Number number) { return number == layout::Number::real ? n : made; };
  return pass.box.ranges[*pass.axis].count() == all(pass.source_number) &&
         pass.target_box.ranges[*pass.axis].count() == all(pass.target_number);
}

/// Prepares the transforms without a block of these regions. Returns whether there are such for
/// all.
bool DeviceSweep::prepare(Bounds const& bounds, std::vector<Region> const& regions) {
  bool all_direct = true;
  for (Region const& region : regions) {
    std::optional<Direct> const found = direct(region);
    all_direct = all_direct && found && kernels_->plan(found->columns, bounds.scratch_bytes);
  }
  return all_direct;
}

/// A transform without a block, if the region's columns lie at one distance on both sides, with all
/// rows in order.
std::optional<DeviceSweep::Direct> DeviceSweep::direct(Region const& region) const {
  // The inverse of r2c must ignore some imaginary parts, which are set to zero before it, and may
  // lose its input.
  if ((goes_back() && !may_spoil_) || is_r2r(pass_.kind) || pass_.twiddle_axis || !keeps_all(pass_))
    return std::nullopt;
  if (source_.size() != 1 || target_.size() != 1) return std::nullopt;
  sweep::LocalPiece const &from = source_[0].piece, &to = target_[0].piece;
  for (int axis = 0; axis < extents_.size(); ++axis)
    if (from.step[axis] != 1 || to.step[axis] != 1) return std::nullopt;

  PerAxis<int> axes = axes_;
  std::sort(axes.begin(), axes.end(),
            [&](int a, int b) { return from.strides[a] > from.strides[b]; });
  if (pass_.kind == Kind::r2c && axes.back() != *pass_.axis) return std::nullopt;
  Direct made;
  Columns& columns = made.columns;
  columns.kind = to_complex()  ? Columns::Kind::r2c
                 : goes_back() ? Columns::Kind::c2r
                               : Columns::Kind::c2c;
  columns.real_bytes = real_bytes_;
  for (int axis : axes) {
    columns.lengths.push_back(goes_back() ? pass_.points : extents_[axis]);
    columns.source.strides.push_back(from.strides[axis]);
    columns.target.strides.push_back(to.strides[axis]);
  }
  // cuFFT is slow along several axes if the last of them has gaps.
  if (axes.size() > 1 && (columns.source.strides.back() != 1 || columns.target.strides.back() != 1))
    return std::nullopt;
  for (int i = order_.size() - 1; i >= 0; --i) {
    int const axis = order_[i];
    if (region.count(axis) <= 1) continue;
    bool const is_first = columns.columns == 1;
    if (is_first) {
      columns.source.distance = from.strides[axis];
      columns.target.distance = to.strides[axis];
    }
    if (from.strides[axis] == columns.columns * columns.source.distance &&
        to.strides[axis] == columns.columns * columns.target.distance)
      columns.columns *= region.count(axis);
    else
      made.loops.push_back(axis);
  }
  if (columns.columns == 1) {
    columns.source.distance = columns.source.strides[0] * columns.lengths[0];
    columns.target.distance = columns.target.strides[0] * columns.lengths[0];
  }
  constexpr Index most_calls = 8;
  Index calls = 1;
  for (int axis : made.loops) calls *= region.count(axis);
  if (calls > most_calls) return std::nullopt;
  if (to_complex() && !begins_evenly(from, region, made.loops)) return std::nullopt;
  if (goes_back() && !begins_evenly(to, region, made.loops)) return std::nullopt;
  return made;
}

/// Whether each transform of reals begins at a multiple of a complex number, if the array does.
bool DeviceSweep::begins_evenly(sweep::LocalPiece const& reals, Region const& region,
                                PerAxis<int> const& loops) {
  Index first = reals.offset;
  bool steps_are_even = true;
  for (int axis = 0; axis < region.lo.size(); ++axis) {
    first += (region.lo[axis] - reals.start[axis]) * reals.strides[axis];
    if (program::contains(loops, axis))
      steps_are_even = steps_are_even && reals.strides[axis] % 2 == 0;
  }
  return first % 2 == 0 && steps_are_even;
}

void DeviceSweep::put_direct(device::Queue& queue, Region const& region, DeviceSide const& source,
                             DeviceSide const& target, sweep::Mode const& mode,
                             std::byte* scratch) const {
  Direct const here = *direct(region);
  device::Planned const& planned = kernels_->planned(here.columns);
  auto const offset_in = [](Part const& part, Shape const& counts) {
    Index offset = part.piece.offset;
    for (int axis = 0; axis < counts.size(); ++axis)
      offset += (counts[axis] - part.piece.start[axis]) * part.piece.strides[axis];
    return offset;
  };
  auto const at = [&](DeviceSide const& side, Part const& part, Shape const& counts, int reals) {
    return side.of(part.segment) + offset_in(part, counts) * reals * real_bytes_;
  };
  if (goes_back()) {
    // What cuFFT does with the imaginary parts of what should be real is not documented.
    Copy zeros;
    zeros.real_bytes = real_bytes_;
    zeros.target = at(source, source_[0], region.lo, 2) + real_bytes_;
    CopyMaker maker;
    auto const append = [&](Index count, Index stride, int axis) {
      maker.append({count, 0, 2 * stride, axis});
    };
    Shape const& strides = source_[0].piece.strides;
    for (int axis : order_) append(region.count(axis), strides[axis], axis);
    Index const half = pass_.points / 2;
    if (pass_.points % 2 == 0) append(2, half * strides[*pass_.axis], *pass_.axis);
    queue.run(maker.made(zeros, CopyMaker::Order::of_target));
  }
  sweep::for_each(here.loops, region.lo, region.hi, [&](Shape const& counts) {
    queue.run(planned, at(source, source_[0], counts, reals_from_),
              at(target, target_[0], counts, reals_to_), is_complex() && mode.backward, scratch);
  });
  Copy end = end_of(mode);
  if (!end.changes) return;
  CopyMaker maker;
  sweep::LocalPiece const& piece = target_[0].piece;
  for (int axis = 0; axis < extents_.size(); ++axis) {
    Index const count =
        program::contains(axes_, axis) ? pass_.target_box.ranges[axis].count() : region.count(axis);
    maker.append({count, piece.strides[axis], piece.strides[axis], axis, piece.strides[axis]});
  }
  end.target = at(target, target_[0], region.lo, reals_to_);
  end.source = end.target;
  end.table = table_at(mode, offset_in(target_[0], region.lo));
  end.from_reals = reals_to_;
  queue.run(maker.made(end, CopyMaker::Order::of_target));
}

}  // namespace sixstep::device
