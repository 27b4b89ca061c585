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
  /// Of all fields of a job. Padded rows take `row` reals; 0: there are none.
  Side(Layout const& layout, int rank, Options const& options, bool is_real, Index row = 0);

  /// Of an array of one process with these strides, which has gaps.
  Side(Shape const& shape, Shape const& strides, bool is_real);

  bool is_real() const { return is_real_; }
  Index unit() const { return is_real_ ? 1 : 2; }
  Index points() const { return static_cast<Index>(numbers_.size()); }
  /// Reals that the array takes, padding, ghosts and all.
  Index reals() const { return size_ * unit(); }
  bool has_ghosts() const { return has_ghosts_; }
  bool lies_as(Side const& other) const {
    return places_ == other.places_ && is_real_ == other.is_real_ && size_ == other.size_;
  }

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

  /// Whether all bits of what is not of the box are set, as in memory that was unset().
  template <class Real>
  bool ghosts_are_unset(Real const* array) const {
    std::vector<bool> is_ghost(static_cast<std::size_t>(size_), true);
    for (Index place : places_) is_ghost[static_cast<std::size_t>(place)] = false;
    auto const* const bytes = reinterpret_cast<unsigned char const*>(array);
    std::size_t const bytes_each = static_cast<std::size_t>(unit()) * sizeof(Real);
    for (std::size_t i = 0; i < is_ghost.size(); ++i)
      for (std::size_t byte = 0; is_ghost[i] && byte < bytes_each; ++byte)
        if (bytes[i * bytes_each + byte] != 0xff) return false;
    return true;
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
  Index place(Index i) const { return places_[static_cast<std::size_t>(i)] * unit(); }

  std::vector<std::size_t> numbers_;  // of the elements in the whole array, in memory order
  std::vector<Index> places_;         // of the elements in the rank's array
  Index size_ = 0;                    // of that
  bool is_real_;
  bool has_ghosts_;
};

}  // namespace soak
