// SPDX-License-Identifier: BSD-3-Clause
// FFTW and MKL, found while the program runs: neither their headers nor they are needed to build.
//
// MKL exports FFTW's interface too, so one table of functions serves both.
#pragma once

#include <complex>
#include <cstddef>
#include <mutex>
#include <string>

#include "sixstep/local.hpp"

namespace sixstep::local {

/// What is used of FFTW 3's interface, under our names. Only execute() may run in several threads
/// at once; whoever calls the others holds planner().
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

/// Held while plans are made or destroyed: neither library's planner may run twice at once.
std::mutex& planner();

}  // namespace sixstep::local
