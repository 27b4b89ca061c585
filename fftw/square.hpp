// SPDX-License-Identifier: BSD-3-Clause
// A square of numbers or of vectors is transposed in place: pairs of tiles change places, block by
// block through registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "block.hpp"
#include "local/caches.hpp"
#include "sixstep/index.hpp"

namespace sixstep::fftw {

class Square {
 public:
  /// The distances of neighbours along both axes, in numbers.
  struct Strides {
    Index down, across;
  };

  /// n x n vectors of numbers.
  Square(Index n, Strides strides, Index vector, Index number_bytes)
      : n_(n),
        down_(strides.down),
        across_(strides.across),
        vector_(vector),
        side_(side_of(down_ * number_bytes, n)) {}

  Index tile_rows() const { return (n_ + side_ - 1) / side_; }

  /// Swaps the tiles of one row, from the diagonal on, with those of the same column. All rows
  /// together transpose the square, in any order or at the same time.
  template <class Element>
  void swap_tile_row(Element* square, Index tile_row) const {
    for (Index left = tile_row * side_; left < n_; left += side_)
      swap_tiles(square, tile_row * side_, left);
  }

 private:
  /// Rows that are a multiple of 1 KiB apart share few sets of the first-level cache, which hold
  /// those of smaller tiles. Out of the last-level cache larger tiles are faster all the same.
  static Index side_of(Index row_bytes, Index rows) {
    return row_bytes % 1024 == 0 && rows * row_bytes <= local::caches().third ? 8 : 16;
  }

  static constexpr Index block = block_side;

  template <class Element>
  void swap_tiles(Element* square, Index top, Index left) const {
    if (vector_ > 1) return swap_numbers(square, top, left, side_);
    if (across_ == 1) return swap_tiles(square, top, left, std::integral_constant<Index, 1>());
    swap_tiles(square, top, left, across_);
  }

  template <class Element, class Across>
  void swap_tiles(Element* square, Index top, Index left, Across across) const {
    Index const down = down_, side = side_;
    Index const bottom = std::min(top + side, n_), right = std::min(left + side, n_);
    auto const swap = [&](Index i, Index j) {
      swap_blocks(square + i * down + j * across, square + j * down + i * across, down, across);
    };
    if (top != left && top + side <= n_ && left + side <= n_) {
      for (Index i = 0; i < side; i += block)
        for (Index j = 0; j < side; j += block) swap(top + i, left + j);
      return;
    }
    for (Index i = top; i < bottom; i += block)
      for (Index j = std::max(i, left); j < right; j += block)
        if (i != j && i + block <= n_ && j + block <= n_)
          swap(i, j);
        else
          swap_numbers(square, i, j, block);
  }

  /// The block of the upper half is held in registers.
  template <class Element, class Across>
  static void swap_blocks(Element* upper, Element* lower, Index down, Across across) {
    std::array<Word<Element>, block * block> held;
    for_block(
        [&](Index i, Index j, std::size_t at) { held[at].load(upper + i * down + j * across); });
    for_block([&](Index i, Index j, std::size_t) {
      Word<Element> word;
      word.load(lower + j * down + i * across);
      word.store(upper + i * down + j * across);
    });
    for_block(
        [&](Index i, Index j, std::size_t at) { held[at].store(lower + j * down + i * across); });
  }

  /// Swaps a tile or block that may leave the square or meet its diagonal, number by number.
  template <class Element>
  void swap_numbers(Element* square, Index top, Index left, Index width) const {
    Index const down = down_, across = across_, vector = vector_;
    for (Index i = top; i < std::min(top + width, n_); ++i)
      for (Index j = std::max(left, i + 1); j < std::min(left + width, n_); ++j) {
        Element* const upper = square + i * down + j * across;
        Element* const lower = square + j * down + i * across;
        if (vector == 1)
          std::swap(*upper, *lower);
        else
          std::swap_ranges(upper, upper + vector, lower);
      }
  }

  Index n_;
  Index down_;
  Index across_;
  Index vector_;
  Index side_;  // of a tile
};

}  // namespace sixstep::fftw
