// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of n reals whose n coefficients are reals, too.
//
// Half-complex order is h[k] = Re X[k], h[n-k] = Im X[k]. Hartley's is H[k] = Re X[k] - Im X[k],
// H[n-k] = Re X[k] + Im X[k]. Up to 32 reals, an even number, stay in registers, and so do an odd
// number up to 31 or a prime up to 61. Others go through a buffer of complex numbers. Compiled once
// for each instruction set.
#include <array>
#include <complex>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/kernels/real_codelets-inl.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_HALF_COMPLEX_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_HALF_COMPLEX_CODELETS_INL
#undef SIXSTEP_LOCAL_HALF_COMPLEX_CODELETS_INL
#else
#define SIXSTEP_LOCAL_HALF_COMPLEX_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// What h or H has at k and at n - k, from vectors of Re X[k] and Im X[k].
template <RealOrder order, class V>
HWY_INLINE V at_k(V re, V im) {
  return order == RealOrder::hartley ? hn::Sub(re, im) : re;
}
template <RealOrder order, class V>
HWY_INLINE V at_n_minus_k(V re, V im) {
  return order == RealOrder::hartley ? hn::Add(re, im) : im;
}

template <class Real, int m, RealOrder order>
class FewToReals final : public Codelet<Real, Real> {
 public:
  void run(Real const* in, Real* out) const override {
    NumbersTag<Real, 1> const d;
    Interleaved<Real, 1> x[m], X[m + 1];
    for_indices<m>([&](auto a) HWY_ATTR { x[a()] = load_some_numbers<1>(in + 2 * a()); });
    forward_few<2 * m>(x, X);
    // The last of an odd number of pairs is that of m - 1 and m: it writes to out[m] twice, the
    // right value last.
    for_indices<m / 2>([&](auto i) HWY_ATTR {
      constexpr int k = 2 * i() + 1;
      auto const re = hn::InterleaveLower(d, X[k].parts, X[k + 1].parts);
      auto const im = hn::InterleaveUpper(d, X[k].parts, X[k + 1].parts);
      auto const last = hn::Reverse2(d, at_n_minus_k<order>(re, im));
      hn::StoreU(last, d, out + 2 * m - k - 1);
      hn::StoreU(at_k<order>(re, im), d, out + k);
    });
    out[0] = hn::GetLane(X[0].parts);
    if constexpr (m % 2 == 1) out[m] = hn::GetLane(X[m].parts);
  }
};

template <class Real, int m>
class FewFromHalfComplex final : public Codelet<Real, Real> {
 public:
  void run(Real const* in, Real* out) const override {
    NumbersTag<Real, 1> const d;
    Interleaved<Real, 1> X[m + 1], x[m];
    // The imaginary parts of X[0] and X[m] are ignored, and may be anything.
    X[0] = load_some_numbers<1>(in);
    for_indices<m / 2>([&](auto i) HWY_ATTR {
      constexpr int k = 2 * i() + 1;
      auto const re = hn::LoadU(d, in + k);
      auto const im = hn::Reverse2(d, hn::LoadU(d, in + 2 * m - k - 1));
      X[k].parts = hn::InterleaveLower(d, re, im);
      X[k + 1].parts = hn::InterleaveUpper(d, re, im);
    });
    if constexpr (m % 2 == 1) X[m].parts = hn::Set(d, in[m]);
    backward_few<2 * m>(X, x);
    for_indices<m>([&](auto a) HWY_ATTR { store_numbers(x[a()], out + 2 * a()); });
  }
};

/// Calls move(tag, k) for vectors of the numbers k of 1 to `last`, the last two of which may
/// overlap; tells whether there are enough for one vector of N.
template <int N, class Real, class Move>
HWY_INLINE bool for_vectors(Index last, Move const& move) {
  if (last < N) return false;
  hn::CappedTag<Real, N> const d;
  Index k = 1;
  for (; k + N - 1 <= last; k += N) move(d, k);
  if (k <= last) move(d, last - N + 1);
  return true;
}

/// The same, by the longest vectors that there are enough numbers for.
template <class Real, class Move>
HWY_INLINE void for_numbers(Index last, Move const& move) {
  constexpr int most = lanes<Real>;
  if (for_vectors<most, Real>(last, move)) return;
  if constexpr (most > 2)
    if (for_vectors<most / 2, Real>(last, move)) return;
  for_vectors<1, Real>(last, move);
}

/// Complex numbers between two steps. They are not set to zero first, as std::complex would be.
template <class Real>
class Coefficients {
 public:
  Real* parts() { return parts_; }
  std::complex<Real>* data() { return reinterpret_cast<std::complex<Real>*>(parts_); }

 private:
  alignas(64) Real parts_[2 * most_codelet_coefficients];
};

