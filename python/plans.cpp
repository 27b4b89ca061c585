// SPDX-License-Identifier: BSD-3-Clause
// Plans for Python: NumPy arrays in and out.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::python {

namespace {

using Array = nb::ndarray<nb::device::cpu>;
using NumPy = nb::ndarray<nb::numpy>;

/// How a rank's array of one side of a plan lies, as NumPy has it.
struct Side {
  bool is_complex = true;
  bool is_single = false;
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  Index size = 0;                     // elements of memory
  std::string layout = {};

  nb::dlpack::dtype dtype() const {
    std::uint8_t const bits = is_single ? 32 : 64;
    if (!is_complex) return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), bits, 1};
    return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex),
            static_cast<std::uint8_t>(2 * bits), 1};
  }
  char const* dtype_name() const {
    return is_complex ? (is_single ? "complex64" : "complex128")
                      : (is_single ? "float32" : "float64");
  }
};

std::string to_words(std::vector<std::int64_t> const& counts) {
  std::string words;
  for (std::int64_t count : counts) words += text(words.empty() ? "" : ", ", count);
  return "(" + words + (counts.size() == 1 ? ",)" : ")");
}

/// Errors: another type, shape or order of elements than the side's.
void check(char const* name, Array const& array, Side const& side) {
  bool fits = array.dtype() == side.dtype() && array.ndim() == side.shape.size();
  bool is_empty = false;
  for (std::size_t axis = 0; fits && axis < side.shape.size(); ++axis) {
    fits = array.shape(axis) == side.shape[axis];
    is_empty = is_empty || side.shape[axis] == 0;
  }
  for (std::size_t axis = 0; fits && !is_empty && axis < side.shape.size(); ++axis)
    fits = side.shape[axis] == 1 || array.stride(axis) == side.strides[axis];
  if (fits) return;
  std::vector<std::int64_t> shape, strides;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
    shape.push_back(static_cast<std::int64_t>(array.shape(axis)));
    strides.push_back(array.stride(axis));
  }
  throw Error(text(name, ": an array of ", side.dtype_name(), " of shape ",
                   to_words({side.shape.begin(), side.shape.end()}), ", its elements ",
                   to_words(side.strides), " apart, is needed for this rank's part of ",
                   side.layout, "; one of ",
                   array.dtype() == side.dtype() ? "that type" : "another type", ", of shape ",
                   to_words(shape), ", ", to_words(strides), " apart, was given"));
}

Kind kind_named(std::string const& name) {
  for (int kind = 0; kind <= static_cast<int>(Kind::dst4); ++kind)
    if (to_string(static_cast<Kind>(kind)) == name) return static_cast<Kind>(kind);
  throw Error(
      text("kinds: c2c, r2c, dct1 to dct4 or dst1 to dst4 are possible, ", name, " was given"));
}

template <class Value, class All>
Value named(char const* option, std::string const& name, All const& all) {
  std::string possible;
  for (Value const value : all) {
    if (to_string(value) == name) return value;
    possible += text(possible.empty() ? "" : ", ", to_string(value));
  }
  throw Error(text(option, ": ", possible, " are possible, ", name, " was given"));
}

}  // namespace

Options options_of(nb::dict const& given) {
  Options options;
  std::size_t read = 0;
  for_each_option(options, [&](std::string_view name, auto& value) {
    nb::str const key(name.data(), name.size());
    if (!given.contains(key)) return;
    ++read;
    nb::handle const object = given[key];
    using Value = std::decay_t<decltype(value)>;
    std::string const word(name);
    try {
      if constexpr (std::is_same_v<Value, std::vector<Kind>>) {
        std::vector<std::string> names;
        if (nb::isinstance<nb::str>(object))
          names = {nb::cast<std::string>(object)};
        else
          names = nb::cast<std::vector<std::string>>(object);
        for (std::string const& each : names) value.push_back(kind_named(each));
      } else if constexpr (std::is_same_v<Value, Exchange>) {
        value = named<Value>(word.c_str(), nb::cast<std::string>(object), all_exchanges);
      } else if constexpr (std::is_same_v<Value, Driver>) {
        value = named<Value>(word.c_str(), nb::cast<std::string>(object), all_drivers);
      } else if constexpr (std::is_same_v<Value, Local>) {
        value = named<Value>(word.c_str(), nb::cast<std::string>(object), all_locals);
      } else if constexpr (std::is_same_v<Value, Device>) {
        value = named<Value>(word.c_str(), nb::cast<std::string>(object), all_devices);
      } else if constexpr (std::is_same_v<Value, TuningLevel>) {
        value = named<Value>(word.c_str(), nb::cast<std::string>(object), all_tuning_levels);
      } else {
        value = nb::cast<Value>(object);
      }
    } catch (nb::cast_error const&) {
      throw Error(text(word, ": ", nb::cast<std::string>(nb::repr(object)),
                       " is of another type than this option"));
    }
  });
  if (read == given.size()) return options;
  for (auto const& [key, value] : given) {
    bool known = false;
    for_each_option(options, [&](std::string_view name, auto const&) {
      known = known || nb::cast<std::string>(key) == name;
    });
    require(known, nb::cast<std::string>(key), ": there is no such option");
  }
  return options;
}

