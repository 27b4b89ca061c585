// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a device: which columns go together, and which way they take.
#include "device/sweep.hpp"

#include <algorithm>
#include <utility>

#include "device/as_complex.hpp"
#include "device/copy_maker.hpp"
#include "sixstep/error.hpp"
#include "sweep/kernels.hpp"
#include "sweep/parts.hpp"

namespace sixstep::device {

using device::Columns;
using device::Copy;

namespace {

/// Whether these are a transform, a product at points, and the inverse of the transform.
bool go_there_and_back(std::vector<program::Sweep const*> const& sweeps) {
  if (sweeps.size() != 3) return false;
  program::Pass const &there = sweeps[0]->passes.front(), &product = sweeps[1]->passes.front(),
                      &back = sweeps[2]->passes.front();
  return there.axis && there.axis == back.axis && there.kind == Kind::c2c &&
         back.kind == Kind::c2c && there.points == back.points && !there.twiddle_axis &&
         there.undoes != back.undoes && product.at_points && product.numbering.block == 0;
}

}  // namespace

std::optional<DeviceSweep> DeviceSweep::make(std::vector<program::Sweep const*> const& sweeps,
                                             DeviceKernels& kernels, int real_bytes,
                                             Bounds const& bounds, Source source) {
  if (go_there_and_back(sweeps)) {
    DeviceSweep made(sweeps, kernels, real_bytes, bounds, source);
    if (made.can_scatter()) return made;
    return std::nullopt;
  }
  bool const undoes = sweeps.front()->passes.front().undoes;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    require_internal(sweeps[i]->passes.size() == 1, "a sweep of several passes on a device");
    program::Pass const& pass = sweeps[i]->passes.front();
    auto const begins_at = [&](layout::Number number) { return pass.source_number == number; };
    bool const may_join = pass.axis && !pass.twiddle_axis && keeps_all(pass) &&
                          pass.undoes == undoes &&
                          (pass.kind == Kind::c2c ||
                           (pass.kind == Kind::r2c &&
                            ((i == 0 && begins_at(layout::Number::real)) ||
                             (i + 1 == sweeps.size() && begins_at(layout::Number::complex)))));
    if (sweeps.size() > 1 && !may_join) return std::nullopt;
  }
  DeviceSweep made(sweeps, kernels, real_bytes, bounds, source);
  if (sweeps.size() > 1 && !made.is_direct_) return std::nullopt;
  return made;
}

DeviceSweep::DeviceSweep(std::vector<program::Sweep const*> const& sweeps, DeviceKernels& kernels,
                         int real_bytes, Bounds const& bounds, Source fate)
    : kernels_(&kernels),
      real_bytes_(real_bytes),
      pass_(sweeps.front()->passes.front()),
      fate_(fate) {
  join_passes(sweeps);
  extents_ = pass_.box.shape();
  reals_from_ = static_cast<int>(layout::reals_of(pass_.source_number));
  reals_to_ = static_cast<int>(layout::reals_of(pass_.target_number));
  bool const is_alone = sweeps.size() == 1;
  window_axis_ = is_alone ? sweeps.front()->window_axis : -1;
  if (pass_.box.empty()) return;
  extent_ = window_axis_ < 0 ? 1 : extents_[window_axis_];
  place_pieces();
  most_block_bytes_ = bounds.block_bytes;
  if (!pass_.axis) return;
  count_rows(sweeps);
  std::vector<Region> regions{whole()};
  int const windows = is_alone ? sweeps.front()->cut_windows() : 1;
  for (int i = 0; i < windows && windows > 1; ++i)
    regions.push_back(window(extent_ * i / windows, extent_ * (i + 1) / windows));
  if (go_there_and_back(sweeps)) {
    prepare_scattered(regions);
    return;
  }
  is_direct_ = prepare(bounds, regions);
  if (!is_alone) return;
  // A transform without a block is the faster one where nothing is to be multiplied.
  if (!is_direct_ || scales_ || scales_back_ || pass_.ends) prepare_scattered(regions);
  if (!is_direct_ && !can_scatter()) prepare_blocks(regions);
}

