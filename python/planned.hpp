// SPDX-License-Identifier: BSD-3-Clause
// Planned: what plans and operators have in common in Python: either precision, the arrays of both
// sides, lent memory, and what they tell.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core.hpp"
#include "sides.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/options.hpp"

namespace sixstep::python {

/// A plan or an operator in either precision.
template <template <class> class Made>
class Planned {
 public:
  /// Calls use() with the plan in its precision.
  template <class Use>
  auto visit(Use const& use) const {
    return std::visit([&](auto const& made) { return use(std::as_const(*made)); }, made_);
  }
  template <class Use>
  auto visit(Use const& use) {
    return std::visit([&](auto const& made) { return use(*made); }, made_);
  }

  /// Arrays in memory that the ranks of a node share.
  nb::object empty_input() { return array_over(input_, allocate()); }
  nb::object empty_output() { return array_over(output_, allocate()); }
  nb::object empty_in_place() {
    std::shared_ptr<void> const memory = allocate();
    return nb::make_tuple(array_over(input_, memory), array_over(output_, memory));
  }

  /// The shape, the strides in bytes and the type of an array on a side.
  nb::tuple form(bool of_input) const {
    Side const& side = of_input ? input_ : output_;
    nb::list shape, strides;
    for (std::size_t const extent : side.shape) shape.append(extent);
    for (std::int64_t const stride : side.strides)
      strides.append(stride * static_cast<Index>(side.element_bytes()));
    return nb::make_tuple(nb::tuple(shape), nb::tuple(strides), side.dtype_name());
  }

  /// Applies an operator or a map to an array. Makes `out` if it is None.
  nb::object apply(nb::handle in, nb::object out) {
    bool const is_new = out.is_none();
    auto const [source, target] = arrays_of(in, out, input_, output_);
    {
      nb::gil_scoped_release const others_run;
      visit([&, from = source, to = target]<class Real>(Made<Real>& made) {
        using Complex = std::complex<Real>;
        if (input_.is_complex)
          made.apply(static_cast<Complex const*>(from), static_cast<Complex*>(to));
        else
          made.apply(static_cast<Real const*>(from), static_cast<Real*>(to));
      });
    }
    return is_new ? as_kind_of(in, out) : out;
  }

  void on_detection(nb::object const& function) {
    std::shared_ptr<PyObject> const held = function.is_none() ? nullptr : held_by_library(function);
    visit([&](auto& plan) { plan.on_detection(told_of(held, "on_detection")); });
    told_ = held;
  }
  /// The function that is told of wrong executions; null: there is none.
  PyObject* told() const { return told_.get(); }

  void set_workspace(nb::object memory) {
    Lent const lent = lent_of(memory);
    visit([&](auto& plan) { plan.set_workspace(lent.first, lent.bytes); });
    workspace_ = std::move(memory);
  }

 protected:
  /// Where an execution reads and writes.
  struct Arrays {
    void const* source;
    void* target;
  };
  /// The numbers of arrays on both sides.
  struct Fields {
    int input;
    int output;
  };

  void find_sides(int rank, Options const& options, Fields const& fields) {
    bool const r2c = std::count(options.kinds.begin(), options.kinds.end(), Kind::r2c) > 0;
    bool const c2c = options.kinds.empty() ||
                     std::count(options.kinds.begin(), options.kinds.end(), Kind::c2c) > 0;
    visit([&]<class Real>(Made<Real> const& plan) {
      input_ = side_of(plan.input(), plan.input_strides(), rank, fields.input, options);
      output_ = side_of(plan.output(), plan.output_strides(), rank, fields.output, options);
      input_.is_complex = !r2c && c2c;
      output_.is_complex = r2c || c2c;
      input_.is_single = output_.is_single = sizeof(Real) == sizeof(float);
      input_.size = plan.input_size();
      output_.size = plan.output_size();
    });
    preserves_input_ = options.preserve_input;
  }

  /// Makes `out` if it is None. Errors: an array does not fit.
  Arrays arrays_of(nb::handle in, nb::object& out, Side const& from, Side const& to) const {
    void const* const source = preserves_input_ ? source_of("in", in, from)
                                                : target_of("in, with preserve_input=False", in,
                                                            from);  // it is overwritten
    require(!out.is_none() || to.device == Device::none, "out: an array on the device ",
            to_string(to.device), " is needed; empty_output() and empty_input() make one");
    if (out.is_none()) out = private_array(to);
    return {source, target_of("out", out, to)};
  }

  // These outlive the plan: lent memory, a stream's owner, and arrays of executions that are not
  // waited for yet.
  nb::object workspace_;
  nb::object stream_owner_;
  std::vector<nb::object> in_use_;
  std::variant<std::shared_ptr<Made<double>>, std::shared_ptr<Made<float>>> made_;
  Side input_;
  Side output_;

 private:
  std::shared_ptr<void> allocate() {
    nb::gil_scoped_release const others_run;
    std::shared_ptr<void> memory;
    visit([&](auto& plan) { memory = plan.allocate(); });
    return memory;
  }

