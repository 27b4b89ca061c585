// SPDX-License-Identifier: BSD-3-Clause
// Vectors of alternating real and imaginary parts: what real transforms do besides complex ones.
//
// V complex numbers are in a vector, neighbours of a row or of a contiguous column. What does not
// fill a vector is done one by one. Compiled once an instruction set.
#include <algorithm>
#include <complex>
#include <vector>

#include "local/real_kernels.hpp"
#include "local/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_REAL_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_KERNELS_INL
#undef SIXSTEP_LOCAL_REAL_KERNELS_INL
#else
#define SIXSTEP_LOCAL_REAL_KERNELS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// V; none in vectors of one Real.
template <class Real>
inline constexpr Index complexes = lanes<Real> / 2;

/// x, -x, x, -x ...
template <class Real>
HWY_INLINE Vector<Real> alternating(Real x) {
  Tag<Real> const d;
  return hn::OddEven(hn::Set(d, -x), hn::Set(d, x));
}

/// Real and imaginary parts change places.
template <class Real>
HWY_INLINE Vector<Real> swapped(Vector<Real> x) {
  return hn::Reverse2(Tag<Real>(), x);
}

template <class Real>
HWY_INLINE Vector<Real> reversed(Vector<Real> x) {
  Tag<Real> const d;
  if constexpr (sizeof(Real) == 8) {
    return hn::ReverseBlocks(d, x);
  } else {
    hn::RepartitionToWide<Tag<Real>> const wide;
    return hn::BitCast(d, hn::Reverse(wide, hn::BitCast(wide, x)));
  }
}

#if HWY_TARGET != HWY_SCALAR

#if HWY_TARGET == HWY_AVX3

/// Which of the 2 L lanes of two vectors a third one takes.
template <class Real>
struct alignas(64) Lanes {
  hn::TFromD<hn::RebindToSigned<Tag<Real>>> lane[lanes<Real>];
};

/// Half `half` of a0 b0 a1 b1 ..., complex numbers, where parts of b have changed places.
template <class Real>
constexpr Lanes<Real> zipped(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i) {
    int const pair = i / 4 + half * lanes<Real> / 4;
    result.lane[i] = i % 4 < 2 ? 2 * pair + i % 4 : lanes<Real> + 2 * pair + 3 - i % 4;
  }
  return result;
}

/// The way back: all a, or all b with their parts in other places.
template <class Real>
constexpr Lanes<Real> unzipped(bool second) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i) result.lane[i] = i / 2 * 4 + (second ? 3 - i % 2 : i % 2);
  return result;
}

template <class Real>
HWY_INLINE Vector<Real> take(Vector<Real> a, Vector<Real> b, Lanes<Real> const& from) {
  auto const index = _mm512_load_si512(from.lane);
  if constexpr (sizeof(Real) == 8)
    return Vector<Real>{_mm512_permutex2var_pd(a.raw, index, b.raw)};
  else
    return Vector<Real>{_mm512_permutex2var_ps(a.raw, index, b.raw)};
}

/// From real and imaginary parts to L complex numbers, in two vectors.
template <class Real>
constexpr Lanes<Real> interleaved(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i)
    result.lane[i] = i % 2 * lanes<Real> + (half * lanes<Real> + i) / 2;
  return result;
}

template <class Real>
HWY_INLINE void interleave(Complex<Real>& x) {
  static constexpr Lanes<Real> lower = interleaved<Real>(0);
  static constexpr Lanes<Real> upper = interleaved<Real>(1);
  x = {take(x.re, x.im, lower), take(x.re, x.im, upper)};
}

/// From a = a0 a1 ... and b = b0 b1 ... with its parts in other places, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> lower = zipped<Real>(0);
  static constexpr Lanes<Real> upper = zipped<Real>(1);
  Vector<Real> const first = take(a, b, lower);
  b = take(a, b, upper);
  a = first;
}

/// The way back.
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> all_a = unzipped<Real>(false);
  static constexpr Lanes<Real> all_b = unzipped<Real>(true);
  Vector<Real> const first = take(a, b, all_a);
  b = take(a, b, all_b);
  a = first;
}

