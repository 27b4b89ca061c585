// SPDX-License-Identifier: BSD-3-Clause
// Operators and their symbols for Python. operator.py checks what functions of Python return.
#include "sixstep/operator.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
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
  called_by_library([&] {
    nb::ndarray<nb::numpy, std::complex<double>, nb::ndim<2>> const rows(
        numbers, {static_cast<std::size_t>(count), each}, nb::handle());
    fill(components_of(count, k), nb::cast(rows, nb::rv_policy::reference));
  });
}

/// A symbol that fill() writes the numbers of. Those of a single number have no results.
Symbol symbol_of(nb::object fill, int results, int fields, bool is_real) {
  std::shared_ptr<PyObject> const held = held_by_library(std::move(fill));
  std::size_t const each =
      results == 0 ? 1 : static_cast<std::size_t>(results) * static_cast<std::size_t>(fields);
  auto const many = [held, each](Index count, Wavevector const* k, std::complex<double>* numbers) {
    if (count > 0) call(held.get(), count, k, each, numbers);
  };
  auto const numbers = is_real ? Symbol::Numbers::real : Symbol::Numbers::complex;
  return results == 0 ? Symbol::many(many, numbers)
                      : Symbol::many_matrices(results, fields, many, numbers);
}

/// A symbol whose factors are factor(axis, k).
Symbol product_of(nb::object factor, int axes, bool is_real) {
  std::shared_ptr<PyObject> const held = held_by_library(std::move(factor));
  std::vector<Symbol::Factor> factors;
  for (int axis = 0; axis < axes; ++axis)
    factors.push_back([held, axis](double k) {
      return called_by_library(
          [&] { return nb::cast<std::complex<double>>(nb::handle(held.get())(axis, k)); });
    });
  return Symbol::product(std::move(factors),
                         is_real ? Symbol::Numbers::real : Symbol::Numbers::complex);
}

/// A symbol whose numbers are at an address, in a NumPy type.
Symbol array_of(Layout const& layout, std::uintptr_t address, Index size,
                std::string const& dtype) {
  auto const made = [&]<class Number>(Number) {
    return Symbol::array(layout, reinterpret_cast<Number const*>(address), size);
  };
  if (dtype == "float64") return made(double());
  if (dtype == "float32") return made(float());
  if (dtype == "complex64") return made(std::complex<float>());
  return made(std::complex<double>());
}

/// The symbol of the adjoint operator: conjugates, and transposed matrices.
Symbol adjoint_of(Symbol const& symbol, int axes) {
  if (symbol.is_real() && !symbol.is_matrix()) return symbol;
  auto const numbers = symbol.is_real() ? Symbol::Numbers::real : Symbol::Numbers::complex;
  if (symbol.is_product()) {
    std::vector<Symbol::Factor> factors;
    for (int axis = 0; axis < axes; ++axis)
      factors.push_back(
          [factor = symbol.factor(axis, axes)](double k) { return std::conj(factor(k)); });
    return Symbol::product(std::move(factors), numbers);
  }
  auto const results = static_cast<std::size_t>(symbol.results()),
             fields = static_cast<std::size_t>(symbol.fields());
  auto const many = [=](Index count, Wavevector const* k, std::complex<double>* written) {
    std::vector<std::complex<double>> given(static_cast<std::size_t>(count) * results * fields);
    symbol.at(count, k, given.data());
    std::size_t const each = results * fields;
    for (std::size_t at = 0; at < given.size(); ++at) {
      std::size_t const matrix = at / each * each, row = at % each / fields, column = at % fields;
      written[matrix + column * results + row] = std::conj(given[at]);
    }
  };
  return symbol.is_matrix()
             ? Symbol::many_matrices(symbol.fields(), symbol.results(), many, numbers)
             : Symbol::many(many, numbers);
}

