// SPDX-License-Identifier: BSD-3-Clause
// Columns: chooses their axis, and finds those that meet a sphere.
#include "schedule/columns.hpp"

#include <algorithm>

#include "schedule/schedule.hpp"
#include "sixstep/error.hpp"

namespace sixstep::schedule {

namespace {

std::size_t place_of(Problem const& problem, int axis) {
  auto const found = std::find(problem.axes.begin(), problem.axes.end(), axis);
  return static_cast<std::size_t>(found - problem.axes.begin());
}

/// The axis of the columns: one such that the input holds the others whole, if there is one; else
/// the one that is slowest in memory.
int axis_of_columns(Problem const& problem) {
  bool const all_real = numbers_of(problem.kinds).output == Number::real;
  auto const fits = [&](int axis) {
    std::size_t const place = place_of(problem, axis);
    return place < problem.axes.size() && (all_real || problem.kinds[place] == Kind::c2c);
  };
  auto const others_are_whole = [&](int axis) {
    return std::all_of(problem.axes.begin(), problem.axes.end(),
                       [&](int other) { return other == axis || problem.input.whole(other); });
  };
  int found = -1;
  for (int axis : problem.input.order()) {
    if (!fits(axis)) continue;
    if (others_are_whole(axis)) return axis;
    if (found < 0) found = axis;
  }
  require(found >= 0, "sphere: an axis of c2c is needed, or cosines and sines along all axes");
  return found;
}

}  // namespace

Sphere sphere_of(Problem const& problem) {
  // If all radii are equal, weights are 1, so that sums of squares of wave numbers are exact.
  double const most = *std::max_element(problem.sphere.begin(), problem.sphere.end());
  Sphere made{PerAxis<double>(problem.input.axes(), 0), most * most};
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    made.weights[problem.axes[i]] = most / problem.sphere[i];
  return made;
}

Index Columns::column_of(Index number) const {
  return std::upper_bound(first.begin(), first.end(), number) - first.begin() - 1;
}

Index Columns::index_along(Index number) const {
  Index const column = column_of(number), i = number - first_of(column);
  Index const low = (*this)[column].low, high = (*this)[column].high;
  return i < low ? i : length - high + i - low;
}

std::shared_ptr<Columns const> columns_of(Problem const& problem) {
  if (problem.sphere.empty() || problem.axes.size() < 2) return nullptr;
  require(problem.axes.size() <= 3, "sphere: at most three axes can be transformed, ",
          problem.axes.size(), " are");
  Columns made{.along = axis_of_columns(problem), .fast = -1, .length = 0, .fast_extent = 1};
  for (int axis : problem.input.order())
    if (axis != made.along && place_of(problem, axis) < problem.axes.size()) {
      made.slow = made.fast;
      made.fast = axis;
    }
  Sphere const sphere = sphere_of(problem);
  auto const extent = [&](int axis) {
    std::size_t const place = place_of(problem, axis);
    return coefficients(problem.kinds[place], problem.modes[place]);
  };
  auto const part = [&](int axis, Index k) {
    std::size_t const place = place_of(problem, axis);
    return sphere.part(axis, wave_number(problem.kinds[place], problem.modes[place], k));
  };
  made.length = extent(made.along);
  made.fast_extent = extent(made.fast);
  if (made.slow >= 0) made.slow_extent = extent(made.slow);
  bool const has_signs = problem.kinds[place_of(problem, made.along)] == Kind::c2c;
  Index const positive = has_signs ? (made.length + 1) / 2 : made.length;
  for (Index slow = 0; slow < made.slow_extent; ++slow)
    for (Index fast = 0; fast < made.fast_extent; ++fast) {
      double const across = (made.slow < 0 ? 0 : part(made.slow, slow)) + part(made.fast, fast);
      // Squares grow from the first coefficient on, and from the last one downwards.
      auto const within = [&](Index most, auto const& index) {
        Index low = 0, high = most;
        while (low < high) {
          Index const middle = (low + high) / 2;
          if (across + part(made.along, index(middle)) < sphere.limit)
            low = middle + 1;
          else
            high = middle;
        }
        return low;
      };
      Index const low = within(positive, [](Index i) { return i; });
      Index const high =
          within(made.length - positive, [&](Index i) { return made.length - 1 - i; });
      if (low + high == 0 && made.slow >= 0) continue;
      made.columns.push_back({slow, fast, low, high});
    }
  made.first.assign(1, 0);
  for (Columns::Column const& column : made.columns)
    made.first.push_back(made.first.back() + column.low + column.high);
  require(made.points() > 0, "sphere: no wave lies within");
  return std::make_shared<Columns const>(std::move(made));
}

namespace {

/// The problem of some of its axes: those that `takes` accepts.
template <class Takes>
Problem along_axes(Problem const& problem, Takes const& takes) {
  Problem part = problem;
  part.axes.clear(), part.kinds.clear(), part.lengths.clear(), part.first.clear();
  part.modes.clear(), part.sphere.clear();
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    if (!takes(problem.axes[i])) continue;
    part.axes.push_back(problem.axes[i]);
    part.kinds.push_back(problem.kinds[i]);
    part.lengths.push_back(problem.lengths[i]);
    part.first.push_back(problem.first[i]);
    part.modes.push_back(problem.modes[i]);
  }
  part.lies = Output::cheapest;
  part.plain = true;
  part.is_inner = true;
  return part;
}

/// The layout of planes in which columns are gathered.
Layout layout_of_planes(Layout const& input, Columns const& columns) {
  Shape shape = input.shape();
  shape[columns.slow] = columns.slow_extent;
  shape[columns.fast] = columns.fast_extent;
  if (input.whole(columns.slow) && input.whole(columns.fast)) {
    Layout const made = resized(input.dense(), shape, "sphere");
    if (made.whole(columns.slow) && made.whole(columns.fast)) return made;
  }
  return Layout::slab(shape, input.ranks(), columns.along).with_order(input.order());
}

Layout layout_of_columns(Layout const& before, Columns const& columns) {
  Shape shape = before.shape();
  shape[columns.along] = columns.length;
  shape[columns.fast] = columns.count();
  Order order;
  for (int axis : before.order())
    if (axis != columns.along) order.push_back(axis);
  order.push_back(columns.along);
  return Layout::slab(shape, before.ranks(), columns.fast).with_order(order);
}

}  // namespace

Schedule schedule_of_columns(Problem const& problem, std::shared_ptr<Columns const> const& columns,
                             Choices const& choices) {
  if (columns->slow < 0) {
    Problem whole = along_axes(problem, [](int) { return true; });
    whole.output = layout_of_columns(problem.input, *columns);
    return schedule(whole, choices);
  }
  Problem planes = along_axes(problem, [&](int axis) { return axis != columns->along; });
  planes.output = layout_of_planes(problem.input, *columns);
  Schedule const to_planes = schedule(planes, choices);
  Gather const gather{columns};
  Problem line = along_axes(problem, [&](int axis) { return axis == columns->along; });
  line.input = gather.from(to_planes.output).layout;
  line.output = layout_of_columns(line.input, *columns);
  line.padded = false;
  return joined({Half{to_planes}, gather, Half{schedule(line, choices)}});
}

}  // namespace sixstep::schedule
