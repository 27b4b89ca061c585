// SPDX-License-Identifier: BSD-3-Clause
// Working axes and the axes that the user sees.
#pragma once

#include "schedule/frame.hpp"

namespace sixstep::schedule {

/// An order of working axes as an order of the layout's axes. An axis that is viewed as two takes
/// the position of the first of its digits.
Order order_of(layout::Placement const& placement, Order const& working);

/// A placement in working axes as the user sees it. The digits of a split axis are in the order
/// in which they make up the index k = k2 N1 + k1.
Placement present(layout::Placement const& here, layout::View const& output_view);

}  // namespace sixstep::schedule
