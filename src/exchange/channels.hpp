// SPDX-License-Identifier: BSD-3-Clause
// Channels: the communicators that the exchanges of a plan go over, made once, and the strategies
// that use them.
#pragma once

#include <memory>
#include <vector>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// Open MPI's MPI_Ialltoallv (4.1, between ranks of a node) may wait for ever for messages a little
/// above its eager limit. It sends them one by one, as we can do without that fault.
#ifdef OPEN_MPI
inline constexpr bool collectives_end = false;
#else
inline constexpr bool collectives_end = true;
#endif

/// One channel for each exchange, for both directions: the ranks that take part with this one.
class Channels {
 public:
  Channels() = default;
  /// For those of these exchanges that messages carry (all, if no media are given) one collective
  /// call among the ranks of each. Plans share a communicator for each group of ranks; it has
  /// another one for each exchange if several are under way at once, and one of its own if several
  /// threads may execute plans: calls on a communicator must begin in the same order everywhere.
  /// Collective over `comm`, which outlives the channels. Pairwise where the MPI at hand has no
  /// such call that can be relied on.
  static Channels collective(std::vector<redistribution::Ends> const& exchanges,
                             std::vector<redistribution::Medium> const& media,
                             mpi::Communicator const& comm, bool at_once);
  /// A message for each pair of ranks, for any number of exchanges, by strategies that `make`
  /// makes.
  static Channels pairwise(mpi::Communicator const& comm, MakeStrategy* make = make_pairwise);

  bool are_pairwise() const { return by_pairs_ != nullptr; }

  /// The strategy for traffic of exchange number `traffic.number`, whose communicator is the
  /// channel's. Collective over that.
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
