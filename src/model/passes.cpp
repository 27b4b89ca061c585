// SPDX-License-Identifier: BSD-3-Clause
#include "model/passes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sixstep::model {

bool lie_together(layout::Pieces const& pieces, int axis, program::Sweep const& sweep) {
  if (pieces.empty()) return true;
  layout::Piece const& piece = pieces.front();
  std::vector<int> axes(static_cast<std::size_t>(piece.box.axes()));
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::sort(axes, {}, [&](int a) { return piece.strides[a]; });
  Index run = 1;
  for (int of : axes) {
    Index const all = piece.box.ranges[of].count();
    Index const stacked = sweep.stacked_counts(of);
    Index const count = stacked > 0               ? std::min(all, stacked)
                        : of == sweep.window_axis ? std::min(all, sweep.window)
                                                  : all;
    if (all == 1) continue;
    if (piece.strides[of] != run) break;
    run *= count;
  }
  return piece.box.ranges[axis].count() == 1 || piece.strides[axis] < run;
}

double flops_of(program::Pass const& pass) {
  Index const rows = pass.box.ranges[*pass.axis].count();
  Index const columns = rows == 0 ? 0 : pass.box.volume() / rows;
  Index const reals =
      pass.kind == Kind::r2c ? pass.points : pass.points * layout::reals_of(pass.source_number);
  return 2.5 * static_cast<double>(columns * reals) * std::log2(static_cast<double>(pass.points));
}

bool has_rows(layout::Pieces const& pieces, int axis) {
  return !pieces.empty() && pieces.front().strides[axis] == 1;
}

Curve Rates::*rate_of(program::Pass const& pass) {
  if (pass.kind != Kind::c2c) return &Rates::reals;
  if (pass.twiddle_axis) return &Rates::twiddled;
  if (has_rows(pass.source, *pass.axis)) return &Rates::rows;
  return pass.from_scratch || pass.to_scratch ? &Rates::columns : &Rates::strips;
}

double table_reals(program::Sweep const& sweep, bool ends_with_table) {
  Index reals = 0;
  for (program::Pass const& pass : sweep.passes) {
    if (pass.at_points)
      reals += pass.box.volume() / pass.at_points->before * pass.at_points->table_reals;
    if (pass.ends && ends_with_table)
      reals += pass.target_box.volume() * layout::reals_of(layout::Number::complex);
  }
  return static_cast<double>(reals);
}

}  // namespace sixstep::model
