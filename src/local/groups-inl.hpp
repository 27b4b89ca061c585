// SPDX-License-Identifier: BSD-3-Clause
// Groups of L columns between the user's arrays and the kernels' own rows, for any row table.
//
// Three ways, by how the columns lie: side by side (a row is two vectors), each contiguous (squares
// are transposed in registers), or anything else (an element at a time). A group may lack columns:
// they are read as zeros and never written. Compiled once an instruction set.
#include <complex>

#include "local/transform.hpp"
#include "local/twist-inl.hpp"
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
  Scalar* first;
  Index const* row;
  Index lane;
  Index columns;
};

/// Rows of a tile: with them, real and imaginary parts of L columns make a square of L vectors.
template <class Real>
inline constexpr Index tile_rows = lanes<Real> / 2;

/// Whether the rows from k on lie one after another, as many as a tile has.
template <class Real>
HWY_INLINE bool is_tile(Index const* row, Index k, Index end) {
  if (tile_rows<Real> == 0 || k + tile_rows < Real >> end) return false;
  for (Index i = 1; i < tile_rows<Real>; ++i)
    if (row[k + i] != row[k] + i) return false;
  return true;
}

template <class Real>
HWY_INLINE void load_tile(Group<Real const> const& in, Index k, Real* rows) {
  Tag<Real> const d;
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    Index const column = lane_column<Real>(lane);
    Real const* const from = in.first + 2 * (in.row[k] + column * in.lane);
    x[lane] = column < in.columns ? hn::LoadU(d, from) : hn::Zero(d);
  }
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int i = 0; i < lanes<Real>; ++i) hn::Store(x[i], d, rows + i * lanes<Real>);
}

template <class Real>
HWY_INLINE void load_scattered(Group<Real const> const& in, Index k, Real* row) {
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    Index const column = lane_column<Real>(lane);
    bool const present = column < in.columns;
    Real const* const from = in.first + 2 * (in.row[k] + (present ? column : 0) * in.lane);
    row[lane] = present ? from[0] : Real{0};
    row[lanes<Real> + lane] = present ? from[1] : Real{0};
  }
}

/// Rows [begin, end) of a group into `rows`.
template <class Real>
HWY_NOINLINE void load_group(Group<Real const> const& in, Index begin, Index end, Real* rows) {
  if (in.lane == 1) {
    bool const full = in.columns == lanes<Real>;
    for (Index k = begin; k < end; ++k, rows += row_reals<Real>) {
      Real const* const from = in.first + 2 * in.row[k];
      store_row(full ? load_columns<Real>(from) : load_some_columns<Real>(from, 2 * in.columns),
                rows);
    }
    return;
  }
  for (Index k = begin; k < end;) {
    if constexpr (tile_rows < Real >> 0) {
      if (is_tile<Real>(in.row, k, end)) {
        load_tile(in, k, rows);
        k += tile_rows<Real>;
        rows += tile_rows<Real> * row_reals<Real>;
        continue;
      }
    }
    load_scattered(in, k++, rows);
    rows += row_reals<Real>;
  }
}

/// What is done to a row of the result on its way out: nothing, ...
template <class Real>
struct Unchanged {
  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index) const { return x; }
};

/// ... a factor for all, ...
template <class Real>
struct Scaled {
  Vector<Real> scale;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index) const {
    return {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  }
};

/// ... or that and a row's own.
template <class Real>
struct Twisted {
  TwistTable<Real> const* twist;
  Vector<Real> scale;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index k) const {
    x = x * twist->factor(k);
    return {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  }
};

template <class Real, class Finish>
HWY_INLINE void store_tile(Group<Real> const& out, Index k, Real const* rows,
                           Finish const& finish) {
  Tag<Real> const d;
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int i = 0; i < tile_rows<Real>; ++i) {
    Complex<Real> const row = finish(load_row(rows + i * row_reals<Real>), k + i);
    x[2 * i] = row.re;
    x[2 * i + 1] = row.im;
  }
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    Index const column = lane_column<Real>(lane);
    if (column < out.columns)
      hn::StoreU(x[lane], d, out.first + 2 * (out.row[k] + column * out.lane));
  }
}

template <class Real>
HWY_INLINE void store_scattered(Group<Real> const& out, Index k, Complex<Real> x) {
  HWY_ALIGN Real row[row_reals<Real>];
  store_row(x, row);
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    Index const column = lane_column<Real>(lane);
    if (column >= out.columns) continue;
    Real* const to = out.first + 2 * (out.row[k] + column * out.lane);
    to[0] = row[lane];
    to[1] = row[lanes<Real> + lane];
  }
}

/// All n rows of a group from `rows`.
template <class Real, class Finish>
HWY_NOINLINE void store_group(Real const* rows, Index n, Group<Real> const& out, Finish finish) {
  bool const side_by_side = out.lane == 1 && out.columns == lanes<Real>;
  for (Index k = 0; k < n;) {
    if (side_by_side) {
      store_columns<Real>(finish(load_row(rows), k), out.first + 2 * out.row[k]);
    } else {
      if constexpr (tile_rows < Real >> 0) {
        if (out.lane != 1 && is_tile<Real>(out.row, k, n)) {
          store_tile(out, k, rows, finish);
          k += tile_rows<Real>;
          rows += tile_rows<Real> * row_reals<Real>;
          continue;
        }
      }
      store_scattered(out, k, finish(load_row(rows), k));
    }
    ++k;
    rows += row_reals<Real>;
  }
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
