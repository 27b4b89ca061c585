// SPDX-License-Identifier: BSD-3-Clause
// Running sweeps: cells of columns, windows, threads.
#include "plan/sweep.hpp"
#include "runtime/memory.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <set>

namespace sixstep::plan {

namespace {

using exchange::Piece;

/// A piece in counts of a local box: start + i step, i < extent, along each axis.
struct LocalPiece {
  Shape start, step, extent, strides;
  Index offset;
};

LocalPiece localise(Piece const& piece, Box const& box) {
  LocalPiece local{{}, {}, {}, piece.strides, piece.offset};
  for (int axis = 0; axis < box.axes(); ++axis) {
    Range const& inner = piece.box.ranges[axis];
    Range const& outer = box.ranges[axis];
    local.start.push_back((inner.lo - outer.lo) / outer.step);
    local.step.push_back(inner.count() > 1 ? inner.step / outer.step : 1);
    local.extent.push_back(inner.count());
  }
  return local;
}

/// The counts at which some piece begins or ends along `axis`; every count if a piece has gaps
/// there.
std::vector<Index> cuts(std::vector<LocalPiece> const& pieces, int axis, Index extent) {
  std::set<Index> at{0, extent};
  for (LocalPiece const& piece : pieces) {
    if (piece.step[axis] != 1) {
      for (Index i = 0; i < extent; ++i) at.insert(i);
      break;
    }
    at.insert(piece.start[axis]);
    at.insert(piece.start[axis] + piece.extent[axis]);
  }
  return {at.begin(), at.end()};
}

/// Whether the piece holds the cell's columns.
bool covers(LocalPiece const& piece, Cell const& cell, int transformed) {
  for (int axis = 0; axis < cell.start.size(); ++axis) {
    if (axis == transformed) continue;
    Index const from_start = cell.start[axis] - piece.start[axis];
    if (from_start < 0 || from_start % piece.step[axis] != 0) return false;
    if (from_start / piece.step[axis] + cell.extent[axis] > piece.extent[axis]) return false;
  }
  return true;
}

Cell::Side side_of(Cell const& cell, std::vector<LocalPiece> const& pieces, int transformed,
                   Index n) {
  Cell::Side side;
  for (LocalPiece const& piece : pieces) {
    if (!covers(piece, cell, transformed)) continue;
    Index offset = piece.offset;
    for (int axis = 0; axis < cell.start.size(); ++axis)
      if (axis != transformed)
        offset += (cell.start[axis] - piece.start[axis]) / piece.step[axis] * piece.strides[axis];
    side.rows.push_back({piece.start[transformed], piece.step[transformed],
                         piece.extent[transformed], offset, piece.strides[transformed],
                         piece.strides});
  }
  if (side.rows.size() == 1) return side;
  side.table.assign(static_cast<std::size_t>(n), 0);
  for (Cell::Rows const& rows : side.rows)
    for (Index i = 0; i < rows.count; ++i)
      side.table[static_cast<std::size_t>(rows.first + i * rows.step)] =
          rows.offset + i * rows.stride;
  side.alike = std::all_of(side.rows.begin(), side.rows.end(), [&](Cell::Rows const& rows) {
    for (int axis = 0; axis < cell.start.size(); ++axis)
      if (axis != transformed && cell.extent[axis] > 1 &&
          rows.strides[axis] != side.rows[0].strides[axis])
        return false;
    return true;
  });
  return side;
}

/// Whether all rows of a side are as far apart along `axis` (then it can number columns).
bool even_along(Cell::Side const& side, int axis) {
  return std::all_of(side.rows.begin(), side.rows.end(), [&](Cell::Rows const& rows) {
    return rows.strides[axis] == side.rows[0].strides[axis];
  });
}

/// How badly `axis` serves as the axis of columns: the local transforms are fast where columns lie
/// side by side or rows follow each other, and want at least a vector of columns.
int lane_penalty(Cell const& cell, int axis, int window_axis) {
  constexpr Index vector = 8;
  int penalty = 0;
  for (Cell::Side const* side : {&cell.source, &cell.target}) {
    bool const columns_adjoin = side->rows[0].strides[axis] == 1;
    bool const rows_adjoin = side->rows[0].stride == 1;
    penalty += columns_adjoin ? 0 : rows_adjoin ? 1 : 20;
  }
  if (cell.extent[axis] < vector) penalty += 10;
  if (axis == window_axis) penalty += 3;
  return penalty;
}

/// Whether axis `outer` continues the columns of `inner`, which has `count` of them.
bool continues(Cell const& cell, int outer, int inner, Index count) {
  for (Cell::Side const* side : {&cell.source, &cell.target}) {
    if (!even_along(*side, outer)) return false;
    if (side->rows[0].strides[outer] != count * side->rows[0].strides[inner]) return false;
  }
  return true;
}

/// Chooses the axes that number the columns of a batch; the others become loops.
void choose_lanes(Cell& cell, int transformed, int window_axis, int twiddle_axis) {
  int best = -1;
  for (int axis = 0; axis < cell.start.size(); ++axis) {
    if (axis == transformed || cell.extent[axis] <= 1) continue;
    if (!even_along(cell.source, axis) || !even_along(cell.target, axis)) continue;
    if (best < 0 || lane_penalty(cell, axis, window_axis) <= lane_penalty(cell, best, window_axis))
      best = axis;
  }
  PerAxis<int> inside_out;
  if (best >= 0) inside_out.push_back(best);
  Index count = best >= 0 ? cell.extent[best] : 1;
  // The window axis may only be the slowest of the lanes: a window then still is a run of columns.
  for (bool more = best >= 0 && best != window_axis && best != twiddle_axis; more;) {
    more = false;
    for (int axis = 0; axis < cell.start.size(); ++axis) {
      bool const taken = std::find(inside_out.begin(), inside_out.end(), axis) != inside_out.end();
      if (taken || axis == transformed || axis == twiddle_axis || cell.extent[axis] <= 1) continue;
      if (!continues(cell, axis, best, count)) continue;
      inside_out.push_back(axis);
      count *= cell.extent[axis];
      more = axis != window_axis;
      break;
    }
  }
  cell.lanes = PerAxis<int>(inside_out);
  std::reverse(cell.lanes.begin(), cell.lanes.end());
  for (int axis = 0; axis < cell.start.size(); ++axis)
    if (axis != transformed &&
        std::find(cell.lanes.begin(), cell.lanes.end(), axis) == cell.lanes.end())
      cell.outer.push_back(axis);
  if (!cell.lanes.empty()) return;
  for (int axis : cell.outer)
    if (cell.extent[axis] > 1 && (cell.bundle < 0 || cell.extent[axis] > cell.extent[cell.bundle]))
      cell.bundle = axis;
}

std::vector<LocalPiece> localise(Pieces const& pieces, Box const& box) {
  std::vector<LocalPiece> local;
  for (Piece const& piece : pieces) local.push_back(localise(piece, box));
  return local;
}

std::vector<Cell> make_cells(Pass const& pass, int window_axis) {
  std::vector<Cell> cells;
  if (pass.box.empty()) return cells;
  Shape const extents = pass.box.shape();
  int const transformed = *pass.axis;
  std::vector<LocalPiece> const source = localise(pass.source, pass.box);
  std::vector<LocalPiece> const target = localise(pass.target, pass.target_box);
  std::vector<LocalPiece> both = source;
  both.insert(both.end(), target.begin(), target.end());
  cells.push_back({Shape(extents.size(), 0), extents, {}, {}, {}, {}});
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (axis == transformed) continue;
    std::vector<Index> const at = cuts(both, axis, extents[axis]);
    std::vector<Cell> finer;
    for (Cell const& cell : cells) {
      for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        finer.push_back(cell);
        finer.back().start[axis] = at[i];
        finer.back().extent[axis] = at[i + 1] - at[i];
      }
    }
    cells = std::move(finer);
  }
  for (Cell& cell : cells) {
    cell.source = side_of(cell, source, transformed, extents[transformed]);
    cell.target = side_of(cell, target, transformed, pass.target_box.ranges[transformed].count());
    choose_lanes(cell, transformed, window_axis, pass.twiddle_axis.value_or(-1));
  }
  return cells;
}

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
    least = std::numeric_limits<Index>::max();
    for (Cell::Rows const& rows : side.rows)
      if (rows.count > 1) least = std::min(least, rows.stride);
  }
  return least;
}

