// SPDX-License-Identifier: BSD-3-Clause
// Waves: the wave number of an index, in one digit or two, for each kind of transform.
#include "schedule/waves.hpp"

#include <algorithm>
#include <utility>

#include "layout/counting.hpp"

namespace sixstep::schedule {

Waves::Waves(Problem const& problem, layout::Placement const& input,
             layout::Placement const& output)
    : output_(output.layout.shape()) {
  Layout const& users = problem.input;
  if (!problem.sphere.empty()) sphere_ = sphere_of(problem);
  // In an output that the plan chose, the digits of an axis are separate axes.
  bool const in_digits = output_.size() > users.axes();
  int place = 0;
  for (int axis = 0; axis < users.axes(); ++axis) {
    Axis here{.place = place++};
    auto const wanted = std::find(problem.axes.begin(), problem.axes.end(), axis);
    if (wanted != problem.axes.end()) {
      auto const number = static_cast<std::size_t>(wanted - problem.axes.begin());
      here.kind = problem.kinds[number];
      here.modes = problem.modes[number];
    }
    if (in_digits && input.view.digits[axis].size() == 2) here.slow = output_[place++];
    axes_.push_back(here);
  }
}

Waves Waves::gathered(std::shared_ptr<Columns const> columns) const {
  Waves made = *this;
  made.columns_ = std::move(columns);
  return made;
}

Waves Waves::packed(std::shared_ptr<Columns const> columns, Shape const& output) const {
  Waves made = gathered(std::move(columns));
  made.packed_ = true;
  made.output_ = output;
  return made;
}

Index Waves::index_in_columns(int axis, Shape const& point) const {
  Columns const& columns = *columns_;
  Index const column = packed_ ? columns.column_of(point[0]) : point[columns.fast];
  if (axis == columns.along) return columns.index_along(point[0]);
  if (axis == columns.slow) return columns[column].slow;
  return axis == columns.fast ? columns[column].fast : 0;
}

bool Waves::keeps(Shape const& point) const {
  if (packed_) return true;
  if (columns_) return columns_->keeps(point[columns_->fast], point[columns_->along]);
  if (!sphere_) return true;
  double sum = 0;
  for (int axis = 0; axis < axes_.size(); ++axis)
    sum += sphere_->part(axis, number(axis, index(axis, point)));
  return sum < sphere_->limit;
}

Waves::Axis const& Waves::transformed(int axis) const {
  require(
      axis >= 0 && axis < axes_.size(), "axis: ", [&] { return axis_names(axes_.size()); },
      " are possible, ", axis_name(axis, axes_.size()), " was given");
  require(axes_[axis].kind.has_value(), "axis: one that is transformed is needed, axis ",
          axis_name(axis, axes_.size()), " is not");
  return axes_[axis];
}

double Waves::along(int axis, Index k) const {
  Axis const& here = transformed(axis);
  Index const count = coefficients(*here.kind, here.modes);
  require(k >= 0 && k < count, "k: 0 to ", count - 1, " are possible along axis ",
          axis_name(axis, axes_.size()), ", ", k, " was given");
  return wave_number(*here.kind, here.modes, k);
}

PerAxis<double> Waves::at(Shape const& point) const {
  bool there = point.size() == output_.size();
  for (int place = 0; place < output_.size(); ++place)
    there = there && point[place] >= 0 && point[place] < output_[place];
  if (!there)  // whoever asks for each of many points pays for no message
    throw Error(text("k: a point of the output's shape, ", to_string(output_), ", is needed, ",
                     point_words(point), " was given"));
  PerAxis<double> numbers;
  for (int axis = 0; axis < axes_.size(); ++axis)
    numbers.push_back(number(axis, index(axis, point)));
  return numbers;
}

bool Waves::is_periodic(int axis) const {
  std::optional<Kind> const& kind = axes_[axis].kind;
  return !kind || !is_r2r(*kind);
}

Index Waves::of_either_sign(int axis) const {
  Axis const& here = axes_[axis];
  bool const is_even = here.kind && !is_r2r(*here.kind) && here.modes % 2 == 0;
  return is_even ? here.modes / 2 : -1;
}

void Waves::numbers(int axis, Index k, Index step, Index count, double unit,
                    double* written) const {
  if (step == 0) {
    std::fill_n(written, count, unit * number(axis, k));
    return;
  }
  Axis const& here = axes_[axis];
  for (Index i = 0; i < count; ++i)
    written[i] = here.kind ? unit * wave_number(*here.kind, here.modes, k + i * step) : 0;
}

double Waves::number(int axis, Index k) const {
  Axis const& here = axes_[axis];
  return here.kind ? wave_number(*here.kind, here.modes, k) : 0;
}

std::vector<double> Waves::in(int axis, Box const& box) const {
  Axis const& here = transformed(axis);
  require(!here.slow, "axis: axis ", axis_name(axis, axes_.size()),
          " is two axes of the output, which have no wave numbers of their own; ask for the wave "
          "number of a point");
  std::vector<double> numbers;
  if (packed_) {
    Range const& points = box.ranges[0];
    for (Index point = points.lo; point < points.hi; ++point)
      numbers.push_back(number(axis, index(axis, Shape{point})));
    return numbers;
  }
  Range const& range = box.ranges[here.place];
  for (Index k = range.lo; k < range.hi; k += range.step)
    numbers.push_back(wave_number(*here.kind, here.modes, k));
  return numbers;
}

}  // namespace sixstep::schedule
