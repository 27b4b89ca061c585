// SPDX-License-Identifier: BSD-3-Clause
// What goes before and after the complex transform that two real columns are together: first for
// columns that lie side by side, then for contiguous ones.
//
// A vector has V complex numbers. What does not fill a vector is done one by one. Compiled once an
// instruction set.
#include <algorithm>
#include <complex>
#include <vector>

#include "local/kernels/alternating-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_REAL_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_PAIRS_INL
#undef SIXSTEP_LOCAL_REAL_PAIRS_INL
#else
#define SIXSTEP_LOCAL_REAL_PAIRS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// Coefficients k of all columns, at `to`, from rows k and n-k of the pairs, z and w.
template <class Real>
HWY_INLINE void split_row(Real const* z, Real const* w, Index columns, Real scale, Real* to) {
  Index c = 0;  // Reals of z
  if constexpr (complexes < Real >> 0) {
    Tag<Real> const d;
    Vector<Real> const factor = hn::Set(d, scale);
    Vector<Real> const conjugate = alternating(Real{1});
    for (; c + lanes<Real> <= columns; c += lanes<Real>) {
      Vector<Real> const x = hn::LoadU(d, z + c);
      Vector<Real> const y = hn::LoadU(d, w + c);
      Vector<Real> a = hn::Mul(hn::MulAdd(conjugate, y, x), factor);
      Vector<Real> b = hn::Mul(hn::NegMulAdd(conjugate, x, y), factor);
      zip<Real>(a, b);
      hn::StoreU(a, d, to + 2 * c);
      hn::StoreU(b, d, to + 2 * c + lanes<Real>);
    }
  }
  for (; c < columns; c += 2) {
    to[2 * c] = (z[c] + w[c]) * scale;
    to[2 * c + 1] = (z[c + 1] - w[c + 1]) * scale;
    if (c + 1 == columns) return;
    to[2 * c + 2] = (z[c + 1] + w[c + 1]) * scale;
    to[2 * c + 3] = (w[c] - z[c]) * scale;
  }
}

template <class Real>
void split_pairs(Pairs<Real> const& block, Real scale, Columns<std::complex<Real>> const& to_rows) {
  Pairs<Real> const z = block;
  Columns<std::complex<Real>> const to = to_rows;
  for (Index k = 0; k <= z.n / 2; ++k)
    split_row(z.at(k), z.mirror(k), z.columns, scale, reinterpret_cast<Real*>(to.data + to.row[k]));
}

/// Rows k and n-k of the pairs, z and w, from coefficients k of all columns. Where k = n-k modulo n
/// (`own_mirror`) coefficients are real.
template <class Real, bool own_mirror>
HWY_INLINE void join_row(Real const* from, Index columns, Real* z, Real* w) {
  Index c = 0;
  if constexpr (complexes < Real >> 0) {
    Tag<Real> const d;
    Vector<Real> const conjugate = alternating(Real{1});
    for (; c + lanes<Real> <= columns; c += lanes<Real>) {
      Vector<Real> a = hn::LoadU(d, from + 2 * c);
      Vector<Real> b = hn::LoadU(d, from + 2 * c + lanes<Real>);
      unzip<Real>(a, b);
      if constexpr (own_mirror) {
        hn::StoreU(hn::OddEven(b, a), d, z + c);
      } else {
        hn::StoreU(hn::NegMulAdd(conjugate, b, a), d, z + c);
        hn::StoreU(hn::MulAdd(conjugate, a, b), d, w + c);
      }
    }
  }
  for (; c < columns; c += 2) {
    bool const partner = c + 1 < columns;
    Real const a_re = from[2 * c], b_re = partner ? from[2 * c + 2] : 0;
    Real const a_im = own_mirror ? 0 : from[2 * c + 1];
    Real const b_im = own_mirror || !partner ? 0 : from[2 * c + 3];
    z[c] = a_re - b_im;
    z[c + 1] = a_im + b_re;
    w[c] = a_re + b_im;
    w[c + 1] = b_re - a_im;
  }
}

template <class Real>
void join_pairs(Columns<std::complex<Real> const> const& from, Pairs<Real> const& z) {
  for (Index k = 0; k <= z.n / 2; ++k) {
    auto const* const row = reinterpret_cast<Real const*>(from.data + from.row[k]);
    if (k == 0 || 2 * k == z.n)
      join_row<Real, true>(row, z.columns, z.at(k), z.at(k));
    else
      join_row<Real, false>(row, z.columns, z.at(k), z.mirror(k));
  }
}

