// SPDX-License-Identifier: BSD-3-Clause
#include "serial/box_runner.hpp"

#include <algorithm>

namespace sixstep::serial {

namespace {

/// Nothing if an axis has another kind than c2c and r2c, or there is none. Axes are in full.
std::optional<BoxProblem> box_problem(schedule::Problem const& problem,
                                      layout::Placement const& input,
                                      layout::Placement const& output,
                                      BoxExecution const& execution) {
  bool const are_halves =
      std::find(problem.kinds.begin(), problem.kinds.end(), Kind::r2c) != problem.kinds.end();
  Index const reals_in = layout::reals_of(input.number),
              reals_out = layout::reals_of(output.number);
  Shape const shape = input.layout.shape(), in = input.strides(0), out = output.strides(0);
  BoxProblem box{.plus = execution.backward, .in_place = execution.in_place};
  if (are_halves) box.kind = execution.backward ? BoxKind::c2r : BoxKind::r2c;
  if (are_halves) (execution.backward ? box.out : box.in) = Elements::reals;
  std::optional<StridedAxis> of_reals;
  for (int axis = 0; axis < shape.size(); ++axis) {
    StridedAxis strided{shape[axis], in[axis] * reals_in, out[axis] * reals_out};
    if (execution.backward) std::swap(strided.in, strided.out);
    auto const found = std::find(problem.axes.begin(), problem.axes.end(), axis);
    if (found == problem.axes.end()) {
      box.loops.push_back(strided);
      continue;
    }
    switch (problem.kinds[static_cast<std::size_t>(found - problem.axes.begin())]) {
      case Kind::c2c:
        if (strided.n > 1) box.axes.push_back(strided);
        break;
      case Kind::r2c:
        of_reals = strided;
        break;
      default:
        return std::nullopt;
    }
  }
  if (of_reals) box.axes.push_back(*of_reals);
  box.loops = joined(box.loops);
  return box;
}

}  // namespace

template <class Real>
std::optional<BoxRunner> BoxRunner::made(BoxProblem const& problem, int threads) {
  Shared<Real> boxes = make_boxes<Real>(problem, threads);
  if (boxes == nullptr) return std::nullopt;
  return BoxRunner(std::move(boxes));
}

std::optional<BoxRunner> BoxRunner::best(schedule::Problem const& problem,
                                         layout::Placement const& input,
                                         layout::Placement const& output,
                                         BoxExecution const& execution) {
  std::optional<BoxProblem> const box = box_problem(problem, input, output, execution);
  if (!box) return std::nullopt;
  return problem.real_bytes == sizeof(float) ? made<float>(*box, execution.threads)
                                             : made<double>(*box, execution.threads);
}

bool BoxRunner::works_in_place() const {
  return std::visit([](auto const& boxes) { return boxes->works_in_place(); }, boxes_);
}

std::size_t BoxRunner::workspace_bytes() const {
  return std::visit(
      [](auto const& boxes) {
        return static_cast<std::size_t>(boxes->threads()) * boxes->scratch_bytes();
      },
      boxes_);
}

std::size_t BoxRunner::bytes() const {
  return std::visit([](auto const& boxes) { return boxes->bytes(); }, boxes_);
}

void BoxRunner::run(void const* in, void* out, double scale, Blocks& blocks) const {
  std::visit(
      [&]<class Real>(Shared<Real> const& boxes) {
        Block const scratch(blocks, workspace_bytes());
        BoxArrays<Real> const arrays{static_cast<Real const*>(in), nullptr, static_cast<Real*>(out),
                                     nullptr};
        boxes->share([&](Index lo, Index hi, int thread) {
          boxes->run(arrays, lo, hi, static_cast<Real>(scale),
                     scratch.get() + static_cast<std::size_t>(thread) * boxes->scratch_bytes());
        });
      },
      boxes_);
}

}  // namespace sixstep::serial
