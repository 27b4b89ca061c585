// SPDX-License-Identifier: BSD-3-Clause
// How many threads a rank should use: cores by affinity mask, shared with the ranks of the node.
#include "runtime/threads.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace sixstep {

int fair_threads(mpi::Communicator const& comm) {
  cpu_set_t mine, any;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  int const cores = CPU_COUNT(&mine);
  int claims = 0;  // cores counted once for each rank that may use them
  MPI_Comm node;
  MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node);
  MPI_Allreduce(&mine, &any, sizeof mine, MPI_BYTE, MPI_BOR, node);
  MPI_Allreduce(&cores, &claims, 1, MPI_INT, MPI_SUM, node);
  MPI_Comm_free(&node);
  if (std::getenv("OMP_NUM_THREADS")) return std::max(1, omp_get_max_threads());
  return std::max(1, cores * CPU_COUNT(&any) / std::max(1, claims));
}

}  // namespace sixstep
