// SPDX-License-Identifier: BSD-3-Clause
// Complex vectors with one column in each lane, and their loads and stores.
//
// In registers and in the kernels' own rows, real and imaginary parts are separate: [re: L][im: L].
// In the user's arrays they alternate. Loads put columns into lanes in the cheapest order, which
// lane_column() gives: a shuffle within blocks of 16 bytes takes half the time of one across
// blocks. Compiled once for each instruction set. Knows nothing about transforms.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "local/kernels/arithmetic.hpp"
#include "sixstep/index.hpp"

#if defined(SIXSTEP_LOCAL_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_VECTOR_INL
#undef SIXSTEP_LOCAL_VECTOR_INL
#else
#define SIXSTEP_LOCAL_VECTOR_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Tag = hn::ScalableTag<Real>;
template <class Real>
using Vector = hn::Vec<Tag<Real>>;

/// Whether to compile kernels that only save a pass over data in cache. Processors before AVX2
/// (2013) do without them, so that these do not take as long to compile as those for current ones.
inline constexpr bool has_all_kernels = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2;

/// L, the number of columns in a group.
template <class Real>
inline constexpr int lanes = static_cast<int>(HWY_LANES(Real));
/// Whether vectors are those of AVX2, with 16 registers for them.
template <class Real>
inline constexpr bool has_256_bits = lanes<Real>* static_cast<int>(sizeof(Real)) == 32;
/// Whether vectors are those of AVX-512, with 32 registers for them.
template <class Real>
inline constexpr bool has_512_bits = lanes<Real>* static_cast<int>(sizeof(Real)) == 64;
/// Reals in a row: L real and L imaginary parts.
template <class Real>
inline constexpr Index row_reals = 2 * lanes<Real>;
/// Reals in a block of 16 bytes, and blocks in a vector.
template <class Real>
inline constexpr int block_reals = lanes<Real> < 16 / static_cast<int>(sizeof(Real))
                                       ? lanes<Real>
                                       : 16 / static_cast<int>(sizeof(Real));
template <class Real>
inline constexpr int blocks = lanes<Real> / block_reals<Real>;

/// a b + c, and its variants with other signs: with one rounding where the instruction set has such
/// an operation, or if results are to be reproducible.
template <class V>
HWY_INLINE V mul_add(V a, V b, V c) {
  if constexpr (reproduces && !HWY_NATIVE_FMA) {
    hn::DFromV<V> const d;
    using Real = hn::TFromD<decltype(d)>;
    HWY_ALIGN Real factors[2][hn::MaxLanes(d)];
    HWY_ALIGN Real sums[hn::MaxLanes(d)];
    hn::Store(a, d, factors[0]);
    hn::Store(b, d, factors[1]);
    hn::Store(c, d, sums);
    for (std::size_t i = 0; i < hn::MaxLanes(d); ++i)
      sums[i] = std::fma(factors[0][i], factors[1][i], sums[i]);
    return hn::Load(d, sums);
  } else {
    return hn::MulAdd(a, b, c);
  }
}
template <class V>
HWY_INLINE V negated_mul_add(V a, V b, V c) {
  if constexpr (reproduces && !HWY_NATIVE_FMA) return mul_add(hn::Neg(a), b, c);
  return hn::NegMulAdd(a, b, c);
}
template <class V>
HWY_INLINE V mul_sub(V a, V b, V c) {
  if constexpr (reproduces && !HWY_NATIVE_FMA) return mul_add(a, b, hn::Neg(c));
  return hn::MulSub(a, b, c);
}
template <class V>
HWY_INLINE V negated_mul_sub(V a, V b, V c) {
  if constexpr (reproduces && !HWY_NATIVE_FMA) return mul_add(hn::Neg(a), b, hn::Neg(c));
  return hn::NegMulSub(a, b, c);
}

/// L complex numbers, one for each column.
template <class Real>
struct Complex {
  using Part = Real;
  Vector<Real> re;
  Vector<Real> im;
};

