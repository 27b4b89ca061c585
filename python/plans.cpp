// SPDX-License-Identifier: BSD-3-Clause
// Plans for Python: NumPy arrays in and out.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core.hpp"
#include "planned.hpp"
#include "runtime/mpi.hpp"
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
class PyPlan : public Planned<Plan> {
 public:
  PyPlan(Layout const& input, std::optional<Layout> const& output, std::int64_t comm, bool single,
         nb::dict const& given) {
    Options const options =
        converted(comm_of(comm), [&] { return options_of(given, input.axes()); });
    {
      nb::gil_scoped_release const others_run;
      if (single)
        make<float>(input, output, comm, options);
      else
        make<double>(input, output, comm, options);
    }
    find_sides(mpi::rank_of(comm_of(comm)), options, {options.fields, options.fields});
  }

  nb::object execute(nb::object in, nb::object out, Execution const& execution) {
    bool const forward = execution.direction == Direction::forward;
    Side const &from = forward ? input_ : output_, &to = forward ? output_ : input_;
    bool const is_new = out.is_none();
    NewArray made;
    if (is_new && to.device == Device::cuda) made = new_on_device(in, to);
    if (made.target.is_valid()) out = made.target;
    auto const arrays = arrays_of(in, out, from, to);
    bool const has_streams = to.device == Device::cuda;
    auto const of_in = has_streams ? stream_of(in) : std::nullopt;
    auto const of_out = is_new ? of_in : has_streams ? stream_of(out) : std::nullopt;
    if (!has_stream_) follow(of_in ? of_in : of_out);
    {
      nb::gil_scoped_release const others_run;
      visit([&](auto& plan) { run(plan, arrays.source, arrays.target, execution); });
    }
    if (execution.returns == Returns::early && to.device != Device::none) {
      keep(in, of_in);
      keep(out, of_out);
    }
    // A library that gives no stream reads its array at once.
    if (made.array.is_valid() && !made.array.is(made.target)) wait();
    if (made.array.is_valid()) return made.array;
    return is_new ? as_kind_of(in, out) : out;
  }

  /// An execution between arrays at these addresses that returns early, in a stream.
  void put(std::uintptr_t in, std::uintptr_t out, Execution const& execution,
           StreamOfLibrary const& stream) {
    if (stream_ != stream.address) work_in(stream);
    nb::gil_scoped_release const others_run;
    visit([&](auto& plan) {
      run(plan, reinterpret_cast<void const*>(in), reinterpret_cast<void*>(out), execution);
    });
  }

  void set_stream(std::uintptr_t stream) {
    work_in({stream, nb::none()});
    has_stream_ = true;
  }

  void wait() {
    std::vector<nb::object> const done = std::exchange(in_use_, {});
    nb::gil_scoped_release const others_run;
    visit([](auto& plan) { plan.wait(); });
  }

 private:
  void work_in(StreamOfLibrary const& stream) {
    {
      nb::gil_scoped_release const others_run;
      visit([&](auto& plan) { plan.set_stream(reinterpret_cast<void*>(stream.address)); });
    }
    stream_ = stream.address;
    stream_owner_ = stream.owner;  // that of the stream before is done with
  }

  /// Works in the stream in which the library of the arrays works now.
  void follow(std::optional<StreamOfLibrary> const& stream) {
    // The plan's first stream is in order with the default one.
    if (stream && stream->address != stream_.value_or(0)) work_in(*stream);
  }

  /// Keeps an array of an execution that returns early until wait(). Libraries use memory in the
  /// order of their stream, so an array of a library whose stream the plan works in need not be.
  void keep(nb::object const& array, std::optional<StreamOfLibrary> const& stream) {
    if (stream && stream->address == stream_.value_or(0)) return;
    if (!std::ranges::any_of(in_use_, [&](nb::object const& o) { return o.is(array); }))
      in_use_.push_back(array);
  }

  template <class Real>
  void make(Layout const& input, std::optional<Layout> const& output, std::int64_t comm,
            Options const& options) {
    made_ = std::make_shared<Plan<Real>>(output ? Plan<Real>(input, *output, comm_of(comm), options)
                                                : Plan<Real>(input, comm_of(comm), options));
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

  std::optional<std::uintptr_t> stream_;  // empty: the plan's own
  bool has_stream_ = false;               // whether it is one that the caller has set
};

template <Direction direction, Returns returns>
nb::object execute(PyPlan& plan, nb::object const& in, nb::object const& out,
                   std::string const& scale, std::optional<std::string> const& sign) {
  return plan.execute(
      in, out,
      {direction, returns, scale_of(scale), sign ? std::optional(sign_of(*sign)) : std::nullopt});
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

namespace {

/// Adds the functions that execute a plan.
void add_executions(nb::class_<PyPlan>& bound) {
  using nb::literals::operator""_a;
  bound
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
          "set_stream", &PyPlan::set_stream, "stream"_a,
          "Makes a plan on a GPU work in this stream from now on: the address of a cudaStream_t, "
          "such as CuPy's `stream.ptr` and PyTorch's `stream.cuda_stream`. The stream must live "
          "until "
          "the plan gets another one or is destroyed. Before the first call, the plan works in the "
          "stream that is current in PyTorch or CuPy where it is given their arrays, and else in "
          "one "
          "that is in order with the default stream. Raises Error if the plan is not on a GPU.")
      .def(
          "put",
          [](PyPlan& plan, std::uintptr_t in, std::uintptr_t out, bool forward,
             std::string const& scale, std::optional<std::string> const& sign,
             std::uintptr_t stream, nb::object owner) {
            plan.put(in, out,
                     {forward ? Direction::forward : Direction::backward, Returns::early,
                      scale_of(scale), sign ? std::optional(sign_of(*sign)) : std::nullopt},
                     {stream, std::move(owner)});
          },
          "in_"_a, "out"_a, "forward"_a, "scale"_a, "sign"_a.none(), "stream"_a,
          "owner"_a.none() = nb::none(),
          "Puts an execution into a stream, between arrays at two addresses. They must have the "
          "form of the plan's, which is not checked, and be kept until the stream has done it. The "
          "plan keeps the stream's owner as long as it works there.");
}

/// Adds the functions that tell about a plan.
void add_plan_facts(nb::class_<PyPlan>& bound) {
  using nb::literals::operator""_a;
  bound
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
      .def(
          "breakdown",
          [](PyPlan const& plan, std::string const& direction) {
            return plan.visit([&](auto const& p) { return p.breakdown(direction_of(direction)); });
          },
          "direction"_a = "forward",
          "The passes and exchanges of executions in one direction, in order, with the seconds "
          "that this rank has spent in each since the plan was made.")
      .def(
          "wire_error",
          [](PyPlan const& plan) {
            nb::gil_scoped_release const others_run;
            return plan.visit([](auto const& p) { return p.wire_error(); });
          },
          "The relative error that shortened messages have made in the last execution, at most. "
          "Collective.");
}

}  // namespace

void add_plans(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<PyPlan> bound(module, "Plan", "A transform of an array that is spread over ranks.",
                           nb::type_slots(told_slots<PyPlan>));
  bound.def(
      nb::init<Layout const&, std::optional<Layout> const&, std::int64_t, bool, nb::dict const&>(),
      "input"_a, "output"_a.none(), "comm"_a, "single"_a, "options"_a);
  add_executions(bound);
  add_plan_facts(bound);
  def_planned(bound);
  module.def("tuned_layout", &tuned_layout, "shape"_a, "comm"_a, "single"_a, "output"_a,
             "options"_a, "The input layout with which a plan is fastest.");
}

}  // namespace sixstep::python
