// SPDX-License-Identifier: BSD-3-Clause
// What the commands need of MPI: its start and end, ranks that fail together, small reductions.
//
// Knows nothing about arrays, files or plans.
#pragma once

#include <mpi.h>

#include <functional>

#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// This process's rank as its launcher's environment tells it; 0 where no launcher is recognised.
/// For what is printed before MPI_Init, or without it.
int launched_rank();

/// Runs `command` between MPI_Init, for a thread level, and MPI_Finalize; gives the exit code. What
/// could not be printed is an Error.
/// With MPI_THREAD_SERIALIZED every driver of messages can be had.
///
/// An Error, which all ranks throw together, is printed once, by rank 0, after the program's name.
/// Any other exception may be one rank's alone, so it ends the job: the others could wait for this
/// rank for ever.
int with_mpi(std::function<void(MPI_Comm)> const& command, char const* program = "sixstep",
             int level = MPI_THREAD_SERIALIZED);

using mpi::rank_of;
int ranks_of(MPI_Comm comm);

/// The largest of what the ranks give. Collective.
double max_over(MPI_Comm comm, double value);
Index max_over(MPI_Comm comm, Index value);

}  // namespace sixstep::cli