template <class Real>
HWY_INLINE Complex<Real> operator+(Complex<Real> a, Complex<Real> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

template <class Real>
HWY_INLINE Complex<Real> operator-(Complex<Real> a, Complex<Real> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

template <class Real>
HWY_INLINE Complex<Real> operator*(Complex<Real> a, Complex<Real> b) {
  return {negated_mul_add(a.im, b.im, hn::Mul(a.re, b.re)),
          mul_add(a.im, b.re, hn::Mul(a.re, b.im))};
}

/// Returns x in a way that hides its value from the compiler.
HWY_INLINE Index unknown(Index x) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm volatile("" : "+r"(x));
#endif
  return x;
}

/// The factor of a scaled transform. Most transforms have none. A branch for each row costs less
/// than a multiplication, and compiles faster than two versions of all kernels.
template <class Real>
class Scale {
 public:
  Scale(Real factor = 1) : factor_(factor), is_there_(factor != Real{1}) {}

  Real factor() const { return factor_; }
  // Unknown, so that the compiler does not separate the rows with a factor from those without.
  HWY_INLINE bool is_there() const { return unknown(is_there_) != 0; }

  HWY_INLINE Complex<Real> operator()(Complex<Real> x) const {
    if (!is_there()) return x;
    Vector<Real> const all = hn::Set(Tag<Real>(), factor_);
    return {hn::Mul(x.re, all), hn::Mul(x.im, all)};
  }

 private:
  Real factor_;
  Index is_there_;
};

/// The same number in all lanes.
template <class Real>
HWY_INLINE Complex<Real> broadcast(Real re, Real im) {
  return {hn::Set(Tag<Real>(), re), hn::Set(Tag<Real>(), im)};
}

template <class Real>
HWY_INLINE Complex<Real> load_row(Real const* row) {
  Tag<Real> const d;
  return {hn::Load(d, row), hn::Load(d, row + lanes<Real>)};
}

template <class Real>
HWY_INLINE void store_row(Complex<Real> x, Real* row) {
  Tag<Real> const d;
  hn::Store(x.re, d, row);
  hn::Store(x.im, d, row + lanes<Real>);
}

#if HWY_TARGET == HWY_SCALAR

// Vectors with one lane need no shuffles.
template <class Real>
HWY_INLINE Vector<Real> even_in_blocks(Vector<Real> a, Vector<Real>) {
  return a;
}
template <class Real>
HWY_INLINE Vector<Real> odd_in_blocks(Vector<Real>, Vector<Real> b) {
  return b;
}
template <class Real>
HWY_INLINE Vector<Real> interleave_lower(Vector<Real> a, Vector<Real>) {
  return a;
}
template <class Real>
HWY_INLINE Vector<Real> interleave_upper(Vector<Real>, Vector<Real> b) {
  return b;
}

#else

/// [a0 b0 ...] from the lower half of each block.
template <class Real>
HWY_INLINE Vector<Real> interleave_lower(Vector<Real> a, Vector<Real> b) {
  return hn::InterleaveLower(Tag<Real>(), a, b);
}

/// The same from the upper half.
template <class Real>
HWY_INLINE Vector<Real> interleave_upper(Vector<Real> a, Vector<Real> b) {
  return hn::InterleaveUpper(Tag<Real>(), a, b);
}

/// Reals 0, 2, ... of each block of a, then of b: [a0 a2 b0 b2].
template <class Real>
HWY_INLINE Vector<Real> even_in_blocks(Vector<Real> a, Vector<Real> b) {
  if constexpr (block_reals<Real> == 2) return interleave_lower<Real>(a, b);
#if HWY_TARGET == HWY_AVX3
  else
    return Vector<Real>{_mm512_shuffle_ps(a.raw, b.raw, 0x88)};
#elif HWY_TARGET == HWY_AVX2
  else
    return Vector<Real>{_mm256_shuffle_ps(a.raw, b.raw, 0x88)};
#else
  else
    return hn::ConcatEven(Tag<Real>(), b, a);
#endif
}

/// Reals 1, 3, ... of each block of a, then of b: [a1 a3 b1 b3].
template <class Real>
HWY_INLINE Vector<Real> odd_in_blocks(Vector<Real> a, Vector<Real> b) {
  if constexpr (block_reals<Real> == 2) return interleave_upper<Real>(a, b);
#if HWY_TARGET == HWY_AVX3
  else
    return Vector<Real>{_mm512_shuffle_ps(a.raw, b.raw, 0xdd)};
#elif HWY_TARGET == HWY_AVX2
  else
    return Vector<Real>{_mm256_shuffle_ps(a.raw, b.raw, 0xdd)};
#else
  else
    return hn::ConcatOdd(Tag<Real>(), b, a);
#endif
}

#endif  // HWY_SCALAR

/// The column, relative to the first of the group, that split() puts into a lane.
template <class Real>
constexpr int lane_column(int lane) {
  constexpr int per_vector = lanes<Real> / 2;  // columns in each of the two vectors
  if (lanes<Real> == 1) return 0;
  constexpr int half = block_reals < Real >> 1 ? block_reals<Real> / 2 : 1;
  int const block = lane / block_reals<Real>;
  int const place = lane % block_reals<Real>;
  return block * half + place % half + (place / half) * per_vector;
}

/// A complex vector from the alternating parts of L neighbouring columns: `a` holds the first L/2,
/// `b` the others.
template <class Real>
HWY_INLINE Complex<Real> split(Vector<Real> a, Vector<Real> b) {
  return {even_in_blocks<Real>(a, b), odd_in_blocks<Real>(a, b)};
}

/// A complex vector from L columns of one of the user's rows: L/2 neighbours at `from`, and L/2
/// neighbours `half` Reals after that.
template <class Real>
HWY_INLINE Complex<Real> load_columns(Real const* from, Index half = lanes<Real>) {
  Tag<Real> const d;
  return split<Real>(hn::LoadU(d, from), hn::LoadU(d, from + half));
}

/// Stores the first L/2 columns at `to`, the others `half` Reals after it.
template <class Real>
HWY_INLINE void store_columns(Complex<Real> x, Real* to, Index half = lanes<Real>) {
  Tag<Real> const d;
  hn::StoreU(interleave_lower<Real>(x.re, x.im), d, to);
  hn::StoreU(interleave_upper<Real>(x.re, x.im), d, to + half);
}

/// In the row pass of a contiguous transform, lanes hold L columns of one transform or L/2 columns
/// of each of two. Squares with this side are transposed in registers, one for each transform.
template <class Real, int transforms>
inline constexpr int square = lanes<Real> / transforms;

/// The order in which transpose() takes and leaves a square: register i holds its row, and lane i
/// its column number square_row(i).
template <class Real, int transforms>
constexpr int square_row(int i) {
  constexpr int in_block = block_reals<Real> / transforms;
  return lane_column<Real>(i / in_block * block_reals<Real> + i % in_block) %
         square<Real, transforms>;
}

#if HWY_TARGET == HWY_SCALAR

template <class Real, int transforms = 1>
HWY_INLINE void transpose(Vector<Real>*) {}

#else

/// Blocks 0 and 2 (or 1 and 3) of a, then of b; for 32-byte vectors, block 0 (or 1) of each.
template <class Real>
HWY_INLINE Vector<Real> even_blocks(Vector<Real> a, Vector<Real> b) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(Real) == 8)
    return Vector<Real>{_mm512_shuffle_f64x2(a.raw, b.raw, 0x88)};
  else
    return Vector<Real>{_mm512_shuffle_f32x4(a.raw, b.raw, 0x88)};
