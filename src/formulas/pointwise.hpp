// SPDX-License-Identifier: BSD-3-Clause
// Tools for pointwise work: precisions, loops that threads share, products.
#pragma once

#include <complex>
#include <memory>

#include "base/run_team.hpp"
#include "formulas/formula.hpp"
#include "local/numbers/complex.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::formulas {

/// A Work<float> or a Work<double> made of `parts`.
template <template <class> class Work, class... Parts>
std::unique_ptr<Pointwise> in_precision(int real_bytes, Parts const&... parts) {
  if (real_bytes == sizeof(float)) return std::make_unique<Work<float>>(parts...);
  return std::make_unique<Work<double>>(parts...);
}

/// A number in the type of a table; a table of reals keeps real parts.
template <class Number>
Number as(std::complex<double> const& number) {
  if constexpr (local::is_complex<Number>)
    return Number(number);
  else
    return static_cast<Number>(number.real());
}

/// A Work<Element, Number> made of `parts`: for real coefficients, or complex ones times reals or
/// times complex numbers.
template <template <class, class> class Work, class... Parts>
std::unique_ptr<Pointwise> in_numbers(int real_bytes, bool are_real_coefficients,
                                      bool are_real_numbers, Parts const&... parts) {
  auto const made = [&](auto real) -> std::unique_ptr<Pointwise> {
    using Real = decltype(real);
    using Complex = std::complex<Real>;
    if (are_real_coefficients) return std::make_unique<Work<Real, Real>>(parts...);
    if (are_real_numbers) return std::make_unique<Work<Complex, Real>>(parts...);
    return std::make_unique<Work<Complex, Complex>>(parts...);
  };
  return real_bytes == sizeof(float) ? made(float()) : made(double());
}

/// Calls body(i) for 0 <= i < n, in any order.
template <class Body>
void for_each(Index n, int threads, Body const& body) {
  constexpr Index worth_a_thread = 4096;
  if (n < worth_a_thread) threads = 1;
  share_in_stretches(n, threads, [&](Index i, int) { body(i); });
}

using local::times;

}  // namespace sixstep::formulas
