// SPDX-License-Identifier: BSD-3-Clause
// The first and the last step of transforms of an odd number n = A B of reals, and codelets of
// them.
//
// Reals b, b + 1, ... lie side by side and fill vectors. Compiled once for each instruction set.
#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/kernels/composed_codelets-inl.hpp"
#include "local/kernels/few_reals-inl.hpp"
#include "local/kernels/odd_products.hpp"
#include "local/kernels/partial_vectors-inl.hpp"
#include "local/kernels/real_butterflies-inl.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_ODD_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ODD_PRODUCTS_INL
#undef SIXSTEP_LOCAL_ODD_PRODUCTS_INL
#else
#define SIXSTEP_LOCAL_ODD_PRODUCTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

// Three orders of the coefficients k = 0 ... n/2 of an odd number n of reals. put() and get() move
// number k > 0 from and to the two reals of a row, as it is or conjugated.

/// `im`, or its negative.
template <bool conjugates, class Real>
HWY_INLINE Real signed_part(Real im) {
  return conjugates ? -im : im;
}

template <class Real>
struct ComplexOrder {
  using Number = std::complex<Real>;

  static HWY_INLINE void put_first(Number* to, Real re) { *to = re; }
  template <bool conjugates>
  static HWY_INLINE void put(Number* to, Index, Index k, Real const* from) {
    move<conjugates>(from, reinterpret_cast<Real*>(to) + 2 * k);
  }
  static HWY_INLINE Real get_first(Number const* from) { return from->real(); }
  template <bool conjugates>
  static HWY_INLINE void get(Number const* from, Index, Index k, Real* to) {
    move<conjugates>(reinterpret_cast<Real const*>(from) + 2 * k, to);
  }

 private:
  template <bool conjugates>
  static HWY_INLINE void move(Real const* from, Real* to) {
    auto const x = load_some_numbers<1>(from);
    store_numbers(conjugates ? conjugate(x) : x, to);
  }
};

template <class Real>
struct HalfComplexOrder {
  using Number = Real;

  static HWY_INLINE void put_first(Real* to, Real re) { to[0] = re; }
  template <bool conjugates>
  static HWY_INLINE void put(Real* to, Index n, Index k, Real const* from) {
    to[k] = from[0];
    to[n - k] = signed_part<conjugates>(from[1]);
  }
  static HWY_INLINE Real get_first(Real const* from) { return from[0]; }
  template <bool conjugates>
  static HWY_INLINE void get(Real const* from, Index n, Index k, Real* to) {
    to[0] = from[k];
    to[1] = signed_part<conjugates>(from[n - k]);
  }
};

template <class Real>
struct HartleyOrder {
  using Number = Real;

  static HWY_INLINE void put_first(Real* to, Real re) { to[0] = re; }
  template <bool conjugates>
  static HWY_INLINE void put(Real* to, Index n, Index k, Real const* from) {
    Real const im = signed_part<conjugates>(from[1]);
    to[k] = from[0] - im;
    to[n - k] = from[0] + im;
  }
};

/// Reals between rows: whole vectors of B complex numbers.
template <class Real>
constexpr Index row_pitch(Index B) {
  return 2 * ((B + lanes<Real> - 1) / lanes<Real> * lanes<Real>);
}

inline constexpr std::array odd_radices{9, 7, 5, 13, 11, 3};

/// The butterflies and the factors w_n^(b p), or their conjugates backward. Factors are in a table
/// for the first points b of each row; those of later points are products with the factor of a
/// multiple of so many, because a table for all of them would be as large as the array.
template <class Real, int A>
class OddButterflies {
  static constexpr Index L = lanes<Real>;
  static constexpr Index table_points = 256 * L;

 public:
  OddButterflies(Index B, bool backward) : B_(B), pitch_(row_pitch<Real>(B)) {
    Roots const roots(A * B);
    auto const factor = [&](Index power) {
      auto const root = roots.template at<Real>(power);
      return backward ? std::conj(root) : root;
    };
    for (Index b = 0; b < std::min(B, table_points); b += L)
      for (Index p = 1; p <= A / 2; ++p) {
        factors_.emplace_back();
        for (Index i = 0; i < std::min(L, B - b); ++i) {
          auto const w = factor((b + i) * p);
          factors_.back().re[i] = w.real();
          factors_.back().im[i] = w.imag();
        }
      }
    for (Index b = 0; b < B; b += table_points)
      for (Index p = 1; p <= A / 2; ++p) turns_.push_back(factor(b * p));
  }

