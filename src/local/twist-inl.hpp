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

  WideComplex get(int lane) const { return {{re[lane], re_rest[lane]}, {im[lane], im_rest[lane]}}; }
  void set(int lane, WideComplex const& value) {
    re[lane] = value.re.hi;
    re_rest[lane] = value.re.lo;
    im[lane] = value.im.hi;
    im_rest[lane] = value.im.lo;
  }
};

/// Tables in scratch memory for one batch; they hold the factors of the current group.
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
  void begin(Twist const& twist, bool backward, std::byte* memory) {
    place(memory);
    moves_ = twist.step != 0;
    for (Index r = 0; r < fine_rows() + coarse_rows_; ++r) begin_row(twist, backward, r);
    round();
  }

  /// On to the next L columns.
  void next_group() {
    if (!moves_) return;
    for (Index r = 0; r < fine_rows() + coarse_rows_; ++r) {
      WideComplex const advance = advance_[r];
      WideRow<Real>& row = wide_[r];
      for (int lane = 0; lane < lanes<Real>; ++lane) row.set(lane, row.get(lane) * advance);
    }
    round();
  }

  /// The factor of row k.
  HWY_INLINE Complex<Real> factor(Index k) const {
    Real const* const coarse = coarse_ + (k >> shift_) * 2 * row_reals<Real>;
    Complex<Real> const high = load_row(coarse);
    Complex<Real> const low = load_row(coarse + row_reals<Real>);
    Complex<Real> const fine = load_row(fine_ + (k & (fine_rows() - 1)) * row_reals<Real>);
    auto const re = hn::NegMulAdd(high.im, fine.im, hn::MulAdd(high.re, fine.re, low.re));
    auto const im = hn::MulAdd(high.im, fine.re, hn::MulAdd(high.re, fine.im, low.im));
    return {hn::Add(high.re, re), hn::Add(high.im, im)};
  }

 private:
  Index fine_rows() const { return Index{1} << shift_; }

  void place(std::byte* memory) {
    fine_ = reinterpret_cast<Real*>(memory);
    coarse_ = fine_ + fine_rows() * row_reals<Real>;
    wide_ = reinterpret_cast<WideRow<Real>*>(coarse_ + 2 * coarse_rows_ * row_reals<Real>);
    advance_ = reinterpret_cast<WideComplex*>(wide_ + fine_rows() + coarse_rows_);
  }

  // Rows 0 .. of `fine`, then those of `coarse`.
  void begin_row(Twist const& twist, bool backward, Index r) {
    Index const k = r < fine_rows() ? r : (r - fine_rows()) << shift_;
    Roots const& roots = *twist.roots;
    auto const power = [&](Index exponent) {
      Index const order = roots.n();
      Index rest = static_cast<Index>(static_cast<__int128>(k) * (exponent % order) % order);
      if (backward) rest = -rest;
      return roots.wide(rest < 0 ? rest + order : rest);
    };
    WideComplex value = power(twist.first);
    WideComplex const next = moves_ ? power(twist.step) : WideComplex{{1, 0}, {0, 0}};
    WideComplex columns[lanes<Real>];
    for (int column = 0; column < lanes<Real>; ++column, value = value * next)
      columns[column] = value;
    for (int lane = 0; lane < lanes<Real>; ++lane)
      wide_[r].set(lane, columns[lane_column<Real>(lane)]);
    WideComplex to_next_group = next;
    for (int width = 1; width < lanes<Real>; width *= 2)
      to_next_group = to_next_group * to_next_group;
    advance_[r] = to_next_group;
  }

  // The tables in Real from those in double-double.
  void round() {
    constexpr int L = lanes<Real>;
    for (Index i = 0; i < fine_rows(); ++i) {
      Real* const fine = fine_ + i * row_reals<Real>;
      for (int lane = 0; lane < L; ++lane) {
        fine[lane] = static_cast<Real>((wide_[i].re[lane] - 1) + wide_[i].re_rest[lane]);
        fine[L + lane] = static_cast<Real>(wide_[i].im[lane]);
      }
    }
    for (Index q = 0; q < coarse_rows_; ++q) {
      Real* const coarse = coarse_ + q * 2 * row_reals<Real>;
      WideRow<Real> const& wide = wide_[fine_rows() + q];
      for (int lane = 0; lane < L; ++lane) {
        Real const re = static_cast<Real>(wide.re[lane]);
        Real const im = static_cast<Real>(wide.im[lane]);
        coarse[lane] = re;
        coarse[L + lane] = im;
        coarse[2 * L + lane] =
            static_cast<Real>((wide.re[lane] - static_cast<double>(re)) + wide.re_rest[lane]);
        coarse[3 * L + lane] =
            static_cast<Real>((wide.im[lane] - static_cast<double>(im)) + wide.im_rest[lane]);
      }
    }
  }

  int shift_;  // tile = 2^shift
  Index coarse_rows_;
  bool moves_ = false;  // from group to group
  Real* fine_ = nullptr;
  Real* coarse_ = nullptr;
  WideRow<Real>* wide_ = nullptr;
  WideComplex* advance_ = nullptr;
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
