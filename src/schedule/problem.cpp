// SPDX-License-Identifier: BSD-3-Clause
// Problems: fills in axes, kinds and modes, and refuses what does not fit.
#include "schedule/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "layout/counting.hpp"
#include "sixstep/error.hpp"

namespace sixstep::schedule {

namespace {

/// The fewest modes of an axis that have all of its waves below a radius.
Index modes_below(double radius, Kind kind, Index length) {
  if (radius > static_cast<double>(length + 1)) return length;
  double const least = wave_number(kind, 1, 0);
  auto const waves = static_cast<Index>(std::ceil(radius - least));  // of one sign
  bool const is_periodic = !is_r2r(kind);
  return std::clamp<Index>(is_periodic ? 2 * waves - 1 : waves, 0, length);
}

/// Sets the modes that lie around the sphere, unless they are given.
void fit_sphere(Problem& problem) {
  std::size_t const wanted = problem.axes.size();
  std::vector<double>& sphere = problem.sphere;
  if (sphere.size() == 1) sphere.assign(wanted, sphere[0]);
  require(sphere.size() == wanted, "sphere: a radius for each of the ", wanted,
          " axes is needed, or one for all, ", sphere.size(), " were given");
  std::vector<Index> modes;
  for (std::size_t i = 0; i < wanted; ++i) {
    double const radius = sphere[i];
    require(std::isfinite(radius) && radius > 0, "sphere: radii above 0 are needed, ", radius,
            " was given");
    modes.push_back(modes_below(radius, problem.kinds[i], problem.lengths[i]));
    require(modes.back() >= 1 || problem.lengths[i] < 1, "sphere: axis ",
            axis_name(problem.axes[i], problem.input.axes()), " has no wave number below ", radius);
  }
  if (problem.modes.empty()) problem.modes = modes;
}

/// The size of a wave number, at most `most`.
Index size_of(Index wave, Index most) {
  return std::min(std::max(wave, -most), most) * (wave < 0 ? -1 : 1);
}

/// Sets the modes that lie around the columns, unless they are given: an odd number, unless these
/// are all.
void fit_columns(Problem& problem) {
  std::size_t const axes = problem.axes.size(), each = axes + 1;
  require(axes == 2 || axes == 3, "columns: two or three axes must be transformed, ", axes, " are");
  require(problem.columns.size() % each == 0, "columns: ", each, " numbers for each, as there are ",
          axes, " axes, are needed, ", problem.columns.size(), " numbers were given");
  std::vector<Index> modes;
  for (std::size_t i = 0; i < axes; ++i) {
    require(
        !is_r2r(problem.kinds[i]) && (i > 0 || problem.kinds[i] == Kind::c2c),
        "columns: axes of c2c or r2c, and c2c along the first of them, are needed, ",
        [&] { return to_string(problem.kinds[i]); }, " was given");
    Index farthest = 0;
    for (std::size_t at = 0; at < problem.columns.size(); at += each)
      for (std::size_t k = at + (i == 0 ? axes - 1 : i - 1); k < at + (i == 0 ? each : i); ++k)
        farthest = std::max(farthest, size_of(problem.columns[k], problem.lengths[i]));
    modes.push_back(std::min(2 * farthest + 1, problem.lengths[i]));
  }
  if (problem.modes.empty()) problem.modes = modes;
}

/// The problem with axes, kinds, lengths, modes and sphere in full.
Problem expanded(Problem problem) {
  if (problem.moves) {
    require(problem.axes.empty() && problem.kinds.empty() && problem.lengths.empty() &&
                problem.modes.empty() && !keeps_columns(problem) && !problem.padded,
            "transform: without one, no axes, kinds, lengths, modes, sphere, columns or padded "
            "rows are "
            "possible, ",
            problem.axes.size(), " axes, ", problem.kinds.size(), " kinds, ",
            problem.lengths.size(), " lengths, ", problem.modes.size(), " modes, ",
            problem.sphere.size(), " radii and ", problem.columns.size(),
            " numbers of columns were given", problem.padded ? ", and padded rows" : "");
    return problem;
  }
  int const axes = problem.input.axes();
  std::set<int> named;
  for (int axis : problem.axes) {
    require(
        axis >= 0 && axis < axes, "axes: ", [&] { return axis_names(axes); }, " are possible, ",
        axis_name(axis, axes), " was given");
    require(named.insert(axis).second, "axes: axis ", axis_name(axis, axes), " is named twice");
  }
  if (problem.axes.empty())
    for (int axis = 0; axis < axes; ++axis) problem.axes.push_back(axis);
  std::size_t const wanted = problem.axes.size();
  std::vector<Kind>& kinds = problem.kinds;
  if (kinds.empty()) kinds.assign(wanted, Kind::c2c);
  if (kinds.size() == 1) {
    Kind const kind = kinds[0];
    kinds.assign(wanted, kind == Kind::r2c ? Kind::c2c : kind);
    kinds.back() = kind;
  }
  require(kinds.size() == wanted, "kinds: one for each of the ", wanted,
          " axes is needed, or one for all, ", kinds.size(), " were given");
  if (problem.lengths.empty())
    for (int axis : problem.axes) problem.lengths.push_back(problem.input.shape()[axis]);
  require(problem.lengths.size() == wanted, "lengths: a number for each of the ", wanted,
          " axes is needed, ", problem.lengths.size(), " were given");
  if (problem.first.empty()) problem.first.assign(wanted, 0);
  require(problem.sphere.empty() || problem.columns.empty(),
          "columns: a sphere or a list of columns is possible, both were given");
  if (!problem.sphere.empty()) fit_sphere(problem);
  if (!problem.columns.empty()) fit_columns(problem);
  if (problem.modes.empty()) problem.modes = problem.lengths;
  require(problem.modes.size() == wanted, "modes: a number for each of the ", wanted,
          " axes is needed, ", problem.modes.size(), " were given");
  return problem;
}

/// The position of the r2c axis among the axes to transform; their number if there is none.
std::size_t real_place(Problem const& problem) {
  auto const found = std::find(problem.kinds.begin(), problem.kinds.end(), Kind::r2c);
  return static_cast<std::size_t>(found - problem.kinds.begin());
}

void check_twiddle(Problem const& problem) {
  int const axes = problem.input.axes();
  require(
      problem.twiddle >= 0 && problem.twiddle < axes, "twiddle: ", [&] { return axis_names(axes); },
      " are possible, ", axis_name(problem.twiddle, axes), " was given");
  require(problem.axes.size() == 1 && problem.kinds[0] == Kind::c2c && is_whole(problem, 0),
          "twiddle: a single c2c axis with all its modes is needed, ", problem.axes.size(),
          " axes were given");
  int const axis = problem.axes[0];
  require(problem.twiddle != axis, "twiddle: an axis that is not transformed is needed, ",
          axis_name(axis, axes), " was given");
}

/// Bytes of the arrays that transforms grow to must be counted with 64 bits.
void check_lengths(Problem const& problem) {
  constexpr double most = 144115188075855872.0;  // 2^57
  double points = 1;
  bool are_longer = false;
  for (Index extent : problem.input.shape()) points *= static_cast<double>(extent);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Index const extent = problem.input.shape()[problem.axes[i]];
    are_longer = are_longer || problem.lengths[i] > extent;
    points *= static_cast<double>(problem.lengths[i]) / static_cast<double>(extent);
  }
  require(!are_longer || points <= most,
          "lengths: transforms of at most 2^57 points are possible, ", points, " were asked for");
}

void check_axes(Problem const& problem) {
  Layout const& input = problem.input;
  std::size_t const real = real_place(problem);
  auto const name = [&](int axis) { return axis_name(axis, input.axes()); };
  for (std::size_t i = 0; i < problem.kinds.size(); ++i) {
    int const axis = problem.axes[i];
    require(
        has_name(problem.kinds[i]), "kinds: c2c to dst4 are possible, ",
        [&] { return to_string(problem.kinds[i]); }, " was given");
    require(i == real || problem.kinds[i] != Kind::r2c,
            "kinds: r2c is possible along one axis, it is given for ",
            name(problem.axes[std::min(i, real)]), " and ", name(axis));
    Index const points = input.shape()[axis], length = problem.lengths[i];
    require(length >= points, "lengths: ", points, " or more are needed along axis ", name(axis),
            ", as the input has so many points there; ", length, " was given");
    require(problem.kinds[i] != Kind::dct1 || length >= 2,
            "kinds: dct1 needs at least 2 points, axis ", name(axis), " has ", length);
    require(problem.modes[i] >= 1 && problem.modes[i] <= length, "modes: 1 to ", length,
            " of axis ", name(axis), " can be kept, ", problem.modes[i], " were asked for");
  }
  check_lengths(problem);
  if (problem.twiddle != -1) check_twiddle(problem);
  if (!problem.padded) return;
  require(real < problem.axes.size(), "padded: an r2c axis is needed, there is none");
  int const axis = problem.axes[real];
  int fastest = axis;
  for (int other : input.order())
    if (std::find(problem.axes.begin(), problem.axes.end(), other) != problem.axes.end())
      fastest = other;
  require(
      axis == fastest,
      "padded: the r2c axis must be the transformed axis that is fastest in the input's memory, "
      "axis ",
      name(fastest), "; it is axis ", name(axis));
  require(!input.has_ghosts(), "padded: a layout without ghosts is needed, the input is ",
          [&] { return input.describe(); });
  require(
      input.whole(axis), "padded: the r2c axis must be whole on every rank of the input, axis ",
      name(axis), " of ", [&] { return input.describe(); }, " is split");
}

Shape shape_of_result(Problem const& problem) {
  Shape shape = problem.input.shape();
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    shape[problem.axes[i]] = coefficients(problem.kinds[i], problem.modes[i]);
  return shape;
}

}  // namespace

