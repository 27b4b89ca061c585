// SPDX-License-Identifier: BSD-3-Clause
// Maps for Python. map.py checks what functions of Python return.
#include "sixstep/map.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "c/batch.hpp"
#include "core.hpp"
#include "planned.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::python {

namespace {

/// A function as map.py hands it over: `fill` is called with the values of a batch, an array for
/// the results and, if `tells` is set, the wave vectors or indices of the points.
struct Given {
  nb::object fill;
  std::uint64_t address;  // of a compiled function, which is called in place of `fill`; 0: none
  std::uint64_t context;  // a pointer for this function
  int arguments;          // how many it takes, see map.py
  std::string name;
  int fields;
  int results;
  bool tells;
};

/// Rows of memory as an array of two axes, without a copy.
template <class Value>
nb::object rows_over(Value* const* rows, int count, Index length) {
  std::int64_t const apart = count > 1 ? rows[1] - rows[0] : length;
  nb::ndarray<nb::numpy, Value, nb::ndim<2>> const made(
      rows[0], {static_cast<std::size_t>(count), static_cast<std::size_t>(length)}, nb::handle(),
      {apart, 1});
  return nb::cast(made, nb::rv_policy::reference);
}

/// The indices of the points of a batch, one row an axis.
template <class Value>
void write_indices(Batch<Value> const& batch, std::vector<Index>& rows) {
  auto const axes = static_cast<std::size_t>(batch.first.size());
  auto const points = static_cast<std::size_t>(batch.count);
  rows.resize(axes * points);
  for (std::size_t i = 0; i < points; ++i) {
    Shape const index = batch.index(static_cast<Index>(i));
    for (std::size_t axis = 0; axis < axes; ++axis)
      rows[axis * points + i] = index[static_cast<int>(axis)];
  }
}

template <class Value>
nb::object indices_of(Batch<Value> const& batch) {
  auto const kept = std::make_shared<std::vector<Index>>();
  write_indices(batch, *kept);
  return nb::cast(nb::ndarray<nb::numpy, Index, nb::ndim<2>>(
      kept->data(),
      {static_cast<std::size_t>(batch.first.size()), static_cast<std::size_t>(batch.count)},
      owner_of(std::shared_ptr<void>(kept, kept->data()))));
}

template <class Value>
void call(nb::handle fill, Given const& given, int axes, Batch<Value> const& batch) {
  called_by_library([&] {
    nb::object const values = rows_over<Value const>(batch.in, given.fields, batch.count);
    nb::object const results = rows_over<Value>(batch.out, given.results, batch.count);
    if (!given.tells)
      fill(values, results);
    else if (batch.k)
      fill(values, results, rows_over<double const>(batch.k, axes, batch.count));
    else
      fill(values, results, indices_of(batch));
  });
}

/// The wave vectors or else the indices of a batch: a pointer for each axis.
template <class Value, class Use>
void with_told(Batch<Value> const& batch, Use const& use) {
  if (batch.k) return use(static_cast<void const*>(batch.k));
  thread_local std::vector<Index> rows;
  thread_local std::vector<Index const*> axes;
  write_indices(batch, rows);
  axes.clear();
  for (int axis = 0; axis < batch.first.size(); ++axis)
    axes.push_back(rows.data() + axis * batch.count);
  use(static_cast<void const*>(axes.data()));
}

/// Calls a compiled function. Errors: one that returns a number says that it is not 0.
template <class Value>
void call_compiled(Given const& given, int axes, Batch<Value> const& batch) {
  using Plain = void(std::int64_t, Value const* const*, Value* const*);
  using Told = void(std::int64_t, Value const* const*, Value* const*, void const*);
  std::uint64_t const address = given.address;
  if (given.arguments == 3)
    return reinterpret_cast<Plain*>(address)(batch.count, batch.in, batch.out);
  if (given.arguments == 4)
    return with_told(batch, [&](void const* told) {
      reinterpret_cast<Told*>(address)(batch.count, batch.in, batch.out, told);
    });
  sixstep_batch const called = c::batch_of(batch, axes, given.fields, given.results);
  int const code = reinterpret_cast<sixstep_batch_function*>(address)(
      reinterpret_cast<void*>(given.context), &called);
  require(code == 0, given.name, ": the function returned ", code, ", 0 is needed");
}

template <class Real>
typename MapFunctions<Real>::Step step_of(std::optional<Given> const& given, int axes) {
  if (!given) return {};
  auto const kept = std::make_shared<Given>(*given);
  kept->fill = {};
  if (given->address != 0)
    return {[kept, axes](auto const& batch) { call_compiled(*kept, axes, batch); }, given->results};
  std::shared_ptr<PyObject> const held = held_by_library(given->fill);
  return {[held, kept, axes](auto const& batch) { call(held.get(), *kept, axes, batch); },
          given->results};
}

/// A map in either precision.
class PyMap : public Planned<Map> {
 public:
  PyMap(Layout const& points, std::optional<Layout> const& coefficients,
        std::optional<Layout> const& results, std::optional<Given> const& before,
        Given const& at_points, std::optional<Given> const& after, std::int64_t comm, bool single,
        std::vector<double> const& sides, Index batch, std::string const& backward,
        std::string const& forward, nb::dict const& given) {
    MapOptions options;
    static_cast<Options&>(options) =
        converted(comm_of(comm), [&] { return options_of(given, points.axes()); });
    options.sides = sides;
    options.batch = batch;
    options.results = results;
    converted(comm_of(comm), [&] {
      options.backward = scale_of(backward);
      options.forward = scale_of(forward);
      return 0;
    });
    auto const make = [&]<class Real>(Real) {
      MapFunctions<Real> const functions{step_of<Real>(before, points.axes()),
                                         step_of<Real>(at_points, points.axes()),
                                         step_of<Real>(after, points.axes())};
      nb::gil_scoped_release const others_run;
      made_ = std::make_shared<Map<Real>>(
          coefficients ? Map<Real>(points, *coefficients, comm_of(comm), functions, options)
                       : Map<Real>(points, comm_of(comm), functions, options));
    };
    single ? make(float()) : make(double());
    find_sides(mpi::rank_of(comm_of(comm)), options,
               {options.fields, after ? after->results : at_points.results});
    input_.is_complex = output_.is_complex;
  }
};

}  // namespace

