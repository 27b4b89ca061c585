// SPDX-License-Identifier: BSD-3-Clause
// Passes of a real radix (real_kernels.hpp explains real transforms by passes). Lanes are columns,
// and all groups are full. Compiled once for each instruction set.
#include <complex>
#include <type_traits>

#include "local/kernels/real_butterflies-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_REAL_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_PASSES_INL
#undef SIXSTEP_LOCAL_REAL_PASSES_INL
#else
#define SIXSTEP_LOCAL_REAL_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The R rows of a butterfly on the side of the reals, with their factors.
template <int R, class Real, class Scalar>
struct ButterflyRows {
  Scalar* row[R];
  RowPlace<Real> const* places;
  Index m;
  Real scale;
  Index scaled;

  HWY_INLINE ButterflyRows(RealRows<Scalar> const& rows, Index p, Index apart)
      : places(rows.places != nullptr ? rows.places + p : nullptr),
        m(apart),
        scale(rows.scale),
        scaled(rows.scaled ? 1 : 0) {
    HWY_UNROLL(16)
    for (int j = 0; j < R; ++j)
      row[j] = rows.data + (places != nullptr ? places[m * j].offset : (p + m * j) * rows.step);
  }

  /// Multiplies by the factors if there are any. A branch costs less than a product; see Scale.
  HWY_INLINE void scale_rows(Vector<Real>* x) const {
    if (unknown(scaled) == 0) return;
    HWY_UNROLL(16)
    for (int j = 0; j < R; ++j)
      x[j] = hn::Mul(x[j], hn::Set(Tag<Real>(), places != nullptr ? places[m * j].factor : scale));
  }
};

template <int R, class Real>
HWY_NOINLINE void analyse_rows(RealPass<Real> const& pass, RealRows<Real const> const& from,
                               Index groups, RealBlock<Real> const& block) {
  constexpr int H = (R - 1) / 2;
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  // Copies, because the compiler takes it that stores of vectors change the pass.
  Index const column = pass.column, m = pass.rows, left = pass.left * L, group = from.group;
  std::complex<Real> const* twiddles = pass.twiddles.data();
  for (Index p = 0; p < m; ++p, twiddles += H) {
    ButterflyRows<R, Real, Real const> const rows(from, p, m);
    Real* to = block.before + pass.columns + p * row_reals<Real>;
    Real* sums = block.sums + pass.sums + p * L;
    for (Index g = 0; g < groups; ++g) {
      Vector<Real> x[R], s[2];
      Complex<Real> y[H + 1];
      HWY_UNROLL(16)
      for (int j = 0; j < R; ++j) x[j] = hn::LoadU(d, rows.row[j] + g * group);
      rows.scale_rows(x);
      real_butterfly<R, Real>(x, s, y);
      if (unknown(p) > 0) {
        HWY_UNROLL(8)
        for (int k = 1; k <= H; ++k)
          y[k] = y[k] * broadcast<Real>(twiddles[k - 1].real(), twiddles[k - 1].imag());
      }
      HWY_UNROLL(8)
      for (int k = 1; k <= H; ++k, to += column) store_row(y[k], to);
      hn::Store(s[0], d, sums);
      if constexpr (R % 2 == 0) hn::Store(s[1], d, sums + m * L);
      sums += left;
    }
  }
}

template <int R, class Real>
HWY_NOINLINE void synthesise_rows(RealPass<Real> const& pass, RealBlock<Real> const& block,
                                  Index groups, RealRows<Real> const& out) {
  constexpr int H = (R - 1) / 2;
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  Index const column = pass.column, m = pass.rows, left = pass.left * L, group = out.group;
  std::complex<Real> const* twiddles = pass.twiddles.data();
  for (Index p = 0; p < m; ++p, twiddles += H) {
    ButterflyRows<R, Real, Real> const rows(out, p, m);
    Real const* from = block.results(pass) + pass.columns + p * row_reals<Real>;
    Real const* sums = block.sums + pass.sums + p * L;
    for (Index g = 0; g < groups; ++g) {
      Vector<Real> x[R], s[2];
      Complex<Real> y[H + 1];
      s[0] = hn::Load(d, sums);
      if constexpr (R % 2 == 0) s[1] = hn::Load(d, sums + m * L);
      HWY_UNROLL(8)
      for (int k = 1; k <= H; ++k, from += column) y[k] = load_row(from);
      if (unknown(p) > 0) {
        HWY_UNROLL(8)
        for (int k = 1; k <= H; ++k)
          y[k] = y[k] * broadcast<Real>(twiddles[k - 1].real(), -twiddles[k - 1].imag());
      }
      real_butterfly_back<R, Real>(s, y, x);
      rows.scale_rows(x);
      HWY_UNROLL(16)
      for (int j = 0; j < R; ++j) hn::StoreU(x[j], d, rows.row[j] + g * group);
      sums += left;
    }
  }
}

template <class Body>
HWY_INLINE void for_radix(int radix, Body const& body) {
  switch (radix) {
    case 2:
      return body.template operator()<2>();
    case 3:
      return body.template operator()<3>();
    case 4:
      return body.template operator()<4>();
    case 5:
      return body.template operator()<5>();
    case 7:
      return body.template operator()<7>();
    case 8:
      return body.template operator()<8>();
    case 9:
      return body.template operator()<9>();
    case 10:
      return body.template operator()<10>();
    case 11:
      return body.template operator()<11>();
    case 13:
      return body.template operator()<13>();
    case 16:
      return body.template operator()<16>();
    default:;
  }
}

template <class Real>
void analyse_pass(RealPass<Real> const& pass, RealRows<Real const> const& from, Index groups,
                  RealBlock<Real> const& block) {
  for_radix(pass.radix, [&]<int R>() { analyse_rows<R, Real>(pass, from, groups, block); });
}

template <class Real>
void synthesise_pass(RealPass<Real> const& pass, RealBlock<Real> const& block, Index groups,
                     RealRows<Real> const& to) {
  for_radix(pass.radix, [&]<int R>() { synthesise_rows<R, Real>(pass, block, groups, to); });
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
