// SPDX-License-Identifier: BSD-3-Clause
// The measurements of `sixstep tune --machine`.
#pragma once

#include <mpi.h>

#include <string>

#include "sixstep/options.hpp"

namespace sixstep::cli {

struct MachineToMeasure {
  std::string file = {};  // the file to write; empty: the user's default
  double seconds = 12;    // approximate duration; at most 5 s more for numbers of plans
  int threads = 0;        // of each rank; 0: as many as a plan uses
  Device device = Device::none;
  int gpu = -1;  // as in Options
};

/// Measures the machine and writes the file. Collective. Errors: the file cannot be written.
void tune_machine(MachineToMeasure const& arguments, MPI_Comm world);

}  // namespace sixstep::cli
