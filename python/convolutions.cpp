// SPDX-License-Identifier: BSD-3-Clause
// Convolutions for Python, and Poisson's equation in free space, which is one.
#include "sixstep/convolution.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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
        made_ = Convolution<float>(signal, kernel, comm_of(comm), options);
      else
        made_ = Convolution<double>(signal, kernel, comm_of(comm), options);
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
                std::vector<double> const& spacing, std::string const& greens_function,
                std::vector<std::string> const& walls, std::vector<std::string> const& points,
                std::vector<double> const& shift, nb::object const& function,
                std::string const& space, nb::dict const& given) {
    OpenPoissonOptions options;
    static_cast<Options&>(options) = converted(comm_of(comm), [&] {
      options.greens_function = value_of<GreensFunction>("greens_function", greens_function);
      options.walls = values_of<Walls>("walls", walls);
      options.points = values_of<Points>("points", points);
      options.space = value_of<GreensSpace>("space", space);
      return options_of(given, layout.axes());
    });
    options.spacing = spacing;
    options.shift = shift;
    if (!function.is_none()) options.function = greens_function_of(function);
    {
      nb::gil_scoped_release const others_run;
      if (single)
        made_ = std::move(OpenPoisson<float>(layout, comm_of(comm), options).convolution());
      else
        made_ = std::move(OpenPoisson<double>(layout, comm_of(comm), options).convolution());
    }
    Options of_reals = options;
    of_reals.kinds = {Kind::r2c};
    find_sides(comm, of_reals);
  }

  void set_kernel(nb::handle kernel) {
    void const* const source = source_of("kernel", kernel, kernel_);
    nb::gil_scoped_release const others_run;
    with_elements([&]<class Element>(auto& made, Element) {
      made.set_kernel(static_cast<Element const*>(source));
    });
  }

  nb::object apply(nb::handle in, nb::object out) {
    auto const [source, target] = arrays_of(in, out, input_, output_);
    nb::gil_scoped_release const others_run;
    with_elements([from = source, to = target]<class Element>(auto& made, Element) {
      made.apply(static_cast<Element const*>(from), static_cast<Element*>(to));
    });
    return out;
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
};

}  // namespace

void add_convolutions(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyConvolution> made(module, "Convolution", "A convolution with a kernel.");
  made.def(nb::init<Layout const&, Layout const&, std::int64_t, bool, std::string const&, bool,
                    nb::dict const&>(),
           "signal"_a, "kernel"_a, "comm"_a, "single"_a, "mode"_a, "correlate"_a, "options"_a)
      .def(nb::init<Layout const&, std::int64_t, bool, std::vector<double> const&,
                    std::string const&, std::vector<std::string> const&,
                    std::vector<std::string> const&, std::vector<double> const&, nb::object const&,
                    std::string const&, nb::dict const&>(),
           "layout"_a, "comm"_a, "single"_a, "spacing"_a, "greens_function"_a, "walls"_a,
           "points"_a, "shift"_a, "function"_a.none(), "space"_a, "options"_a,
           "The solution of Poisson's equation in free space.")
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
