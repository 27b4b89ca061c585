// SPDX-License-Identifier: BSD-3-Clause
// Decides which passes run together, in which windows, with which scratch between them.
#include "program/sweeper.hpp"

#include <algorithm>
#include <limits>

namespace sixstep::program {

namespace {

using layout::Piece;

using End = LocalLeg::End;

constexpr Index most_distant = std::numeric_limits<Index>::max();

/// Splits the passes of one leg into sweeps.
class Sweeper {
 public:
  Sweeper(LocalLeg const& leg, Limits const& limits)
      : ends_(leg.ends),
        order_(leg.order),
        real_bytes_(leg.real_bytes),
        untransformed_(leg.untransformed),
        cut_(leg.cut),
        limits_(limits),
        tuning_(limits.tuning) {}

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
      layout::Pieces const& from = first == 0 ? source : ends_[first].between;
      layout::Pieces const& to = last == passes.size() ? target : ends_[last].between;
      bool const of_columns = last - first == 1 && !has_rows(passes[first], from, to);
      if (sweep.window_axis >= 0)
        sweep.window = window(first, last, sweep, of_columns ? &passes[first] : nullptr);
      sweep.cut = cut_;
      connect(sweep, first, from, to);
      sweeps.push_back(std::move(sweep));
      first = last;
    }
    return sweeps;
  }

 private:
  static Index extent(End const& end, int axis) { return end.box.ranges[axis].count(); }
  Index bytes_of(layout::Number number) const { return real_bytes_ * layout::reals_of(number); }

