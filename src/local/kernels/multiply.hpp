// SPDX-License-Identifier: BSD-3-Clause
// Products of rows of numbers with a table.
#pragma once

#include "sixstep/index.hpp"

namespace sixstep::local {

/// Rows of a rectangle: how many, how long, and the distances from a row to the next.
struct ProductRows {
  Index rows;
  Index count;
  Index source_row;
  Index target_row;
  Index table_row;
};

/// target[i, j] = source[i, j] table[i, j] for i < rows, j < count: complex numbers times reals, or
/// times complex numbers. The two arrays may be the same.
template <class Real, bool real_table>
void multiply_rows(Real const* source, Real* target, Real const* table, ProductRows const& rows);

}  // namespace sixstep::local
