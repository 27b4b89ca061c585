// SPDX-License-Identifier: BSD-3-Clause
// Sources and sinks for the coefficients of real transforms: rows of coefficients, or reals made of
// them. Lanes are columns. Compiled once for each instruction set.
#include <complex>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/kernels/sequence_blocks-inl.hpp"

#if defined(SIXSTEP_LOCAL_COEFFICIENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COEFFICIENTS_INL
#undef SIXSTEP_LOCAL_COEFFICIENTS_INL
#else
#define SIXSTEP_LOCAL_COEFFICIENTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

// Sinks. at() is the place of a coefficient; `conjugate` if its conjugate is stored there.

/// Rows of coefficients.
template <class Real>
struct CoefficientSink {
  Columns<std::complex<Real>> to;
  Real scale;

  struct Place {
    Real* row;
    Real re, im;
  };
  Place at(Index k, bool conjugate) const {
    return {reinterpret_cast<Real*>(to.data + to.row[k]), scale, conjugate ? -scale : scale};
  }
  HWY_INLINE static void put(Complex<Real> x, Place const& place, Index c, Index count) {
    Tag<Real> const d;
    put_numbers<Real>({hn::Mul(x.re, hn::Set(d, place.re)), hn::Mul(x.im, hn::Set(d, place.im))},
                      place.row + 2 * c, count);
  }
};

/// The reals made of coefficients.
template <class Real>
struct OutputSink {
  std::vector<Outputs<Real>> const& outputs;
  Columns<Real> to;
  Real scale;

  struct Place {
    Real* rows[2];
    Real re[2], im[2];
  };
  Place at(Index k, bool conjugate) const {
    Place place{};
    for (int i = 0; i < 2; ++i) {
      Output<Real> const& output =
          outputs[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
      if (output.row < 0) continue;
      place.rows[i] = to.data + to.row[output.row];
      place.re[i] = scale * output.re;
      place.im[i] = scale * (conjugate ? -output.im : output.im);
    }
    return place;
  }
  HWY_INLINE static void put(Complex<Real> x, Place const& place, Index c, Index count) {
    Tag<Real> const d;
    for (int i = 0; i < 2; ++i)
      if (place.rows[i] != nullptr)
        put_reals<Real>(
            mul_add(x.re, hn::Set(d, place.re[i]), hn::Mul(x.im, hn::Set(d, place.im[i]))),
            place.rows[i] + c, count);
  }
};

// Sources, with the same at(). The imaginary parts of coefficients that are `real` are ignored.

template <class Real>
struct CoefficientSource {
  Columns<std::complex<Real> const> from;
  Real scale;

  struct Place {
    Real const* row;
    Real re, im;
    bool real;
  };
  Place at(Index k, bool conjugate, bool real) const {
    return {reinterpret_cast<Real const*>(from.data + from.row[k]), scale,
            conjugate ? -scale : scale, real};
  }
  HWY_INLINE static Complex<Real> get(Place const& place, Index c, Index count) {
    Tag<Real> const d;
    Complex<Real> const x = get_numbers(place.row + 2 * c, count);
    return {hn::Mul(x.re, hn::Set(d, place.re)),
            place.real ? hn::Zero(d) : hn::Mul(x.im, hn::Set(d, place.im))};
  }
};

template <class Real>
struct SpreadSource {
  std::vector<local::Spread<Real>> const& spreads;
  Columns<Real const> from;
  Real scale;

  struct Place {
    Real const* a;
    Real const* b;
    Real cosine, sine;
    Real sign;  // of the imaginary part
    bool real;
  };
  Place at(Index k, bool conjugate, bool real) const {
    local::Spread<Real> const& by = spreads[static_cast<std::size_t>(k)];
    return {from.data + from.row[by.a],
            from.data + from.row[by.b],
            scale * by.cosine,
            scale * by.sine,
            conjugate ? Real{-1} : Real{1},
            real};
  }
  // (a - i b) (cosine + i sine).
  HWY_INLINE static Complex<Real> get(Place const& place, Index c, Index count) {
    Tag<Real> const d;
    Vector<Real> const a = get_reals(place.a + c, count);
    Vector<Real> const b = get_reals(place.b + c, count);
    Vector<Real> const cosine = hn::Set(d, place.cosine);
    Vector<Real> const sine = hn::Set(d, place.sine);
    Vector<Real> const re = mul_add(a, cosine, hn::Mul(b, sine));
    if (place.real) return {re, hn::Zero(d)};
    Vector<Real> const im = negated_mul_add(b, cosine, hn::Mul(a, sine));
    return {re, hn::Mul(im, hn::Set(d, place.sign))};
  }
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
