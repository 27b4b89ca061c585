// SPDX-License-Identifier: BSD-3-Clause
// A recipe with its kernels, and the memory in which they work. Compiled once for each instruction
// set.
#include <memory>
#include <vector>

#include "local/kernels/direct-inl.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/numbers/recipe.hpp"

#if defined(SIXSTEP_LOCAL_CHAIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_CHAIN_INL
#undef SIXSTEP_LOCAL_CHAIN_INL
#else
#define SIXSTEP_LOCAL_CHAIN_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The passes of a recipe, one after the other.
template <class Real>
struct Chain {
  /// A pass with its kernels.
  struct Link {
    Pass<Real> const* pass;
    RadixKernels<Real> kernels;
    std::unique_ptr<Chain> convolution;  // for a prime
  };

  Recipe<Real> const& recipe;
  std::vector<Link> links;

  explicit Chain(Recipe<Real> const& from) : recipe(from) {
    for (Pass<Real> const& pass : recipe.passes)
      links.push_back({&pass, pass.direct ? direct_kernels<Real>() : kernels<Real>(pass.radix),
                       pass.prime ? std::make_unique<Chain>(*pass.prime->convolution) : nullptr});
  }

  /// The row of the buffer for row k of the input.
  Index buffer_row(Index k) const {
    if (links.empty()) return k;
    Pass<Real> const& pass = *links.front().pass;
    return pass.step == pass.count ? k : k + k / pass.count * (pass.step - pass.count);
  }
};

/// The memory of one run.
template <class Real>
struct Workspace {
  Index groups;          // of the tile; 1 if there are convolutions
  OwnRows<Real> rows;    // the tile, in which the passes work
  OwnRows<Real> result;  // the tile in natural order, if the last pass cannot write to the user
  Real* twiddles;        // rows of twiddles of a pass whose table is a product of two
  Real* inner_twiddles;  // the same for the passes of a convolution
  OwnRows<Real> convolution;  // the rows in which a prime's convolution works, ...
  OwnRows<Real> product;      // ... and its result
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
