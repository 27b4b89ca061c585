// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of n = A B complex numbers in straight code.
//
// Element b + B a of the column is x[b][a]. The steps are transforms of A elements, twiddles, a
// transposition through a buffer, and transforms of B elements. Vectors hold S neighbouring
// numbers. Where S does not divide A or B, the last vector overlaps the one before it, and what
// both have is computed twice. Compiled once for each instruction set.
#include <algorithm>
#include <array>
#include <memory>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_CODELETS_INL
#undef SIXSTEP_LOCAL_CODELETS_INL
#else
#define SIXSTEP_LOCAL_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real>
using AnyComplexCodelet = Codelet<std::complex<Real>, std::complex<Real>>;

#if HWY_TARGET != HWY_SCALAR

/// The numbers in the widest vectors that fit in rows of `least` numbers.
template <class Real>
constexpr int fitting_numbers(int least) {
  int s = numbers<Real>;
  while (s > least) s /= 2;
  return s;
}

/// The vectors of S elements that cover n, and the first element of one of them.
template <int S>
constexpr int vectors_over(int n) {
  return (n + S - 1) / S;
}
template <int S>
constexpr int first_of_vector(int n, int vector) {
  return vector * S + S <= n ? vector * S : n - S;
}

/// Calls use(i) for i = 0 ... n - 1, as constants. GCC does not unroll all loops that it is told
/// to.
template <int n, int i = 0, class Use>
HWY_INLINE void for_indices(Use const& use) {
  if constexpr (i < n) {
    use(std::integral_constant<int, i>());
    for_indices<n, i + 1>(use);
  }
}

/// Factors of S numbers, in the form that times() needs.
template <class Real, int S>
struct alignas(2 * S * sizeof(Real)) NumberFactors {
  Real re[2 * S];
  Real im[2 * S];

  void set(int number, std::complex<Real> factor) {
    re[2 * number] = re[2 * number + 1] = factor.real();
    im[2 * number] = -factor.imag();
    im[2 * number + 1] = factor.imag();
  }
};

template <class Real, int S>
HWY_INLINE Interleaved<Real, S> times(Interleaved<Real, S> x, NumberFactors<Real, S> const& by) {
  NumbersTag<Real, S> const d;
  return times<Real, S>(x, hn::Load(d, by.re), hn::Load(d, by.im));
}

/// Stores the first `count` numbers.
template <int count, class Real, int S>
HWY_INLINE void store_first_numbers(Interleaved<Real, S> x, Real* to) {
  if constexpr (count == S) {
    store_numbers(x, to);
  } else if constexpr (count > 0) {
    NumbersTag<Real, S / 2> const half;
    Interleaved<Real, S / 2> const lower{hn::LowerHalf(half, x.parts)};
    if constexpr (2 * count <= S) {
      store_first_numbers<count>(lower, to);
    } else {
      store_numbers(lower, to);
      Interleaved<Real, S / 2> const upper{hn::UpperHalf(half, x.parts)};
      store_first_numbers<count - S / 2>(upper, to + S);
    }
  }
}

/// The square of the vectors from `first` on, transposed. Vectors beyond `end` repeat the last one.
template <int first, int end, class Real, int S>
HWY_INLINE void take_square(Interleaved<Real, S> const* x, Interleaved<Real, S>* square) {
  for_indices<S>([&](auto i)
                     HWY_ATTR { square[i()] = x[first + i() < end ? first + i() : end - 1]; });
  transpose_numbers(square);
}

/// One that spares the look-up of its function for each row.
template <class Self, class In, class Out>
class ShortCodelet : public Codelet<In, Out> {
 public:
  void run_rows(CodeletRows<In, Out> const& rows) const final {
    each_row(static_cast<Self const&>(*this), rows);
  }
};

