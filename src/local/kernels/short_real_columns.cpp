// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns of a few reals in registers, compiled for every instruction set. Cosines
// and sines: Makhoul (1980), as in cosine_codelets.cpp.
//
// The columns of a vector are loaded as squares, which are transposed, so that a lane holds a
// column. If the last square has fewer rows, it overlaps the one before.
#include "local/kernels/short_real_columns.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/short_real_columns.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"
#include "local/kernels/partial_vectors-inl.hpp"
#include "local/kernels/real_butterflies-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The rows of a vector of columns of R reals.
template <int R, class Real>
HWY_INLINE void load_columns_of(Real const* from, Index lane, Vector<Real>* rows) {
  constexpr int L = lanes<Real>;
  HWY_UNROLL(16)
  for (int next = 0; next < R; next += L) {
    int const first = std::min(next, R - L);
    Vector<Real> x[L];
    HWY_UNROLL(16)
    for (int i = 0; i < L; ++i) x[i] = hn::LoadU(Tag<Real>(), from + i * lane + first);
    transpose<Real>(x);
    HWY_UNROLL(16)
    for (int i = 0; i < L; ++i) rows[first + i] = x[i];
  }
}
template <int R, class Real>
HWY_INLINE void store_columns_of(Vector<Real> const* rows, Real* to, Index lane) {
  constexpr int L = lanes<Real>;
  HWY_UNROLL(16)
  for (int next = 0; next < R; next += L) {
    int const first = std::min(next, R - L);
    Vector<Real> x[L];
    HWY_UNROLL(16)
    for (int i = 0; i < L; ++i) x[i] = rows[first + i];
    transpose<Real>(x);
    HWY_UNROLL(16)
    for (int i = 0; i < L; ++i) hn::StoreU(x[i], Tag<Real>(), to + i * lane + first);
  }
}

/// Element j of the reals between: x[0], x[2], ... and then ..., x[3], x[1].
constexpr int folded(int j, int n) { return 2 * j < n ? 2 * j : 2 * (n - j) - 1; }

/// The real and imaginary parts of the coefficients are rows.
template <int R, class Real>
struct Forward {
  static constexpr int in_rows = R, out_rows = 2 * (R / 2 + 1);

  static HWY_INLINE void run(Vector<Real> const* x, Real const*, Vector<Real>* y) {
    Vector<Real> s[2];
    Complex<Real> V[(R - 1) / 2 + 1];
    real_butterfly<R, Real>(x, s, V);
    y[0] = R % 2 == 0 ? hn::Add(s[0], s[1]) : s[0];
    y[1] = hn::Zero(Tag<Real>());
    if constexpr (R % 2 == 0) {
      y[R] = hn::Sub(s[0], s[1]);
      y[R + 1] = y[1];
    }
    HWY_UNROLL(16)
    for (int k = 1; 2 * k < R; ++k) {
      y[2 * k] = V[k].re;
      y[2 * k + 1] = V[k].im;
    }
  }
};

template <int R, class Real>
struct Backward {
  static constexpr int in_rows = 2 * (R / 2 + 1), out_rows = R;

  static HWY_INLINE void run(Vector<Real> const* x, Real const*, Vector<Real>* y) {
    Vector<Real> s[2] = {x[0], x[0]};
    Complex<Real> V[(R - 1) / 2 + 1];
    if constexpr (R % 2 == 0) {
      s[0] = hn::Add(x[0], x[R]);
      s[1] = hn::Sub(x[0], x[R]);
    }
    HWY_UNROLL(16)
    for (int k = 1; 2 * k < R; ++k) V[k] = {x[2 * k], x[2 * k + 1]};
    real_butterfly_back<R, Real>(s, V, y);
  }
};

template <int R, class Real, bool sines>
struct SecondType {
  static constexpr int in_rows = R, out_rows = R;

