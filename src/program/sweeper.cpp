// SPDX-License-Identifier: BSD-3-Clause
// Decides which passes run together, in which windows, with which scratch between them.
#include "program/sweeper.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "program/scratch.hpp"
#include "program/window_sizes.hpp"

namespace sixstep::program {

namespace {

using End = LocalLeg::End;

constexpr Index most_distant = std::numeric_limits<Index>::max();

/// Splits the passes of one leg into sweeps.
class Sweeper {
 public:
  Sweeper(LocalLeg const& leg, Limits const& limits)
      : leg_(leg), limits_(limits), sizes_(leg, limits), scratch_(leg, limits.tuning) {}

  std::vector<Sweep> run(std::vector<Pass> passes, layout::Pieces const& source,
                         layout::Pieces const& target) const {
    std::vector<Sweep> sweeps;
    std::vector<std::size_t> const ends = ends_of_sweeps(passes);
    for (std::size_t first = 0; first < passes.size();) {
      Sweep sweep;
      std::size_t const last = ends[first];
      bool const is_copy = passes[first].is_copy();
      if (last - first > 1)
        fit_windows(sweep, passes, first, last);
      else
        sweep.window_axis =
            is_copy ? window_axis_of_copy(passes, target) : window_axis(passes, first, last, {});
      sweep.passes.assign(passes.begin() + static_cast<std::ptrdiff_t>(first),
                          passes.begin() + static_cast<std::ptrdiff_t>(last));
      if (last - first > 1) narrow(sweep, first, last);
      layout::Pieces const& from = first == 0 ? source : leg_.ends[first].between;
      layout::Pieces const& to = last == passes.size() ? target : leg_.ends[last].between;
      bool const of_columns = last - first == 1 && !has_rows(passes[first], from, to);
      if (sweep.window_axis >= 0)
        sweep.window = sizes_.window(first, last, sweep, of_columns ? &passes[first] : nullptr);
      sweep.cut = leg_.cut;
      scratch_.connect(sweep, first, from, to);
      sweeps.push_back(std::move(sweep));
      first = last;
    }
    return sweeps;
  }

 private:
  /// Whether any of passes first..last-1 joins an axis.
  static bool joins(std::vector<Pass> const& passes, std::size_t first, std::size_t last,
                    int axis) {
    return std::any_of(passes.begin() + static_cast<std::ptrdiff_t>(first),
                       passes.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](Pass const& pass) { return pass.joins(axis); });
  }

  /// Where the sweep that begins with each pass ends: as few sweeps as possible, then as few as
  /// possible whose windows have short runs, then each as long as possible.
  std::vector<std::size_t> ends_of_sweeps(std::vector<Pass> const& passes) const {
    std::size_t const all = passes.size();
    std::vector<std::size_t> ends(all, all);
    std::vector<std::pair<int, int>> costs(all + 1);  // of the passes from each one on
    for (std::size_t first = all; first-- > 0;) {
      costs[first] = {1 + costs[first + 1].first, costs[first + 1].second};
      ends[first] = first + 1;
      for (std::size_t last = first + 2; last <= all; ++last) {
        Sweep sweep;
        if (!fit_windows(sweep, passes, first, last)) break;
        std::pair const cost{
            1 + costs[last].first,
            (has_short_runs(first, sweep.window_axis) ? 1 : 0) + costs[last].second};
        if (cost > costs[first]) continue;
        costs[first] = cost;
        ends[first] = last;
      }
    }
    return ends;
  }

  /// Whether windows of passes first..last-1 can fit the cache. If so, sets them in `sweep`.
  bool fit_windows(Sweep& sweep, std::vector<Pass> const& passes, std::size_t first,
                   std::size_t last) const {
    Sweep fitting;
    auto const fits = [&] {
      Index const least =
          sizes_.least(fitting.window_axis) * sizes_.unit_bytes(first, last, fitting);
      return least <= limits_.last_cache_bytes;
    };
    fitting.window_axis = window_axis(passes, first, last, {});
    for (int axis : leg_.order) {
      if (fitting.window_axis < 0 || fits()) break;
      if (!may_be_stacked(leg_.ends[first], axis) || joins(passes, first, last, axis)) continue;
      fitting.stacked.push_back({axis});
      fitting.window_axis = window_axis(passes, first, last, fitting.stacked);
    }
    if (fitting.window_axis < 0 || !fits()) return false;
    if (cuts_rows(first, fitting.window_axis) && are_of_several_axes(passes, first, last))
      return false;
    sweep.window_axis = fitting.window_axis;
    sweep.stacked = fitting.stacked;
    return true;
  }

  /// Whether windows that no exchange asks for would be parts of rows. The window axis is the
  /// slowest between passes, so that neighbours are moved one by one. Passes along several axes are
  /// faster as sweeps by themselves, also if the data is out of cache; a transform along one axis,
  /// work on the coefficients and the transform back are not.
  bool cuts_rows(std::size_t first, int axis) const {
    return axis != leg_.cut.axis && axis == contiguous_axis(leg_.ends[first]);
  }

