// SPDX-License-Identifier: BSD-3-Clause
// Products with a table that lies as an array does.
#pragma once

#include <complex>

#include "local/numbers/complex.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::sweep {

/// The distances of the elements of a rectangle of an array.
struct Grating {
  Index rows;     // from a row to the next
  Index columns;  // from an element of a row to the next
};

/// array[i, j] *= table[i, j]
template <class Complex>
void multiply(Complex* array, Complex const* table, Grating const& steps, Index rows,
              Index columns) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      Index const at = i * steps.rows + j * steps.columns;
      array[at] = local::times(array[at], table[at]);
    }
}

/// Multiplies a rectangle at an offset of the target by the same rectangle of the table, if there
/// is one. Only complex numbers have a table.
template <class Out>
void multiply_by_table(void const* table, Out* target, Index at, Grating const& steps, Index rows,
                       Index columns) {
  if constexpr (local::is_complex<Out>)
    if (table != nullptr)
      multiply(target + at, static_cast<Out const*>(table) + at, steps, rows, columns);
}

}  // namespace sixstep::sweep
