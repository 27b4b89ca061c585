// SPDX-License-Identifier: BSD-3-Clause
// Fields: adds an axis, and removes it.
#include "layout/fields.hpp"

#include "layout/deals.hpp"

namespace sixstep {

Layout with_fields(Layout const& field, Index count, Storage storage) {
  Order order;
  if (storage == Storage::blocks) order.push_back(field.axes());
  for (int axis : field.order()) order.push_back(axis);
  if (storage == Storage::interleaved) order.push_back(field.axes());
  Order axes = c_order(field.axes());
  axes.push_back(-1);
  return Deals::in_axes(field, axes, order, count);
}

Layout of_one_field(Layout const& fields) {
  int const last = fields.axes() - 1;
  Order order;
  for (int axis : fields.order())
    if (axis != last) order.push_back(axis);
  return Deals::in_axes(fields, c_order(last), order);
}

}  // namespace sixstep
