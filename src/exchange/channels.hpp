// SPDX-License-Identifier: BSD-3-Clause
// Channels: the communicators of a plan's exchanges, made once, and the strategies that use them.
#pragma once

#include <memory>
#include <vector>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// Open MPI's MPI_Ialltoallv (4.1, between ranks of a node) may wait for ever for messages a little
/// above its eager limit. It sends them one by one, which our pairwise exchange does without that
/// fault.
#ifdef OPEN_MPI
inline constexpr bool collectives_end = false;
#else
inline constexpr bool collectives_end = true;
#endif

/// One channel for each exchange, for both directions: the ranks that exchange with this one, and
/// their communicator.
class Channels {
 public:
  Channels() = default;
  /// Each of these exchanges that goes by messages (all do if `media` is empty) is a collective
  /// call among the ranks that exchange with each other. Plans share a communicator for each group
  /// of ranks. Calls on a communicator must begin in the same order everywhere. So exchanges that
  /// may be under way `at_once` have different communicators, and plans share none if several
  /// threads may execute plans. Collective over `comm`, which outlives the channels.
  static Channels collective(std::vector<redistribution::Ends> const& exchanges,
                             std::vector<redistribution::Medium> const& media,
                             mpi::Communicator const& comm, bool at_once);
  /// Any number of exchanges, with a message for each pair of ranks, by strategies that `make`
  /// makes.
  static Channels pairwise(mpi::Communicator const& comm, MakeStrategy* make);

  bool are_pairwise() const { return by_pairs_ != nullptr; }
  /// Whether an exchange is a collective call among some of these ranks alone, which ascend.
  bool is_within(std::vector<int> const& ranks, int exchange) const;

  /// Makes the strategy for exchange `traffic.number` on the communicator of its channel.
  /// Collective over that communicator.
  std::unique_ptr<Strategy> make(Traffic traffic) const;

 private:
  struct Channel {
    std::vector<int> ranks;
    mpi::Communicator comm;  // null: all ranks
  };

  Channels(mpi::Comm const& comm, MakeStrategy* by_pairs) : comm_(comm), by_pairs_(by_pairs) {}

  mpi::Comm comm_ = MPI_COMM_NULL;
  MakeStrategy* by_pairs_ = make_pairwise;  // null: collective
  std::vector<Channel> channels_;           // of each exchange, unless pairwise
};

}  // namespace sixstep::exchange
