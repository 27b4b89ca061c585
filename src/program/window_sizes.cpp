// SPDX-License-Identifier: BSD-3-Clause
// Windows fit the cache, and are large enough to be worth waking a thread.
#include "program/window_sizes.hpp"

#include <algorithm>

namespace sixstep::program {

namespace {

/// The counts along the window axis that give a pass `columns` columns.
Index with_columns(Index columns, LocalLeg::End const& end, int axis, Pass const& pass) {
  Index const at_once = end.box.volume() / std::max<Index>(end.extent(axis), 1) /
                        (pass.axis ? std::max<Index>(end.extent(*pass.axis), 1) : 1);
  return (columns + at_once - 1) / std::max<Index>(at_once, 1);
}

}  // namespace

Index WindowSizes::unit_bytes(std::size_t first, std::size_t last, Sweep const& sweep) const {
  Index most = 0;
  for (std::size_t i = first; i < last; ++i) {
    LocalLeg::End const& end = leg_.ends[i];
    Index points = end.box.volume() / std::max<Index>(end.extent(sweep.window_axis), 1);
    for (Stacked const& one : sweep.stacked) {
      Index const all = std::max<Index>(end.extent(one.axis), 1);
      points = points / all * std::min(one.counts, all);
    }
    most = std::max(most, points * leg_.bytes_of(end.number));
  }
  return most;
}

Index WindowSizes::window(std::size_t first, std::size_t last, Sweep const& sweep,
                          Pass const* alone) const {
  LocalLeg::End const& end = leg_.ends[first];
  int const axis = sweep.window_axis;
  Index const all = end.extent(axis);
  Index const unit = std::max<Index>(unit_bytes(first, last, sweep), 1);
  Index const share = limits_.threads == 1 ? all : threads_share(all, unit);
  Index const window = std::max<Index>(1, std::min(limits_.cache_bytes / unit, share));
  Index const strips =
      alone ? std::clamp(share, with_columns(limits_.tuning.least_lone_columns, end, axis, *alone),
                         with_columns(limits_.tuning.most_lone_columns, end, axis, *alone))
            : 1;
  Index const least = std::max(this->least(axis), strips);
  return (window + least - 1) / least * least;
}

/// A thread's share of `all` counts along the window axis, of `unit` bytes each.
Index WindowSizes::threads_share(Index all, Index unit) const {
  Index const least = leg_.cut.axis < 0 ? (limits_.tuning.least_window_bytes + unit - 1) / unit : 0;
  // Each thread gets at least one window in each window of the cut.
  Index const windows = std::max<Index>(limits_.tuning.windows_a_thread, leg_.cut.windows);
  return std::max(all / (limits_.threads * windows), least);
}

}  // namespace sixstep::program