template <class Real, RealOrder order>
class ToReals final : public Codelet<Real, Real> {
 public:
  ToReals(Index n, std::unique_ptr<Codelet<Real, std::complex<Real>> const> r2c)
      : n_(n), r2c_(std::move(r2c)) {}

  void run(Real const* in, Real* out) const override {
    Coefficients<Real> coefficients;
    Real const* const parts = coefficients.parts();
    r2c_->run(in, coefficients.data());
    out[0] = parts[0];
    if (n_ % 2 == 0) out[n_ / 2] = parts[n_];
    for_numbers<Real>((n_ - 1) / 2, [&](auto d, Index k) HWY_ATTR {
      hn::VFromD<decltype(d)> re, im;
      hn::LoadInterleaved2(d, parts + 2 * k, re, im);
      hn::StoreU(at_k<order>(re, im), d, out + k);
      auto const last = hn::Reverse(d, at_n_minus_k<order>(re, im));
      hn::StoreU(last, d, out + n_ - k + 1 - static_cast<Index>(hn::Lanes(d)));
    });
  }

 private:
  Index n_;
  std::unique_ptr<Codelet<Real, std::complex<Real>> const> r2c_;
};

template <class Real>
class FromHalfComplex final : public Codelet<Real, Real> {
 public:
  FromHalfComplex(Index n, std::unique_ptr<Codelet<std::complex<Real>, Real> const> c2r)
      : n_(n), c2r_(std::move(c2r)) {}

  void run(Real const* in, Real* out) const override {
    Coefficients<Real> coefficients;
    Real* const parts = coefficients.parts();
    parts[0] = in[0];
    parts[1] = 0;
    if (n_ % 2 == 0) {
      parts[n_] = in[n_ / 2];
      parts[n_ + 1] = 0;
    }
    for_numbers<Real>((n_ - 1) / 2, [&](auto d, Index k) HWY_ATTR {
      auto const im =
          hn::Reverse(d, hn::LoadU(d, in + n_ - k + 1 - static_cast<Index>(hn::Lanes(d))));
      hn::StoreInterleaved2(hn::LoadU(d, in + k), im, d, parts + 2 * k);
    });
    c2r_->run(coefficients.data(), out);
  }

 private:
  Index n_;
  std::unique_ptr<Codelet<std::complex<Real>, Real> const> c2r_;
};

/// An odd number n = 2 h + 1 of reals as in folded_codelets-inl.hpp, with cosines and sines in
/// vectors of their own: W vectors of N numbers k = 1 ... h.
template <class Real, int N, int W, bool from_half_complex, RealOrder order>
class FoldedOrder final : public Codelet<Real, Real> {
  using D = hn::CappedTag<Real, N>;

 public:
  explicit FoldedOrder(Index n) : n_(n), rows_(static_cast<std::size_t>(n / 2)) {
    std::vector<std::complex<Real>> const roots = all_roots<Real>(n);
    for (Index j = 1; j <= n / 2; ++j)
      for (Index k = 1; k <= n / 2; ++k) {
        auto const root = roots[static_cast<std::size_t>(j * k % n)];  // exp(-2 pi i j k / n)
        Row& row = rows_[static_cast<std::size_t>(j - 1)];
        row.cosines[k - 1] = from_half_complex ? 2 * root.real() : root.real();
        row.sines[k - 1] = from_half_complex ? -2 * root.imag() : root.imag();
      }
  }

  void run(Real const* in, Real* out) const override {
    D const d;
    // Products are summed in two parts, whose errors are smaller.
    hn::VFromD<D> even[2 * W], odd[2 * W];
    Real const x0 = in[0];
    for_indices<W>([&](auto w) HWY_ATTR {
      even[w()] = hn::Set(d, x0);
      even[W + w()] = odd[w()] = odd[W + w()] = hn::Zero(d);
    });
    Real sum = 0;
    auto const add = [&](Index j, auto part) HWY_ATTR __attribute__((always_inline)) {
      Row const& row = rows_[static_cast<std::size_t>(j - 1)];
      Real const a = in[j], b = in[n_ - j];
      Real const e = from_half_complex ? a : a + b, o = from_half_complex ? b : a - b;
      sum += e;
      for_indices<W>([&](auto w) HWY_ATTR {
        constexpr int at = part() * W + w();
        even[at] = hn::MulAdd(hn::Set(d, e), hn::Load(d, row.cosines + N * w()), even[at]);
        odd[at] = hn::MulAdd(hn::Set(d, o), hn::Load(d, row.sines + N * w()), odd[at]);
      });
    };
    constexpr std::integral_constant<int, 0> first;
    constexpr std::integral_constant<int, 1> second;
    Index const half = n_ / 2;
    Index j = 1;
    for (; j < half; j += 2) {
      add(j, first);
      add(j + 1, second);
    }
    if (j == half) add(j, first);
    // Later vectors of n - k come first: what they have beyond h is written again by k.
    for_indices<W>([&](auto u) HWY_ATTR {
      constexpr int w = W - 1 - u();
      even[w] = hn::Add(even[w], even[W + w]);
      odd[w] = hn::Add(odd[w], odd[W + w]);
      if (w * N < half)
        hn::StoreU(hn::Reverse(d, at_n_minus_k<order>(even[w], odd[w])), d, out + n_ - w * N - N);
    });
    for_indices<W>([&](auto w) HWY_ATTR {
      auto const x = at_k<order>(even[w()], odd[w()]);
      Index const count = half - w() * N;
      if (count >= N)
        hn::StoreU(x, d, out + 1 + w() * N);
      else if (count > 0)
        hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(count)), d, out + 1 + w() * N);
    });
    out[0] = x0 + (from_half_complex ? 2 * sum : sum);
  }

 private:
  struct alignas(64) Row {
    Real cosines[N * W] = {};
    Real sines[N * W] = {};
  };

  Index n_;
  std::vector<Row> rows_;
};