template <class Real, int A, int B>
class ComplexCodelet final
    : public ShortCodelet<ComplexCodelet<Real, A, B>, std::complex<Real>, std::complex<Real>> {
  static constexpr int S = fitting_numbers<Real>(A < B ? A : B);
  using Number = Interleaved<Real, S>;

 public:
  explicit ComplexCodelet(bool backward)
      : source_(A, 2 * B, backward ? -1 : 1), target_(B, 2 * A, backward ? -1 : 1) {
    if (B == 1) return;
    Roots const roots(A * B);
    for (int v = 0; v < vectors_over<S>(B); ++v)
      for (int a = 1; a < A; ++a)
        for (int i = 0; i < S; ++i) {
          auto const root = roots.template at<Real>(a * (first_of_vector<S>(B, v) + i));
          twiddles_[v * (A - 1) + a - 1].set(i, backward ? std::conj(root) : root);
        }
  }

  void run(std::complex<Real> const* in, std::complex<Real>* out) const override {
    auto const* const from = reinterpret_cast<Real const*>(in);
    auto* const to = reinterpret_cast<Real*>(out);
    if constexpr (B == 1) {
      Number x[A];
      first_butterfly(from, x);
      HWY_UNROLL(16)
      for (int a = 0; a < A; ++a) store_numbers(x[a], to + 2 * a);
    } else {
      Number between[vectors_over<S>(A)][B];
      for_indices<vectors_over<S>(B)>([&](auto v) HWY_ATTR __attribute__((always_inline)) {
        first_step<v()>(from, between);
      });
      for_indices<vectors_over<S>(A)>([&](auto v) HWY_ATTR __attribute__((always_inline)) {
        second_step<v()>(between[v()], to);
      });
    }
  }

 private:
  HWY_INLINE void first_butterfly(Real const* from, Number* x) const {
    for_places<A>(
        from, source_, [&](int a, Real const* place) HWY_ATTR __attribute__((always_inline)) {
          x[a] = load_some_numbers<S>(place);
        });
    butterfly<A, Eighths::last>(x);
  }

  template <int v>
  HWY_INLINE void first_step(Real const* from, Number (*between)[B]) const {
    constexpr int b = first_of_vector<S>(B, v);
    Number x[A];
    first_butterfly(from + 2 * b, x);
    HWY_UNROLL(16)
    for (int a = 1; a < A; ++a) x[a] = times(x[a], twiddles_[v * (A - 1) + a - 1]);
    for_indices<vectors_over<S>(A)>([&](auto w) HWY_ATTR __attribute__((always_inline)) {
      Number square[S];
      take_square<w() * S, A>(x, square);
      for_indices<S>([&](auto i) HWY_ATTR __attribute__((always_inline)) {
        if constexpr (b + i() >= v * S) between[w()][b + i()] = square[i()];
      });
    });
  }

  template <int v>
  HWY_INLINE void second_step(Number* x, Real* to) const {
    constexpr int count = v * S + S <= A ? S : A - v * S;
    butterfly<B, Eighths::last>(x);
    for_places<B>(
        to + 2 * S * v, target_, [&](int b, Real* place) HWY_ATTR __attribute__((always_inline)) {
          store_first_numbers<count>(x[b], place);
        });
  }

  Spread source_;
  Spread target_;
  NumberFactors<Real, S> twiddles_[vectors_over<S>(B) * (A - 1)];
};

