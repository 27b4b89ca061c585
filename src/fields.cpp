// SPDX-License-Identifier: BSD-3-Clause
// Fields: an axis more, and one less.
#include "fields.hpp"

#include <vector>

#include "deals.hpp"

namespace sixstep {

namespace {

/// A layout in other axes: change(values, of_fields) has an axis more or less than `values`, which
/// are one for each axis of the layout.
template <class Change>
Layout in_other_axes(Layout const& layout, Index count, Order const& order, Change const& change) {
  Shape const shape = change(layout.shape(), count);
  Deals const* const deals = Deals::of(layout);
  Layout made;
  if (!layout.grid().empty()) {
    made = Layout::grid(shape, change(layout.grid(), 1),
                        change(layout.distribution(), Distribution::block), order);
  } else if (deals != nullptr) {
    Deals others = *deals;
    others.axes = change(others.axes, Dealt{Deal::even(count, 1, Distribution::block)});
    made = others.boxes(layout.ranks(), order);
  } else {
    std::vector<Box> boxes;
    for (int rank = 0; rank < layout.ranks(); ++rank)
      boxes.push_back({change(layout.box(rank).ranges, Range{0, count})});
    made = Layout::boxes(shape, boxes, order);
  }
  if (!layout.has_ghosts()) return made;
  std::vector<Shape> extents, starts;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Ghosts const ghosts = layout.ghosts(rank);
    Shape const after = change(ghosts.after, Index{0});
    starts.push_back(change(ghosts.before, Index{0}));
    extents.push_back(made.local_shape(rank));
    for (int axis = 0; axis < made.axes(); ++axis)
      extents.back()[axis] += starts.back()[axis] + after[axis];
  }
  return made.in_arrays(extents, starts);
}

}  // namespace

Layout with_fields(Layout const& field, Index count, Storage storage) {
  Order order;
  if (storage == Storage::blocks) order.push_back(field.axes());
  for (int axis : field.order()) order.push_back(axis);
  if (storage == Storage::interleaved) order.push_back(field.axes());
  return in_other_axes(field, count, order, [](auto values, auto const& of_fields) {
    values.push_back(of_fields);
    return values;
  });
}

Layout of_one_field(Layout const& fields) {
  int const last = fields.axes() - 1;
  Order order;
  for (int axis : fields.order())
    if (axis != last) order.push_back(axis);
  return in_other_axes(fields, 1, order, []<class T>(PerAxis<T> const& values, T const&) {
    PerAxis<T> rest;
    for (int axis = 0; axis + 1 < values.size(); ++axis) rest.push_back(values[axis]);
    return rest;
  });
}

}  // namespace sixstep
