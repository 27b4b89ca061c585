// SPDX-License-Identifier: BSD-3-Clause
// The kernels of real transforms, once for every instruction set.
#include "local/real_kernels.hpp"

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/real_kernels.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each of the others
// This order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/real_kernels-inl.hpp"

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

// Vectors read past the middle, by less than their length.
template <class Real>
std::vector<std::complex<Real>> half_factors(Index m) {
  constexpr Index most_in_vector = 64 / sizeof(Real);
  std::vector<std::complex<Real>> factors;
  for (Index k = 1; k < m / 2 + most_in_vector; ++k) {
    std::complex<Real> const w = root<Real>(k % (2 * m), 2 * m);
    factors.push_back({w.imag(), -w.real()});
  }
  return factors;
}

template <class Real>
CosineFactors<Real>::CosineFactors(Index half) : m(half) {
  auto const append = [](Parts& parts, std::complex<Real> factor) {
    parts.re.push_back(factor.real());
    parts.im.push_back(factor.imag());
  };
  Index k = 0;
  for (std::complex<Real> const& factor : half_factors<Real>(m)) {
    ++k;
    append(halves, factor);
    append(lower, root<Real>(k % (8 * m), 8 * m));
    append(upper, root<Real>((m - k % (8 * m) + 8 * m) % (8 * m), 8 * m));
  }
}

template struct CosineFactors<float>;
template struct CosineFactors<double>;
template std::vector<std::complex<float>> half_factors(Index);
template std::vector<std::complex<double>> half_factors(Index);

}  // namespace sixstep::local
#endif  // HWY_ONCE