#else

/// Blocks a0 b0 of a and b, and a1 b1; the same there and back.
template <class Real>
HWY_INLINE void zip_blocks(Vector<Real>& a, Vector<Real>& b) {
  static_assert(blocks<Real> <= 2);
  if constexpr (blocks<Real> == 2) {
    Tag<Real> const d;
    Vector<Real> const first = hn::ConcatLowerLower(d, b, a);
    b = hn::ConcatUpperUpper(d, b, a);
    a = first;
  }
}

/// From real and imaginary parts to L complex numbers, in two vectors.
template <class Real>
HWY_INLINE void interleave(Complex<Real>& x) {
  x = {interleave_lower<Real>(x.re, x.im), interleave_upper<Real>(x.re, x.im)};
  zip_blocks<Real>(x.re, x.im);
}

/// The same of the complex numbers of a block.
template <class Real>
HWY_INLINE void zip_in_blocks(Vector<Real>& a, Vector<Real>& b) {
  if constexpr (block_reals<Real> == 4) {
    Tag<Real> const d;
    hn::RepartitionToWide<Tag<Real>> const wide;
    auto const x = hn::BitCast(wide, a);
    auto const y = hn::BitCast(wide, b);
    a = hn::BitCast(d, hn::InterleaveLower(wide, x, y));
    b = hn::BitCast(d, hn::InterleaveUpper(wide, x, y));
  }
}

/// From a = a0 a1 ... and b = b0 b1 ... with its parts in other places, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  b = swapped<Real>(b);
  zip_in_blocks<Real>(a, b);
  zip_blocks<Real>(a, b);
}

/// The way back.
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  zip_blocks<Real>(a, b);
  zip_in_blocks<Real>(a, b);
  b = swapped<Real>(b);
}

#endif  // AVX3

/// L complex numbers that lie one after another.
template <class Real>
HWY_INLINE Complex<Real> get_complex(Real const* from) {
  Tag<Real> const d;
  auto const a = hn::LoadU(d, from);
  auto const b = hn::LoadU(d, from + lanes<Real>);
  return {hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)};
}

template <class Real>
HWY_INLINE void put_complex(Complex<Real> x, Real* to) {
  Tag<Real> const d;
  interleave<Real>(x);
  hn::StoreU(x.re, d, to);
  hn::StoreU(x.im, d, to + lanes<Real>);
}

#endif  // SCALAR

// Pairs of columns.

/// Row k of all columns from rows k and n-k of the pairs.
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

/// Rows k and n-k of the pairs from row k of all columns. A row that is its own mirror image is
/// real.
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

/// re (Z[k] + Z[n-k]) - i im (Z[k] - Z[n-k]): a real of either column.
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
  // Of row 0 only the real parts count, which are the first element's.
  Real const* const first = from.data + from.row[spreads[0].a];
  for (Index c = 0; c < z.columns + z.columns % 2; ++c) z.data[c] = c < z.columns ? first[c] : 0;
  for (Index k = 1; k <= z.n / 2; ++k) {
    Spread<Real> const& by = spreads[static_cast<std::size_t>(k)];
    spread_row(from.data + from.row[by.a], from.data + from.row[by.b], z.columns, by, z.at(k),
               z.mirror(k));
  }
}

// Halves of contiguous transforms.

#if HWY_TARGET != HWY_SCALAR