local::Staging staging(Pass const& pass, std::vector<Cell> const& cells, Index element_bytes) {
  auto const step = [&](bool in_scratch, Cell::Side Cell::*side) {
    return in_scratch ? 0 : least_step(cells, side) * element_bytes;
  };
  return local::staging(step(pass.from_scratch, &Cell::source),
                        step(pass.to_scratch, &Cell::target), pass.box.volume() * element_bytes);
}

/// Calls `body(shift of the counts from the cell's start)` for every combination of counts in
/// [lo[x], hi[x]) along `axes`.
template <class Body>
void for_each(PerAxis<int> const& axes, Shape const& lo, Shape const& hi, Body const& body) {
  for (int axis : axes)
    if (lo[axis] >= hi[axis]) return;
  Shape counts = lo;
  for (;;) {
    body(counts);
    int position = axes.size() - 1;
    for (; position >= 0; --position) {
      int const axis = axes[position];
      if (++counts[axis] < hi[axis]) break;
      counts[axis] = lo[axis];
    }
    if (position < 0) return;
  }
}

Index dot(PerAxis<int> const& axes, Shape const& counts, Shape const& strides) {
  Index sum = 0;
  for (int axis : axes) sum += counts[axis] * strides[axis];
  return sum;
}

}  // namespace

