// SPDX-License-Identifier: BSD-3-Clause
// Layouts for Python.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "core.hpp"
#include "layout_state.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::python {

namespace {

using Indices = std::vector<Index>;
using Numbers = std::vector<int>;
using Slices = std::vector<nb::slice>;

/// A box of slices with bounds, step 1. Errors: not one an axis.
Box box_of(Slices const& slices, Shape const& shape) {
  require(static_cast<int>(slices.size()) == shape.size(), "box: a slice for each of the ",
          shape.size(), " axes is needed, ", slices.size(), " were given");
  Box box;
  for (int axis = 0; axis < shape.size(); ++axis) {
    auto const [lo, hi, step, length] =
        slices[static_cast<std::size_t>(axis)].compute(static_cast<std::size_t>(shape[axis]));
    box.ranges.push_back({lo, length == 0 ? lo : hi, step});
  }
  return box;
}

/// Casts `given` to T. Errors: it has another type; the message shows it and says what is `needed`.
template <class T>
T cast_to(char const* name, char const* needed, nb::handle given) {
  T made;
  require(nb::try_cast(given, made), name, ": ", needed, " is needed, ",
          nb::cast<std::string>(nb::repr(given)), " was given");
  return made;
}

/// A function of the package's modules in Python, which are imported when they are used.
nb::object in_package(char const* module, char const* name) {
  return nb::module_::import_(("sixstep." + std::string(module)).c_str()).attr(name);
}

Layout gather(nb::handle shape, nb::handle box, std::int64_t comm, nb::handle order) {
  mpi::Communicator const all = mpi::Communicator::duplicate(comm_of(comm));
  Shape extents;
  Box mine;
  Order memory;
  mpi::together(all, [&] {
    extents = Shape(cast_to<Indices>("shape", "a tuple of integers", shape));
    mine = box_of(cast_to<Slices>("box", "a tuple of slices", box), extents);
    if (!order.is_none()) memory = Order(cast_to<Numbers>("order", "a tuple of integers", order));
  });
  nb::gil_scoped_release const others_run;
  return gather_boxes(extents, mine, all.get(), memory);
}

/// The rank that has a point.
int rank_of(Layout const& layout, Indices const& point) {
  Shape const& shape = layout.shape();
  require(static_cast<int>(point.size()) == shape.size(), "point: ", shape.size(),
          " indices are needed, ", point.size(), " were given");
  Box one;
  for (int axis = 0; axis < shape.size(); ++axis) {
    Index const index = point[static_cast<std::size_t>(axis)];
    require(index >= 0 && index < shape[axis], "point: 0 to ", shape[axis] - 1,
            " are possible along axis ", axis, ", ", index, " was given");
    one.ranges.push_back({index, index + 1});
  }
  return layout.ranks_meeting(one).front();
}

/// The axis number of `axis`, which may count from the last axis, -1. Errors: no such axis.
int axis_of(int axis, int axes) {
  require(axis >= -axes && axis < axes, "axis: ", -axes, " to ", axes - 1, " are possible, ", axis,
          " was given");
  return axis < 0 ? axis + axes : axis;
}

/// A hash of shape, order, and the boxes of some ranks. Equal layouts may have different empty
/// boxes, so an empty box adds no indices.
Py_ssize_t hash_of(Layout const& layout) {
  nb::list seen;
  seen.append(tuple_of(layout.shape()));
  seen.append(tuple_of(Shape(layout.order())));
  seen.append(layout.ranks());
  for (int const rank : {0, layout.ranks() / 2, layout.ranks() - 1}) {
    Box const box = layout.box(rank);
    for (Range const& range : box.ranges)
      seen.append(box.empty() ? nb::make_tuple() : nb::make_tuple(range.lo, range.count()));
  }
  return nb::hash(nb::tuple(seen));
}

PerAxis<Distribution> distribution_of(std::vector<std::string> const& words) {
  PerAxis<Distribution> distribution;
  for (std::string const& word : words) {
    require(word == "block" || word == "cyclic", "distribution: block or cyclic is needed, ", word,
            " was given");
    distribution.push_back(word == "block" ? Distribution::block : Distribution::cyclic);
  }
  return distribution;
}

Layout ordered(Layout const& layout, std::optional<Numbers> const& order) {
  return order ? layout.with_order(Order(*order)) : layout;
}

}  // namespace

