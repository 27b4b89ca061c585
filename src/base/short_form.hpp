// SPDX-License-Identifier: BSD-3-Clause
// Short forms of reals: how they lie in messages, how many bytes they take, and how far they round.
//
// A block of reals has one scale, and each real an integer of two, three, four or six bytes. A
// chunk of 64 reals lies as: the scales of its blocks, two bytes each; the upper bytes of all
// integers (two, or four if they have four or more); their lower bytes, if there are more. A chunk
// at the end may have fewer reals.
#pragma once

#include <algorithm>
#include <cmath>

#include "sixstep/index.hpp"

namespace sixstep {

/// How many bytes the integer of a real has, and how many reals a block.
struct ShortForm {
  int bytes = 0;   // 2, 3, 4 or 6; 0: reals stay as they are
  int block = 64;  // 4, 8, 16, 32 or 64

  bool shortens() const { return bytes > 0; }
  /// The bytes of a real with its part of a scale.
  double mean_bytes() const { return bytes + 2.0 / block; }
  bool operator==(ShortForm const&) const = default;
};

/// Where the parts of a chunk lie.
struct ShortChunk {
  static constexpr Index most_reals = 64;
  static constexpr Index most_bytes = most_reals / 4 * 2 + most_reals * 6;

  Index blocks;
  int upper_bytes, lower_bytes;  // of an integer
  Index upper, lower, bytes;     // offsets, and the size

  ShortChunk(Index reals, ShortForm const& form)
      : blocks((reals + form.block - 1) / form.block),
        upper_bytes(form.bytes >= 4 ? 4 : 2),
        lower_bytes(form.bytes - upper_bytes),
        upper(blocks * 2),
        lower(upper + reals * upper_bytes),
        bytes(lower + reals * lower_bytes) {}
};

/// The bytes of `count` reals of `real_bytes` in short form. They are never more than as the reals
/// are, since a chunk at the end that would be longer stays as it is.
inline Index short_bytes(Index count, int real_bytes, ShortForm const& form) {
  constexpr Index most = ShortChunk::most_reals;
  Index const rest = count % most;
  return count / most * ShortChunk(most, form).bytes +
         std::min(ShortChunk(rest, form).bytes, rest * real_bytes);
}

/// The largest integer of a form.
constexpr double largest_integer(int bytes) {
  return static_cast<double>((Index{1} << (8 * bytes - 1)) - 1);
}

/// A bound of the relative error in the L2 norm of reals that have been in short form. A scale is
/// above the largest number of its block by a 32nd at most, and each number is wrong by half a step
/// and by the rounding of two products. docs/decisions/0050-short-messages.md has the proof.
inline double rounding_bound(ShortForm const& form, int real_bytes) {
  double const most = largest_integer(form.bytes);
  double const of_result = real_bytes == 4 ? 0x1p-24 : 0x1p-53;
  return std::sqrt(form.block) * (1 + 1.0 / 32) * (0.5 + most * 0x1p-51) / most + of_result;
}

}  // namespace sixstep
