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

/// FFTW's plan, made with FFTW_MEASURE, and its arrays.
class Rival {
 public:
  virtual ~Rival() = default;
  /// Runs a forward transform. Collective.
  virtual void forward() = 0;
  /// Fills the input again, because values would grow with each transform in place.
  virtual void fill() = 0;
  /// For example "fftw-3.3.10-sse2-avx".
  virtual std::string name() const = 0;
};

/// Makes the plan. Collective. Errors: FFTW-MPI is missing, or was built for another MPI, or has no
/// such transform.
template <class Real>
std::unique_ptr<Rival> make_fftw(RivalProblem const& problem, MPI_Comm comm);

extern template std::unique_ptr<Rival> make_fftw<float>(RivalProblem const&, MPI_Comm);
extern template std::unique_ptr<Rival> make_fftw<double>(RivalProblem const&, MPI_Comm);

}  // namespace sixstep::cli
