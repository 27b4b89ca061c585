// SPDX-License-Identifier: BSD-3-Clause
#include "kept_waves.hpp"

#include <algorithm>
#include <cmath>

#include "sixstep/indices.hpp"

namespace soak {

namespace {

double first_wave(Kind kind) {
  switch (kind) {
    case Kind::dst1:
    case Kind::dst2:
      return 1;
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return 0.5;
    default:
      return 0;
  }
}

double radius_of(Job const& job, std::size_t i) {
  std::vector<double> const& sphere = job.options.sphere;
  return sphere[std::min(i, sphere.size() - 1)];
}

/// Options::columns, taken apart: the waves along the other axes, the lowest and the highest.
std::vector<std::vector<Index>> columns_of(Job const& job, std::size_t axes) {
  std::vector<Index> const& all = job.options.columns;
  std::vector<std::vector<Index>> columns;
  auto const each = static_cast<std::ptrdiff_t>(axes + 1);
  for (auto at = all.begin(); all.end() - at >= each; at += each)
    columns.emplace_back(at, at + each);
  return columns;
}

bool is_in_columns(Job const& job, std::vector<double> const& waves) {
  for (std::vector<Index> const& column : columns_of(job, waves.size())) {
    auto const lowest = static_cast<double>(column[column.size() - 2]);
    auto const highest = static_cast<double>(column.back());
    bool is_there = lowest <= waves[0] && waves[0] <= highest;
    for (std::size_t i = 1; i < waves.size(); ++i)
      is_there = is_there && waves[i] == static_cast<double>(column[i - 1]);
    if (is_there) return true;
  }
  return false;
}

bool is_in_sphere(Job const& job, std::vector<double> const& waves) {
  bool const is_round = job.options.sphere.size() == 1;
  double sum = 0;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    double const part = is_round ? waves[i] : waves[i] / radius_of(job, i);
    sum += part * part;
  }
  return sum < (is_round ? radius_of(job, 0) * radius_of(job, 0) : 1);
}

}  // namespace

bool keeps_waves(Job const& job) {
  return !job.options.sphere.empty() || !job.options.columns.empty();
}

bool is_packed(Job const& job) {
  bool const has_coefficients = job.make == Make::plan || job.make == Make::map;
  return keeps_waves(job) && has_coefficients && kinds_of(job).size() > 1;
}

Index modes_around(Job const& job, std::size_t i, Kind kind, Index points) {
  if (!job.options.sphere.empty()) {
    double const radius = radius_of(job, i);
    Index waves = 0;
    while (waves < points && first_wave(kind) + static_cast<double>(waves) < radius) ++waves;
    return std::min(is_periodic(kind) ? 2 * waves - 1 : waves, points);
  }
  if (job.options.columns.empty()) return points;
  std::size_t const axes = job.options.axes.empty() ? static_cast<std::size_t>(job.shape.size())
                                                    : job.options.axes.size();
  Index farthest = 0;
  for (std::vector<Index> const& column : columns_of(job, axes)) {
    std::size_t const last = column.size() - 1;
    farthest =
        std::max(farthest, i == 0 ? std::max(std::abs(column[last]), std::abs(column[last - 1]))
                                  : std::abs(column[i - 1]));
  }
  return std::min(2 * farthest + 1, points);
}

double wave_of(Kind kind, Index modes, Index coefficient) {
  if (kind == Kind::c2c && coefficient > (modes - 1) / 2) coefficient -= modes;
  return first_wave(kind) + static_cast<double>(coefficient);
}

Index coefficient_of(Kind kind, Index modes, double wave) {
  auto const coefficient = static_cast<Index>(std::floor(wave - first_wave(kind)));
  return kind == Kind::c2c && coefficient < 0 ? coefficient + modes : coefficient;
}

bool is_within(Job const& job, std::vector<AxisKind> const& kinds, Shape const& coefficient) {
  if (!keeps_waves(job)) return true;
  std::vector<double> waves;
  for (AxisKind const& one : kinds)
    waves.push_back(wave_of(one.kind, one.modes, coefficient[one.axis]));
  return job.options.sphere.empty() ? is_in_columns(job, waves) : is_in_sphere(job, waves);
}

std::vector<Index> within(Job const& job) {
  std::vector<AxisKind> const kinds = kinds_of(job);
  Layout const box = Layout::slab(result_shape(job), 1);
  std::vector<Index> numbers;
  sixstep::for_each(box, 0, [&](Shape const& coefficient, Index number) {
    if (is_within(job, kinds, coefficient)) numbers.push_back(number);
  });
  return numbers;
}

}  // namespace soak
