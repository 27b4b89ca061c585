// SPDX-License-Identifier: BSD-3-Clause
// Copies columns that lie anywhere to dense memory, one after another, and back.
#pragma once

#include <complex>

#include "local/transform.hpp"

namespace sixstep::local {

/// Copies element k of column c to block[c pitch + k], for k < n and c < columns.
template <class Real>
void gather(Columns<std::complex<Real> const> const& from, Index n, Index columns,
            std::complex<Real>* block, Index pitch) {
  if (from.lane != 1) {
    for (Index c = 0; c < columns; ++c)
      for (Index k = 0; k < n; ++k) block[c * pitch + k] = from.data[from.row[k] + c * from.lane];
    return;
  }
  for (Index k = 0; k < n; ++k)
    for (Index c = 0; c < columns; ++c) block[c * pitch + k] = from.data[from.row[k] + c];
}

/// Copies block[c pitch + k] to element k of column c.
template <class Real>
void scatter(std::complex<Real> const* block, Index pitch, Index n, Index columns,
             Columns<std::complex<Real>> const& to) {
  if (to.lane != 1) {
    for (Index c = 0; c < columns; ++c)
      for (Index k = 0; k < n; ++k) to.data[to.row[k] + c * to.lane] = block[c * pitch + k];
    return;
  }
  for (Index k = 0; k < n; ++k)
    for (Index c = 0; c < columns; ++c) to.data[to.row[k] + c] = block[c * pitch + k];
}

}  // namespace sixstep::local
