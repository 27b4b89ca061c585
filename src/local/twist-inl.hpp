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

/// The factors of the current group, scale included.
template <class Real>
struct TwistFactors {
  Real const* fine;    // [i]
  Real const* coarse;  // [q][high, low]
  int shift;           // tile = 2^shift
  Index mask;          // tile - 1

  /// That of row k.
  HWY_INLINE Complex<Real> operator()(Index k) const {
    Real const* const row = coarse + (k >> shift) * 2 * row_reals<Real>;
    Complex<Real> const high = load_row(row);
    Complex<Real> const low = load_row(row + row_reals<Real>);
    Complex<Real> const small = load_row(fine + (k & mask) * row_reals<Real>);
    auto const re = hn::NegMulAdd(high.im, small.im, hn::MulAdd(high.re, small.re, low.re));
    auto const im = hn::MulAdd(high.im, small.re, hn::MulAdd(high.re, small.im, low.im));
    return {hn::Add(high.re, re), hn::Add(high.im, im)};
  }
};

/// Keeps the factors, in scratch memory, from group to group of a batch.
template <class Real>
class TwistTable {
 public:
  explicit TwistTable(Index n) : shift_(0) {
    while ((Index{1} << (2 * shift_)) < n) ++shift_;
    coarse_rows_ = ((n - 1) >> shift_) + 1;
  }

  std::size_t bytes() const {
    Index const reals = (fine_rows() + 2 * coarse_rows_) * row_reals<Real>;
    Index const wide_rows = fine_rows() + coarse_rows_;
    return static_cast<std::size_t>(reals) * sizeof(Real) +
           static_cast<std::size_t>(wide_rows) * (sizeof(WideRow<Real>) + sizeof(WideComplex));
  }

  /// Fills the tables, at `memory`, for the batch's first group.
  void begin(Twist const& twist, bool backward, Real scale, std::byte* memory) {
    place(memory);
    scale_ = static_cast<double>(scale);
    moves_ = twist.step != 0;
    Roots const& roots = *twist.roots;
    auto const root = [&roots, backward](Index exponent) {
      Index const rest = exponent % roots.n() * (backward ? -1 : 1);
      return roots.wide(rest < 0 ? rest + roots.n() : rest);
    };
    WideComplex value = root(twist.first);
    WideComplex const next = root(twist.step);
    WideComplex columns[lanes<Real>];
    for (int column = 0; column < lanes<Real>; ++column, value = value * next)
      columns[column] = value;
    for (int lane = 0; lane < lanes<Real>; ++lane)
      wide_[0].set(lane, columns[lane_column<Real>(lane)]);
    fill_with_powers(wide_, WideRow<Real>(wide_[0]));

    WideComplex advance = next;
    for (int width = 1; width < lanes<Real>; width *= 2) advance = advance * advance;
    fill_with_powers(advance_, advance);
    round();
  }

  /// On to the next L columns.
  void next_group() {
    if (!moves_) return;
    for (Index r = 0; r < fine_rows() + coarse_rows_; ++r)
      wide_[r] = wide_[r] * WideRow<Real>(advance_[r]);
    round();
  }

  TwistFactors<Real> factors() const { return {fine_, coarse_, shift_, fine_rows() - 1}; }

 private:
  Index fine_rows() const { return Index{1} << shift_; }

  void place(std::byte* memory) {
    fine_ = reinterpret_cast<Real*>(memory);
    coarse_ = fine_ + fine_rows() * row_reals<Real>;
    wide_ = reinterpret_cast<WideRow<Real>*>(coarse_ + 2 * coarse_rows_ * row_reals<Real>);
    advance_ = reinterpret_cast<WideComplex*>(wide_ + fine_rows() + coarse_rows_);
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

  // The tables in Real from those in double-double.
  void round() {
    for (Index i = 0; i < fine_rows(); ++i) round_fine(wide_[i], fine_ + i * row_reals<Real>);
    for (Index q = 0; q < coarse_rows_; ++q)
      round_coarse(wide_[fine_rows() + q], coarse_ + q * 2 * row_reals<Real>);
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

  int shift_;  // tile = 2^shift
  Index coarse_rows_;
  double scale_ = 1;
  bool moves_ = false;  // from group to group
  Real* fine_ = nullptr;
  Real* coarse_ = nullptr;
  WideRow<Real>* wide_ = nullptr;
  WideComplex* advance_ = nullptr;
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
