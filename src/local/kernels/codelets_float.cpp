// SPDX-License-Identifier: BSD-3-Clause
// The codelets in float, once for each instruction set. Those in double are in another file, so
// that both compile in parallel.
#include "local/kernels/codelets.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/codelets_float.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/columns_codelets-inl.hpp"
#include "local/kernels/half_complex_codelets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

CodeletMakers<float> float_codelets() {
  return {make_complex_codelet<float>,  make_r2c_codelet<float>,
          make_c2r_codelet<float>,      make_columns_codelet<float>,
          make_codelet_to_reals<float>, make_half_complex_to_reals<float>,
          make_odd_r2c<float>,          make_odd_c2r<float>};
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(float_codelets);

template <>
CodeletMakers<float> codelet_makers(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_codelets), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
