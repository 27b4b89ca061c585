// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of n = 2 m reals, by codelets of m complex points.
//
// The reals are the points x[2j] + i x[2j+1], whose transform is Z. With u_k = -i w_n^k:
//   E = Z[k] + conj Z[m-k], P = u_k (Z[k] - conj Z[m-k]), 2 X[k] = E + P, 2 X[m-k] = conj(E - P),
// and with X and conj u_k instead of Z and u_k the same gives 2 Z. Compiled once for each
// instruction set.
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/codelets-inl.hpp"
#include "local/kernels/codelets.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_HALF_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_HALF_CODELETS_INL
#undef SIXSTEP_LOCAL_HALF_CODELETS_INL
#else
#define SIXSTEP_LOCAL_HALF_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// S numbers in reverse order.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> reversed_numbers(Interleaved<Real, S> x) {
  NumbersTag<Real, S> const d;
  if constexpr (S == 1) {
    return x;
  } else if constexpr (sizeof(Real) == 4) {
    hn::RepartitionToWide<NumbersTag<Real, S>> const wide;
    return {hn::BitCast(d, hn::Reverse(wide, hn::BitCast(wide, x.parts)))};
  } else {
    return {hn::Reverse2(d, hn::Reverse(d, x.parts))};
  }
}

/// Turns the numbers 1 to m - 1 of a column into others, in pairs k and m - k.
template <class Real, int S>
class Halves {
 public:
  /// `scale` is that of the results.
  Halves(Index m, bool backward, Real scale) : m_(m), scale_(scale) {
    Roots const roots(2 * m);
    for (Index k = 1; 2 * k <= m; k += S)
      for (int i = 0; i < S; ++i) {
        auto const root = roots.template at<Real>(first(k) + i);
        std::complex<Real> const u(root.imag(), backward ? root.real() : -root.real());
        if (i == 0) factors_.emplace_back();
        factors_.back().set(i, scale * u);
      }
  }

  HWY_INLINE void run(Real const* from, Real* to) const {
    NumbersTag<Real, S> const d;
    auto const conjugate = for_parts<Real, S>(1, -1);
    auto const scale = hn::Set(d, scale_);
    NumberFactors<Real, S> const* factors = factors_.data();
    for (Index k = 1; 2 * k <= m_; k += S) {
      Index const lower = 2 * first(k), upper = 2 * (m_ - first(k) - (S - 1));
      auto const z = load_some_numbers<S>(from + lower);
      auto const w = reversed_numbers(load_some_numbers<S>(from + upper));
      auto const even = hn::Mul(hn::MulAdd(conjugate, w.parts, z.parts), scale);
      Interleaved<Real, S> const odd{hn::NegMulAdd(conjugate, w.parts, z.parts)};
      auto const turned = times(odd, *factors++).parts;
      store_numbers<Real, S>({hn::Add(even, turned)}, to + lower);
      Interleaved<Real, S> const mirrored{hn::Mul(conjugate, hn::Sub(even, turned))};
      store_numbers(reversed_numbers(mirrored), to + upper);
    }
  }

 private:
  /// The first of the numbers from k on: the last vector may overlap the one before it.
  Index first(Index k) const { return k + S <= m_ ? k : m_ - S; }

  Index m_;
  Real scale_;
  std::vector<NumberFactors<Real, S>> factors_;
};

/// The same for a pair of numbers in registers. The results of a forward transform are X.
template <int k, int m, bool backward, class Real>
HWY_INLINE void turn_pair(Interleaved<Real, 1>& a, Interleaved<Real, 1>& b) {
  constexpr int n = 2 * m;
  auto const conjugate = for_parts<Real, 1>(1, -1);
  Interleaved<Real, 1> const even{hn::MulAdd(conjugate, b.parts, a.parts)};
  Interleaved<Real, 1> const odd{hn::NegMulAdd(conjugate, b.parts, a.parts)};
  auto const turned = times_root < backward ? 3 * n - 4 * k : 4 * k + n, 4 * n > (odd);
  Real const scale = backward ? Real{1} : Real{1} / 2;
  a = scaled(even + turned, scale);
  b = {hn::Mul((even - turned).parts, for_parts<Real, 1>(scale, -scale))};
}

template <int m, bool backward, class Real>
HWY_INLINE void turn_pairs(Interleaved<Real, 1>* x) {
  for_indices<(m + 1) / 2 - 1>(
      [&](auto i) HWY_ATTR { turn_pair<i() + 1, m, backward>(x[i() + 1], x[m - 1 - i()]); });
  if constexpr (m % 2 == 0) {
    Real const scale = backward ? 2 : 1;
    x[m / 2].parts = hn::Mul(x[m / 2].parts, for_parts<Real, 1>(scale, -scale));
  }
}

