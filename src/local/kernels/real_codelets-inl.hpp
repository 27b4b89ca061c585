// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of n reals, by codelets of complex points.
//
// An even number n = 2 m of reals is the points x[2j] + i x[2j+1], whose transform is Z. With u_k =
// -i w_n^k:
//   E = Z[k] + conj Z[m-k], P = u_k (Z[k] - conj Z[m-k]), 2 X[k] = E + P, 2 X[m-k] = conj(E - P),
// and with X and conj u_k instead of Z and u_k the same gives 2 Z. Where there is no codelet of m
// points, reals are n points without imaginary parts. Compiled once for each instruction set.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/kernels/composed_codelets-inl.hpp"
#include "local/kernels/few_reals-inl.hpp"
#include "local/kernels/folded_codelets-inl.hpp"
#include "local/kernels/odd_products-inl.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_REAL_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_CODELETS_INL
#undef SIXSTEP_LOCAL_REAL_CODELETS_INL
#else
#define SIXSTEP_LOCAL_REAL_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// Turns the numbers 1 to m - 1 of a column into others, in pairs k and m - k. The arrays may be
/// the same.
template <class Real, int S>
class Halves {
 public:
  /// `scale` is that of the results.
  Halves(Index m, bool backward, Real scale) : m_(m), scale_(scale) {
    Roots const roots(2 * m);
    auto const add = [&]<int N>(std::vector<NumberFactors<Real, N>>& factors, Index k) {
      factors.emplace_back();
      for (int i = 0; i < N; ++i) {
        auto const root = roots.template at<Real>(k + i);
        factors.back().set(
            i, scale * std::complex<Real>(root.imag(), backward ? root.real() : -root.real()));
      }
    };
    Index k = 1;
    for (; k + S - 1 <= m - k; k += S) add(factors_, k);
    for (; k <= m - k; ++k) add(rest_, k);
  }

  HWY_INLINE void run(Real const* from, Real* to) const {
    Index k = 1;
    for (auto const& factors : factors_) {
      turn(from, to, k, factors);
      k += S;
    }
    for (auto const& factors : rest_) turn(from, to, k++, factors);
  }

 private:
  /// The pairs k to k + N - 1.
  template <int N>
  HWY_INLINE void turn(Real const* from, Real* to, Index k,
                       NumberFactors<Real, N> const& factors) const {
    NumbersTag<Real, N> const d;
    auto const conjugate = for_parts<Real, N>(1, -1);
    Index const lower = 2 * k, upper = 2 * (m_ - k - (N - 1));
    auto const z = load_some_numbers<N>(from + lower);
    auto const w = reversed_numbers(load_some_numbers<N>(from + upper));
    auto const even = hn::Mul(mul_add(conjugate, w.parts, z.parts), hn::Set(d, scale_));
    Interleaved<Real, N> const odd{negated_mul_add(conjugate, w.parts, z.parts)};
    auto const turned = times(odd, factors).parts;
    store_numbers<Real, N>({hn::Add(even, turned)}, to + lower);
    Interleaved<Real, N> const mirrored{hn::Mul(conjugate, hn::Sub(even, turned))};
    store_numbers(reversed_numbers(mirrored), to + upper);
  }

  Index m_;
  Real scale_;
  std::vector<NumberFactors<Real, S>> factors_;
  std::vector<NumberFactors<Real, 1>> rest_;  // of pairs that fill no vector
};

/// The most pairs of reals that stay in registers.
inline constexpr int most_few_pairs = 16;

template <class Real, int m>
class ForwardFew final : public ShortCodelet<ForwardFew<Real, m>, Real, std::complex<Real>> {
 public:
  void run(Real const* in, std::complex<Real>* out) const override {
    Interleaved<Real, 1> x[m], coefficients[m + 1];
    for_indices<m>([&](auto a) HWY_ATTR { x[a()] = load_some_numbers<1>(in + 2 * a()); });
    forward_few<2 * m>(x, coefficients);
    auto* const to = reinterpret_cast<Real*>(out);
    for_indices<m + 1>([&](auto k) HWY_ATTR { store_numbers(coefficients[k()], to + 2 * k()); });
  }
};

template <class Real, int m>
class BackwardFew final : public ShortCodelet<BackwardFew<Real, m>, std::complex<Real>, Real> {
 public:
  void run(std::complex<Real> const* in, Real* out) const override {
    auto const* const from = reinterpret_cast<Real const*>(in);
    Interleaved<Real, 1> coefficients[m + 1], x[m];
    for_indices<m + 1>([&](auto k)
                           HWY_ATTR { coefficients[k()] = load_some_numbers<1>(from + 2 * k()); });
    backward_few<2 * m>(coefficients, x);
    for_indices<m>([&](auto a) HWY_ATTR { store_numbers(x[a()], out + 2 * a()); });
  }
};