// Kernels.

template <class Real>
local::Roots const& Kernels<Real>::roots(Index n) {
  auto& roots = roots_[n];
  if (!roots) roots = std::make_unique<local::Roots>(n);
  return *roots;
}

// Passes with a transform.

namespace {

/// The reals, or complex numbers, of a pass along its axis; as few as any kind can do with if this
/// rank has nothing.
Index length_of(Pass const& pass) {
  if (pass.box.empty()) return 2;
  Index const source = pass.box.ranges[*pass.axis].count();
  Index const target = pass.target_box.ranges[*pass.axis].count();
  return pass.target_number == Number::real ? target : source;
}

/// The same pass over the real and imaginary parts, which lie along one more axis.
Pass of_parts(Pass pass) {
  for (Pieces* pieces : {&pass.source, &pass.target})
    for (Piece& piece : *pieces) {
      piece.offset *= 2;
      for (Index& stride : piece.strides) stride *= 2;
      piece.box.ranges.push_back({0, 2, 1});
      piece.strides.push_back(1);
    }
  pass.box.ranges.push_back({0, 2, 1});
  pass.target_box.ranges.push_back({0, 2, 1});
  pass.source_number = pass.target_number = Number::real;
  return pass;
}

}  // namespace

template <class In, class Out>
FftPass<In, Out>::FftPass(Pass const& pass, int window_axis, Kernels<Real>& kernels)
    : pass_(pass),
      cells_(make_cells(pass, window_axis)),
      transform_(kernels.template transform<In, Out>(pass.kind, length_of(pass)),
                 staging(pass, cells_, sizeof(In))),
      far_(!pass.from_scratch && local::out_of_cache(pass.box.volume() * Index{sizeof(In)})) {
  if (pass.twiddle_axis) roots_ = &kernels.roots(pass.twiddle_period);
  if (std::none_of(cells_.begin(), cells_.end(), [](Cell const& c) { return c.bundle >= 0; }))
    return;
  constexpr Index most = 8;
  constexpr std::size_t pad = 128;
  auto const bytes = [](Box const& box, int axis, std::size_t element) {
    return static_cast<std::size_t>(box.ranges[axis].count()) * element;
  };
  pitch_bytes_ = pad + aligned(std::max(bytes(pass.box, *pass.axis, sizeof(In)),
                                        bytes(pass.target_box, *pass.axis, sizeof(Out))));
  Index const fits = local::caches().second / 2 / static_cast<Index>(pitch_bytes_);
  bundle_ = std::clamp<Index>(fits, 1, most);
}

template <class In, class Out>
std::size_t FftPass<In, Out>::table_bytes() const {
  return aligned(static_cast<std::size_t>(length_of(pass_) + 1) * sizeof(Index));
}

template <class In, class Out>
std::size_t FftPass<In, Out>::scratch_bytes() const {
  std::size_t const block = static_cast<std::size_t>(bundle_) * pitch_bytes_;
  return std::max(2 * table_bytes(), block) + aligned(transform_.scratch_bytes());
}

