// SPDX-License-Identifier: BSD-3-Clause
// Strides that a caller gives: checks that each point has its own place, and orders the axes.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::serial {

/// Throws Error, whose message begins with `argument`,
/// - if there is not one stride for each axis
/// - if a stride is negative
/// - if two points lie at the same place
/// - if the array has more than 2^57 elements from its first point to its last.
/// Every extent must be at least 1.
void check_strides(char const* argument, Shape const& shape, Shape const& strides);

/// The axes in the order of their strides, the largest first.
Order order_of(Shape const& strides);

}  // namespace sixstep::serial
