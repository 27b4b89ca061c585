// SPDX-License-Identifier: BSD-3-Clause
// Running sweeps: passes that take turns on a window, windows that threads share.
//
// All that can be worked out beforehand is worked out in the constructors; run() only loops. Knows
// nothing about MPI.
#pragma once

#include <complex>
#include <cstddef>
#include <variant>
#include <vector>

#include "plan/copy_pass.hpp"
#include "plan/fft_pass.hpp"
#include "plan/kernels.hpp"
#include "plan/program.hpp"
#include "plan/window.hpp"

namespace sixstep::plan {

/// A sweep, ready to run. Arrays are of reals or of complex numbers, as the sweep says.
template <class Real>
class SweepRunner {
 public:
  SweepRunner(Sweep const& sweep, Kernels<Real>& kernels);

  /// Bytes that each thread needs, a multiple of 64.
  std::size_t scratch_bytes() const;
  /// `scratch` holds scratch_bytes() for each of the threads.
  void run(Real const* source, Real* target, Mode<Real> const& mode, int threads,
           std::byte* scratch) const;

 private:
  void run_window(Index number, Real const* source, Real* target, Mode<Real> const& mode,
                  std::byte* scratch) const;

  using Complex = std::complex<Real>;
  using AnyPass =
      std::variant<FftPass<Complex, Complex>, FftPass<Real, Complex>, FftPass<Complex, Real>,
                   FftPass<Real, Real>, CopyPass<Complex>, CopyPass<Real>>;
  struct Stage {
    AnyPass pass;
    bool from_scratch, to_scratch, last;
  };

  static AnyPass make_pass(Pass const& pass, int window_axis, Kernels<Real>& kernels);

  std::vector<Stage> stages_;
  int window_axis_;
  Index window_;
  Index windows_;
  Index extent_;  // along the window axis
  std::size_t between_bytes_;
  std::size_t pass_bytes_ = 0;
};

}  // namespace sixstep::plan
