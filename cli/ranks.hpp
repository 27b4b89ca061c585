// SPDX-License-Identifier: BSD-3-Clause
// The commands' use of MPI: its start and end, errors on all ranks, small reductions.
//
// This file knows nothing about arrays, files or plans.
#pragma once

#include <mpi.h>

#include <functional>

#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// The rank of this process by the environment of its launcher; 0 if no launcher is recognised. It
/// serves for output before MPI_Init, or without MPI.
int launched_rank();

/// Runs `command` between MPI_Init and MPI_Finalize, and returns the exit code. MPI is initialised
/// with MPI_THREAD_SERIALIZED, which allows every driver of messages. Output that cannot be written
/// is an Error.
///
/// All ranks throw an Error together, so rank 0 prints it, once, after the program's name. Any
/// other exception may be thrown on one rank only, for which the others could wait forever; it ends
/// the job.
int with_mpi(std::function<void(MPI_Comm)> const& command, char const* program = "sixstep",
             int level = MPI_THREAD_SERIALIZED);

using mpi::rank_of;
int ranks_of(MPI_Comm comm);

/// The largest value of all ranks. Collective.
double max_over(MPI_Comm comm, double value);
Index max_over(MPI_Comm comm, Index value);

}  // namespace sixstep::cli
