// SPDX-License-Identifier: BSD-3-Clause
// What all real transforms do with a batch: check it, cut it into blocks, and move columns.
#pragma once

#include <algorithm>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/transform.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {

/// The ways of n rows, each to the row with the same number.
template <class Real>
std::vector<Way<Real>> straight(Index n) {
  std::vector<Way<Real>> ways;
  for (Index k = 0; k < n; ++k) ways.push_back({k, k, Real{1}});
  return ways;
}

/// The picks of n rows, each from the row with the same number.
template <class Real>
std::vector<Pick<Real>> in_order(Index n) {
  std::vector<Pick<Real>> picks;
  for (Index k = 0; k < n; ++k) picks.push_back({k, Real{1}});
  return picks;
}

/// Throws Error if a batch needs something that real transforms cannot do.
template <class In, class Out>
void check(Batch<In, Out> const& batch) {
  require(batch.twist.roots == nullptr, "real transform: a twist is for complex transforms only");
  require(!batch.backward, "real transform: backward is a kind of its own");
}

/// Cuts a batch into blocks and calls body(in, out, columns) for each. `core` decides how many
/// columns they have. A last block of fewer columns than lanes begins with columns that the block
/// before has transformed already, unless their results have taken the place of their input.
template <class In, class Out, class Core, class Body>
void for_each_block(Batch<In, Out> const& batch, Core const& core, Body const& body) {
  // Wide blocks pay if columns lie side by side; otherwise blocks that stay in the first-level
  // cache.
  bool const wide = batch.in.lane == 1 || batch.out.lane == 1;
  bool const in_place = static_cast<void const*>(batch.in.data + batch.in.row[0]) ==
                        static_cast<void const*>(batch.out.data + batch.out.row[0]);
  for (Index first = 0; first < batch.columns;) {
    Index columns = core.take(batch.columns - first, wide);
    if (columns < core.lanes() && batch.columns >= core.lanes() && !in_place) {
      columns = core.lanes();
      first = batch.columns - columns;
    }
    body(from_column(batch.in, first), from_column(batch.out, first), columns);
    first += columns;
  }
}

}  // namespace sixstep::local
