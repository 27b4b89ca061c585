// SPDX-License-Identifier: BSD-3-Clause
// The numbers that reproducible results depend on, which are the same for all machines and plans.
//
// A column's transform is then a function of its length alone. It has one recipe, and one
// arithmetic (kernels/arithmetic.hpp) for columns that lie anywhere. Schedules keep one order of
// axes.
#pragma once

#include <algorithm>
#include <vector>

#include "local/numbers/factor.hpp"
#include "sixstep/bits.hpp"
#include "sixstep/index.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// Longer columns are transformed in two levels, and larger prime factors by a convolution of the
/// whole column. In Tuning both follow from the sizes of caches.
inline constexpr Index longest_reproducible = 8192;
inline constexpr Index largest_reproducible_prime = 2048;
/// The least length of the shorter of two levels into which a schedule divides an axis.
inline constexpr Index shortest_reproducible_level = 16;
/// An axis is divided if it is longer than this and others are transformed, too.
inline constexpr Index longest_reproducible_axis = Index{1} << 18;

inline bool is_reproducible(Tuning const& tuning) { return tuning.bits != Bits::none; }

/// The radices of a column. A first one of 16 or 8 lets contiguous columns go with lanes along them
/// (kernels/recipe_rows-inl.hpp), if as many points are left as a vector has.
inline std::vector<Index> reproducible_radices(Index n) {
  if (n == 64) return {8, 8};
  struct First {
    Index radix, least_left;
  };
  std::vector<Index> all = radices(n);
  for (First const& first : {First{16, 16}, {8, 8}, {16, 8}, {12, 4}, {4, 4}}) {
    auto const found = std::find(all.begin(), all.end(), first.radix);
    if (found == all.end() || n / first.radix < first.least_left) continue;
    std::rotate(all.begin(), found, found + 1);
    break;
  }
  return all;
}

/// The tuning of the recipes of columns.
inline Tuning of_recipes(Tuning tuning) {
  if (!is_reproducible(tuning)) return tuning;
  Tuning const usual;
  tuning.radix_order = usual.radix_order;
  tuning.whole_table_entries = usual.whole_table_entries;
  return tuning;
}

}  // namespace sixstep::local
