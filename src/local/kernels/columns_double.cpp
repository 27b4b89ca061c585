// SPDX-License-Identifier: BSD-3-Clause
// The kernels in double, once for each instruction set. The kernels in float are in another file,
// so that both compile in parallel.
#include "local/kernels/columns.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/columns_double.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/column_transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

Index bytes_of_row() { return row_reals<double> * static_cast<Index>(sizeof(double)); }

std::unique_ptr<Transform<std::complex<double>>> make_double(Recipe<double> recipe,
                                                             Tuning const& tuning) {
  return std::make_unique<ColumnTransform<double>>(std::move(recipe), tuning);
}

std::unique_ptr<Transform<std::complex<double>>> make_double_rows(Index n, Tuning const& tuning,
                                                                  Purpose purpose) {
  return RowTransform<double>::make(n, tuning, purpose);
}

std::unique_ptr<ContiguousRows<double>> make_double_halves(Index m, bool backward,
                                                           Tuning const& tuning) {
  return make_half_rows<double>(m, backward, tuning);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(bytes_of_row);
HWY_EXPORT(make_double);
HWY_EXPORT(make_double_rows);
HWY_EXPORT(make_double_halves);

Index row_bytes(Target target) { return table_entry(HWY_DISPATCH_TABLE(bytes_of_row), target)(); }

template <>
std::unique_ptr<Transform<std::complex<double>>> make_columns(Recipe<double> recipe, Target target,
                                                              Tuning const& tuning) {
  return table_entry(HWY_DISPATCH_TABLE(make_double), target)(std::move(recipe), tuning);
}

template <>
std::unique_ptr<Transform<std::complex<double>>> make_rows(Index n, Target target,
                                                           Tuning const& tuning, Purpose purpose) {
  return table_entry(HWY_DISPATCH_TABLE(make_double_rows), target)(n, tuning, purpose);
}

template <>
std::unique_ptr<ContiguousRows<double>> make_real_rows(Index m, bool backward, Target target,
                                                       Tuning const& tuning) {
  return table_entry(HWY_DISPATCH_TABLE(make_double_halves), target)(m, backward, tuning);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
