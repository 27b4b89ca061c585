// SPDX-License-Identifier: BSD-3-Clause
// Roots of unity, w_n^k = exp(-2 pi i k / n), correctly rounded, in O(sqrt n) memory for any k.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// An unevaluated sum hi + lo with |lo| <= ulp(hi)/2: a double of about 106 bits.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

/// A complex number with parts of about 106 bits.
struct WideComplex {
  DoubleDouble re;
  DoubleDouble im;
};

struct WidePair;

/// exp(-2 pi i k / n) to about 100 bits, for any k. The angle is first reduced to an octant in
/// integers, so without error.
WideComplex wide_root(Index k, Index n);

/// exp(-2 pi i k / n), rounded to nearest.
template <class Real>
std::complex<Real> root(Index k, Index n);

/// exp(-2 pi i k / n) by the sine and cosine of the C library, with an error of a bit or two of
/// each part, and in a tenth of the time of root(). Roots on an axis are exact.
std::complex<double> near_root(Index k, Index n);

/// All roots of one order n, from two tables of m = about sqrt(n) entries:
/// w^k = coarse[k / m] fine[k mod m].
///
/// A rounded root costs a few nanoseconds, a root to 100 bits ten times as much: the former is a
/// product to 75 bits, which is computed again to 100 bits where 75 do not tell how to round.
class Roots {
 public:
  explicit Roots(Index n);

  Index n() const { return n_; }
  /// w_n^k for any k >= 0 (reduced mod n), to about 100 bits.
  WideComplex wide(Index k) const;
  /// w_n^k for any k >= 0, to about 75 bits; see pairs.hpp.
  WidePair pair(Index k) const;
  /// w_n^k rounded to nearest.
  template <class Real>
  std::complex<Real> at(Index k) const;

 private:
  struct Tables;
  static std::shared_ptr<Tables const> tables_of(Index n);

  Index n_;
  std::shared_ptr<Tables const> tables_;
};

/// The roots w^k of order n for 0 <= k < n.
template <class Real>
std::vector<std::complex<Real>> all_roots(Index n) {
  Roots const roots(n);
  std::vector<std::complex<Real>> all;
  all.reserve(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) all.push_back(roots.template at<Real>(k));
  return all;
}

}  // namespace sixstep::local
