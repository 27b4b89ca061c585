// SPDX-License-Identifier: BSD-3-Clause
// The kernels of real transforms, once for each instruction set.
#include "local/kernels/real_kernels.hpp"

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/real_kernels.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/real_kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

RealKernels<float> float_kernels() { return make_real_kernels<float>(); }
RealKernels<double> double_kernels() { return make_real_kernels<double>(); }

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(float_kernels);
HWY_EXPORT(double_kernels);

template <>
RealKernels<float> real_kernels() {
  return table_entry(HWY_DISPATCH_TABLE(float_kernels), chosen_target())();
}
template <>
RealKernels<double> real_kernels() {
  return table_entry(HWY_DISPATCH_TABLE(double_kernels), chosen_target())();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
