// SPDX-License-Identifier: BSD-3-Clause
// Batches as C has them.
#pragma once

#include "sixstep.h"

#include <algorithm>

#include "sixstep/batch.hpp"

namespace sixstep::c {

template <class Value>
sixstep_batch batch_of(Batch<Value> const& batch, int axes, int fields, int results) {
  auto const along = [](auto const& of) { return sixstep_along{of.axis, of.count, of.step}; };
  sixstep_batch made{.count = batch.count,
                     .axes = axes,
                     .fields = fields,
                     .results = results,
                     // Compilers let a pointer to void be any pointer to data.
                     .in = reinterpret_cast<void const* const*>(batch.in),
                     .out = reinterpret_cast<void* const*>(batch.out),
                     .k = batch.k,
                     .first = {},
                     .points = along(batch.points),
                     .rows = along(batch.rows)};
  std::copy(batch.first.begin(), batch.first.end(), made.first);
  return made;
}

}  // namespace sixstep::c
