// SPDX-License-Identifier: BSD-3-Clause
// The steps before and after the complex transforms of sequences (see real_kernels.hpp): one step
// of a radix R, where lanes are columns.
//
// Forward, with a_q the transform of sequence q and w = exp(-2 pi i / n), n = R m,
//   X[k + m j] = sum_q w_R^(q j) w^(q k) a_q[k],
// for k = 0 ... m/2 and all j. These are all coefficients, or their conjugates. The backward step
// is the inverse in reverse order. Compiled once for each instruction set.
#include <complex>
#include <vector>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/coefficients-inl.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/sequence_blocks-inl.hpp"

#if defined(SIXSTEP_LOCAL_REAL_SEQUENCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_SEQUENCES_INL
#undef SIXSTEP_LOCAL_REAL_SEQUENCES_INL
#else
#define SIXSTEP_LOCAL_REAL_SEQUENCES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

// The step of radix R, or of any radix if R is 0. All radices but 2 share one compiled version.

template <int R, class Real>
HWY_INLINE int radix_of(Sequences<Real> const& z) {
  return R == 0 ? z.radix : R;
}
template <int R>
inline constexpr int most_sequences = R == 0 ? largest_sequence_radix : R;

template <int R, class Real>
HWY_NOINLINE void butterfly_in_memory(Complex<Real>* x) {
  Complex<Real> y[R];
  HWY_UNROLL(16)
  for (int i = 0; i < R; ++i) y[i] = x[i];
  butterfly<R>(y);
  HWY_UNROLL(16)
  for (int i = 0; i < R; ++i) x[i] = y[i];
}

template <int R, class Real>
HWY_INLINE void any_butterfly(int radix, Complex<Real>* x) {
  if constexpr (R > 0) return butterfly<R>(x);
  switch (radix) {
    case 3:
      return butterfly_in_memory<3>(x);
    case 5:
      return butterfly_in_memory<5>(x);
    case 7:
      return butterfly_in_memory<7>(x);
    case 11:
      return butterfly_in_memory<11>(x);
    case 13:
      return butterfly_in_memory<13>(x);
    default:;  // 1
  }
}

/// Twice the transforms of all sequences at row k, from those of the complex sequences at rows k
/// and `mirror`, which is -k.
template <int R, class Real>
HWY_INLINE void take_apart(Sequences<Real> const& z, Index k, Index mirror, Index c, Index count,
                           Complex<Real>* a) {
  Tag<Real> const d;
  int const radix = radix_of<R>(z);
  for (int q = 0; q < radix; q += 2) {
    Complex<Real> const x = get_parts<Real>(z.at(k, q / 2, c, count), count);
    if (q + 1 == radix) {
      a[q] = {hn::Add(x.re, x.re), k == 0 ? hn::Zero(d) : hn::Add(x.im, x.im)};
    } else {
      Complex<Real> const y = get_parts<Real>(z.at(mirror, q / 2, c, count), count);
      a[q] = {hn::Add(x.re, y.re), hn::Sub(x.im, y.im)};
      a[q + 1] = {hn::Add(x.im, y.im), hn::Sub(y.re, x.re)};
    }
  }
}

/// The inverse of take_apart().
template <int R, class Real>
HWY_INLINE void put_together(Complex<Real> const* a, Sequences<Real> const& z, Index k,
                             Index mirror, Index c, Index count) {
  Tag<Real> const d;
  int const radix = radix_of<R>(z);
  for (int q = 0; q < radix; q += 2) {
    Complex<Real> const first = a[q];
    Complex<Real> const second = q + 1 < radix ? a[q + 1] : Complex<Real>{hn::Zero(d), hn::Zero(d)};
    put_parts<Real>(plus_i(first, second), z.at(k, q / 2, c, count), count);
    if (mirror != k)
      put_parts<Real>({hn::Add(first.re, second.im), hn::Sub(second.re, first.im)},
                      z.at(mirror, q / 2, c, count), count);
  }
}

/// Passes all coefficients to `sink`, multiplied by 2.
template <int R, class Real, class Sink>
HWY_NOINLINE void analyse(Sequences<Real> const& block, std::complex<Real> const* factors,
                          Sink const& sink) {
  Sequences<Real> const z = block;
  int const radix = radix_of<R>(z);
  Index const m = z.rows, n = radix * m;
  for (Index k = 0; 2 * k <= m; ++k, factors += radix - 1) {
    Index const mirror = k == 0 ? 0 : m - k;
    typename Sink::Place places[most_sequences<R>];
    for (int j = 0; j < radix; ++j) {
      Index const place = k + m * j;
      bool const conjugate = 2 * place > n;
      places[j] = sink.at(conjugate ? n - place : place, conjugate);
    }
    for_groups<Real>(
        z.columns, [&](Index c, Index count) HWY_ATTR __attribute__((always_inline)) {
          Complex<Real> a[most_sequences<R>];
          take_apart<R>(z, k, mirror, c, count, a);
          if (k > 0)
            for (int q = 1; q < radix; ++q)
              a[q] = a[q] * broadcast<Real>(factors[q - 1].real(), factors[q - 1].imag());
          any_butterfly<R>(radix, a);
          for (int j = 0; j < radix; ++j) Sink::put(a[j], places[j], c, count);
        });
  }
}

