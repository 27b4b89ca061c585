// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix of vectors is transposed in place by square tiles.
//
// m rows, n columns. The first a t rows and b t columns are tiles of t x t, and the rest waits in a
// buffer:
//   1. rows are moved together, if there are further columns
//   2. each tile is transposed: it becomes [a][t][b][t], the last index along a row
//   3. runs of t vectors change places, to [b][t][a][t]
//   4. rows are moved apart, if there were further rows, and the rest is put in its place.
// Gustavson, Karlsson, Kagstrom, "Parallel and cache-efficient in-place matrix storage format
// conversion" (2012), move whole tiles likewise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/run_team.hpp"
#include "block.hpp"
#include "runs.hpp"
#include "sixstep/index.hpp"
#include "square.hpp"

namespace sixstep::fftw {

class TiledRectangle {
 public:
  struct Shape {
    Index rows, columns, vector;
  };

  /// With the tiles that move the fewest bytes; among those, with the largest. Nothing if no tile
  /// has runs that are long enough and leaves little for the buffer.
  static std::optional<TiledRectangle> best(Shape const& shape, Index number_bytes, int threads) {
    auto const [rows, columns, vector] = shape;
    Index const vector_bytes = vector * number_bytes;
    Index const most_rest = std::max(buffer_bytes, rows * columns * vector_bytes / 8);
    std::optional<TiledRectangle> found;
    Index tile = std::min(rows, columns);
    for (Index const last = std::max<Index>(1, tile - most_tries); tile >= last; --tile) {
      TiledRectangle const tried(shape, tile, threads);
      bool const fits = tried.rest_vectors() * vector_bytes <= most_rest;
      if (tile * vector_bytes < least_run_bytes || !fits) continue;
      if (!found || tried.moved_bytes(vector_bytes) < found->moved_bytes(vector_bytes))
        found = tried;
    }
    return found;
  }

  /// Vectors that a buffer must have room for.
  Index rest_vectors() const { return right_ * m_ + bottom_ * b_ * t_; }

  /// `rest` has room for rest_vectors(). May throw std::bad_alloc after parts have moved.
  template <class Element>
  void transpose(Element* data, Element* rest) const {
    Element* const below = rest + right_ * m_ * vector_;
    copy<Element>({data + b_ * t_ * vector_, n_}, m_, right_, {rest, m_});
    copy<Element>({data + a_ * t_ * n_ * vector_, n_}, bottom_, b_ * t_, {below, bottom_});
    move_together(data);
    transpose_tiles(data);
    if (a_ * b_ > 1) Runs(a_, t_, b_, t_ * vector_, threads_).permute(data);
    move_apart(data, below);
    std::copy_n(rest, right_ * m_ * vector_, data + b_ * t_ * m_ * vector_);
  }

 private:
  TiledRectangle(Shape const& shape, Index tile, int threads)
      : m_(shape.rows),
        n_(shape.columns),
        vector_(shape.vector),
        t_(tile),
        a_(shape.rows / tile),
        b_(shape.columns / tile),
        bottom_(shape.rows % tile),
        right_(shape.columns % tile),
        threads_(threads) {}

  /// In all steps. To find the place of a run takes as long as to move `place_bytes`.
  Index moved_bytes(Index vector_bytes) const {
    constexpr Index place_bytes = 1024;
    Index const passes = (t_ > 1 ? 1 : 0) + (right_ > 0 ? 1 : 0) + (bottom_ > 0 ? 1 : 0);
    Index const bytes = (passes * m_ * n_ + 2 * rest_vectors()) * vector_bytes;
    return a_ * b_ == 1 ? bytes : bytes + a_ * t_ * b_ * (t_ * vector_bytes + place_bytes);
  }

  /// to[j, i] = from[i, j], i < rows, j < columns, of vectors.
  template <class Element>
  void copy(Matrix<Element const> from, Index rows, Index columns, Matrix<Element> to) const {
    if (vector_ == 1) return copy_transposed(from, rows, columns, to);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        std::copy_n(from.data + (i * from.row + j) * vector_, vector_,
                    to.data + (j * to.row + i) * vector_);
  }

  template <class Element>
  void move_together(Element* data) const {
    if (right_ == 0) return;
    Index const row = b_ * t_ * vector_;
    for (Index i = 1; i < a_ * t_; ++i)
      std::copy_n(data + i * n_ * vector_, row, data + i * row);  // to the front
  }

  template <class Element>
  void transpose_tiles(Element* data) const {
    Index const down = b_ * t_ * vector_;
    Square const tile(t_, {down, vector_}, vector_, sizeof(Element));
    share_in_turn(a_ * b_ * tile.tile_rows(), threads_, [&](Index turn, int) {
      Index const number = turn / tile.tile_rows();
      tile.swap_tile_row(data + number / b_ * t_ * down + number % b_ * t_ * vector_,
                         turn % tile.tile_rows());
    });
  }

  template <class Element>
  void move_apart(Element* data, Element const* below) const {
    if (bottom_ == 0) return;
    Index const row = a_ * t_ * vector_, rest = bottom_ * vector_;
    for (Index j = b_ * t_; j-- > 0;) {
      Element* const to = data + j * (row + rest);
      std::copy_backward(data + j * row, data + (j + 1) * row, to + row);
      std::copy_n(below + j * rest, rest, to + row);
    }
  }

  static constexpr Index least_run_bytes = 256;
  static constexpr Index buffer_bytes = Index{1} << 20;
  static constexpr Index most_tries = 4096;

  Index m_, n_, vector_;
  Index t_, a_, b_;
  Index bottom_, right_;  // rows and columns that are no part of a tile
  int threads_;
};

}  // namespace sixstep::fftw
