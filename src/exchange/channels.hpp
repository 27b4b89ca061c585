// SPDX-License-Identifier: BSD-3-Clause
// Channels: the communicators that the exchanges of a plan go over, made once, and the strategies
// that use them.
#pragma once

#include <memory>
#include <vector>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// One channel for each exchange, for both directions: the ranks that take part with this one.
class Channels {
 public:
  Channels() = default;
  /// For those of these exchanges that messages carry (all, if no media are given) one collective
  /// call among the ranks of each; a communicator is split where these are neither all nor this one
  /// alone. Collective over `comm`, which outlives the channels. Pairwise where the MPI at hand has
  /// no such call that can be relied on.
  static Channels collective(std::vector<Ends> const& exchanges, std::vector<Medium> const& media,
                             mpi::Communicator const& comm);
  /// A message for each pair of ranks, for any number of exchanges.
  static Channels pairwise(mpi::Communicator const& comm);

  bool are_pairwise() const { return pairwise_; }

  /// The strategy for messages of exchange number `exchange`. Collective over its channel.
  std::unique_ptr<Strategy> make(std::size_t exchange, MPI_Datatype element,
                                 Messages messages) const;

 private:
  struct Channel {
    std::vector<int> ranks;
    mpi::Communicator comm;  // null: all ranks
  };

  Channels(MPI_Comm comm, bool pairwise) : comm_(comm), pairwise_(pairwise) {}

  MPI_Comm comm_ = MPI_COMM_NULL;
  bool pairwise_ = true;
  std::vector<Channel> channels_;  // of each exchange, unless pairwise
};

}  // namespace sixstep::exchange