  /// y[k] = 2 scale Re(w_4n^k V[k]), where V is the transform of the folded reals.
  static HWY_INLINE void run(Vector<Real> const* x, Real const* factors, Vector<Real>* y) {
    Tag<Real> const d;
    Vector<Real> v[R], s[2];
    Complex<Real> V[(R - 1) / 2 + 1];
    HWY_UNROLL(16)
    for (int j = 0; j < R; ++j) {
      int const from = folded(j, R);
      v[j] = sines && from % 2 == 1 ? hn::Neg(x[from]) : x[from];
    }
    real_butterfly<R, Real>(v, s, V);
    auto const place = [](int k) { return sines ? R - 1 - k : k; };
    auto const factor = [&](int part) HWY_ATTR { return hn::Set(d, factors[part]); };
    if constexpr (R % 2 == 0) {
      y[place(0)] = hn::Mul(factor(0), hn::Add(s[0], s[1]));
      y[place(R / 2)] = hn::Mul(factor(R), hn::Sub(s[0], s[1]));
    } else {
      y[place(0)] = hn::Mul(factor(0), s[0]);
    }
    HWY_UNROLL(16)
    for (int k = 1; 2 * k < R; ++k) {
      Vector<Real> const cosine = factor(2 * k), sine = factor(2 * k + 1);
      y[place(k)] = mul_add(cosine, V[k].re, hn::Mul(sine, V[k].im));
      y[place(R - k)] = mul_sub(sine, V[k].re, hn::Mul(cosine, V[k].im));
    }
  }
};

template <int R, class Real, bool sines>
struct ThirdType {
  static constexpr int in_rows = R, out_rows = R;

  /// The inverse transform of V[k] = scale w_4n^-k (x[k] - i x[n-k]), unfolded.
  static HWY_INLINE void run(Vector<Real> const* x, Real const* factors, Vector<Real>* y) {
    Tag<Real> const d;
    Vector<Real> v[R], s[2];
    Complex<Real> V[(R - 1) / 2 + 1];
    auto const at = [&](int k) HWY_ATTR { return x[sines ? R - 1 - k : k]; };
    auto const factor = [&](int part) HWY_ATTR { return hn::Set(d, factors[part]); };
    s[0] = hn::Mul(factor(0), at(0));
    if constexpr (R % 2 == 0) {
      Vector<Real> const first = s[0], middle = hn::Mul(factor(R), at(R / 2));
      s[0] = hn::Add(first, middle);
      s[1] = hn::Sub(first, middle);
    }
    HWY_UNROLL(16)
    for (int k = 1; 2 * k < R; ++k) {
      Vector<Real> const cosine = factor(2 * k), sine = factor(2 * k + 1);
      Vector<Real> const a = at(k), b = at(R - k);
      V[k] = {mul_add(a, cosine, hn::Mul(b, sine)), mul_sub(a, sine, hn::Mul(b, cosine))};
    }
    real_butterfly_back<R, Real>(s, V, v);
    HWY_UNROLL(16)
    for (int j = 0; j < R; ++j) {
      int const to = folded(j, R);
      y[to] = sines && to % 2 == 1 ? hn::Neg(v[j]) : v[j];
    }
  }
};