/// Makes one pass of all: from the source of the first to the target of the last.
void DeviceSweep::join_passes(std::vector<program::Sweep const*> const& sweeps) {
  program::Pass const& first = sweeps.front()->passes.front();
  program::Pass const& last = sweeps.back()->passes.back();
  if (last.kind == Kind::r2c && last.source_number == layout::Number::complex) {
    pass_ = last;
    pass_.source = first.source;
    pass_.box = first.box;
  }
  pass_.target = last.target;
  pass_.target_box = last.target_box;
  pass_.target_number = last.target_number;
  pass_.ends = last.ends;
  if (go_there_and_back(sweeps)) {
    pass_.twiddle_axis = last.twiddle_axis;
    pass_.twiddle_period = last.twiddle_period;
  }
  for (program::Sweep const* sweep : sweeps) {
    program::Pass const& pass = sweep->passes.front();
    if (pass.at_points) points_ = pass;
    if (pass.scales) (pass.undoes ? scales_back_ : scales_) = true;
  }
  if (pass_.axis && is_r2r(pass_.kind) && pass_.source_number == layout::Number::complex)
    pass_ = sweep::of_parts(pass_);
  for (program::Sweep const* sweep : sweeps) {
    std::optional<int> const axis = sweep->passes.front().axis;
    if (axis && !program::contains(axes_, *axis)) axes_.push_back(*axis);
  }
}

/// Finds the pieces of both sides, their segments, and the order of the axes, which is that of the
/// largest piece of the source.
void DeviceSweep::place_pieces() {
  for (layout::Piece const& piece : pass_.source)
    source_.push_back({sweep::localise(piece, pass_.box), piece.segment});
  for (layout::Piece const& piece : pass_.target)
    target_.push_back({sweep::localise(piece, pass_.target_box), piece.segment});
  for (std::vector<PlacedPiece> const* pieces : {&source_, &target_})
    for (PlacedPiece const& placed : *pieces) {
      first_segment_ = std::min(first_segment_, placed.segment);
      last_segment_ = std::max(last_segment_, placed.segment);
    }
  sweep::LocalPiece const& largest = largest_of_source();
  for (int axis = 0; axis < extents_.size(); ++axis)
    if (!program::contains(axes_, axis)) order_.push_back(axis);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return largest.strides[a] > largest.strides[b]; });
}

sweep::LocalPiece const& DeviceSweep::largest_of_source() const {
  auto const volume = [](PlacedPiece const& placed) {
    return sixstep::volume(placed.piece.extent);
  };
  return std::max_element(
             source_.begin(), source_.end(),
             [&](PlacedPiece const& a, PlacedPiece const& b) { return volume(a) < volume(b); })
      ->piece;
}

/// Counts the rows of a column that are kept on either side, and those of its transform. Makes the
/// roots that these need.
void DeviceSweep::count_rows(std::vector<program::Sweep const*> const& sweeps) {
  Index const n = pass_.points, half = n / 2 + 1;
  int const axis = *pass_.axis;
  Index const target_rows = pass_.target_box.ranges[axis].count();
  bool const halves = pass_.kind == Kind::r2c;
  auto const kept = [&](Index rows, Index all, bool are_points) {
    return are_points ? sweep::kept_points(rows, all, pass_.first)
                      : sweep::kept_waves(pass_.kind, rows, all, pass_.splits);
  };
  kept_source_ = kept(extents_[axis], halves && reals_from_ == 2 ? half : n, !pass_.to_points);
  kept_target_ = go_there_and_back(sweeps)
                     ? sweep::kept_points(target_rows, n, sweeps.back()->passes.back().first)
                     : kept(target_rows, halves && reals_to_ == 2 ? half : n, pass_.to_points);
  rows_ = is_r2r(pass_.kind) ? 2 * as_complex(pass_.kind, n).m : kept_source_.all;
  sweep::LocalPiece const& largest = largest_of_source();
  Index least_stride = 0;
  for (int each = 0; each < extents_.size(); ++each) {
    Index const stride = largest.strides[each];
    if (largest.extent[each] > 1 && (least_stride == 0 || stride < least_stride))
      least_stride = stride;
  }
  rows_first_ = largest.strides[axis] == least_stride || extents_[axis] == 1;
  if (pass_.twiddle_axis) kernels_->roots(pass_.twiddle_period);
  if (folds()) kernels_->roots(n);
  if (is_r2r(pass_.kind)) kernels_->roots(as_complex(pass_.kind, n).roots());
}

