// SPDX-License-Identifier: BSD-3-Clause
// The reproducible kernels in double, once for each instruction set. See arithmetic.hpp.
#define SIXSTEP_REPRODUCIBLE

#include "local/kernels/columns.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/reproducible_double.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/recipe_rows-inl.hpp"
#include "local/kernels/sequence_halves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

std::unique_ptr<Transform<std::complex<double>>> make_double(Recipe<double> recipe,
                                                             Tuning const& tuning) {
  return std::make_unique<RecipeColumns<double>>(std::move(recipe), tuning);
}

RealKernels<double> double_kernels() { return kernels_of_same_bits<double>(); }

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {
namespace reproducible {

HWY_EXPORT(make_double);
HWY_EXPORT(double_kernels);

}  // namespace reproducible

template <>
std::unique_ptr<Transform<std::complex<double>>> make_reproducible_columns(Recipe<double> recipe,
                                                                           Target target,
                                                                           Tuning const& tuning) {
  using namespace reproducible;
  return table_entry(HWY_DISPATCH_TABLE(make_double), target)(std::move(recipe), tuning);
}

template <>
RealKernels<double> reproducible_real_kernels() {
  using namespace reproducible;
  return table_entry(HWY_DISPATCH_TABLE(double_kernels), chosen_target())();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