double wave_number(Kind kind, Index modes, Index k) {
  auto const number = static_cast<double>(k);
  switch (kind) {
    case Kind::c2c:
      return k <= (modes - 1) / 2 ? number : number - static_cast<double>(modes);
    case Kind::dst1:
    case Kind::dst2:
      return number + 1;
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return number + 0.5;
    default:
      return number;
  }
}

Problem checked(Problem const& given) {
  Layout const& input = given.input;
  // Axes are viewed as two only where they are transformed.
  int const most_axes = given.moves ? 2 * max_axes : max_axes;
  require(input.axes() >= 1 && input.axes() <= most_axes, "input: a layout of 1 to ", most_axes,
          " axes is needed, it has ", input.axes());
  require(sixstep::volume(input.shape()) > 0,
          "input: every extent must be at least 1, the shape is ",
          [&] { return to_string(input.shape()); });
  Problem const problem = expanded(given);
  check_axes(problem);
  if (!problem.output) return problem;
  require(
      problem.lies == Output::cheapest, "output: a layout and the option ",
      [&] { return to_string(problem.lies); }, " were given; give only one of the two");
  Shape const shape = shape_of_result(problem);
  bool const same = shape == input.shape();
  require(
      problem.output->shape() == shape, "output: ", same ? "the input's shape " : "the shape ",
      [&] { return to_string(shape); }, " is needed",
      [&] {
        return same ? ""
                    : text(" for an input of ", to_string(input.shape()),
                           " with these axes, kinds, lengths and modes");
      },
      ", ", [&] { return to_string(problem.output->shape()); }, " was given");
  require(problem.output->ranks() == input.ranks(), "output: a layout for ", input.ranks(),
          " ranks is needed, like the input's; it is for ", problem.output->ranks());
  return problem;
}

