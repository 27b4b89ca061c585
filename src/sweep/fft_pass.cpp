// SPDX-License-Identifier: BSD-3-Clause
// Passes with a transform: batches of columns, and columns that are gathered.
#include "sweep/fft_pass.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "runtime/memory.hpp"
#include "sweep/multiply.hpp"

namespace sixstep::plan {

namespace {

/// The least distance of rows on a side whose columns lie next to each other, else 0. The largest
/// cell decides: pieces that the edge of a tile or of a rank's share cuts off have short rows.
Index least_step(std::vector<Cell> const& cells, Cell::Side Cell::*which) {
  Index least = 0, most_columns = 0;
  for (Cell const& cell : cells) {
    Cell::Side const& side = cell.*which;
    if (cell.lanes.empty() || side.rows[0].strides[cell.lanes.back()] != 1) return 0;
    Index const columns = sixstep::volume(cell.extent);
    if (columns <= most_columns) continue;
    most_columns = columns;
    least = 0;
    for (Cell::Rows const& rows : side.rows)
      if (rows.count > 1) least = least == 0 ? rows.stride : std::min(least, rows.stride);
  }
  return least;
}

local::Staging staging(Pass const& pass, std::vector<Cell> const& cells, Index element_bytes,
                       Tuning const& tuning) {
  // Where modes are dropped, or zeros put between them, the transform has a block of its own.
  Index const rows = pass.box.ranges[*pass.axis].count();
  Index const made = pass.target_box.ranges[*pass.axis].count();
  auto const step = [&](bool is_far, Cell::Side Cell::*side) {
    return is_far ? least_step(cells, side) * element_bytes : 0;
  };
  return local::staging(step(!pass.from_scratch && rows >= made, &Cell::source),
                        step(!pass.to_scratch && made >= rows, &Cell::target),
                        pass.box.volume() * element_bytes, tuning);
}

/// What a pass does along its axis; as little as any kind can do with if this rank has nothing.
Along along(Pass const& pass) {
  if (pass.box.empty()) return {pass.kind, 2, 2, 2};
  return {pass.kind, pass.points, pass.box.ranges[*pass.axis].count(),
          pass.target_box.ranges[*pass.axis].count()};
}

}  // namespace

template <class In, class Out>
FftPass<In, Out>::FftPass(Pass const& pass, Sweep const& sweep, Kernels& kernels)
    : pass_(pass),
      cells_(make_cells(pass, sweep)),
      transform_(kernels.transform<In, Out>(along(pass)),
                 staging(pass, cells_, sizeof(In), kernels.tuning()), kernels.tuning()),
      far_(!pass.from_scratch &&
           local::out_of_cache(pass.box.volume() * Index{sizeof(In)}, kernels.tuning())),
      stream_(
          !pass.to_scratch &&
          local::worth_streaming(pass.target_box.volume() * Index{sizeof(Out)}, kernels.tuning())) {
  if (pass.twiddle_axis) roots_ = &kernels.roots(pass.twiddle_period);
  if (std::none_of(cells_.begin(), cells_.end(), [](Cell const& c) { return c.bundle >= 0; }))
    return;
  auto const pad = static_cast<std::size_t>(kernels.tuning().strip_pad_bytes);
  auto const bytes = [](Box const& box, int axis, std::size_t element) {
    return static_cast<std::size_t>(box.ranges[axis].count()) * element;
  };
  pitch_bytes_ = pad + aligned(std::max(bytes(pass.box, *pass.axis, sizeof(In)),
                                        bytes(pass.target_box, *pass.axis, sizeof(Out))));
  Index const fits = kernels.tuning().resident_of_second.of(local::caches().second) /
                     static_cast<Index>(pitch_bytes_);
  bundle_ = std::clamp<Index>(fits, 1, kernels.tuning().most_bundled_columns);
}

template <class In, class Out>
std::size_t FftPass<In, Out>::table_bytes() const {
  Along const rows = along(pass_);
  return aligned(static_cast<std::size_t>(std::max(rows.source, rows.target)) * sizeof(Index));
}

template <class In, class Out>
std::size_t FftPass<In, Out>::scratch_bytes() const {
  std::size_t const block = static_cast<std::size_t>(bundle_) * pitch_bytes_;
  return std::max(2 * table_bytes(), block) + aligned(transform_.scratch_bytes());
}

template <class In, class Out>
void FftPass<In, Out>::run(void const* source, void* target, Region const& region, Mode const& mode,
                           std::byte* scratch) const {
  for (Cell const& cell : cells_) {
    auto const run = cell.bundle < 0 ? &FftPass::run_cell : &FftPass::run_bundles;
    (this->*run)(cell, static_cast<In const*>(source), static_cast<Out*>(target), region, mode,
                 scratch);
  }
}

template <class In, class Out>
local::Twist FftPass<In, Out>::twist(Cell const& cell, int lane, Shape const& counts) const {
  if (!roots_) return {};
  int const axis = *pass_.twiddle_axis;
  Range const& range = pass_.box.ranges[axis];
  return {roots_, range.lo + (cell.start[axis] + counts[axis]) * range.step,
          axis == lane ? range.step : 0};
}

namespace {

template <class Element>
void copy_stretch(Element const* from, Index from_step, Element* to, Index to_step, Index count) {
  if (from_step == 1 && to_step == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (Index i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
}

/// Multiplies a rectangle at an offset of the target by the same of the table, if there is one.
/// Only complex numbers have a table.
template <class Out>
void multiply_by(void const* table, Out* target, Index at, Grating const& steps, Index rows,
                 Index columns) {
  if constexpr (local::is_complex<Out>)
    if (table != nullptr)
      multiply(target + at, static_cast<Out const*>(table) + at, steps, rows, columns);
}

/// The same of a batch of columns, row by row or column by column, as they lie in memory.
template <class Out>
void multiply_rows(void const* table, local::Columns<Out> const& made, Out* target, Index rows,
                   Index columns) {
  if (table == nullptr) return;
  Index const begin = made.data - target, step = made.row.step(rows);
  if (step == 1) return multiply_by(table, target, begin, {made.lane, 1}, columns, rows);
  for (Index k = 0; k < rows; ++k)
    multiply_by(table, target, begin + made.row[k], {0, made.lane}, 1, columns);
}

}  // namespace

template <class In, class Out>
void FftPass<In, Out>::run_bundles(Cell const& cell, In const* source, Out* target,
                                   Region const& region, Mode const& mode,
                                   std::byte* scratch) const {
  Shape lo, hi;
  region.clip(cell.start, cell.extent, lo, hi);
  int const axis = cell.bundle;
  std::byte* const kernel_scratch =
      scratch + std::max(2 * table_bytes(), static_cast<std::size_t>(bundle_) * pitch_bytes_);
  auto* const from = reinterpret_cast<In*>(scratch);
  auto* const to = reinterpret_cast<Out*>(scratch);
  Index const from_pitch = static_cast<Index>(pitch_bytes_ / sizeof(In));
  Index const to_pitch = static_cast<Index>(pitch_bytes_ / sizeof(Out));

  // Calls move(column, where its stretch of rows begins, rows) for all stretches on one side.
  auto const for_each_stretch = [&](Cell::Side const& side, bool in_scratch, Shape counts,
                                    Index columns, auto const& move) {
    for (Index column = 0; column < columns; ++column, ++counts[axis])
      for (Cell::Rows const& rows : side.rows) {
        Index const shift = in_scratch ? region.offset(rows.strides) : 0;
        move(column, rows.offset + dot(cell.outer, counts, rows.strides) - shift, rows);
      }
  };

  PerAxis<int> loops;
  for (int other : cell.outer)
    if (other != axis) loops.push_back(other);
  for_each(loops, lo, hi, [&](Shape counts) {
    for (counts[axis] = lo[axis]; counts[axis] < hi[axis]; counts[axis] += bundle_) {
      Index const columns = std::min(bundle_, hi[axis] - counts[axis]);
      for_each_stretch(cell.source, pass_.from_scratch, counts, columns,
                       [&](Index column, Index at, Cell::Rows const& rows) {
                         copy_stretch(source + at, rows.stride,
                                      from + column * from_pitch + rows.first, rows.step,
                                      rows.count);
                       });
      transform_.run({.in = {from, local::RowMap::every(1), from_pitch},
                      .out = {to, local::RowMap::every(1), to_pitch},
                      .columns = columns,
                      .backward = is_complex && mode.backward,
                      .scale = static_cast<Real>(mode.scale),
                      .twist = twist(cell, axis, counts)},
                     kernel_scratch);
      for_each_stretch(cell.target, pass_.to_scratch, counts, columns,
                       [&](Index column, Index at, Cell::Rows const& rows) {
                         copy_stretch(to + column * to_pitch + rows.first, rows.step, target + at,
                                      rows.stride, rows.count);
                         multiply_by(mode.table, target, at, {rows.stride, 0}, rows.count, 1);
                       });
    }
  });
}

template <class In, class Out>
void FftPass<In, Out>::run_cell(Cell const& cell, In const* source, Out* target,
                                Region const& region, Mode const& mode, std::byte* scratch) const {
  Shape lo, hi;
  region.clip(cell.start, cell.extent, lo, hi);
  int const window_axis = region.window.axis;
  if (window_axis >= 0 && lo[window_axis] >= hi[window_axis]) return;
  Index columns = 1;
  for (int axis : cell.lanes) columns *= hi[axis] - lo[axis];
  int const lane = cell.lanes.empty() ? -1 : cell.lanes.back();

  auto* const source_rows = reinterpret_cast<Index*>(scratch);
  auto* const target_rows = reinterpret_cast<Index*>(scratch + table_bytes());
  std::byte* const kernel_scratch = scratch + 2 * table_bytes();

  local::Batch<In, Out> batch{};
  batch.columns = columns;
  batch.backward = is_complex && mode.backward;
  batch.scale = static_cast<Real>(mode.scale);
  batch.far = far_;
  batch.stream = stream_ && mode.table == nullptr && static_cast<void const*>(source) != target;

  // Where column 0 of a batch lies: a shift of all rows alike, or a table filled anew.
  auto const place = [&](Cell::Side const& side, bool in_scratch, Shape const& counts,
                         Index* rows) -> std::pair<Index, local::RowMap> {
    auto const shift_of = [&](Shape const& strides) {
      Index shift = dot(cell.outer, counts, strides);
      for (int axis : cell.lanes) shift += lo[axis] * strides[axis];
      if (in_scratch) shift -= region.offset(strides);
      return shift;
    };
    Cell::Rows const& first = side.rows[0];
    if (side.rows.size() == 1)
      return {first.offset + shift_of(first.strides), local::RowMap::every(first.stride)};
    if (side.alike) return {shift_of(first.strides), side.table.data()};
    for (Cell::Rows const& some : side.rows) {
      Index const begin = some.offset + shift_of(some.strides);
      for (Index i = 0; i < some.count; ++i)
        rows[some.first + i * some.step] = begin + i * some.stride;
    }
    return {0, rows};
  };

  for_each(cell.outer, lo, hi, [&](Shape const& counts) {
    auto const [source_shift, from] = place(cell.source, pass_.from_scratch, counts, source_rows);
    auto const [target_shift, to] = place(cell.target, pass_.to_scratch, counts, target_rows);
    batch.in = {source + source_shift, from, lane < 0 ? 1 : cell.source.rows[0].strides[lane]};
    batch.out = {target + target_shift, to, lane < 0 ? 1 : cell.target.rows[0].strides[lane]};
    Shape first = counts;
    if (lane >= 0) first[lane] = lo[lane];
    batch.twist = twist(cell, lane, first);
    transform_.run(batch, kernel_scratch);
    multiply_rows(mode.table, batch.out, target, pass_.target_box.ranges[*pass_.axis].count(),
                  columns);
  });
}

#define SIXSTEP_FFT_PASSES(Real)                                  \
  template class FftPass<std::complex<Real>, std::complex<Real>>; \
  template class FftPass<Real, std::complex<Real>>;               \
  template class FftPass<std::complex<Real>, Real>;               \
  template class FftPass<Real, Real>

SIXSTEP_FFT_PASSES(float);
SIXSTEP_FFT_PASSES(double);

}  // namespace sixstep::plan