/// re (Z[k] + Z[n-k]) - i im (Z[k] - Z[n-k]): its real part is the first column's mix, its
/// imaginary part the second one's.
template <class Real>
HWY_INLINE void mix_row(Real const* z, Real const* w, Index columns, Real re, Real im, Real* to) {
  Index c = 0;
  if constexpr (complexes < Real >> 0) {
    Tag<Real> const d;
    Vector<Real> const cosine = hn::Set(d, re);
    Vector<Real> const sine = alternating(im);
    for (; c + lanes<Real> <= columns; c += lanes<Real>) {
      Vector<Real> const x = hn::LoadU(d, z + c);
      Vector<Real> const y = hn::LoadU(d, w + c);
      Vector<Real> const turned = swapped<Real>(hn::Sub(x, y));
      hn::StoreU(hn::MulAdd(sine, turned, hn::Mul(cosine, hn::Add(x, y))), d, to + c);
    }
  }
  for (; c < columns; c += 2) {
    to[c] = re * (z[c] + w[c]) + im * (z[c + 1] - w[c + 1]);
    if (c + 1 < columns) to[c + 1] = re * (z[c + 1] + w[c + 1]) - im * (z[c] - w[c]);
  }
}

template <class Real>
void mix_pairs(Pairs<Real> const& z, std::vector<Mix<Real>> const& mixes, Real scale,
               Columns<Real> const& to) {
  Index k = 0;
  for (Mix<Real> const& mix : mixes)
    mix_row(z.at(mix.row), z.mirror(mix.row), z.columns, scale * mix.re, scale * mix.im,
            to.data + to.row[k++]);
}

/// Z[k] = w (a - i b) and Z[n-k] = conj(w) (a + i b), w = cosine + i sine.
template <class Real>
HWY_INLINE void spread_row(Real const* a, Real const* b, Index columns, Spread<Real> const& by,
                           Real* z, Real* w) {
  Index c = 0;
  if constexpr (complexes < Real >> 0) {
    Tag<Real> const d;
    Vector<Real> const cosine = hn::Set(d, by.cosine);
    Vector<Real> const sine = alternating(by.sine);
    Vector<Real> const conjugate = alternating(Real{1});
    for (; c + lanes<Real> <= columns; c += lanes<Real>) {
      Vector<Real> const x = hn::LoadU(d, a + c);
      Vector<Real> const y = swapped<Real>(hn::LoadU(d, b + c));
      Vector<Real> const minus = hn::MulAdd(conjugate, y, x);
      Vector<Real> const plus = hn::NegMulAdd(conjugate, y, x);
      hn::StoreU(hn::NegMulAdd(sine, swapped<Real>(minus), hn::Mul(cosine, minus)), d, z + c);
      hn::StoreU(hn::MulAdd(sine, swapped<Real>(plus), hn::Mul(cosine, plus)), d, w + c);
    }
  }
  for (; c < columns; c += 2) {
    bool const partner = c + 1 < columns;
    Real const a_im = partner ? a[c + 1] : 0, b_im = partner ? b[c + 1] : 0;
    Real const minus_re = a[c] + b_im, minus_im = a_im - b[c];
    Real const plus_re = a[c] - b_im, plus_im = a_im + b[c];
    z[c] = by.cosine * minus_re - by.sine * minus_im;
    z[c + 1] = by.cosine * minus_im + by.sine * minus_re;
    w[c] = by.cosine * plus_re + by.sine * plus_im;
    w[c + 1] = by.cosine * plus_im - by.sine * plus_re;
  }
}

template <class Real>
void spread_pairs(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                  Pairs<Real> const& z) {
  // Of coefficient 0 only the real part counts, which is the first element.
  Real const* const first = from.data + from.row[spreads[0].a];
  for (Index c = 0; c < z.columns + z.columns % 2; ++c) z.data[c] = c < z.columns ? first[c] : 0;
  for (Index k = 1; k <= z.n / 2; ++k) {
    Spread<Real> const& by = spreads[static_cast<std::size_t>(k)];
    spread_row(from.data + from.row[by.a], from.data + from.row[by.b], z.columns, by, z.at(k),
               z.mirror(k));
  }
}

// Contiguous pairs of columns.

/// Calls vector(k), which does `width` elements from k on, until all of [first, end) are done; the
/// last call may do some of them again. If there are fewer than `width`, calls single(k) for each.
template <Index width, class Vector, class Single>
HWY_INLINE void for_vectors(Index first, Index end, Vector const& vector, Single const& single) {
  if constexpr (width > 0) {
    if (end - first >= width) {
      for (Index k = first; k < end; k += width) vector(std::min(k, end - width));
      return;
    }
  }
  for (Index k = first; k < end; ++k) single(k);
}

template <class Real>
HWY_INLINE void zip_column(Real const* a, Real const* b, Index n, std::complex<Real>* z) {
  constexpr Index width = 1 < lanes<Real> ? lanes<Real> : 0;
  for_vectors<width>(
      0, n,
      [&](Index j) HWY_ATTR {
        if constexpr (width > 0) {
          Tag<Real> const d;
          put_complex<Real>({hn::LoadU(d, a + j), hn::LoadU(d, b + j)},
                            reinterpret_cast<Real*>(z + j));
        }
      },
      [&](Index j) {
        z[j] = {a[j], b[j]};
      });
}

