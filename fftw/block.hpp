// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 4 x 4 numbers, which go through registers, and copies of a matrix by such blocks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/word.hpp"
#include "sixstep/index.hpp"

namespace sixstep::fftw {

inline constexpr Index block_side = 4;

/// Calls body(i, j, number) for the numbers of a block. The loops have constants, so that they are
/// unrolled and arrays of 16 numbers stay in registers.
template <class Body>
void for_block(Body const& body) {
  for (Index i = 0; i < block_side; ++i)
    for (Index j = 0; j < block_side; ++j) body(i, j, static_cast<std::size_t>(i * block_side + j));
}

/// rows x columns numbers, whose rows are `row` apart.
template <class Element>
struct Matrix {
  Element* data;
  Index row;
};

/// to[j, i] = from[i, j] for i < rows, j < columns. Both matrices are apart.
template <class Element>
void copy_transposed(Matrix<Element const> from, Index rows, Index columns, Matrix<Element> to) {
  constexpr Index strip = 16;  // rows, so that those of the target are written by whole cache lines
  for (Index top = 0; top < rows; top += strip) {
    Index const bottom = std::min(top + strip, rows);
    for (Index left = 0; left < columns; left += block_side)
      for (Index i = top; i < bottom; i += block_side) {
        Element const* const source = from.data + i * from.row + left;
        Element* const target = to.data + left * to.row + i;
        if (i + block_side <= bottom && left + block_side <= columns) {
          for_block([=](Index k, Index l, std::size_t) {
            Word<Element> word;
            word.load(source + l * from.row + k);
            word.store(target + k * to.row + l);
          });
          continue;
        }
        for (Index k = 0; k < std::min(block_side, columns - left); ++k)
          for (Index l = 0; l < std::min(block_side, bottom - i); ++l)
            target[k * to.row + l] = source[l * from.row + k];
      }
  }
}

}  // namespace sixstep::fftw