void add_maps(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Given>(module, "MapFunction", "A function of a map, as it is called.")
      .def(
          "__init__",
          [](Given* made, nb::object fill, std::uint64_t address, std::uint64_t context,
             int arguments, std::string const& name, int fields, int results, bool tells) {
            new (made)
                Given{std::move(fill), address, context, arguments, name, fields, results, tells};
          },
          "fill"_a.none(), "address"_a, "context"_a, "arguments"_a, "name"_a, "fields"_a,
          "results"_a, "tells"_a);
  nb::class_<PyMap> map(module, "Map",
                        "Transforms back to points, a function there and transforms forward.",
                        nb::type_slots(told_slots<PyMap>));
  map.def(nb::init<Layout const&, std::optional<Layout> const&, std::optional<Layout> const&,
                   std::optional<Given> const&, Given const&, std::optional<Given> const&,
                   std::int64_t, bool, std::vector<double> const&, Index, std::string const&,
                   std::string const&, nb::dict const&>(),
          "points"_a, "coefficients"_a.none(), "results"_a.none(), "before"_a.none(), "at_points"_a,
          "after"_a.none(), "comm"_a, "single"_a, "sides"_a, "batch"_a, "backward"_a, "forward"_a,
          "options"_a)
      .def("apply", &PyMap::apply, "in_"_a, "out"_a.none() = nb::none(),
           nb::sig("def apply(self, in_: numpy.typing.NDArray[typing.Any], out: "
                   "numpy.typing.NDArray[typing.Any] | None = None) -> "
                   "numpy.typing.NDArray[typing.Any]"),
           "Applies the map to this rank's coefficients. Returns `out`, or a new array; `out` may "
           "be `in_`. Collective.")
      .def(
          "breakdown",
          [](PyMap const& made) { return made.visit([](auto const& m) { return m.breakdown(); }); },
          "The passes and exchanges of an execution, in order, with the seconds that this rank has "
          "spent in each since the map was made.");
  def_planned(map);
}

}  // namespace sixstep::python
