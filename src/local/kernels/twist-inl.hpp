// SPDX-License-Identifier: BSD-3-Clause
// The factors of a Twist, w_N^(k (first + c step)), for all rows k of one group of columns at a
// time.
//
// With k = q tile + i the factor is coarse_q (1 + fine_i), as in numbers/recipe.hpp. This takes
// O(sqrt n) numbers for each column, which are computed for each group as powers in double-double.
// fine is small if first + c step < N/n, which always holds between the steps of a six-step
// transform; then only one rounding matters. Compiled once for each instruction set. Knows nothing
// about passes.
#include <cmath>
#include <cstddef>

#include "local/kernels/vector-inl.hpp"
#include "local/numbers/double_double.hpp"
#include "local/transform.hpp"

#if defined(SIXSTEP_LOCAL_TWIST_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_TWIST_INL
#undef SIXSTEP_LOCAL_TWIST_INL
#else
#define SIXSTEP_LOCAL_TWIST_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The factor of one row in every column of a group, in double-double.
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
};

#if HWY_NATIVE_FMA || defined(SIXSTEP_REPRODUCIBLE)

/// A DoubleDouble in each lane.
struct WideVector {
  Vector<double> hi;
  Vector<double> lo;
};

/// a b + c d, or a b - c d, for factors of roots of unity, with an error of a few units in the
/// 104th bit.
template <bool minus>
HWY_INLINE WideVector products(WideVector a, WideVector b, WideVector c, WideVector d) {
  auto const first = hn::Mul(a.hi, b.hi);
  auto const second = hn::Mul(c.hi, d.hi);
  auto const first_rest = mul_add(a.lo, b.hi, mul_add(a.hi, b.lo, mul_sub(a.hi, b.hi, first)));
  auto const second_rest = mul_add(c.lo, d.hi, mul_add(c.hi, d.lo, mul_sub(c.hi, d.hi, second)));
  auto const other = minus ? hn::Neg(second) : second;
  auto const sum = hn::Add(first, other);
  auto const shift = hn::Sub(sum, first);
  auto const lost = hn::Add(hn::Sub(first, hn::Sub(sum, shift)), hn::Sub(other, shift));
  auto const rest =
      hn::Add(lost, minus ? hn::Sub(first_rest, second_rest) : hn::Add(first_rest, second_rest));
  auto const hi = hn::Add(sum, rest);
  return {hi, hn::Sub(rest, hn::Sub(hi, sum))};
}

template <class Real>
HWY_INLINE void multiply(WideRow<Real> const& a, WideRow<Real> const& b, WideRow<Real>& product) {
  Tag<double> const d;
  for (int lane = 0; lane < lanes<Real>; lane += lanes<double>) {
    WideVector const a_re{hn::LoadU(d, a.re + lane), hn::LoadU(d, a.re_rest + lane)};
    WideVector const a_im{hn::LoadU(d, a.im + lane), hn::LoadU(d, a.im_rest + lane)};
    WideVector const b_re{hn::LoadU(d, b.re + lane), hn::LoadU(d, b.re_rest + lane)};
    WideVector const b_im{hn::LoadU(d, b.im + lane), hn::LoadU(d, b.im_rest + lane)};
    WideVector const re = products<true>(a_re, b_re, a_im, b_im);
    WideVector const im = products<false>(a_re, b_im, a_im, b_re);
    hn::StoreU(re.hi, d, product.re + lane);
    hn::StoreU(re.lo, d, product.re_rest + lane);
    hn::StoreU(im.hi, d, product.im + lane);
    hn::StoreU(im.lo, d, product.im_rest + lane);
  }
}

#else

template <class Real>
void multiply(WideRow<Real> const& a, WideRow<Real> const& b, WideRow<Real>& product) {
  for (int lane = 0; lane < lanes<Real>; ++lane) product.set(lane, a.get(lane) * b.get(lane));
}

#endif  // HWY_NATIVE_FMA

/// Sets rows[i] to the power i of rows[1], i = 2 ... count - 1. Each is the product of two with
/// half its exponent, so that it does not depend on all rows before it.
template <class Real>
HWY_NOINLINE void fill_with_powers(WideRow<Real>* rows, Index count) {
  for (Index i = 2; i < count; ++i) multiply(rows[i / 2], rows[i - i / 2], rows[i]);
}

