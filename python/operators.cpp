// SPDX-License-Identifier: BSD-3-Clause
// Operators and their symbols for Python. operator.py checks what functions of Python return.
#include "sixstep/operator.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core.hpp"
#include "planned.hpp"
#include "runtime/communicator.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::python {

namespace {

/// An array of the components of wave vectors, one row an axis.
nb::object components_of(Index count, Wavevector const* k) {
  auto const axes = static_cast<std::size_t>(k->size()), vectors = static_cast<std::size_t>(count);
  auto const kept = std::make_shared<std::vector<double>>(axes * vectors);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t i = 0; i < vectors; ++i)
      (*kept)[axis * vectors + i] = k[i][static_cast<int>(axis)];
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      kept->data(), {axes, vectors}, owner_of(std::shared_ptr<void>(kept, kept->data()))));
}

/// Calls fill(k, numbers), where k has a row for each axis, and numbers a row for each wave vector.
void call(nb::handle fill, Index count, Wavevector const* k, std::size_t each,
          std::complex<double>* numbers) {
  nb::gil_scoped_acquire const this_thread_runs;
  try {
    nb::ndarray<nb::numpy, std::complex<double>, nb::ndim<2>> const rows(
        numbers, {static_cast<std::size_t>(count), each}, nb::handle());
    fill(components_of(count, k), nb::cast(rows, nb::rv_policy::reference));
  } catch (nb::python_error const& error) {
    throw Error(nb::cast<std::string>(nb::str(error.value())));
  }
}

/// A symbol that fill() writes the numbers of. Those of a single number have no results.
Symbol symbol_of(nb::object fill, int results, int fields, bool is_real) {
  // The library copies and destroys symbols while other threads run Python.
  std::shared_ptr<PyObject> const held(fill.release().ptr(), [](PyObject* object) {
    nb::gil_scoped_acquire const this_thread_runs;
    Py_DECREF(object);
  });
  std::size_t const each =
      results == 0 ? 1 : static_cast<std::size_t>(results) * static_cast<std::size_t>(fields);
  auto const many = [held, each](Index count, Wavevector const* k, std::complex<double>* numbers) {
    if (count > 0) call(held.get(), count, k, each, numbers);
  };
  auto const numbers = is_real ? Symbol::Numbers::real : Symbol::Numbers::complex;
  return results == 0 ? Symbol::many(many, numbers)
                      : Symbol::many_matrices(results, fields, many, numbers);
}

/// An operator in either precision.
class PyOperator : public Planned<Operator> {
 public:
  PyOperator(Layout const& layout, Symbol const& symbol, std::int64_t comm, bool single,
             std::vector<double> const& sides, bool kept, nb::dict const& given) {
    OperatorOptions options;
    static_cast<Options&>(options) =
        converted(comm_of(comm), [&] { return options_of(given, layout.axes()); });
    options.sides = sides;
    options.kept = kept;
    {
      nb::gil_scoped_release const others_run;
      if (single)
        made_ = Operator<float>(layout, comm_of(comm), symbol, options);
      else
        made_ = Operator<double>(layout, comm_of(comm), symbol, options);
    }
    find_sides(mpi::rank_of(comm_of(comm)), options,
               {options.fields, symbol.is_matrix() ? symbol.results() : options.fields});
    output_.is_complex = input_.is_complex;
    comm_ = mpi::Communicator::duplicate(comm_of(comm));
  }

  nb::object apply(nb::handle in, nb::object out) {
    auto const [source, target] = arrays_of(in, out, input_, output_);
    nb::gil_scoped_release const others_run;
    visit([&, from = source, to = target]<class Real>(Operator<Real>& made) {
      using Complex = std::complex<Real>;
      if (input_.is_complex)
        made.apply(static_cast<Complex const*>(from), static_cast<Complex*>(to));
      else
        made.apply(static_cast<Real const*>(from), static_cast<Real*>(to));
    });
    return out;
  }

