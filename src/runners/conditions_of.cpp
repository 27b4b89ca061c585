// SPDX-License-Identifier: BSD-3-Clause
// Asks MPI, and compares ranks.
#include "runners/conditions_of.hpp"

#include <algorithm>

#include "exchange/channels.hpp"

namespace sixstep::runners {

decision::Mpi mpi_of_job() {
  using enum decision::ThreadLevel;
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return {.calls_collectives = exchange::collectives_end,
          .puts = exchange::puts_arrive,
          .level = level >= MPI_THREAD_MULTIPLE     ? multiple
                   : level >= MPI_THREAD_SERIALIZED ? serialized
                   : level >= MPI_THREAD_FUNNELED   ? funneled
                                                    : single};
}

decision::Conditions conditions_of(Node const& node, Tuning const& tuning) {
  decision::Conditions found{.caches = local::caches(), .mpi = mpi_of_job(), .tuning = tuning};
  if (node.size() > 0) found.nodes = {node.node_of(), node.place_of()};
  return found;
}

decision::Allowed agreed(mpi::Communicator const& comm, decision::Allowed allowed) {
  std::vector<int> numbers{allowed.windows};
  for (redistribution::Medium medium : allowed.media) numbers.push_back(static_cast<int>(medium));
  mpi::reduce_to_all(comm, numbers.data(), static_cast<Index>(numbers.size()), MPI_INT, MPI_MIN);
  allowed.windows = numbers.front();
  std::transform(numbers.begin() + 1, numbers.end(), allowed.media.begin(),
                 [](int number) { return static_cast<redistribution::Medium>(number); });
  return allowed;
}

}  // namespace sixstep::runners
