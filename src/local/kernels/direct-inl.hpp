// SPDX-License-Identifier: BSD-3-Clause
// One pass of a prime radix p by the definition, for primes that have no butterfly and are too
// small for a convolution to pay.
//
// With s_k = x_k + x_(p-k) and d_k = x_k - x_(p-k), k = 1 ... (p - 1)/2,
//   y_j, y_(p-j) = x_0 + sum_k cos(2 pi j k / p) s_k  -+  i sum_k sin(2 pi j k / p) d_k.
// s and d stay in the first-level cache. Several j are summed at the same time, so that each loaded
// vector is multiplied several times. One loop serves all p. Compiled once for each instruction
// set.
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/recipe.hpp"

#if defined(SIXSTEP_LOCAL_DIRECT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_DIRECT_INL
#undef SIXSTEP_LOCAL_DIRECT_INL
#else
#define SIXSTEP_LOCAL_DIRECT_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// How many j are summed at the same time. Each takes four registers; there are 16 (x86 before
/// AVX-512) or 32.
inline constexpr int sums_at_once = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 ? 2 : 3;

/// The transform of p rows of a group, from any rows to rows of this object.
template <class Real>
class DirectTransform {
 public:
  explicit DirectTransform(DirectRoots<Real> const& roots)
      : p_(roots.p), pairs_(roots.p / 2), roots_(roots.values.data()) {}

  /// Transforms the rows at source + k step.
  template <class Source>
  HWY_INLINE void run(Source const& from, Real const* source, Index step) {
    Complex<Real> const x0 = from.load(source);
    store_row(x0, x0_);
    Complex<Real> sum = x0;
    Real* pair = pairs_of_x_;
    for (Index k = 1; k <= pairs_; ++k, pair += pair_reals) {
      Complex<Real> const a = from.load(source + k * step);
      Complex<Real> const b = from.load(source + (p_ - k) * step);
      store_row(a + b, pair);
      store_row(a - b, pair + row_reals<Real>);
      sum = sum + (a + b);
    }
    store_row(sum, y_);
    sum_all();
  }

  /// y_j.
  HWY_INLINE Complex<Real> operator[](Index j) const { return load_row(y_ + j * row_reals<Real>); }

 private:
  static constexpr Index pair_reals = 2 * row_reals<Real>;

  HWY_NOINLINE void sum_all() {
    Index j = 1;
    for (; j + sums_at_once <= pairs_ + 1; j += sums_at_once) sum<sums_at_once>(j);
    sum_rest<sums_at_once - 1>(j);
  }

  template <int count>
  HWY_INLINE void sum_rest(Index j) {
    if constexpr (count > 0) {
      if (pairs_ + 1 - j == count)
        sum<count>(j);
      else
        sum_rest<count - 1>(j);
    }
  }

  /// y_j and y_(p-j) for `count` neighbouring j.
  template <int count>
  HWY_INLINE void sum(Index j) {
    Tag<Real> const d;
    Complex<Real> real[count];
    Complex<Real> imaginary[count];
    HWY_UNROLL(8)
    for (int i = 0; i < count; ++i) {
      real[i] = load_row(x0_);
      imaginary[i] = broadcast<Real>(0, 0);
    }
    Real const* pair = pairs_of_x_;
    Real const* root = roots_ + 2 * (j - 1);
    for (Index k = 1; k <= pairs_; ++k, pair += pair_reals, root += 2 * pairs_) {
      Complex<Real> const s = load_row(pair);
      Complex<Real> const t = load_row(pair + row_reals<Real>);
      HWY_UNROLL(8)
      for (int i = 0; i < count; ++i) {
        auto const cos_jk = hn::Set(d, root[2 * i]);
        auto const sin_jk = hn::Set(d, root[2 * i + 1]);
        real[i] = {mul_add(s.re, cos_jk, real[i].re), mul_add(s.im, cos_jk, real[i].im)};
        imaginary[i] = {mul_add(t.re, sin_jk, imaginary[i].re),
                        mul_add(t.im, sin_jk, imaginary[i].im)};
      }
    }
    HWY_UNROLL(8)
    for (int i = 0; i < count; ++i) {
      store_row(minus_i(real[i], imaginary[i]), y_ + (j + i) * row_reals<Real>);
      store_row(plus_i(real[i], imaginary[i]), y_ + (p_ - j - i) * row_reals<Real>);
    }
  }

  Index p_;
  Index pairs_;        // (p - 1) / 2
  Real const* roots_;  // [k][j][cos, sin]
  HWY_ALIGN Real x0_[row_reals<Real>];
  HWY_ALIGN Real pairs_of_x_[largest_direct / 2 * pair_reals];  // [k][s, d]
  HWY_ALIGN Real y_[largest_direct * row_reals<Real>];
};

/// Like first_pass() and middle_pass().
template <class Real, class Source>
HWY_NOINLINE void direct_pass(Source from, Butterflies<Real> b) {
  Index const p = b.direct->p;
  DirectTransform<Real> y(*b.direct);
  for (Index g = 0; g < b.groups; ++g)
    for (Index block = 0; block < b.blocks; ++block)
      for (Index i = 0; i < b.count; ++i) {
        Index const row = block * b.block_step + i;
        y.run(from, from.at(row, g), b.from_step * from.step);
        Real const* const twiddles = b.twiddles + i * 2 * (p - 1);
        store_row(y[0], b.own.at(row, g));
        for (Index j = 1; j < p; ++j)
          store_row(y[j] * broadcast<Real>(twiddles[j - 1], twiddles[p + j - 2]),
                    b.own.at(row + j * b.step, g));
      }
}

/// Like last_pass().
template <class Real, class Source, class Sink>
HWY_NOINLINE void last_direct_pass(Source from, Blocks<Real> b, Places places, Sink to) {
  Index const p = b.direct->p;
  DirectTransform<Real> y(*b.direct);
  for (Index o = 0; o < b.outer; ++o)
    for (Index q = 0; q < b.blocks; ++q)
      for (Index g = 0; g < b.groups; ++g) {
        y.run(from, from.at(o * b.outer_step + q * b.step, g), from.step);
        Index const k0 = places.of_first_row(o, q);
        to.store(y[0], to.at(k0, g), k0, g);
        for (Index j = 1; j < p; ++j) {
          Index const k = places.of_row(o, q, j);
          to.store(y[j], to.at(k, g), k, g);
        }
      }
}

/// The passes of a prime radix that is computed by the definition.
template <class Real>
RadixKernels<Real> direct_kernels() {
  using Own = OwnRows<Real>;
  using User = UserSource<Real>;
  return {.first = direct_pass<Real, User>,
          .middle = direct_pass<Real, Own>,
          .last = last_direct_pass<Real, Own, Own>,
          .twiddled = last_direct_pass<Real, Own, TwiddledRows<Real>>,
          .to_user = last_direct_pass<Real, Own, UserSink<Real, Unchanged<Real>>>,
          .to_user_twisted = last_direct_pass<Real, Own, UserSink<Real, Twisted<Real>>>,
          .whole = last_direct_pass<Real, User, UserSink<Real, Unchanged<Real>>>};
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
