// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns whose rows lie anywhere: in several arrays, in those of other ranks, some
// of them nowhere. Written once, compiled for the host and for GPUs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/works.hpp"

namespace sixstep::device {

/// Division of numbers below 2^31 by a fixed divisor: n / d = ((n m >> 32) + n) >> s with the m and
/// s of Granlund and Montgomery (1994, figure 4.1).
struct Divisor {
  std::uint32_t d = 1, m = 0, s = 0;

  static Divisor of(Index by) {
    Divisor made;
    made.d = static_cast<std::uint32_t>(by);
    while ((std::uint64_t{1} << made.s) < made.d) ++made.s;
    std::uint64_t const power = std::uint64_t{1} << made.s;
    made.m = static_cast<std::uint32_t>((std::uint64_t{1} << 32) * (power - made.d) / made.d + 1);
    return made;
  }
  SIXSTEP_ON_DEVICE std::uint32_t divide(std::uint32_t n) const {
    std::uint64_t const high = static_cast<std::uint64_t>(n) * m >> 32;
    return static_cast<std::uint32_t>((high + n) >> s);
  }
};

/// Where a row of all columns lies, as a number: an offset in elements in the memory of a rank,
/// which is a number among ScatteredSide::shifts. Negative: nowhere; the row is read as zeros, and
/// not written.
struct RowCode {
  static constexpr int rank_bits = 4;
  static constexpr int most_ranks = 1 << rank_bits;
  static constexpr Index nowhere = -1;

  Index code;

  static constexpr RowCode of(Index offset, int rank) { return {offset * most_ranks + rank}; }
  SIXSTEP_ON_DEVICE bool is_there() const { return code >= 0; }
  SIXSTEP_ON_DEVICE Index offset() const { return code >> rank_bits; }
  SIXSTEP_ON_DEVICE int rank() const { return static_cast<int>(code) & (most_ranks - 1); }
};

/// One side of scattered columns. Strides count complex numbers.
struct ScatteredSide {
  static constexpr int most_axes = 3;

  void* memory = nullptr;         // the rank's own
  Index strides[most_axes] = {};  // along the axes that number the columns
  Index row_stride = 0;
  RowCode const* rows = nullptr;  // of each row, in the device's memory; null: by row_stride
  Index shifts[RowCode::most_ranks] = {};  // bytes from the rank's own memory to that of others
  bool has_rows_first = false;             // rows of a column are closer than columns are
};

/// Complex transforms of columns. A column's number has counts along up to three axes, slowest
/// first; a result is multiplied by `scale`, by the phase, and by the number of the table. For the
/// phase, a column's counts are those of axes 0, 1, 2, and the row is that of axis 3.
struct Scattered {
  static constexpr int rows_axis = ScatteredSide::most_axes;

  Index n = 1;
  int real_bytes = 8;
  Index extents[ScatteredSide::most_axes] = {1, 1, 1};
  ScatteredSide source = {};
  ScatteredSide target = {};
  bool backward = false;
  double scale = 1;
  Phase phase = {};
  Factors table = {};
  ScatteredSide in_table = {};  // its memory is that of `table`
  // Each column is transformed, multiplied by the table, and transformed back before the other
  // factors multiply it. Rows that are nowhere in the table become zeros in between.
  bool there_and_back = false;

  Index columns() const { return extents[0] * extents[1] * extents[2]; }
};

/// The counts of a column, and room for that of a row.
struct ColumnCounts {
  Index at[ScatteredSide::most_axes + 1];

  SIXSTEP_ON_DEVICE static ColumnCounts of(std::uint32_t column, Divisor const& middle,
                                           Divisor const& last) {
    std::uint32_t const rest = last.divide(column), first = middle.divide(rest);
    return {{first, rest - first * middle.d, column - rest * last.d, 0}};
  }
  SIXSTEP_ON_DEVICE Index offset_in(ScatteredSide const& side) const {
    return at[0] * side.strides[0] + at[1] * side.strides[1] + at[2] * side.strides[2];
  }
};

template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> swapped(Pair<Real> const& value) {
  return {value.im, value.re};
}

/// The place of an element of a side with a table of rows.
template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real>* place_in(ScatteredSide const& side, RowCode row,
                                              Index column_offset) {
  char* const begin = static_cast<char*>(side.memory) + side.shifts[row.rank()];
  return reinterpret_cast<Pair<Real>*>(begin) + (row.offset() + column_offset);
}

/// A result times the number of the table for its row; 0 if the row is nowhere there.
template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> with_table(Scattered const& columns, Index column_offset,
                                               Index row, Pair<Real> value) {
  ScatteredSide const& side = columns.in_table;
  if (side.rows == nullptr)
    return columns.table.times(value, column_offset + row * side.row_stride);
  RowCode const its = side.rows[row];
  return its.is_there() ? columns.table.times(value, its.offset() + column_offset)
                        : Pair<Real>{0, 0};
}

/// A result times the phase of its row.
template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> with_phase(Phase const& phase, ColumnCounts counts, Index row,
                                               Pair<Real> value) {
  counts.at[Scattered::rows_axis] = row;
  Pair<double> const root = phase.at(counts.at);
  return product<Real>(value, {static_cast<Real>(root.re), static_cast<Real>(root.im)});
}

}  // namespace sixstep::device
