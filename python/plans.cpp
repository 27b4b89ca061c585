// SPDX-License-Identifier: BSD-3-Clause
// Plans for Python: NumPy arrays in and out.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core.hpp"
#include "runtime/mpi.hpp"
#include "sides.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::python {

namespace {

Sign sign_of(std::string const& name) {
  require(name == "minus" || name == "plus", "sign: minus or plus is needed, ", name, " was given");
  return name == "minus" ? Sign::minus : Sign::plus;
}

Direction direction_of(std::string const& name) {
  require(name == "forward" || name == "backward", "direction: forward or backward is needed, ",
          name, " was given");
  return name == "forward" ? Direction::forward : Direction::backward;
}

}  // namespace

Scale scale_of(std::string const& name) {
  if (name == "none") return Scale::none;
  if (name == "by_n") return Scale::by_n;
  require(name == "by_sqrt_n", "scale: none, by_n or by_sqrt_n is needed, ", name, " was given");
  return Scale::by_sqrt_n;
}

namespace {

/// Whether an array is contiguous in C order.
bool is_dense(nb::ndarray<nb::device::cpu> const& array) {
  std::int64_t step = 1;
  for (std::size_t axis = array.ndim(); axis-- > 0;) {
    if (array.shape(axis) > 1 && array.stride(axis) != step) return false;
    step *= static_cast<std::int64_t>(array.shape(axis));
  }
  return true;
}

/// When an execution returns: execute(), or execute_async().
enum class Returns { done, early };

/// The arguments of an execution.
struct Execution {
  Direction direction;
  Returns returns;
  Scale scale;
  std::optional<Sign> sign;
};

/// A plan in either precision.
class PyPlan {
 public:
  /// Calls use() with the plan in its precision.
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
    // A number that is no axis stays as it is, so that the error shows what the user gave.
    int const axes = input.axes();
    for (int& axis : options.axes) axis += axis < 0 && axis >= -axes ? axes : 0;
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
      int const rank = mpi::rank_of(comm_of(comm));
      input_ = side(plan.input(), plan.input_strides(), rank, options);
      output_ = side(plan.output(), plan.output_strides(), rank, options);
      input_.is_complex = !r2c && c2c;
      output_.is_complex = r2c || c2c;
      input_.is_single = output_.is_single = single;
      input_.device = output_.device = options.device;
      preserves_input_ = options.preserve_input;
      input_.size = plan.input_size();
      output_.size = plan.output_size();
    });
  }

  nb::object execute(nb::object in, nb::object out, Execution const& execution) {
    bool const forward = execution.direction == Direction::forward;
    Side const &from = forward ? input_ : output_, &to = forward ? output_ : input_;
    void const* const source = preserves_input_ ? source_of("in", in, from)
                                                : target_of("in, with preserve_input=False", in,
                                                            from);  // it is overwritten
    require(!out.is_none() || to.device == Device::none, "out: an array on the device ",
            to_string(to.device), " is needed; empty_output() and empty_input() make one");
    if (out.is_none()) out = private_array(to);
    void* const target = target_of("out", out, to);
    {
      nb::gil_scoped_release const others_run;
      visit([&](auto& plan) { run(plan, source, target, execution); });
    }
    if (execution.returns == Returns::early && to.device != Device::none)
      for (nb::object const& array : {in, out})
        if (!std::ranges::any_of(in_use_, [&](nb::object const& o) { return o.is(array); }))
          in_use_.push_back(array);
    return out;
  }

  void wait() {
    std::vector<nb::object> const done = std::exchange(in_use_, {});
    nb::gil_scoped_release const others_run;
    visit([](auto& plan) { plan.wait(); });
  }

  /// An array in memory that the ranks of a node share.
  nb::object empty(bool of_input) { return array_over(of_input ? input_ : output_, allocate()); }
  nb::object empty_in_place() {
    std::shared_ptr<void> const memory = allocate();
    return nb::make_tuple(array_over(input_, memory), array_over(output_, memory));
  }

  /// Lends the memory from its first multiple of 64 bytes on to the plan.
  void set_workspace(nb::object memory) {
    nb::ndarray<nb::device::cpu> given;
    require(nb::try_cast(memory, given) && is_dense(given),
            "memory: a writable NumPy array without gaps is needed, ",
            nb::cast<std::string>(memory.type().attr("__name__")), " was given");
    void* first = given.data();
    std::size_t bytes = given.nbytes();
    if (!std::align(64, std::min<std::size_t>(bytes, 1), first, bytes)) bytes = 0;
    visit([&](auto& plan) { plan.set_workspace(first, bytes); });
    workspace_ = std::move(memory);
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

  std::shared_ptr<void> allocate() {
    nb::gil_scoped_release const others_run;
    std::shared_ptr<void> memory;
    visit([&](auto& plan) { memory = plan.allocate(); });
    return memory;
  }

  template <class Real>
  void run(Plan<Real>& plan, void const* in, void* out, Execution const& execution) {
    using Complex = std::complex<Real>;
    auto const& [direction, returns, scale, sign] = execution;
    auto const* const reals = static_cast<Real const*>(in);
    auto const* const values = static_cast<Complex const*>(in);
    auto const execute = [&plan, early = returns == Returns::early](auto const&... arguments) {
      if (early)
        plan.execute_async(arguments...);
      else
        plan.execute(arguments...);
    };
    require(!sign || input_.is_complex, "sign: None is needed, as this plan has real input");
    if (sign)
      execute(values, static_cast<Complex*>(out), direction, *sign, scale);
    else if (input_.is_complex)
      execute(values, static_cast<Complex*>(out), direction, scale);
    else if (!output_.is_complex)
      execute(reals, static_cast<Real*>(out), direction, scale);
    else if (direction == Direction::forward)
      execute(reals, static_cast<Complex*>(out), scale);
    else
      execute(values, static_cast<Real*>(out), scale);
  }

  nb::object workspace_;            // lent memory, kept alive for the plan
  std::vector<nb::object> in_use_;  // arrays of executions that are not waited for yet
  std::variant<Plan<double>, Plan<float>> plan_;
  Side input_;
  Side output_;
  bool preserves_input_ = true;
};

