// SPDX-License-Identifier: BSD-3-Clause
// Groups of L columns between the user's arrays and the kernels' own rows, for any row table.
//
// Three ways, by how the columns lie: side by side (a row is two vectors), each contiguous (squares
// are transposed in registers), or anything else (an element at a time). A group may lack columns:
// their lanes hold something, and nothing of them is written. Compiled once an instruction set.
#include <complex>
#include <type_traits>

#include "local/finish-inl.hpp"
#include "local/transform.hpp"
#include "local/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_GROUPS_INL
#undef SIXSTEP_LOCAL_GROUPS_INL
#else
#define SIXSTEP_LOCAL_GROUPS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// `columns` <= L columns of the user's: parts of element k of column c are at
/// first[2 (row[k] + c lane)] and after it.
template <class Scalar>
struct Group {
  using Real = std::remove_const_t<Scalar>;

  Scalar* first;
  Index const* row;
  Index lane;
  Index columns;
  Index place[lanes<Real>];  // in Reals, of each lane's column; a missing column is column 0

  Group(Scalar* data, Index const* rows, Index distance, Index count)
      : first(data), row(rows), lane(distance), columns(count) {
    for (int i = 0; i < lanes<Real>; ++i) {
      Index const column = lane_column<Real>(i);
      place[i] = column < columns ? 2 * column * lane : 0;
    }
  }

  bool full() const { return columns == lanes<Real>; }
  bool side_by_side() const { return lane == 1 && full(); }
  bool has(int lane_index) const { return lane_column<Real>(lane_index) < columns; }
};

/// Rows of a tile: with them, real and imaginary parts of L columns make a square of L vectors.
template <class Real>
inline constexpr Index tile_rows = lanes<Real> / 2;

/// Whether the rows from k on lie one after another, as many as a tile has.
template <class Real>
HWY_INLINE bool is_tile(Index const* row, Index k, Index end) {
  constexpr Index rows = tile_rows<Real>;
  if (rows == 0 || k + rows > end) return false;
  for (Index i = 1; i < rows; ++i)
    if (row[k + i] != row[k] + i) return false;
  return true;
}

template <class Real>
HWY_INLINE void load_tile(Group<Real const> const& in, Index k, Real* rows) {
  Tag<Real> const d;
  Real const* const from = in.first + 2 * in.row[k];
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int lane = 0; lane < lanes<Real>; ++lane) x[lane] = hn::LoadU(d, from + in.place[lane]);
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int i = 0; i < lanes<Real>; ++i) hn::Store(x[i], d, rows + i * lanes<Real>);
}

template <class Real>
HWY_INLINE void load_scattered(Group<Real const> const& in, Index k, Real* row) {
  Real const* const from = in.first + 2 * in.row[k];
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    row[lane] = from[in.place[lane]];
    row[lanes<Real> + lane] = from[in.place[lane] + 1];
  }
}

/// Rows [k, end) of a group, into `to`.
template <class Real>
HWY_NOINLINE void load_group(Group<Real const> const& in, Index k, Index end, Real* to) {
  while (k < end) {
    Index rows = 1;
    if (in.side_by_side()) {
      store_row(load_columns<Real>(in.first + 2 * in.row[k]), to);
    } else if (in.lane != 1 && is_tile<Real>(in.row, k, end)) {
      load_tile(in, k, to);
      rows = tile_rows<Real>;
    } else {
      load_scattered(in, k, to);
    }
    k += rows;
    to += rows * row_reals<Real>;
  }
}

template <class Real, class Finish>
HWY_INLINE void store_tile(Group<Real> const& out, Index k, Real const* rows,
                           Finish const& finish) {
  Tag<Real> const d;
  Real* const to = out.first + 2 * out.row[k];
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int i = 0; i < tile_rows<Real>; ++i) {
    Complex<Real> const row = finish(load_row(rows + i * row_reals<Real>), k + i);
    x[2 * i] = row.re;
    x[2 * i + 1] = row.im;
  }
  transpose<Real>(x);
  if (out.full()) {
    HWY_UNROLL(16)
    for (int lane = 0; lane < lanes<Real>; ++lane) hn::StoreU(x[lane], d, to + out.place[lane]);
  } else {
    HWY_UNROLL(16)
    for (int lane = 0; lane < lanes<Real>; ++lane)
      if (out.has(lane)) hn::StoreU(x[lane], d, to + out.place[lane]);
  }
}

template <class Real>
HWY_INLINE void store_scattered(Group<Real> const& out, Index k, Complex<Real> x) {
  HWY_ALIGN Real row[row_reals<Real>];
  store_row(x, row);
  Real* const to = out.first + 2 * out.row[k];
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    if (!out.has(lane)) continue;
    to[out.place[lane]] = row[lane];
    to[out.place[lane] + 1] = row[lanes<Real> + lane];
  }
}

/// All n rows of a group, from `from`.
template <class Real, class Finish>
HWY_NOINLINE void store_group(Real const* from, Index n, Group<Real> const& out, Finish finish) {
  for (Index k = 0; k < n;) {
    Index rows = 1;
    if (out.side_by_side()) {
      store_columns<Real>(finish(load_row(from), k), out.first + 2 * out.row[k]);
    } else if (out.lane != 1 && is_tile<Real>(out.row, k, n)) {
      store_tile(out, k, from, finish);
      rows = tile_rows<Real>;
    } else {
      store_scattered(out, k, finish(load_row(from), k));
    }
    k += rows;
    from += rows * row_reals<Real>;
  }
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