/// Elements k ... k + V - 1 and m - k - V + 1 ... m - k:
///   E = x[k] + conj x[m-k], P = u_k (x[k] - conj x[m-k]), y[k] = E + P, y[m-k] = conj(E - P)
/// where u_k, -i w_2m^k, is conjugate backward.
template <class Real, bool backward>
HWY_INLINE void turn_vectors(Real const* lower, Real const* upper, Real const* factors, Real scale,
                             Real* to_lower, Real* to_upper) {
  Tag<Real> const d;
  Vector<Real> const conjugate = alternating(Real{1});
  Vector<Real> const factor = hn::Set(d, scale);
  Vector<Real> const a = hn::LoadU(d, lower);
  Vector<Real> const b = reversed<Real>(hn::LoadU(d, upper));
  Vector<Real> const u = hn::LoadU(d, factors);
  Vector<Real> const u_im = hn::Mul(hn::DupOdd(u), conjugate);  // im, -im
  Vector<Real> const even = hn::MulAdd(conjugate, b, a);
  Vector<Real> const odd = hn::NegMulAdd(conjugate, b, a);
  Vector<Real> const cosine = hn::Mul(hn::DupEven(u), odd);
  Vector<Real> const turned = backward ? hn::MulAdd(u_im, swapped<Real>(odd), cosine)
                                       : hn::NegMulAdd(u_im, swapped<Real>(odd), cosine);
  hn::StoreU(hn::Mul(hn::Add(even, turned), factor), d, to_lower);
  hn::StoreU(reversed<Real>(hn::Mul(hn::Sub(even, turned), hn::Mul(conjugate, factor))), d,
             to_upper);
}

#endif  // SCALAR

template <class Real, bool backward>
HWY_INLINE void turn(std::complex<Real> const* from, std::complex<Real>* to, Index m,
                     std::complex<Real> const* factors, Real scale) {
  Index k = 1;
  if constexpr (complexes < Real >> 0) {
    constexpr Index V = complexes<Real>;
    auto const* const source = reinterpret_cast<Real const*>(from);
    auto* const target = reinterpret_cast<Real*>(to);
    auto const* const u = reinterpret_cast<Real const*>(factors);
    // The last vectors may overlap: they are read before they are written.
    for (; m - 2 * k + 1 >= V; k += V) {
      Index const mirror = m - k - V + 1;
      turn_vectors<Real, backward>(source + 2 * k, source + 2 * mirror, u + 2 * (k - 1), scale,
                                   target + 2 * k, target + 2 * mirror);
    }
  }
  for (; 2 * k <= m; ++k) {
    std::complex<Real> const u = backward ? std::conj(factors[k - 1]) : factors[k - 1];
    std::complex<Real> const a = from[k], b = std::conj(from[m - k]);
    Real const re = a.real() - b.real(), im = a.imag() - b.imag();
    std::complex<Real> const odd{u.real() * re - u.imag() * im, u.real() * im + u.imag() * re};
    to[k] = (a + b + odd) * scale;
    to[m - k] = std::conj(a + b - odd) * scale;
  }
}

template <class Real, bool backward>
void turn_halves(Halves<Real> const& halves) {
  auto const* from = reinterpret_cast<std::complex<Real> const*>(halves.from);
  auto* to = reinterpret_cast<std::complex<Real>*>(halves.to);
  for (Index c = 0; c < halves.columns; ++c) {
    if constexpr (backward) {
      Real const first = from[0].real(), last = from[halves.m].real();
      to[0] = {(first + last) * halves.scale, (first - last) * halves.scale};
    } else {
      Real const even = 2 * halves.scale * from[0].real(), odd = 2 * halves.scale * from[0].imag();
      to[0] = even + odd;
      to[halves.m] = even - odd;
    }
    turn<Real, backward>(from, to, halves.m, halves.factors, halves.scale);
    from += halves.from_lane / 2;
    to += halves.to_lane / 2;
  }
}

// Contiguous pairs of columns.

template <class Real>
void zip_columns(Real const* a, Real const* b, Index n, std::complex<Real>* z) {
  Index j = 0;
  if constexpr (lanes < Real >> 1) {
    Tag<Real> const d;
    auto* const parts = reinterpret_cast<Real*>(z);
    for (; j + lanes<Real> <= n; j += lanes<Real>)
      put_complex<Real>({hn::LoadU(d, a + j), hn::LoadU(d, b + j)}, parts + 2 * j);
  }
  for (; j < n; ++j) z[j] = {a[j], b[j]};
}

