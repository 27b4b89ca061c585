// SPDX-License-Identifier: BSD-3-Clause
// Columns in the kernels' own rows that are too large for the second-level cache, in two levels.
//
// With n = a b, rows p = a i + j and k = k1 + b k2,
//   X[k1 + b k2] = sum_j w_a^(j k2) [ w_n^(j k1) sum_i w_b^(i k1) x[a i + j] ].
// The inner transforms (of length b) work in a separate buffer that stays in cache. The outer ones
// (of length a) are one pass over all rows, which writes results in order. Without the levels, the
// passes of walk-inl.hpp would write results in steps of powers of two, to rows that compete for a
// few sets of the first-level cache: twice the time at 2^16 points. Compiled once for each
// instruction set.
#include <memory>
#include <string>
#include <vector>

#include "local/kernels/walk-inl.hpp"
#include "local/numbers/recipe.hpp"
#include "local/numbers/root_progressions.hpp"
#include "local/numbers/roots.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_TWO_LEVEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_TWO_LEVEL_INL
#undef SIXSTEP_LOCAL_TWO_LEVEL_INL
#else
#define SIXSTEP_LOCAL_TWO_LEVEL_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real>
class TwoLevelRows {
 public:
  /// Null if no factor of n suits the outer transforms.
  static std::unique_ptr<TwoLevelRows> make(Index n, Tuning const& tuning) {
    if (!has_all_kernels) return nullptr;
    // The last pass writes to `outer` places in turn, at most as many as the ways of the
    // first-level cache.
    for (Index outer : {8, 7, 6, 5, 9, 10, 4, 3})
      if (n % outer == 0 && radices(n / outer).size() > 1)
        return std::make_unique<TwoLevelRows>(outer, n / outer, tuning);
    return nullptr;
  }

  TwoLevelRows(Index outer, Index inner, Tuning const& tuning)
      : outer_(outer), inner_(inner, tuning), chain_(inner_), kernels_(kernels<Real>(outer)) {
    Roots const roots(outer * inner);
    twiddles_.reserve(static_cast<std::size_t>((outer - 1) * inner * 2));
    std::vector<Real> re(static_cast<std::size_t>(inner)), im(re.size());
    for (Index j = 1; j < outer; ++j) {
      store_roots(roots, {0, j, inner}, re.data(), im.data());
      for (std::size_t k = 0; k < re.size(); ++k) {
        twiddles_.push_back(re[k]);
        twiddles_.push_back(im[k]);
      }
    }
  }
  TwoLevelRows(TwoLevelRows const&) = delete;  // chain_ refers to inner_

  /// The recipe of the inner transforms. `work` must have rows and twiddles for it.
  Recipe<Real> const& inner() const { return inner_; }

  std::string describe() const { return inner_.describe() + " x " + std::to_string(outer_); }

  /// Transforms `rows`, with intermediate results in `between`, of n rows each; `sign` -1:
  /// backward.
  void run(OwnRows<Real> rows, OwnRows<Real> between, UserSink<Real, Unchanged<Real>> const& to,
           Workspace<Real> const& work, Index sign) const {
    Index const n = inner_.n;
    Walk<Real> const walk(chain_, work, sign);
    for (Index j = 0; j < outer_; ++j) {
      walk.first_pass(OwnRows<Real>{rows.at(j, 0), 0, outer_ * rows.step});
      OwnRows<Real> const block = between.from_row(j * n);
      if (j == 0)
        walk.other_passes(block);
      else
        walk.other_passes(
            TwiddledRows<Real>{block, twiddles_.data() + (j - 1) * 2 * n, static_cast<Real>(sign)});
    }
    // For the kernel, n neighbouring rows are groups. Row j of a backward transform is row -j of
    // the forward one.
    kernels_.to_user(OwnRows<Real>{between.first, between.step, n * between.step}, {n, 1, 0, 1, 0},
                     {outer_ * n, sign < 0 ? outer_ * n : 0, 0, 0, sign * n},
                     UserSink<Real, Unchanged<Real>>{to.first, to.step, to.step, to.half, {}});
  }

 private:
  Index outer_;  // a
  Recipe<Real> inner_;
  Chain<Real> chain_;
  RadixKernels<Real> kernels_;
  std::vector<Real> twiddles_;  // [j - 1][k1][re, im]
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
