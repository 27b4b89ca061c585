// SPDX-License-Identifier: BSD-3-Clause
// Columns: the coefficients within a sphere or a list, as columns along one axis.
//
// Plane-wave codes keep the waves below a cutoff: an eighth of a box or less. A transform goes
// plane by plane, keeps the columns that meet the sphere, sends these, and transforms along them
// (SpFFT's way).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "schedule/problem.hpp"

namespace sixstep::schedule {

/// The waves within a sphere, or an ellipsoid: those with sum_a (weights[a] wave[a])^2 < limit.
struct Sphere {
  PerAxis<double> weights;  // along each axis of the input; 0 where it is not transformed
  double limit;

  double part(int axis, double wave) const {
    double const weighted = weights[axis] * wave;
    return weighted * weighted;
  }
};

/// The sphere of a checked problem that has one.
Sphere sphere_of(Problem const& problem);

/// The columns that have coefficients to keep; all columns if there is no slow axis.
struct Columns {
  /// A column's indices along the axes `slow` and `fast`. Its `low` coefficients from `begin` on
  /// and its last `high` ones are kept; only without `high` is `begin` above 0. Indices count
  /// modes, in natural order.
  struct Column {
    Index slow, fast;
    Index begin, low, high;
  };

  int along;            // the axis of the columns
  int slow = -1, fast;  // the other axes; two axes have no slow one
  Index length;         // of a column
  Index slow_extent = 1, fast_extent;
  std::vector<Column> columns = {};  // in the order of their indices
  std::vector<Index> first = {};  // the number of the first coefficient of each column; and of all

  Index count() const { return static_cast<Index>(columns.size()); }
  Column const& operator[](Index i) const { return columns[static_cast<std::size_t>(i)]; }
  /// The number of the first kept coefficient of column i. They are numbered column by column.
  Index first_of(Index i) const { return first[static_cast<std::size_t>(i)]; }
  Index points() const { return first.back(); }
  /// The column of a coefficient with this number.
  Index column_of(Index number) const;
  /// The index along its column of the coefficient with this number.
  Index index_along(Index number) const;
  /// Whether a coefficient of a column is kept.
  bool keeps(Index column, Index k) const {
    Column const& here = (*this)[column];
    return (k >= here.begin && k < here.begin + here.low) || k >= length - here.high;
  }
};

/// The columns of a checked problem. Null if it has neither sphere nor list, or transforms a single
/// axis.
/// Throws Error
/// - if a sphere has more than three axes;
/// - if no axis can have its columns: one of c2c, or of cosines and sines where all axes are;
/// - if a list has a wave number that there is not, a column twice, or one without waves.
std::shared_ptr<Columns const> columns_of(Problem const& problem);

}  // namespace sixstep::schedule