template <class Real>
void unzip_columns(std::complex<Real> const* z, Index n, Real* a, Real* b) {
  Index j = 0;
  if constexpr (lanes < Real >> 1) {
    Tag<Real> const d;
    auto const* const parts = reinterpret_cast<Real const*>(z);
    for (; j + lanes<Real> <= n; j += lanes<Real>) {
      Complex<Real> const both = get_complex<Real>(parts + 2 * j);
      hn::StoreU(both.im, d, b + j);
      hn::StoreU(both.re, d, a + j);
    }
  }
  for (; j < n; ++j) {
    b[j] = z[j].imag();
    a[j] = z[j].real();
  }
}

template <class Real>
void split_columns(std::complex<Real> const* z, Index n, Real scale, std::complex<Real>* a,
                   std::complex<Real>* b) {
  b[0] = 2 * scale * z[0].imag();
  a[0] = 2 * scale * z[0].real();
  Index k = 1;
  if constexpr (complexes < Real >> 0) {
    constexpr Index V = complexes<Real>;
    Tag<Real> const d;
    Vector<Real> const factor = hn::Set(d, scale);
    Vector<Real> const conjugate = alternating(Real{1});
    auto const* const from = reinterpret_cast<Real const*>(z);
    for (; k + V <= n / 2 + 1; k += V) {
      Vector<Real> const x = hn::LoadU(d, from + 2 * k);
      Vector<Real> const y = reversed<Real>(hn::LoadU(d, from + 2 * (n - k - V + 1)));
      hn::StoreU(swapped<Real>(hn::Mul(hn::NegMulAdd(conjugate, x, y), factor)), d,
                 reinterpret_cast<Real*>(b + k));
      hn::StoreU(hn::Mul(hn::MulAdd(conjugate, y, x), factor), d, reinterpret_cast<Real*>(a + k));
    }
  }
  for (; k <= n / 2; ++k) {
    std::complex<Real> const x = z[k], y = z[n - k];
    b[k] = {scale * (x.imag() + y.imag()), scale * (y.real() - x.real())};
    a[k] = {scale * (x.real() + y.real()), scale * (x.imag() - y.imag())};
  }
}

template <class Real>
void join_columns(std::complex<Real> const* a, std::complex<Real> const* b, Index n,
                  std::complex<Real>* z) {
  z[0] = {a[0].real(), b[0].real()};
  if (n % 2 == 0) z[n / 2] = {a[n / 2].real(), b[n / 2].real()};
  Index const end = (n + 1) / 2;
  Index k = 1;
  if constexpr (complexes < Real >> 0) {
    constexpr Index V = complexes<Real>;
    Tag<Real> const d;
    Vector<Real> const conjugate = alternating(Real{1});
    auto* const to = reinterpret_cast<Real*>(z);
    for (; k + V <= end; k += V) {
      Vector<Real> const x = hn::LoadU(d, reinterpret_cast<Real const*>(a + k));
      Vector<Real> const y = swapped<Real>(hn::LoadU(d, reinterpret_cast<Real const*>(b + k)));
      hn::StoreU(hn::NegMulAdd(conjugate, y, x), d, to + 2 * k);
      hn::StoreU(reversed<Real>(hn::MulAdd(conjugate, x, y)), d, to + 2 * (n - k - V + 1));
    }
  }
  for (; k < end; ++k) {
    z[k] = {a[k].real() - b[k].imag(), a[k].imag() + b[k].real()};
    z[n - k] = {a[k].real() + b[k].imag(), b[k].real() - a[k].imag()};
  }
}

// Cosine transforms, contiguous.

#if HWY_TARGET != HWY_SCALAR

/// x[first], x[first + 1], ... of n reals; mirrored, of the reals from the last to the first.
template <class Real, bool mirrored>
HWY_INLINE Vector<Real> get(Real const* x, Index n, Index first) {
  Tag<Real> const d;
  if constexpr (mirrored) return hn::Reverse(d, hn::LoadU(d, x + n - first - lanes<Real>));
  return hn::LoadU(d, x + first);
}
template <class Real, bool mirrored>
HWY_INLINE void put(Vector<Real> value, Real* x, Index n, Index first) {
  Tag<Real> const d;
  if constexpr (mirrored)
    hn::StoreU(hn::Reverse(d, value), d, x + n - first - lanes<Real>);
  else
    hn::StoreU(value, d, x + first);
}

