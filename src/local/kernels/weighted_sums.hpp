// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of rows: what is summed to check a transform by its input and its output.
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// How many sums, each with weights of its own, are made at a time.
inline constexpr std::size_t sums_at_once = 2;
template <class Value>
using OfSums = std::array<Value, sums_at_once>;

/// Sums over the elements x of an array with the weights w.
struct WeightedSums {
  OfSums<std::complex<double>> sums{};  // of w x
  OfSums<double> products{};            // of |sum of a column's w x|^2
  double squares = 0;                   // of |x|^2

  void operator+=(WeightedSums const& more) {
    for (std::size_t set = 0; set < sums_at_once; ++set) {
      sums[set] += more.sums[set];
      products[set] += more.products[set];
    }
    squares += more.squares;
  }
};

/// Rows whose elements lie side by side, `step` elements apart. Arrays need no alignment.
template <class Element>
struct ElementRows {
  Element const* first;
  Index rows, elements, step;
};

/// The weight of element i in row r is rows[r] columns[i], or its conjugate.
struct BlockWeights {
  OfSums<std::complex<double> const*> rows, columns;
  bool conjugate;
  bool has_real_rows;  // the weights of rows have no imaginary parts
  bool sizes;          // products and squares are wanted, too; else they are zero
};

template <class Element>
using BlockSums = WeightedSums (*)(ElementRows<Element> const& rows, BlockWeights const& weights);

template <class Real>
struct WeightedSumKernels {
  BlockSums<Real> reals;
  BlockSums<std::complex<Real>> complex_numbers;
};

template <class Real>
WeightedSumKernels<Real> weighted_sum_kernels(Target target);
template <>
WeightedSumKernels<float> weighted_sum_kernels(Target target);
template <>
WeightedSumKernels<double> weighted_sum_kernels(Target target);

}  // namespace sixstep::local
