// SPDX-License-Identifier: BSD-3-Clause
// Moves groups of L columns between the user's arrays, with rows anywhere, and the kernels' own
// rows.
//
// There are three cases: columns side by side (a row is two vectors of the user's array),
// contiguous columns (squares are transposed in registers), and all others (one element at a time).
// A group may have fewer than L columns: lanes without a column are computed, too, but never
// written. Compiled once for each instruction set.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "hwy/cache_control.h"
#include "local/kernels/finish-inl.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/transform.hpp"

#if defined(SIXSTEP_LOCAL_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_GROUPS_INL
#undef SIXSTEP_LOCAL_GROUPS_INL
#else
#define SIXSTEP_LOCAL_GROUPS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// A tile: groups of L columns, one after another.
struct Tile {
  Index first;  // column
  Index groups;
  Index columns;  // of each group; fewer than L only if there is one
};

/// The tile of at most `most` groups that begins at `column`. Last columns that do not fill a group
/// of `width` are a separate tile.
inline Tile next_tile(Index column, Index columns, Index width, Index most) {
  Index const left = columns - column;
  if (left < width) return {column, 1, left};
  return {column, std::min(left / width, most), width};
}

/// The place of a tile's groups on one side, the source or the target: element k of column c is the
/// two Reals at first + 2 (row[k] - row[0] + c lane).
template <class Scalar>
struct Side {
  using Real = std::remove_const_t<Scalar>;

  Scalar* first;  // of the tile
  RowMap row;
  Index lane;
  Index step;                // Reals between rows; 0 if rows are not evenly spaced
  Index columns;             // of each group
  bool far = false;          // source: out of cache, so prefetch it; target: write past the caches
  Index place[lanes<Real>];  // in Reals, of each lane's column; a missing column is column 0

  template <class Element>
  Side(Columns<Element> const& all, Index row_step)
      : first(reinterpret_cast<Scalar*>(all.data + all.row[0])),
        row(all.row),
        lane(all.lane),
        step(2 * row_step),
        columns(0),
        begin_(first) {}

  void move_to(Index column, Index count) {
    first = begin_ + 2 * column * lane;
    if (columns == count) return;
    columns = count;
    for (int i = 0; i < lanes<Real>; ++i) {
      Index const c = lane_column<Real>(i);
      place[i] = c < columns ? 2 * c * lane : 0;
    }
  }

  /// The address of element k of the first column of group g.
  Scalar* at(Index k, Index g) const {
    return first + 2 * (row[k] - row[0] + g * lanes<Real> * lane);
  }
  bool full() const { return columns == lanes<Real>; }
  bool side_by_side() const { return lane == 1 && full(); }
  bool even() const { return lane == 1 && step != 0 && (columns == 0 || full()); }
  bool has(int lane_index) const { return lane_column<Real>(lane_index) < columns; }

 private:
  Scalar* begin_;  // of the batch
};

/// The rows of a small tile that is transposed in registers: the parts of L/2 elements of each of L
/// columns are a square of L vectors.
template <class Real>
inline constexpr Index tile_rows = lanes<Real> / 2;

/// Whether there are tile_rows rows from k on, and they are consecutive.
template <class Real>
HWY_INLINE bool is_tile(RowMap row, Index k, Index end) {
  constexpr Index rows = tile_rows<Real>;
  if (rows == 0 || k + rows > end) return false;
  for (Index i = 1; i < rows; ++i)
    if (row[k + i] != row[k] + i) return false;
  return true;
}

template <class Real>
HWY_INLINE void load_tile(Real const* from, Index const* place, Scale<Real> scale, OwnRows<Real> to,
                          Index ahead) {
  Tag<Real> const d;
  if (ahead > 0)
    for (int lane = 0; lane < lanes<Real>; ++lane) fetch(from + place[lane] + ahead, lanes<Real>);
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int lane = 0; lane < lanes<Real>; ++lane) x[lane] = hn::LoadU(d, from + place[lane]);
  transpose<Real>(x);
  HWY_UNROLL(16)
  for (int i = 0; i < tile_rows<Real>; ++i) store_row(scale({x[2 * i], x[2 * i + 1]}), to.at(i, 0));
}

