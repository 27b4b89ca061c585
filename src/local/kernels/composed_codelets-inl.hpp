// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of complex numbers by shorter codelets, for lengths with
// large prime factors. Compiled once for each instruction set.
#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/kernels/folded_codelets-inl.hpp"
#include "local/kernels/three_step_codelets-inl.hpp"
#include "local/numbers/pair_transform.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_COMPOSED_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COMPOSED_CODELETS_INL
#undef SIXSTEP_LOCAL_COMPOSED_CODELETS_INL
#else
#define SIXSTEP_LOCAL_COMPOSED_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// n = A m: transforms of A elements that are m apart, twiddles, A codelets, and a transposition.
template <class Real, int A>
class ProductCodelet final : public AnyComplexCodelet<Real> {
  using Complex = std::complex<Real>;
  static constexpr int S = step_numbers<Real>;
  using Number = Interleaved<Real, S>;

 public:
  ProductCodelet(Index m, bool backward, std::unique_ptr<AnyComplexCodelet<Real> const> of_m)
      : m_(m), source_(A, 2 * m, backward ? -1 : 1), of_m_(std::move(of_m)) {
    Roots const roots(A * m);
    for (Index next = 0; next < m; next += S)
      for (Index a = 1; a < A; ++a) {
        factors_.emplace_back();
        for (int i = 0; i < S; ++i) {
          auto const root = roots.template at<Real>(a * (begin(next) + i));
          factors_.back().set(i, backward ? std::conj(root) : root);
        }
      }
  }

  void run(Complex const* in, Complex* out) const override {
    HWY_ALIGN Real rows[2 * most_codelet_points];  // [a][m]
    auto const* const from = reinterpret_cast<Real const*>(in);
    StepFactors<Real> const* factors = factors_.data();
    for (Index next = 0; next < m_; next += S, factors += A - 1) {
      Number x[A];
      load_butterfly<A>(from + 2 * begin(next), source_, x);
      HWY_UNROLL(16)
      for (int a = 1; a < A; ++a) x[a] = times(x[a], factors[a - 1]);
      HWY_UNROLL(16)
      for (int a = 0; a < A; ++a) store_numbers(x[a], rows + 2 * (a * m_ + begin(next)));
    }
    auto* const numbers = reinterpret_cast<Complex*>(rows);
    for (int a = 0; a < A; ++a) of_m_->run(numbers + a * m_, numbers + a * m_);
    for (Index next = 0; next < m_; next += S)
      transpose(rows + 2 * begin(next), reinterpret_cast<Real*>(out) + 2 * A * begin(next));
  }

 private:
  // The first number of the vector that would begin at `next`: the last one overlaps.
  Index begin(Index next) const { return std::min(next, m_ - S); }

  HWY_INLINE void transpose(Real const* from, Real* to) const {
    Number x[A];
    HWY_UNROLL(16)
    for (int a = 0; a < A; ++a) x[a] = load_some_numbers<S>(from + 2 * a * m_);
    for_indices<vectors_over<S>(A)>([&](auto w) HWY_ATTR {
      constexpr int first = w() * S, count = first + S <= A ? S : A - first;
      Number square[S];
      take_square<first, A>(x, square);
      for_indices<S>([&](auto i) HWY_ATTR {
        store_first_numbers<count>(square[i()], to + 2 * (A * i() + first));
      });
    });
  }

  Index m_;
  Spread source_;
  std::vector<StepFactors<Real>> factors_;  // [vector of m][A - 1]
  std::unique_ptr<AnyComplexCodelet<Real> const> of_m_;
};

/// n = a m, where neither factor is a radix: codelets of a numbers that are m apart, twiddles, and
/// codelets of m neighbours.
template <class Real>
class TwoCodelets final : public AnyComplexCodelet<Real> {
  using Complex = std::complex<Real>;
  using Any = std::unique_ptr<AnyComplexCodelet<Real> const>;

 public:
  TwoCodelets(Index a, Index m, bool backward, Any of_a, Any of_m)
      : a_(a), m_(m), of_a_(std::move(of_a)), of_m_(std::move(of_m)) {
    Roots const roots(a * m);
    for (Index j = 0; j < m; ++j)
      for (Index k = 0; k < a; ++k) {
        auto const root = roots.template at<Real>(j * k);
        factors_.emplace_back();
        factors_.back().set(0, backward ? std::conj(root) : root);
      }
  }

  void run(Complex const* in, Complex* out) const override {
    HWY_ALIGN Real columns[2 * most_codelet_points];  // [m][a]
    HWY_ALIGN Real rows[2 * most_codelet_points];     // [a][m]
    auto const unchanged = [](Interleaved<Real, 1> x, Index) HWY_ATTR { return x; };
    transpose(reinterpret_cast<Real const*>(in), a_, m_, columns, unchanged);
    run_rows(*of_a_, m_, a_, columns);
    transpose(columns, m_, a_, rows, [&](Interleaved<Real, 1> x, Index i) HWY_ATTR {
      return times(x, factors_[static_cast<std::size_t>(i)]);
    });
    run_rows(*of_m_, a_, m_, rows);
    transpose(rows, a_, m_, reinterpret_cast<Real*>(out), unchanged);
  }

