// SPDX-License-Identifier: BSD-3-Clause
// The codelets, once for each instruction set.
#include "local/kernels/codelets.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/codelets.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/half_codelets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// The functions that make the codelets of one precision.
template <class Real>
CodeletMakers<Real> codelet_makers() {
  return {make_complex_codelet<Real>, make_r2c_codelet<Real>, make_c2r_codelet<Real>};
}
CodeletMakers<float> float_codelets() { return codelet_makers<float>(); }
CodeletMakers<double> double_codelets() { return codelet_makers<double>(); }

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(float_codelets);
HWY_EXPORT(double_codelets);

template <>
CodeletMakers<float> codelet_makers(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_codelets), target)();
}
template <>
CodeletMakers<double> codelet_makers(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_codelets), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