template <Direction direction, Returns returns>
nb::object execute(PyPlan& plan, nb::object const& in, nb::object const& out,
                   std::string const& scale, std::optional<std::string> const& sign) {
  return plan.execute(
      in, out,
      {direction, returns, scale_of(scale), sign ? std::optional(sign_of(*sign)) : std::nullopt});
}

/// A method that returns get(plan), whichever the precision.
template <class Get>
auto from(Get get) {
  return [get](PyPlan const& plan) { return plan.visit(get); };
}

using Doubles = nb::typed<nb::tuple, double, nb::ellipsis>;

Doubles tuple_of_doubles(PerAxis<double> const& values) {
  nb::list entries;
  for (double value : values) entries.append(value);
  return Doubles(nb::tuple(entries));
}

/// A NumPy array of these numbers.
nb::ndarray<nb::numpy, double, nb::ndim<1>> array_of(std::vector<double> values) {
  auto const kept = std::make_shared<std::vector<double>>(std::move(values));
  return {kept->data(), {kept->size()}, owner_of(std::shared_ptr<void>(kept, kept->data()))};
}

Layout tuned_layout(std::vector<Index> const& extents, std::int64_t comm, bool single,
                    std::string const& output, nb::dict const& given) {
  mpi::Communicator const all = mpi::Communicator::duplicate(comm_of(comm));
  Options options;
  Shape shape;
  Output lies = Output::cheapest;
  mpi::together(all, [&] {
    options = options_of(given);
    lies = named_option<Output>("output", output);
    shape = Shape(extents);
  });
  nb::gil_scoped_release const others_run;
  return single ? Plan<float>::tuned_layout(shape, all.get(), options, lies)
                : Plan<double>::tuned_layout(shape, all.get(), options, lies);
}

}  // namespace

#define EXECUTE_SIGNATURE(name)                                                               \
  "def " name                                                                                 \
  "(self, in_: numpy.typing.NDArray[typing.Any] | DeviceArray, out: "                         \
  "numpy.typing.NDArray[typing.Any] | DeviceArray | None = None, scale: str = 'none', sign: " \
  "str | None = None) -> numpy.typing.NDArray[typing.Any]"

#define EXECUTE_ARGUMENTS \
  "in_"_a, "out"_a.none() = nb::none(), "scale"_a = "none", "sign"_a.none() = nb::none()

