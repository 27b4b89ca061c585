// SPDX-License-Identifier: BSD-3-Clause
// Columns side by side that are too long for the kernels' rows, in two levels of shorter ones.
//
// A plain composition of Transforms that knows nothing about vectors.
#pragma once

#include <memory>

#include "local/transform.hpp"

namespace sixstep::local {

/// n = slow fast, by the formula of long_transform.hpp. Strips of columns pass through a buffer
/// that stays in the last cache; each level works on columns side by side, or on rows that follow
/// each other, whichever it finds in memory. `rows` transforms what has neither, or needs none of
/// it.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_long_columns(
    Index slow, Index fast, std::unique_ptr<Transform<std::complex<Real>>> rows);

}  // namespace sixstep::local