template <class Real>
HWY_INLINE void unzip_column(std::complex<Real> const* z, Index n, Real* a, Real* b) {
  constexpr Index width = 1 < lanes<Real> ? lanes<Real> : 0;
  for_vectors<width>(
      0, n,
      [&](Index j) HWY_ATTR {
        if constexpr (width > 0) {
          Tag<Real> const d;
          Complex<Real> const both = get_complex<Real>(reinterpret_cast<Real const*>(z + j));
          hn::StoreU(both.im, d, b + j);
          hn::StoreU(both.re, d, a + j);
        }
      },
      [&](Index j) {
        b[j] = z[j].imag();
        a[j] = z[j].real();
      });
}

template <class Real>
HWY_INLINE void split_column(std::complex<Real> const* z, Index n, Real scale,
                             std::complex<Real>* a, std::complex<Real>* b) {
  constexpr Index V = complexes<Real>;
  b[0] = 2 * scale * z[0].imag();
  a[0] = 2 * scale * z[0].real();
  for_vectors<V>(
      1, n / 2 + 1,
      [&](Index k) HWY_ATTR {
        if constexpr (V > 0) {
          Tag<Real> const d;
          Vector<Real> const factor = hn::Set(d, scale);
          Vector<Real> const conjugate = alternating(Real{1});
          Vector<Real> const x = hn::LoadU(d, reinterpret_cast<Real const*>(z + k));
          Vector<Real> const y =
              reversed<Real>(hn::LoadU(d, reinterpret_cast<Real const*>(z + n - k - V + 1)));
          hn::StoreU(swapped<Real>(hn::Mul(hn::NegMulAdd(conjugate, x, y), factor)), d,
                     reinterpret_cast<Real*>(b + k));
          hn::StoreU(hn::Mul(hn::MulAdd(conjugate, y, x), factor), d,
                     reinterpret_cast<Real*>(a + k));
        }
      },
      [&](Index k) {
        std::complex<Real> const x = z[k], y = z[n - k];
        b[k] = {scale * (x.imag() + y.imag()), scale * (y.real() - x.real())};
        a[k] = {scale * (x.real() + y.real()), scale * (x.imag() - y.imag())};
      });
}

template <class Real>
HWY_INLINE void join_column(std::complex<Real> const* a, std::complex<Real> const* b, Index n,
                            std::complex<Real>* z) {
  constexpr Index V = complexes<Real>;
  z[0] = {a[0].real(), b[0].real()};
  if (n % 2 == 0) z[n / 2] = {a[n / 2].real(), b[n / 2].real()};
  for_vectors<V>(
      1, (n + 1) / 2,
      [&](Index k) HWY_ATTR {
        if constexpr (V > 0) {
          Tag<Real> const d;
          Vector<Real> const conjugate = alternating(Real{1});
          Vector<Real> const x = hn::LoadU(d, reinterpret_cast<Real const*>(a + k));
          Vector<Real> const y = swapped<Real>(hn::LoadU(d, reinterpret_cast<Real const*>(b + k)));
          hn::StoreU(hn::NegMulAdd(conjugate, y, x), d, reinterpret_cast<Real*>(z + k));
          hn::StoreU(reversed<Real>(hn::MulAdd(conjugate, x, y)), d,
                     reinterpret_cast<Real*>(z + n - k - V + 1));
        }
      },
      [&](Index k) {
        z[k] = {a[k].real() - b[k].imag(), a[k].imag() + b[k].real()};
        z[n - k] = {a[k].real() + b[k].imag(), b[k].real() - a[k].imag()};
      });
}

/// Calls body(a, b, z) for all pairs. A last column without partner is its own: of the results at
/// the same place those of a, which body() writes last, stay.
template <class Element, class Scalar, class Body>
HWY_INLINE void for_pairs(Zipped<Element, Scalar> const& all, Body const& body) {
  auto* z = all.z;
  for (Index c = 0; c < all.columns; c += 2, z += all.z_lane)
    body(all.first + c * all.lane, all.first + std::min(c + 1, all.columns - 1) * all.lane, z);
}

template <class Real>
void zip_columns(Zipped<Real const, std::complex<Real>> const& all) {
  for_pairs(all, [n = all.n](Real const* a, Real const* b, std::complex<Real>* z)
                     HWY_ATTR { zip_column(a, b, n, z); });
}
template <class Real>
void unzip_columns(Zipped<Real, std::complex<Real> const> const& all) {
  for_pairs(all, [n = all.n](Real* a, Real* b, std::complex<Real> const* z)
                     HWY_ATTR { unzip_column(z, n, a, b); });
}
template <class Real>
void split_columns(Zipped<std::complex<Real>, std::complex<Real> const> const& all, Real scale) {
  for_pairs(all, [n = all.n, scale](std::complex<Real>* a, std::complex<Real>* b,
                                    std::complex<Real> const* z)
                     HWY_ATTR { split_column(z, n, scale, a, b); });
}
template <class Real>
void join_columns(Zipped<std::complex<Real> const, std::complex<Real>> const& all) {
  for_pairs(all, [n = all.n](std::complex<Real> const* a, std::complex<Real> const* b,
                             std::complex<Real>* z) HWY_ATTR { join_column(a, b, n, z); });
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