/// A few reals, an odd number n of them, as complex numbers that stay in registers.
template <class Real, int n>
class ForwardOdd final : public ShortCodelet<ForwardOdd<Real, n>, Real, std::complex<Real>> {
 public:
  void run(Real const* in, std::complex<Real>* out) const override {
    NumbersTag<Real, 1> const d;
    Interleaved<Real, 1> x[n];
    HWY_UNROLL(16)
    for (int a = 0; a < n; ++a)
      x[a].parts = hn::ZeroExtendVector(d, hn::LoadU(hn::Half<decltype(d)>(), in + a));
    butterfly<n>(x);
    HWY_UNROLL(16)
    for (int k = 0; 2 * k < n; ++k) store_numbers(x[k], reinterpret_cast<Real*>(out + k));
  }
};

template <class Real, int n>
class BackwardOdd final : public ShortCodelet<BackwardOdd<Real, n>, std::complex<Real>, Real> {
 public:
  void run(std::complex<Real> const* in, Real* out) const override {
    NumbersTag<Real, 1> const d;
    Interleaved<Real, 1> x[n];
    x[0].parts = hn::ZeroExtendVector(
        d, hn::LoadU(hn::Half<decltype(d)>(), reinterpret_cast<Real const*>(in)));
    HWY_UNROLL(16)
    for (int k = 1; 2 * k < n; ++k) {
      x[n - k] = load_some_numbers<1>(reinterpret_cast<Real const*>(in + k));
      x[k].parts = hn::Mul(x[n - k].parts, for_parts<Real, 1>(1, -1));
    }
    butterfly<n>(x);
    HWY_UNROLL(16)
    for (int a = 0; a < n; ++a)
      hn::StoreU(hn::LowerHalf(hn::Half<decltype(d)>(), x[a].parts), hn::Half<decltype(d)>(),
                 out + a);
  }
};

template <class Real, int S>
class ForwardHalves final : public Codelet<Real, std::complex<Real>> {
  using Complex = std::complex<Real>;

 public:
  ForwardHalves(Index m, std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : m_(m), complex_(std::move(complex)), halves_(m, false, Real{1} / 2) {}

  void run(Real const* in, Complex* out) const override {
    complex_->run(reinterpret_cast<Complex const*>(in), out);
    Complex const first = out[0];
    out[0] = first.real() + first.imag();
    out[m_] = first.real() - first.imag();
    auto* const numbers = reinterpret_cast<Real*>(out);
    halves_.run(numbers, numbers);
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
    Real const first = in[0].real(), last = in[m_].real();
    halves_.run(reinterpret_cast<Real const*>(in), out);
    out[0] = first + last;
    out[1] = first - last;
    auto* const numbers = reinterpret_cast<Complex*>(out);
    complex_->run(numbers, numbers);
  }

 private:
  Index m_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
  Halves<Real, S> halves_;
};

/// Uses the complex codelet of n points, where there is none of n/2.
template <class Real>
class ForwardWhole final : public Codelet<Real, std::complex<Real>> {
  using Complex = std::complex<Real>;

 public:
  ForwardWhole(Index n, std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : n_(n), complex_(std::move(complex)) {}

  void run(Real const* in, Complex* out) const override {
    HWY_ALIGN Real parts[2 * most_codelet_points];
    for (Index j = 0; j < n_; ++j) {
      parts[2 * j] = in[j];
      parts[2 * j + 1] = 0;
    }
    auto* const numbers = reinterpret_cast<Complex*>(parts);
    complex_->run(numbers, numbers);
    std::copy_n(numbers, n_ / 2 + 1, out);
  }

 private:
  Index n_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
};

/// It ignores the imaginary parts of coefficients that are real.
template <class Real>
class BackwardWhole final : public Codelet<std::complex<Real>, Real> {
  using Complex = std::complex<Real>;

