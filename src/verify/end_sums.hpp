// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums over a rank's elements at one end of a plan.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "layout/placement.hpp"
#include "local/kernels/weighted_sums.hpp"
#include "verify/axis_weights.hpp"

namespace sixstep::verify {

/// The weights of an axis for each sum.
using SetsOfWeights = local::OfSums<AxisWeights>;

/// The axis of the problem that an axis of a box belongs to, and how many of its indices one of the
/// box counts.
struct Digit {
  int axis;
  Index unit = 1;
};

/// Sums with more digits: there may be those of millions of parts.
struct LongSums {
  local::OfSums<std::complex<long double>> sums{};
  local::OfSums<long double> products{};
  long double squares = 0;

  template <class Sums>
  void add(Sums const& more) {
    for (std::size_t set = 0; set < local::sums_at_once; ++set) {
      sums[set] += std::complex<long double>(more.sums[set]);
      products[set] += more.products[set];
    }
    squares += more.squares;
  }
  local::WeightedSums rounded() const;
};

/// Rows of elements that lie side by side. `at` are the counts of the first one in a box.
struct RowsOfBox {
  void const* first;
  Index rows, elements, step;  // `step` elements from a row to the next
  Shape const& at;
  int inner, outer;  // the axes along rows and from row to row; -1: one element, one row
  Index counts = 1;  // along `outer` from a row to the next
};

/// The side of a transform that is summed. Sums of a source tell its size, too.
enum class Side { source, result };

/// The weights of the elements of a box: products of those of their indices along all axes.
class BoxWeights {
 public:
  using Weights = std::shared_ptr<std::vector<SetsOfWeights> const>;  // of each axis of the problem

  BoxWeights() = default;
  BoxWeights(Side side, Box const& box, std::vector<Digit> digits, Weights weights)
      : side_(side),
        box_(box),
        target_(local::chosen_target()),
        digits_(std::move(digits)),
        weights_(std::move(weights)) {}

  /// Returns the same weights for the elements of another box.
  BoxWeights in(Box const& box, std::vector<Digit> digits) const {
    return {side_, box, std::move(digits), weights_};
  }

  /// Whether rows may be numbered along `outer` if they lie along `inner`.
  bool are_apart(int inner, int outer) const;
  /// Whether the weight of each element is a product of weights along the axes of the box.
  bool are_products() const;
  /// Whether all weights along an axis are powers.
  bool are_powers(int axis) const;
  /// Whether all weights along an axis are sums of powers.
  bool are_sums(int axis) const;
  /// Whether two axes of the box are digits of one of the problem.
  bool share_an_axis(int one, int other) const { return digit(one).axis == digit(other).axis; }
  /// The most elements and rows that sums() takes, and the most elements of a single row of sums of
  /// powers.
  static constexpr Index most_elements = row_weights, most_rows = 256,
                         most_of_sums = long_row_weights;
  /// Elements are complex numbers or reals, which take 4 or 8 bytes.
  local::WeightedSums sums(RowsOfBox const& rows, layout::Number number, int real_bytes,
                           bool conjugate) const;

 private:
  using Indices = std::array<Index, 2 * max_axes>;  // along the problem's axes
  template <class Element>
  local::WeightedSums sums_of(RowsOfBox const& rows, local::BlockSums<Element> kernel,
                              bool conjugate) const;
  template <class Element>
  local::WeightedSums sum_by_rows(RowsOfBox const& rows, Indices const& indices,
                                  local::BlockSums<Element> kernel, bool conjugate,
                                  local::OfSums<Weight>& factors) const;
  template <class Element>
  local::WeightedSums sum_in_parts(RowsOfBox const& rows, local::BlockSums<Element> kernel,
                                   bool conjugate) const;
  template <class Element>
  std::optional<local::WeightedSums> sum_by_cotangents(RowsOfBox const& rows,
                                                       Indices const& indices,
                                                       bool conjugate) const;
  template <class Element>
  std::optional<local::OfSums<AxisWeights::ByCotangents>> by_cotangents(RowsOfBox const& row,
                                                                        Index first,
                                                                        std::size_t width) const;
  template <class Element>
  local::WeightedSums affine_sums(local::CotangentRows<Element> rows,
                                  local::OfSums<AxisWeights::ByCotangents> const& weights,
                                  bool conjugate) const;
  Index step(int axis) const { return box_.ranges[axis].step * digit(axis).unit; }
  Digit const& digit(int axis) const { return digits_[static_cast<std::size_t>(axis)]; }

  Side side_ = Side::source;
  Box box_;
  local::Target target_ = 0;
  std::vector<Digit> digits_;  // of each axis of the box
  Weights weights_;
};

/// The sums of an array at one end of a plan, in one pass over its memory.
class EndSums {
 public:
  EndSums() = default;
  EndSums(Side side, layout::Placement const& end, int rank, std::vector<Digit> digits,
          std::vector<SetsOfWeights> weights);

  /// The rank's sums. Reals take 4 or 8 bytes.
  local::WeightedSums of(void const* array, int real_bytes, bool conjugate, int threads) const;

  /// The elements of the sums: a box, and where they lie in the array.
  Box const& box() const { return box_; }
  Shape const& strides() const { return strides_; }
  Index offset() const { return offset_; }
  layout::Number number() const { return number_; }
  BoxWeights const& weights() const { return of_box_; }

 private:
  LongSums of_part(std::byte const* array, int real_bytes, bool conjugate, Index part) const;
  int next_axis() const;

  Box box_;
  Shape strides_;
  Index offset_ = 0;  // of the box, behind ghosts
  layout::Number number_ = layout::Number::complex;
  BoxWeights of_box_;
  int inner_ = 0;     // the axis that lies densest in memory
  int outer_ = -1;    // the axis that numbers the rows of a part
  Index rows_ = 0;    // in a part
  Index joined_ = 1;  // rows of a part that follow each other along `inner_`
  Index parts_ = 0;   // of each row
  Index groups_ = 0;  // of rows along `outer_`
  Index all_parts_ = 0;
};

}  // namespace sixstep::verify