/// Plans the transforms of all blocks, and finds the bytes of the largest.
void DeviceSweep::prepare_blocks(std::vector<Region> const& regions) {
  for (Region const& region : regions)
    for_each_block(region, [&](Region const& part) {
      Block const from = block(part, to_complex() ? 1 : 2), to = block(part, goes_back() ? 1 : 2);
      Columns const columns = columns_in(from, to);
      require_internal(kernels_->plan(columns, ~std::size_t{0}) != nullptr,
                       "a device cannot transform ", columns.lengths[0], " points");
      auto const bytes =
          static_cast<std::size_t>(from.columns * column_reals() * Index{real_bytes_});
      block_bytes_ = std::max(block_bytes_, bytes);
    });
}

DeviceSweep::Region DeviceSweep::whole() const { return {Shape(extents_.size(), 0), extents_}; }

DeviceSweep::Region DeviceSweep::window(Index lo, Index hi) const {
  Region region = whole();
  if (window_axis_ >= 0) region.lo[window_axis_] = lo, region.hi[window_axis_] = hi;
  return region;
}

/// Reals that a column takes in a block.
Index DeviceSweep::column_reals() const {
  if (pass_.kind == Kind::r2c) return 2 * (pass_.points / 2 + 1);
  return 2 * rows_;
}

/// Calls use(part) for the parts of a region, such that the columns of a part fit a block.
template <class Use>
void DeviceSweep::for_each_block(Region const& region, Use const& use) const {
  Index const column_bytes = column_reals() * real_bytes_;
  Index const most = std::max<Index>(static_cast<Index>(most_block_bytes_) / column_bytes, 1);
  // A part has all counts of axes behind `cut`, some along it, and one of axes before it.
  int cut = order_.size();
  Index inner = 1;
  while (cut > 0 && inner * region.count(order_[cut - 1]) <= most)
    inner *= region.count(order_[--cut]);
  if (cut == 0) return use(region);
  int const cut_axis = order_[--cut];
  Index const counts = std::max<Index>(most / inner, 1);
  Region part = region;
  for (int i = 0; i < cut; ++i) part.hi[order_[i]] = part.lo[order_[i]] + 1;
  for (;;) {
    for (Index lo = region.lo[cut_axis]; lo < region.hi[cut_axis]; lo += counts) {
      part.lo[cut_axis] = lo;
      part.hi[cut_axis] = std::min(lo + counts, region.hi[cut_axis]);
      use(part);
    }
    int i = cut - 1;
    for (; i >= 0; --i) {
      int const axis = order_[i];
      if (part.hi[axis] < region.hi[axis]) {
        ++part.lo[axis], ++part.hi[axis];
        break;
      }
      part.lo[axis] = region.lo[axis];
      part.hi[axis] = region.lo[axis] + 1;
    }
    if (i < 0) return;
  }
}

