// SPDX-License-Identifier: BSD-3-Clause
// The functions that compute coefficients from the results of passes of real radices, and the
// reverse (real_kernels.hpp explains real transforms by passes). Lanes are columns, and all groups
// are full. Compiled once for each instruction set.
#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/coefficients-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_PASS_COEFFICIENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_PASS_COEFFICIENTS_INL
#undef SIXSTEP_LOCAL_PASS_COEFFICIENTS_INL
#else
#define SIXSTEP_LOCAL_PASS_COEFFICIENTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

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

/// Calls body.operator()<R>() for the R in column_butterflies that equals `radix`.
template <class Body>
HWY_INLINE void for_butterfly(Index radix, Body const& body) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)((radix == column_butterflies[i] &&
            (body.template operator()<column_butterflies[i]>(), true)) ||
           ...);
  }
  (std::make_index_sequence<column_butterflies.size()>());
}

// A complex column of A B points, A = inner: butterflies of A points B rows apart, in place, and of
// B points in adjacent rows, with twiddles between them. The latter are those that put() computes
// last and get() first.

template <int A, class Real>
HWY_NOINLINE void inner_butterflies(Real* column, Index apart) {
  for (Index p = 0; p < apart; ++p, column += row_reals<Real>) {
    Complex<Real> x[A];
    HWY_UNROLL(16)
    for (int q = 0; q < A; ++q) x[q] = load_row(column + q * apart * row_reals<Real>);
    butterfly<A, Eighths::last>(x);
    HWY_UNROLL(16)
    for (int q = 0; q < A; ++q) store_row(x[q], column + q * apart * row_reals<Real>);
  }
}

/// Column k of a pass for all groups.
template <class Real>
HWY_INLINE void transform_inner(RealPass<Real> const& pass, Real* column, Index groups) {
  Index const group = pass.count() * pass.column;
  for_butterfly(pass.inner, [&]<int A>() {
    for (Index g = 0; g < groups; ++g) inner_butterflies<A>(column + g * group, pass.rows / A);
  });
}

template <int R, class Real>
HWY_INLINE void times_twiddles(std::complex<Real> const* twiddles, Complex<Real>* x) {
  HWY_UNROLL(16)
  for (int p = 1; p < R; ++p)
    x[p] = x[p] * broadcast<Real>(twiddles[p - 1].real(), twiddles[p - 1].imag());
}

/// Transforms the complex columns of a pass, and stores the coefficients. R: rows / inner; `whole`:
/// inner is 1.
template <int R, bool whole, class Real, class Sink>
HWY_NOINLINE void put_transformed(RealPass<Real> const& pass, Index n, Real* block, Index groups,
                                  Sink const& sink, Index sink_group) {
  constexpr Index L = lanes<Real>;
  Index const group = pass.count() * pass.column, inner = whole ? 1 : pass.inner;
  for (Index k = 1; k <= pass.count(); ++k) {
    Real* const column = block + pass.columns + (k - 1) * pass.column;
    if constexpr (!whole) transform_inner(pass, column, groups);
    for (Index q = 0; q < inner; ++q) {
      decltype(sink.at(0, false)) places[R];
      for (Index r = 0; r < R; ++r) {
        auto const [number, conjugate, row] = pass.coefficient(k, q + inner * r, n, L);
        places[r] = sink.at(number, conjugate);
      }
      Real const* from = column + q * R * row_reals<Real>;
      std::complex<Real> const* const twiddles = pass.inner_twiddles.data() + q * (R - 1);
      for (Index g = 0; g < groups; ++g, from += group) {
        Complex<Real> x[R];
        HWY_UNROLL(16)
        for (int p = 0; p < R; ++p) x[p] = load_row(from + p * row_reals<Real>);
        if constexpr (!whole) times_twiddles<R>(twiddles, x);
        butterfly<R, Eighths::last>(x);
        HWY_UNROLL(16)
        for (int r = 0; r < R; ++r) Sink::put(x[r], places[r], g * sink_group, L);
      }
    }
  }
}

/// The inverse: the forward transform of the coefficients in reverse order.
template <int R, bool whole, class Real, class Source>
HWY_NOINLINE void get_transformed(Source const& source, Index source_group,
                                  RealPass<Real> const& pass, Index n, Real* block, Index groups) {
  constexpr Index L = lanes<Real>;
  Index const group = pass.count() * pass.column, inner = whole ? 1 : pass.inner;
  for (Index k = 1; k <= pass.count(); ++k) {
    Real* const column = block + pass.columns + (k - 1) * pass.column;
    for (Index q = 0; q < inner; ++q) {
      decltype(source.at(0, false, false)) places[R];
      for (Index r = 0; r < R; ++r) {
        Index const reversed = q == 0 && r == 0 ? 0 : pass.rows - q - inner * r;
        auto const [number, conjugate, row] = pass.coefficient(k, reversed, n, L);
        places[r] = source.at(number, conjugate, false);
      }
      Real* to = column + q * R * row_reals<Real>;
      std::complex<Real> const* const twiddles = pass.inner_twiddles.data() + q * (R - 1);
      for (Index g = 0; g < groups; ++g, to += group) {
        Complex<Real> x[R];
        HWY_UNROLL(16)
        for (int r = 0; r < R; ++r) x[r] = Source::get(places[r], g * source_group, L);
        butterfly<R, Eighths::last>(x);
        if constexpr (!whole) times_twiddles<R>(twiddles, x);
        HWY_UNROLL(16)
        for (int p = 0; p < R; ++p) store_row(x[p], to + p * row_reals<Real>);
      }
    }
    if constexpr (!whole) transform_inner(pass, column, groups);
  }
}

template <class Real, class Sink>
HWY_INLINE void put_coefficients(RealPasses<Real> const& passes, RealBlock<Real> const& block,
                                 Index groups, Sink const& sink, Index sink_group) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  for (RealPass<Real> const& pass : passes.list) {
    if (pass.inner > 0) {
      for_butterfly(pass.rows / pass.inner, [&]<int R>() {
        (pass.inner == 1 ? put_transformed<R, true, Real, Sink>
                         : put_transformed<R, false, Real, Sink>)(pass, passes.n, block.before,
                                                                  groups, sink, sink_group);
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
    if (pass.inner > 0) {
      for_butterfly(pass.rows / pass.inner, [&]<int R>() {
        (pass.inner == 1 ? get_transformed<R, true, Real, Source>
                         : get_transformed<R, false, Real, Source>)(source, source_group, pass,
                                                                    passes.n, block.after, groups);
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

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