/// Few points, which stay in registers.
template <class Real, int m>
class ForwardFew final : public Codelet<Real, std::complex<Real>> {
 public:
  void run(Real const* in, std::complex<Real>* out) const override {
    auto* const to = reinterpret_cast<Real*>(out);
    Interleaved<Real, 1> x[m];
    HWY_UNROLL(16)
    for (int a = 0; a < m; ++a) x[a] = load_some_numbers<1>(in + 2 * a);
    butterfly<m, Eighths::last>(x);
    NumbersTag<Real, 1> const d;
    auto const real = hn::FirstN(d, 1);
    auto const other = swapped(x[0]);
    Interleaved<Real, 1> const last{hn::IfThenElseZero(real, hn::Sub(x[0].parts, other))};
    x[0].parts = hn::IfThenElseZero(real, hn::Add(x[0].parts, other));
    turn_pairs<m, false>(x);
    HWY_UNROLL(16)
    for (int k = 0; k < m; ++k) store_numbers(x[k], to + 2 * k);
    store_numbers(last, to + 2 * m);
  }
};

template <class Real, int m>
class BackwardFew final : public Codelet<std::complex<Real>, Real> {
 public:
  void run(std::complex<Real> const* in, Real* out) const override {
    auto const* const from = reinterpret_cast<Real const*>(in);
    Interleaved<Real, 1> x[m];
    HWY_UNROLL(16)
    for (int k = 0; k < m; ++k) x[k] = load_some_numbers<1>(from + 2 * k);
    auto const last = load_some_numbers<1>(from + 2 * m);
    x[0].parts =
        hn::MulAdd(hn::DupEven(last.parts), for_parts<Real, 1>(1, -1), hn::DupEven(x[0].parts));
    turn_pairs<m, true>(x);
    Interleaved<Real, 1> y[m];
    HWY_UNROLL(16)
    for (int k = 0; k < m; ++k) y[(m - k) % m] = x[k];
    butterfly<m, Eighths::last>(y);
    HWY_UNROLL(16)
    for (int a = 0; a < m; ++a) store_numbers(y[a], out + 2 * a);
  }
};

template <class Real, int S>
class ForwardHalves final : public Codelet<Real, std::complex<Real>> {
  using Complex = std::complex<Real>;

 public:
  ForwardHalves(Index m, std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : m_(m), complex_(std::move(complex)), halves_(m, false, Real{1} / 2) {}

  void run(Real const* in, Complex* out) const override {
    HWY_ALIGN Real buffer[2 * most_codelet_points];
    complex_->run(reinterpret_cast<Complex const*>(in), reinterpret_cast<Complex*>(buffer));
    out[0] = buffer[0] + buffer[1];
    out[m_] = buffer[0] - buffer[1];
    halves_.run(buffer, reinterpret_cast<Real*>(out));
  }

 private:
  Index m_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
  Halves<Real, S> halves_;
};

/// It ignores the imaginary parts of the first coefficient and of the last.
template <class Real, int S>
class BackwardHalves final : public Codelet<std::complex<Real>, Real> {
  using Complex = std::complex<Real>;

 public:
  BackwardHalves(Index m, std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : m_(m), complex_(std::move(complex)), halves_(m, true, 1) {}

  void run(Complex const* in, Real* out) const override {
    HWY_ALIGN Real buffer[2 * most_codelet_points];
    buffer[0] = in[0].real() + in[m_].real();
    buffer[1] = in[0].real() - in[m_].real();
    halves_.run(reinterpret_cast<Real const*>(in), buffer);
    complex_->run(reinterpret_cast<Complex const*>(buffer), reinterpret_cast<Complex*>(out));
  }

 private:
  Index m_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
  Halves<Real, S> halves_;
};

/// Few<Real, m> or Half<Real, S> for n = 2 m reals; null if there is no codelet for m.
template <class Base, template <class, int> class Few, template <class, int> class Half, class Real>
std::unique_ptr<Base const> make_half_codelet(Index n, bool backward) {
  constexpr int most_few = 16;
  if (n % 2 != 0) return nullptr;
  Index const m = n / 2;
  std::unique_ptr<Base const> codelet;
  if constexpr (has_all_kernels)
    for_indices<most_few>([&](auto i) {
      if (m == i() + 1) codelet = std::make_unique<Few<Real, i() + 1>>();
    });
  if (codelet != nullptr) return codelet;
  auto complex = make_complex_codelet<Real>(m, backward);
  if (complex == nullptr) return nullptr;
  return std::make_unique<Half<Real, numbers<Real>>>(m, std::move(complex));
}

template <class Real>
std::unique_ptr<Codelet<Real, std::complex<Real>> const> make_r2c_codelet(Index n, bool) {
  return make_half_codelet<Codelet<Real, std::complex<Real>>, ForwardFew, ForwardHalves, Real>(
      n, false);
}
template <class Real>
std::unique_ptr<Codelet<std::complex<Real>, Real> const> make_c2r_codelet(Index n, bool) {
  return make_half_codelet<Codelet<std::complex<Real>, Real>, BackwardFew, BackwardHalves, Real>(
      n, true);
}

#else

template <class Real>
std::unique_ptr<Codelet<Real, std::complex<Real>> const> make_r2c_codelet(Index, bool) {
  return nullptr;
}
template <class Real>
std::unique_ptr<Codelet<std::complex<Real>, Real> const> make_c2r_codelet(Index, bool) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
