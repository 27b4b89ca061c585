// SPDX-License-Identifier: BSD-3-Clause
// Exchanges in the queues of devices: nothing waits for one but what comes later there.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "redistribution/redistribution.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::device {

/// Whether all ranks have devices of their own, as peers need them. Collective.
bool have_their_own(device::Backend const& backend, mpi::Communicator const& comm);

/// The ranks of `comm` as peers, the same for all plans. Collective. Errors, on all ranks: they
/// cannot be.
std::shared_ptr<device::Peers> peers(device::Backend& backend, mpi::Communicator const& comm);

/// Waits until all in a queue has been done. Where peers may have to come for that, messages go on
/// meanwhile: the peers' hosts may be waiting for some that this rank has sent before.
void finish(device::Queue& queue, device::Peers const* peers, mpi::Communicator const& comm);

class Queued {
 public:
  Queued(std::shared_ptr<device::Peers> peers, redistribution::Redistribution const& moves,
         std::size_t element_bytes);

  /// Between buffers that do not overlap.
  void put(device::Queue& queue, void const* send, void* receive) const;

 private:
  struct Copy {
    std::size_t from, to, bytes;
  };
  std::shared_ptr<device::Peers> peers_;
  device::Parcels sends_, receives_;
  std::vector<Copy> kept_;  // by this rank
};

}  // namespace sixstep::device