#else
  return hn::ConcatLowerLower(Tag<Real>(), b, a);
#endif
}

template <class Real>
HWY_INLINE Vector<Real> odd_blocks(Vector<Real> a, Vector<Real> b) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(Real) == 8)
    return Vector<Real>{_mm512_shuffle_f64x2(a.raw, b.raw, 0xdd)};
  else
    return Vector<Real>{_mm512_shuffle_f32x4(a.raw, b.raw, 0xdd)};
#else
  return hn::ConcatUpperUpper(Tag<Real>(), b, a);
#endif
}

/// Transposes the elements of each block of E vectors, where E = block_reals.
template <class Real>
HWY_INLINE void transpose_in_blocks(Vector<Real>* x) {
  if constexpr (block_reals<Real> == 2) {
    Vector<Real> const a = x[0];
    x[0] = interleave_lower<Real>(a, x[1]);
    x[1] = interleave_upper<Real>(a, x[1]);
  } else {
    Tag<Real> const d;
    hn::RepartitionToWide<Tag<Real>> const wide;
    auto const a = hn::BitCast(wide, interleave_lower<Real>(x[0], x[1]));
    auto const b = hn::BitCast(wide, interleave_upper<Real>(x[0], x[1]));
    auto const c = hn::BitCast(wide, interleave_lower<Real>(x[2], x[3]));
    auto const e = hn::BitCast(wide, interleave_upper<Real>(x[2], x[3]));
    x[0] = hn::BitCast(d, hn::InterleaveLower(wide, a, c));
    x[1] = hn::BitCast(d, hn::InterleaveUpper(wide, a, c));
    x[2] = hn::BitCast(d, hn::InterleaveLower(wide, b, e));
    x[3] = hn::BitCast(d, hn::InterleaveUpper(wide, b, e));
  }
}

