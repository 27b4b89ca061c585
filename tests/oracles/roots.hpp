// SPDX-License-Identifier: BSD-3-Clause
// Roots of unity in long double, and single coefficients of transforms.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "sixstep/index.hpp"

namespace oracle {

using sixstep::Index;
using Exact = std::complex<long double>;
constexpr long double turn = 6.283185307179586476925286766559005768L;

/// exp(-2 pi i k / n), k reduced and the angle below an eighth of a turn.
inline Exact exact_root(__int128 k, Index n) {
  Index const rest = static_cast<Index>(k % n);
  Index const quarter =
      static_cast<Index>((static_cast<__int128>(rest) * 8 + n) / (2 * static_cast<__int128>(n)));
  // rest / n = quarter / 4 + (4 rest - quarter n) / (4 n)
  long double const angle = turn *
                            static_cast<long double>(static_cast<__int128>(rest) * 4 -
                                                     static_cast<__int128>(quarter) * n) /
                            (4 * static_cast<long double>(n));
  long double const c = std::cos(angle);
  long double const s = std::sin(angle);
  switch (quarter % 4) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

/// exp(sign 2 pi i k / n) for k = 0 ... n - 1.
inline std::vector<Exact> roots_of_unity(Index n, int sign) {
  std::vector<Exact> roots;
  for (Index k = 0; k < n; ++k) {
    Exact const root = exact_root(k, n);
    roots.push_back(sign < 0 ? root : std::conj(root));
  }
  return roots;
}

/// The n-th roots of unity from two tables of about sqrt(n): exact_root(k, n) costs a sine and a
/// cosine, a product of two table entries costs much less and loses a bit.
class ExactRoots {
 public:
  explicit ExactRoots(Index n) {
    while (side_ * side_ < n) side_ *= 2;
    for (Index k = 0; k < n; k += side_) coarse_.push_back(exact_root(k, n));
    for (Index k = 0; k < side_; ++k) fine_.push_back(exact_root(k, n));
  }

  /// exp(-2 pi i k / n), 0 <= k < n.
  Exact operator[](Index k) const {
    Exact const& a = coarse_[static_cast<std::size_t>(k / side_)];
    Exact const& b = fine_[static_cast<std::size_t>(k % side_)];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  Index side_ = 1;
  std::vector<Exact> coarse_, fine_;
};

/// sum_j x[j] exp(-2 pi i j k / n), conjugate roots backward: one coefficient by the definition.
/// `roots` are of order n.
inline Exact coefficient(std::vector<Exact> const& x, ExactRoots const& roots, Index k,
                         bool backward) {
  Index const n = static_cast<Index>(x.size());
  Index power = 0;
  Exact sum = 0;
  for (Exact const& value : x) {
    Exact const w = roots[power];
    sum += value * (backward ? std::conj(w) : w);
    power += k;
    if (power >= n) power -= n;
  }
  return sum;
}

}  // namespace oracle