/// The factors for the groups of a tile, multiplied by the scale.
template <class Real>
struct TwistFactors {
  Real const* fine;    // rows [i] of the first group; those of the other groups follow
  Real const* coarse;  // rows [q][high, low] of the first group
  Index group;         // Reals between the tables of two groups
  int shift;           // tile = 2^shift
  Index mask;          // tile - 1

  /// The factor of row k of group g.
  HWY_INLINE Complex<Real> operator()(Index k, Index g) const {
    Real const* const row = coarse + g * group + (k >> shift) * 2 * row_reals<Real>;
    Complex<Real> const high = load_row(row);
    Complex<Real> const low = load_row(row + row_reals<Real>);
    Complex<Real> const small = load_row(fine + g * group + (k & mask) * row_reals<Real>);
    auto const re = negated_mul_add(high.im, small.im, mul_add(high.re, small.re, low.re));
    auto const im = mul_add(high.im, small.re, mul_add(high.re, small.im, low.im));
    return {hn::Add(high.re, re), hn::Add(high.im, im)};
  }
};

/// Computes the factors for the groups of a tile, in scratch memory.
template <class Real>
class TwistTable {
 public:
  TwistTable(Index n, Index groups) : groups_(groups) {
    while ((Index{1} << (2 * shift_)) < n) ++shift_;
    coarse_rows_ = ((n - 1) >> shift_) + 1;
  }

  std::size_t bytes() const {
    Index const wide_rows = 1 + fine_rows() + coarse_rows_;
    return static_cast<std::size_t>(groups_ * group_reals()) * sizeof(Real) +
           static_cast<std::size_t>(wide_rows) * sizeof(WideRow<Real>);
  }

  /// Begins a batch, with the tables at `memory`.
  void begin(Twist const& twist, bool backward, Real scale, std::byte* memory) {
    place(memory);
    twist_ = twist;
    backward_ = backward;
    scale_ = static_cast<double>(scale);
    for (int lane = 0; lane < lanes<Real>; ++lane)
      offsets_->set(lane, root(lane_column<Real>(lane) * twist.step));
    made_ = false;
  }

  /// Computes the factors of group g of the tile, whose first column is `column`.
  void set_group(Index g, Index column) {
    if (made_ && twist_.step == 0) return;
    made_ = true;
    WideRow<Real> const unity(WideComplex{{1, 0}, {0, 0}});
    WideRow<Real>* const tiles = wide_ + fine_rows();
    wide_[0] = tiles[0] = unity;
    WideRow<Real> one;
    if constexpr (reproduces) {
      // A column's factors must not depend on its place in the group.
      for (int lane = 0; lane < lanes<Real>; ++lane)
        one.set(lane, root(twist_.first + (column + lane_column<Real>(lane)) * twist_.step));
    } else {
      multiply(*offsets_, WideRow<Real>(root(twist_.first + column * twist_.step)), one);
    }
    if (fine_rows() > 1) wide_[1] = one;
    fill_with_powers(wide_, fine_rows());
    if (coarse_rows_ > 1) multiply(wide_[fine_rows() - 1], one, tiles[1]);
    fill_with_powers(tiles, coarse_rows_);
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
    offsets_ = reinterpret_cast<WideRow<Real>*>(fine_ + groups_ * group_reals());
    wide_ = offsets_ + 1;
  }

  WideComplex root(Index exponent) const {
    Roots const& roots = *twist_.roots;
    Index const rest = exponent % roots.n() * (backward_ ? -1 : 1);
    return roots.wide(rest < 0 ? rest + roots.n() : rest);
  }

  // Rounds the double-double tables of group g to Real.
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

  // scale (value + rest) as a Real, and the remainder.
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
  bool made_ = false;
  Real* fine_ = nullptr;
  Real* coarse_ = nullptr;
  WideRow<Real>* offsets_ = nullptr;  // factors from a group's first column to each of its columns
  WideRow<Real>* wide_ = nullptr;     // fine, then coarse
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
