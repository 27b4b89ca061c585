// SPDX-License-Identifier: BSD-3-Clause
// One side of a transform on one rank: which elements of the whole array it holds, and where.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "problem.hpp"

namespace soak {

class Side {
 public:
  /// Padded rows have room for n/2 + 1 complex numbers.
  Side(Layout const& layout, int rank, bool is_real, bool is_padded = false);

  bool is_real() const { return is_real_; }
  Index unit() const { return is_real_ ? 1 : 2; }
  Index points() const { return static_cast<Index>(numbers_.size()); }
  /// Reals that the array takes, padding and all.
  Index reals() const { return points() == 0 ? 0 : place(points()); }

  template <class Real>
  void fill(Real* array, std::vector<std::complex<double>> const& whole, double factor) const {
    for (Index i = 0; i < points(); ++i) {
      std::complex<double> const value = whole[number(i)] * factor;
      array[place(i)] = static_cast<Real>(value.real());
      if (!is_real_) array[place(i) + 1] = static_cast<Real>(value.imag());
    }
  }

  /// The largest difference to the whole array times a factor; infinite if any is not a number.
  template <class Real>
  double difference(Real const* array, std::vector<std::complex<double>> const& whole,
                    double factor) const {
    double worst = 0;
    for (Index i = 0; i < points(); ++i) {
      std::complex<double> const expected = whole[number(i)] * factor;
      double const re = array[place(i)] - expected.real();
      double const im = is_real_ ? 0 : array[place(i) + 1] - expected.imag();
      double const error = std::max(std::abs(re), std::abs(im));
      if (!(std::abs(re) + std::abs(im) <= std::numeric_limits<double>::max())) return HUGE_VAL;
      worst = std::max(worst, error);
    }
    return worst;
  }

  /// Whether two arrays hold the same, bit for bit; padding does not count.
  template <class Real>
  bool same(Real const* a, Real const* b) const {
    for (Index i = 0; i < points(); ++i)
      for (Index part = 0; part < unit(); ++part)
        if (std::memcmp(a + place(i) + part, b + place(i) + part, sizeof(Real)) != 0) return false;
    return true;
  }

 private:
  std::size_t number(Index i) const { return numbers_[static_cast<std::size_t>(i)]; }
  /// Where the i-th element begins, in reals.
  Index place(Index i) const {
    return row_ == 0 ? i * unit() : i / row_ * (2 * (row_ / 2 + 1)) + i % row_;
  }

  std::vector<std::size_t> numbers_;  // of the elements in the whole array, in memory order
  bool is_real_;
  Index row_ = 0;  // of padded rows, their points
};

}  // namespace soak
