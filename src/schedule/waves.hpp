// SPDX-License-Identifier: BSD-3-Clause
// Waves: which wave each element of a result is the coefficient of.
#pragma once

#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// Wave numbers by the indices of a result. Those that Plan::wavenumber() tells.
class Waves {
 public:
  Waves() = default;
  /// `problem` has axes, kinds and modes in full, `input` and `output` are those of its
  /// composition.
  Waves(Problem const& problem, layout::Placement const& input, layout::Placement const& output);

  /// Along one of the input's axes, whose index in natural order is k. Errors: an axis that is not
  /// there or not transformed; an index that is not there.
  double along(int axis, Index k) const;
  /// Along all of the input's axes, 0 where none is transformed, of one of the output's points.
  /// Errors: a point that is not there.
  PerAxis<double> at(Shape const& point) const;
  /// Along one of the input's axes, of all indices of a box of the output. Errors: an axis that is
  /// not there, not transformed, or two of the output's.
  std::vector<double> in(int axis, Box const& box) const;

 private:
  struct Axis {
    Index modes = 1;                 // that are kept
    std::optional<Kind> kind = {};   // none: it is not transformed
    int place = 0;                   // among the output's axes; of two, k2 and k1, the first
    std::optional<Index> slow = {};  // N1, if it is two of the output's: k = k1 + N1 k2
  };

  Axis const& transformed(int axis) const;

  PerAxis<Axis> axes_;
  Shape output_;
};

}  // namespace sixstep::schedule
