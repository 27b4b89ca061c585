// SPDX-License-Identifier: BSD-3-Clause
// Passes of a real radix, and the functions that compute coefficients from their results and the
// reverse (real_kernels.hpp explains real transforms by passes). Lanes are columns, and all groups
// are full. Compiled once for each instruction set.
#include <complex>
#include <type_traits>
#include <utility>

#include "local/kernels/coefficients-inl.hpp"
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

/// Calls body(coefficient, conjugate, row), the result of RealPass::coefficient(), for all rows of
/// the complex columns of a pass.
template <class Real, class Body>
HWY_INLINE void for_rows(RealPass<Real> const& pass, Index n, Body const& body) {
  for (Index q = 0; q < pass.rows; ++q)
    for (Index k = 1; k <= pass.count(); ++k) {
      auto const [number, conjugate, row] = pass.coefficient(k, q, n, lanes<Real>);
      body(number, conjugate, row);
    }
}

// The last pass leaves X[0] if n is odd. If n is even, it leaves two reals whose sum and difference
// are X[0] and X[n/2].

template <class Real>
void turn_sums(RealPass<Real> const& last, Index groups, RealBlock<Real> const& block) {
  Tag<Real> const d;
  Real* sums = block.sums + last.sums;
  if (last.left == 1) return;
  for (Index g = 0; g < groups; ++g, sums += 2 * lanes<Real>) {
    Vector<Real> const a = hn::Load(d, sums), b = hn::Load(d, sums + lanes<Real>);
    hn::Store(hn::Add(a, b), d, sums);
    hn::Store(hn::Sub(a, b), d, sums + lanes<Real>);
  }
}

/// Transforms the complex columns of a `single` pass, which have R points each, and stores the
/// coefficients.
template <int R, class Real, class Sink>
HWY_NOINLINE void put_transformed(RealPass<Real> const& pass, Index n, Real const* block,
                                  Index groups, Sink const& sink, Index sink_group) {
  constexpr Index L = lanes<Real>;
  Index const group = pass.count() * pass.column;
  for (Index k = 1; k <= pass.count(); ++k) {
    decltype(sink.at(0, false)) places[R];
    for (Index q = 0; q < R; ++q) {
      auto const [number, conjugate, row] = pass.coefficient(k, q, n, L);
      places[q] = sink.at(number, conjugate);
    }
    Real const* from = block + pass.columns + (k - 1) * pass.column;
    for (Index g = 0; g < groups; ++g, from += group) {
      Complex<Real> x[R];
      HWY_UNROLL(16)
      for (int q = 0; q < R; ++q) x[q] = load_row(from + q * row_reals<Real>);
      butterfly<R, Eighths::last>(x);
      HWY_UNROLL(16)
      for (int q = 0; q < R; ++q) Sink::put(x[q], places[q], g * sink_group, L);
    }
  }
}

/// The inverse. Backward results come in reverse order.
template <int R, class Real, class Source>
HWY_NOINLINE void get_transformed(Source const& source, Index source_group,
                                  RealPass<Real> const& pass, Index n, Real* block, Index groups) {
  constexpr Index L = lanes<Real>;
  Index const group = pass.count() * pass.column;
  for (Index k = 1; k <= pass.count(); ++k) {
    decltype(source.at(0, false, false)) places[R];
    for (Index q = 0; q < R; ++q) {
      auto const [number, conjugate, row] = pass.coefficient(k, q, n, L);
      places[q] = source.at(number, conjugate, false);
    }
    Real* to = block + pass.columns + (k - 1) * pass.column;
    for (Index g = 0; g < groups; ++g, to += group) {
      Complex<Real> x[R];
      HWY_UNROLL(16)
      for (int q = 0; q < R; ++q) x[q] = Source::get(places[q], g * source_group, L);
      butterfly<R, Eighths::last>(x);
      HWY_UNROLL(16)
      for (int q = 0; q < R; ++q) store_row(x[q], to + (R - q) % R * row_reals<Real>);
    }
  }
}

/// Calls body.operator()<R>() for the R in single_butterflies that equals `radix`.
template <class Body>
HWY_INLINE void for_single(Index radix, Body const& body) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)((radix == single_butterflies[i] &&
            (body.template operator()<single_butterflies[i]>(), true)) ||
           ...);
  }
  (std::make_index_sequence<single_butterflies.size()>());
}

