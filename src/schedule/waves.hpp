// SPDX-License-Identifier: BSD-3-Clause
// Waves: the wave number that each element of a result belongs to.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// The wave numbers of the indices of a result, as Plan::wavenumber() returns them.
class Waves {
 public:
  Waves() = default;
  /// `problem` must have axes, kinds and modes in full; `input` and `output` are those of its
  /// composition.
  Waves(Problem const& problem, layout::Placement const& input, layout::Placement const& output);

  /// The waves of coefficients that are gathered in columns.
  Waves gathered(std::shared_ptr<Columns const> columns) const;
  /// The waves of an output whose first axis has the kept coefficients of columns.
  Waves packed(std::shared_ptr<Columns const> columns, Shape const& output) const;

  /// The wave number of index k, in natural order, along one of the input's axes.
  /// Throws Error
  /// - if the axis does not exist or is not transformed
  /// - if the index does not exist.
  double along(int axis, Index k) const;
  /// The wave numbers of one of the output's points along all of the input's axes; 0 where an axis
  /// is not transformed. Throws Error if the point does not exist.
  PerAxis<double> at(Shape const& point) const;
  /// The wave numbers of all indices of a box of the output along one of the input's axes.
  /// Throws Error if the axis does not exist, is not transformed, or is two of the output's axes.
  std::vector<double> in(int axis, Box const& box) const;

  /// Whether an axis is one of those whose indices tell columns apart.
  bool tells_columns(int axis) const {
    return columns_ && (axis == columns_->slow || axis == columns_->fast);
  }
  /// Whether some coefficients are not kept.
  bool keeps_some() const { return sphere_ || columns_; }
  /// The coefficients along an axis; 1, whose wave number is 0, along one that is not transformed.
  Index count(int axis) const {
    Axis const& here = axes_[axis];
    return here.kind ? coefficients(*here.kind, here.modes) : 1;
  }
  /// Whether the coefficient at a point of the output is kept.
  bool keeps(Shape const& point) const;
  /// Whether the waves along an axis are periodic, or the axis is not transformed: the others lie
  /// between walls.
  bool is_periodic(int axis) const;
  /// The index, in natural order, of the coefficient that stands for waves of either sign along an
  /// axis: n/2 of an even number n of periodic waves; -1 if there is none.
  Index of_either_sign(int axis) const;
  /// The wave number of an index that exists; 0 along an axis that is not transformed.
  double number(int axis, Index k) const;
  /// Writes unit times the wave numbers of the indices k, k + step, ...
  void numbers(int axis, Index k, Index step, Index count, double unit, double* written) const;
  /// The index, in natural order, of a point of the output along one of the input's axes.
  Index index(int axis, Shape const& point) const {
    if (packed_ || tells_columns(axis)) return index_in_columns(axis, point);
    Axis const& here = axes_[axis];
    return here.slow ? point[here.place + 1] + *here.slow * point[here.place] : point[here.place];
  }

 private:
  struct Axis {
    Index modes = 1;                 // kept
    std::optional<Kind> kind = {};   // empty: not transformed
    int place = 0;                   // its position among the output's axes; that of k2 if it is
                                     // two, k2 and k1
    std::optional<Index> slow = {};  // N1, if it is two of the output's axes: k = k1 + N1 k2
  };

  Axis const& transformed(int axis) const;
  Index index_in_columns(int axis, Shape const& point) const;

  PerAxis<Axis> axes_;
  Shape output_;
  std::optional<Sphere> sphere_;
  std::shared_ptr<Columns const> columns_;
  bool packed_ = false;
};

}  // namespace sixstep::schedule