Scale scale_of(std::string const& name) {
  if (name == "none") return Scale::none;
  if (name == "by_n") return Scale::by_n;
  require(name == "by_sqrt_n", "scale: none, by_n or by_sqrt_n is needed, ", name, " was given");
  return Scale::by_sqrt_n;
}

namespace {

/// A plan in either precision.
class PyPlan {
 public:
  /// Calls use() with the plan of the precision that there is.
  template <class Use>
  auto visit(Use const& use) const {
    return std::visit(use, plan_);
  }
  template <class Use>
  auto visit(Use const& use) {
    return std::visit(use, plan_);
  }

  PyPlan(Layout const& input, std::optional<Layout> const& output, std::int64_t comm, bool single,
         nb::dict const& given) {
    Options options = converted(comm_of(comm), [&] { return options_of(given); });
    int const axes = input.axes();
    for (int& axis : options.axes) axis += axis < 0 ? axes : 0;
    {
      nb::gil_scoped_release const others_run;
      if (single)
        make<float>(input, output, comm, options);
      else
        make<double>(input, output, comm, options);
    }
    bool const r2c = std::count(options.kinds.begin(), options.kinds.end(), Kind::r2c) > 0;
    bool const c2c = options.kinds.empty() ||
                     std::count(options.kinds.begin(), options.kinds.end(), Kind::c2c) > 0;
    visit([&](auto const& plan) {
      int rank = 0;
      MPI_Comm_rank(comm_of(comm), &rank);
      input_ = side(plan.input(), plan.input_strides(), rank, options);
      output_ = side(plan.output(), plan.output_strides(), rank, options);
      input_.is_complex = !r2c && c2c;
      output_.is_complex = r2c || c2c;
      input_.is_single = output_.is_single = single;
      input_.size = plan.input_size();
      output_.size = plan.output_size();
    });
  }

  nb::object execute(Array const& in, std::optional<Array> const& out, bool forward,
                     std::string const& scale) {
    Side const &from = forward ? input_ : output_, &to = forward ? output_ : input_;
    check("in", in, from);
    if (out) check("out", *out, to);
    nb::object made = out ? nb::cast(*out) : private_array(to);
    void* const target = out ? out->data() : nb::cast<Array>(made).data();
    Scale const factor = scale_of(scale);
    nb::gil_scoped_release const others_run;
    visit([&](auto& plan) { run(plan, in.data(), target, forward, factor); });
    return made;
  }

  /// Memory of the plan's, which ranks of a node share.
  nb::object empty(bool of_input) {
    std::shared_ptr<void> memory;
    {
      nb::gil_scoped_release const others_run;
      visit([&](auto& plan) { memory = plan.allocate(); });
    }
    return array(of_input ? input_ : output_, std::move(memory));
  }
  nb::object empty_in_place() {
    std::shared_ptr<void> memory;
    {
      nb::gil_scoped_release const others_run;
      visit([&](auto& plan) { memory = plan.allocate(); });
    }
    return nb::make_tuple(array(input_, memory), array(output_, memory));
  }

 private:
  template <class Real>
  void make(Layout const& input, std::optional<Layout> const& output, std::int64_t comm,
            Options const& options) {
    plan_ = output ? Plan<Real>(input, *output, comm_of(comm), options)
                   : Plan<Real>(input, comm_of(comm), options);
  }

  static Side side(Layout const& layout, Shape const& strides, int rank, Options const& options) {
    Side found;
    found.layout = layout.describe();
    Shape const box = layout.local_shape(rank);
    Ghosts const ghosts = layout.ghosts(rank);
    bool const first = options.fields > 1 && !options.interleaved;
    auto const add_fields = [&] {
      found.shape.push_back(static_cast<std::size_t>(options.fields));
      found.strides.push_back(strides[layout.axes()]);
    };
    if (first) add_fields();
    for (int axis = 0; axis < layout.axes(); ++axis) {
      Index const around = ghosts.before.empty() ? 0 : ghosts.before[axis] + ghosts.after[axis];
      found.shape.push_back(static_cast<std::size_t>(box[axis] + around));
      found.strides.push_back(strides[axis]);
    }
    if (options.fields > 1 && options.interleaved) add_fields();
    return found;
  }

  template <class Real>
  void run(Plan<Real>& plan, void const* in, void* out, bool forward, Scale scale) {
    using Complex = std::complex<Real>;
    auto const* const reals = static_cast<Real const*>(in);
    auto const* const values = static_cast<Complex const*>(in);
    Direction const direction = forward ? Direction::forward : Direction::backward;
    if (input_.is_complex)
      plan.execute(values, static_cast<Complex*>(out), direction, scale);
    else if (!output_.is_complex)
      plan.execute(reals, static_cast<Real*>(out), direction, scale);
    else if (forward)
      plan.execute(reals, static_cast<Complex*>(out), scale);
    else
      plan.execute(values, static_cast<Real*>(out), scale);
  }

