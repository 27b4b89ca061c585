// SPDX-License-Identifier: BSD-3-Clause
// Blocks of sequences (see real_kernels.hpp): loads and stores vectors of them, and converts
// between reals and sequences.
//
// A group of columns that does not fill a vector is moved through a partly filled one. Compiled
// once for each instruction set.
#include <algorithm>
#include <vector>

#include "local/kernels/alternating-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_SEQUENCE_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_SEQUENCE_BLOCKS_INL
#undef SIXSTEP_LOCAL_SEQUENCE_BLOCKS_INL
#else
#define SIXSTEP_LOCAL_SEQUENCE_BLOCKS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// Calls body(c, count), which must be inlined, for each group: `count` columns from c on, L except
/// in the last group.
template <class Real, class Body>
HWY_INLINE void for_groups(Index columns, Body const& body) {
  constexpr Index L = lanes<Real>;
  Index c = 0;
  for (; c + L <= columns; c += L) body(c, L);  // a separate call, so that the compiler knows L
  if (c < columns) body(c, columns - c);
}

// Partly filled vectors are rare, so they are kept out of the loops of all others. No vector is
// loaded from places that were just written in parts, for which a processor waits.

// x86 has loads and stores of the first lanes only, which access no other places.
#define SIXSTEP_HAS_PARTIAL_VECTORS (HWY_TARGET <= HWY_AVX2)

template <class Real>
HWY_NOINLINE Vector<Real> get_some(Real const* from, Index count) {
  Tag<Real> const d;
  if (count == 1) return hn::IfThenElseZero(hn::FirstN(d, 1), hn::Set(d, *from));
#if SIXSTEP_HAS_PARTIAL_VECTORS
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
#else
  HWY_ALIGN Real some[lanes<Real>] = {};
  std::copy_n(from, count, some);
  return hn::Load(d, some);
#endif
}

template <class Real>
HWY_NOINLINE void put_some(Vector<Real> x, Real* to, Index count) {
  Tag<Real> const d;
#if SIXSTEP_HAS_PARTIAL_VECTORS
  hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
  HWY_ALIGN Real some[lanes<Real>];
  hn::Store(x, d, some);
  std::copy_n(some, count, to);
#endif
}

template <class Real>
HWY_NOINLINE Complex<Real> get_some_numbers(Real const* from, Index count) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  HWY_ALIGN Real some[row_reals<Real>];
  hn::Store(get_some(from, std::min(2 * count, L)), d, some);
  hn::Store(2 * count > L ? get_some(from + L, 2 * count - L) : hn::Zero(d), d, some + L);
  return get_complex<Real>(some);
}

template <class Real>
HWY_NOINLINE void put_some_numbers(Complex<Real> x, Real* to, Index count) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  HWY_ALIGN Real some[row_reals<Real>];
  put_complex<Real>(x, some);
  put_some<Real>(hn::Load(d, some), to, std::min(2 * count, L));
  if (2 * count > L) put_some<Real>(hn::Load(d, some + L), to + L, 2 * count - L);
}

#undef SIXSTEP_HAS_PARTIAL_VECTORS

template <class Real>
HWY_INLINE Vector<Real> get_reals(Real const* from, Index count) {
  if (HWY_UNLIKELY(count < lanes<Real>)) return get_some(from, count);
  return hn::LoadU(Tag<Real>(), from);
}

template <class Real>
HWY_INLINE void put_reals(Vector<Real> x, Real* to, Index count) {
  if (HWY_UNLIKELY(count < lanes<Real>)) return put_some<Real>(x, to, count);
  hn::StoreU(x, Tag<Real>(), to);
}

/// For contiguous complex numbers.
template <class Real>
HWY_INLINE Complex<Real> get_numbers(Real const* from, Index count) {
  if (HWY_UNLIKELY(count < lanes<Real>)) return get_some_numbers(from, count);
  return get_complex<Real>(from);
}

template <class Real>
HWY_INLINE void put_numbers(Complex<Real> x, Real* to, Index count) {
  if (HWY_UNLIKELY(count < lanes<Real>)) return put_some_numbers<Real>(x, to, count);
  put_complex<Real>(x, to);
}

