// SPDX-License-Identifier: BSD-3-Clause
// FFTW and MKL, loaded at run time: neither they nor their headers are needed to build.
//
// MKL has FFTW's interface too, so one table of functions serves both.
#pragma once

#include <complex>
#include <cstddef>
#include <mutex>
#include <string>

#include "sixstep/local.hpp"

namespace sixstep::local {

/// The functions that we use of FFTW 3's interface, under our names. execute() may run in several
/// threads at once; to call any other, planner() must be held.
template <class Real>
struct Library {
  using Complex = std::complex<Real>;
  using Plan = struct OpaquePlan*;
  struct Dimension {  // fftw_iodim64
    std::ptrdiff_t n, in_stride, out_stride;
  };

  std::string name;  // and version
  /// fftw_plan_guru64_dft(rank, dimensions, ranks of batches, batches, in, out, sign, flags).
  Plan (*plan)(int, Dimension const*, int, Dimension const*, Complex*, Complex*, int, unsigned);
  void (*execute)(Plan, Complex*, Complex*);
  void (*destroy)(Plan);
};

/// Loaded at the first call and kept to the end of the process. `which` is fftw or mkl.
///
/// Errors: not found, with the name of the file and how to get it.
template <class Real>
Library<Real> const& library(Local which);

/// "own", "FFTW" or "MKL".
char const* name_of(Local which);

/// Locked while a plan is made or destroyed, as neither library's planner may run twice at once.
std::mutex& planner();

}  // namespace sixstep::local
