// SPDX-License-Identifier: BSD-3-Clause
// The reproducible kernels in float, once for each instruction set. See arithmetic.hpp.
#define SIXSTEP_REPRODUCIBLE

#include "local/kernels/columns.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/reproducible_float.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/recipe_rows-inl.hpp"
#include "local/kernels/sequence_halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

std::unique_ptr<Transform<std::complex<float>>> make_float(Recipe<float> recipe,
                                                           Tuning const& tuning) {
  return std::make_unique<RecipeColumns<float>>(std::move(recipe), tuning);
}

RealKernels<float> float_kernels() { return kernels_of_same_bits<float>(); }

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {
namespace reproducible {

HWY_EXPORT(make_float);
HWY_EXPORT(float_kernels);

}  // namespace reproducible

template <>
std::unique_ptr<Transform<std::complex<float>>> make_reproducible_columns(Recipe<float> recipe,
                                                                          Target target,
                                                                          Tuning const& tuning) {
  using namespace reproducible;
  return table_entry(HWY_DISPATCH_TABLE(make_float), target)(std::move(recipe), tuning);
}

template <>
RealKernels<float> reproducible_real_kernels() {
  using namespace reproducible;
  return table_entry(HWY_DISPATCH_TABLE(float_kernels), chosen_target())();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
