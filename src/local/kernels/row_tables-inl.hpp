// SPDX-License-Identifier: BSD-3-Clause
// The tables of contiguous transforms: twiddles in the order of the lanes, for both directions.
// Compiled once for each instruction set.
#include <complex>
#include <vector>

#include "local/kernels/row_pass-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/numbers/double_double.hpp"
#include "local/numbers/root_progressions.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_ROW_TABLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROW_TABLES_INL
#undef SIXSTEP_LOCAL_ROW_TABLES_INL
#else
#define SIXSTEP_LOCAL_ROW_TABLES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The order in which lanes hold neighbouring columns, of which there are `neighbours`: those of
/// one transform, or the same ones again for each transform of a group.
template <class Real>
class LaneOrder {
 public:
  explicit LaneOrder(Index neighbours) {
    for (int lane = 0; lane < lanes<Real>; ++lane)
      columns_[lane] = static_cast<Word>(lane_column<Real>(lane) % neighbours);
  }

  /// Makes rows of twiddles from L of which the first `neighbours` are used, and conjugates.
  HWY_INLINE void put(Real const* re, Real const* im, TwiddleRow<Real>& row,
                      TwiddleRow<Real>& conjugates) const {
    Tag<Real> const d;
    auto const columns = hn::SetTableIndices(d, columns_);
    auto const real = hn::TableLookupLanes(hn::LoadU(d, re), columns);
    auto const imaginary = hn::TableLookupLanes(hn::LoadU(d, im), columns);
    store_row<Real>({real, imaginary}, row.parts);
    store_row<Real>({real, hn::Neg(imaginary)}, conjugates.parts);
  }

 private:
  using Word = hn::TFromD<hn::RebindToSigned<Tag<Real>>>;

  HWY_ALIGN Word columns_[lanes<Real>];
};

/// The twiddles of forward and backward transforms.
template <class Real>
struct TwiddleTable {
  std::vector<TwiddleRow<Real>> forward;
  std::vector<TwiddleRow<Real>> backward;

  TwiddleRow<Real> const* of(bool is_backward) const {
    return is_backward ? backward.data() : forward.data();
  }

  /// Sets `backward` to the conjugates of `forward`.
  void conjugate() {
    backward = forward;
    for (TwiddleRow<Real>& row : backward)
      for (int lane = 0; lane < lanes<Real>; ++lane) row.parts[lanes<Real> + lane] *= -1;
  }
};

/// The twiddles of a row pass, as RowTwiddles need them.
template <class Real>
struct RowTable {
  std::vector<TwiddleRow<Real>> fine;       // [start][j - 1]; for all starts if `coarse` is empty
  std::vector<CoarseTwiddle<Real>> coarse;  // [start / tile][j - 1]

  /// The twiddles multiplied by `scale`, in memory of scaled_bytes() bytes unless the scale is 1. A
  /// long table is multiplied in `coarse`.
  RowTwiddles<Real> scaled(Real scale, Real* memory) const {
    RowTwiddles<Real> twiddles{fine.data(), coarse.data(), scale};
    if (scale == Real{1}) return twiddles;
    auto const copy = [&]<class Row>(Row const*& rows) {
      copy_scaled(reinterpret_cast<Real const*>(rows),
                  static_cast<Index>(scaled_bytes() / sizeof(Real)), scale, memory);
      rows = reinterpret_cast<Row const*>(memory);
    };
    if (coarse.empty())
      copy(twiddles.fine);
    else
      copy(twiddles.coarse);
    return twiddles;
  }
  std::size_t scaled_bytes() const {
    return coarse.empty() ? fine.size() * sizeof(TwiddleRow<Real>)
                          : coarse.size() * sizeof(CoarseTwiddle<Real>);
  }
};

/// Those of forward and backward transforms.
template <class Real>
struct RowTables {
  /// A pass of this radix over `starts` groups of neighbouring butterflies, and a `rest`: the first
  /// group then stands twice, and the second time overlaps the next one.
  struct Shape {
    Index radix, neighbours, starts, rest;
  };

  RowTable<Real> forward;
  RowTable<Real> backward;
  Index tile = 0;  // in starts

  /// A row for each start.
  static RowTables whole(Roots const& roots, Shape const& shape) {
    auto const [radix, neighbours, starts, rest] = shape;
    Index const rows = radix - 1, butterflies = starts * neighbours + rest;
    Index const all = starts + (rest > 0 ? 1 : 0);
    RowTables tables;
    tables.tile = starts;
    tables.forward.fine.resize(static_cast<std::size_t>(all * rows));
    tables.backward.fine.resize(tables.forward.fine.size());
    LaneOrder<Real> const order(neighbours);
    std::vector<Real> re(static_cast<std::size_t>(butterflies + lanes<Real>)), im(re.size());
    for (Index j = 1; j < radix; ++j) {
      store_roots(roots, {0, j, butterflies}, re.data(), im.data());
      for (Index start = 0; start < all; ++start) {
        Index const p =
            start == 0 || rest == 0 ? start * neighbours : (start - 1) * neighbours + rest;
        auto const row = static_cast<std::size_t>(start * rows + j - 1);
        order.put(re.data() + p, im.data() + p, tables.forward.fine[row],
                  tables.backward.fine[row]);
      }
    }
    return tables;
  }

  /// Two tables about as long as each other, of whose rows each start has a product.
  static RowTables products(Roots const& roots, Shape const& shape) {
    auto const [radix, neighbours, starts, rest] = shape;
    RowTables tables;
    tables.tile = starts;
    while (tables.tile * tables.tile > 2 * starts) tables.tile = (tables.tile + 1) / 2;
    for (Index start = 0; start < tables.tile; ++start)
      for (Index j = 1; j < radix; ++j)
        tables.forward.fine.push_back(fine_twiddle(roots, neighbours, start * neighbours, j));
    auto const add_coarse = [&, radix = radix](Index p) {
      for (Index j = 1; j < radix; ++j)
        tables.forward.coarse.push_back(coarse_twiddle(roots.wide(p * j)));
    };
    if (rest > 0) add_coarse(0);
    for (Index start = 0; start < starts; start += tables.tile)
      add_coarse(start * neighbours + rest);
    tables.backward = tables.forward;
    for (TwiddleRow<Real>& row : tables.backward.fine)
      for (int lane = 0; lane < lanes<Real>; ++lane) row.parts[lanes<Real> + lane] *= -1;
    for (CoarseTwiddle<Real>& x : tables.backward.coarse) x = {x.re, -x.im, x.re_rest, -x.im_rest};
    return tables;
  }

 private:
  // The twiddles of row j of butterflies p, p + 1, ..., minus 1.
  static TwiddleRow<Real> fine_twiddle(Roots const& roots, Index neighbours, Index p, Index j) {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      WideComplex const root = roots.wide((p + lane_column<Real>(lane) % neighbours) * j);
      row.parts[lane] = rounded<Real>(root.re + DoubleDouble{-1, 0});
      row.parts[lanes<Real> + lane] = rounded<Real>(root.im);
    }
    return row;
  }

  static CoarseTwiddle<Real> coarse_twiddle(WideComplex const& root) {
    auto const re = rounded<Real>(root.re);
    auto const im = rounded<Real>(root.im);
    return {re, im, rounded<Real>(root.re - DoubleDouble{static_cast<double>(re), 0}),
            rounded<Real>(root.im - DoubleDouble{static_cast<double>(im), 0})};
  }
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
