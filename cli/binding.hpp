// SPDX-License-Identifier: BSD-3-Clause
// Threads on cores of their own, where neither the launcher nor OpenMP has seen to it.
#pragma once

#include <mpi.h>

#include <string>

namespace sixstep::cli {

/// Binds this rank's OpenMP threads to a core each, of those that the launcher lets it use; ranks
/// that may use the same cores deal them out. Leaves all as it is where OpenMP binds threads itself
/// (OMP_PROC_BIND), where there are more threads than cores, and where ranks share some cores only.
/// What was done, in words, the same on all ranks. Collective.
std::string bind_threads(MPI_Comm comm, int threads);

}  // namespace sixstep::cli