Problem settled(Problem const& given) {
  Problem problem = checked(given);
  if (problem.output || problem.lies != Output::as_input) return problem;
  problem.output = resized(problem.input, shape_of_result(problem), "output: as_input");
  problem.lies = Output::cheapest;
  return problem;
}

Layout resized(Layout const& layout, Shape const& shape, char const* what) {
  if (shape == layout.shape()) return layout;
  if (!layout.grid().empty())
    return Layout::grid(shape, layout.grid(), layout.distribution(), layout.order());
  Layout made = layout.dense();
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == layout.shape()[axis]) continue;
    require(layout.whole(axis), what, " needs axis ", axis_name(axis, shape.size()),
            " whole in every box, as its extent is ", layout.shape()[axis], " in the input and ",
            shape[axis], " in the output; the input is ", [&] { return layout.describe(); });
    made = made.with_extent(axis, shape[axis]);
  }
  return made;
}

Shape output_shape(Problem const& problem) {
  Problem open = problem;
  open.output.reset();
  return shape_of_result(checked(open));
}

int real_axis_of(Problem const& problem) {
  std::size_t const real = real_place(problem);
  return real < problem.axes.size() ? problem.axes[real] : -1;
}

bool is_whole(Problem const& problem, std::size_t place) {
  Index const points = problem.input.shape()[problem.axes[place]];
  return problem.lengths[place] == points && problem.modes[place] == points;
}

Numbers numbers_of(std::vector<Kind> const& kinds) {
  auto const count = [&](Kind kind) { return std::count(kinds.begin(), kinds.end(), kind); };
  if (count(Kind::r2c) > 0) return {layout::Number::real, layout::Number::complex};
  return count(Kind::c2c) > 0 ? Numbers{} : Numbers{layout::Number::real, layout::Number::real};
}

Numbers numbers_of(Problem const& problem) {
  return problem.of_complex ? Numbers{} : numbers_of(problem.kinds);
}

}  // namespace sixstep::schedule