/// The same in each half of a block, for E/2 vectors.
template <class Real>
HWY_INLINE void transpose_in_half_blocks(Vector<Real>* x) {
  if constexpr (block_reals<Real> == 4) {
    Vector<Real> const a = x[0];
    x[0] = hn::OddEven(hn::DupEven(x[1]), a);
    x[1] = hn::OddEven(x[1], hn::DupOdd(a));
  }
}

/// Transposes the blocks of `blocks` vectors that are `step` apart.
template <class Real, int step>
HWY_INLINE void transpose_blocks(Vector<Real>* y) {
  if constexpr (blocks<Real> == 2) {
    Vector<Real> const a = y[0];
    y[0] = even_blocks<Real>(a, y[step]);
    y[step] = odd_blocks<Real>(a, y[step]);
  } else if constexpr (blocks<Real> == 4) {
    Vector<Real> const a = even_blocks<Real>(y[0], y[step]);
    Vector<Real> const b = odd_blocks<Real>(y[0], y[step]);
    Vector<Real> const c = even_blocks<Real>(y[2 * step], y[3 * step]);
    Vector<Real> const f = odd_blocks<Real>(y[2 * step], y[3 * step]);
    y[0] = even_blocks<Real>(a, c);
    y[step] = even_blocks<Real>(b, f);
    y[2 * step] = odd_blocks<Real>(a, c);
    y[3 * step] = odd_blocks<Real>(b, f);
  }
}

/// Transposes a square of L vectors in registers, or two squares of L/2 vectors, one for each of
/// two transforms.
template <class Real, int transforms = 1>
HWY_INLINE void transpose(Vector<Real>* x) {
  constexpr int E = block_reals<Real> / transforms;
  HWY_UNROLL(4)
  for (int b = 0; b < blocks<Real>; ++b) {
    if constexpr (transforms == 1)
      transpose_in_blocks<Real>(x + b * E);
    else
      transpose_in_half_blocks<Real>(x + b * E);
  }
  HWY_UNROLL(4)
  for (int e = 0; e < E; ++e) transpose_blocks<Real, E>(x + e);
}

#endif  // HWY_SCALAR

/// The numbers, of one or two Reals each, in a vector: the side of a square of them.
template <class Real, int parts>
inline constexpr int side = lanes<Real> / parts;

/// Transposes such a square in registers.
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
    HWY_UNROLL(8)
    for (int i = 0; i < side<Real, parts>; ++i) y[i] = hn::BitCast(wide, x[i]);
    transpose<double>(y);
    HWY_UNROLL(8)
    for (int i = 0; i < side<Real, parts>; ++i) x[i] = hn::BitCast(d, y[i]);
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