  void renew(Symbol const& symbol) {
    nb::gil_scoped_release const others_run;
    visit([&](auto& made) { made.renew(symbol); });
  }
  /// Replaces renew().
  void fail(std::string const& message) const {
    nb::gil_scoped_release const others_run;
    mpi::agree(comm_, message, ErrorCode::argument);
  }

 private:
  mpi::Communicator comm_;
};

}  // namespace

void add_symbols(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Symbol>(module, "Symbol",
                     "The factors by which an operator multiplies waves, as a function of k.")
      .def_static("function", &symbol_of, "fill"_a, "results"_a, "fields"_a, "is_real"_a,
                  "A symbol that fill(k, numbers) writes the numbers of.")
      .def_static("derivative", &symbols::derivative, "axis"_a, "order"_a = 1,
                  "The derivative of this order along an axis: (i k_a)^order.")
      .def_static("laplacian", &symbols::laplacian, "The sum of the second derivatives: -|k|^2.")
      .def_static("inverse_laplacian", &symbols::inverse_laplacian,
                  "The solution of laplacian u = f whose mean is 0: -1/|k|^2, and 0 at k = 0.")
      .def_static("helmholtz", &symbols::helmholtz, "alpha"_a,
                  "The solution of (alpha - laplacian) u = f: 1 / (alpha + |k|^2).")
      .def_static("gaussian", &symbols::gaussian, "sigma"_a,
                  "A convolution with a Gaussian of standard deviation sigma: "
                  "exp(-|k|^2 sigma^2 / 2).")
      .def_static("lowpass", &symbols::lowpass, "limit"_a,
                  "Keeps waves with |k| <= limit, and drops the others.")
      .def_static(
          "shift",
          [](std::vector<double> const& distance) {
            return symbols::shift(PerAxis<double>(distance));
          },
          "distance"_a,
          "u(x - distance): exp(-i k distance). `distance` has a component for each axis.")
      .def_static("curl", &symbols::curl, "From a vector field in three fields to its curl.")
      .def_static("gradient", &symbols::gradient, "axes"_a,
                  "From a field to its gradient, in as many fields as there are axes.")
      .def_static("divergence", &symbols::divergence, "axes"_a,
                  "From a vector field, in as many fields as there are axes, to its divergence.")
      .def_static("project", &symbols::project, "axes"_a,
                  "From a vector field, in as many fields as there are axes, to its part without "
                  "divergence. The mean stays.");
}

void add_operators(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyOperator> op(module, "Operator",
                            "A transform, a product with a symbol and the transform back.");
  op.def(nb::init<Layout const&, Symbol const&, std::int64_t, bool, std::vector<double> const&,
                  bool, nb::dict const&>(),
         "layout"_a, "symbol"_a, "comm"_a, "single"_a, "sides"_a, "kept"_a, "options"_a)
      .def("apply", &PyOperator::apply, "in_"_a, "out"_a.none() = nb::none(),
           nb::sig("def apply(self, in_: numpy.typing.NDArray[typing.Any], out: "
                   "numpy.typing.NDArray[typing.Any] | None = None) -> "
                   "numpy.typing.NDArray[typing.Any]"),
           "Applies the operator to this rank's part of the input. Returns `out`, or a new array; "
           "`out` may be `in_`. Collective.")
      .def("renew", &PyOperator::renew, "symbol"_a,
           "Takes another symbol of the same size from now on. Collective.")
      .def("fail", &PyOperator::fail, "message"_a,
           "Replaces renew() on a rank whose symbol is wrong: all ranks raise Error.")
      .def(
          "breakdown",
          [](PyOperator const& made) {
            return made.visit([](auto const& o) { return o.breakdown(); });
          },
          "The passes and exchanges of an execution, in order, with the seconds that this rank has "
          "spent in each since the operator was made.");
  def_planned(op);
}

}  // namespace sixstep::python
