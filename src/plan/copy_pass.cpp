// SPDX-License-Identifier: BSD-3-Clause
// Passes that only reorder: rectangles of memory.
#include "plan/copy_pass.hpp"

#include <algorithm>
#include <complex>

#include "plan/cells.hpp"

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

template class CopyPass<float>;
template class CopyPass<double>;
template class CopyPass<std::complex<float>>;
template class CopyPass<std::complex<double>>;

}  // namespace sixstep::plan
