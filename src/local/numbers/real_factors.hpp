// SPDX-License-Identifier: BSD-3-Clause
// The factors between a real transform and the complex one of half its length that computes it.
//
// Tables in the order in which loops read them, one entry after another. Knows nothing about
// vectors but that they may read some entries past the last one that is needed.
#pragma once

#include <complex>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::local {

/// u_k = -i w_2m^k, k = 1 ... m/2 and some more, as vectors of complex numbers take them.
template <class Real>
class HalfFactors {
 public:
  explicit HalfFactors(Index m);

  Index m() const { return m_; }
  std::complex<Real> operator[](Index k) const { return {cosines(k)[0], sines(k)[1]}; }
  /// Re u_k, Re u_k, Re u_(k+1) ...
  Real const* cosines(Index k) const { return cosines_.data()->parts + 2 * (k - 1); }
  /// -Im u_k, Im u_k, -Im u_(k+1) ...
  Real const* sines(Index k) const { return sines_.data()->parts + 2 * (k - 1); }

 private:
  struct alignas(64) Line {
    Real parts[64 / sizeof(Real)];
  };

  Index m_;
  std::vector<Line> cosines_;
  std::vector<Line> sines_;
};

/// Factors of cosine transforms of n = 2 m points, for k = 1 ... m/2 and some more. Real and
/// imaginary parts are apart.
template <class Real>
struct CosineFactors {
  struct Parts {
    std::vector<Real> re;
    std::vector<Real> im;
  };
  Index m;
  Parts halves;  // -i w_2m^k
  Parts lower;   // w_4n^k
  Parts upper;   // w_4n^(m-k)

  explicit CosineFactors(Index m);
};

extern template class HalfFactors<float>;
extern template class HalfFactors<double>;
extern template struct CosineFactors<float>;
extern template struct CosineFactors<double>;

}  // namespace sixstep::local
