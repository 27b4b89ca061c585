// SPDX-License-Identifier: BSD-3-Clause
// Channels: groups of ranks that exchange with each other, and their communicators.
#include "exchange/channels.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::exchange {

Channels Channels::collective(std::vector<redistribution::Ends> const& exchanges,
                              std::vector<redistribution::Medium> const& media,
                              mpi::Communicator const& comm, bool at_once) {
  Channels made(comm, nullptr);
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    Channel channel;
    if (!media.empty() && media[i] != redistribution::Medium::messages) {
      made.channels_.push_back(std::move(channel));
      continue;
    }
    channel.ranks = redistribution::group_of(exchanges[i].from, exchanges[i].to, comm.rank());
    if (mpi::has_threads())
      channel.comm = comm.split(channel.ranks.front());
    else if (at_once || static_cast<int>(channel.ranks.size()) < comm.size())
      channel.comm = comm.group(channel.ranks, at_once ? static_cast<int>(i) : 0);
    made.channels_.push_back(std::move(channel));
  }
  return made;
}

Channels Channels::pairwise(mpi::Communicator const& comm, MakeStrategy* make) {
  return Channels(comm, make);
}

bool Channels::is_within(std::vector<int> const& ranks, int exchange) const {
  return !are_pairwise() &&
         std::ranges::includes(ranks, channels_[static_cast<std::size_t>(exchange)].ranks);
}

std::unique_ptr<Strategy> Channels::make(Traffic traffic) const {
  traffic.comm = comm_;
  if (are_pairwise()) return by_pairs_(traffic);
  Channel const& channel = channels_[static_cast<std::size_t>(traffic.number)];
  if (channel.ranks.size() == 1) return make_pairwise(traffic);
  if (channel.comm.get() == MPI_COMM_NULL) return make_collective(traffic);
  traffic.comm = channel.comm;
  traffic.names.ranks = channel.ranks;
  for (auto* side : {&traffic.sends, &traffic.receives})
    for (redistribution::Message& message : *side)
      message.rank = static_cast<int>(
          std::lower_bound(channel.ranks.begin(), channel.ranks.end(), message.rank) -
          channel.ranks.begin());
  return make_collective(traffic);
}

}  // namespace sixstep::exchange