template <class In, class Out>
void FftPass<In, Out>::run(Real const* source, Real* target, Window const& window,
                           Mode<Real> const& mode, std::byte* scratch) const {
  for (Cell const& cell : cells_) {
    auto const run = cell.bundle < 0 ? &FftPass::run_cell : &FftPass::run_bundles;
    (this->*run)(cell, reinterpret_cast<In const*>(source), reinterpret_cast<Out*>(target), window,
                 mode, scratch);
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

/// The counts of a cell that lie in a window.
void clip(Cell const& cell, Window const& window, Shape& lo, Shape& hi) {
  lo = Shape(cell.start.size(), 0);
  hi = cell.extent;
  if (window.axis < 0) return;
  lo[window.axis] = std::max<Index>(window.lo - cell.start[window.axis], 0);
  hi[window.axis] = std::min(window.hi - cell.start[window.axis], cell.extent[window.axis]);
}

/// Calls move(element of the array, its step, element of the column, its step, elements) for all
/// stretches of the column at `counts` on one side.
template <class Move>
void for_each_stretch(Cell::Side const& side, PerAxis<int> const& axes, Shape const& counts,
                      Index shift, int shifted_axis, Move const& move) {
  for (Cell::Rows const& rows : side.rows) {
    Index offset = rows.offset + dot(axes, counts, rows.strides);
    if (shifted_axis >= 0) offset -= shift * rows.strides[shifted_axis];
    move(offset, rows.stride, rows.first, rows.step, rows.count);
  }
}

template <class Element>
void copy_stretch(Element const* from, Index from_step, Element* to, Index to_step, Index count) {
  if (from_step == 1 && to_step == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (Index i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
}

}  // namespace

template <class In, class Out>
void FftPass<In, Out>::run_bundles(Cell const& cell, In const* source, Out* target,
                                   Window const& window, Mode<Real> const& mode,
                                   std::byte* scratch) const {
  Shape lo, hi;
  clip(cell, window, lo, hi);
  int const axis = cell.bundle;
  std::byte* const kernel_scratch =
      scratch + std::max(2 * table_bytes(), static_cast<std::size_t>(bundle_) * pitch_bytes_);
  auto const column = [&](Index c) { return scratch + static_cast<std::size_t>(c) * pitch_bytes_; };
  PerAxis<int> loops;
  for (int other : cell.outer)
    if (other != axis) loops.push_back(other);
  for_each(loops, lo, hi, [&](Shape const& start) {
    for (Index first = lo[axis]; first < hi[axis]; first += bundle_) {
      Index const columns = std::min(bundle_, hi[axis] - first);
      Shape counts = start;
      for (Index c = 0; c < columns; ++c) {
        counts[axis] = first + c;
        for_each_stretch(cell.source, cell.outer, counts, window.lo,
                         pass_.from_scratch ? window.axis : -1,
                         [&](Index at, Index stride, Index row, Index step, Index count) {
                           copy_stretch(source + at, stride, reinterpret_cast<In*>(column(c)) + row,
                                        step, count);
                         });
      }
      counts[axis] = first;
      transform_.run({.in = {reinterpret_cast<In const*>(scratch), local::RowMap::every(1),
                             static_cast<Index>(pitch_bytes_ / sizeof(In))},
                      .out = {reinterpret_cast<Out*>(scratch), local::RowMap::every(1),
                              static_cast<Index>(pitch_bytes_ / sizeof(Out))},
                      .columns = columns,
                      .backward = is_complex && mode.backward,
                      .scale = mode.scale,
                      .twist = twist(cell, axis, counts)},
                     kernel_scratch);
      for (Index c = 0; c < columns; ++c) {
        counts[axis] = first + c;
        for_each_stretch(cell.target, cell.outer, counts, window.lo,
                         pass_.to_scratch ? window.axis : -1,
                         [&](Index at, Index stride, Index row, Index step, Index count) {
                           copy_stretch(reinterpret_cast<Out const*>(column(c)) + row, step,
                                        target + at, stride, count);
                         });
      }
    }
  });
}

template <class In, class Out>
void FftPass<In, Out>::run_cell(Cell const& cell, In const* source, Out* target,
                                Window const& window, Mode<Real> const& mode,
                                std::byte* scratch) const {
  Shape lo, hi;
  clip(cell, window, lo, hi);
  if (window.axis >= 0 && lo[window.axis] >= hi[window.axis]) return;
  Index columns = 1;
  for (int axis : cell.lanes) columns *= hi[axis] - lo[axis];
  int const lane = cell.lanes.empty() ? -1 : cell.lanes.back();

  auto* const source_rows = reinterpret_cast<Index*>(scratch);
  auto* const target_rows = reinterpret_cast<Index*>(scratch + table_bytes());
  std::byte* const kernel_scratch = scratch + 2 * table_bytes();

  local::Batch<In, Out> batch{};
  batch.columns = columns;
  batch.backward = is_complex && mode.backward;
  batch.scale = mode.scale;
  batch.far = far_;

  // Where column 0 of a batch lies: a shift of all rows alike, or a table filled anew.
  auto const place = [&](Cell::Side const& side, bool in_scratch, Shape const& counts,
                         Index* rows) -> std::pair<Index, local::RowMap> {
    auto const shift_of = [&](Shape const& strides) {
      Index shift = dot(cell.outer, counts, strides);
      for (int axis : cell.lanes) shift += lo[axis] * strides[axis];
      if (in_scratch) shift -= window.lo * strides[window.axis];
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
  });
}

// Passes that only reorder.

template <class Element>
CopyPass<Element>::CopyPass(Pass const& pass) {
  if (pass.box.empty()) return;
  for (Piece const& from : pass.source) {
    for (Piece const& to : pass.target) {
      Piece const source = restrict(from, to.box);
      if (source.box.empty()) continue;
      Piece const target = restrict(to, from.box);
      LocalPiece const local = localise(source, pass.box);
      blocks_.push_back({local.start, local.step, local.extent, source.offset, target.offset,
                         source.strides, target.strides});
    }
  }
}

namespace {

/// target[i, j] = source[i, j] for a rectangle, in tiles that keep both sides' lines in cache.
template <class Element>
void copy_rectangle(Element const* source, Index source_rows, Index source_columns, Element* target,
                    Index target_rows, Index target_columns, Index rows, Index columns) {
  constexpr Index tile = 16;
  if (source_columns == 1 && target_columns == 1) {
    for (Index i = 0; i < rows; ++i)
      std::copy_n(source + i * source_rows, columns, target + i * target_rows);
    return;
  }
  for (Index i0 = 0; i0 < rows; i0 += tile)
    for (Index j0 = 0; j0 < columns; j0 += tile)
      for (Index i = i0; i < std::min(i0 + tile, rows); ++i)
        for (Index j = j0; j < std::min(j0 + tile, columns); ++j)
          target[i * target_rows + j * target_columns] =
              source[i * source_rows + j * source_columns];
}

/// The axis of the smallest stride that has any extent; -1 if none has.
int fastest(Shape const& strides, Shape const& extent, int except = -1) {
  int best = -1;
  for (int axis = 0; axis < strides.size(); ++axis)
    if (axis != except && extent[axis] > 1 && (best < 0 || strides[axis] < strides[best]))
      best = axis;
  return best;
}

}  // namespace

template <class Element>
void CopyPass<Element>::run(Real const* from, Real* to, Window const& window, Mode<Real> const&,
                            std::byte*) const {
  auto const* const source = reinterpret_cast<Element const*>(from);
  auto* const target = reinterpret_cast<Element*>(to);
  for (Block const& block : blocks_) {
    Shape lo(block.start.size(), 0);
    Shape hi = block.extent;
    if (window.axis >= 0) {
      auto const first_at = [&](Index count) {
        Index const gap = std::max<Index>(count - block.start[window.axis], 0);
        return (gap + block.step[window.axis] - 1) / block.step[window.axis];
      };
      lo[window.axis] = first_at(window.lo);
      hi[window.axis] = std::min(hi[window.axis], first_at(window.hi));
      if (lo[window.axis] >= hi[window.axis]) continue;
    }
    Shape extent;
    for (int axis = 0; axis < lo.size(); ++axis) extent.push_back(hi[axis] - lo[axis]);
    int const column = fastest(block.target_strides, extent);
    int const by_source = fastest(block.source_strides, extent, column);
    int const row = column < 0 ? -1 : by_source;
    PerAxis<int> outer;
    for (int axis = 0; axis < lo.size(); ++axis)
      if (axis != row && axis != column) outer.push_back(axis);
    auto const stride = [](Shape const& strides, int axis) { return axis < 0 ? 0 : strides[axis]; };
    auto const begin = [&](Shape const& strides) {
      return (row < 0 ? 0 : lo[row] * strides[row]) +
             (column < 0 ? 0 : lo[column] * strides[column]);
    };
    for_each(outer, lo, hi, [&](Shape const& counts) {
      copy_rectangle(source + block.source_offset + begin(block.source_strides) +
                         dot(outer, counts, block.source_strides),
                     stride(block.source_strides, row), stride(block.source_strides, column),
                     target + block.target_offset + begin(block.target_strides) +
                         dot(outer, counts, block.target_strides),
                     stride(block.target_strides, row), stride(block.target_strides, column),
                     row < 0 ? 1 : extent[row], column < 0 ? 1 : extent[column]);
    });
  }
}

// Sweeps.

template <class Real>
SweepRunner<Real>::SweepRunner(Sweep const& sweep, Kernels<Real>& kernels)
    : window_axis_(sweep.window_axis),
      window_(sweep.window),
      windows_(sweep.windows()),
      extent_(window_axis_ < 0 ? 0 : sweep.passes[0].box.ranges[window_axis_].count()),
      between_bytes_(aligned(static_cast<std::size_t>(sweep.scratch_reals) * sizeof(Real))) {
  for (Pass const& pass : sweep.passes) {
    stages_.push_back(
        {make_pass(pass, window_axis_, kernels), pass.from_scratch, pass.to_scratch, pass.last});
    std::size_t const bytes =
        std::visit([](auto const& p) { return p.scratch_bytes(); }, stages_.back().pass);
    pass_bytes_ = std::max(pass_bytes_, bytes);
  }
}

template <class Real>
auto SweepRunner<Real>::make_pass(Pass const& pass, int window_axis, Kernels<Real>& kernels)
    -> AnyPass {
  bool const from_reals = pass.source_number == Number::real;
  if (!pass.axis) {
    if (from_reals) return CopyPass<Real>(pass);
    return CopyPass<Complex>(pass);
  }
  if (is_r2r(pass.kind))
    return FftPass<Real, Real>(from_reals ? pass : of_parts(pass), window_axis, kernels);
  if (pass.kind == Kind::c2c) return FftPass<Complex, Complex>(pass, window_axis, kernels);
  if (from_reals) return FftPass<Real, Complex>(pass, window_axis, kernels);
  return FftPass<Complex, Real>(pass, window_axis, kernels);
}

template <class Real>
std::size_t SweepRunner<Real>::scratch_bytes() const {
  return between_bytes_ + pass_bytes_;
}

template <class Real>
void SweepRunner<Real>::run(Real const* source, Real* target, Mode<Real> const& mode, int threads,
                            std::byte* scratch) const {
  if (threads == 1 || windows_ <= 1) {
    for (Index number = 0; number < windows_; ++number)
      run_window(number, source, target, mode, scratch);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic)
    for (Index number = 0; number < windows_; ++number)
      run_window(number, source, target, mode,
                 scratch + static_cast<std::size_t>(omp_get_thread_num()) * scratch_bytes());
  }
}

template <class Real>
void SweepRunner<Real>::run_window(Index number, Real const* source, Real* target,
                                   Mode<Real> const& mode, std::byte* scratch) const {
  Window window;
  if (window_axis_ >= 0)
    window = {window_axis_, number * window_, std::min((number + 1) * window_, extent_)};
  auto* const between = reinterpret_cast<Real*>(scratch);
  for (Stage const& stage : stages_) {
    Mode<Real> const here{mode.backward, stage.last ? mode.scale : Real(1)};
    std::visit(
        [&](auto const& pass) {
          pass.run(stage.from_scratch ? between : source, stage.to_scratch ? between : target,
                   window, here, scratch + between_bytes_);
        },
        stage.pass);
  }
}

template class Kernels<float>;
template class Kernels<double>;
template class SweepRunner<float>;
template class SweepRunner<double>;

}  // namespace sixstep::plan
