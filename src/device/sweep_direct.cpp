// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device that are one call of its library, or a few.
#include <algorithm>

#include "device/copy_maker.hpp"
#include "device/sweep.hpp"

namespace sixstep::device {

namespace {

/// More calls of the library than these take longer than a block.
constexpr Index most_calls = 8;

}  // namespace

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
  if ((goes_back() && fate_ == Source::target) || is_r2r(pass_.kind) || pass_.twiddle_axis ||
      !keeps_all(pass_))
    return std::nullopt;
  if (source_.size() != 1 || target_.size() != 1) return std::nullopt;
  sweep::LocalPiece const &from = source_[0].piece, &to = target_[0].piece;
  for (int axis = 0; axis < extents_.size(); ++axis)
    if (from.step[axis] != 1 || to.step[axis] != 1) return std::nullopt;
  if (folds()) return folded(region);

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
    columns.lengths.push_back(goes_back() && axis == *pass_.axis ? pass_.points : extents_[axis]);
    columns.source.strides.push_back(from.strides[axis]);
    columns.target.strides.push_back(to.strides[axis]);
  }
  // cuFFT is slow along several axes if the last of them has gaps.
  if (axes.size() > 1 && (columns.source.strides.back() != 1 || columns.target.strides.back() != 1))
    return std::nullopt;
  add_columns(made, region, from.strides, to.strides);
  if (columns.columns == 1) {
    columns.source.distance = columns.source.strides[0] * columns.lengths[0];
    columns.target.distance = columns.target.strides[0] * columns.lengths[0];
  }
  if (calls_of(made, region) > most_calls) return std::nullopt;
  if (to_complex() && !begins_evenly(from, region, made.loops)) return std::nullopt;
  if (goes_back() && !begins_evenly(to, region, made.loops)) return std::nullopt;
  return made;
}

Index DeviceSweep::calls_of(Direct const& direct, Region const& region) {
  Index calls = 1;
  for (int axis : direct.loops) calls *= region.count(axis);
  return calls;
}

/// Transforms of half the points in the target, where spectra of reals have been folded, if rows of
/// reals are contiguous there.
std::optional<DeviceSweep::Direct> DeviceSweep::folded(Region const& region) const {
  sweep::LocalPiece const& to = target_[0].piece;
  int const axis = *pass_.axis;
  if (axes_.size() > 1 || pass_.points % 2 != 0) return std::nullopt;
  if (to.strides[axis] != 1) return std::nullopt;
  Shape halved = to.strides;
  for (int other : order_) {
    if (region.count(other) > 1 && to.strides[other] % 2 != 0) return std::nullopt;
    halved[other] = to.strides[other] / 2;
  }
  Direct made;
  Columns& columns = made.columns;
  columns.real_bytes = real_bytes_;
  columns.lengths = {pass_.points / 2};
  columns.source.strides = columns.target.strides = {1};
  columns.source.distance = columns.target.distance = pass_.points / 2;
  add_columns(made, region, halved, halved);
  if (calls_of(made, region) > most_calls || !begins_evenly(to, region, made.loops))
    return std::nullopt;
  return made;
}

/// Adds the columns of a region: as many axes as continue each other on both sides, and loops over
/// the others.
void DeviceSweep::add_columns(Direct& made, Region const& region, Shape const& from,
                              Shape const& to) const {
  Columns& columns = made.columns;
  for (int i = order_.size() - 1; i >= 0; --i) {
    int const axis = order_[i];
    if (region.count(axis) <= 1) continue;
    if (columns.columns == 1) {
      columns.source.distance = from[axis];
      columns.target.distance = to[axis];
    }
    if (from[axis] == columns.columns * columns.source.distance &&
        to[axis] == columns.columns * columns.target.distance)
      columns.columns *= region.count(axis);
    else
      made.loops.push_back(axis);
  }
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

/// Makes Hermitian what cuFFT's inverse of r2c takes to be so: the coefficients of the waves 0 and
/// n/2 along the last axis. Its result for others is not documented.
void DeviceSweep::put_hermitian_part(device::Queue& queue, Region const& region,
                                     std::byte* begin) const {
  HermitianPart part;
  part.memory = begin;
  part.real_bytes = real_bytes_;
  Shape const& strides = source_[0].piece.strides;
  auto const append = [&](Index extent, Index stride, bool negates) {
    if (extent == 1) return;
    part.extent[part.axes] = extent;
    part.stride[part.axes] = stride;
    part.negates[part.axes++] = negates;
  };
  for (int axis : order_) append(region.count(axis), strides[axis], false);
  for (int axis : axes_)
    if (axis != *pass_.axis) append(extents_[axis], strides[axis], true);
  if (pass_.points % 2 == 0) append(2, pass_.points / 2 * strides[*pass_.axis], false);
  queue.run(part);
}

void DeviceSweep::put_fold(device::Queue& queue, Region const& region, std::byte const* source,
                           std::byte* target, double scale) const {
  Fold fold;
  fold.source = source;
  fold.target = target;
  fold.real_bytes = real_bytes_;
  fold.scale = scale;
  fold.m = pass_.points / 2;
  fold.roots = kernels_->roots(pass_.points);
  Shape const &from = source_[0].piece.strides, &to = target_[0].piece.strides;
  fold.row_from = from[*pass_.axis];
  for (int axis : order_) {
    if (region.count(axis) == 1) continue;
    fold.extent[fold.axes] = region.count(axis);
    fold.from[fold.axes] = from[axis];
    fold.to[fold.axes++] = to[axis] / 2;
  }
  queue.run(fold);
}

void DeviceSweep::put_direct(device::Queue& queue, Region const& region, DeviceSide const& source,
                             DeviceSide const& target, sweep::Mode const& mode,
                             std::byte* scratch) const {
  Direct const here = *direct(region);
  device::Planned const& planned = kernels_->planned(here.columns);
  auto const offset_in = [](PlacedPiece const& placed, Shape const& counts) {
    Index offset = placed.piece.offset;
    for (int axis = 0; axis < counts.size(); ++axis)
      offset += (counts[axis] - placed.piece.start[axis]) * placed.piece.strides[axis];
    return offset;
  };
  auto const at = [&](DeviceSide const& side, PlacedPiece const& placed, Shape const& counts,
                      int reals) {
    return side.of(placed.segment) + offset_in(placed, counts) * reals * real_bytes_;
  };
  if (folds())
    put_fold(queue, region, at(source, source_[0], region.lo, 2),
             at(target, target_[0], region.lo, 1), mode.scale);
  else if (goes_back())
    put_hermitian_part(queue, region, at(source, source_[0], region.lo, 2));
  sweep::for_each(here.loops, region.lo, region.hi, [&](Shape const& counts) {
    std::byte* const to = at(target, target_[0], counts, reals_to_);
    std::byte* const from = folds() ? to : at(source, source_[0], counts, reals_from_);
    queue.run(planned, from, to, folds() || (is_complex() && mode.backward), scratch);
  });
  if (folds()) return;
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
