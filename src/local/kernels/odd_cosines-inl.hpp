// SPDX-License-Identifier: BSD-3-Clause
// Cosine transforms of an odd number n of contiguous points from the transform V of as many reals:
// y[k] is 2 Re t and y[n-k] is -2 Im t, t = w_4n^k V[k]. Compiled once for each instruction set.
#include <algorithm>
#include <complex>

#include "local/kernels/real_halves-inl.hpp"

#if defined(SIXSTEP_LOCAL_ODD_COSINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ODD_COSINES_INL
#undef SIXSTEP_LOCAL_ODD_COSINES_INL
#else
#define SIXSTEP_LOCAL_ODD_COSINES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real, bool mirrored>
HWY_INLINE void split_odd_cosines_of(std::complex<Real> const* V,
                                     typename CosineFactors<Real>::Parts const& factors, Index n,
                                     Real* y) {
  auto const place = [n](Index k) { return mirrored ? n - 1 - k : k; };
  Index const half = n / 2;
  y[place(0)] = 2 * V[0].real();
  if constexpr (1 < lanes<Real>) {
    constexpr Index L = lanes<Real>;
    Tag<Real> const d;
    auto const* const parts = reinterpret_cast<Real const*>(V);
    if (half >= L) {
      for (Index next = 1; next <= half; next += L) {
        Index const k = std::min(next, half - L + 1);
        Complex<Real> const t = factors_at<Real>(factors, k) * get_complex<Real>(parts + 2 * k);
        put<Real, mirrored>(hn::Mul(t.re, hn::Set(d, 2)), y, n, k);
        put<Real, !mirrored>(hn::Mul(t.im, hn::Set(d, -2)), y, n, k - 1);
      }
      return;
    }
  }
  for (Index k = 1; k <= half; ++k) {
    std::complex<Real> const t = product(factor_at<Real>(factors, k), V[k]);
    y[place(k)] = 2 * t.real();
    y[place(n - k)] = -2 * t.imag();
  }
}

template <class Real>
void split_odd_cosines(std::complex<Real> const* V,
                       typename CosineFactors<Real>::Parts const& factors, Index n, bool mirrored,
                       Real* y) {
  if (mirrored)
    split_odd_cosines_of<Real, true>(V, factors, n, y);
  else
    split_odd_cosines_of<Real, false>(V, factors, n, y);
}

/// The transpose: conj V[k] = w_4n^k (x[k] + i x[n-k]).
template <class Real, bool mirrored>
HWY_INLINE void join_odd_cosines_of(Real const* x,
                                    typename CosineFactors<Real>::Parts const& factors, Index n,
                                    std::complex<Real>* V) {
  auto const at = [x, n](Index k) { return x[mirrored ? n - 1 - k : k]; };
  Index const half = n / 2;
  V[0] = at(0);
  if constexpr (1 < lanes<Real>) {
    constexpr Index L = lanes<Real>;
    auto* const parts = reinterpret_cast<Real*>(V);
    if (half >= L) {
      for (Index next = 1; next <= half; next += L) {
        Index const k = std::min(next, half - L + 1);
        Complex<Real> const both{get<Real, mirrored>(x, n, k), get<Real, !mirrored>(x, n, k - 1)};
        put_complex<Real>(conjugate(factors_at<Real>(factors, k) * both), parts + 2 * k);
      }
      return;
    }
  }
  for (Index k = 1; k <= half; ++k)
    V[k] = std::conj(product(factor_at<Real>(factors, k), {at(k), at(n - k)}));
}

template <class Real>
void join_odd_cosines(Real const* x, typename CosineFactors<Real>::Parts const& factors, Index n,
                      bool mirrored, std::complex<Real>* V) {
  if (mirrored)
    join_odd_cosines_of<Real, true>(x, factors, n, V);
  else
    join_odd_cosines_of<Real, false>(x, factors, n, V);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
