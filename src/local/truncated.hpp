// SPDX-License-Identifier: BSD-3-Clause
// Transforms with fewer rows on one side: the other results are dropped, or the other elements are
// taken to be zero.
//
// Composed of a Transform; knows nothing about vectors.
#pragma once

#include "local/transform.hpp"

namespace sixstep::local {

/// The rows of a side: `first` of them from row `at` on, then `last` of them, which are the last of
/// all rows if `at` is 0, and rows 0, 1 ... if it is not.
struct Kept {
  Index all;
  Index first;
  Index last = 0;
  Index at = 0;
  // The rows are waves, and the highest one kept stands for waves of either sign, of which only one
  // has a row: it is the sum of both, and gives half of itself to each. If there are `last` rows,
  // the other one is a dropped row; otherwise it is the conjugate.
  bool splits = false;

  Index rows() const { return first + last; }
  /// Whether rows are missing, in another order, or more than copied.
  bool is_part() const { return rows() < all || at > 0 || splits; }
  /// The row in the place of the first of `last`.
  Index last_at() const { return at == 0 ? all - last : 0; }
  /// The row in place k.
  Index row(Index k) const { return k < first ? at + k : last_at() + k - first; }
  /// The row of the wave that stands for two, and that of the other one; the same if it has none.
  Index highest() const { return last > 0 ? last_at() : first - 1; }
  Index other_highest() const { return last > 0 ? first : first - 1; }
};

/// Adds the other wave to the one that stands for two, in columns with all rows.
template <class Complex>
void add_highest(Columns<Complex> const& all, Kept const& kept, Index columns);
/// Gives half of the wave that stands for two to each of them, in columns with all rows.
template <class Complex>
void split_highest(Columns<Complex> const& all, Kept const& kept, Index columns);

/// The transform `whole`, which must outlive it, with only the kept rows on the side that has fewer
/// than `whole` has; the other side is that of `whole`. A strip of columns passes through a block
/// that stays in cache.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_truncated(Transform<In, Out> const& whole, Kept const& in,
                                                   Kept const& out, Tuning const& tuning = {});

}  // namespace sixstep::local
