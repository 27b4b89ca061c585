// SPDX-License-Identifier: BSD-3-Clause
// Binds threads to cores, where neither the launcher nor OpenMP has done so.
#pragma once

#include <mpi.h>

#include <string>

namespace sixstep::cli {

/// Binds each OpenMP thread of this rank to one of the cores that the launcher allows. Ranks that
/// may use the same cores divide them. Binds nothing if OpenMP binds threads itself
/// (OMP_PROC_BIND), if there are more threads than cores, or if ranks share only some of their
/// cores. Returns what it did in words, the same on all ranks. Collective.
std::string bind_threads(MPI_Comm comm, int threads);

}  // namespace sixstep::cli