/// The results of a type without factors are multiplied by the scale at the end.
template <class Real, class Type, int factors>
void transform_short_columns(ShortColumns<Real> const& of) {
  constexpr int L = lanes<Real>, in_rows = Type::in_rows, out_rows = Type::out_rows;
  HWY_ALIGN Real scaled[factors + 1];
  for (int i = 0; i < factors; ++i) scaled[i] = of.scale * of.factors[i];
  auto const transform = [&](Real const* in, Index in_lane, Real* out, Index out_lane) HWY_ATTR
      __attribute__((always_inline)) {
    Vector<Real> x[in_rows], y[out_rows];
    load_columns_of<in_rows>(in, in_lane, x);
    Type::run(x, scaled, y);
    if (factors == 0 && of.scale != 1) {
      HWY_UNROLL(18)
      for (int i = 0; i < out_rows; ++i) y[i] = hn::Mul(y[i], hn::Set(Tag<Real>(), of.scale));
    }
    store_columns_of<out_rows>(y, out, out_lane);
  };
  Index c = 0;
  for (; c + L <= of.columns; c += L)
    transform(of.in + c * of.in_lane, of.in_lane, of.out + c * of.out_lane, of.out_lane);
  if (c == of.columns) return;
  HWY_ALIGN Real rest[std::max(in_rows, out_rows) * L] = {};
  for (Index i = 0; c + i < of.columns; ++i)
    std::copy_n(of.in + (c + i) * of.in_lane, in_rows, rest + i * in_rows);
  transform(rest, in_rows, rest, out_rows);
  for (Index i = 0; c + i < of.columns; ++i)
    std::copy_n(rest + i * out_rows, out_rows, of.out + (c + i) * of.out_lane);
}

/// Rows of columns side by side: of L of them, or of the first `count`.
template <bool is_full, class Real>
HWY_INLINE Vector<Real> load_reals(Real const* from, Index count) {
  if constexpr (is_full)
    return hn::LoadU(Tag<Real>(), from);
  else
    return get_first(from, count);
}
template <bool is_full, class Real>
HWY_INLINE void store_reals(Vector<Real> x, Real* to, Index count) {
  if constexpr (is_full)
    hn::StoreU(x, Tag<Real>(), to);
  else
    put_first(Tag<Real>(), x, to, count);
}
/// Likewise for complex numbers, whose parts are x[0] and x[1].
template <bool is_full, class Real>
HWY_INLINE void load_numbers(Real const* from, Index count, Vector<Real>* x) {
  constexpr int L = lanes<Real>;
  Tag<Real> const d;
  if constexpr (is_full) {
    hn::LoadInterleaved2(d, from, x[0], x[1]);
  } else {
    HWY_ALIGN Real some[2 * L];
    hn::Store(get_first(from, std::min<Index>(2 * count, L)), d, some);
    if (2 * count > L) hn::Store(get_first(from + L, 2 * count - L), d, some + L);
    hn::LoadInterleaved2(d, some, x[0], x[1]);
  }
}
template <bool is_full, class Real>
HWY_INLINE void store_numbers(Vector<Real> const* x, Real* to, Index count) {
  constexpr int L = lanes<Real>;
  Tag<Real> const d;
  if constexpr (is_full) {
    hn::StoreInterleaved2(x[0], x[1], d, to);
  } else {
    HWY_ALIGN Real some[2 * L];
    hn::StoreInterleaved2(x[0], x[1], d, some);
    put_first(d, hn::Load(d, some), to, std::min<Index>(2 * count, L));
    if (2 * count > L) put_first(d, hn::Load(d, some + L), to + L, 2 * count - L);
  }
}

/// r2c, or c2r if `backward`.
template <class Real, int R, bool backward>
void transform_columns_beside(ColumnsBeside<Real> const& of) {
  using Type = std::conditional_t<backward, Backward<R, Real>, Forward<R, Real>>;
  constexpr int L = lanes<Real>, in_rows = Type::in_rows, out_rows = Type::out_rows;
  auto const transform = [&]<bool is_full>(Index c, Index count) HWY_ATTR
      __attribute__((always_inline)) {
    Vector<Real> x[in_rows], y[out_rows];
    HWY_UNROLL(18)
    for (int j = 0; j < (backward ? R / 2 + 1 : R); ++j)
      if constexpr (backward)
        load_numbers<is_full>(of.in + j * of.in_row + 2 * c, count, x + 2 * j);
      else
        x[j] = load_reals<is_full>(of.in + j * of.in_row + c, count);
    Type::run(x, nullptr, y);
    if (of.scale != 1) {
      HWY_UNROLL(18)
      for (int i = 0; i < out_rows; ++i) y[i] = hn::Mul(y[i], hn::Set(Tag<Real>(), of.scale));
    }
    HWY_UNROLL(18)
    for (int k = 0; k < (backward ? R : R / 2 + 1); ++k)
      if constexpr (backward)
        store_reals<is_full>(y[k], of.out + k * of.out_row + c, count);
      else
        store_numbers<is_full>(y + 2 * k, of.out + k * of.out_row + 2 * c, count);
  };
  if (of.columns < L) return transform.template operator()<false>(0, of.columns);
  Index c = 0;
  for (; c + L <= of.columns; c += L) transform.template operator()<true>(c, L);
  if (c < of.columns) transform.template operator()<true>(of.columns - L, L);  // some once more
}