template <class Real>
HWY_INLINE void load_scattered(Real const* from, Index const* place, Scale<Real> scale, Real* row) {
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    row[lane] = scale.factor() * from[place[lane]];
    row[lanes<Real> + lane] = scale.factor() * from[place[lane] + 1];
  }
}

/// Reads rows [k, end) of group g to `to`, multiplied by `scale`.
template <class Real>
HWY_NOINLINE void load_group(Side<Real const> const& in, Index g, Index k, Index end,
                             Scale<Real> scale, OwnRows<Real> to) {
  while (k < end) {
    Index rows = 1;
    Real const* const from = in.at(k, g);
    if (in.side_by_side()) {
      store_row(scale(load_columns<Real>(from)), to.first);
    } else if (in.lane != 1 && is_tile<Real>(in.row, k, end)) {
      load_tile(from, in.place, scale, to, in.far ? 2 * lanes<Real> * in.lane : 0);
      rows = tile_rows<Real>;
    } else {
      load_scattered(from, in.place, scale, to.first);
    }
    k += rows;
    to = to.from_row(rows);
  }
}

template <class Real>
HWY_INLINE void store_tile(Side<Real> const& out, Real* to, Complex<Real> const* rows) {
  constexpr std::uintptr_t vector_bytes = lanes<Real> * sizeof(Real);
  Tag<Real> const d;
  Vector<Real> x[lanes<Real>];
  HWY_UNROLL(16)
  for (int i = 0; i < tile_rows<Real>; ++i) {
    x[2 * i] = rows[i].re;
    x[2 * i + 1] = rows[i].im;
  }
  transpose<Real>(x);
  if (out.far && out.full() && reinterpret_cast<std::uintptr_t>(to) % vector_bytes == 0) {
    HWY_UNROLL(16)
    for (int lane = 0; lane < lanes<Real>; ++lane) hn::Stream(x[lane], d, to + out.place[lane]);
    return;
  }
  HWY_UNROLL(16)
  for (int lane = 0; lane < lanes<Real>; ++lane)
    if (out.full() || out.has(lane)) hn::StoreU(x[lane], d, to + out.place[lane]);
}

template <class Real>
HWY_INLINE void store_scattered(Side<Real> const& out, Real* to, Complex<Real> x) {
  HWY_ALIGN Real row[row_reals<Real>];
  store_row(x, row);
  for (int lane = 0; lane < lanes<Real>; ++lane) {
    if (!out.has(lane)) continue;
    to[out.place[lane]] = row[lane];
    to[out.place[lane] + 1] = row[lanes<Real> + lane];
  }
}

/// Writes all n rows of group g of `from`, each changed by `finish`.
template <class Real, class Finish>
HWY_NOINLINE void store_group(OwnRows<Real> from, Index g, Index n, Side<Real> const& out,
                              Finish finish) {
  for (Index k = 0; k < n;) {
    Index rows = 1;
    Real* const to = out.at(k, g);
    if (out.side_by_side()) {
      store_columns<Real>(finish(load_row(from.at(k, g)), k, g), to);
    } else if (out.lane != 1 && is_tile<Real>(out.row, k, n)) {
      rows = tile_rows<Real>;
      Complex<Real> tile[tile_rows<Real> > 0 ? tile_rows<Real> : 1];
      HWY_UNROLL(16)
      for (int i = 0; i < tile_rows<Real>; ++i)
        tile[i] = finish(load_row(from.at(k + i, g)), k + i, g);
      store_tile(out, to, tile);
    } else {
      store_scattered(out, to, finish(load_row(from.at(k, g)), k, g));
    }
    k += rows;
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
