// SPDX-License-Identifier: BSD-3-Clause
// Passes with a transform: run batches of columns, and columns that are gathered.
#include "sweep/fft_pass.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>

#include "base/memory.hpp"
#include "sweep/multiply.hpp"
#include "sweep/watch.hpp"

namespace sixstep::sweep {

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

local::Staging staging(program::Pass const& pass, std::vector<Cell> const& cells,
                       Index element_bytes, Tuning const& tuning) {
  // A side that has only a part of the rows has a block of its own. Only complex transforms are
  // staged, so all rows are as many as points.
  Index const rows = pass.box.ranges[*pass.axis].count();
  Index const made = pass.target_box.ranges[*pass.axis].count();
  auto const step = [&](bool is_far, Cell::Side Cell::*side) {
    return is_far ? least_step(cells, side) * element_bytes : 0;
  };
  return local::staging(step(!pass.from_scratch && rows == pass.points, &Cell::source),
                        step(!pass.to_scratch && made == pass.points, &Cell::target),
                        pass.box.volume() * element_bytes, tuning);
}

/// The transform of a pass along its axis; the smallest one that every kind allows if this rank has
/// nothing.
Along along(program::Pass const& pass) {
  if (pass.box.empty()) return {pass.kind, 2, 2, 2};
  Along found{.kind = pass.kind,
              .points = pass.points,
              .source = pass.box.ranges[*pass.axis].count(),
              .target = pass.target_box.ranges[*pass.axis].count(),
              .first = pass.first,
              .to_points = pass.to_points,
              .splits = pass.splits};
  if (!pass.twiddle_axis) found.columns = pass.box.volume() / found.source;
  if (pass.has_room) {  // all rows of the target, in the order of the transform
    found.target = pass.all_rows(pass.target_number);
    if (pass.to_points) found.first = 0;
    found.splits = pass.to_points && pass.splits;  // else of the target: see add_dropped()
  }
  return found;
}

}  // namespace

template <class In, class Out>
FftPass<In, Out>::FftPass(program::Pass const& pass, program::Sweep const& sweep, Kernels& kernels)
    : pass_(pass),
      cells_(make_cells(pass, sweep)),
      tuning_(kernels.tuning()),
      kernel_(kernels.transform<In, Out>(along(pass))),
      staging_(staging(pass, cells_, sizeof(In), tuning_)),
      far_(!pass.from_scratch &&
           local::out_of_cache(pass.box.volume() * Index{sizeof(In)}, tuning_)),
      far_target_(!pass.to_scratch &&
                  local::out_of_cache(pass.target_box.volume() * Index{sizeof(Out)}, tuning_)),
      stream_(!pass.to_scratch &&
              local::worth_streaming(pass.target_box.volume() * Index{sizeof(Out)}, tuning_)) {
  if constexpr (is_complex)
    if (staging_.source || staging_.target) staged_.emplace(kernel_, staging_, tuning_);
  if (pass.twiddle_axis) roots_ = &kernels.roots(pass.twiddle_period);
  for (Cell const& cell : cells_)
    gathered_bytes_ = std::max(gathered_bytes_, gathering(cell).bytes);
}

template <class In, class Out>
std::size_t FftPass<In, Out>::bytes() const {
  std::size_t all = cells_.capacity() * sizeof(Cell);
  for (Cell const& cell : cells_)
    for (Cell::Side const* side : {&cell.source, &cell.target})
      all += side->rows.capacity() * sizeof(Cell::Rows) + side->table.capacity() * sizeof(Index);
  return all;
}

template <class In, class Out>
std::size_t FftPass<In, Out>::table_bytes() const {
  Along const rows = along(pass_);
  return aligned(static_cast<std::size_t>(std::max(rows.source, rows.target)) * sizeof(Index));
}

template <class In, class Out>
std::size_t FftPass<In, Out>::scratch_bytes() const {
  return std::max(2 * table_bytes(), gathered_bytes_) +
         aligned(staged_ ? staged_->scratch_bytes() : kernel_.scratch_bytes());
}

