// SPDX-License-Identifier: BSD-3-Clause
// The codelets in double, once for each instruction set. Those in float are in another file, so
// that both compile in parallel.
#include "local/kernels/codelets.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/codelets_double.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/columns_codelets-inl.hpp"
#include "local/kernels/half_complex_codelets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

CodeletMakers<double> double_codelets() {
  return {make_complex_codelet<double>,  make_r2c_codelet<double>,
          make_c2r_codelet<double>,      make_columns_codelet<double>,
          make_codelet_to_reals<double>, make_half_complex_to_reals<double>,
          make_odd_r2c<double>,          make_odd_c2r<double>};
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(double_codelets);

template <>
CodeletMakers<double> codelet_makers(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_codelets), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
