// SPDX-License-Identifier: BSD-3-Clause
// Memory of all ranks in one process, for programs that are run by the definitions.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "layout/placement.hpp"
#include "oracles/fourier.hpp"

namespace sixstep::program {

using oracle::at;
using oracle::Exact;

/// One buffer of all ranks, in reals, each rank's in a segment of its own. A real that was never
/// written is not a number.
class Memory {
 public:
  static constexpr Index stride = 1 << 12;

  Memory() = default;
  explicit Memory(std::vector<Index> sizes)
      : sizes_(std::move(sizes)),
        reals_(at(stride) * sizes_.size(), std::numeric_limits<long double>::quiet_NaN()) {}

  /// Whether a rank that counts from its own segment finds an element there that some rank has.
  bool holds(int rank, Index offset, layout::Number number) const {
    Index const first = rank * stride + offset * layout::reals_of(number);
    if (first < 0 || first >= static_cast<Index>(reals_.size())) return false;
    return first % stride + layout::reals_of(number) <= sizes_[at(first / stride)];
  }
  /// Another rank's memory, if it is not all in the rank's own.
  static bool is_foreign(int rank, Index offset, layout::Number number) {
    Index const first = rank * stride + offset * layout::reals_of(number);
    return first / stride != rank;
  }
  long double* of(int rank) { return reals_.data() + rank * stride; }
  Index size(int rank) const { return sizes_[at(rank)]; }

 private:
  std::vector<Index> sizes_;
  std::vector<long double> reals_;
};

inline Exact get(long double const* array, Index offset, layout::Number number) {
  if (number == layout::Number::real) return array[offset];
  return {array[2 * offset], array[2 * offset + 1]};
}

inline void put(long double* array, Index offset, layout::Number number, Exact const& value) {
  if (number == layout::Number::real) {
    EXPECT_LT(std::abs(value.imag()), 1e-15L) << "an imaginary part is lost";
    array[offset] = value.real();
  } else {
    array[2 * offset] = value.real();
    array[2 * offset + 1] = value.imag();
  }
}

}  // namespace sixstep::program
