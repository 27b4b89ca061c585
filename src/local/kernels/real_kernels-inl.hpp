// SPDX-License-Identifier: BSD-3-Clause
// The kernels of one instruction set.
#include "local/kernels/odd_cosines-inl.hpp"
#include "local/kernels/pass_coefficients-inl.hpp"
#include "local/kernels/real_halves-inl.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/real_passes-inl.hpp"
#include "local/kernels/sequence_kernels-inl.hpp"

#if defined(SIXSTEP_LOCAL_REAL_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_KERNELS_INL
#undef SIXSTEP_LOCAL_REAL_KERNELS_INL
#else
#define SIXSTEP_LOCAL_REAL_KERNELS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real>
RealKernels<Real> make_real_kernels() {
  RealKernels<Real> kernels = sequence_kernels<Real>();
  kernels.split_halves = turn_halves<Real, false>;
  kernels.join_halves = turn_halves<Real, true>;
  kernels.fold = fold<Real>;
  kernels.unfold = unfold<Real>;
  kernels.split_cosines = split_cosines<Real>;
  kernels.join_cosines = join_cosines<Real>;
  kernels.split_odd_cosines = split_odd_cosines<Real>;
  kernels.join_odd_cosines = join_odd_cosines<Real>;
  if constexpr (has_all_kernels)
    kernels.radices = {.lanes = lanes<Real>,
                       .analyse = analyse_pass<Real>,
                       .synthesise = synthesise_pass<Real>,
                       .turn_sums = turn_sums<Real>,
                       .put = put_numbers_of<Real>,
                       .get = get_numbers_of<Real>,
                       .put_outputs = put_outputs_of<Real>,
                       .get_spreads = get_spreads_of<Real>,
                       .spread_columns = spread_columns<Real>,
                       .collect_columns = collect_columns<Real>};
  return kernels;
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