  bool preserves_input_ = true;
  std::shared_ptr<PyObject> told_;
};

/// The function that is told may refer to the plan: Python finds such cycles, and breaks them.
template <class PyPlanned>
int traverse_told(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PyPlanned>(self)->told());
  return 0;
}
template <class PyPlanned>
int clear_told(PyObject* self) {
  nb::inst_ptr<PyPlanned>(self)->on_detection(nb::none());
  return 0;
}
template <class PyPlanned>
inline PyType_Slot told_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(&traverse_told<PyPlanned>)},
    {Py_tp_clear, reinterpret_cast<void*>(&clear_told<PyPlanned>)},
    {0, nullptr}};

/// Adds the functions for arrays and lent memory.
template <class PyPlanned>
void def_arrays(nb::class_<PyPlanned>& bound) {
  using nb::literals::operator""_a;
  bound
      .def("empty_input", &PyPlanned::empty_input,
           nb::sig("def empty_input(self) -> numpy.typing.NDArray[typing.Any]"),
           "An uninitialised array for this rank's part of the input, in memory that the ranks of "
           "a node share, which is the fastest. On a device it is a DeviceArray. Collective.")
      .def("empty_output", &PyPlanned::empty_output,
           nb::sig("def empty_output(self) -> numpy.typing.NDArray[typing.Any]"),
           "As empty_input(), for the output.")
      .def("empty_in_place", &PyPlanned::empty_in_place,
           nb::sig("def empty_in_place(self) -> tuple[numpy.typing.NDArray[typing.Any], "
                   "numpy.typing.NDArray[typing.Any]]"),
           "Input and output arrays in the same memory, for transforms in place.")
      .def(
          "form", &PyPlanned::form, "of_input"_a,
          nb::sig("def form(self, of_input: bool) -> tuple[tuple[int, ...], tuple[int, ...], str]"),
          "The shape, the strides in bytes and the type of this rank's input, or of its output.")
      .def_prop_ro(
          "workspace_bytes",
          [](PyPlanned const& planned) {
            return planned.visit([](auto const& p) { return p.workspace_bytes(); });
          },
          "Bytes of work memory that this rank needs beyond its arrays.")
      .def("set_workspace", &PyPlanned::set_workspace, "memory"_a,
           nb::sig("def set_workspace(self, memory: numpy.typing.NDArray[typing.Any]) -> None"),
           "Lends memory to a plan that was made with own_workspace=False. From its first address "
           "that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 "
           "always suffice. Not collective.");
}

/// Adds the methods of Planned, and what plans and operators tell.
template <class PyPlanned>
void def_planned(nb::class_<PyPlanned>& bound) {
  using nb::literals::operator""_a;
  auto const from = [](auto get) {
    return [get](PyPlanned const& planned) { return planned.visit(get); };
  };
  def_arrays(bound);
  bound.def_prop_ro("input", from([](auto const& p) { return p.input(); }))
      .def_prop_ro("output", from([](auto const& p) { return p.output(); }))
      .def_prop_ro("input_box", from([](auto const& p) { return slices_of(p.input_box()); }),
                   "This rank's box of the input: slices of an array of the global shape.")
      .def_prop_ro("output_box", from([](auto const& p) { return slices_of(p.output_box()); }),
                   "This rank's box of the output.")
      .def("describe", from([](auto const& p) { return p.describe(); }),
           "The plan in words: stages, exchanges, passes over memory, bytes.")
      .def_prop_ro("passes", from([](auto const& p) { return p.passes(); }))
      .def_prop_ro("exchanges", from([](auto const& p) { return p.exchanges(); }))
      .def_prop_ro("threads", from([](auto const& p) { return p.threads(); }))
      .def_prop_ro("communication_seconds",
                   from([](auto const& p) { return p.communication_seconds(); }),
                   "Seconds that this rank has spent in communication since the plan was made.")
      .def("verified", from([](auto const& p) { return p.verified(); }),
           "What the option verify has found so far.")
      .def("on_detection", &PyPlanned::on_detection, "told"_a.none(),
           nb::sig("def on_detection(self, told: collections.abc.Callable[[Detection], object] | "
                   "None) -> None"),
           "Calls `told` with a Detection on every rank whenever the option verify finds an "
           "execution to be wrong, before it returns or raises. `told` must not use the plan; what "
           "it raises is printed. None: calls nobody.")
      .def(
          "predict",
          [](PyPlanned const& planned, std::string const& machine_file) {
            nb::gil_scoped_release const others_run;
            return planned.visit([&](auto const& p) { return p.predict(machine_file); });
          },
          "machine_file"_a = "",
          "Predicts the time of an execution, forward, on the machine that a file of `sixstep tune "
          "--machine` describes; without a name, on this machine. Nothing is run. Collective.")
      .def(
          "write_trace",
          [](PyPlanned& planned) {
            nb::gil_scoped_release const others_run;
            planned.visit([](auto& p) { p.write_trace(); });
          },
          "Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. "
          "Collective.")
      .def("__str__", from([](auto const& p) { return p.describe(); }));
}

}  // namespace sixstep::python