/// For sequences.
template <class Real>
HWY_INLINE Complex<Real> get_parts(Real const* from, Index count) {
  return {get_reals(from, count), get_reals(from + count, count)};
}

template <class Real>
HWY_INLINE void put_parts(Complex<Real> x, Real* to, Index count) {
  put_reals<Real>(x.re, to, count);
  put_reals<Real>(x.im, to + count, count);
}

// Reals to sequences and back. A single column that is one sequence, as of a large prime, is
// contiguous complex numbers, and goes without vectors of one lane, unless it must go like several.

template <class Real>
bool is_single(Sequences<Real> const& z) {
  return !reproduces && z.columns == 1 && z.radix == 1;
}

template <class Real>
void gather_sequences(std::vector<Pick<Real>> const& picks, Columns<Real const> const& x,
                      Sequences<Real> const& block) {
  Sequences<Real> const z = block;
  Pick<Real> const* pick = picks.data();
  if (is_single(z)) {
    for (Index j = 0; j < z.rows; ++j, ++pick) {
      z.data[2 * j] = x.data[x.row[pick->row]] * pick->sign;
      z.data[2 * j + 1] = 0;
    }
    return;
  }
  Tag<Real> const d;
  for (Index j = 0; j < z.rows; ++j)
    for (int q = 0; q < z.radix; q += 2) {
      bool const alone = q + 1 == z.radix;
      Pick<Real> const& first = *pick++;
      Pick<Real> const& second = alone ? first : *pick++;
      Real const* const re = x.data + x.row[first.row];
      Real const* const im = x.data + x.row[second.row];
      for_groups<Real>(
          z.columns, [&](Index c, Index count) HWY_ATTR __attribute__((always_inline)) {
            Vector<Real> const a = hn::Mul(get_reals(re + c, count), hn::Set(d, first.sign));
            Vector<Real> const b =
                alone ? hn::Zero(d) : hn::Mul(get_reals(im + c, count), hn::Set(d, second.sign));
            put_parts<Real>({a, b}, z.at(j, q / 2, c, count), count);
          });
    }
}

template <class Real>
void scatter_sequences(Sequences<Real> const& block, std::vector<Pick<Real>> const& picks,
                       Columns<Real> const& x) {
  Sequences<Real> const z = block;
  Pick<Real> const* pick = picks.data();
  if (is_single(z)) {
    for (Index j = 0; j < z.rows; ++j, ++pick)
      x.data[x.row[pick->row]] = z.data[2 * j] * pick->sign;
    return;
  }
  Tag<Real> const d;
  for (Index j = 0; j < z.rows; ++j)
    for (int q = 0; q < z.radix; q += 2) {
      bool const alone = q + 1 == z.radix;
      Pick<Real> const& first = *pick++;
      Pick<Real> const& second = alone ? first : *pick++;
      Real* const re = x.data + x.row[first.row];
      Real* const im = x.data + x.row[second.row];
      for_groups<Real>(
          z.columns, [&](Index c, Index count) HWY_ATTR __attribute__((always_inline)) {
            Complex<Real> const both = get_parts<Real>(z.at(j, q / 2, c, count), count);
            put_reals<Real>(hn::Mul(both.re, hn::Set(d, first.sign)), re + c, count);
            if (!alone) put_reals<Real>(hn::Mul(both.im, hn::Set(d, second.sign)), im + c, count);
          });
    }
}

template <class Real, class Change>
HWY_INLINE void change_numbers(Sequences<Real> const& block, Change const& change) {
  Sequences<Real> const z = block;
  for (Index j = 0; j < z.rows; ++j)
    for_groups<Real>(
        z.columns, [&](Index c, Index count) HWY_ATTR __attribute__((always_inline)) {
          for (int i = 0; i < z.count(); ++i) change(z.at(j, i, c, count), count);
        });
}

template <class Real>
void interleave_sequences(Sequences<Real> const& z) {
  change_numbers(z, [](Real* numbers, Index count) HWY_ATTR {
    put_numbers<Real>(get_parts<Real>(numbers, count), numbers, count);
  });
}

template <class Real>
void split_parts_of_sequences(Sequences<Real> const& z) {
  change_numbers(z, [](Real* numbers, Index count) HWY_ATTR {
    put_parts<Real>(get_numbers<Real>(numbers, count), numbers, count);
  });
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
