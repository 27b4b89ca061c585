// SPDX-License-Identifier: BSD-3-Clause
// The kernels in float, once for each instruction set. The kernels in double are in another file,
// so that both compile in parallel.
#include "local/kernels/columns.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/columns_float.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/column_transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

std::unique_ptr<Transform<std::complex<float>>> make_float(Recipe<float> recipe,
                                                           Tuning const& tuning) {
  return std::make_unique<ColumnTransform<float>>(std::move(recipe), tuning);
}

std::unique_ptr<Transform<std::complex<float>>> make_float_rows(Index n, Tuning const& tuning,
                                                                Purpose purpose) {
  return RowTransform<float>::make(n, tuning, purpose);
}

std::unique_ptr<ContiguousRows<float>> make_float_halves(Index m, bool backward,
                                                         Tuning const& tuning) {
  return make_half_rows<float>(m, backward, tuning);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(make_float);
HWY_EXPORT(make_float_rows);
HWY_EXPORT(make_float_halves);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_columns(Recipe<float> recipe, Target target,
                                                             Tuning const& tuning) {
  return table_entry(HWY_DISPATCH_TABLE(make_float), target)(std::move(recipe), tuning);
}

template <>
std::unique_ptr<Transform<std::complex<float>>> make_rows(Index n, Target target,
                                                          Tuning const& tuning, Purpose purpose) {
  return table_entry(HWY_DISPATCH_TABLE(make_float_rows), target)(n, tuning, purpose);
}

template <>
std::unique_ptr<ContiguousRows<float>> make_real_rows(Index m, bool backward, Target target,
                                                      Tuning const& tuning) {
  return table_entry(HWY_DISPATCH_TABLE(make_float_halves), target)(m, backward, tuning);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