  /// Whether the elements of one count along a window axis lie side by side in runs of less than
  /// two strips. Fields side by side make such runs.
  bool has_short_runs(std::size_t first, int axis) const {
    End const& end = leg_.ends[first];
    Index bytes = leg_.bytes_of(end.number);
    for (auto it = leg_.order.end(); it != leg_.order.begin() && *--it != axis;)
      bytes *= end.extent(*it);
    return bytes < 2 * limits_.tuning.strip_row_bytes;
  }

  static bool are_of_several_axes(std::vector<Pass> const& passes, std::size_t first,
                                  std::size_t last) {
    std::set<int> axes;
    for (std::size_t i = first; i < last; ++i)
      if (passes[i].axis) axes.insert(*passes[i].axis);
    return axes.size() > 1;
  }

  /// The fastest axis with several elements.
  int contiguous_axis(End const& end) const {
    int contiguous = -1;
    for (int axis : leg_.order)
      if (end.extent(axis) > 1) contiguous = axis;
    return contiguous;
  }

  /// Goes through rows a part at a time where whole ones make windows too large for the cache, and
  /// no pass joins them.
  void narrow(Sweep& sweep, std::size_t first, std::size_t last) const {
    int const axis = leg_.order.back();
    Index const all = leg_.ends[first].extent(axis);
    Index const unit = sizes_.unit_bytes(first, last, sweep);
    if (joins(sweep.passes, 0, sweep.passes.size(), axis) || axis == sweep.window_axis ||
        sweep.stacked_counts(axis) > 0 || all == 0 || unit <= limits_.cache_bytes)
      return;
    Index const strip =
        std::max<Index>(limits_.tuning.strip_row_bytes / leg_.bytes_of(leg_.ends[first + 1].number),
                        limits_.tuning.window_elements);
    Index const counts = std::max(limits_.cache_bytes * all / unit / strip, Index{1}) * strip;
    if (counts < all) sweep.stacked.push_back({axis, counts});
  }

  /// Whether an axis may be stacked. The contiguous axis may not: single elements would waste the
  /// rest of their cache lines.
  bool may_be_stacked(End const& end, int axis) const {
    return contains(leg_.untransformed, axis) && end.extent(axis) > 1 &&
           axis != contiguous_axis(end) && axis != leg_.cut.axis;
  }

  /// The axis of the cut if there is one, else the slowest axis with more than one count that
  /// passes first..last-1 do not transform and that is not stacked; -1 if there is none.
  int window_axis(std::vector<Pass> const& passes, std::size_t first, std::size_t last,
                  PerAxis<Stacked> const& stacked) const {
    auto const is_stacked = [&](int axis) {
      return std::any_of(stacked.begin(), stacked.end(),
                         [&](Stacked const& one) { return one.axis == axis; });
    };
    if (leg_.cut.axis >= 0 && leg_.ends[0].extent(leg_.cut.axis) > 1) return leg_.cut.axis;
    for (int axis : leg_.order) {
      bool const is_left = leg_.ends[first].extent(axis) <= 1 || is_stacked(axis);
      if (!is_left && !joins(passes, first, last, axis)) return axis;
    }
    return -1;
  }

  /// The window axis of a copy: not the axis that is fastest in the target if there is another, so
  /// that cache lines of the target are written whole.
  int window_axis_of_copy(std::vector<Pass> const& passes, layout::Pieces const& target) const {
    int const usual = window_axis(passes, 0, 1, {});
    if (leg_.cut.axis >= 0 || target.empty()) return usual;
    layout::Piece const piece = target.front();
    auto const distance = [&](int axis) {
      return piece.box.ranges[axis].count() > 1 ? piece.strides[axis] : most_distant;
    };
    auto const nearer = [&](int a, int b) { return distance(a) < distance(b); };
    int const fastest = *std::min_element(leg_.order.begin(), leg_.order.end(), nearer);
    for (int axis : leg_.order)
      if (axis != fastest && leg_.ends[0].extent(axis) > 1) return axis;
    return usual;
  }

  /// Whether the columns of a pass are contiguous on both sides: then a few are as fast as many.
  static bool has_rows(Pass const& pass, layout::Pieces const& source,
                       layout::Pieces const& target) {
    auto const contiguous = [&](layout::Pieces const& pieces) {
      return !pieces.empty() && pieces.front().strides[*pass.axis] == 1;
    };
    return pass.axis && contiguous(source) && contiguous(target);
  }

  LocalLeg const& leg_;
  Limits const& limits_;
  WindowSizes sizes_;
  Scratch scratch_;
};

}  // namespace

std::vector<Sweep> make_sweeps(LocalLeg const& leg, std::vector<Pass> passes,
                               layout::Pieces const& source, layout::Pieces const& target,
                               Limits const& limits) {
  if (passes.empty()) {
    passes.emplace_back();
    passes.back().source_number = passes.back().target_number = leg.ends[0].number;
  }
  return Sweeper(leg, limits).run(std::move(passes), source, target);
}

}  // namespace sixstep::program
