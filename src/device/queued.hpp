// SPDX-License-Identifier: BSD-3-Clause
// Exchanges in the queues of devices: only later works in the queue wait for one.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "redistribution/redistribution.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::device {

/// Whether all ranks have different devices, as peers need. Collective.
bool have_their_own(device::Backend const& backend, mpi::Communicator const& comm);

/// The ranks of `comm` as peers, the same for all plans. Collective. Errors, on all ranks: they
/// cannot be peers.
std::shared_ptr<device::Peers> peers(device::Backend& backend, mpi::Communicator const& comm);

/// Waits until all works in a queue have been done. If these may wait for peers, it lets messages
/// progress meanwhile: the hosts of the peers may be waiting for messages that this rank has sent.
void finish(device::Queue& queue, device::Peers const* peers, mpi::Communicator const& comm);

class Queued {
 public:
  Queued(std::shared_ptr<device::Peers> peers, redistribution::RankMessages const& moves,
         std::size_t element_bytes);

  /// Puts the exchange into a queue. The buffers do not overlap.
  void put(device::Queue& queue, void const* send, void* receive) const;

 private:
  struct Copy {
    std::size_t from, to, bytes;
  };
  std::shared_ptr<device::Peers> peers_;
  device::Parcels sends_, receives_;
  std::vector<Copy> kept_;  // copies within this rank
};

}  // namespace sixstep::device
