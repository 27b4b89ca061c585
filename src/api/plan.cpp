// SPDX-License-Identifier: BSD-3-Clause
// Plan: checks its arguments, on all ranks alike, and composes them; checks calls and runs them.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/alike.hpp"
#include "api/planning.hpp"
#include "runners/composition_runner.hpp"
#include "runtime/mpi.hpp"
#include "serial/call.hpp"

namespace sixstep {

namespace {

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

std::unique_ptr<runners::CompositionRunner> make_plan(Layout const& input,
                                                      std::optional<Layout> const& output,
                                                      MPI_Comm comm, Options const& options,
                                                      int real_bytes) {
  return make_runner(design_of(input, output, options, real_bytes),
                     mpi::Communicator::duplicate(comm));
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
    : runner_(make_plan(input, output, comm, options, sizeof(Real))) {}

template <class Real>
Plan<Real>::Plan(Layout const& input, MPI_Comm comm, Options const& options)
    : runner_(make_plan(input, std::nullopt, comm, options, sizeof(Real))) {}

template <class Real>
Layout Plan<Real>::tuned_layout(Shape const& shape, MPI_Comm user_comm, Options const& options,
                                Output output) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  tuner::ToTune wanted;
  wanted.picks_grid = true;
  Options one_field = options;
  one_field.fields = 1;
  if (output != Output::cheapest) one_field.output = output;
  mpi::together(comm, [&] {
    wanted.design =
        design_of(first_layout(shape, comm.size(), one_field), {}, one_field, sizeof(Real));
  });
  return tuned(wanted, comm).design.problem.input;
}

template <class Real>
Plan<Real>::Plan() noexcept = default;
template <class Real>
Plan<Real>::Plan(std::unique_ptr<runners::CompositionRunner> runner) noexcept
    : runner_(std::move(runner)) {}
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
double Plan<Real>::wire_error() const {
  return runner().wire_error();
}

template <class Real>
auto Plan<Real>::verified() const -> Verified {
  return runner().verified();
}

template <class Real>
void Plan<Real>::on_detection(std::function<void(Detection const&)> told) {
  runner().on_detection(std::move(told));
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