  /// Whether any of passes first..last-1 joins an axis.
  static bool joins(std::vector<Pass> const& passes, std::size_t first, std::size_t last,
                    int axis) {
    return std::any_of(passes.begin() + static_cast<std::ptrdiff_t>(first),
                       passes.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](Pass const& pass) { return pass.joins(axis); });
  }

  /// Where the sweep that begins with each pass ends: as few sweeps as possible, then as few as
  /// possible whose windows are parts of rows, then each as long as possible.
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
        std::pair const cost{1 + costs[last].first,
                             (sweep.window_axis == order_.back() ? 1 : 0) + costs[last].second};
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
      Index const least = least_window(fitting.window_axis) * unit_bytes(first, last, fitting);
      return least <= limits_.last_cache_bytes;
    };
    fitting.window_axis = window_axis(passes, first, last, {});
    for (int axis : order_) {
      if (fitting.window_axis < 0 || fits()) break;
      if (!may_be_stacked(ends_[first], axis) || joins(passes, first, last, axis)) continue;
      fitting.stacked.push_back({axis});
      fitting.window_axis = window_axis(passes, first, last, fitting.stacked);
    }
    if (fitting.window_axis < 0 || !fits()) return false;
    sweep.window_axis = fitting.window_axis;
    sweep.stacked = fitting.stacked;
    return true;
  }

  /// Goes through rows a part at a time where whole ones make windows too large for the cache, and
  /// no pass joins them.
  void narrow(Sweep& sweep, std::size_t first, std::size_t last) const {
    int const axis = order_.back();
    Index const all = extent(ends_[first], axis);
    Index const unit = unit_bytes(first, last, sweep);
    if (joins(sweep.passes, 0, sweep.passes.size(), axis) || axis == sweep.window_axis ||
        sweep.stacked_counts(axis) > 0 || all == 0 || unit <= limits_.cache_bytes)
      return;
    Index const strip = std::max<Index>(tuning_.strip_row_bytes / bytes_of(ends_[first + 1].number),
                                        tuning_.window_elements);
    Index const counts = std::max(limits_.cache_bytes * all / unit / strip, Index{1}) * strip;
    if (counts < all) sweep.stacked.push_back({axis, counts});
  }

  /// Whether an axis may be stacked. The contiguous axis may not: single elements would waste the
  /// rest of their cache lines.
  bool may_be_stacked(End const& end, int axis) const {
    int contiguous = -1;
    for (int each : order_)
      if (extent(end, each) > 1) contiguous = each;
    return contains(untransformed_, axis) && extent(end, axis) > 1 && axis != contiguous &&
           axis != cut_.axis;
  }

  /// The axis of the cut if there is one, else the slowest axis with more than one count that
  /// passes first..last-1 do not transform and that is not stacked; -1 if there is none.
  int window_axis(std::vector<Pass> const& passes, std::size_t first, std::size_t last,
                  PerAxis<Stacked> const& stacked) const {
    auto const is_stacked = [&](int axis) {
      return std::any_of(stacked.begin(), stacked.end(),
                         [&](Stacked const& one) { return one.axis == axis; });
    };
    if (cut_.axis >= 0 && extent(ends_[0], cut_.axis) > 1) return cut_.axis;
    for (int axis : order_) {
      bool const is_left = extent(ends_[first], axis) <= 1 || is_stacked(axis);
      if (!is_left && !joins(passes, first, last, axis)) return axis;
    }
    return -1;
  }

  /// The window axis of a copy: not the axis that is fastest in the target if there is another, so
  /// that cache lines of the target are written whole.
  int window_axis_of_copy(std::vector<Pass> const& passes, layout::Pieces const& target) const {
    int const usual = window_axis(passes, 0, 1, {});
    if (cut_.axis >= 0 || target.empty()) return usual;
    layout::Piece const piece = target.front();
    auto const distance = [&](int axis) {
      return piece.box.ranges[axis].count() > 1 ? piece.strides[axis] : most_distant;
    };
    auto const nearer = [&](int a, int b) { return distance(a) < distance(b); };
    int const fastest = *std::min_element(order_.begin(), order_.end(), nearer);
    for (int axis : order_)
      if (axis != fastest && extent(ends_[0], axis) > 1) return axis;
    return usual;
  }

  /// Bytes of the box per count along the window axis and the stacked ones: the most among passes
  /// first..last-1.
  Index unit_bytes(std::size_t first, std::size_t last, Sweep const& sweep) const {
    Index most = 0;
    for (std::size_t i = first; i < last; ++i) {
      End const& end = ends_[i];
      Index points = end.box.volume() / std::max<Index>(extent(end, sweep.window_axis), 1);
      for (Stacked const& one : sweep.stacked) {
        Index const all = std::max<Index>(extent(end, one.axis), 1);
        points = points / all * std::min(one.counts, all);
      }
      most = std::max(most, points * bytes_of(end.number));
    }
    return most;
  }

  /// A window is as large as the cache allows, but each thread gets several unless they would be
  /// too small to be worth waking a thread. A lone pass leaves nothing in cache for the next: its
  /// windows have as many columns as suit Staged's strips, unless columns are contiguous.
  Index window(std::size_t first, std::size_t last, Sweep const& sweep, Pass const* alone) const {
    End const& end = ends_[first];
    int const axis = sweep.window_axis;
    Index const all = extent(end, axis);
    Index const unit = std::max<Index>(unit_bytes(first, last, sweep), 1);
    Index const share = limits_.threads == 1 ? all : threads_share(all, unit);
    Index const window = std::max<Index>(1, std::min(limits_.cache_bytes / unit, share));
    Index const strips =
        alone ? std::clamp(share, with_columns(tuning_.least_lone_columns, end, axis, *alone),
                           with_columns(tuning_.most_lone_columns, end, axis, *alone))
              : 1;
    Index const least = std::max(least_window(axis), strips);
    return (window + least - 1) / least * least;
  }

  /// A thread's share of `all` counts along the window axis, of `unit` bytes each.
  Index threads_share(Index all, Index unit) const {
    Index const least = cut_.axis < 0 ? (tuning_.least_window_bytes + unit - 1) / unit : 0;
    return std::max(all / (limits_.threads * windows_a_thread()), least);
  }

  /// Whether the columns of a pass are contiguous on both sides: then a few are as fast as many.
  static bool has_rows(Pass const& pass, layout::Pieces const& source,
                       layout::Pieces const& target) {
    auto const contiguous = [&](layout::Pieces const& pieces) {
      return !pieces.empty() && pieces.front().strides[*pass.axis] == 1;
    };
    return pass.axis && contiguous(source) && contiguous(target);
  }

  /// At least one for each thread in each window of the cut.
  Index windows_a_thread() const { return std::max<Index>(tuning_.windows_a_thread, cut_.windows); }

  /// The counts along the window axis that give a pass `columns` columns.
  static Index with_columns(Index columns, End const& end, int axis, Pass const& pass) {
    Index const at_once = end.box.volume() / std::max<Index>(extent(end, axis), 1) /
                          (pass.axis ? std::max<Index>(extent(end, *pass.axis), 1) : 1);
    return (columns + at_once - 1) / std::max<Index>(at_once, 1);
  }

  /// Windows along the contiguous axis are whole vectors.
  Index least_window(int axis) const { return axis == order_.back() ? tuning_.window_elements : 1; }

  /// The box of one window in scratch. Rows are padded, because a power of two between them would
  /// send a column to few sets of the cache. Short rows of an axis that is not transformed (the
  /// fields of a point) are padded together with the axis that continues them.
  Piece scratch_piece(End const& end, Shape const& extents, Sweep const& sweep) const {
    layout::Piece scratch{end.box, 0, Shape(end.box.axes(), 0)};
    Index const far = tuning_.far_row_bytes / bytes_of(end.number);
    Index stride = 1;
    bool padded = false;
    for (int position = order_.size() - 1; position >= 0; --position) {
      int const axis = order_[position];
      Index const stacked = sweep.stacked_counts(axis);
      scratch.strides[axis] = stride;
      if (axis == sweep.window_axis || stacked == 1) continue;
      stride *= stacked > 0 ? std::min(stacked, extents[axis]) : extents[axis];
      if (padded || stride == 1 || (contains(untransformed_, axis) && stride < far)) continue;
      stride += tuning_.strip_pad_bytes / bytes_of(end.number);
      padded = true;
    }
    scratch.strides[sweep.window_axis] = stride;
    return scratch;
  }

  /// Numbers points window by window; in a window, by the counts of stacked axes.
  Numbering numbering(Pass const& pass, Sweep const& sweep) const {
    Numbering made{.box = pass.box, .strides = Shape(pass.box.axes(), 0)};
    Index stride = 1;
    auto const count = [&](int axis) {
      Index const all = pass.box.ranges[axis].count();
      if (axis == pass.at_points->axis) return;
      Index const at_once = sweep.stacked_counts(axis);
      if (at_once > 1 && made.strides[axis] == 0) {
        made.strides[axis] = stride;
        made.block_axis = axis;
        made.block = at_once;
        stride *= at_once;
      } else if (at_once > 1) {
        made.block_stride = stride;
        stride *= (all + at_once - 1) / at_once;
      } else {
        made.strides[axis] = stride;
        stride *= all;
      }
    };
    auto const count_if = [&](auto const& wanted) {
      for (int position = order_.size() - 1; position >= 0; --position)
        if (wanted(order_[position])) count(order_[position]);
    };
    count_if(
        [&](int axis) { return axis != sweep.window_axis && sweep.stacked_counts(axis) != 1; });
    count_if([&](int axis) { return sweep.stacked_counts(axis) > 0; });
    if (sweep.window_axis >= 0) count(sweep.window_axis);
    made.size = pass.box.empty() ? 0 : stride;
    return made;
  }

  /// Puts scratch between the passes, the first of which is pass `first` of the leg. It adds
  /// another piece wherever the array changes its extents or its numbers.
  void connect(Sweep& sweep, std::size_t first, layout::Pieces const& source,
               layout::Pieces const& target) const {
    for (std::size_t i = 0; i < sweep.passes.size(); ++i) {
      Pass& pass = sweep.passes[i];
      pass.box = ends_[first + i].box;
      pass.target_box = ends_[first + i + 1].box;
      if (pass.at_points) pass.numbering = numbering(pass, sweep);
      pass.from_scratch = i > 0;
      pass.to_scratch = i + 1 < sweep.passes.size();
      pass.has_room = pass.to_scratch && !pass.target_box.empty() && pass.drops_rows();
    }
    sweep.passes.front().source = source;
    sweep.passes.back().target = target;
    for (std::size_t i = 1; i < sweep.passes.size(); ++i)
      sweep.passes[i].source = sweep.passes[i - 1].target =
          scratch_behind(sweep, sweep.passes[i - 1], ends_[first + i - 1], ends_[first + i]);
  }

  /// The scratch that a pass writes. If the pass drops rows of its transform, there is room for
  /// them, so that nothing is copied.
  layout::Pieces scratch_behind(Sweep& sweep, Pass const& pass, End const& before,
                                End const& end) const {
    bool const is_alike = before.number == end.number && before.box == end.box;
    if (pass.from_scratch && is_alike && !pass.has_room) return pass.source;
    Shape extents = end.box.shape();
    if (pass.has_room) extents[*pass.axis] = pass.all_rows(pass.target_number);
    layout::Piece piece = scratch_piece(end, extents, sweep);
    Index const reals = layout::reals_of(end.number);
    piece.offset = (sweep.scratch_reals + reals - 1) / reals;
    sweep.scratch_reals = (piece.offset + piece.strides[sweep.window_axis] * sweep.window) * reals;
    if (!pass.has_room) return {piece};
    layout::Pieces pieces;
    for (Pass::Stretch const& stretch : pass.target_rows()) {
      if (stretch.count == 0) continue;
      layout::Piece part = piece;
      Range& rows = part.box.ranges[*pass.axis];
      rows = {rows.lo + stretch.index, rows.lo + stretch.index + stretch.count, 1};
      part.offset += stretch.row * piece.strides[*pass.axis];
      pieces.push_back(part);
    }
    return pieces;
  }

  std::vector<End> ends_;
  Order order_;
  int real_bytes_;
  PerAxis<int> untransformed_;
  redistribution::Cut cut_;
  Limits const& limits_;
  Tuning const& tuning_;
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
