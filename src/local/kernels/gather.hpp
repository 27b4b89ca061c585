// SPDX-License-Identifier: BSD-3-Clause
// Copies columns that lie anywhere to dense memory, one after another, and back.
#pragma once

#include <algorithm>
#include <complex>
#include <utility>

#include "base/word.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The elements between neighbouring rows, and between neighbouring columns.
struct CopySteps {
  Index row;
  Index column;
};

/// Copies elements that lie at equal distances on both sides, row by row in the inner loop, whose
/// speed would depend on its address if it had one element.
template <class Element>
[[gnu::always_inline]] inline void copy_columns(Element const* from, CopySteps in, Element* to,
                                                CopySteps out, Index rows, Index columns) {
  for (Index c = 0; c < columns; ++c)
#pragma GCC unroll 4
    for (Index k = 0; k < rows; ++k) {
      Word<Element> word;
      word.load(from + c * in.column + k * in.row);
      word.store(to + c * out.column + k * out.row);
    }
}

/// Copies them with the longer side in the inner loop, some elements at a time: their lines stay in
/// the first-level cache while the outer loop comes back to them.
template <class Element>
void copy_evenly(Element const* from, CopySteps in, Element* to, CopySteps out, Index rows,
                 Index columns) {
  constexpr Index most_at_once = 64;
  if (rows < columns) {
    std::swap(rows, columns);
    std::swap(in.row, in.column);
    std::swap(out.row, out.column);
  }
  if (rows <= most_at_once) return copy_columns(from, in, to, out, rows, columns);
  for (Index k = 0; k < rows; k += most_at_once)
    copy_columns(from + k * in.row, in, to + k * out.row, out, std::min(most_at_once, rows - k),
                 columns);
}

/// Copies element k of column c to block[c pitch + k], for k < n and c < columns.
template <class Real>
void gather(Columns<std::complex<Real> const> const& from, Index n, Index columns,
            std::complex<Real>* block, Index pitch) {
  if (Index const step = from.row.step(n); step != 0)
    return copy_evenly(from.data + from.row[0], {step, from.lane}, block, {1, pitch}, n, columns);
  for (Index k = 0; k < n; ++k)
    for (Index c = 0; c < columns; ++c)
      block[c * pitch + k] = from.data[from.row[k] + c * from.lane];
}

/// Copies block[c pitch + k] to element k of column c.
template <class Real>
void scatter(std::complex<Real> const* block, Index pitch, Index n, Index columns,
             Columns<std::complex<Real>> const& to) {
  if (Index const step = to.row.step(n); step != 0)
    return copy_evenly(block, {1, pitch}, to.data + to.row[0], {step, to.lane}, n, columns);
  for (Index k = 0; k < n; ++k)
    for (Index c = 0; c < columns; ++c) to.data[to.row[k] + c * to.lane] = block[c * pitch + k];
}

}  // namespace sixstep::local
