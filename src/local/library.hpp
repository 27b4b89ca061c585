// SPDX-License-Identifier: BSD-3-Clause
// FFTW and MKL, loaded at run time. Neither they nor their headers are needed for building.
//
// MKL also has FFTW's interface, so one table of functions serves both.
#pragma once

#include <complex>
#include <cstddef>
#include <mutex>
#include <string>

#include "sixstep/local.hpp"

namespace sixstep::local {

/// The functions of FFTW 3's interface that sixstep uses, under its own names. execute() may run in
/// several threads at once; all other calls need planner() to be held.
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

/// Loads `which`, fftw or mkl, at the first call and keeps it until the process ends. Throws Error
/// if it is not found, with the name of the file and advice how to install it.
template <class Real>
Library<Real> const& library(Local which);

/// "own", "FFTW" or "MKL".
char const* name_of(Local which);

/// Lock it to make or destroy a plan: neither library's planner may run twice at once.
std::mutex& planner();

}  // namespace sixstep::local
