// SPDX-License-Identifier: BSD-3-Clause
// The factors of a Twist, w_N^(k (first + c step)), for all rows k of one group of columns at a
// time.
//
// With k = q tile + i a factor is coarse_q (1 + fine_i), as in program.hpp: O(sqrt n) numbers of
// each column are kept in double-double, and from a group to the next each is multiplied by w_N^(k
// L step). fine is small wherever first + c step < N/n, as it is between the steps of a six-step
// transform; the factors are then rounded once for all that matters. Compiled once an instruction
// set. Knows nothing about passes.
#include <cmath>
#include <cstddef>

#include "local/double_double.hpp"
#include "local/transform.hpp"
#include "local/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_TWIST_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_TWIST_INL
#undef SIXSTEP_LOCAL_TWIST_INL
#else
#define SIXSTEP_LOCAL_TWIST_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// One row's factor in every column of a group, in double-double.
template <class Real>
struct WideRow {
  double re[lanes<Real>];
  double re_rest[lanes<Real>];
  double im[lanes<Real>];
  double im_rest[lanes<Real>];

  WideRow() = default;
  explicit WideRow(WideComplex const& value) {
    for (int lane = 0; lane < lanes<Real>; ++lane) set(lane, value);
  }
  WideComplex get(int lane) const { return {{re[lane], re_rest[lane]}, {im[lane], im_rest[lane]}}; }
  void set(int lane, WideComplex const& value) {
    re[lane] = value.re.hi;
    re_rest[lane] = value.re.lo;
    im[lane] = value.im.hi;
    im_rest[lane] = value.im.lo;
  }
  WideRow operator*(WideRow const& other) const {
    WideRow product;
    for (int lane = 0; lane < lanes<Real>; ++lane) product.set(lane, get(lane) * other.get(lane));
    return product;
  }
};

/// The factors of the groups of a tile, scale included.
template <class Real>
struct TwistFactors {
  Real const* fine;    // [i], then `coarse`, of each group
  Real const* coarse;  // [q][high, low]
  Index group;         // Reals from a group's to the next one's
  int shift;           // tile = 2^shift
  Index mask;          // tile - 1

  /// That of row k of group g.
  HWY_INLINE Complex<Real> operator()(Index k, Index g) const {
    Real const* const row = coarse + g * group + (k >> shift) * 2 * row_reals<Real>;
    Complex<Real> const high = load_row(row);
    Complex<Real> const low = load_row(row + row_reals<Real>);
    Complex<Real> const small = load_row(fine + g * group + (k & mask) * row_reals<Real>);
    auto const re = hn::NegMulAdd(high.im, small.im, hn::MulAdd(high.re, small.re, low.re));
    auto const im = hn::MulAdd(high.im, small.re, hn::MulAdd(high.re, small.im, low.im));
    return {hn::Add(high.re, re), hn::Add(high.im, im)};
  }
};

/// Keeps the factors, in scratch memory, of the groups of a tile.
template <class Real>
class TwistTable {
 public:
  TwistTable(Index n, Index groups) : groups_(groups) {
    while ((Index{1} << (2 * shift_)) < n) ++shift_;
    coarse_rows_ = ((n - 1) >> shift_) + 1;
  }

  std::size_t bytes() const {
    Index const wide_rows = fine_rows() + coarse_rows_;
    return static_cast<std::size_t>(groups_ * group_reals()) * sizeof(Real) +
           static_cast<std::size_t>(wide_rows) * (sizeof(WideRow<Real>) + sizeof(WideComplex));
  }

  /// Tables, at `memory`, for a batch.
  void begin(Twist const& twist, bool backward, Real scale, std::byte* memory) {
    place(memory);
    twist_ = twist;
    backward_ = backward;
    scale_ = static_cast<double>(scale);
    column_ = -1;
    WideComplex advance = root(twist.step);
    for (int width = 1; width < lanes<Real>; width *= 2) advance = advance * advance;
    fill_with_powers(advance_, advance);
  }

  /// The factors of group g of the tile are those of columns `column` and on.
  void set_group(Index g, Index column) {
    if (column_ >= 0 && twist_.step == 0) return;
    if (column_ >= 0 && column == column_ + lanes<Real>)
      for (Index r = 0; r < fine_rows() + coarse_rows_; ++r)
        wide_[r] = wide_[r] * WideRow<Real>(advance_[r]);
    else
      start(column);
    column_ = column;
    round(g);
  }

