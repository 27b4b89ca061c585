// SPDX-License-Identifier: BSD-3-Clause
// Copies between a strip of columns of a large array and a buffer, row by row.
#pragma once

#include <complex>

#include "local/transform.hpp"

namespace sixstep::local {

/// The side of a copy that is out of cache. Its rows are prefetched.
enum class Far { source, target, neither };

/// to.data[to.row[k] + c] = from.data[from.row[k] + c] for k < rows, c < columns; both lanes are 1.
template <class Real>
void copy_strip(Columns<std::complex<Real> const> const& from,
                Columns<std::complex<Real>> const& to, Index rows, Index columns, Far far);

/// Copies a strip and writes it past the caches: for a target that would leave the caches anyway
/// before it is read again. Other threads may read it after the next barrier.
template <class Real>
void stream_strip(Columns<std::complex<Real> const> const& from,
                  Columns<std::complex<Real>> const& to, Index rows, Index columns);

}  // namespace sixstep::local