/// Null for other n.
template <class Real, bool from_half_complex, RealOrder order, int N = lanes<Real>>
std::unique_ptr<Codelet<Real, Real> const> make_folded_order(Index n) {
  constexpr Index most_with_factors = 31;
  if (n % 2 == 0 || n < least_folded || (n > most_with_factors && !is_prime(n))) return nullptr;
  if constexpr (N > 4)
    if (N > n) return make_folded_order<Real, from_half_complex, order, N / 2>(n);
  std::unique_ptr<Codelet<Real, Real> const> codelet;
  constexpr std::array vectors{1, 2, 4};
  for_indices<vectors.size()>([&](auto i) {
    constexpr int W = vectors[i];
    bool const fits = n / 2 <= N * W && N * W <= n;
    if (codelet == nullptr && fits)
      codelet = std::make_unique<FoldedOrder<Real, N, W, from_half_complex, order>>(n);
  });
  return codelet;
}

/// Calls make(m) with the constant m if n = 2 m reals stay in registers, else make_long().
template <class Real, class MakeFew, class MakeLong>
std::unique_ptr<Codelet<Real, Real> const> make_few_or_long(Index n, MakeFew const& make,
                                                            MakeLong const& make_long) {
  std::unique_ptr<Codelet<Real, Real> const> codelet;
  if constexpr (has_all_kernels) {
    for_indices<most_few_pairs>([&](auto i) {
      constexpr std::integral_constant<int, i() + 1> m;
      if (n == 2 * m()) codelet = make(m);
    });
    if (codelet == nullptr) codelet = make_long();
  }
  return codelet;
}

template <class Real, RealOrder order>
std::unique_ptr<Codelet<Real, Real> const> make_codelet_to_order(Index n) {
  using Made = std::unique_ptr<Codelet<Real, Real> const>;
  return make_few_or_long<Real>(
      n, [](auto m) -> Made { return std::make_unique<FewToReals<Real, m(), order>>(); },
      [&]() -> Made {
        using Direct = std::conditional_t<order == RealOrder::hartley, HartleyOrder<Real>,
                                          HalfComplexOrder<Real>>;
        if (auto folded = make_folded_order<Real, false, order>(n)) return folded;
        if (auto product = make_odd_codelet<Real, Forward, Direct>(n)) return product;
        auto r2c = make_codelet_of_reals<Real, Forward>(n);
        return r2c ? std::make_unique<ToReals<Real, order>>(n, std::move(r2c)) : nullptr;
      });
}

template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_codelet_to_reals(Index n, RealOrder order) {
  return order == RealOrder::hartley ? make_codelet_to_order<Real, RealOrder::hartley>(n)
                                     : make_codelet_to_order<Real, RealOrder::half_complex>(n);
}

template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_half_complex_to_reals(Index n) {
  using Made = std::unique_ptr<Codelet<Real, Real> const>;
  return make_few_or_long<Real>(
      n, [](auto m) -> Made { return std::make_unique<FewFromHalfComplex<Real, m()>>(); },
      [&]() -> Made {
        // x[j] and x[n-j] are sums of cosines less and plus sines.
        if (auto folded = make_folded_order<Real, true, RealOrder::hartley>(n)) return folded;
        if (auto product = make_odd_codelet<Real, Backward, HalfComplexOrder<Real>>(n))
          return product;
        auto c2r = make_codelet_of_reals<Real, Backward>(n);
        return c2r ? std::make_unique<FromHalfComplex<Real>>(n, std::move(c2r)) : nullptr;
      });
}

#else

template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_codelet_to_reals(Index, RealOrder) {
  return nullptr;
}
template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_half_complex_to_reals(Index) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
