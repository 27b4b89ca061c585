// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device: columns that go through a block, and what is copied to it and from it.
#include <algorithm>

#include "device/as_complex.hpp"
#include "device/copy_maker.hpp"
#include "device/sweep.hpp"
#include "sixstep/error.hpp"
#include "sweep/kernels.hpp"
#include "sweep/parts.hpp"

namespace sixstep::device {

/// The block of a region, with elements of `reals` reals.
DeviceSweep::Block DeviceSweep::block(Region const& region, int reals) const {
  Block made;
  made.strides = Shape(extents_.size(), 0);
  for (int axis : order_) made.columns *= region.count(axis);
  // In place, rows of reals and of complex numbers must follow each other.
  made.lies_by_rows = !rows_first_ && pass_.kind != Kind::r2c;
  made.rows = column_reals() / reals;
  Index stride = made.lies_by_rows ? 1 : made.rows;
  made.row = made.lies_by_rows ? made.columns : 1;
  for (int i = order_.size() - 1; i >= 0; --i) {
    made.strides[order_[i]] = stride;
    stride *= region.count(order_[i]);
  }
  return made;
}

Columns DeviceSweep::columns_in(Block const& source, Block const& target) const {
  auto const side = [](Block const& block) {
    return Columns::Side{{block.row}, block.lies_by_rows ? 1 : block.rows};
  };
  bool const halves = pass_.kind == Kind::r2c;
  Columns columns;
  columns.kind = !halves        ? Columns::Kind::c2c
                 : to_complex() ? Columns::Kind::r2c
                                : Columns::Kind::c2r;
  columns.real_bytes = real_bytes_;
  columns.lengths = {halves ? pass_.points : rows_};
  columns.source = side(source);
  columns.target = side(target);
  columns.columns = source.columns;
  return columns;
}

void DeviceSweep::put_block(device::Queue& queue, Region const& region, DeviceSide const& source,
                            DeviceSide const& target, sweep::Mode const& mode, std::byte* block,
                            std::byte* scratch) const {
  Block const from = this->block(region, to_complex() ? 1 : 2);
  Block const to = this->block(region, goes_back() ? 1 : 2);
  load(queue, region, source, from, block);
  queue.run(kernels_->planned(columns_in(from, to)), block, block, is_complex() && mode.backward,
            scratch);
  store(queue, region, target, to, mode, block);
}

/// The index of `shared` along an axis, times `factor`, plus `more`.
device::Along DeviceSweep::along(Shared const& shared, int axis, Index factor, Index more) {
  return {axis, shared.first[axis] * factor + more, shared.step[axis] * factor};
}

/// Copies from the source to the block. Rows that are not kept become zeros.
void DeviceSweep::load(device::Queue& queue, Region const& region, DeviceSide const& source,
                       Block const& block, std::byte* begin) const {
  int const rows_axis = *pass_.axis;
  Copy copy;
  copy.real_bytes = real_bytes_;
  copy.from_reals = reals_from_;
  copy.to_reals = to_complex() ? 1 : 2;
  auto const in_block = [&](Index offset) { return begin + offset * copy.to_reals * real_bytes_; };
  if (goes_back()) {
    copy.changes = true;
    copy.real[0] = 0;
    if (pass_.points % 2 == 0) copy.real[1] = pass_.points / 2;
  }
  int before = 0;
  if (is_r2r(pass_.kind)) {
    AsComplex const as = as_complex(pass_.kind, pass_.points);
    copy.changes = true;
    std::copy(as.halved, as.halved + 2, copy.halved);
    before = 2 * as.b2;
    if (before != 0) copy.phase = kernels_->roots(as.roots());
    copy.phase.column = {-1, 1, 0};
  }
  if (kept_source_.splits) {
    copy.changes = true;
    copy.halved[0] = kept_source_.highest();
    if (goes_back()) copy.real[2] = kept_source_.highest();
  }
  Index const gap = rows_ - kept_source_.rows();
  for_each_shared(source_, kept_source_, gap, region, block, [&](Shared const& shared) {
    copy.source = source.of(shared.segment) + shared.in_array * reals_from_ * real_bytes_;
    copy.target = in_block(shared.in_block);
    copy.row = along(shared, rows_axis);
    copy.phase.row = along(shared, rows_axis, before);
    CopyMaker maker;
    for (int axis = 0; axis < extents_.size(); ++axis)
      maker.append({shared.extent[axis], shared.strides[axis],
                    shared.step[axis] * (axis == rows_axis ? block.row : block.strides[axis]),
                    axis});
    queue.run(maker.made(copy, CopyMaker::Order::of_source));
  });
  if (gap > 0) fill_gap(queue, region, block, begin);
}

/// Writes zeros to the rows of the block that are not kept. The wave that stands for two is copied
/// to the other one if that has a row of its own.
void DeviceSweep::fill_gap(device::Queue& queue, Region const& region, Block const& block,
                           std::byte* begin) const {
  Copy fill;
  fill.real_bytes = real_bytes_;
  fill.from_reals = fill.to_reals = to_complex() ? 1 : 2;
  auto const in_block = [&](Index offset) { return begin + offset * fill.to_reals * real_bytes_; };
  auto const fill_rows = [&](Index first, Index count) {
    if (count == 0) return;
    fill.target = in_block(first * block.row);
    CopyMaker maker;
    for (int axis : order_)
      maker.append(
          {region.count(axis), fill.source ? block.strides[axis] : 0, block.strides[axis], axis});
    maker.append({count, 0, block.row, *pass_.axis});
    queue.run(maker.made(fill, CopyMaker::Order::of_target));
  };
  Index const at = kept_source_.at, behind = at + kept_source_.first;
  if (at > 0) {
    fill_rows(kept_source_.last, at - kept_source_.last);
    return fill_rows(behind, rows_ - behind);
  }
  fill_rows(behind, rows_ - kept_source_.rows());
  if (!kept_source_.splits || kept_source_.last == 0) return;
  fill.source = in_block(kept_source_.highest() * block.row);
  fill_rows(kept_source_.other_highest(), 1);
}

/// Copies from the block to the target, and multiplies by all factors.
void DeviceSweep::store(device::Queue& queue, Region const& region, DeviceSide const& target,
                        Block const& block, sweep::Mode const& mode, std::byte* begin) const {
  int const rows_axis = *pass_.axis;
  Copy copy = end_of(mode);
  copy.from_reals = goes_back() ? 1 : 2;
  copy.changes = copy.changes || pass_.twiddle_axis || is_r2r(pass_.kind);
  Index behind = 1, more = 0;
  if (pass_.twiddle_axis) {
    copy.phase = kernels_->roots(pass_.twiddle_period);
    copy.phase.conjugate = mode.backward;
  }
  if (is_r2r(pass_.kind)) {
    AsComplex const as = as_complex(pass_.kind, pass_.points);
    copy.scale *= 2;
    copy.take = as.is_sine ? device::Take::minus_imaginary : device::Take::real;
    behind = 2 * as.a2;
    more = as.a2 * as.b2;
    if (as.a2 != 0) copy.phase = kernels_->roots(as.roots());
    copy.phase.column = {-1, 1, 0};
  }
  if (kept_target_.splits) {
    copy.changes = true;
    copy.sum = kept_target_.highest();
    copy.other = (kept_target_.other_highest() - copy.sum) * block.row;
  }
  Index const gap = kept_target_.all - kept_target_.rows();
  for_each_shared(target_, kept_target_, gap, region, block, [&](Shared const& shared) {
    copy.source = begin + shared.in_block * copy.from_reals * real_bytes_;
    copy.target = target.of(shared.segment) + shared.in_array * reals_to_ * real_bytes_;
    copy.table = table_at(mode, shared.in_array);
    if (kept_target_.splits) copy.row = along(shared, rows_axis);
    copy.phase.row = along(shared, rows_axis, behind, more);
    if (pass_.twiddle_axis) {
      Range const& range = pass_.box.ranges[*pass_.twiddle_axis];
      copy.phase.column = along(shared, *pass_.twiddle_axis, range.step, range.lo);
    }
    CopyMaker maker;
    for (int axis = 0; axis < extents_.size(); ++axis)
      maker.append({shared.extent[axis],
                    shared.step[axis] * (axis == rows_axis ? block.row : block.strides[axis]),
                    shared.strides[axis], axis, shared.strides[axis]});
    queue.run(maker.made(copy, CopyMaker::Order::of_target));
  });
}

}  // namespace sixstep::device
