// SPDX-License-Identifier: BSD-3-Clause
// Peers find each other by MPI. A rank copies its messages to itself.
#include "device/queued.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "device/in_common.hpp"

namespace sixstep::device {

bool have_their_own(device::Backend const& backend, mpi::Communicator const& comm) {
  device::Identity const mine = backend.identity();
  std::vector<device::Identity> all(static_cast<std::size_t>(comm.size()));
  mpi::gather_to_all(comm, &mine, all.data(), sizeof mine);
  std::ranges::sort(all);
  return std::ranges::adjacent_find(all) == all.end();
}

std::shared_ptr<device::Peers> peers(device::Backend& backend, mpi::Communicator const& comm) {
  return in_common<device::Peers>(backend, comm, [&] {
    device::Invitation invitation{};
    mpi::together(comm, [&] {
      if (comm.rank() == 0) invitation = backend.invite(comm.size());
    });
    mpi::broadcast(comm, &invitation, sizeof invitation);
    std::shared_ptr<device::Peers> made;
    mpi::together(comm, [&] { made = backend.join(invitation, comm.size(), comm.rank()); });
    mpi::destroy_together(comm, made);  // a library may let peers wait for each other's end
    return made;
  });
}

void finish(device::Queue& queue, device::Peers const* peers, mpi::Communicator const& comm) {
  if (!peers) return queue.finish();
  Patience::Wait wait = comm.patience().begin();
  while (!queue.is_done()) {
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &arrived, MPI_STATUS_IGNORE);
    wait.check([] { return "exchanges in the device's queue: other ranks have not come"; });
    sched_yield();
  }
}

Queued::Queued(std::shared_ptr<device::Peers> peers, redistribution::RankMessages const& moves,
               std::size_t element_bytes)
    : peers_(std::move(peers)) {
  auto const bytes = [&](Index elements) {
    return static_cast<std::size_t>(elements) * element_bytes;
  };
  for (redistribution::Message const& message : moves.send.messages) {
    if (message.count == 0) continue;
    if (message.rank == peers_->number())
      kept_.push_back({bytes(message.offset), 0, bytes(message.count)});
    else
      sends_.push_back({message.rank, bytes(message.offset), bytes(message.count)});
  }
  auto kept = kept_.begin();
  for (redistribution::Message const& message : moves.receive.messages) {
    if (message.count == 0) continue;
    if (message.rank == peers_->number())
      (kept++)->to = bytes(message.offset);
    else
      receives_.push_back({message.rank, bytes(message.offset), bytes(message.count)});
  }
}

void Queued::put(device::Queue& queue, void const* send, void* receive) const {
  auto* const source = static_cast<std::byte*>(const_cast<void*>(send));
  auto* const target = static_cast<std::byte*>(receive);
  for (Copy const& copy : kept_) queue.copy(target + copy.to, source + copy.from, copy.bytes);
  if (!sends_.empty() || !receives_.empty())
    queue.exchange(*peers_, sends_, source, receives_, target);
}

}  // namespace sixstep::device
