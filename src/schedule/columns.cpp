// SPDX-License-Identifier: BSD-3-Clause
// Columns: chooses their axis, and finds those that meet a sphere or are listed.
#include "schedule/columns.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "layout/counting.hpp"
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
  Column const& here = (*this)[column];
  return i < here.low ? here.begin + i : length - here.high + i - here.low;
}

namespace {

/// The axes of the columns of a problem, without columns as yet.
Columns framed(Problem const& problem, int along) {
  Columns made{.along = along, .fast = -1, .length = 0, .fast_extent = 1};
  for (int axis : problem.input.order())
    if (axis != along && place_of(problem, axis) < problem.axes.size()) {
      made.slow = made.fast;
      made.fast = axis;
    }
  auto const extent = [&](int axis) {
    std::size_t const place = place_of(problem, axis);
    return coefficients(problem.kinds[place], problem.modes[place]);
  };
  made.length = extent(along);
  made.fast_extent = extent(made.fast);
  if (made.slow >= 0) made.slow_extent = extent(made.slow);
  return made;
}

/// Adds the columns that meet the sphere of a problem.
void add_within_sphere(Columns& made, Problem const& problem) {
  Sphere const sphere = sphere_of(problem);
  auto const part = [&](int axis, Index k) {
    std::size_t const place = place_of(problem, axis);
    return sphere.part(axis, wave_number(problem.kinds[place], problem.modes[place], k));
  };
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
      if (low + high > 0 || made.slow < 0) made.columns.push_back({slow, fast, 0, low, high});
    }
}

/// Reads the columns that a problem lists.
class Listed {
 public:
  Listed(Problem const& problem, Columns const& frame)
      : problem_(problem), frame_(frame), axes_(problem.axes.size()) {}

  /// All of them, in the order of their indices.
  std::vector<Columns::Column> read() const {
    std::vector<Columns::Column> found;
    for (std::size_t at = 0; at < problem_.columns.size(); at += axes_ + 1)
      found.push_back(column(at));
    auto const place = [](Columns::Column const& of) { return std::pair{of.slow, of.fast}; };
    std::sort(found.begin(), found.end(),
              [&](auto const& a, auto const& b) { return place(a) < place(b); });
    auto const twice =
        std::adjacent_find(found.begin(), found.end(),
                           [&](auto const& a, auto const& b) { return place(a) == place(b); });
    require(
        twice == found.end(), "columns: each is possible once, that of the waves ",
        [&] { return waves_of(*twice); }, " is listed twice");
    return found;
  }

 private:
  /// The index of a wave number along the place-th of the axes.
  Index index_of(std::size_t place, Index wave) const {
    Index const modes = problem_.modes[place];
    bool const is_real = problem_.kinds[place] == Kind::r2c;
    Index const least = is_real ? 0 : -(modes / 2), most = is_real ? modes / 2 : (modes - 1) / 2;
    require(wave >= least && wave <= most, "columns: wave numbers from ", least, " to ", most,
            " are possible along axis ", axis_name(problem_.axes[place], problem_.input.axes()),
            ", ", wave, " was given");
    return wave < 0 ? modes + wave : wave;
  }

  Columns::Column column(std::size_t at) const {
    Columns::Column made{0, 0, 0, 0, 0};
    for (std::size_t place = 1; place < axes_; ++place)
      (problem_.axes[place] == frame_.fast ? made.fast : made.slow) =
          index_of(place, problem_.columns[at + place - 1]);
    Index const lowest = problem_.columns[at + axes_ - 1], highest = problem_.columns[at + axes_];
    require(lowest <= highest, "columns: a lowest wave number of at most the highest is needed, ",
            lowest, " and ", highest, " were given");
    Index const first = index_of(0, lowest), last = index_of(0, highest);
    if (lowest < 0 && highest >= 0) {
      made.low = last + 1;
      made.high = frame_.length - first;
    } else {
      made.begin = first;
      made.low = last - first + 1;
    }
    return made;
  }

  /// The wave numbers of a column along the other axes.
  std::string waves_of(Columns::Column const& column) const {
    std::string words;
    for (std::size_t place = 1; place < axes_; ++place) {
      Index const k = problem_.axes[place] == frame_.fast ? column.fast : column.slow;
      words +=
          text(place > 1 ? ", " : "", wave_number(problem_.kinds[place], problem_.modes[place], k));
    }
    return words;
  }

  Problem const& problem_;
  Columns const& frame_;
  std::size_t axes_;
};

/// Adds the columns that a problem lists. If there are two axes, the columns between them have
/// nothing to keep.
void add_listed(Columns& made, Problem const& problem) {
  std::vector<Columns::Column> const listed = Listed(problem, made).read();
  if (made.slow >= 0) {
    made.columns = listed;
    return;
  }
  for (Index fast = 0; fast < made.fast_extent; ++fast) made.columns.push_back({0, fast, 0, 0, 0});
  for (Columns::Column const& column : listed)
    made.columns[static_cast<std::size_t>(column.fast)] = column;
}

}  // namespace

std::shared_ptr<Columns const> columns_of(Problem const& problem) {
  if (!keeps_columns(problem) || problem.axes.size() < 2) return nullptr;
  bool const are_listed = !problem.columns.empty();
  require(problem.axes.size() <= 3, "sphere: at most three axes can be transformed, ",
          problem.axes.size(), " are");
  Columns made = framed(problem, are_listed ? problem.axes[0] : axis_of_columns(problem));
  if (are_listed)
    add_listed(made, problem);
  else
    add_within_sphere(made, problem);
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
  part.modes.clear(), part.sphere.clear(), part.columns.clear();
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
  part.of_complex = numbers_of(problem).input == Number::complex;
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