namespace {

/// The columns of a batch where no window cuts it.
Index columns_of(Cell const& cell) {
  Index columns = 1;
  for (int axis : cell.lanes) columns *= cell.extent[axis];
  return columns;
}

/// The distance of rows of `elements` in a block, padded like those of a strip.
Index padded(Index elements, Index element_bytes, Tuning const& tuning) {
  auto const row = static_cast<Index>(aligned(static_cast<std::size_t>(elements * element_bytes)));
  return (row + tuning.strip_pad_bytes) / element_bytes;
}

Index rows_of(Box const& box, program::Pass const& pass) { return box.ranges[*pass.axis].count(); }

}  // namespace

/// Gathers columns without lanes as contiguous ones.
template <class In, class Out>
Gathering FftPass<In, Out>::gathered_rows() const {
  Index const source = padded(rows_of(pass_.box, pass_), sizeof(In), tuning_);
  Index const target = padded(rows_of(pass_.target_box, pass_), sizeof(Out), tuning_);
  Index const pitch_bytes = std::max(source * Index{sizeof(In)}, target * Index{sizeof(Out)});
  Index const fits = tuning_.resident_of_second.of(local::caches().second) / pitch_bytes;
  Index const batches = std::clamp<Index>(fits, 1, tuning_.most_bundled_columns);
  return {.batches = batches,
          .source = {1, pitch_bytes / Index{sizeof(In)}},
          .target = {1, pitch_bytes / Index{sizeof(Out)}},
          .bytes = static_cast<std::size_t>(batches * pitch_bytes)};
}

/// Gathers columns that lie side by side; they do so in the block too.
template <class In, class Out>
Gathering FftPass<In, Out>::gathered_columns(Index batches, Index columns) const {
  Index const source = padded(batches * columns, sizeof(In), tuning_);
  Index const target = padded(batches * columns, sizeof(Out), tuning_);
  auto const source_bytes =
      static_cast<std::size_t>(rows_of(pass_.box, pass_) * source) * sizeof(In);
  auto const target_bytes =
      static_cast<std::size_t>(rows_of(pass_.target_box, pass_) * target) * sizeof(Out);
  bool const same = std::is_same_v<In, Out> && source_bytes == target_bytes;
  std::size_t const behind = same ? 0 : source_bytes;
  return {.batches = batches,
          .columns = columns,
          .source = {source, 1},
          .target = {target, 1},
          .source_bytes = behind,
          .bytes = behind + target_bytes};
}

/// Columns side by side that are too few to fill the lanes are gathered, if enough to fill them fit
/// the cache, up to a row as wide as a strip's. Columns that fill a vector and go through strips
/// are not gathered.
template <class In, class Out>
Gathering FftPass<In, Out>::gathering(Cell const& cell) const {
  if (cell.bundle < 0 || pass_.has_room) return {};
  if (cell.lanes.empty()) return gathered_rows();
  constexpr Index widest = std::max(sizeof(In), sizeof(Out));
  Index const columns = columns_of(cell), lanes = kernel_.lanes();
  bool const goes_in_strips = is_complex && (staging_.source || staging_.target);
  bool const few_idle = columns % lanes * lanes <= columns || (columns > lanes && goes_in_strips);
  if (few_idle || columns * widest >= tuning_.strip_row_bytes) return {};
  Index const whole = lanes / std::gcd(columns, lanes);
  Index const wanted =
      std::max(whole, tuning_.strip_row_bytes / (columns * widest) / whole * whole);
  Index const fits = tuning_.strip_of_second.of(local::caches().second) /
                     static_cast<Index>(gathered_columns(1, columns).bytes);
  Index const batches = std::min({wanted, fits, cell.extent[cell.bundle]});
  if (batches * columns < lanes) return {};
  return gathered_columns(batches, columns);
}