  TwistFactors<Real> factors() const {
    return {fine_, coarse_, twist_.step == 0 ? 0 : group_reals(), shift_, fine_rows() - 1};
  }

 private:
  Index fine_rows() const { return Index{1} << shift_; }

  Index group_reals() const { return (fine_rows() + 2 * coarse_rows_) * row_reals<Real>; }

  void place(std::byte* memory) {
    fine_ = reinterpret_cast<Real*>(memory);
    coarse_ = fine_ + fine_rows() * row_reals<Real>;
    wide_ = reinterpret_cast<WideRow<Real>*>(fine_ + groups_ * group_reals());
    advance_ = reinterpret_cast<WideComplex*>(wide_ + fine_rows() + coarse_rows_);
  }

  WideComplex root(Index exponent) const {
    Roots const& roots = *twist_.roots;
    Index const rest = exponent % roots.n() * (backward_ ? -1 : 1);
    return roots.wide(rest < 0 ? rest + roots.n() : rest);
  }

  // All rows in double-double, from nothing.
  void start(Index column) {
    WideComplex value = root(twist_.first + column * twist_.step);
    WideComplex const next = root(twist_.step);
    WideComplex columns[lanes<Real>];
    for (int c = 0; c < lanes<Real>; ++c, value = value * next) columns[c] = value;
    for (int lane = 0; lane < lanes<Real>; ++lane)
      wide_[0].set(lane, columns[lane_column<Real>(lane)]);
    fill_with_powers(wide_, WideRow<Real>(wide_[0]));
  }

  // Rows 0, 1, ... of `fine`, then those of `coarse`, from that of k = 1.
  template <class Row>
  void fill_with_powers(Row* rows, Row const& one) const {
    rows[0] = Row(WideComplex{{1, 0}, {0, 0}});
    for (Index i = 1; i < fine_rows(); ++i) rows[i] = rows[i - 1] * one;
    Row const tile = rows[fine_rows() - 1] * one;
    rows[fine_rows()] = rows[0];
    for (Index q = 1; q < coarse_rows_; ++q)
      rows[fine_rows() + q] = rows[fine_rows() + q - 1] * tile;
  }

  // The tables of group g in Real from those in double-double.
  void round(Index g) {
    Real* const fine = fine_ + g * group_reals();
    Real* const coarse = coarse_ + g * group_reals();
    for (Index i = 0; i < fine_rows(); ++i) round_fine(wide_[i], fine + i * row_reals<Real>);
    for (Index q = 0; q < coarse_rows_; ++q)
      round_coarse(wide_[fine_rows() + q], coarse + q * 2 * row_reals<Real>);
  }

  void round_fine(WideRow<Real> const& wide, Real* HWY_RESTRICT fine) const {
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      fine[lane] = static_cast<Real>((wide.re[lane] - 1) + wide.re_rest[lane]);
      fine[lanes<Real> + lane] = static_cast<Real>(wide.im[lane]);
    }
  }

  void round_coarse(WideRow<Real> const& wide, Real* HWY_RESTRICT coarse) const {
    round_scaled(wide.re, wide.re_rest, coarse);
    round_scaled(wide.im, wide.im_rest, coarse + lanes<Real>);
  }

  // scale (value + rest) as a Real, and what that lacks.
  void round_scaled(double const* value, double const* rest, Real* HWY_RESTRICT to) const {
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      Real const high = static_cast<Real>(value[lane] * scale_);
      double const lacking = std::fma(value[lane], scale_, -static_cast<double>(high));
      to[lane] = high;
      to[row_reals<Real> + lane] = static_cast<Real>(lacking + rest[lane] * scale_);
    }
  }

  Index groups_;
  int shift_ = 0;  // tile = 2^shift
  Index coarse_rows_ = 0;
  Twist twist_ = {};
  bool backward_ = false;
  double scale_ = 1;
  Index column_ = -1;  // of wide_; -1: none yet
  Real* fine_ = nullptr;
  Real* coarse_ = nullptr;
  WideRow<Real>* wide_ = nullptr;
  WideComplex* advance_ = nullptr;
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
