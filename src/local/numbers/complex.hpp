// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers as the library needs them.
#pragma once

#include <complex>

namespace sixstep::local {

template <class Element>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<std::complex<Real>> = true;

/// a b, without the tests for infinities that std::complex makes.
template <class Real>
std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// value number, the same for numbers of any kind.
template <class Element, class Number>
Element product(Element value, Number number) {
  if constexpr (is_complex<Element> && is_complex<Number>)
    return times(value, number);
  else
    return value * number;
}

}  // namespace sixstep::local