 private:
  /// Writes the numbers of rows * columns, changed by their place, to columns * rows.
  template <class Change>
  HWY_INLINE static void transpose(Real const* from, Index rows, Index columns, Real* to,
                                   Change const& change) {
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column) {
        Index const i = row * columns + column;
        store_numbers(change(load_some_numbers<1>(from + 2 * i), i),
                      to + 2 * (column * rows + row));
      }
  }
  static void run_rows(AnyComplexCodelet<Real> const& codelet, Index rows, Index points,
                       Real* numbers) {
    auto* const row = reinterpret_cast<Complex*>(numbers);
    for (Index i = 0; i < rows; ++i) codelet.run(row + i * points, row + i * points);
  }

  Index a_, m_;
  Any of_a_, of_m_;
  std::vector<NumberFactors<Real, 1>> factors_;  // [m][a]
};

/// Cyclic convolutions with a sequence h, by a codelet of its length.
template <class Real>
class Convolution {
  using Complex = std::complex<Real>;
  static constexpr Index S = step_numbers<Real>;

 public:
  /// `spectrum` is that of h, divided by the length: [re, im] of each coefficient.
  Convolution(std::vector<Real> const& spectrum,
              std::unique_ptr<AnyComplexCodelet<Real> const> forward)
      : forward_(std::move(forward)), spectrum_((spectrum.size() / 2 + S - 1) / S) {
    for (std::size_t k = 0; 2 * k < spectrum.size(); ++k)
      spectrum_[k / S].set(static_cast<int>(k % S), {spectrum[2 * k], spectrum[2 * k + 1]});
  }

  /// Replaces y by its convolution plus `add`, in reverse order: element -m is at m. y has room for
  /// whole vectors. Returns the sum of y.
  HWY_INLINE Interleaved<Real, 1> run(Real* y, Interleaved<Real, 1> add) const {
    auto* const numbers = reinterpret_cast<Complex*>(y);
    forward_->run(numbers, numbers);
    auto const sum = load_some_numbers<1>(y);
    Real* next = y;
    for (auto const& factors : spectrum_) {
      store_numbers(times(load_some_numbers<S>(next), factors), next);
      next += 2 * S;
    }
    store_numbers(add + load_some_numbers<1>(y), y);
    // An inverse transform is a forward one in reverse order.
    forward_->run(numbers, numbers);
    return sum;
  }

 private:
  std::unique_ptr<AnyComplexCodelet<Real> const> forward_;
  std::vector<StepFactors<Real>> spectrum_;  // of h, over its length
};

/// A prime number p of points as a cyclic convolution of p - 1. With a generator g of the residues
/// and y[q] = x[g^q],
///   X[g^-m] = x[0] + sum_q y[q] h[m-q], h[q] = w_p^(g^-q).
/// Rader (1968), doi:10.1109/PROC.1968.6477.
template <class Real>
class RaderCodelet final : public AnyComplexCodelet<Real> {
  using Complex = std::complex<Real>;

 public:
  /// `forward` has p - 1 points.
  RaderCodelet(Index p, bool backward, std::unique_ptr<AnyComplexCodelet<Real> const> forward)
      : convolution_(mean_transform<Real>(roots(p, backward)), std::move(forward)) {
    for (Index const power : powers(p)) places_.push_back(2 * power);
  }

  void run(Complex const* in, Complex* out) const override {
    HWY_ALIGN Real y[2 * most_codelet_points];
    auto const* const from = reinterpret_cast<Real const*>(in);
    auto* const to = reinterpret_cast<Real*>(out);
    auto const first = load_some_numbers<1>(from);
    Real* next = y;
    for (Index const place : places_) {
      store_numbers(load_some_numbers<1>(from + place), next);
      next += 2;
    }
    auto const sum = convolution_.run(y, first);
    store_numbers(first + sum, to);
    next = y;
    for (Index const place : places_) {
      store_numbers(load_some_numbers<1>(next), to + place);
      next += 2;
    }
  }

 private:
  static std::vector<Index> powers(Index p) {
    Index const g = primitive_root(p);
    std::vector<Index> powers{1};
    while (static_cast<Index>(powers.size()) < p - 1) powers.push_back(powers.back() * g % p);
    return powers;
  }

  static std::vector<WidePair> roots(Index p, bool backward) {
    std::vector<Index> exponents = powers(p);
    std::reverse(exponents.begin() + 1, exponents.end());
    Roots const all(p);
    std::vector<WidePair> h;
    for (Index const exponent : exponents) {
      WidePair const root = all.pair(exponent);
      h.push_back(backward ? conj(root) : root);
    }
    return h;
  }

  std::vector<Index> places_;  // of g^q, in Reals
  Convolution<Real> convolution_;
};