void add_plans(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyPlan>(module, "Plan", "A transform of an array that is spread over ranks.")
      .def(nb::init<Layout const&, std::optional<Layout> const&, std::int64_t, bool,
                    nb::dict const&>(),
           "input"_a, "output"_a.none(), "comm"_a, "single"_a, "options"_a)
      .def("forward", &execute<Direction::forward, Returns::done>, EXECUTE_ARGUMENTS,
           nb::sig(EXECUTE_SIGNATURE("forward")),
           "Transforms this rank's part of the input, with exp(-2 pi i jk/n), unscaled unless "
           "`scale` is \"by_n\" or \"by_sqrt_n\". With complex input, `sign` can be \"minus\" or "
           "\"plus\", "
           "the sign of the exponent. Returns `out`, or a new array. Collective.")
      .def("backward", &execute<Direction::backward, Returns::done>, EXECUTE_ARGUMENTS,
           nb::sig(EXECUTE_SIGNATURE("backward")),
           "The backward transform, with exp(+2 pi i jk/n), from the output's layout to the "
           "input's.")
      .def(
          "forward_async", &execute<Direction::forward, Returns::early>, EXECUTE_ARGUMENTS,
          nb::sig(EXECUTE_SIGNATURE("forward_async")),
          "As forward(). On a device it returns as soon as its work is in the device's queue and "
          "no other rank has to be waited for. wait() waits until the work is done; work that "
          "comes "
          "later in a stream from set_stream() waits too. The plan keeps both arrays until wait(). "
          "On the host it is forward().")
      .def("backward_async", &execute<Direction::backward, Returns::early>, EXECUTE_ARGUMENTS,
           nb::sig(EXECUTE_SIGNATURE("backward_async")), "As backward(); see forward_async().")
      .def("wait", &PyPlan::wait, "Waits until all executions that were begun are done.")
      .def(
          "set_stream",
          [](PyPlan& plan, std::uintptr_t stream) {
            plan.visit([&](auto& p) { p.set_stream(reinterpret_cast<void*>(stream)); });
          },
          "stream"_a,
          "Makes a plan on a GPU work in this stream from now on: the address of a cudaStream_t, "
          "such as CuPy's `stream.ptr` and PyTorch's `stream.cuda_stream`. The stream must live "
          "until "
          "the plan gets another one or is destroyed. Before the first call, the plan has a stream "
          "that is in order with the default stream. Raises Error if the plan is not on a GPU.")
      .def(
          "empty_input", [](PyPlan& plan) { return plan.empty(true); },
          nb::sig("def empty_input(self) -> numpy.typing.NDArray[typing.Any]"),
          "An uninitialised array for this rank's part of the input, in memory that the ranks of a "
          "node share, which is the fastest. On a device it is a DeviceArray. Collective.")
      .def(
          "empty_output", [](PyPlan& plan) { return plan.empty(false); },
          nb::sig("def empty_output(self) -> numpy.typing.NDArray[typing.Any]"),
          "As empty_input(), for the output.")
      .def("empty_in_place", &PyPlan::empty_in_place,
           nb::sig("def empty_in_place(self) -> tuple[numpy.typing.NDArray[typing.Any], "
                   "numpy.typing.NDArray[typing.Any]]"),
           "Input and output arrays in the same memory, for transforms in place.")
      .def_prop_ro("workspace_bytes", from([](auto const& p) { return p.workspace_bytes(); }),
                   "Bytes of work memory that this rank needs beyond its arrays.")
      .def("set_workspace", &PyPlan::set_workspace, "memory"_a,
           nb::sig("def set_workspace(self, memory: numpy.typing.NDArray[typing.Any]) -> None"),
           "Lends memory to a plan that was made with own_workspace=False. From its first address "
           "that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 "
           "always "
           "suffice. Not collective.")
      .def_prop_ro("input", from([](auto const& p) { return p.input(); }))
      .def_prop_ro("output", from([](auto const& p) { return p.output(); }))
      .def_prop_ro("input_box", from([](auto const& p) { return slices_of(p.input_box()); }),
                   "This rank's box of the input: slices of an array of the global shape.")
      .def_prop_ro("output_box", from([](auto const& p) { return slices_of(p.output_box()); }),
                   "This rank's box of the output.")
      .def(
          "wavenumbers",
          [](PyPlan const& plan, int axis) {
            return plan.visit([&](auto const& p) {
              int const axes = p.input().axes();
              return array_of(p.wavenumbers(axis < 0 && axis >= -axes ? axis + axes : axis));
            });
          },
          "axis"_a,
          "The wave numbers of the indices that output_box has along an axis of the input.")
      .def(
          "wavenumber",
          [](PyPlan const& plan, std::vector<Index> const& k) {
            return plan.visit(
                [&](auto const& p) { return tuple_of_doubles(p.wavenumber(Shape(k))); });
          },
          "k"_a, "The wave numbers, one an axis, of a point of the output.")
      .def("describe", from([](auto const& p) { return p.describe(); }),
           "The plan in words: stages, exchanges, passes over memory, bytes.")
      .def_prop_ro("passes", from([](auto const& p) { return p.passes(); }))
      .def_prop_ro("exchanges", from([](auto const& p) { return p.exchanges(); }))
      .def_prop_ro("threads", from([](auto const& p) { return p.threads(); }))
      .def_prop_ro("communication_seconds",
                   from([](auto const& p) { return p.communication_seconds(); }),
                   "Seconds that this rank has spent in communication since the plan was made.")
      .def(
          "breakdown",
          [](PyPlan const& plan, std::string const& direction) {
            return plan.visit([&](auto const& p) { return p.breakdown(direction_of(direction)); });
          },
          "direction"_a = "forward",
          "The passes and exchanges of executions in one direction, in order, with the seconds "
          "that this rank has spent in each since the plan was made.")
      .def(
          "predict",
          [](PyPlan const& plan, std::string const& machine_file) {
            nb::gil_scoped_release const others_run;
            return plan.visit([&](auto const& p) { return p.predict(machine_file); });
          },
          "machine_file"_a = "",
          "Predicts the time of a forward transform on the machine that a file of `sixstep tune "
          "--machine` describes; without a name, on this machine. Nothing is run. Collective.")
      .def(
          "write_trace",
          [](PyPlan& plan) {
            nb::gil_scoped_release const others_run;
            plan.visit([](auto& p) { p.write_trace(); });
          },
          "Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. "
          "Collective.")
      .def("__str__", from([](auto const& p) { return p.describe(); }));
  module.def("tuned_layout", &tuned_layout, "shape"_a, "comm"_a, "single"_a, "output"_a,
             "options"_a, "The input layout with which a plan is fastest.");
}

}  // namespace sixstep::python