Ints tuple_of(Shape const& shape) {
  nb::list entries;
  for (Index extent : shape) entries.append(extent);
  return nb::tuple(entries);
}

BoxSlices slices_of(Box const& box) {
  nb::list slices;
  for (Range const& range : box.ranges) slices.append(nb::slice(range.lo, range.hi, range.step));
  return nb::tuple(slices);
}

namespace {

/// Adds the functions that make layouts.
void add_makers(nb::class_<Layout>& bound) {
  using nb::literals::operator""_a;
  bound
      .def_static(
          "slab",
          [](Indices const& shape, int ranks, int axis, std::optional<Numbers> const& order) {
            int const axes = static_cast<int>(shape.size());
            return ordered(Layout::slab(Shape(shape), ranks, axes ? axis_of(axis, axes) : 0),
                           order);
          },
          "shape"_a, "ranks"_a, "axis"_a = 0, "order"_a = nb::none(),
          "One axis split over all ranks, in near-equal blocks. `order` lists the axes, slowest in "
          "memory first; None is C order.")
      .def_static(
          "pencil",
          [](Indices const& shape, int ranks, std::optional<Numbers> const& order) {
            return ordered(Layout::pencil(Shape(shape), ranks), order);
          },
          "shape"_a, "ranks"_a, "order"_a = nb::none(),
          "The first two axes split in a near-square grid.")
      .def_static(
          "brick",
          [](Indices const& shape, int ranks, std::optional<Numbers> const& order) {
            return ordered(Layout::brick(Shape(shape), ranks), order);
          },
          "shape"_a, "ranks"_a, "order"_a = nb::none(), "All axes split in a near-cubic grid.")
      .def_static(
          "grid",
          [](Indices const& shape, Numbers const& grid, std::vector<std::string> const& words,
             std::optional<Numbers> const& order) {
            return ordered(Layout::grid(Shape(shape), Grid(grid), distribution_of(words)), order);
          },
          "shape"_a, "grid"_a, "distribution"_a = std::vector<std::string>{},
          "order"_a = nb::none(),
          "grid[a] ranks along axis a, the last axis fastest. `distribution` is \"block\" or "
          "\"cyclic\" for each axis.")
      .def_static(
          "boxes",
          [](Indices const& shape, std::vector<Slices> const& boxes,
             std::optional<Numbers> const& order) {
            std::vector<Box> found;
            for (Slices const& box : boxes) found.push_back(box_of(box, Shape(shape)));
            return ordered(Layout::boxes(Shape(shape), found), order);
          },
          "shape"_a, "boxes"_a, "order"_a = nb::none(),
          "Any boxes, a tuple of slices for each rank. They are disjoint and fill the shape.");
}

/// Adds the functions that make a layout from another.
void add_changes(nb::class_<Layout>& bound) {
  using nb::literals::operator""_a;
  bound
      .def(
          "with_ghosts",
          [](Layout const& layout, Indices const& before, Indices const& after) {
            return layout.with_ghosts(Shape(before), Shape(after));
          },
          "before"_a, "after"_a,
          "Keeps the boxes, and adds `before` and `after` elements around them along each axis.")
      .def(
          "with_order",
          [](Layout const& layout, Numbers const& order) {
            return layout.with_order(Order(order));
          },
          "order"_a, "Keeps the boxes, and changes the order of each rank's memory.")
      .def(
          "transposed",
          [](Layout const& layout, Numbers const& axes) { return layout.transposed(Order(axes)); },
          "axes"_a, "Renames the axes: axis a of the result is axis axes[a] of this layout.")
      .def(
          "with_extent",
          [](Layout const& layout, int axis, Index extent) {
            return layout.with_extent(axis_of(axis, layout.axes()), extent);
          },
          "axis"_a, "extent"_a, "Changes the extent of an axis that every rank holds whole.")
      .def("dense", &Layout::dense, "Keeps the boxes, in arrays without ghosts.");
}

/// Adds the functions that tell about a layout.
void add_layout_facts(nb::class_<Layout>& bound) {
  using nb::literals::operator""_a;
  bound
      .def(
          "whole",
          [](Layout const& layout, int axis) { return layout.whole(axis_of(axis, layout.axes())); },
          "axis"_a, "Whether every rank that holds points holds the axis whole.")
      .def(
          "strides", [](Layout const& layout, int rank) { return tuple_of(layout.strides(rank)); },
          "rank"_a, "Elements between neighbours along each axis of a rank's array.")
      .def(
          "ghosts",
          [](Layout const& layout, int rank) {
            Ghosts const ghosts = layout.ghosts(rank);
            Shape const none(layout.axes(), 0);
            return std::pair(tuple_of(ghosts.before.empty() ? none : ghosts.before),
                             tuple_of(ghosts.after.empty() ? none : ghosts.after));
          },
          "rank"_a, "Elements before and after a rank's box along each axis of its array.")
      .def("rank_of", &rank_of, "point"_a, "The rank that holds a point.")
      .def_prop_ro("distribution",
                   [](Layout const& layout) {
                     nb::list words;
                     for (Distribution each : layout.distribution())
                       words.append(each == Distribution::block ? "block" : "cyclic");
                     return nb::typed<nb::tuple, nb::str, nb::ellipsis>(nb::tuple(words));
                   })
      .def_prop_ro("shape", [](Layout const& layout) { return tuple_of(layout.shape()); })
      .def_prop_ro("ranks", &Layout::ranks)
      .def_prop_ro(
          "rank_grid", [](Layout const& layout) { return tuple_of(Shape(layout.grid())); },
          "Ranks along each axis; empty for a list of boxes.")
      .def_prop_ro("order", [](Layout const& layout) { return tuple_of(Shape(layout.order())); })
      .def(
          "box", [](Layout const& layout, int rank) { return slices_of(layout.box(rank)); },
          "rank"_a, "The box of a rank: slices of an array of the global shape.")
      .def(
          "local_shape",
          [](Layout const& layout, int rank) { return tuple_of(layout.local_shape(rank)); },
          "rank"_a);
}

/// Adds comparison, pickling and words.
void add_protocols(nb::class_<Layout>& bound) {
  using nb::literals::operator""_a;
  bound
      .def(
          "__eq__", [](Layout const& a, Layout const& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &hash_of)
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple"))
      .def(
          "__setstate__",
          [](Layout& layout, LayoutState const& state) { new (&layout) Layout(layout_of(state)); },
          nb::sig("def __setstate__(self, state: tuple, /) -> None"))
      .def("__repr__", [](Layout const& layout) { return "<" + layout.describe() + ">"; })
      .def(
          "_repr_html_",
          [](nb::handle layout) { return in_package("_html", "layout_html")(layout); },
          nb::sig("def _repr_html_(self) -> str"))
      .def(
          "plot",
          [](nb::handle layout, nb::handle axes) {
            return in_package("_plots", "layout_plot")(layout, axes);
          },
          "axes"_a = nb::none(), nb::sig("def plot(self, axes: typing.Any = None) -> typing.Any"),
          "Draws which rank holds which part, with matplotlib, in `axes` or a new figure. Returns "
          "the "
          "axes. At most three axes are drawn, and cyclic axes not in their full length. Raises "
          "Error if "
          "there are more than 1024 ranks.")
      .def("__str__", &Layout::describe);
}

}  // namespace

void add_layouts(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Layout> bound(module, "Layout",
                           "Which part of a global array each rank holds, and its order in the "
                           "rank's memory.");
  add_makers(bound);
  add_changes(bound);
  add_layout_facts(bound);
  add_protocols(bound);
  module.def("gather_boxes", &gather, "shape"_a, "box"_a, "comm"_a, "order"_a.none(),
             "The layout in which each rank has its `box`. Collective.");
}

}  // namespace sixstep::python
