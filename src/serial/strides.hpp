// SPDX-License-Identifier: BSD-3-Clause
// Strides that a caller gives: whether each point has a place of its own, and the order of the
// axes.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::serial {

/// Throws Error, which begins with `argument`, unless there is a stride for each axis, none is
/// negative, no two points lie at the same place, and the array has at most 2^57 elements from its
/// first point to its last. Every extent is at least 1.
void check_strides(char const* argument, Shape const& shape, Shape const& strides);

/// The axes, that of the largest stride first.
Order order_of(Shape const& strides);

}  // namespace sixstep::serial
