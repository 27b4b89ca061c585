// SPDX-License-Identifier: BSD-3-Clause
// Passes that only reorder: rectangles of memory.
#include "sweep/copy_pass.hpp"

#include <algorithm>
#include <complex>

#include "sweep/cells.hpp"
#include "sweep/multiply.hpp"

namespace sixstep::plan {

using exchange::Piece;

template <class Element>
CopyPass<Element>::CopyPass(Pass const& pass) {
  if (pass.box.empty()) return;
  for (Piece const& from : pass.source) {
    for (Piece const& to : pass.target) {
      Piece const source = restrict(from, to.box);
      if (source.box.empty()) continue;
      Piece const target = restrict(to, from.box);
      LocalPiece const local = localise(source, pass.box);
      rectangles_.push_back({local.start, local.step, local.extent, source.offset, target.offset,
                             source.strides, target.strides});
    }
  }
}

namespace {

/// target[i, j] = source[i, j] for a rectangle, in tiles that keep both sides' lines in cache.
template <class Element>
void copy_rectangle(Element const* source, Grating const& from, Element* target, Grating const& to,
                    Index rows, Index columns) {
  constexpr Index tile = 16;
  if (from.columns == 1 && to.columns == 1) {
    for (Index i = 0; i < rows; ++i)
      std::copy_n(source + i * from.rows, columns, target + i * to.rows);
    return;
  }
  for (Index i0 = 0; i0 < rows; i0 += tile)
    for (Index j0 = 0; j0 < columns; j0 += tile)
      for (Index i = i0; i < std::min(i0 + tile, rows); ++i)
        for (Index j = j0; j < std::min(j0 + tile, columns); ++j)
          target[i * to.rows + j * to.columns] = source[i * from.rows + j * from.columns];
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
void CopyPass<Element>::run(void const* from, void* to, Region const& region, Mode const& mode,
                            std::byte*) const {
  Window const& window = region.window;  // a copy is a sweep of its own: nothing is stacked
  auto const* const source = static_cast<Element const*>(from);
  auto* const target = static_cast<Element*>(to);
  auto const* const table = static_cast<Element const*>(mode.table);
  for (Rectangle const& rectangle : rectangles_) {
    Shape lo(rectangle.start.size(), 0);
    Shape hi = rectangle.extent;
    if (window.axis >= 0) {
      auto const first_at = [&](Index count) {
        Index const gap = std::max<Index>(count - rectangle.start[window.axis], 0);
        return (gap + rectangle.step[window.axis] - 1) / rectangle.step[window.axis];
      };
      lo[window.axis] = first_at(window.lo);
      hi[window.axis] = std::min(hi[window.axis], first_at(window.hi));
      if (lo[window.axis] >= hi[window.axis]) continue;
    }
    Shape extent;
    for (int axis = 0; axis < lo.size(); ++axis) extent.push_back(hi[axis] - lo[axis]);
    int const column = fastest(rectangle.target_strides, extent);
    int const by_source = fastest(rectangle.source_strides, extent, column);
    int const row = column < 0 ? -1 : by_source;
    PerAxis<int> outer;
    for (int axis = 0; axis < lo.size(); ++axis)
      if (axis != row && axis != column) outer.push_back(axis);
    auto const stride = [](Shape const& strides, int axis) { return axis < 0 ? 0 : strides[axis]; };
    auto const begin = [&](Shape const& strides) {
      return (row < 0 ? 0 : lo[row] * strides[row]) +
             (column < 0 ? 0 : lo[column] * strides[column]);
    };
    Grating const source_grating{stride(rectangle.source_strides, row),
                                 stride(rectangle.source_strides, column)};
    Grating const target_grating{stride(rectangle.target_strides, row),
                                 stride(rectangle.target_strides, column)};
    Index const rows = row < 0 ? 1 : extent[row], columns = column < 0 ? 1 : extent[column];
    for_each(outer, lo, hi, [&](Shape const& counts) {
      Index const from_at = rectangle.source_offset + begin(rectangle.source_strides) +
                            dot(outer, counts, rectangle.source_strides);
      Index const to_at = rectangle.target_offset + begin(rectangle.target_strides) +
                          dot(outer, counts, rectangle.target_strides);
      copy_rectangle(source + from_at, source_grating, target + to_at, target_grating, rows,
                     columns);
      if constexpr (local::is_complex<Element>)
        if (table != nullptr)
          multiply(target + to_at, table + to_at, target_grating, rows, columns);
    });
  }
}

template class CopyPass<float>;
template class CopyPass<double>;
template class CopyPass<std::complex<float>>;
template class CopyPass<std::complex<double>>;

}  // namespace sixstep::plan