template <class Real>
HWY_INLINE Complex<Real> conjugate(Complex<Real> x) {
  return {x.re, hn::Neg(x.im)};
}
template <class Real>
HWY_INLINE Complex<Real> backwards(Complex<Real> x) {
  Tag<Real> const d;
  return {hn::Reverse(d, x.re), hn::Reverse(d, x.im)};
}
template <class Real>
HWY_INLINE Complex<Real> factors_at(typename CosineFactors<Real>::Parts const& parts, Index k) {
  Tag<Real> const d;
  return {hn::LoadU(d, parts.re.data() + k - 1), hn::LoadU(d, parts.im.data() + k - 1)};
}

#endif  // SCALAR

template <class Real>
std::complex<Real> factor_at(typename CosineFactors<Real>::Parts const& parts, Index k) {
  auto const at = static_cast<std::size_t>(k - 1);
  return {parts.re[at], parts.im[at]};
}
/// Without the care for infinities that std::complex takes.
template <class Real>
std::complex<Real> product(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class Real>
void fold(Real const* x, Index n, Real sign, Real* v) {
  Index j = 0;
  if constexpr (lanes < Real >> 1) {
    Tag<Real> const d;
    for (; 2 * (j + lanes<Real>) <= n; j += lanes<Real>) {
      Complex<Real> const both = get_complex<Real>(x + 2 * j);
      hn::StoreU(both.re, d, v + j);
      put<Real, true>(hn::Mul(both.im, hn::Set(d, sign)), v, n, j);
    }
  }
  for (; 2 * j < n; ++j) {
    v[j] = x[2 * j];
    if (2 * j + 1 < n) v[n - 1 - j] = sign * x[2 * j + 1];
  }
}

template <class Real>
void unfold(Real const* v, Index n, Real sign, Real* x) {
  Index j = 0;
  if constexpr (lanes < Real >> 1) {
    Tag<Real> const d;
    for (; 2 * (j + lanes<Real>) <= n; j += lanes<Real>) {
      Vector<Real> const odd = hn::Mul(get<Real, true>(v, n, j), hn::Set(d, sign));
      put_complex<Real>({hn::LoadU(d, v + j), odd}, x + 2 * j);
    }
  }
  for (; 2 * j < n; ++j) {
    x[2 * j] = v[j];
    if (2 * j + 1 < n) x[2 * j + 1] = sign * v[n - 1 - j];
  }
}

/// With E + P and E - P as in turn_vectors() twice V[k] and conj V[m-k], and y[n-k] = -2 Im t where
/// y[k] = 2 Re t.
template <class Real, bool mirrored>
HWY_INLINE void split_cosines_of(std::complex<Real> const* z, CosineFactors<Real> const& factors,
                                 Real scale, Real* y) {
  Index const m = factors.m, n = 2 * m;
  auto const place = [n](Index k) { return mirrored ? n - 1 - k : k; };
  constexpr Real half_root = static_cast<Real>(0.70710678118654752440L);
  y[place(0)] = 2 * scale * (z[0].real() + z[0].imag());
  y[place(m)] = 2 * half_root * scale * (z[0].real() - z[0].imag());
  Index k = 1;
  if constexpr (lanes < Real >> 1) {
    constexpr Index L = lanes<Real>;
    Tag<Real> const d;
    auto const* const parts = reinterpret_cast<Real const*>(z);
    Vector<Real> const plus = hn::Set(d, scale);
    Vector<Real> const minus = hn::Set(d, -scale);
    for (; m - 2 * k + 1 >= L; k += L) {
      Complex<Real> const a = get_complex<Real>(parts + 2 * k);
      Complex<Real> const b = conjugate(backwards(get_complex<Real>(parts + 2 * (m - k - L + 1))));
      Complex<Real> const even = a + b;
      Complex<Real> const odd = factors_at<Real>(factors.halves, k) * (a - b);
      Complex<Real> const lower = factors_at<Real>(factors.lower, k) * (even + odd);
      Complex<Real> const upper = factors_at<Real>(factors.upper, k) * conjugate(even - odd);
      put<Real, mirrored>(hn::Mul(lower.re, plus), y, n, k);
      put<Real, mirrored>(hn::Mul(upper.im, minus), y, n, m + k);
      put<Real, !mirrored>(hn::Mul(upper.re, plus), y, n, m + k - 1);
      put<Real, !mirrored>(hn::Mul(lower.im, minus), y, n, k - 1);
    }
  }
  for (; 2 * k <= m; ++k) {
    std::complex<Real> const a = z[k], b = std::conj(z[m - k]);
    std::complex<Real> const odd = product(factor_at<Real>(factors.halves, k), a - b);
    std::complex<Real> const lower = product(factor_at<Real>(factors.lower, k), a + b + odd);
    std::complex<Real> const upper =
        product(factor_at<Real>(factors.upper, k), std::conj(a + b - odd));
    y[place(k)] = scale * lower.real();
    y[place(n - k)] = -scale * lower.imag();
    y[place(m - k)] = scale * upper.real();
    y[place(m + k)] = -scale * upper.imag();
  }
}

template <class Real>
void split_cosines(std::complex<Real> const* z, CosineFactors<Real> const& factors, Real scale,
                   bool mirrored, Real* y) {
  if (mirrored)
    split_cosines_of<Real, true>(z, factors, scale, y);
  else
    split_cosines_of<Real, false>(z, factors, scale, y);
}

/// The transpose: conj V[k] = w_4n^k (x[k] + i x[n-k]), and as join_halves() does.
template <class Real, bool mirrored>
HWY_INLINE void join_cosines_of(Real const* x, CosineFactors<Real> const& factors,
                                std::complex<Real>* z) {
  Index const m = factors.m, n = 2 * m;
  auto const at = [x, n](Index k) { return x[mirrored ? n - 1 - k : k]; };
  constexpr Real root = static_cast<Real>(1.41421356237309504880L);
  z[0] = {at(0) + root * at(m), at(0) - root * at(m)};
  Index k = 1;
  if constexpr (lanes < Real >> 1) {
    constexpr Index L = lanes<Real>;
    auto* const parts = reinterpret_cast<Real*>(z);
    for (; m - 2 * k + 1 >= L; k += L) {
      Complex<Real> const lower{get<Real, mirrored>(x, n, k), get<Real, !mirrored>(x, n, k - 1)};
      Complex<Real> const upper{get<Real, !mirrored>(x, n, m + k - 1),
                                get<Real, mirrored>(x, n, m + k)};
      Complex<Real> const a = conjugate(factors_at<Real>(factors.lower, k) * lower);
      Complex<Real> const b = factors_at<Real>(factors.upper, k) * upper;
      Complex<Real> const odd = conjugate(factors_at<Real>(factors.halves, k)) * (a - b);
      put_complex<Real>(a + b + odd, parts + 2 * k);
      put_complex<Real>(backwards(conjugate(a + b - odd)), parts + 2 * (m - k - L + 1));
    }
  }
  for (; 2 * k <= m; ++k) {
    std::complex<Real> const lower{at(k), at(n - k)}, upper{at(m - k), at(m + k)};
    std::complex<Real> const a = std::conj(product(factor_at<Real>(factors.lower, k), lower));
    std::complex<Real> const b = product(factor_at<Real>(factors.upper, k), upper);
    std::complex<Real> const odd = product(std::conj(factor_at<Real>(factors.halves, k)), a - b);
    z[k] = a + b + odd;
    z[m - k] = std::conj(a + b - odd);
  }
}

template <class Real>
void join_cosines(Real const* x, CosineFactors<Real> const& factors, bool mirrored,
                  std::complex<Real>* z) {
  if (mirrored)
    join_cosines_of<Real, true>(x, factors, z);
  else
    join_cosines_of<Real, false>(x, factors, z);
}

// Columns on their way.

/// Squares of numbers of `parts` Reals that are transposed in registers, and their side.
template <class Real, int parts>
inline constexpr int side = lanes<Real> / parts;

template <class Real, int parts>
HWY_INLINE void transpose_square(Vector<Real>* x) {
  if constexpr (parts == 1) {
    transpose<Real>(x);
  } else if constexpr (sizeof(Real) == 8) {
    transpose_blocks<Real, 1>(x);
  } else if constexpr (side<Real, parts> > 1) {
    Tag<Real> const d;
    hn::RepartitionToWide<Tag<Real>> const wide;
    Vector<double> y[side<Real, parts>];
    for (int i = 0; i < side<Real, parts>; ++i) y[i] = hn::BitCast(wide, x[i]);
    transpose<double>(y);
    for (int i = 0; i < side<Real, parts>; ++i) x[i] = hn::BitCast(d, y[i]);
  }
}

/// Where numbers of `parts` Reals lie.
template <class Scalar, int parts>
struct Numbers {
  Scalar* data;
  Index const* row;
  Index lane;

  Scalar* at(Index k, Index c) const { return data + parts * (row[k] + c * lane); }
};

/// Whether as many rows as a square has follow each other on the side that is contiguous.
template <class Real, int parts>
bool has_square(Way<Real> const* way, Index Way<Real>::*side_of, Index const* row) {
  for (Index i = 1; i < side<Real, parts>; ++i)
    if (row[way[i].*side_of] != row[way[0].*side_of] + i) return false;
  return true;
}

/// Columns [c, end) of a row, one by one.
template <class Real, int parts>
HWY_INLINE void move_numbers(Way<Real> const& way, Numbers<Real const, parts> const& from,
                             Numbers<Real, parts> const& to, Index c, Index end) {
  for (; c < end; ++c)
    for (int i = 0; i < parts; ++i) to.at(way.to, c)[i] = way.sign * from.at(way.from, c)[i];
}

/// A square's rows, from contiguous columns.
template <class Real, int parts>
HWY_INLINE void load_square(Way<Real> const* way, Numbers<Real const, parts> const& from,
                            Numbers<Real, parts> const& to, Index columns) {
  constexpr int S = side<Real, parts>;
  Tag<Real> const d;
  Index c = 0;
  for (; c + S <= columns; c += S) {
    Vector<Real> x[S];
    HWY_UNROLL(16)
    for (int i = 0; i < S; ++i) x[i] = hn::LoadU(d, from.at(way->from, c + i));
    transpose_square<Real, parts>(x);
    HWY_UNROLL(16)
    for (int i = 0; i < S; ++i)
      hn::StoreU(hn::Mul(x[i], hn::Set(d, way[i].sign)), d, to.at(way[i].to, c));
  }
  for (int i = 0; i < S; ++i) move_numbers(way[i], from, to, c, columns);
}

/// The way back, to contiguous columns.
template <class Real, int parts>
HWY_INLINE void store_square(Way<Real> const* way, Numbers<Real const, parts> const& from,
                             Numbers<Real, parts> const& to, Index columns) {
  constexpr int S = side<Real, parts>;
  Tag<Real> const d;
  Index c = 0;
  for (; c + S <= columns; c += S) {
    Vector<Real> x[S];
    HWY_UNROLL(16)
    for (int i = 0; i < S; ++i)
      x[i] = hn::Mul(hn::LoadU(d, from.at(way[i].from, c)), hn::Set(d, way[i].sign));
    transpose_square<Real, parts>(x);
    HWY_UNROLL(16)
    for (int i = 0; i < S; ++i) hn::StoreU(x[i], d, to.at(way->to, c + i));
  }
  for (int i = 0; i < S; ++i) move_numbers(way[i], from, to, c, columns);
}

/// A square's rows, from contiguous columns to contiguous columns.
template <class Real, int parts>
HWY_INLINE void copy_square(Way<Real> const* way, Numbers<Real const, parts> const& from,
                            Numbers<Real, parts> const& to, Index columns) {
  Tag<Real> const d;
  for (Index c = 0; c < columns; ++c)
    hn::StoreU(hn::Mul(hn::LoadU(d, from.at(way->from, c)), hn::Set(d, way->sign)), d,
               to.at(way->to, c));
}

/// Moves a square if its rows lie as one of the above needs.
template <class Real, int parts>
bool move_square(Way<Real> const* way, Numbers<Real const, parts> const& from,
                 Numbers<Real, parts> const& to, Index columns) {
  bool const rows_from = from.lane != 1 && has_square<Real, parts>(way, &Way<Real>::from, from.row);
  bool const rows_to = to.lane != 1 && has_square<Real, parts>(way, &Way<Real>::to, to.row);
  bool const one_sign = std::all_of(way, way + side<Real, parts>,
                                    [way](Way<Real> const& w) { return w.sign == way->sign; });
  if (rows_from && rows_to && one_sign)
    copy_square<Real, parts>(way, from, to, columns);
  else if (rows_from && to.lane == 1)
    load_square<Real, parts>(way, from, to, columns);
  else if (from.lane == 1 && rows_to)
    store_square<Real, parts>(way, from, to, columns);
  else
    return false;
  return true;
}

template <class Real, int parts>
HWY_INLINE void move_row(Way<Real> const& way, Numbers<Real const, parts> const& from,
                         Numbers<Real, parts> const& to, Index columns) {
  Index c = 0;
  if constexpr (side < Real, parts >> 0) {
    Tag<Real> const d;
    if (from.lane == 1 && to.lane == 1)
      for (; c + side<Real, parts> <= columns; c += side<Real, parts>)
        hn::StoreU(hn::Mul(hn::LoadU(d, from.at(way.from, c)), hn::Set(d, way.sign)), d,
                   to.at(way.to, c));
  }
  move_numbers(way, from, to, c, columns);
}

template <class Real, int parts>
void move_all(std::vector<Way<Real>> const& ways, Numbers<Real const, parts> const& from,
              Numbers<Real, parts> const& to, Index columns) {
  constexpr Index S = side<Real, parts>;
  Index const count = static_cast<Index>(ways.size());
  for (Index i = 0; i < count;) {
    if constexpr (S > 1) {
      Index const first = std::max<Index>(std::min(i, count - S), 0);  // the last may overlap
      if (count >= S && move_square(ways.data() + first, from, to, columns)) {
        i = first + S;
        continue;
      }
    }
    move_row<Real, parts>(ways[static_cast<std::size_t>(i++)], from, to, columns);
  }
}

template <class Real>
void move(std::vector<Way<Real>> const& ways, Columns<Real const> const& from,
          Columns<Real> const& to, Index columns) {
  move_all<Real, 1>(ways, {from.data, from.row, from.lane}, {to.data, to.row, to.lane}, columns);
}

template <class Real>
void move_complex(std::vector<Way<Real>> const& ways, Columns<std::complex<Real> const> const& from,
                  Columns<std::complex<Real>> const& to, Index columns) {
  move_all<Real, 2>(ways, {reinterpret_cast<Real const*>(from.data), from.row, from.lane},
                    {reinterpret_cast<Real*>(to.data), to.row, to.lane}, columns);
}

template <class Real>
RealKernels<Real> make_real_kernels() {
  return {.split_pairs = split_pairs<Real>,
          .join_pairs = join_pairs<Real>,
          .mix_pairs = mix_pairs<Real>,
          .spread_pairs = spread_pairs<Real>,
          .split_halves = turn_halves<Real, false>,
          .join_halves = turn_halves<Real, true>,
          .zip_columns = zip_columns<Real>,
          .unzip_columns = unzip_columns<Real>,
          .split_columns = split_columns<Real>,
          .join_columns = join_columns<Real>,
          .fold = fold<Real>,
          .unfold = unfold<Real>,
          .split_cosines = split_cosines<Real>,
          .join_cosines = join_cosines<Real>,
          .move = move<Real>,
          .move_complex = move_complex<Real>};
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