void DeviceSweep::put(device::Queue& queue, Index lo, Index hi, DeviceSide const& source,
                      DeviceSide const& target, sweep::Mode const& of_all, std::byte* scratch,
                      std::size_t block_bytes) const {
  if (lo >= hi) return;
  sweep::Mode const mode = here(of_all);
  Region const region = window(lo, hi);
  if (!pass_.axis) return put_copies(queue, region, source, target, mode);
  if (can_scatter() && (!is_direct_ || end_of(mode).changes))
    return put_scattered(queue, lo, hi, source, target, mode);
  if (is_direct_) return put_direct(queue, region, source, target, mode, scratch + block_bytes);
  for_each_block(region, [&](Region const& part) {
    put_block(queue, part, source, target, mode, scratch, scratch + block_bytes);
  });
}

/// The direction of this sweep's first transform, and the scale of its results.
sweep::Mode DeviceSweep::here(sweep::Mode const& mode) const {
  sweep::Mode made = mode;
  made.backward = mode.backward != pass_.undoes;
  made.scale = (scales_ ? mode.scale : 1) * (scales_back_ ? mode.back : 1);
  return made;
}

/// A copy to the target that multiplies by the scale, and changes elements if there is a table.
Copy DeviceSweep::end_of(sweep::Mode const& mode) const {
  Copy copy;
  copy.real_bytes = real_bytes_;
  copy.to_reals = reals_to_;
  copy.scale = mode.scale;
  copy.changes = copy.scale != 1 || table_at(mode, 0).numbers != nullptr;
  return copy;
}

/// The table from the element at an offset of the target on; without numbers if there is none.
Factors DeviceSweep::table_at(sweep::Mode const& mode, Index offset) const {
  if (!pass_.ends || reals_to_ != 2 || mode.table == nullptr) return {};
  return {static_cast<std::byte const*>(mode.table) + offset * 2 * real_bytes_, 2};
}

/// The table of the pass at points from a point's number on.
Factors DeviceSweep::points_at(sweep::Mode const& mode, Index number) const {
  program::PointTables const& tables = mode.point_tables[points_->at_points->number];
  program::PointTable const& table = tables[static_cast<std::size_t>(points_->numbering.id)];
  return {static_cast<std::byte const*>(table.numbers) + number * table.reals * real_bytes_,
          table.reals};
}

/// Copies from piece to piece.
void DeviceSweep::put_copies(device::Queue& queue, Region const& region, DeviceSide const& source,
                             DeviceSide const& target, sweep::Mode const& mode) const {
  for (layout::Piece const& whole_from : pass_.source)
    for (layout::Piece const& whole_to : pass_.target) {
      layout::Piece const from = layout::restrict(whole_from, whole_to.box);
      if (from.box.empty()) continue;
      sweep::LocalPiece const here = sweep::localise(from, pass_.box);
      sweep::LocalPiece const there =
          sweep::localise(layout::restrict(whole_to, whole_from.box), pass_.box);
      Copy copy = end_of(mode);
      copy.from_reals = reals_from_;
      copy.changes = copy.changes || points_;
      Index from_offset = here.offset, to_offset = there.offset;
      Shape point(extents_.size(), 0);
      bool is_empty = false;
      CopyMaker maker;
      for (int axis = 0; axis < extents_.size(); ++axis) {
        CountRange const counts = counts_in(here, axis, region.lo[axis], region.hi[axis]);
        is_empty = is_empty || counts.first >= counts.end;
        from_offset += counts.first * here.strides[axis];
        to_offset += counts.first * there.strides[axis];
        point[axis] = here.start[axis] + counts.first * here.step[axis];
        Index const in_table =
            points_ ? here.step[axis] * points_->numbering.strides[axis] : there.strides[axis];
        maker.append(
            {counts.end - counts.first, here.strides[axis], there.strides[axis], axis, in_table});
      }
      if (is_empty) continue;
      copy.source = source.of(whole_from.segment) + from_offset * reals_from_ * real_bytes_;
      copy.target = target.of(whole_to.segment) + to_offset * reals_from_ * real_bytes_;
      copy.table =
          points_ ? points_at(mode, points_->numbering.number(point)) : table_at(mode, to_offset);
      queue.run(maker.made(copy, CopyMaker::Order::of_target));
    }
}

}  // namespace sixstep::device
