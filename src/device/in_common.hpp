// SPDX-License-Identifier: BSD-3-Clause
// Objects that the plans of the same ranks on the same devices share.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/backend.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::device {

/// Returns the object of this type that these ranks share already, if it is still held on each of
/// them. Otherwise returns a new one from `make()`, which may be collective. Collective.
template <class Shared, class Make>
std::shared_ptr<Shared> in_common(device::Backend& backend, mpi::Communicator const& ranks,
                                  Make const& make) {
  struct Known {
    std::weak_ptr<Shared> shared;
    device::Backend* backend;
    std::vector<std::int64_t> processes;  // by rank
    std::int64_t mark;                    // the same on all ranks, another for each object
  };
  static std::mutex mutex;
  static std::vector<Known> all;
  static std::int64_t last_mark = 0;

  std::vector<std::int64_t> processes(static_cast<std::size_t>(ranks.size()));
  std::int64_t const mine = getpid();
  mpi::gather_to_all(ranks, &mine, processes.data(), sizeof mine);
  std::shared_ptr<Shared> found;
  std::int64_t mark = 0, next = 0;
  {
    std::lock_guard const lock(mutex);
    std::erase_if(all, [](Known const& known) { return known.shared.expired(); });
    for (Known const& known : all) {
      if (known.backend != &backend || known.processes != processes) continue;
      found = known.shared.lock();
      mark = found ? known.mark : 0;
    }
    next = last_mark + 1;
  }
  std::int64_t bounds[3] = {mark, -mark, next};
  mpi::reduce_to_all(ranks, bounds, 3, MPI_INT64_T, MPI_MAX);
  auto const [highest, minus_lowest, new_mark] = bounds;
  if (highest != 0 && highest == -minus_lowest) return found;
  std::shared_ptr<Shared> const made = make();
  std::lock_guard const lock(mutex);
  last_mark = new_mark;
  all.push_back({made, &backend, processes, new_mark});
  return made;
}

}  // namespace sixstep::device
