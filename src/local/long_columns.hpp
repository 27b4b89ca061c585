// SPDX-License-Identifier: BSD-3-Clause
// Columns side by side that are too long to be worked on in cache, as two levels of shorter ones.
//
// Composed of Transforms; knows nothing about vectors.
#pragma once

#include <memory>

#include "local/transform.hpp"

namespace sixstep::local {

/// A transform of length n = slow * fast by the formula of long_transform.hpp. A strip of columns
/// passes through a buffer that stays in the last-level cache. Each level works on what lies side
/// by side in memory: on columns, or on neighbouring rows of a column. Batches that lack either,
/// and batches that are contiguous on both sides, are left to `rows`, another transform of length
/// n.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_long_columns(
    Index slow, Index fast, std::unique_ptr<Transform<std::complex<Real>>> rows,
    Tuning const& tuning = {});

}  // namespace sixstep::local
