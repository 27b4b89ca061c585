// SPDX-License-Identifier: BSD-3-Clause
// Transforms and products of whole arrays with several fields.
#include "solver_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "free_space.hpp"
#include "kept_waves.hpp"
#include "oracles/convolutions.hpp"
#include "reference.hpp"

namespace soak {

using solver_oracle::Numbers;
using solver_oracle::Waves;

namespace {

using Array = Whole<long double>;
using Fields = std::vector<oracle::Whole>;
using Kinds = std::vector<AxisKind>;

/// The fields along the last axis, each an array.
Fields split(Array const& array) {
  Shape shape;
  for (int axis = 0; axis + 1 < array.shape.size(); ++axis) shape.push_back(array.shape[axis]);
  auto const count = static_cast<std::size_t>(array.shape.back());
  Fields fields(count, oracle::Whole{shape, {}});
  for (std::size_t i = 0; i < array.values.size(); ++i)
    fields[i % count].values.push_back(array.values[i]);
  return fields;
}

Array joined(Fields const& fields) {
  Array array{fields[0].shape, {}};
  array.shape.push_back(static_cast<Index>(fields.size()));
  for (std::size_t i = 0; i < fields[0].values.size(); ++i)
    for (oracle::Whole const& field : fields) array.values.push_back(field.values[i]);
  return array;
}

Array operator*(Array array, long double factor) {
  for (auto& value : array.values) value *= factor;
  return array;
}

double size_of(Array const& array) {
  long double sum = 0;
  for (auto const& value : array.values) sum += std::norm(value);
  auto const count = static_cast<long double>(std::max<std::size_t>(1, array.values.size()));
  return static_cast<double>(std::sqrt(sum / count));
}

/// The kept coefficients of points.
Array coefficients_of(Array points, Kinds const& kinds) {
  return kept_of(transformed(followed_by_zeros(std::move(points), kinds), kinds, Direction::forward,
                             points_along_r2c(kinds)),
                 kinds);
}

/// All points of these coefficients.
Array points_of(Array coefficients, Kinds const& kinds) {
  return transformed(among_zeros(std::move(coefficients), kinds), kinds, Direction::backward,
                     points_along_r2c(kinds));
}

std::vector<Waves::Along> along_of(Kinds const& kinds) {
  std::vector<Waves::Along> along;
  for (AxisKind const& one : kinds) along.push_back({one.axis, one.kind, one.points, one.modes});
  return along;
}

/// The kept coefficients of points, of which the highest wave stands for both signs.
Array with_both_signs(Array points, Kinds const& kinds) {
  Array const all = transformed(followed_by_zeros(std::move(points), kinds), kinds,
                                Direction::forward, points_along_r2c(kinds));
  return kept_of(solver_oracle::with_sums(all, along_of(kinds)), kinds);
}

/// All points of these coefficients.
Array from_both_signs(Array coefficients, Kinds const& kinds) {
  Array const all = among_zeros(std::move(coefficients), kinds);
  return transformed(solver_oracle::with_halves(all, along_of(kinds)), kinds, Direction::backward,
                     points_along_r2c(kinds));
}

/// The transforms of an operator, which keep modes that both have.
struct There {
  Kinds forward, backward;
};
There there_and_back(Job const& job) {
  There both{kinds_of(job), kinds_of(job)};
  if (!job.output) return both;
  Shape const result = output_shape_of(job);
  for (std::size_t i = 0; i < both.forward.size(); ++i) {
    AxisKind &there = both.forward[i], &back = both.backward[i];
    Solver const& solver = job.solver;
    if (!solver.back.empty())
      back.points = solver.back[i];
    else if (job.options.lengths.empty())
      back.points = result[back.axis];
    if (job.options.modes.empty()) there.modes = std::min(there.modes, back.points);
    back.modes = there.modes;
  }
  return both;
}

Waves waves_of(Job const& job) {
  // The axes of a job that must be refused may not exist, and nobody compares its results.
  if (job.refused) return {job.shape.size(), {}, {}};
  std::vector<Waves::Along> along;
  Kinds const kinds = job.make == Make::op ? there_and_back(job).forward : kinds_of(job);
  for (AxisKind const& one : kinds) along.push_back({one.axis, one.kind, one.modes, one.modes});
  return {job.shape.size(), along, sides_of(job)};
}

Solved operator_solved(Job const& job, Array const& input, int variant) {
  There const kinds = there_and_back(job);
  Numbers const numbers = numbers_of(job, variant);
  Fields const fields = split(with_both_signs(input, kinds.forward));
  int const rows = output_fields(job), columns = static_cast<int>(fields.size());
  bool const is_number = job.solver.results.empty();
  Fields made(static_cast<std::size_t>(rows), oracle::Whole{fields[0].shape, {}});
  for (int row = 0; row < rows; ++row)
    oracle::for_each_point(fields[0].shape, [&](Shape const& k) {
      auto const i = static_cast<std::size_t>(oracle::number_of(fields[0].shape, k));
      oracle::Exact sum = 0;
      for (int column = 0; is_within(job, kinds.forward, k) && column < columns; ++column)
        if (is_number ? row == column : true)
          sum += fields[static_cast<std::size_t>(column)].values[i] *
                 (is_number ? numbers.mean(k, 0, 0) : numbers.mean(k, row, column));
      made[static_cast<std::size_t>(row)].values.push_back(sum);
    });
  Array output = from_both_signs(joined(made), kinds.backward) * (1 / logical_points(job));
  Shape const shape = output_shape_of(job);
  for (std::size_t i = 0; i < kinds.backward.size(); ++i)
    output = points_from(std::move(output), kinds.backward[i].axis, shape[kinds.backward[i].axis],
                         job.solver.first.empty() ? 0 : job.solver.first[i]);
  double const size = 2 * size_of(input) * (is_number ? 1 : columns);
  return {output, std::max(size, size_of(output))};
}

long double factor_of(Job const& job, Scale scale) {
  long double const points = logical_points(job);
  return scale == Scale::none ? 1 : 1 / (scale == Scale::by_n ? points : std::sqrt(points));
}

Solved map_solved(Job const& job, Array const& input) {
  Kinds const kinds = kinds_of(job);
  Numbers const numbers = numbers_of(job, 0);
  auto const [before, at_points, after] = map_results(job);
  Array array = input;
  if (before > 0) array = joined(solver_oracle::mixed_exactly(numbers, split(array), before));
  Shape shape = job.shape;
  shape.push_back(array.shape.back());
  array = first_points(points_of(std::move(array), kinds), shape);
  array = array * factor_of(job, job.solver.to_points);
  double const of_points = size_of(array);
  array = joined(solver_oracle::multiplied_exactly(split(array), at_points));
  double const largest = std::max(size_of(array), of_points * (1 + of_points));
  array = coefficients_of(std::move(array), kinds);
  if (after > 0) array = joined(solver_oracle::mixed_exactly(numbers, split(array), after));
  long double const factor = factor_of(job, job.solver.from_points);
  array = array * factor;
  double const sum = largest * static_cast<double>(factor * std::sqrt(logical_points(job)));
  return {array, std::max(4 * sum, size_of(array))};
}

Solved convolution_solved(Job const& job, Array const& input, std::uint64_t seed) {
  convolution_oracle::Convolves convolve{{}, {}, job.solver.mode, job.solver.correlate};
  for (AxisKind const& one : kinds_of(job)) {
    convolve.axes.push_back(one.axis);
    convolve.lengths.push_back(one.points);
  }
  Array const kernel = kernel_of(job, seed);
  Fields made;
  for (oracle::Whole const& field : split(input))
    made.push_back(convolve(field, {kernel.shape, kernel.values}));
  Array const output = joined(made);
  double const size = size_of(input) * size_of(kernel) *
                      std::sqrt(static_cast<double>(sixstep::volume(kernel.shape)));
  return {output, std::max(size, size_of(output))};
}

Solved equation_solved(Job const& job, Array const& input, std::uint64_t seed, int variant) {
  Fields made;
  double size = 0;
  for (oracle::Whole const& field : split(input)) {
    Array const u = solved_in_free_space(job, {field.shape, field.values}, seed, variant, size);
    made.push_back({u.shape, u.values});
  }
  Array const output = joined(made);
  return {output, std::max(size * size_of(input), size_of(output))};
}

}  // namespace

std::vector<double> sides_of(Job const& job) {
  std::vector<double> sides;
  for (int axis = 0; job.solver.has_sides && axis < job.shape.size(); ++axis)
    sides.push_back(0.5 + axis);
  return sides;
}

Numbers numbers_of(Job const& job, int variant) {
  return {waves_of(job), !job.solver.real, variant, job.solver.product};
}

std::array<int, 3> map_results(Job const& job) {
  std::array<int, 3> found{0, 1, 0};
  for (std::size_t i = 0; i < std::min(found.size(), job.solver.results.size()); ++i)
    found[i] = job.solver.results[i];
  return found;
}

Shape coefficients_shape(Job const& job) {
  Shape shape = job.shape;
  for (AxisKind const& one : there_and_back(job).forward)
    shape[one.axis] = coefficients(one.kind, one.modes);
  return shape;
}

int output_fields(Job const& job) {
  std::vector<int> const& results = job.solver.results;
  if (job.make == Make::op && !results.empty()) return results[0];
  if (job.make != Make::map) return job.options.fields;
  auto const [before, at_points, after] = map_results(job);
  return after > 0 ? after : at_points;
}

Array kernel_of(Job const& job, std::uint64_t seed) {
  Array kernel = random_whole<long double>(job.solver.kernel, is_real_input(job), seed);
  if (!job.solver.even) return kernel;
  Array const given = kernel;
  Kinds const kinds = kinds_of(job);
  std::size_t i = 0;
  oracle::for_each_point(kernel.shape, [&](Shape point) {
    for (AxisKind const& one : kinds) point[one.axis] = (one.points - point[one.axis]) % one.points;
    auto const there = static_cast<std::size_t>(oracle::number_of(kernel.shape, point));
    kernel.values[i] = (given.values[i] + std::conj(given.values[there])) / 2.0L;
    ++i;
  });
  return kernel;
}

Solved solved(Job const& job, Array const& input, std::uint64_t seed, int variant) {
  switch (job.make) {
    case Make::op:
      return operator_solved(job, input, variant);
    case Make::map:
      return map_solved(job, input);
    case Make::open_poisson:
      return equation_solved(job, input, seed, variant);
    default:
      return convolution_solved(job, input, seed);
  }
}

}  // namespace soak
