// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix of vectors is transposed in place, with a buffer for a part of it.
//
// A short matrix goes through a buffer as a whole, and most others by tiles (tiled_rectangle.hpp).
// Matrices with short rows or short columns are permuted. m rows, n columns, c = gcd(m, n), a = m/c
// and b = n/c: Catanzaro, Keller and Garland, "A decomposition for in-place matrix transposition"
// (2014):
//   1. column j is rotated: its row i comes from row i + j/b           (nothing if c = 1)
//   2. in row i column j goes to column (i + j/b) mod m + j m, modulo n
//   3. in column j row i comes from row j + i n - i/a, modulo m
// Columns are permuted a few neighbours at a time. The buffer has room for these or for a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "base/run_team.hpp"
#include "block.hpp"
#include "names.hpp"
#include "scratch.hpp"
#include "sixstep/index.hpp"
#include "tiled_rectangle.hpp"

namespace sixstep::fftw {

class Rectangle {
 public:
  using Shape = TiledRectangle::Shape;

  Rectangle(Shape const& shape, Index number_bytes, int threads)
      : rows_(shape.rows),
        columns_(shape.columns),
        vector_(shape.vector),
        threads_(threads),
        common_(std::gcd(rows_, columns_)) {
    Index const bytes = rows_ * columns_ * vector_ * number_bytes;
    is_short_ = bytes <= buffer_bytes && threads == 1;
    if (!is_short_) tiled_ = TiledRectangle::best(shape, number_bytes, threads);
  }

  template <class Element>
  void transpose(Element* data) const {
    if (is_short_) return transpose_by_copy(data);
    if (!tiled_) return transpose_by_permutations(data);
    with_buffer<Element>(tiled_->rest_vectors(),
                         [&](Element* buffer) { tiled_->transpose(data, buffer); });
  }

 private:
  /// Through a buffer of its size.
  template <class Element>
  void transpose_by_copy(Element* data) const {
    with_buffer<Element>(rows_ * columns_, [&](Element* buffer) {
      if (vector_ == 1)
        copy_transposed<Element>({data, columns_}, rows_, columns_, {buffer, rows_});
      else
        for (Index i = 0; i < rows_; ++i)
          for (Index j = 0; j < columns_; ++j)
            std::copy_n(data + (i * columns_ + j) * vector_, vector_,
                        buffer + (j * rows_ + i) * vector_);
      std::copy_n(buffer, rows_ * columns_ * vector_, data);
    });
  }

  template <class Element>
  void transpose_by_permutations(Element* data) const {
    if (common_ > 1) permute_columns(data, &Rectangle::rotate<Element>);
    permute_rows(data);
    permute_columns(data, &Rectangle::shuffle<Element>);
  }

  /// Columns first, first + 1, ..., first + count - 1.
  struct Panel {
    Index first;
    Index count;
  };
  template <class Element>
  using Permutation = void (Rectangle::*)(Element* data, Panel panel, Element* buffer) const;

  template <class Element>
  void permute_rows(Element* data) const {
    share_in_stretches(rows_, threads_, [&](Index row, int) {
      with_buffer<Element>(columns_, [&](Element* buffer) { shuffle_row(data, row, buffer); });
    });
  }

  template <class Element>
  void permute_columns(Element* data, Permutation<Element> permute) const {
    Index const width = panel_columns(sizeof(Element));
    share_in_turn((columns_ + width - 1) / width, threads_, [&](Index panel, int) {
      Index const first = panel * width, count = std::min(width, columns_ - first);
      with_buffer<Element>(rows_ * count, [&](Element* buffer) {
        (this->*permute)(data, {first, count}, buffer);
      });
    });
  }

  /// As many as half of the second-level cache holds, but whole cache lines, and no long stretches.
  Index panel_columns(std::size_t bytes) const {
    Index const each = vector_ * static_cast<Index>(bytes);
    Index const fit = panel_bytes / (rows_ * each);
    return std::clamp<Index>(fit, (least_stretch + each - 1) / each,
                             std::max<Index>(1, most_stretch / each));
  }

