// SPDX-License-Identifier: BSD-3-Clause
// Fields: several arrays of one layout as a single array with one more axis.
//
// The axis of the fields is the last. Every rank holds it whole, and no stage transforms it, so the
// planner does not know fields.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep {

/// One field behind the other, or all fields side by side at each point.
enum class Storage { blocks, interleaved };

/// The layout of `count` fields.
Layout with_fields(Layout const& field, Index count, Storage storage);

/// The layout of each field.
Layout of_one_field(Layout const& fields);

}  // namespace sixstep