template <class In, class Out>
void FftPass<In, Out>::run(void const* source, void* target, Region const& region, Mode const& mode,
                           std::byte* scratch) const {
  for (Cell const& cell : cells_) {
    bool const is_gathered = gathering(cell).bytes > 0;
    bool const in_place = source == target;
    auto const run = is_gathered ? &FftPass::run_gathered : &FftPass::run_cell;
    if (read_ && is_gathered && in_place) read_(block(cell, region, false, source));
    (this->*run)(cell, static_cast<In const*>(source), static_cast<Out*>(target), region, mode,
                 scratch);
    if (read_ && is_gathered && !in_place) read_(block(cell, region, false, source));
    if (written_ && (is_gathered || !written_in_parts(mode)))
      written_(block(cell, region, true, target));
  }
}

/// Who takes results when a transform has made them: nobody if they are changed then.
template <class In, class Out>
BlockTaker FftPass<In, Out>::written_in_parts(Mode const& mode) const {
  return mode.table == nullptr && !pass_.has_room ? written_ : BlockTaker();
}

/// The elements of a cell in a part of the sweep.
template <class In, class Out>
Block FftPass<In, Out>::block(Cell const& cell, Region const& region, bool of_target,
                              void const* array) const {
  Block made{{}, {}, array};
  region.clip(cell.start, cell.extent, made.lo, made.hi);
  for (int axis = 0; axis < made.lo.size(); ++axis) {
    made.lo[axis] += cell.start[axis];
    made.hi[axis] += cell.start[axis];
  }
  made.lo[*pass_.axis] = 0;
  made.hi[*pass_.axis] = rows_of(of_target ? pass_.target_box : pass_.box, pass_);
  return made;
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

/// Multiplies a batch of columns by the table, row by row or column by column, as they lie in
/// memory.
template <class Out>
void multiply_rows(void const* table, local::Columns<Out> const& made, Out* target, Index rows,
                   Index columns) {
  if (table == nullptr) return;
  Index const begin = made.data - target, step = made.row.step(rows);
  if (step == 1) return multiply_by_table(table, target, begin, {made.lane, 1}, columns, rows);
  for (Index k = 0; k < rows; ++k)
    multiply_by_table(table, target, begin + made.row[k], {0, made.lane}, 1, columns);
}

/// Adds what is to be added of rows that are dropped, where all rows are there.
template <class Out>
void add_dropped(program::Pass const& pass, local::Columns<Out> const& made, Index columns) {
  if (!pass.splits || pass.to_points) return;
  Index const all = pass.all_rows(pass.target_number);
  if constexpr (local::is_complex<Out>)
    local::add_highest(made, kept_waves(pass.kind, rows_of(pass.target_box, pass), all, true),
                       columns);
}

/// The place of column 0 of results that have room for rows which are dropped. Row 0 may be one of
/// these.
std::pair<Index, local::RowMap> place_with_room(program::Pass const& pass, BatchStart const& start,
                                                Cell::Side const& side) {
  Cell::Rows const& first = side.rows[0];
  return {first.offset + start.shift(first.strides, pass.to_scratch) -
              pass.target_rows()[0].row * first.stride,
          local::RowMap::every(first.stride)};
}

}  // namespace

template <class In, class Out>
void FftPass<In, Out>::run_gathered(Cell const& cell, In const* source, Out* target,
                                    Region const& region, Mode const& mode,
                                    std::byte* scratch) const {
  Gathering const gathered = gathering(cell);
  Shape lo, hi;
  region.clip(cell.start, cell.extent, lo, hi);
  int const axis = cell.bundle;
  Index columns = 1;
  for (int lane : cell.lanes) columns *= std::max<Index>(hi[lane] - lo[lane], 0);
  if (columns == 0) return;
  auto* const from = reinterpret_cast<In*>(scratch);
  auto* const to = reinterpret_cast<Out*>(scratch + gathered.source_bytes);
  std::byte* const kernel_scratch = scratch + std::max(2 * table_bytes(), gathered_bytes_);
  GatheredSide<In> const in{cell.source, pass_.from_scratch, axis, columns, gathered.source};
  GatheredSide<Out> const out{cell.target, pass_.to_scratch, axis, columns, gathered.target};
  PerAxis<int> loops;
  for (int other : cell.outer)
    if (other != axis) loops.push_back(other);
  for_each(loops, lo, hi, [&](Shape counts) {
    BatchStart const start{cell, region, lo, counts};
    for (counts[axis] = lo[axis]; counts[axis] < hi[axis]; counts[axis] += gathered.batches) {
      Index const batches = std::min(gathered.batches, hi[axis] - counts[axis]);
      in.fetch(start, source, from, batches);
      kernel_.run({.in = {from, local::RowMap::every(gathered.source.row), gathered.source.column},
                   .out = {to, local::RowMap::every(gathered.target.row), gathered.target.column},
                   .columns = batches * columns,
                   .backward = is_complex && mode.backward,
                   .scale = static_cast<Real>(mode.scale),
                   .twist = twist(cell, cell.lanes.empty() ? axis : -1, counts)},
                  kernel_scratch);
      out.put(start, to, target, batches, mode.table);
    }
  });
}

