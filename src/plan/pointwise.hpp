// SPDX-License-Identifier: BSD-3-Clause
// What pointwise work reads and writes, and loops that threads share.
#pragma once

#include <complex>
#include <cstddef>

#include "sixstep/layout.hpp"

namespace sixstep::plan {

/// The arrays of a task on one rank; `other` where it reads a second one.
template <class Real>
struct Operands {
  Real const* source;
  Real const* other;
  Real* target;
  Real factor;
  int threads;
  std::byte* scratch = nullptr;  // for work that needs it, aligned to 64

  std::complex<Real> const* complex_source() const {
    return reinterpret_cast<std::complex<Real> const*>(source);
  }
  std::complex<Real> const* complex_other() const {
    return reinterpret_cast<std::complex<Real> const*>(other);
  }
  std::complex<Real>* complex_target() const {
    return reinterpret_cast<std::complex<Real>*>(target);
  }
};

/// body(i) for 0 <= i < n, in any order.
template <class Body>
void for_each(Index n, int threads, Body const& body) {
  constexpr Index worth_a_thread = 4096;
  if (threads == 1 || n < worth_a_thread) {
    for (Index i = 0; i < n; ++i) body(i);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index i = 0; i < n; ++i) body(i);
}

/// a b; without the tests for infinities that std::complex makes.
template <class Real>
std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace sixstep::plan
