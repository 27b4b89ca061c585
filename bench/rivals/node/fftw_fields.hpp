// SPDX-License-Identifier: BSD-3-Clause
// FFTW's MPI transforms of several fields that are interleaved.
#pragma once

#include <mpi.h>

#include <functional>

#include "sixstep/index.hpp"

namespace sixstep::bench {

/// What is transformed: `fields` of n^3 points, slabs in, transposed slabs out.
struct Fields {
  Index n;
  int count;
  bool real;  // r2c, from padded rows
  bool back;  // there and back, not there alone
  bool in_place;
};

/// Plans it with FFTW_MEASURE; running it is collective.
std::function<void()> fftw_fields(Fields const& fields, MPI_Comm comm);

}  // namespace sixstep::bench
