// SPDX-License-Identifier: BSD-3-Clause
// Plan: checks its arguments, on all ranks alike, and composes them; checks calls and runs them.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "api/alike.hpp"
#include "device/backend.hpp"
#include "formulas/room.hpp"
#include "layout/fields.hpp"
#include "redistribution/redistribution.hpp"
#include "runners/composition_runner.hpp"
#include "runtime/mpi.hpp"
#include "runtime/threads.hpp"
#include "serial/call.hpp"
#include "tuner/tuner.hpp"

namespace sixstep {

namespace {

using layout::Number;

void require_alike(Layout const& input, std::optional<Layout> const& output, Options const& options,
                   int real_bytes, mpi::Communicator const& comm) {
  AlikeArguments arguments;
  arguments.add("precision", std::string(real_bytes == sizeof(float) ? "single" : "double"));
  arguments.add("input", input).add("output", output);
  for_each_option(options, [&](std::string_view name, auto const& value) {
    if (must_be_same(name)) arguments.add(std::string(name), value);
  });
  arguments.require(comm);
}

void check(Layout const& input, std::optional<Layout> const& output, mpi::Communicator const& comm,
           Options const& options, int real_bytes) {
  mpi::together(comm, [&] {
    require(input.ranks() == comm.size(), "input: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", input.ranks());
    require(!output || output->ranks() == comm.size(), "output: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
    for_each_option(options, [&]<class Value>(std::string_view name, Value const& value) {
      if constexpr (Named<Value>)
        require(has_name(value), name, ": ", names_in_words<Value>(), " is needed, ",
                to_string(value), " was given");
    });
    require(options.threads >= 0, "threads: 0 or more are needed, ", options.threads,
            " were given");
    require(options.windows >= 0 && options.windows <= redistribution::most_windows,
            "windows: 0 (by message size) to ", redistribution::most_windows, " are needed, ",
            options.windows, " were given");
    require(options.gpu >= -1, "gpu: -1 (by the rank's number on its node) or more is needed, ",
            options.gpu, " was given");
    require(options.tuning_seconds > 0, "tuning_seconds: a number above 0 is needed, ",
            options.tuning_seconds, " was given");
    require(options.fields >= 1, "fields: 1 or more are needed, ", options.fields, " were given");
    require(options.pipelines >= 0, "pipelines: 0 or more are needed, ", options.pipelines,
            " were given");
    // Throws if the library cannot be loaded.
    real_bytes == sizeof(float) ? local::kernels_of<float>(options.local)
                                : local::kernels_of<double>(options.local);
  });
  require_alike(input, output, options, real_bytes, comm);
}

/// The problem of all fields at once.
schedule::Problem of_fields(schedule::Problem one, Options const& options) {
  if (options.fields == 1) return one;
  require(one.input.axes() < max_axes, "fields: a layout of at most ", max_axes - 1,
          " axes is possible for several fields, the input has ", one.input.axes());
  Storage const storage = options.interleaved ? Storage::interleaved : Storage::blocks;
  one.input = with_fields(one.input, options.fields, storage);
  if (one.output) one.output = with_fields(*one.output, options.fields, storage);
  one.kept_whole = one.input.axes() - 1;
  return one;
}

tuner::Recipe recipe_of(Layout const& input, std::optional<Layout> const& output,
                        Options const& options, int real_bytes) {
  std::optional<layout::Number> moves;
  if (!options.transform) moves = layout::Number::complex;
  schedule::Choices choices{.regrid = options.regrid,
                            .split_untransformed = options.split_untransformed,
                            .low_memory = options.low_memory};
  if (options.device != Device::none) {  // a device transposes no squares, and suits long columns
    choices.low_memory = false;
    choices.tuning.long_axis_points = std::numeric_limits<Index>::max();
  }
  schedule::Problem const problem{.input = input,
                                  .output = output,
                                  .axes = options.axes,
                                  .kinds = options.kinds,
                                  .modes = options.modes,
                                  .padded = options.padded,
                                  .real_bytes = real_bytes,
                                  .moves = moves,
                                  .twiddle = options.twiddle,
                                  .lies = options.output};
  return {problem, options, choices};
}

/// Slabs, or pencils if there are more ranks than slabs, over axes that are transformed. They may
/// split any axis if the plan may, or if fewer than two axes are transformed.
Layout first_layout(Shape const& shape, int ranks, Options const& options) {
  std::vector<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (std::find(options.axes.begin(), options.axes.end(), axis) != options.axes.end())
      axes.push_back(axis);
  if (axes.size() < 2 || options.split_untransformed) {
    axes.resize(static_cast<std::size_t>(shape.size()));
    std::iota(axes.begin(), axes.end(), 0);
  }
  bool const slabs_do = axes.size() < 3 || ranks <= shape[axes[0]];
  if (slabs_do) return Layout::slab(shape, ranks, axes.empty() ? 0 : axes[0]);
  Shape const split{shape[axes[0]], shape[axes[1]]};
  Grid const parts = choose_grid(split, ranks, 2);
  Grid grid(shape.size(), 1);
  for (int i = 0; i < 2; ++i) grid[axes[static_cast<std::size_t>(i)]] = parts[i];
  return Layout::grid(shape, grid);
}

/// Checks everything, and returns the job with the settings that tuning has found. Collective.
tuner::Outcome tuned(tuner::Job job, mpi::Communicator const& comm) {
  schedule::Problem& problem = job.recipe.problem;
  Options& options = job.recipe.options;
  check(problem.input, problem.output, comm, options, problem.real_bytes);
  // Wrong kinds or axes are reported before anything is tried.
  mpi::together(comm, [&] { problem = of_fields(schedule::checked(problem), options); });
  int const fair = fair_threads(comm);
  if (options.threads == 0) options.threads = fair;
  return tuner::tune(job, comm);
}

std::unique_ptr<runners::CompositionRunner> make_runner(Layout const& input,
                                                        std::optional<Layout> const& output,
                                                        MPI_Comm user_comm, Options const& options,
                                                        int real_bytes) {
  device::look_for_devices();
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  tuner::Outcome const outcome = tuned({recipe_of(input, output, options, real_bytes)}, comm);
  tuner::Recipe const& recipe = outcome.recipe;
  formulas::Composition composition;
  mpi::together(comm, [&] {
    composition = formulas::compose(recipe.problem, recipe.choices);
    formulas::require_room(composition, {});
  });
  auto runner = std::make_unique<runners::CompositionRunner>(
      std::move(composition), std::move(comm), recipe.options, real_bytes, recipe.choices.tuning);
  if (!outcome.measured.empty()) runner->add_note(outcome.measured);
  if (!outcome.level.empty())
    runner->add_note(text("tuned     ", tuner::to_words(outcome.settings), ": ", outcome.level,
                          outcome.was_kept ? " search, earlier" : " search"));
  return runner;
}

/// Throws an Error that names the possible calls, unless this is one of them.
void check_call(runners::CompositionRunner const& runner, layout::Number in, layout::Number out,
                Direction direction) {
  bool const backward = direction == Direction::backward;
  require(!backward || !runner.has_twiddle(),
          "direction: forward, with either sign, is needed, as this plan has a twiddle");
  serial::check_call(runner.input().number, runner.output().number, in, out, direction);
}

}  // namespace

template <class Real>
Plan<Real>::Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options)
    : runner_(make_runner(input, output, comm, options, sizeof(Real))) {}

template <class Real>
Plan<Real>::Plan(Layout const& input, MPI_Comm comm, Options const& options)
    : runner_(make_runner(input, std::nullopt, comm, options, sizeof(Real))) {}

template <class Real>
Layout Plan<Real>::tuned_layout(Shape const& shape, MPI_Comm user_comm, Options const& options,
                                Output output) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  tuner::Job job;
  job.picks_grid = true;
  Options one_field = options;
  one_field.fields = 1;
  if (output != Output::cheapest) one_field.output = output;
  mpi::together(comm, [&] {
    job.recipe =
        recipe_of(first_layout(shape, comm.size(), one_field), {}, one_field, sizeof(Real));
  });
  return tuned(job, comm).recipe.problem.input;
}

