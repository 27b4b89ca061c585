// SPDX-License-Identifier: BSD-3-Clause
// Convolutions for Python, and Poisson's equation in free space, which is one.
#include "sixstep/convolution.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core.hpp"
#include "planned.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep::python {

namespace {

template <class Value>
Value value_of(char const* name, std::string const& word) {
  std::optional<Value> const found = named<Value>(word);
  require(found.has_value(), name, ": ", names_in_words<Value>(), " is needed, ", word,
          " was given");
  return *found;
}

template <class Value>
std::vector<Value> values_of(char const* name, std::vector<std::string> const& words) {
  std::vector<Value> values;
  for (std::string const& word : words) values.push_back(value_of<Value>(name, word));
  return values;
}

/// A function of a number for each axis.
std::function<double(PerAxis<double> const&)> greens_function_of(nb::object function) {
  return [held = held_by_library(std::move(function))](PerAxis<double> const& x) {
    return called_by_library([&] {
      nb::list numbers;
      for (double const each : x) numbers.append(each);
      nb::object const value = nb::handle(held.get())(*numbers);
      return nb::cast<double>(nb::float_(value));
    });
  };
}

/// A Green's function: the word of the laplacian's; a function of the caller's, or a layout and
/// this rank's array of numbers, or None; and what it is a function of.
using PyGreens = std::tuple<std::string, nb::object, std::string>;

Greens greens_of(PyGreens const& given) {
  auto const& [word, function, space] = given;
  Greens greens;
  greens.greens_function = value_of<GreensFunction>("greens_function", word);
  greens.space = value_of<GreensSpace>("space", space);
  if (nb::isinstance<nb::tuple>(function)) {
    auto const array =
        nb::cast<nb::ndarray<double const, nb::device::cpu>>(nb::object(function[1]));
    greens.numbers = {nb::cast<Layout>(nb::object(function[0])), array.data(),
                      static_cast<Index>(array.size())};
  } else if (!function.is_none()) {
    greens.function = greens_function_of(function);
  }
  return greens;
}

/// A convolution in either precision.
class PyConvolution : public Planned<Convolution> {
 public:
  PyConvolution(Layout const& signal, Layout const& kernel, std::int64_t comm, bool single,
                std::string const& mode, bool correlate, nb::dict const& given) {
    ConvolutionOptions options;
    static_cast<Options&>(options) = converted(comm_of(comm), [&] {
      options.mode = value_of<ConvolutionMode>("mode", mode);
      return options_of(given, signal.axes());
    });
    options.correlate = correlate;
    {
      nb::gil_scoped_release const others_run;
      if (single)
        made_ = std::make_shared<Convolution<float>>(signal, kernel, comm_of(comm), options);
      else
        made_ = std::make_shared<Convolution<double>>(signal, kernel, comm_of(comm), options);
    }
    find_sides(comm, options);
    kernel_ = side_of(kernel, kernel.strides(mpi::rank_of(comm_of(comm))),
                      mpi::rank_of(comm_of(comm)), 1, options);
    kernel_.is_complex = input_.is_complex;
    kernel_.is_single = input_.is_single;
    kernel_.size = kernel.local_size(mpi::rank_of(comm_of(comm)));
  }

  /// Poisson's equation in free space.
  PyConvolution(Layout const& layout, std::int64_t comm, bool single,
                std::vector<double> const& spacing, std::vector<std::string> const& walls,
                std::vector<std::string> const& points, std::vector<double> const& shift,
                PyGreens const& greens, nb::dict const& given)
      : comm_(comm) {
    OpenPoissonOptions options;
    static_cast<Options&>(options) = converted(comm_of(comm), [&] {
      static_cast<Greens&>(options) = greens_of(greens);
      options.walls = values_of<Walls>("walls", walls);
      options.points = values_of<Points>("points", points);
      return options_of(given, layout.axes());
    });
    options.spacing = spacing;
    options.shift = shift;
    auto const make = [&]<class Real>(Real) {
      auto const solver = std::make_shared<OpenPoisson<Real>>(layout, comm_of(comm), options);
      made_ = std::shared_ptr<Convolution<Real>>(solver, &solver->convolution());
      renew_ = [solver](Greens const& another) { solver->renew(another); };
    };
    {
      nb::gil_scoped_release const others_run;
      if (single)
        make(float());
      else
        make(double());
    }
    Options of_reals = options;
    of_reals.kinds = {Kind::r2c};
    find_sides(comm, of_reals);
  }