  // Functions of their own, shared by all orders.
  HWY_NOINLINE void forward(Real const* in, Real* rows) const {
    Tag<Real> const d;
    for_factors([&](Index b, auto const& factor_of) HWY_ATTR __attribute__((always_inline)) {
      Vector<Real> x[A], s[2];
      Complex<Real> y[A / 2 + 1];
      for_indices<A>([&](auto a) HWY_ATTR { x[a()] = load(in + b + B_ * a(), b); });
      real_butterfly<A, Real>(x, s, y);
      hn::Store(s[0], d, rows + b);
      for_indices<A / 2>([&](auto i) HWY_ATTR {
        constexpr int p = i() + 1;
        auto const z = y[p] * factor_of(p);
        hn::StoreInterleaved2(z.re, z.im, d, rows + p * pitch_ + 2 * b);
      });
    });
  }

  HWY_NOINLINE void backward(Real const* rows, Real* out) const {
    Tag<Real> const d;
    for_factors([&](Index b, auto const& factor_of) HWY_ATTR __attribute__((always_inline)) {
      Vector<Real> x[A];
      Complex<Real> y[A / 2 + 1];
      Vector<Real> const s[2] = {hn::Load(d, rows + b), hn::Zero(d)};
      for_indices<A / 2>([&](auto i) HWY_ATTR {
        constexpr int p = i() + 1;
        Complex<Real> z;
        hn::LoadInterleaved2(d, rows + p * pitch_ + 2 * b, z.re, z.im);
        y[p] = z * factor_of(p);
      });
      real_butterfly_back<A, Real>(s, y, x);
      for_indices<A>([&](auto a) HWY_ATTR { store(x[a()], out + b + B_ * a(), b); });
    });
  }

 private:
  struct alignas(64) Factors {
    Real re[L] = {};
    Real im[L] = {};

    HWY_INLINE Complex<Real> load() const {
      Tag<Real> const d;
      return {hn::Load(d, re), hn::Load(d, im)};
    }
  };

  /// Calls visit(b, factor_of) for each vector of points, with their factors of a row p.
  template <class Visit>
  HWY_INLINE void for_factors(Visit const& visit) const {
    Tag<Real> const d;
    Factors const* factors = factors_.data();
    for (Index b = 0; b < std::min(B_, table_points); b += L, factors += A / 2)
      visit(
          b, [&](int p) HWY_ATTR __attribute__((always_inline)) { return factors[p - 1].load(); });
    std::complex<Real> const* turns = turns_.data();
    for (Index first = table_points; first < B_; first += table_points) {
      turns += A / 2;
      factors = factors_.data();
      for (Index b = first; b < std::min(B_, first + table_points); b += L, factors += A / 2)
        visit(
            b, [&](int p) HWY_ATTR __attribute__((always_inline)) {
              Complex<Real> const turn{hn::Set(d, turns[p - 1].real()),
                                       hn::Set(d, turns[p - 1].imag())};
              return factors[p - 1].load() * turn;
            });
    }
  }

  HWY_INLINE Vector<Real> load(Real const* from, Index b) const {
    return b + L <= B_ ? hn::LoadU(Tag<Real>(), from) : get_first(from, B_ - b);
  }
  HWY_INLINE void store(Vector<Real> x, Real* to, Index b) const {
    if (b + L <= B_)
      hn::StoreU(x, Tag<Real>(), to);
    else
      put_first(Tag<Real>(), x, to, B_ - b);
  }

  Index B_;
  Index pitch_;
  std::vector<Factors> factors_;           // [b / L][p - 1]
  std::vector<std::complex<Real>> turns_;  // [b / table_points][p - 1]
};

template <class Real, int A, class Order>
class OddForward final : public OddProduct<Real, Real, typename Order::Number> {
  using Number = typename Order::Number;

 public:
  explicit OddForward(Index B)
      : OddProduct<Real, Real, Number>(A, B, row_pitch<Real>(B)), butterflies_(B, false) {}

  void first(Real const* in, Real* rows) const override { butterflies_.forward(in, rows); }

