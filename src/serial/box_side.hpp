// SPDX-License-Identifier: BSD-3-Clause
// Where the elements of a box lie in an array, and how they move to memory without gaps and back.
//
// A box is one transform of a problem, or some. Its rows lie along the last axis; in memory without
// gaps they are `pitch` reals apart.
#pragma once

#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "local/kernels/gather.hpp"
#include "serial/strided_axis.hpp"
#include "sixstep/index.hpp"

namespace sixstep::serial {

/// An axis of a box: one of the problem, or a loop over transforms.
struct BoxAxis : StridedAxis {
  bool is_transformed;
};
/// Those with the longest strides first.
using BoxAxes = std::vector<BoxAxis>;

/// The rows of a box.
inline Index rows_of(BoxAxes const& axes) {
  Index all = 1;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) all *= axes[i].n;
  return all;
}

template <class Real>
std::complex<Real>* complex(Real* reals) {
  return reinterpret_cast<std::complex<Real>*>(reals);
}
template <class Real>
std::complex<Real> const* complex(Real const* reals) {
  return reinterpret_cast<std::complex<Real> const*>(reals);
}

template <class Real>
void multiply(Real* reals, Index count, Real by) {
  for (Index i = 0; i < count; ++i) reals[i] *= by;
}

/// How the elements of an array lie: reals, complex numbers, or those in two arrays of reals.
enum class Elements { reals, interleaved, split };

template <class Real>
class BoxSide {
 public:
  /// One side of the axes of a box, whose rows have `points` elements on that side.
  BoxSide(BoxAxes const& axes, Index StridedAxis::*stride, Index points, Elements elements,
          Index pitch)
      : elements_(elements), points_(points), point_(axes.back().*stride), pitch_(pitch) {
    std::size_t others = axes.size() - 1;
    for (; others > 0; --others) {
      StridedAxis const& axis = axes[others - 1];
      if (rows_ > 1 && axis.*stride != rows_ * row_) break;
      if (rows_ == 1) row_ = axis.*stride;
      rows_ *= axis.n;
    }
    for (std::size_t i = 0; i < others; ++i) {
      std::vector<Index> blocks;
      for (Index const begin : blocks_)
        for (Index j = 0; j < axes[i].n; ++j) blocks.push_back(begin + j * (axes[i].*stride));
      blocks_ = std::move(blocks);
    }
  }

  /// Whether the elements of a row are neighbours, and their parts, too.
  bool has_dense_rows() const {
    return elements_ != Elements::split && point_ == (elements_ == Elements::reals ? 1 : 2);
  }
  /// Whether the array has the box as memory without gaps would have it.
  bool is_dense() const {
    return has_dense_rows() && blocks_.size() == 1 && (rows_ == 1 || row_ == pitch_);
  }
  /// Whether rows begin at the same offsets on another side.
  bool has_rows_of(BoxSide const& other) const {
    return rows_ == other.rows_ && row_ == other.row_ && blocks_ == other.blocks_;
  }

  Index points() const { return points_; }
  /// Bytes of memory beside the object.
  std::size_t bytes() const { return blocks_.size() * sizeof(Index); }

  /// Rows at equal distances: the first one's number in the box and offset in the array.
  struct Block {
    Index first;
    Index offset;
    Index rows;
    Index row;
  };
  template <class Body>
  void for_blocks(Body const& body) const {
    Index first = 0;
    for (Index const offset : blocks_) {
      body(Block{first, offset, rows_, row_});
      first += rows_;
    }
  }

  /// Copies the box from an array to memory without gaps.
  void gather(Real const* real, Real const* imaginary, Real* box) const {
    for (Index const block : blocks_) {
      switch (elements_) {
        case Elements::reals:
          copy(real + block, {point_, row_}, box, {1, pitch_});
          break;
        case Elements::interleaved:
          copy(complex(real + block), {point_ / 2, row_ / 2}, complex(box), {1, pitch_ / 2});
          break;
        case Elements::split:
          copy(real + block, {point_, row_}, box, {2, pitch_});
          copy(imaginary + block, {point_, row_}, box + 1, {2, pitch_});
      }
      box += rows_ * pitch_;
    }
  }
  /// Copies it back.
  void scatter(Real const* box, Real* real, Real* imaginary) const {
    for (Index const block : blocks_) {
      switch (elements_) {
        case Elements::reals:
          copy(box, {1, pitch_}, real + block, {point_, row_});
          break;
        case Elements::interleaved:
          copy(complex(box), {1, pitch_ / 2}, complex(real + block), {point_ / 2, row_ / 2});
          break;
        case Elements::split:
          copy(box, {2, pitch_}, real + block, {point_, row_});
          copy(box + 1, {2, pitch_}, imaginary + block, {point_, row_});
      }
      box += rows_ * pitch_;
    }
  }

 private:
  /// Copies a block of rows.
  template <class Element>
  void copy(Element const* from, local::CopySteps in, Element* to, local::CopySteps out) const {
    local::copy_evenly(from, in, to, out, points_, rows_);
  }

  Elements elements_;
  Index points_;
  Index point_;  // strides count reals
  Index pitch_;
  Index rows_ = 1;
  Index row_ = 0;
  std::vector<Index> blocks_ = {0};  // where the first of each `rows_` rows lies
};

}  // namespace sixstep::serial
