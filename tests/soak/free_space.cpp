// SPDX-License-Identifier: BSD-3-Clause
#include "free_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sixstep/indices.hpp"

namespace soak {

namespace {

using Array = Whole<long double>;

std::size_t number_of(Shape const& shape, Shape const& point) {
  Index number = 0;
  for (int axis = 0; axis < shape.size(); ++axis) number = number * shape[axis] + point[axis];
  return static_cast<std::size_t>(number);
}

template <class Visit>
void for_each_place(Shape const& shape, Visit const& visit) {
  sixstep::for_each(Layout::slab(shape, 1), 0, [&](Shape const& point, Index) { visit(point); });
}

/// The weight of the number `entry` at this offset along an open axis, in points.
long double weight_of(EquationAxis const& axis, Index offset, Index entry, Job const& job) {
  if (job.solver.greens != GreensBy::waves) {
    bool const is_shifted = !job.solver.shift.empty();
    return entry == (is_shifted ? offset + axis.n - 1 : std::abs(offset)) ? 1 : 0;
  }
  auto const most = static_cast<long double>(axis.numbers - 1);
  long double const both = entry == 0 || entry == axis.numbers - 1 ? 1 : 2;
  long double const distance = static_cast<long double>(offset) + axis.shift;
  return both *
         std::cos(std::numbers::pi_v<long double> * static_cast<long double>(entry) * distance /
                  most) /
         (2 * most);
}

/// The weights at all offsets along the axes before `axis`, and that one; numbers along the others.
Array weights_along(Array const& from, std::vector<EquationAxis> const& axes, int axis,
                    Job const& job) {
  EquationAxis const& along = axes[static_cast<std::size_t>(axis)];
  if (!along.is_open()) return from;
  Array made{from.shape, {}};
  made.shape[axis] = 2 * along.n - 1;
  for_each_place(made.shape, [&](Shape point) {
    Index const offset = point[axis] - (along.n - 1);
    std::complex<long double> sum = 0;
    for (point[axis] = 0; point[axis] < along.numbers; ++point[axis])
      sum += weight_of(along, offset, point[axis], job) * from.values[number_of(from.shape, point)];
    made.values.push_back(sum);
  });
  return made;
}

/// The job's transforms along the axes that are not open.
Job along_closed(Job const& job, std::vector<EquationAxis> const& axes) {
  Job made = job;
  made.make = Make::plan;
  made.options = {};
  for (EquationAxis const& one : axes) {
    if (one.is_open()) continue;
    made.options.axes.push_back(one.axis);
    made.options.kinds.push_back(one.kind());
  }
  return made;
}

}  // namespace

Kind EquationAxis::kind() const {
  bool const cells = points == Points::cells;
  switch (walls) {
    case Walls::dirichlet:
      return cells ? Kind::dst2 : Kind::dst1;
    case Walls::neumann:
      return cells ? Kind::dct2 : Kind::dct1;
    case Walls::dirichlet_neumann:
      return cells ? Kind::dst4 : Kind::dst3;
    case Walls::neumann_dirichlet:
      return cells ? Kind::dct4 : Kind::dct3;
    default:
      return Kind::c2c;
  }
}

double EquationAxis::place(Index entry, bool is_shifted) const {
  auto const number = static_cast<double>(entry), extent = static_cast<double>(n);
  if (is_open()) return spacing * std::abs(is_shifted ? number - extent + 1 + shift : number);
  if (walls == Walls::periodic) return 2 * std::numbers::pi * number / (extent * spacing);
  bool const is_half = walls == Walls::dirichlet_neumann || walls == Walls::neumann_dirichlet;
  double const wave = is_half ? number + 0.5 : walls == Walls::dirichlet ? number + 1 : number;
  double parts = extent;
  if (points == Points::nodes && walls == Walls::dirichlet) parts += 1;
  if (points == Points::nodes && walls == Walls::neumann) parts -= 1;
  return std::numbers::pi * wave / (parts * spacing);
}

std::vector<EquationAxis> equation_of(Job const& job) {
  Solver const& solver = job.solver;
  std::vector<AxisKind> const listed = kinds_of(job);
  std::vector<EquationAxis> axes;
  if (solver.walls.size() != listed.size()) return {};
  for (std::size_t i = 0; i < listed.size(); ++i) {
    int const axis = listed[i].axis;
    if (axis < 0 || axis >= job.shape.size() || job.shape[axis] < 1) return {};
    EquationAxis one{axis,
                     job.shape[axis],
                     solver.walls[i],
                     i < solver.points.size() ? solver.points[i] : Points::cells,
                     0.5 + 0.25 * static_cast<double>(i),
                     i < solver.shift.size() ? solver.shift[i] : 0,
                     job.shape[axis]};
    if (one.walls == Walls::periodic) one.numbers = one.n / 2 + 1;
    if (one.is_open() && !solver.shift.empty()) one.numbers = 2 * one.n - 1;
    if (one.is_open() && solver.greens == GreensBy::waves)
      one.numbers = one.n + 1 + (i < solver.more_waves.size() ? solver.more_waves[i] : 0);
    axes.push_back(one);
  }
  return axes;
}

Shape numbers_shape(std::vector<EquationAxis> const& axes) {
  Shape shape;
  for (EquationAxis const& one : axes) shape.push_back(one.numbers);
  return shape;
}

double greens_value(sixstep::PerAxis<double> const& x, int variant) {
  double sum = 1 + 0.5 * variant;
  for (int i = 0; i < x.size(); ++i) sum += (0.3 + 0.2 * i) * x[i];
  return 1 / sum;
}

Array greens_numbers(Job const& job, std::uint64_t seed) {
  return random_whole<long double>(numbers_shape(equation_of(job)), true, seed + 1000003);
}

Array solved_in_free_space(Job const& job, Array const& f, std::uint64_t seed, int variant,
                           double& size) {
  std::vector<EquationAxis> const axes = equation_of(job);
  Array weights{numbers_shape(axes), {}};
  if (job.solver.greens == GreensBy::function)
    for_each_place(weights.shape, [&](Shape const& entry) {
      sixstep::PerAxis<double> x;
      for (int i = 0; i < entry.size(); ++i)
        x.push_back(axes[static_cast<std::size_t>(i)].place(entry[i], !job.solver.shift.empty()));
      weights.values.emplace_back(greens_value(x, variant));
    });
  else
    weights = greens_numbers(job, seed);
  for (int i = 0; i < weights.shape.size(); ++i) weights = weights_along(weights, axes, i, job);
  long double squares = 0;
  for (auto const& weight : weights.values) squares += std::norm(weight);
  size = std::max(2.0, static_cast<double>(std::sqrt(squares)));

  Job const closed = along_closed(job, axes);
  bool const has_closed = !closed.options.axes.empty();
  std::vector<AxisKind> const kinds = has_closed ? kinds_of(closed) : std::vector<AxisKind>{};
  Array const source = transformed(f, kinds, Direction::forward, 0);
  Array u{f.shape, {}};
  for_each_place(f.shape, [&](Shape const& x) {
    Box sources;
    for (int axis = 0; axis < x.size(); ++axis) sources.ranges.push_back({x[axis], x[axis] + 1});
    for (EquationAxis const& one : axes)
      if (one.is_open()) sources.ranges[one.axis] = {0, one.n};
    std::complex<long double> sum = 0;
    sixstep::for_each(sources, Shape(x.size(), 0), [&](Shape const& y, Index) {
      Shape entry;
      for (EquationAxis const& one : axes) {
        Index const k = x[one.axis];
        if (one.is_open())
          entry.push_back(k - y[one.axis] + one.n - 1);
        else
          entry.push_back(one.walls == Walls::periodic ? std::min(k, one.n - k) : k);
      }
      sum += weights.values[number_of(weights.shape, entry)] * source.values[number_of(f.shape, y)];
    });
    u.values.push_back(sum);
  });
  u = transformed(std::move(u), kinds, Direction::backward, 0);
  if (has_closed)
    for (auto& value : u.values) value /= logical_points(closed);
  return u;
}

}  // namespace soak