 public:
  BackwardWhole(Index n, std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : n_(n), complex_(std::move(complex)) {}

  void run(Complex const* in, Real* out) const override {
    HWY_ALIGN Real parts[2 * most_codelet_points];
    auto* const numbers = reinterpret_cast<Complex*>(parts);
    numbers[0] = in[0].real();
    for (Index k = 1; 2 * k < n_; ++k) {
      numbers[k] = in[k];
      numbers[n_ - k] = std::conj(in[k]);
    }
    if (n_ % 2 == 0) numbers[n_ / 2] = in[n_ / 2].real();
    complex_->run(numbers, numbers);
    for (Index j = 0; j < n_; ++j) out[j] = parts[2 * j];
  }

 private:
  Index n_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
};

/// The codelets of reals in one direction.
template <class Real>
struct Forward {
  static constexpr bool is_backward = false;
  using Base = Codelet<Real, std::complex<Real>>;
  template <int m>
  using Few = ForwardFew<Real, m>;
  template <int n>
  using Odd = ForwardOdd<Real, n>;
  static std::unique_ptr<Base const> folded(Index n) {
    return make_folded<Base, ForwardFolded, Real, 16>(n, n / 2 + 1);
  }
  template <class Order>
  using Product = OddProduct<Real, Real, typename Order::Number>;
  template <int A, class Order>
  using ProductOf = OddForward<Real, A, Order>;
  template <class Order>
  using Ordered = Codelet<Real, typename Order::Number>;
  template <class Order>
  using OddCodeletOf = OddCodelet<Real, Real, typename Order::Number, Base>;
  using Half = ForwardHalves<Real, numbers<Real>>;
  using Whole = ForwardWhole<Real>;
};
template <class Real>
struct Backward {
  static constexpr bool is_backward = true;
  using Base = Codelet<std::complex<Real>, Real>;
  template <int m>
  using Few = BackwardFew<Real, m>;
  template <int n>
  using Odd = BackwardOdd<Real, n>;
  static std::unique_ptr<Base const> folded(Index n) {
    return make_folded<Base, BackwardFolded, Real, 16>(n, n / 2);
  }
  template <class Order>
  using Product = OddProduct<Real, typename Order::Number, Real>;
  template <int A, class Order>
  using ProductOf = OddBackward<Real, A, Order>;
  template <class Order>
  using Ordered = Codelet<typename Order::Number, Real>;
  template <class Order>
  using OddCodeletOf = OddCodelet<Real, typename Order::Number, Real, Base>;
  using Half = BackwardHalves<Real, numbers<Real>>;
  using Whole = BackwardWhole<Real>;
};

template <class Real, template <class> class Direction>
std::unique_ptr<typename Direction<Real>::Base const> make_codelet_of_reals(Index n);

/// For coefficients in an order; null if n is not odd or none of odd_radices divides it.
template <class Real, template <class> class Direction, class Order>
std::unique_ptr<typename Direction<Real>::template Product<Order> const> make_odd_product(Index n) {
  using Of = Direction<Real>;
  std::unique_ptr<typename Of::template Product<Order> const> product;
  Index const radix = radix_of_odd_product<Real>(n);
  for_indices<odd_radices.size()>([&](auto i) {
    constexpr int A = odd_radices[i];
    if (radix == A) product = std::make_unique<typename Of::template ProductOf<A, Order>>(n / A);
  });
  return product;
}

/// The codelet of an odd number of reals by a product; null if there is none.
template <class Real, template <class> class Direction, class Order>
std::unique_ptr<typename Direction<Real>::template Ordered<Order> const> make_odd_codelet(Index n) {
  using Of = Direction<Real>;
  if (n > most_codelet_points) return nullptr;
  auto product = make_odd_product<Real, Direction, Order>(n);
  if (product == nullptr) return nullptr;
  auto reals = make_codelet_of_reals<Real, Direction>(product->row_points());
  auto complex = make_any_codelet<Real>(product->row_points(), Of::is_backward);
  if (reals == nullptr || complex == nullptr) return nullptr;
  return std::make_unique<typename Of::template OddCodeletOf<Order>>(
      std::move(product), std::move(reals), std::move(complex));
}

/// The codelet of n reals; null if there is none.
template <class Real, template <class> class Direction>
std::unique_ptr<typename Direction<Real>::Base const> make_codelet_of_reals(Index n) {
  using Of = Direction<Real>;
  std::unique_ptr<typename Of::Base const> codelet;
  if constexpr (has_all_kernels) {
    for_indices<most_few_pairs>([&](auto i) {
      if (n == 2 * (i() + 1)) codelet = std::make_unique<typename Of::template Few<i() + 1>>();
      constexpr int odd = 2 * i() + 3;
      if constexpr (odd < least_folded)
        if (n == odd) codelet = std::make_unique<typename Of::template Odd<odd>>();
    });
    constexpr Index most_with_factors = 31;
    if (codelet == nullptr && (n <= most_with_factors || is_prime(n))) codelet = Of::folded(n);
    if (codelet == nullptr) codelet = make_odd_codelet<Real, Direction, ComplexOrder<Real>>(n);
    if (codelet == nullptr && n % 2 == 0)
      if (auto half = make_any_codelet<Real>(n / 2, Of::is_backward))
        codelet = std::make_unique<typename Of::Half>(n / 2, std::move(half));
    if (codelet == nullptr)
      if (auto whole = make_any_codelet<Real>(n, Of::is_backward))
        codelet = std::make_unique<typename Of::Whole>(n, std::move(whole));
  }
  return codelet;
}

template <class Real>
std::unique_ptr<Codelet<Real, std::complex<Real>> const> make_r2c_codelet(Index n, bool) {
  return make_codelet_of_reals<Real, Forward>(n);
}
template <class Real>
std::unique_ptr<Codelet<std::complex<Real>, Real> const> make_c2r_codelet(Index n, bool) {
  return make_codelet_of_reals<Real, Backward>(n);
}

template <class Real>
std::unique_ptr<OddR2c<Real> const> make_odd_r2c(Index n) {
  if constexpr (has_all_kernels) return make_odd_product<Real, Forward, ComplexOrder<Real>>(n);
  return nullptr;
}
template <class Real>
std::unique_ptr<OddC2r<Real> const> make_odd_c2r(Index n) {
  if constexpr (has_all_kernels) return make_odd_product<Real, Backward, ComplexOrder<Real>>(n);
  return nullptr;
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
template <class Real>
std::unique_ptr<OddR2c<Real> const> make_odd_r2c(Index) {
  return nullptr;
}
template <class Real>
std::unique_ptr<OddC2r<Real> const> make_odd_c2r(Index) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
