// SPDX-License-Identifier: BSD-3-Clause
// What an fftw_plan points to.
#pragma once

#include <string>

namespace sixstep::fftw {

/// The arrays of one execution. Interleaved complex numbers have their imaginary parts one real
/// behind their real parts; real arrays have no imaginary part: null.
template <class Real>
struct Arrays {
  Real* re_in = nullptr;
  Real* im_in = nullptr;
  Real* re_out = nullptr;
  Real* im_out = nullptr;
};

/// A plan of FFTW's interface, serial or of several ranks. The library with the serial interface
/// executes and destroys both.
template <class Real>
class PlanObject {
 public:
  PlanObject() = default;
  PlanObject(PlanObject const&) = delete;
  PlanObject& operator=(PlanObject const&) = delete;
  virtual ~PlanObject() = default;

  /// Transforms. Any number of threads may execute one plan at the same time.
  virtual void execute(Arrays<Real> const& arrays) const = 0;
  /// The additions, multiplications and fused multiply-adds of an execution.
  virtual void flops(double* add, double* multiply, double* fused) const = 0;
  /// The plan in words, for fftw_print_plan and its kin.
  virtual std::string describe() const = 0;

  /// The arrays that were given for planning.
  Arrays<Real> planned;
};

}  // namespace sixstep::fftw
