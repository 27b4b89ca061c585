// SPDX-License-Identifier: BSD-3-Clause
// Moves rows of columns between arrays and blocks, in any order and with signs.
//
// Numbers are reals or complex numbers, of `parts` = 1 or 2 Reals. If columns are contiguous on one
// side and side by side on the other, squares of numbers are transposed in registers. Compiled once
// for each instruction set.
#include <algorithm>
#include <complex>
#include <vector>

#include "local/kernels/partial_vectors-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_MOVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_MOVES_INL
#undef SIXSTEP_LOCAL_MOVES_INL
#else
#define SIXSTEP_LOCAL_MOVES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// Columns of numbers.
template <class Scalar, int parts>
struct Numbers {
  Scalar* data;
  RowMap row;
  Index lane;

  Scalar* at(Index k, Index c) const { return data + parts * (row[k] + c * lane); }
};

/// Whether the rows of a square, from `way` on, are consecutive on one side: that of Way::from or
/// that of Way::to.
template <class Real, int parts>
bool has_square(Way<Real> const* way, Index Way<Real>::*side_of, RowMap row) {
  for (Index i = 1; i < side<Real, parts>; ++i)
    if (row[way[i].*side_of] != row[way[0].*side_of] + i) return false;
  return true;
}

/// Moves columns [c, end) of a row, one by one.
template <class Real, int parts>
HWY_INLINE void move_numbers(Way<Real> const& way, Numbers<Real const, parts> const& from,
                             Numbers<Real, parts> const& to, Index c, Index end) {
  for (; c < end; ++c)
    for (int i = 0; i < parts; ++i) to.at(way.to, c)[i] = way.sign * from.at(way.from, c)[i];
}

/// Moves the rows of a square from contiguous columns to columns side by side.
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

/// Moves the rows of a square from columns side by side to contiguous columns.
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

/// Moves the rows of a square from contiguous columns to contiguous columns.
template <class Real, int parts>
HWY_INLINE void copy_square(Way<Real> const* way, Numbers<Real const, parts> const& from,
                            Numbers<Real, parts> const& to, Index columns) {
  Tag<Real> const d;
  for (Index c = 0; c < columns; ++c)
    hn::StoreU(hn::Mul(hn::LoadU(d, from.at(way->from, c)), hn::Set(d, way->sign)), d,
               to.at(way->to, c));
}

/// Moves the rows of a square if one of the functions above fits their layout; returns whether it
/// did.
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

/// Moves all columns of a row.
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
      // the last square may overlap the one before
      Index const first = std::max<Index>(std::min(i, count - S), 0);
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

/// to[c to_row + r] = from[r from_row + c] for numbers of so many parts, r < rows and c < columns.
template <class Real, int parts>
void transpose_matrix(Real const* from, Index from_row, Index rows, Index columns, Real* to,
                      Index to_row) {
  constexpr Index S = side<Real, parts>;
  auto const move_one = [&](Index r, Index c) {
    std::copy_n(from + parts * (r * from_row + c), parts, to + parts * (c * to_row + r));
  };
  Index r = 0;
  if constexpr (S > 1) {
    Tag<Real> const d;
    for (; r + S <= rows; r += S) {
      Index c = 0;
      for (; c + S <= columns; c += S) {
        Real const* const source = from + parts * (r * from_row + c);
        Real* const target = to + parts * (c * to_row + r);
        Vector<Real> x[S];
        HWY_UNROLL(16)
        for (int i = 0; i < S; ++i) x[i] = hn::LoadU(d, source + i * parts * from_row);
        transpose_square<Real, parts>(x);
        HWY_UNROLL(16)
        for (int i = 0; i < S; ++i) hn::StoreU(x[i], d, target + i * parts * to_row);
      }
      for (; c < columns; ++c)
        for (Index i = 0; i < S; ++i) move_one(r + i, c);
    }
  }
  for (; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) move_one(r, c);
}

// Moves full groups of contiguous columns to rows that lie anywhere, and back. The last square of a
// column may overlap the one before, or have fewer rows.

/// Moves `some` rows, at most L, of L columns to their places; the next function moves them back.
template <class Real>
HWY_INLINE void spread_square(Real const* from, Index lane, PlacedRow<Real> const* place, Index g,
                              Index some, Real* block) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  Vector<Real> x[L];
  HWY_UNROLL(16)
  for (int i = 0; i < L; ++i)
    x[i] = some < L ? get_first(from + i * lane, some) : hn::LoadU(d, from + i * lane);
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int i = 0; i < L; ++i)
    if (some == L || i < some)
      hn::Store(hn::Mul(x[i], hn::Set(d, place[i].sign)), d,
                block + place[i].offset + g * place[i].group);
}

template <class Real>
HWY_INLINE void collect_square(Real const* block, PlacedRow<Real> const* place, Index g, Index some,
                               Real* to, Index lane) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  Vector<Real> x[L];
  HWY_UNROLL(16)
  for (int i = 0; i < L; ++i)
    x[i] = some == L || i < some
               ? hn::Mul(hn::Load(d, block + place[i].offset + g * place[i].group),
                         hn::Set(d, place[i].sign))
               : hn::Zero(d);
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int i = 0; i < L; ++i)
    if (some < L)
      put_first(d, x[i], to + i * lane, some);
    else
      hn::StoreU(x[i], d, to + i * lane);
}

template <class Real>
void spread_columns(Real const* from, Index lane, Index groups, Index ahead,
                    std::vector<PlacedRow<Real>> const& places, Real* block) {
  constexpr Index L = lanes<Real>;
  constexpr int reading = 0, second_level = 2;
  Index const rows = static_cast<Index>(places.size());
  for (Index g = 0; g < groups; ++g, from += L * lane) {
    if (rows < L) spread_square(from, lane, places.data(), g, rows, block);
    for (Index next = 0; next < rows && rows >= L; next += L) {
      Index const k = std::min(next, rows - L);
      for (Index i = 0; ahead > 0 && i < L; ++i)
        __builtin_prefetch(from + k + i * lane + ahead, reading, second_level);
      spread_square(from + k, lane, places.data() + k, g, L, block);
    }
  }
}

template <class Real>
void collect_columns(Real const* block, std::vector<PlacedRow<Real>> const& places, Index groups,
                     Real* to, Index lane) {
  constexpr Index L = lanes<Real>;
  Index const rows = static_cast<Index>(places.size());
  for (Index g = 0; g < groups; ++g, to += L * lane) {
    if (rows < L) collect_square(block, places.data(), g, rows, to, lane);
    for (Index next = 0; next < rows && rows >= L; next += L) {
      Index const k = std::min(next, rows - L);
      collect_square(block, places.data() + k, g, L, to + k, lane);
    }
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
