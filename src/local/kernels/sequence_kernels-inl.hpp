// SPDX-License-Identifier: BSD-3-Clause
// The kernels of one instruction set that sequences need (see real_kernels.hpp).
#include "local/kernels/moves-inl.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/real_sequences-inl.hpp"

#if defined(SIXSTEP_LOCAL_SEQUENCE_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_SEQUENCE_KERNELS_INL
#undef SIXSTEP_LOCAL_SEQUENCE_KERNELS_INL
#else
#define SIXSTEP_LOCAL_SEQUENCE_KERNELS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// All others are null.
template <class Real>
RealKernels<Real> sequence_kernels() {
  RealKernels<Real> kernels{};
  kernels.gather = gather_sequences<Real>;
  kernels.scatter = scatter_sequences<Real>;
  kernels.interleave = interleave_sequences<Real>;
  kernels.split_parts = split_parts_of_sequences<Real>;
  kernels.split = split_sequences<Real>;
  kernels.join = join_sequences<Real>;
  kernels.mix = mix_sequences<Real>;
  kernels.spread = spread_sequences<Real>;
  kernels.move = move<Real>;
  kernels.move_complex = move_complex<Real>;
  kernels.transpose = transpose_matrix<Real, 1>;
  kernels.transpose_complex = transpose_matrix<Real, 2>;
  return kernels;
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