template <class In, class Out>
template <class Watch>
void FftPass<In, Out>::run_batch(local::Batch<In, Out> const& batch, Watch const& watch,
                                 std::byte* scratch) const {
  if constexpr (is_complex)
    if (staged_) return staged_->run(batch, scratch, watch);
  if constexpr (Watch::watches)
    local::run_in_parts(kernel_, batch, local::watched_bytes(tuning_), watch, scratch);
  else
    kernel_.run(batch, scratch);
}

template <class In, class Out>
void FftPass<In, Out>::run_watched(local::Batch<In, Out> const& batch, Watched const& watched,
                                   std::byte* scratch) const {
  Cell const& cell = watched.cell;
  Shape begin = watched.counts;
  for (int axis : cell.lanes) begin[axis] = watched.lo[axis];
  int const axis = *pass_.axis;
  ColumnsOfSide const source{cell,           begin,     watched.hi, axis, rows_of(pass_.box, pass_),
                             watched.source, sizeof(In)};
  ColumnsOfSide const target{
      cell, begin, watched.hi, axis, rows_of(pass_.target_box, pass_), watched.target, sizeof(Out)};
  run_batch(batch, GivingWatch{source, target, read_, watched.written}, scratch);
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
  batch.far_target = far_target_;
  batch.stream = stream_ && mode.table == nullptr && static_cast<void const*>(source) != target;

  // The source or, from cache, the target of the next batch may be fetched while this one is
  // worked on.
  Cell::Side const& fetched = staging_.source ? cell.source : cell.target;
  Cell::Rows const& rows = fetched.rows[0];
  bool const fetches = (staging_.source || staging_.target) && fetched.rows.size() == 1 &&
                       lane >= 0 && rows.strides[lane] == 1;

  for_each(cell.outer, lo, hi, [&](Shape const& counts) {
    BatchStart const start{cell, region, lo, counts};
    auto const [source_shift, from] = place(start, cell.source, pass_.from_scratch, source_rows);
    auto const [target_shift, to] = pass_.has_room
                                        ? place_with_room(pass_, start, cell.target)
                                        : place(start, cell.target, pass_.to_scratch, target_rows);
    batch.in = {source + source_shift, from, lane < 0 ? 1 : cell.source.rows[0].strides[lane]};
    batch.out = {target + target_shift, to, lane < 0 ? 1 : cell.target.rows[0].strides[lane]};
    if constexpr (std::is_same_v<In, Out>) {
      In const* const here = staging_.source ? batch.in.data : batch.out.data;
      auto const ahead = fetches ? start.to_next(hi, rows.strides) : std::nullopt;
      batch.next = ahead ? here + *ahead : nullptr;
      batch.next_step = rows.stride;
    }
    Shape first = counts;
    if (lane >= 0) first[lane] = lo[lane];
    batch.twist = twist(cell, lane, first);
    if (read_ || written_)
      run_watched(batch, {cell, lo, hi, counts, source, target, written_in_parts(mode)},
                  kernel_scratch);
    else
      run_batch(batch, local::Unwatched(), kernel_scratch);
    if (pass_.has_room) add_dropped(pass_, batch.out, columns);
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

}  // namespace sixstep::sweep
