// SPDX-License-Identifier: BSD-3-Clause
// What `sixstep tune --machine` does.
#pragma once

#include <mpi.h>

#include <string>

#include "sixstep/options.hpp"

namespace sixstep::cli {

struct MachineToMeasure {
  std::string file = {};  // to be written; empty: the user's own
  double seconds = 12;    // about
  int threads = 0;        // of each rank; 0: as a plan's
  Device device = Device::none;
  int gpu = -1;  // as Options has it
};

/// Collective. Errors: a file that cannot be written.
void tune_machine(MachineToMeasure const& arguments, MPI_Comm world);

}  // namespace sixstep::cli