template <class Real>
TransformBeside<Real> find_transform_beside(bool backward, Index n) {
  TransformBeside<Real> found = nullptr;
  auto const look_at = [&]<int... lengths>(std::integer_sequence<int, lengths...>) {
    auto const try_length = [&]<int R>() {
      if constexpr (has_all_kernels)
        if (n == R)
          found = backward ? transform_columns_beside<Real, R, true>
                           : transform_columns_beside<Real, R, false>;
    };
    (try_length.template operator()<lengths>(), ...);
  };
  look_at(std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16>());
  return found;
}

TransformBeside<float> float_transform_beside(bool backward, Index n) {
  return find_transform_beside<float>(backward, n);
}
TransformBeside<double> double_transform_beside(bool backward, Index n) {
  return find_transform_beside<double>(backward, n);
}

template <class Real, int R>
ShortTransform<Real> short_transform_of(Kind kind, bool backward) {
  constexpr int factors = 2 * (R / 2 + 1);
  switch (kind) {
    case Kind::r2c:
      return backward ? transform_short_columns<Real, Backward<R, Real>, 0>
                      : transform_short_columns<Real, Forward<R, Real>, 0>;
    case Kind::dct2:
      return transform_short_columns<Real, SecondType<R, Real, false>, factors>;
    case Kind::dst2:
      return transform_short_columns<Real, SecondType<R, Real, true>, factors>;
    case Kind::dct3:
      return transform_short_columns<Real, ThirdType<R, Real, false>, factors>;
    case Kind::dst3:
      return transform_short_columns<Real, ThirdType<R, Real, true>, factors>;
    default:
      return nullptr;
  }
}

/// For those of the lengths that fill a square.
template <class Real>
ShortTransform<Real> find_short_transform(Kind kind, bool backward, Index n) {
  ShortTransform<Real> found = nullptr;
  auto const look_at = [&]<int... lengths>(std::integer_sequence<int, lengths...>) {
    auto const try_length = [&]<int R>() {
      if constexpr (has_all_kernels && R >= lanes<Real>)
        if (n == R) found = short_transform_of<Real, R>(kind, backward);
    };
    (try_length.template operator()<lengths>(), ...);
  };
  look_at(std::integer_sequence<int, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16>());
  return found;
}

ShortTransform<float> float_transform(Kind kind, bool backward, Index n) {
  return find_short_transform<float>(kind, backward, n);
}
ShortTransform<double> double_transform(Kind kind, bool backward, Index n) {
  return find_short_transform<double>(kind, backward, n);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(float_transform);
HWY_EXPORT(double_transform);
HWY_EXPORT(float_transform_beside);
HWY_EXPORT(double_transform_beside);

template <>
ShortTransform<float> short_transform(Kind kind, bool backward, Index n, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_transform), target)(kind, backward, n);
}
template <>
ShortTransform<double> short_transform(Kind kind, bool backward, Index n, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_transform), target)(kind, backward, n);
}

template <>
TransformBeside<float> transform_beside(bool backward, Index n, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_transform_beside), target)(backward, n);
}
template <>
TransformBeside<double> transform_beside(bool backward, Index n, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_transform_beside), target)(backward, n);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