  void renew(PyGreens const& given) {
    require(static_cast<bool>(renew_), "renew: a solver in free space is needed");
    Greens const greens = converted(comm_of(comm_), [&] { return greens_of(given); });
    nb::gil_scoped_release const others_run;
    renew_(greens);
  }

  void set_kernel(nb::handle kernel) {
    void const* const source = source_of("kernel", kernel, kernel_);
    nb::gil_scoped_release const others_run;
    with_elements([&]<class Element>(auto& made, Element) {
      made.set_kernel(static_cast<Element const*>(source));
    });
  }

  nb::object apply(nb::handle in, nb::object out) {
    bool const is_new = out.is_none();
    auto const [source, target] = arrays_of(in, out, input_, output_);
    {
      nb::gil_scoped_release const others_run;
      with_elements([from = source, to = target]<class Element>(auto& made, Element) {
        made.apply(static_cast<Element const*>(from), static_cast<Element*>(to));
      });
    }
    return is_new ? as_kind_of(in, out) : out;
  }

 private:
  void find_sides(std::int64_t comm, Options const& options) {
    Planned<Convolution>::find_sides(mpi::rank_of(comm_of(comm)), options,
                                     {options.fields, options.fields});
    output_.is_complex = input_.is_complex;
  }
  template <class Use>
  void with_elements(Use const& use) {
    visit([&]<class Real>(Convolution<Real>& made) {
      if (input_.is_complex)
        use(made, std::complex<Real>());
      else
        use(made, Real());
    });
  }

  Side kernel_;
  // Set by a solver in free space.
  std::int64_t comm_ = 0;
  std::function<void(Greens const&)> renew_;
};

}  // namespace

void add_convolutions(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyConvolution> made(module, "Convolution", "A convolution with a kernel.",
                                 nb::type_slots(told_slots<PyConvolution>));
  made.def(nb::init<Layout const&, Layout const&, std::int64_t, bool, std::string const&, bool,
                    nb::dict const&>(),
           "signal"_a, "kernel"_a, "comm"_a, "single"_a, "mode"_a, "correlate"_a, "options"_a)
      .def(nb::init<Layout const&, std::int64_t, bool, std::vector<double> const&,
                    std::vector<std::string> const&, std::vector<std::string> const&,
                    std::vector<double> const&, PyGreens const&, nb::dict const&>(),
           "layout"_a, "comm"_a, "single"_a, "spacing"_a, "walls"_a, "points"_a, "shift"_a,
           "greens"_a, "options"_a, "The solution of Poisson's equation in free space.")
      .def("renew", &PyConvolution::renew, "greens"_a,
           "Takes another Green's function, of a solver in free space. Collective.")
      .def("set_kernel", &PyConvolution::set_kernel, "kernel"_a,
           nb::sig("def set_kernel(self, kernel: numpy.typing.NDArray[typing.Any]) -> None"),
           "Takes this rank's part of a kernel. Collective.")
      .def("apply", &PyConvolution::apply, "in_"_a, "out"_a.none() = nb::none(),
           nb::sig("def apply(self, in_: numpy.typing.NDArray[typing.Any], out: "
                   "numpy.typing.NDArray[typing.Any] | None = None) -> "
                   "numpy.typing.NDArray[typing.Any]"),
           "Convolves this rank's part of an array. Returns `out`, or a new array. Collective.");
  def_planned(made);
}

}  // namespace sixstep::python
