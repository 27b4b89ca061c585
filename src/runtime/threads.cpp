// SPDX-License-Identifier: BSD-3-Clause
// How many threads a rank should use: the cores of its affinity mask, shared with the other ranks
// of the node.
#include "runtime/threads.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace sixstep {

int fair_threads(mpi::Communicator const& comm) {
  cpu_set_t any;
  CPU_ZERO(&any);
  sched_getaffinity(0, sizeof any, &any);
  int const cores = CPU_COUNT(&any);
  int claims = cores;  // counted once for each rank that may use them
  mpi::Communicator const node = comm.split_by_memory();
  mpi::reduce_to_all(node, &any, sizeof any, MPI_BYTE, MPI_BOR);
  mpi::reduce_to_all(node, &claims, 1, MPI_INT, MPI_SUM);
  if (std::getenv("OMP_NUM_THREADS")) return std::max(1, omp_get_max_threads());
  return std::max(1, cores * CPU_COUNT(&any) / std::max(1, claims));
}

}  // namespace sixstep
