// SPDX-License-Identifier: BSD-3-Clause
// Rectangles of short runs of bytes, copied from place to place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "sixstep/index.hpp"

namespace sixstep::sweep {

/// The number of runs in rows and columns, and the bytes of each.
struct Runs {
  Index rows;
  Index columns;
  Index bytes;
};

/// The distances of runs along rows and columns, in bytes.
struct Spacing {
  Index row;
  Index column;
};

/// Copies runs of `part` to 2 `part` bytes as two parts that may overlap. The compiler knows their
/// size, so no function is called. All columns of some rows come before the next rows, so that the
/// side whose rows are far apart has few cache lines in use at a time.
template <std::size_t part>
void copy_runs_of(std::byte const* from, Spacing source, std::byte* to, Spacing target, Runs runs) {
  constexpr Index tile_rows = 32;
  Index const second = runs.bytes - static_cast<Index>(part);
  for (Index first = 0; first < runs.rows; first += tile_rows) {
    Index const rows = std::min(tile_rows, runs.rows - first);
    for (Index column = 0; column < runs.columns; ++column) {
      std::byte const* run = from + first * source.row + column * source.column;
      std::byte* copy = to + first * target.row + column * target.column;
      for (Index row = 0; row < rows; ++row, run += source.row, copy += target.row) {
        std::memcpy(copy, run, part);
        std::memcpy(copy + second, run + second, part);
      }
    }
  }
}

/// Copies runs of 4 bytes or more; source and target must not overlap.
inline void copy_runs(std::byte const* from, Spacing const& source, std::byte* to,
                      Spacing const& target, Runs runs) {
  if (source.row == runs.bytes && target.row == runs.bytes) {
    runs.bytes *= runs.rows;
    runs.rows = 1;
  }
  auto* const copy = runs.bytes <= 8    ? copy_runs_of<4>
                     : runs.bytes <= 16 ? copy_runs_of<8>
                     : runs.bytes <= 32 ? copy_runs_of<16>
                     : runs.bytes <= 64 ? copy_runs_of<32>
                                        : copy_runs_of<64>;
  if (runs.bytes <= 128) return copy(from, source, to, target, runs);
  for (Index row = 0; row < runs.rows; ++row)
    for (Index column = 0; column < runs.columns; ++column)
      std::memcpy(to + row * target.row + column * target.column,
                  from + row * source.row + column * source.column,
                  static_cast<std::size_t>(runs.bytes));
}

}  // namespace sixstep::sweep
