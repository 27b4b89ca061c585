// SPDX-License-Identifier: BSD-3-Clause
// Columns side by side that are too long for the second-level cache.
//
// Composed of Transforms; knows nothing about vectors.
#pragma once

#include <memory>

#include "local/transform.hpp"

namespace sixstep::local {

/// Columns that lie side by side on one side or on both by `columns`, as far as they fill its
/// lanes, and all others by `rows`, another transform of the same length.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_side_by_side(
    std::unique_ptr<Transform<std::complex<Real>>> columns,
    std::unique_ptr<Transform<std::complex<Real>>> rows);

/// A transform of length n = slow * fast by the formula in long_transform.hpp. A strip of columns
/// passes through a buffer that stays in the last-level cache. Each level works on elements that
/// lie side by side in memory: columns, or neighbouring rows of a column. It passes batches with
/// neither, and batches that are contiguous on both sides, to `rows`, another transform of length
/// n.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_long_columns(
    Index slow, Index fast, std::unique_ptr<Transform<std::complex<Real>>> rows,
    Tuning const& tuning = {});

}  // namespace sixstep::local