template <class Real>
Plan<Real>::Plan() noexcept = default;
template <class Real>
Plan<Real>::~Plan() = default;
template <class Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <class Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;

template <class Real>
runners::CompositionRunner& Plan<Real>::runner() const {
  require(runner_ != nullptr, "plan: it is empty; assign a plan to it first");
  return *runner_;
}

template <class Real>
Layout const& Plan<Real>::input() const {
  return runner().users_input();
}

template <class Real>
Layout const& Plan<Real>::output() const {
  return runner().users_output();
}

template <class Real>
Box Plan<Real>::input_box() const {
  return input().box(runner().rank());
}

template <class Real>
Box Plan<Real>::output_box() const {
  return output().box(runner().rank());
}

template <class Real>
Shape Plan<Real>::input_strides() const {
  return runner().input().strides(runner().rank());
}

template <class Real>
Shape Plan<Real>::output_strides() const {
  return runner().output().strides(runner().rank());
}

template <class Real>
PerAxis<double> Plan<Real>::wavenumber(Shape const& k) const {
  if (runner().fields() == 1) return runner().waves().at(k);
  Shape point = k;
  point.push_back(0);
  PerAxis<double> const all = runner().waves().at(point);
  PerAxis<double> numbers;
  for (int axis = 0; axis + 1 < all.size(); ++axis) numbers.push_back(all[axis]);
  return numbers;
}

