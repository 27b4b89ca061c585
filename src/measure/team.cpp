// SPDX-License-Identifier: BSD-3-Clause
// The ranks that measure: how many a node has, and on how many cores.
#include "measure/team.hpp"

#include <sched.h>

#include <set>

namespace sixstep::measure {

Team::Team(mpi::Communicator const& comm, int threads)
    : comm_(comm), node_(comm), threads_(threads) {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  sched_getaffinity(0, sizeof usable, &usable);
  mpi::reduce_to_all(node_.comm(), &usable, sizeof usable, MPI_BYTE, MPI_BOR);
  int most[2] = {node_.size(), std::min(CPU_COUNT(&usable), node_.size() * threads)};
  mpi::reduce_to_all(comm, most, 2, MPI_INT, MPI_MAX);
  node_ranks_ = most[0];
  cores_ = most[1];
  std::set<int> const nodes(node_.node_of().begin(), node_.node_of().end());
  nodes_ = static_cast<int>(nodes.size());
}

}  // namespace sixstep::measure
