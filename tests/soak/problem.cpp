// SPDX-License-Identifier: BSD-3-Clause
// Problems: what they mean for layouts, axes and ranks.
#include "problem.hpp"

#include <algorithm>
#include <cstddef>

#include "kept_waves.hpp"
#include "oracles/convolutions.hpp"
#include "words.hpp"

namespace soak {

namespace {

Layout dense_layout_of(Sharing const& sharing, Shape const& shape, int ranks) {
  auto const ordered = [&](Layout const& layout) {
    return sharing.order.empty() ? layout : layout.with_order(sharing.order);
  };
  switch (sharing.form) {
    case Sharing::Form::grid:
      return Layout::grid(shape, sharing.grid, sharing.distribution, sharing.order);
    case Sharing::Form::slab:
      return ordered(Layout::slab(shape, ranks, sharing.axis));
    case Sharing::Form::pencil:
      return ordered(Layout::pencil(shape, ranks));
    case Sharing::Form::brick:
      return ordered(Layout::brick(shape, ranks));
    default:
      return Layout::boxes(shape, sharing.boxes, sharing.order);
  }
}

}  // namespace

Layout layout_of(Sharing const& sharing, Shape const& shape, int ranks) {
  Layout const layout = dense_layout_of(sharing, shape, ranks);
  return sharing.before.empty() ? layout : layout.with_ghosts(sharing.before, sharing.after);
}

std::vector<AxisKind> kinds_of(Job const& job) {
  std::vector<int> axes = job.options.axes;
  for (int axis = 0; job.options.axes.empty() && axis < job.shape.size(); ++axis)
    axes.push_back(axis);
  std::vector<Kind> const& given = job.options.kinds;
  std::vector<AxisKind> found;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Kind kind = given.empty() ? Kind::c2c : given[given.size() == 1 ? 0 : i % given.size()];
    bool const is_last = i + 1 == axes.size();
    if (given.size() == 1 && kind == Kind::r2c && !is_last) kind = Kind::c2c;
    bool const is_there = axes[i] >= 0 && axes[i] < job.shape.size();
    bool const is_longer = i < job.options.lengths.size();
    Index const points = is_longer ? job.options.lengths[i] : is_there ? job.shape[axes[i]] : 0;
    bool const keeps_some = i < job.options.modes.size();
    found.push_back({axes[i], kind, points,
                     keeps_some ? job.options.modes[i] : modes_around(job, i, kind, points)});
  }
  return found;
}

Index padded_row(Job const& job) {
  if (job.options.padded)
    for (AxisKind const& one : kinds_of(job))
      if (one.kind == Kind::r2c) return 2 * coefficients(one.kind, one.points);
  return 0;
}

Shape result_shape(Job const& job) {
  Shape shape = job.shape;
  for (AxisKind const& one : kinds_of(job))
    if (one.axis >= 0 && one.axis < shape.size())
      shape[one.axis] = coefficients(one.kind, one.modes);
  return shape;
}

Shape output_shape_of(Job const& job) {
  if (!job.output_shape.empty()) return job.output_shape;
  if (job.make == Make::op || job.make == Make::open_poisson) return job.shape;
  if (is_packed(job)) return {static_cast<Index>(within(job).size())};
  if (job.make != Make::convolution) return result_shape(job);
  Shape shape = job.shape;
  for (AxisKind const& one : kinds_of(job))
    if (one.axis >= 0 && one.axis < std::min(shape.size(), job.solver.kernel.size()))
      shape[one.axis] = convolution_oracle::points_of(job.solver.mode, shape[one.axis],
                                                      job.solver.kernel[one.axis]);
  return shape;
}

Index points_along_r2c(std::vector<AxisKind> const& kinds) {
  for (AxisKind const& one : kinds)
    if (one.kind == Kind::r2c) return one.points;
  return 0;
}

long double logical_points(Job const& job) {
  long double points = 1;
  for (AxisKind const& one : kinds_of(job)) {
    Index const n = one.points;
    points *= static_cast<long double>(one.kind == Kind::c2c || one.kind == Kind::r2c ? n
                                       : one.kind == Kind::dct1                       ? 2 * (n - 1)
                                       : one.kind == Kind::dst1                       ? 2 * (n + 1)
                                                                                      : 2 * n);
  }
  return points;
}

Job of_all_fields(Job const& job) {
  Job all = job;
  all.shape.push_back(job.options.fields);
  all.options.axes.clear();
  all.options.kinds.clear();
  all.options.lengths.clear();
  all.options.modes.clear();
  all.options.sphere.clear();
  all.options.columns.clear();
  for (AxisKind const& one : kinds_of(job)) {
    all.options.axes.push_back(one.axis);
    all.options.kinds.push_back(one.kind);
    all.options.lengths.push_back(one.points);
    all.options.modes.push_back(one.modes);
  }
  return all;
}

Job job_on(Job const& job, int rank) {
  Job own = job;
  if (rank != job.odd_rank) return own;
  // A layout that cannot be would keep this rank alone from making the plan.
  if (job.output_shape.empty()) own.output_shape = output_shape_of(job);
  read_word(own, job.odd_word);
  return own;
}

}  // namespace soak