template <class Real>
double Plan<Real>::wavenumber(int axis, Index k) const {
  return runner().waves().along(axis, k);
}

template <class Real>
std::vector<double> Plan<Real>::wavenumbers(int axis) const {
  return runner().waves().in(axis, output_box());
}

template <class Real>
Index Plan<Real>::input_size() const {
  return runner().input_reals() / layout::reals_of(runner().input().number);
}

template <class Real>
Index Plan<Real>::output_size() const {
  return runner().output_reals() / layout::reals_of(runner().output().number);
}

template <class Real>
Index Plan<Real>::in_place_size() const {
  Index const unit = layout::reals_of(runner().output().number);
  return (std::max(runner().input_reals(), runner().output_reals()) + unit - 1) / unit;
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Scale scale) {
  check_call(runner(), layout::Number::complex, layout::Number::complex, direction);
  runner().execute(in, out, direction, scale);
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Sign sign,
                         Scale scale) {
  check_call(runner(), layout::Number::complex, layout::Number::complex, direction);
  bool const plus_by_direction = direction == Direction::backward;
  runner().execute(in, out, direction, scale, (sign == Sign::plus) != plus_by_direction);
}

template <class Real>
void Plan<Real>::execute(Real const* in, Complex* out, Scale scale) {
  check_call(runner(), layout::Number::real, layout::Number::complex, Direction::forward);
  runner().execute(in, out, Direction::forward, scale);
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Real* out, Scale scale) {
  check_call(runner(), layout::Number::complex, layout::Number::real, Direction::backward);
  runner().execute(in, out, Direction::backward, scale);
}

template <class Real>
void Plan<Real>::execute(Real const* in, Real* out, Direction direction, Scale scale) {
  check_call(runner(), layout::Number::real, layout::Number::real, direction);
  runner().execute(in, out, direction, scale);
}

template <class Real>
void Plan<Real>::return_early(bool early) {
  runner().return_early(early);
}

template <class Real>
void Plan<Real>::wait() {
  runner().wait();
}

template <class Real>
void Plan<Real>::set_stream(void* stream) {
  runner().set_stream(stream);
}

template <class Real>
std::shared_ptr<void> Plan<Real>::allocate_bytes() {
  return runner().allocate_array();
}

template <class Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return runner().workspace_bytes();
}

template <class Real>
void Plan<Real>::set_workspace(void* memory, std::size_t bytes) {
  runner().set_workspace(memory, bytes);
}

template <class Real>
std::string Plan<Real>::describe() const {
  return runner().describe();
}

template <class Real>
int Plan<Real>::passes() const {
  return runner().passes();
}

template <class Real>
int Plan<Real>::exchanges() const {
  return runner().exchanges();
}

template <class Real>
int Plan<Real>::threads() const {
  return runner().threads();
}

template <class Real>
double Plan<Real>::communication_seconds() const {
  return runner().communication_seconds();
}

template <class Real>
auto Plan<Real>::breakdown(Direction direction) const -> std::vector<Part> {
  return runner().breakdown(direction);
}

template <class Real>
Prediction Plan<Real>::predict(std::string const& machine_file) const {
  return runner().predict(machine_file);
}

template <class Real>
void Plan<Real>::write_trace() {
  runner().write_trace();
}

Layout gather_boxes(Shape const& shape, Box const& mine, MPI_Comm user_comm, Order const& order) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  AlikeArguments().add("shape", shape).add("order", order).require(comm);
  std::vector<Box> boxes;
  std::vector<Range> ranges;  // of all boxes
  auto const axes = static_cast<std::size_t>(shape.size());
  mpi::together(comm, [&] {
    require(mine.axes() == shape.size(), "boxes: box ", comm.rank(), " has ", mine.axes(),
            " axes, the shape has ", shape.size());
    boxes.resize(static_cast<std::size_t>(comm.size()));
    ranges.resize(boxes.size() * axes);
  });
  mpi::gather_to_all(comm, mine.ranges.begin(), ranges.data(),
                     static_cast<Index>(axes * sizeof(Range)));
  Layout layout;
  mpi::together(comm, [&] {
    for (std::size_t rank = 0; rank < boxes.size(); ++rank)
      for (std::size_t axis = 0; axis < axes; ++axis)
        boxes[rank].ranges.push_back(ranges[rank * axes + axis]);
    layout = Layout::boxes(shape, boxes, order);
  });
  return layout;
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sixstep