  template <class Element>
  void shuffle_row(Element* data, Index row, Element* buffer) const {
    Element* const begin = data + row * columns_ * vector_;
    Index const in_block = columns_ / common_, step = rows_ % columns_;
    Element const* from = begin;
    Index product = 0;  // j m modulo n
    for (Index block = 0; block < common_; ++block) {
      Index const turned = (row + block) % rows_ % columns_;
      for (Index j = 0; j < in_block; ++j, from += vector_) {
        put(from, vector_, buffer + sum_modulo(turned, product, columns_) * vector_);
        product = sum_modulo(product, step, columns_);
      }
    }
    std::copy_n(buffer, columns_ * vector_, begin);
  }

  template <class Element>
  void rotate(Element* data, Panel panel, Element* buffer) const {
    Index const in_block = columns_ / common_;
    if (panel.first + panel.count <= in_block) return;  // by no row
    copy_turned(data, panel, buffer, [&](Index j) { return j / in_block; });
    for (Index i = 0; i < rows_; ++i)
      std::copy_n(buffer + i * panel.count * vector_, panel.count * vector_,
                  row_of(data, panel, i));
  }

  template <class Element>
  void shuffle(Element* data, Panel panel, Element* buffer) const {
    copy_turned(data, panel, buffer, [](Index j) { return j; });
    Index const in_block = rows_ / common_, step = columns_ % rows_;
    Index product = 0;  // i n modulo m
    for (Index i = 0; i < rows_; ++i) {
      Index const from = sum_modulo(product, rows_ - i / in_block, rows_);
      std::copy_n(buffer + from * panel.count * vector_, panel.count * vector_,
                  row_of(data, panel, i));
      product = sum_modulo(product, step, rows_);
    }
  }

  /// Copies a panel; row i of column j comes from row i + turn(j).
  template <class Element, class Turn>
  void copy_turned(Element const* data, Panel panel, Element* buffer, Turn const& turn) const {
    std::vector<Index> from;
    for (Index j = 0; j < panel.count; ++j) from.push_back(turn(panel.first + j) % rows_);
    for (Index i = 0; i < rows_; ++i)
      for (Index j = 0; j < panel.count; ++j, buffer += vector_) {
        Index& row = from[static_cast<std::size_t>(j)];
        put(row_of(data, panel, row) + j * vector_, vector_, buffer);
        row = row + 1 == rows_ ? 0 : row + 1;
      }
  }

  template <class Element>
  Element* row_of(Element* data, Panel panel, Index row) const {
    return data + (row * columns_ + panel.first) * vector_;
  }

  template <class Element>
  static void put(Element const* from, Index numbers, Element* to) {
    if (numbers == 1)
      *to = *from;
    else
      std::copy_n(from, numbers, to);
  }

  /// For 0 <= a < n and 0 <= b <= n.
  static Index sum_modulo(Index a, Index b, Index n) { return a + b < n ? a + b : a + b - n; }

  /// Calls use() with room for `vectors` vectors.
  template <class Element, class Use>
  void with_buffer(Index vectors, Use const& use) const {
    Scratch const scratch(*memory_, static_cast<std::size_t>(vectors * vector_) * sizeof(Element));
    use(reinterpret_cast<Element*>(scratch.get()));
  }

  static constexpr Index buffer_bytes = Index{1} << 16;
  static constexpr Index panel_bytes = Index{1} << 18;
  static constexpr Index least_stretch = 64;
  static constexpr Index most_stretch = 1024;

  Index rows_;
  Index columns_;
  Index vector_;
  int threads_;
  Index common_;  // the greatest common divisor
  bool is_short_ = false;
  std::optional<TiledRectangle> tiled_;
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

}  // namespace sixstep::fftw