  static nb::object array(Side const& side, std::shared_ptr<void> memory) {
    void* const data = memory.get();
    return nb::cast(NumPy(data, side.shape.size(), side.shape.data(), owner_of(std::move(memory)),
                          side.strides.data(), side.dtype()));
  }
  static nb::object private_array(Side const& side) {
    std::size_t const element = (side.is_complex ? 2 : 1) * (side.is_single ? 4u : 8u);
    auto const bytes = (static_cast<std::size_t>(side.size) * element / 64 + 1) * 64;
    return array(side, std::shared_ptr<void>(std::aligned_alloc(64, bytes), std::free));
  }

  std::variant<Plan<double>, Plan<float>> plan_;
  Side input_;
  Side output_;
};

nb::tuple tuple_of_doubles(PerAxis<double> const& values) {
  nb::list entries;
  for (double value : values) entries.append(value);
  return nb::tuple(entries);
}

}  // namespace

void add_plans(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyPlan>(module, "Plan", "A transform of an array that is spread over ranks.")
      .def(nb::init<Layout const&, std::optional<Layout> const&, std::int64_t, bool,
                    nb::dict const&>(),
           "input"_a, "output"_a.none(), "comm"_a, "single"_a, "options"_a)
      .def(
          "forward",
          [](PyPlan& plan, Array const& in, std::optional<Array> const& out,
             std::string const& scale) { return plan.execute(in, out, true, scale); },
          nb::arg("in_"), nb::arg("out").none() = nb::none(), nb::arg("scale") = "none",
          "Transforms this rank's part of the input, exp(-2 pi i jk/n), unscaled unless `scale` is "
          "\"by_n\" or \"by_sqrt_n\"; collective. Returns `out`, or a new array.")
      .def(
          "backward",
          [](PyPlan& plan, Array const& in, std::optional<Array> const& out,
             std::string const& scale) { return plan.execute(in, out, false, scale); },
          nb::arg("in_"), nb::arg("out").none() = nb::none(), nb::arg("scale") = "none",
          "The way back, exp(+2 pi i jk/n), from the output's layout to the input's.")
      .def(
          "empty_input", [](PyPlan& plan) { return plan.empty(true); },
          "An array for this rank's part of the input, not initialised, in memory that ranks of a "
          "node share: the fastest there is. Collective.")
      .def(
          "empty_output", [](PyPlan& plan) { return plan.empty(false); },
          "The same for the output.")
      .def("empty_in_place", &PyPlan::empty_in_place,
           "The same memory as input and as output, for transforms in place.")
      .def_prop_ro(
          "input",
          [](PyPlan const& plan) { return plan.visit([](auto const& p) { return p.input(); }); })
      .def_prop_ro(
          "output",
          [](PyPlan const& plan) { return plan.visit([](auto const& p) { return p.output(); }); })
      .def_prop_ro(
          "input_box",
          [](PyPlan const& plan) {
            return plan.visit([](auto const& p) { return slices_of(p.input_box()); });
          },
          "What this rank has of the input: slices of an array of the global shape.")
      .def_prop_ro(
          "output_box",
          [](PyPlan const& plan) {
            return plan.visit([](auto const& p) { return slices_of(p.output_box()); });
          },
          "What this rank has of the output.")
      .def(
          "wavenumbers",
          [](PyPlan const& plan, int axis) {
            return plan.visit([&](auto const& p) {
              return p.wavenumbers(axis < 0 ? axis + p.input().axes() : axis);
            });
          },
          "axis"_a, "The wave numbers of what output_box has along an axis of the input.")
      .def(
          "wavenumber",
          [](PyPlan const& plan, std::vector<Index> const& k) {
            return plan.visit(
                [&](auto const& p) { return tuple_of_doubles(p.wavenumber(Shape(k))); });
          },
          "k"_a, "The wave number along each axis of a point of the output.")
      .def(
          "describe",
          [](PyPlan const& plan) { return plan.visit([](auto const& p) { return p.describe(); }); },
          "The plan in words: stages, exchanges, passes over memory, bytes.")
      .def_prop_ro(
          "passes",
          [](PyPlan const& plan) { return plan.visit([](auto const& p) { return p.passes(); }); })
      .def_prop_ro("exchanges",
                   [](PyPlan const& plan) {
                     return plan.visit([](auto const& p) { return p.exchanges(); });
                   })
      .def_prop_ro(
          "threads",
          [](PyPlan const& plan) { return plan.visit([](auto const& p) { return p.threads(); }); })
      .def("__str__", [](PyPlan const& plan) {
        return plan.visit([](auto const& p) { return p.describe(); });
      });
}

}  // namespace sixstep::python
