// SPDX-License-Identifier: BSD-3-Clause
// Copies of short runs of a large array: a strip of columns, row by row.
#pragma once

#include <complex>

#include "local/transform.hpp"

namespace sixstep::local {

/// The side of a copy that is out of cache: its rows are fetched ahead.
enum class Far { source, target, neither };

/// to.data[to.row[k] + c] = from.data[from.row[k] + c] for k < rows, c < columns; both lanes are 1.
template <class Real>
void copy_strip(Columns<std::complex<Real> const> const& from,
                Columns<std::complex<Real>> const& to, Index rows, Index columns, Far far);

/// The same past the caches: for a target that will not be read again before it has left them.
/// Other threads may read it after the next barrier.
template <class Real>
void stream_strip(Columns<std::complex<Real> const> const& from,
                  Columns<std::complex<Real>> const& to, Index rows, Index columns);

}  // namespace sixstep::local