  void last(Real const* rows, Number* out) const override {
    Index const B = this->row_points(), n = A * B, pitch = this->pitch();
    Order::put_first(out, rows[0]);
    for_indices<A / 2>([&](auto i) HWY_ATTR {
      constexpr int p = i() + 1;
      Order::template put<false>(out, n, p, rows + p * pitch);
    });
    for (Index q = 1; 2 * q < B; ++q) {
      Order::template put<false>(out, n, A * q, rows + 2 * q);
      for_indices<A / 2>([&](auto i) HWY_ATTR {
        constexpr int p = i() + 1;
        Order::template put<false>(out, n, A * q + p, rows + p * pitch + 2 * q);
        Order::template put<true>(out, n, A * q - p, rows + p * pitch + 2 * (B - q));
      });
    }
  }

 private:
  OddButterflies<Real, A> butterflies_;
};

/// It ignores the imaginary part of the first coefficient.
template <class Real, int A, class Order>
class OddBackward final : public OddProduct<Real, typename Order::Number, Real> {
  using Number = typename Order::Number;

 public:
  explicit OddBackward(Index B)
      : OddProduct<Real, Number, Real>(A, B, row_pitch<Real>(B)), butterflies_(B, true) {}

  void first(Number const* in, Real* rows) const override {
    Index const B = this->row_points(), n = A * B, pitch = this->pitch();
    rows[0] = Order::get_first(in);
    rows[1] = 0;
    for_indices<A / 2>([&](auto i) HWY_ATTR {
      constexpr int p = i() + 1;
      Order::template get<false>(in, n, p, rows + p * pitch);
    });
    for (Index q = 1; 2 * q < B; ++q) {
      Order::template get<false>(in, n, A * q, rows + 2 * q);
      for_indices<A / 2>([&](auto i) HWY_ATTR {
        constexpr int p = i() + 1;
        Order::template get<false>(in, n, A * q + p, rows + p * pitch + 2 * q);
        Order::template get<true>(in, n, A * q - p, rows + p * pitch + 2 * (B - q));
      });
    }
  }

  void last(Real const* rows, Real* out) const override { butterflies_.backward(rows, out); }

 private:
  OddButterflies<Real, A> butterflies_;
};

/// The transform of a short column by codelets of rows.
template <class Real, class In, class Out, class Reals>
class OddCodelet final : public Codelet<In, Out> {
 public:
  OddCodelet(std::unique_ptr<OddProduct<Real, In, Out> const> product,
             std::unique_ptr<Reals const> reals,
             std::unique_ptr<AnyComplexCodelet<Real> const> complex)
      : product_(std::move(product)), reals_(std::move(reals)), complex_(std::move(complex)) {}

  void run(In const* in, Out* out) const override {
    alignas(64) Real rows[most_row_reals];
    product_->first(in, rows);
    run_in_place(*reals_, rows);
    for (Index p = 1; p <= product_->radix() / 2; ++p)
      run_in_place(*complex_, rows + p * product_->pitch());
    product_->last(rows, out);
  }

 private:
  // n = 3 B needs most.
  static constexpr Index most_row_reals = 2 * row_pitch<Real>(most_codelet_points / 3);

  template <class A, class B>
  static void run_in_place(Codelet<A, B> const& codelet, Real* row) {
    codelet.run(reinterpret_cast<A const*>(row), reinterpret_cast<B*>(row));
  }

  std::unique_ptr<OddProduct<Real, In, Out> const> product_;
  std::unique_ptr<Reals const> reals_;
  std::unique_ptr<AnyComplexCodelet<Real> const> complex_;
};

/// The number A for n = A B; 0 if there is none. Codelets of B points in two steps are fastest, and
/// of these the longest, but one with a factor of 11 or 13 is no faster than butterflies of so many
/// reals. For other B the first of odd_radices is best.
template <class Real>
Index radix_of_odd_product(Index n) {
  constexpr Index least_fast = 5, most_fast_prime = 7;
  Index best = 0;
  int best_rank = 0;
  if (n % 2 == 0) return 0;
  for (Index A : odd_radices) {
    Index const B = n / A;
    if (n % A != 0 || B == 1) continue;
    bool const is_fast = B >= least_fast && prime_factors(B).back() <= most_fast_prime;
    int const rank = !is_listed<Real>(B) ? 1 : is_fast ? 3 : 2;
    if (rank < best_rank || (rank == best_rank && (rank == 1 || A > best))) continue;
    best = A;
    best_rank = rank;
  }
  return best;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
