// SPDX-License-Identifier: BSD-3-Clause
// Fields: several arrays of one layout as a single array, which has one axis more.
//
// The axis of the fields is the last, every rank holds it whole, and nobody transforms it. So for
// the planner there are no fields.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep {

/// One field behind the other, or point by point side by side.
enum class Storage { blocks, interleaved };

/// The layout of `count` fields.
Layout with_fields(Layout const& field, Index count, Storage storage);

/// The layout of each of them.
Layout of_one_field(Layout const& fields);

}  // namespace sixstep
