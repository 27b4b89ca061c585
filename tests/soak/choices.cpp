// SPDX-License-Identifier: BSD-3-Clause
// Shapes, layouts, kinds, lengths and options.
#include "choices.hpp"

#include <algorithm>
#include <cstddef>

#include "kept_waves.hpp"
#include "tested_device.hpp"

namespace soak {

using cases::Random;
using sixstep::Driver;
using sixstep::Exchange;

// Shapes.

Index long_extent(Random& random, int ranks, Index longest) {
  Index const n = random.between(longest / 20, longest);
  switch (random.between(0, 4)) {
    case 0: {
      auto const is_prime = [](Index p) {
        for (Index d = 2; d * d <= p; ++d)
          if (p % d == 0) return false;
        return true;
      };
      Index prime = n;
      while (!is_prime(prime)) ++prime;
      return prime;
    }
    case 1: {
      Index smooth = 1;
      while (smooth < n / 5) smooth *= one_of<Index>(random, {2, 2, 3, 4, 5, 7});
      return smooth;
    }
    case 2: {
      Index const side = ranks * random.between(1, 6), item = random.between(1, 8);
      return item * side * side;
    }
    default:
      return n;
  }
}

Shape random_shape(Random& random, int ranks) {
  if (random.once_in(20)) {
    Shape shape{long_extent(random, ranks, random.once_in(20) ? 20000 : 2000)};
    if (random.once_in(3)) shape.push_back(random.between(1, 2));
    if (random.once_in(4)) shape.push_back(1);
    random.shuffle(shape);
    return shape;
  }
  int const axes = one_of(random, std::vector<int>{1, 1, 2, 2, 2, 3, 3, 3, 4, 5});
  if (random.once_in(3)) {
    Shape shape;
    for (int axis = 0; axis < axes; ++axis)
      shape.push_back(one_of<Index>(random, {1, 1, 2, 2, 3, 4, 5, 7, 8}));
    return shape;
  }
  Shape shape =
      cases::random_shape(random, axes, one_of<Index>(random, {30, 200, 200, 1000, 4000}));
  constexpr Index longest = 40;
  if (axes > 1)
    for (Index& extent : shape) extent = std::min(extent, longest);
  return shape;
}

// Layouts.

namespace {

/// A box that holds nothing, written in one of many ways.
Box random_empty_box(Random& random, Shape const& shape) {
  Box box;
  for (Index extent : shape) {
    Index const lo = random.between(Index{-3}, extent + 3);
    box.ranges.push_back({lo, random.between(Index{-3}, extent + 3)});
  }
  Range& range = box.ranges[random.between(0, shape.size() - 1)];
  range.hi = range.lo - (random.once_in(2) ? 0 : random.between(1, 5));
  return box;
}

std::vector<Box> random_box_list(Random& random, Shape const& shape, int ranks) {
  std::vector<Box> boxes = cases::random_boxes(random, shape, random.between(1, ranks));
  while (static_cast<int>(boxes.size()) < ranks)
    boxes.push_back({PerAxis<Range>(shape.size(), {})});
  bool const is_odd = random.once_in(3);
  for (Box& box : boxes)
    if (box.empty() && is_odd) box = random_empty_box(random, shape);
  random.shuffle(boxes);
  return boxes;
}

}  // namespace

Sharing random_sharing(Random& random, Shape const& shape, int ranks) {
  int const axes = shape.size();
  Sharing made;
  if (!random.once_in(3)) made.order = cases::random_order(random, axes);
  if (random.once_in(6))
    for (int axis = 0; axis < axes; ++axis) {
      made.before.push_back(random.between(Index{0}, Index{2}));
      made.after.push_back(random.between(Index{0}, Index{2}));
    }
  switch (random.between(0, 9)) {
    case 0:
    case 1:
      made.form = Sharing::Form::slab;
      made.axis = random.between(0, axes - 1);
      break;
    case 2:
      made.form = axes >= 2 ? Sharing::Form::pencil : Sharing::Form::slab;
      break;
    case 3:
      made.form = Sharing::Form::brick;
      break;
    case 4:
    case 5:
      made.form = Sharing::Form::boxes;
      made.boxes = random_box_list(random, shape, ranks);
      break;
    default:
      made.form = Sharing::Form::grid;
      made.grid = cases::random_grid(random, axes, ranks);
      bool const is_block = random.once_in(2);
      for (int axis = 0; axis < axes; ++axis)
        made.distribution.push_back(!is_block && random.once_in(2) ? Distribution::cyclic
                                                                   : Distribution::block);
  }
  return made;
}

namespace {

/// The axis is whole and the fastest in memory.
void keep_whole_and_fastest(Random& random, Sharing& sharing, int axis, int axes, int ranks) {
  Order order;
  for (int other : cases::random_order(random, axes))
    if (other != axis) order.push_back(other);
  order.push_back(axis);
  sharing.order = order;
  sharing.form = Sharing::Form::grid;
  sharing.grid = Grid(axes, 1);
  sharing.distribution = PerAxis<Distribution>(axes, Distribution::block);
  int const split = (axis + random.between(1, std::max(1, axes - 1))) % axes;
  Grid const some = cases::random_grid(random, axes, ranks);
  if (axes == 1) {
    sharing.grid = some;
    return;
  }
  for (int a = 0; a < axes; ++a) sharing.grid[a == axis ? split : a] *= some[a];
  if (random.once_in(3)) sharing.distribution[split] = Distribution::cyclic;
}

// Kinds.

Kind random_r2r(Random& random, Index n) {
  auto const kind = static_cast<Kind>(random.between(2, 9));
  return kind == Kind::dct1 && n < 2 ? Kind::dct2 : kind;
}

/// One kind for all axes.
void choose_single_kind(Random& random, Job& job, std::vector<int> const& axes) {
  Index shortest = 2;
  for (int axis : axes) shortest = std::min(shortest, job.shape[axis]);
  job.options.kinds = {random.once_in(2)   ? Kind::r2c
                       : random.once_in(4) ? Kind::c2c
                                           : random_r2r(random, shortest)};
}

}  // namespace

void choose_kinds(Random& random, Job& job) {
  std::vector<int> axes = job.options.axes;
  for (int axis = 0; job.options.axes.empty() && axis < job.shape.size(); ++axis)
    axes.push_back(axis);
  if (random.between(0, 9) < 4) return;
  if (random.once_in(3)) return choose_single_kind(random, job, axes);
  bool const r2r_only = random.once_in(5);
  int const last = static_cast<int>(axes.size()) - 1;
  int const real = random.between(0, 2) > 0 ? random.between(0, last) : -1;
  for (int i = 0; i <= last; ++i) {
    Kind kind = random_r2r(random, job.shape[axes[static_cast<std::size_t>(i)]]);
    if (!r2r_only && random.between(0, 2) > 0) kind = Kind::c2c;
    if (!r2r_only && i == real) kind = Kind::r2c;
    job.options.kinds.push_back(kind);
  }
}

void choose_lengths(Random& random, Job& job) {
  if (!random.once_in(5)) return;
  for (AxisKind const& one : kinds_of(job))
    job.options.lengths.push_back(
        random.once_in(3) ? one.points : one.points + random.between(Index{0}, one.points + 1));
}

void choose_modes(Random& random, Job& job) {
  if (!random.once_in(5)) return;
  for (AxisKind const& one : kinds_of(job))
    job.options.modes.push_back(random.once_in(3) ? one.points
                                                  : random.between(Index{1}, one.points));
}

namespace {

/// Radii such that no wave lies on the sphere by rounding.
void choose_sphere(Random& random, Job& job, std::size_t axes) {
  if (random.once_in(2)) {
    job.options.sphere = {static_cast<double>(random.between(1, 6))};
    return;
  }
  for (std::size_t i = 0; i < axes; ++i)
    job.options.sphere.push_back(0.813 + 0.3717 * random.between(0, 14));
}

Index random_wave(Random& random, AxisKind const& one) {
  return one.kind == Kind::r2c ? random.between(Index{0}, one.modes / 2)
                               : random.between(-(one.modes / 2), (one.modes - 1) / 2);
}

void choose_columns(Random& random, Job& job, std::vector<AxisKind> const& kinds) {
  std::vector<std::vector<Index>> all;
  for (int i = random.between(1, 12); i > 0; --i) {
    std::vector<Index> across;
    for (std::size_t a = 1; a < kinds.size(); ++a) across.push_back(random_wave(random, kinds[a]));
    if (std::find(all.begin(), all.end(), across) != all.end()) continue;
    all.push_back(across);
    Index const one = random_wave(random, kinds[0]), other = random_wave(random, kinds[0]);
    across.push_back(std::min(one, other));
    across.push_back(std::max(one, other));
    job.options.columns.insert(job.options.columns.end(), across.begin(), across.end());
  }
}

}  // namespace

void choose_waves(Random& random, Job& job) {
  std::vector<AxisKind> const kinds = kinds_of(job);
  auto const count = [&](auto const& is_one) {
    return static_cast<std::size_t>(std::count_if(
        kinds.begin(), kinds.end(), [&](AxisKind const& one) { return is_one(one.kind); }));
  };
  bool const are_all = static_cast<int>(kinds.size()) == job.shape.size();
  bool const has_line = count([](Kind kind) { return kind == Kind::c2c; }) > 0;
  std::size_t const periodic = count(is_periodic);
  if (!random.once_in(4) || kinds.size() > 3 || kinds.empty()) return;
  if (kinds.size() > 1 && !are_all && job.make != Make::op) return;
  if (kinds.size() > 1 && periodic == kinds.size() && kinds[0].kind == Kind::c2c &&
      random.once_in(2))
    choose_columns(random, job, kinds);
  else if (kinds.size() == 1 || has_line || periodic == 0)
    choose_sphere(random, job, kinds.size());
  bool is_empty = false;
  for (AxisKind const& one : kinds_of(job)) is_empty = is_empty || one.modes < 1;
  if (is_empty || within(job).empty()) job.options.sphere.clear();
}

int real_axis(Job const& job) {
  for (AxisKind const& one : kinds_of(job))
    if (one.kind == Kind::r2c) return one.axis;
  return -1;
}

void choose_layouts(Random& random, Job& job, int ranks) {
  int const axes = job.shape.size(), real = real_axis(job);
  job.input = random_sharing(random, job.shape, ranks);
  if (real >= 0 && random.once_in(3)) keep_whole_and_fastest(random, job.input, real, axes, ranks);
  if (real >= 0) {
    Layout const input = layout_of(job.input, job.shape, ranks);
    bool const fits = input.whole(real) && input.order().back() == real && !input.has_ghosts();
    job.options.padded = fits && !random.once_in(3);
  }
  Shape const shape = result_shape(job);
  bool const fits = job.input.form != Sharing::Form::boxes || shape == job.shape;
  switch (random.between(0, 4)) {
    case 0:
    case 1:
      break;
    case 2:
    case 3:
      job.output = fits ? job.input : random_sharing(random, shape, ranks);
      break;
    default:
      job.output = random_sharing(random, shape, ranks);
  }
  if (is_packed(job)) job.output.reset();
}

void choose_options(Random& random, Job& job, Machine const& machine) {
  Options& options = job.options;
  if (random.once_in(6) && job.shape.size() < sixstep::max_axes) {
    options.fields = random.between(1, random.once_in(3) ? 17 : 4);
    options.interleaved = random.once_in(2);
  }
  options.preserve_input = !random.once_in(3);
  options.low_memory = random.once_in(3);
  options.exchange =
      one_of(random, std::vector<Exchange>{Exchange::shared, Exchange::shared, Exchange::shared,
                                           Exchange::collective, Exchange::pairwise,
                                           Exchange::persistent, Exchange::one_sided});
  options.threads = one_of(random, std::vector<int>{1, 1, 1, 1, 1, 2, 2, 3, 0});
  options.windows = one_of(random, std::vector<int>{0, 0, 1, 2, 3, 5, 8, 64});
  options.driver =
      one_of(random, std::vector<Driver>{Driver::automatic, Driver::automatic, Driver::between,
                                         Driver::master, Driver::pipelines, Driver::thread});
  options.pipelines = one_of(random, std::vector<int>{0, 0, 1, 2, 3});
  options.regrid = random.once_in(3);
  options.split_untransformed = random.once_in(3);
  options.own_workspace = !random.once_in(4);
  if (!machine.locals.empty() && random.once_in(30)) options.local = one_of(random, machine.locals);
  if (random.once_in(5)) options.device = sixstep::tested_device();
  if (!machine.isas.empty() && random.once_in(4)) job.isa = one_of(random, machine.isas);
}

}  // namespace soak
