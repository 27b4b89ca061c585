// SPDX-License-Identifier: BSD-3-Clause
// FFTW-MPI, found at run time, for `sixstep bench --against fftw`.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// A transform along all axes of an array that is split into slabs.
struct RivalProblem {
  Shape shape;
  bool r2c = false;
  bool natural_output = false;
  bool in_place = false;
  bool preserve_input = true;
  int threads = 1;
};

/// FFTW's plan for it, by FFTW_MEASURE, and arrays for that.
class Rival {
 public:
  virtual ~Rival() = default;
  /// A forward transform. Collective.
  virtual void forward() = 0;
  /// The input again; in place, values would grow from transform to transform.
  virtual void fill() = 0;
  /// "fftw-3.3.10-sse2-avx".
  virtual std::string name() const = 0;
};

/// Errors: FFTW-MPI is not there, or was built for another MPI; it has no such transform.
/// Collective.
template <class Real>
std::unique_ptr<Rival> make_fftw(RivalProblem const& problem, MPI_Comm comm);

extern template std::unique_ptr<Rival> make_fftw<float>(RivalProblem const&, MPI_Comm);
extern template std::unique_ptr<Rival> make_fftw<double>(RivalProblem const&, MPI_Comm);

}  // namespace sixstep::cli