/// An operator in either precision.
class PyOperator : public Planned<Operator> {
 public:
  PyOperator(Layout const& layout, Symbol const& symbol, std::int64_t comm, bool single,
             std::vector<double> const& sides, bool kept, nb::dict const& given,
             std::optional<Layout> const& result, std::vector<Index> const& lengths,
             std::vector<Index> const& first) {
    OperatorOptions options;
    static_cast<Options&>(options) = converted(comm_of(comm), [&] {
      Options const all = options_of(given, layout.axes());
      require(all.device == Device::none, "device: operators of Python run on the host");
      return all;
    });
    options.sides = sides;
    options.kept = kept;
    {
      nb::gil_scoped_release const others_run;
      auto const made = [&]<class Real>(Real) {
        if (!result)
          return std::make_shared<Operator<Real>>(layout, comm_of(comm), symbol, options);
        return std::make_shared<Operator<Real>>(layout, OperatorResult{*result, lengths, first},
                                                comm_of(comm), symbol, options);
      };
      if (single)
        made_ = made(float());
      else
        made_ = made(double());
    }
    find_sides(mpi::rank_of(comm_of(comm)), options,
               {options.fields, symbol.is_matrix() ? symbol.results() : options.fields});
    output_.is_complex = input_.is_complex;
    comm_ = mpi::Communicator::duplicate(comm_of(comm));
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

/// Adds a function that makes a symbol with derivatives. `names` are those of its first arguments.
template <class... Given>
void add_derivatives(nb::class_<Symbol>& bound, char const* name,
                     std::type_identity_t<Symbol (*)(Given..., Differences)> make, char const* doc,
                     auto const&... names) {
  using nb::literals::operator""_a;
  auto const made = [make](Given... given, int accuracy, std::vector<double> const& spacing,
                           std::string const& faces) {
    std::optional<Faces> const where = named<Faces>(faces);
    require(where.has_value(), "faces: ", names_in_words<Faces>(), " is needed, ", faces,
            " was given");
    return make(given..., {accuracy, PerAxis<double>(spacing), *where});
  };
  bound.def_static(name, made, names..., nb::kw_only(), "accuracy"_a = 0,
                   "spacing"_a = std::vector<double>(), "faces"_a = "none", doc);
}

/// Adds the symbols of derivatives.
void add_all_derivatives(nb::class_<Symbol>& bound) {
  using nb::literals::operator""_a;
  add_derivatives<int, int>(
      bound, "derivative", &symbols::derivative,
      "The derivative of this order along an axis: (i k_a)^order. With faces, one of "
      "odd order leads from points to faces.",
      "axis"_a, "order"_a = 1);
  add_derivatives<>(bound, "laplacian", &symbols::laplacian,
                    "The sum of the second derivatives: -|k|^2.");
  add_derivatives<>(bound, "inverse_laplacian", &symbols::inverse_laplacian,
                    "The solution of laplacian u = f whose mean is 0: -1/|k|^2, and 0 at k = 0.");
  add_derivatives<double>(bound, "helmholtz", &symbols::helmholtz,
                          "The solution of (alpha - laplacian) u = f: 1 / (alpha + |k|^2).",
                          "alpha"_a);
  add_derivatives<int>(
      bound, "gradient", &symbols::gradient,
      "From a field to its gradient, in as many fields as there are axes; with faces, "
      "from points to faces.",
      "axes"_a);
  add_derivatives<int>(
      bound, "divergence", &symbols::divergence,
      "From a vector field, in as many fields as there are axes, to its divergence; "
      "with faces, from faces to points.",
      "axes"_a);
  add_derivatives<int>(
      bound, "project", &symbols::project,
      "From a vector field, in as many fields as there are axes, to its part without "
      "divergence. The mean stays.",
      "axes"_a);
}

}  // namespace

void add_symbols(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Symbol> bound(module, "Symbol", nb::dynamic_attr(),
                           "The factors by which an operator multiplies waves, as a function of k."
                           "\n\nDerivatives are exact with accuracy=0, or finite differences of "
                           "second or fourth order (2, 4) of points that are `spacing` apart along "
                           "each axis. With faces=\"above\" or \"below\" component a of a vector "
                           "lies half a spacing after or before its scalar along axis a.");
  add_all_derivatives(bound);
  bound
      .def("adjoint", &adjoint_of, "axes"_a,
           "The symbol of the adjoint operator in a layout of so many axes.")
      .def_prop_ro(
          "is_self_adjoint",
          [](Symbol const& symbol) { return symbol.is_real() && !symbol.is_matrix(); },
          "Whether the symbol is known to be that of its own adjoint: real numbers.")
      .def_static("product", &product_of, "factor"_a, "axes"_a, "is_real"_a,
                  "A symbol that is the product of factor(axis, k) over all axes.")
      .def_static("array", &array_of, "layout"_a, "address"_a, "size"_a, "dtype"_a,
                  "A symbol with a number for each coefficient, in an array at an address.")
      .def_static("function", &symbol_of, "fill"_a, "results"_a, "fields"_a, "is_real"_a,
                  "A symbol that fill(k, numbers) writes the numbers of.")
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
      .def_static("curl", &symbols::curl, "From a vector field in three fields to its curl.");
}

void add_operators(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyOperator> op(module, "Operator",
                            "A transform, a product with a symbol and the transform back.",
                            nb::type_slots(told_slots<PyOperator>));
  op.def(nb::init<Layout const&, Symbol const&, std::int64_t, bool, std::vector<double> const&,
                  bool, nb::dict const&, std::optional<Layout> const&, std::vector<Index> const&,
                  std::vector<Index> const&>(),
         "layout"_a, "symbol"_a, "comm"_a, "single"_a, "sides"_a, "kept"_a, "options"_a,
         "result"_a.none() = nb::none(), "result_lengths"_a = std::vector<Index>(),
         "first"_a = std::vector<Index>())
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
