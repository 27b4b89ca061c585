// SPDX-License-Identifier: BSD-3-Clause
// SerialPlan: checks its arguments, and hands them to a runner.
#include "sixstep/serial.hpp"

#include <algorithm>

#include "base/run_team.hpp"
#include "serial/call.hpp"
#include "serial/runner.hpp"
#include "serial/strides.hpp"

namespace sixstep {

namespace {

using layout::Number;

/// The layout of a whole array in one process.
Layout whole(Shape const& shape, Order const& order) {
  Layout const layout = Layout::slab(shape, 1);
  return order.empty() ? layout : layout.with_order(order);
}

/// An array of one side, and its strides if they are not those of the layout.
struct Side {
  Layout layout;
  Shape strides = {};
};

Side side_of(char const* argument, Shape const& shape, Shape const& strides, Order const& order) {
  if (strides.empty() || volume(shape) <= 0) return {whole(shape, order)};
  serial::check_strides(argument, shape, strides);
  Layout const layout = whole(shape, serial::order_of(strides));
  Shape const dense = layout.strides(0);
  for (int axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] > 1 && strides[axis] != dense[axis]) return {layout, strides};
  return {layout};
}

schedule::Problem problem_of(Shape const& shape, SerialOptions const& options, int real_bytes) {
  Side const input = side_of("input_strides", shape, options.input_strides, options.order);
  require(
      !options.padded || options.input_strides.empty(),
      "padded: input_strides were given, which already say how far apart rows are; give only one "
      "of the two");
  schedule::Problem problem{.input = input.layout,
                            .axes = options.axes,
                            .kinds = options.kinds,
                            .input_strides = input.strides,
                            .padded = options.padded,
                            .real_bytes = real_bytes};
  Side const output = side_of("output_strides", schedule::output_shape(problem),
                              options.output_strides, options.order);
  problem.output = output.layout;
  problem.output_strides = output.strides;
  return problem;
}

Index elements(layout::Placement const& end, Index reals) {
  Index const unit = layout::reals_of(end.number);
  return (reals + unit - 1) / unit;
}

}  // namespace

template <class Real>
SerialPlan<Real>::SerialPlan(Shape const& shape, SerialOptions const& options) {
  require(!shape.empty(), "shape: 1 to ", max_axes, " axes are needed, none was given");
  require(options.threads >= 0, "threads: 0 or more are needed, ", options.threads, " were given");
  require(options.uses.forward || options.uses.backward,
          "uses: a direction is needed, neither forward nor backward was given");
  require(options.uses.in_place || options.uses.out_of_place,
          "uses: in_place or out_of_place is needed, neither was given");
  int const threads = options.threads > 0 ? options.threads : usual_threads();
  require(
      has_name(options.reproducible), "reproducible: ", names_in_words<Bits>(), " is needed, ",
      [&] { return to_string(options.reproducible); }, " was given");
  require(options.reproducible == Bits::none || options.local == Local::own,
          "reproducible: sixstep's own kernels are needed, local is ",
          [&] { return to_string(options.local); });
  local::kernels_of<Real>(options.local);  // throws if the library cannot be loaded
  try {
    runner_ = std::make_shared<serial::Runner const>(problem_of(shape, options, sizeof(Real)),
                                                     options.preserve_input, threads, options.local,
                                                     options.reproducible, options.uses);
  } catch (std::bad_alloc const&) {
    throw Error(text("memory: there is too little for a transform of ", to_string(shape)),
                ErrorCode::memory);
  }
}

template <class Real>
serial::Runner const& SerialPlan<Real>::runner() const {
  require(runner_ != nullptr, "plan: it is empty; assign a plan to it first");
  return *runner_;
}

template <class Real>
Shape const& SerialPlan<Real>::input_shape() const {
  return runner().input().layout.shape();
}

template <class Real>
Shape const& SerialPlan<Real>::output_shape() const {
  return runner().output().layout.shape();
}

template <class Real>
Shape SerialPlan<Real>::input_strides() const {
  return runner().input().strides(0);
}

template <class Real>
Shape SerialPlan<Real>::output_strides() const {
  return runner().output().strides(0);
}

template <class Real>
Index SerialPlan<Real>::input_size() const {
  return elements(runner().input(), runner().input().reals(0));
}

template <class Real>
Index SerialPlan<Real>::output_size() const {
  return elements(runner().output(), runner().output().reals(0));
}

template <class Real>
Index SerialPlan<Real>::in_place_size() const {
  return elements(runner().output(),
                  std::max(runner().input().reals(0), runner().output().reals(0)));
}

template <class Real>
void SerialPlan<Real>::execute(Complex const* in, Complex* out, Direction direction,
                               Scale scale) const {
  serial::check_call(runner().input().number, runner().output().number, layout::Number::complex,
                     layout::Number::complex, direction);
  runner().execute(in, out, direction, scale);
}

template <class Real>
void SerialPlan<Real>::execute(Complex const* in, Complex* out, Direction direction, Sign sign,
                               Scale scale) const {
  serial::check_call(runner().input().number, runner().output().number, layout::Number::complex,
                     layout::Number::complex, direction);
  bool const plus_by_direction = direction == Direction::backward;
  runner().execute(in, out, direction, scale, (sign == Sign::plus) != plus_by_direction);
}

template <class Real>
void SerialPlan<Real>::execute(Real const* in, Complex* out, Scale scale) const {
  serial::check_call(runner().input().number, runner().output().number, layout::Number::real,
                     layout::Number::complex, Direction::forward);
  runner().execute(in, out, Direction::forward, scale);
}

template <class Real>
void SerialPlan<Real>::execute(Complex const* in, Real* out, Scale scale) const {
  serial::check_call(runner().input().number, runner().output().number, layout::Number::complex,
                     layout::Number::real, Direction::backward);
  runner().execute(in, out, Direction::backward, scale);
}

template <class Real>
void SerialPlan<Real>::execute(Real const* in, Real* out, Direction direction, Scale scale) const {
  serial::check_call(runner().input().number, runner().output().number, layout::Number::real,
                     layout::Number::real, direction);
  runner().execute(in, out, direction, scale);
}

template <class Real>
std::size_t SerialPlan<Real>::workspace_bytes() const {
  return runner().workspace_bytes();
}

template <class Real>
std::size_t SerialPlan<Real>::bytes() const {
  return runner().bytes();
}

template <class Real>
std::string SerialPlan<Real>::describe() const {
  return runner().describe();
}

template <class Real>
int SerialPlan<Real>::threads() const {
  return runner().threads();
}

template class SerialPlan<float>;
template class SerialPlan<double>;

}  // namespace sixstep