/// Any number n of points as a convolution of at least 2n - 1. With c[j] = exp(-i pi j^2 / n),
///   X[k] = c[k] sum_j c[j] x[j] conj c[k-j].
/// Bluestein (1970), doi:10.1109/TAU.1970.1162132.
template <class Real>
class ChirpCodelet final : public AnyComplexCodelet<Real> {
  using Complex = std::complex<Real>;

 public:
  /// `forward` has `length` points.
  ChirpCodelet(Index n, bool backward, Index length,
               std::unique_ptr<AnyComplexCodelet<Real> const> forward)
      : length_(length), convolution_(spectrum(n, backward, length), std::move(forward)) {
    Roots const all(2 * n);
    for (Index j = 0; j < n; ++j) {
      auto const root = all.template at<Real>(j * j % (2 * n));
      chirp_.emplace_back();
      chirp_.back().set(0, backward ? std::conj(root) : root);
    }
  }

  void run(Complex const* in, Complex* out) const override {
    HWY_ALIGN Real y[2 * most_step_points];
    auto const* from = reinterpret_cast<Real const*>(in);
    Real* next = y;
    for (auto const& factor : chirp_) {
      store_numbers(times(load_some_numbers<1>(from), factor), next);
      next += 2;
      from += 2;
    }
    Real* const end = y + 2 * length_;
    std::fill(next, end, Real{0});
    convolution_.run(y, {hn::Zero(NumbersTag<Real, 1>())});
    auto* to = reinterpret_cast<Real*>(out);
    store_numbers(times(load_some_numbers<1>(y), chirp_[0]), to);
    next = end;
    for (std::size_t k = 1; k < chirp_.size(); ++k)
      store_numbers(times(load_some_numbers<1>(next -= 2), chirp_[k]), to += 2);
  }

 private:
  /// The spectrum of the conjugate chirp and its mirror image.
  static std::vector<Real> spectrum(Index n, bool backward, Index length) {
    Roots const all(2 * n);
    std::vector<WidePair> h;
    for (Index j = 0; j < n; ++j) {
      WidePair const root = all.pair(j * j % (2 * n));
      h.push_back(backward ? root : conj(root));
    }
    return mean_transform_of_even<Real>(h, length);
  }

  Index length_;
  std::vector<NumberFactors<Real, 1>> chirp_;
  Convolution<Real> convolution_;
};

/// The codelet of n complex points; null if there is none. A convolution has no other within it,
/// which would take longer and be less accurate than the kernels of columns.
template <class Real>
std::unique_ptr<AnyComplexCodelet<Real> const> make_any_codelet(Index n, bool backward,
                                                                bool may_convolve = true) {
  using Base = AnyComplexCodelet<Real>;
  if (n > most_codelet_points) return nullptr;
  if (auto steps = make_steps_codelet<Real>(n, backward)) return steps;
  constexpr int most_vectors = 8;
  if (auto folded = make_folded<Base, ComplexFolded, Real, most_vectors>(n, n / 2, backward))
    return folded;
  std::unique_ptr<Base const> codelet;
  constexpr std::array radices{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
  for_indices<radices.size()>([&](auto i) {
    constexpr int a = radices[i];
    if (codelet != nullptr || n % a != 0 || n / a < least_folded) return;
    if (auto of_m = make_any_codelet<Real>(n / a, backward, may_convolve))
      codelet = std::make_unique<ProductCodelet<Real, a>>(n / a, backward, std::move(of_m));
  });
  if (codelet != nullptr || n == 1) return codelet;
  if (Index const a = prime_factors(n).front(); a < n) {
    auto of_a = make_any_codelet<Real>(a, backward, may_convolve);
    auto of_m = make_any_codelet<Real>(n / a, backward, may_convolve);
    if (of_a != nullptr && of_m != nullptr)
      return std::make_unique<TwoCodelets<Real>>(a, n / a, backward, std::move(of_a),
                                                 std::move(of_m));
  }
  if (!may_convolve) return nullptr;
  if (is_prime(n))
    if (auto forward = make_any_codelet<Real>(n - 1, false, false))
      return std::make_unique<RaderCodelet<Real>>(n, backward, std::move(forward));
  for (Index length = 2 * n - 1; length <= most_step_points; ++length)
    if (auto forward = make_steps_codelet<Real>(length, false))
      return std::make_unique<ChirpCodelet<Real>>(n, backward, length, std::move(forward));
  return nullptr;
}

/// The same; null if the kernels of rows are faster. Those of many points are, with the registers
/// of AVX-512 or where three steps do not suffice. In single precision one column fills half of
/// their vectors, and only those of more points are as fast.
template <class Real>
std::unique_ptr<AnyComplexCodelet<Real> const> make_complex_codelet(Index n, bool backward) {
  if constexpr (!has_all_kernels) return nullptr;
  constexpr Index most_before_rows = has_512_bits<Real> && sizeof(Real) == 4 ? 1000 : 256;
  if (n > most_before_rows && is_straight<Real>(n) && !has_short_radices<Real>(n)) return nullptr;
  return make_any_codelet<Real>(n, backward);
}

#else

template <class Real>
std::unique_ptr<AnyComplexCodelet<Real> const> make_complex_codelet(Index, bool) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
