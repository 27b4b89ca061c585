// SPDX-License-Identifier: BSD-3-Clause
// The kernels of one instruction set.
#include "local/kernels/moves-inl.hpp"
#include "local/kernels/real_halves-inl.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/real_passes-inl.hpp"
#include "local/kernels/real_sequences-inl.hpp"

#if defined(SIXSTEP_LOCAL_REAL_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_KERNELS_INL
#undef SIXSTEP_LOCAL_REAL_KERNELS_INL
#else
#define SIXSTEP_LOCAL_REAL_KERNELS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

template <class Real>
RealKernels<Real> make_real_kernels() {
  RealKernels<Real> kernels{.gather = gather_sequences<Real>,
                            .scatter = scatter_sequences<Real>,
                            .interleave = interleave_sequences<Real>,
                            .split_parts = split_parts_of_sequences<Real>,
                            .split = split_sequences<Real>,
                            .join = join_sequences<Real>,
                            .mix = mix_sequences<Real>,
                            .spread = spread_sequences<Real>,
                            .split_halves = turn_halves<Real, false>,
                            .join_halves = turn_halves<Real, true>,
                            .fold = fold<Real>,
                            .unfold = unfold<Real>,
                            .split_cosines = split_cosines<Real>,
                            .join_cosines = join_cosines<Real>,
                            .move = move<Real>,
                            .move_complex = move_complex<Real>};
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

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
