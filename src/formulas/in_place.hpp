// SPDX-License-Identifier: BSD-3-Clause
// Transforms one long axis in little more than the memory of its array.
//
// N = m s^2 points are a matrix of N1 = m s rows and s columns, x[j1 s + j2], rows in even blocks
// over the ranks. Then (Bailey 1990)
//   X[k1 + N1 k2] = sum_j2 w_s^(j2 k2) w_N^(j2 k1) sum_j1 w_N1^(j1 k1) x[j1 s + j2].
// The columns are a transform of two axes, in blocks; rows are transformed in place. If
// k1 = m i + e, the result is the array [k2][i][e], and the rows yield [i][e][k2]. Interleaving
// every m rows gives [i][k2][e]. Then a square of items of m numbers remains to be transposed,
// which is possible in place.
#pragma once

#include <optional>

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for a c2c along the only axis of `line`; empty if its points do not form such a
/// square with m <= 64 and s a multiple of the ranks, or do not lie in even blocks.
std::optional<Composition> in_place(schedule::Problem const& line,
                                    schedule::Choices const& choices);

}  // namespace sixstep::formulas