/// Takes all coefficients from `source`.
template <int R, class Real, class Source>
HWY_NOINLINE void synthesise(Source const& source, std::complex<Real> const* factors,
                             Sequences<Real> const& block) {
  Sequences<Real> const z = block;
  int const radix = radix_of<R>(z);
  Index const m = z.rows, n = radix * m;
  for (Index k = 0; 2 * k <= m; ++k, factors += radix - 1) {
    Index const mirror = k == 0 ? 0 : m - k;
    typename Source::Place places[most_sequences<R>];
    for (int j = 0; j < radix; ++j) {
      Index const place = k + m * j;
      bool const conjugate = 2 * place > n;
      places[j] = source.at(conjugate ? n - place : place, conjugate, place == 0 || 2 * place == n);
    }
    for_groups<Real>(
        z.columns, [&](Index c, Index count) HWY_ATTR __attribute__((always_inline)) {
          // A backward butterfly is a forward one with its inputs in another order.
          Complex<Real> a[most_sequences<R>];
          for (int j = 0; j < radix; ++j)
            a[j == 0 ? 0 : radix - j] = Source::get(places[j], c, count);
          any_butterfly<R>(radix, a);
          for (int q = 1; q < radix; ++q)
            a[q] = a[q] * broadcast<Real>(factors[q - 1].real(), -factors[q - 1].imag());
          put_together<R>(a, z, k, mirror, c, count);
        });
  }
}

template <class Real, class Sink>
void analyse_all(Sequences<Real> const& z, std::vector<std::complex<Real>> const& factors,
                 Sink const& sink) {
  if (z.radix == 2)
    analyse<2>(z, factors.data(), sink);
  else
    analyse<0>(z, factors.data(), sink);
}

template <class Real, class Source>
void synthesise_all(Source const& source, std::vector<std::complex<Real>> const& factors,
                    Sequences<Real> const& z) {
  if (z.radix == 2)
    synthesise<2>(source, factors.data(), z);
  else
    synthesise<0>(source, factors.data(), z);
}

template <class Real>
void split_sequences(Sequences<Real> const& z, std::vector<std::complex<Real>> const& factors,
                     Real scale, Columns<std::complex<Real>> const& to) {
  if (is_single(z)) {
    for (Index k = 0; 2 * k <= z.rows; ++k) {
      Real const im = k == 0 ? 0 : z.data[2 * k + 1];
      to.data[to.row[k]] = {scale * z.data[2 * k], scale * im};
    }
    return;
  }
  analyse_all(z, factors, CoefficientSink<Real>{to, scale / 2});
}

template <class Real>
void join_sequences(Columns<std::complex<Real> const> const& from,
                    std::vector<std::complex<Real>> const& factors, Real scale,
                    Sequences<Real> const& z) {
  if (is_single(z)) {
    for (Index k = 0; 2 * k <= z.rows; ++k) {
      std::complex<Real> const x = from.data[from.row[k]];
      Real const re = scale * x.real(), im = k == 0 ? 0 : scale * x.imag();
      Index const mirror = k == 0 ? 0 : z.rows - k;
      z.data[2 * mirror] = z.data[2 * k] = re;
      z.data[2 * mirror + 1] = -im;
      z.data[2 * k + 1] = im;
    }
    return;
  }
  synthesise_all(CoefficientSource<Real>{from, scale}, factors, z);
}

template <class Real>
void mix_sequences(Sequences<Real> const& z, std::vector<std::complex<Real>> const& factors,
                   std::vector<Outputs<Real>> const& outputs, Real scale, Columns<Real> const& to) {
  analyse_all(z, factors, OutputSink<Real>{outputs, to, scale / 2});
}

template <class Real>
void spread_sequences(Columns<Real const> const& from,
                      std::vector<local::Spread<Real>> const& spreads,
                      std::vector<std::complex<Real>> const& factors, Real scale,
                      Sequences<Real> const& z) {
  synthesise_all(SpreadSource<Real>{spreads, from, scale}, factors, z);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