template <class Real, class Sink>
HWY_INLINE void put_coefficients(RealPasses<Real> const& passes, RealBlock<Real> const& block,
                                 Index groups, Sink const& sink, Index sink_group) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  for (RealPass<Real> const& pass : passes.list) {
    if constexpr (Sink::transforms)
      if (pass.single) {
        for_single(pass.rows, [&]<int R>() {
          put_transformed<R>(pass, passes.n, block.before, groups, sink, sink_group);
        });
        continue;
      }
    Real const* const first = block.results(pass);
    Index const group = pass.count() * pass.column;
    for_rows(
        pass,
        passes.n, [&](Index k, bool conjugate, Index row) HWY_ATTR __attribute__((always_inline)) {
          auto const place = sink.at(k, conjugate);
          for (Index g = 0; g < groups; ++g)
            Sink::put(load_row(first + row + g * group), place, g * sink_group, L);
        });
  }
  RealPass<Real> const& last = passes.list.back();
  turn_sums(last, groups, block);
  for (Index i = 0; i < last.left; ++i) {
    auto const place = sink.at(i * (passes.n / 2), false);
    Real const* const sums = block.sums + last.sums + i * L;
    for (Index g = 0; g < groups; ++g)
      Sink::put({hn::Load(d, sums + g * last.left * L), hn::Zero(d)}, place, g * sink_group, L);
  }
}

template <class Real, class Source>
HWY_INLINE void get_coefficients(Source const& source, Index source_group,
                                 RealPasses<Real> const& passes, RealBlock<Real> const& block,
                                 Index groups) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  for (RealPass<Real> const& pass : passes.list) {
    if constexpr (Source::transforms)
      if (pass.single) {
        for_single(pass.rows, [&]<int R>() {
          get_transformed<R>(source, source_group, pass, passes.n, block.after, groups);
        });
        continue;
      }
    Index const group = pass.count() * pass.column;
    for_rows(
        pass,
        passes.n, [&](Index k, bool conjugate, Index row) HWY_ATTR __attribute__((always_inline)) {
          auto const place = source.at(k, conjugate, false);
          for (Index g = 0; g < groups; ++g)
            store_row(Source::get(place, g * source_group, L), block.before + row + g * group);
        });
  }
  RealPass<Real> const& last = passes.list.back();
  for (Index i = 0; i < last.left; ++i) {
    auto const place = source.at(i * (passes.n / 2), false, true);
    Real* const sums = block.sums + last.sums + i * L;
    for (Index g = 0; g < groups; ++g)
      hn::Store(Source::get(place, g * source_group, L).re, d, sums + g * last.left * L);
  }
  turn_sums(last, groups, block);
}

// Rows of coefficients without factors. Their readers ignore the imaginary part of a real
// coefficient.

template <class Scalar>
struct NumberRow {
  Scalar* row;
  std::remove_const_t<Scalar> sign;  // of the imaginary part
};

template <class Real>
struct NumberSink {
  static constexpr bool transforms = true;  // columns of `single` passes
  Columns<std::complex<Real>> to;

  NumberRow<Real> at(Index k, bool conjugate) const {
    return {reinterpret_cast<Real*>(to.data + to.row[k]), conjugate ? Real{-1} : Real{1}};
  }
  HWY_INLINE static void put(Complex<Real> x, NumberRow<Real> const& place, Index c, Index) {
    x.im = hn::Mul(x.im, hn::Set(Tag<Real>(), place.sign));
    put_complex<Real>(x, place.row + 2 * c);
  }
};

template <class Real>
struct NumberSource {
  static constexpr bool transforms = true;
  Columns<std::complex<Real> const> from;

  NumberRow<Real const> at(Index k, bool conjugate, bool) const {
    return {reinterpret_cast<Real const*>(from.data + from.row[k]), conjugate ? Real{-1} : Real{1}};
  }
  HWY_INLINE static Complex<Real> get(NumberRow<Real const> const& place, Index c, Index) {
    Complex<Real> const x = get_complex<Real>(place.row + 2 * c);
    return {x.re, hn::Mul(x.im, hn::Set(Tag<Real>(), place.sign))};
  }
};

template <class Real>
void put_numbers_of(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
                    Columns<std::complex<Real>> const& to, Index group) {
  put_coefficients(passes, block, groups, NumberSink<Real>{to}, group);
}

template <class Real>
void put_outputs_of(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
                    std::vector<Outputs<Real>> const& outputs, Columns<Real> const& to,
                    Index group) {
  put_coefficients(passes, block, groups, OutputSink<Real>{outputs, to, 1}, group);
}

template <class Real>
void get_numbers_of(Columns<std::complex<Real> const> const& from, Index group,
                    RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups) {
  get_coefficients(NumberSource<Real>{from}, group, passes, block, groups);
}

template <class Real>
void get_spreads_of(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                    Index group, RealPasses<Real> const& passes, RealBlock<Real> const& block,
                    Index groups) {
  get_coefficients(SpreadSource<Real>{spreads, from, 1}, group, passes, block, groups);
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