/// n = a b.
struct CodeletFactors {
  int a, b;
};
inline constexpr std::array codelet_factors{
    CodeletFactors{2, 1},   CodeletFactors{3, 1},   CodeletFactors{4, 1},   CodeletFactors{5, 1},
    CodeletFactors{6, 1},   CodeletFactors{7, 1},   CodeletFactors{2, 4},   CodeletFactors{9, 1},
    CodeletFactors{2, 5},   CodeletFactors{11, 1},  CodeletFactors{12, 1},  CodeletFactors{13, 1},
    CodeletFactors{14, 1},  CodeletFactors{15, 1},  CodeletFactors{4, 4},   CodeletFactors{6, 3},
    CodeletFactors{4, 5},   CodeletFactors{7, 3},   CodeletFactors{11, 2},  CodeletFactors{4, 6},
    CodeletFactors{5, 5},   CodeletFactors{13, 2},  CodeletFactors{9, 3},   CodeletFactors{4, 7},
    CodeletFactors{6, 5},   CodeletFactors{8, 4},   CodeletFactors{11, 3},  CodeletFactors{7, 5},
    CodeletFactors{6, 6},   CodeletFactors{13, 3},  CodeletFactors{8, 5},   CodeletFactors{7, 6},
    CodeletFactors{11, 4},  CodeletFactors{9, 5},   CodeletFactors{8, 6},   CodeletFactors{7, 7},
    CodeletFactors{10, 5},  CodeletFactors{13, 4},  CodeletFactors{6, 9},   CodeletFactors{11, 5},
    CodeletFactors{8, 7},   CodeletFactors{6, 10},  CodeletFactors{9, 7},   CodeletFactors{8, 8},
    CodeletFactors{13, 5},  CodeletFactors{11, 6},  CodeletFactors{7, 10},  CodeletFactors{8, 9},
    CodeletFactors{15, 5},  CodeletFactors{11, 7},  CodeletFactors{13, 6},  CodeletFactors{8, 10},
    CodeletFactors{9, 9},   CodeletFactors{12, 7},  CodeletFactors{11, 8},  CodeletFactors{10, 9},
    CodeletFactors{13, 7},  CodeletFactors{8, 12},  CodeletFactors{14, 7},  CodeletFactors{11, 9},
    CodeletFactors{10, 10}, CodeletFactors{13, 8},  CodeletFactors{15, 7},  CodeletFactors{12, 9},
    CodeletFactors{11, 10}, CodeletFactors{8, 14},  CodeletFactors{13, 9},  CodeletFactors{12, 10},
    CodeletFactors{11, 11}, CodeletFactors{14, 9},  CodeletFactors{8, 16},  CodeletFactors{13, 10},
    CodeletFactors{12, 11}, CodeletFactors{15, 9},  CodeletFactors{14, 10}, CodeletFactors{13, 11},
    CodeletFactors{12, 12}, CodeletFactors{15, 10}, CodeletFactors{14, 11}, CodeletFactors{13, 12},
    CodeletFactors{16, 10}, CodeletFactors{15, 11}, CodeletFactors{14, 12}, CodeletFactors{13, 13},
    CodeletFactors{16, 11}, CodeletFactors{15, 12}, CodeletFactors{14, 13}, CodeletFactors{16, 12},
    CodeletFactors{15, 13}, CodeletFactors{14, 14}, CodeletFactors{16, 13}, CodeletFactors{15, 14},
    CodeletFactors{16, 14}, CodeletFactors{15, 15}, CodeletFactors{16, 15}, CodeletFactors{16, 16}};

/// Whether two steps are as fast as three. Rows of more than ten numbers need the registers of
/// AVX-512.
template <class Real>
constexpr bool has_two_steps(CodeletFactors factors) {
  return has_512_bits<Real> || factors.a * factors.b <= 128;
}

/// Whether n points have a codelet of two steps.
template <class Real>
bool is_listed(Index n) {
  return std::any_of(codelet_factors.begin(), codelet_factors.end(), [n](CodeletFactors factors) {
    return has_two_steps<Real>(factors) && n == Index{factors.a} * factors.b;
  });
}

/// Null if n is not in the list.
template <class Real>
std::unique_ptr<AnyComplexCodelet<Real> const> make_listed_codelet(Index n, bool backward) {
  std::unique_ptr<AnyComplexCodelet<Real> const> codelet;
  for_indices<codelet_factors.size()>([&](auto i) {
    constexpr CodeletFactors factors = codelet_factors[i];
    if constexpr (has_two_steps<Real>(factors))
      if (n == Index{factors.a} * factors.b)
        codelet = std::make_unique<ComplexCodelet<Real, factors.a, factors.b>>(backward);
  });
  return codelet;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
