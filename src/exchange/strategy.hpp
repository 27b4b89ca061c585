// SPDX-License-Identifier: BSD-3-Clause
// Moving packed messages between ranks: the seam that every strategy fills.
//
// A strategy knows ranks, windows, offsets and counts. It does not know what the elements are or
// why they move.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "exchange/bundles.hpp"
#include "exchange/names.hpp"
#include "local/kernels/short_reals.hpp"
#include "redistribution/redistribution.hpp"
#include "redistribution/tag_range.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"
#include "runtime/trace.hpp"
#include "sixstep/options.hpp"

namespace sixstep::exchange {

inline constexpr redistribution::Windows all_windows = ~redistribution::Windows{0};

/// Sums of squares of the first hop between nodes and of the second, if there is one.
using SumsOfHops = std::array<local::RoundingSums, 2>;

/// A planned exchange, from windows of its senders to windows of its receivers. One thread at a
/// time may call it.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Begins an exchange between buffers that do not overlap. All ranks begin exchanges in the same
  /// order.
  virtual void begin(void const* send, void* receive) = 0;
  /// `packed`: the windows of `send` that are packed. `vacated`: the windows of the step that read
  /// `receive` before, if they no longer do. Both may only grow. Messages go and come as far as
  /// that allows.
  virtual void allow(redistribution::Windows packed, redistribution::Windows vacated) = 0;
  /// Starts what may start and sees what has ended; does not wait.
  virtual void progress() {}
  /// Windows of this rank, the receiver, that have arrived completely.
  virtual redistribution::Windows arrived() const = 0;
  /// Windows of the receivers that have been sent completely.
  virtual redistribution::Windows sent() const = 0;
  /// Whether some packed data has not been sent yet.
  virtual bool sending() const = 0;
  /// Whether the network will soon have nothing to do unless another window is packed: to some
  /// rank, all messages that may be sent are under way, and others will follow.
  virtual bool starves() const { return !sending(); }
  /// Waits for the end of the exchange, which must be allowed as a whole.
  virtual void finish() = 0;
  /// Says what the first incomplete window waits for, as in "exchange 1 of 2 (to ...): nothing from
  /// rank 3"; empty if nothing is missing.
  virtual std::string waiting_for() const = 0;
  /// Records messages from now on, as those of `step`, if the strategy can tell them apart.
  virtual void trace_to(Trace&, int /*step*/) {}
  /// The squares of all numbers that this rank has sent in the last exchange, and of their rounding
  /// errors. They are zero unless the exchange shortens messages.
  virtual SumsOfHops rounding() const { return {}; }

  /// Runs the whole exchange.
  void run(void const* send, void* receive) {
    begin(send, receive);
    allow(all_windows, all_windows);
    finish();
  }
};

/// The messages of an exchange on one rank, and how they are to be sent.
struct Traffic {
  mpi::Comm comm = MPI_COMM_NULL;  // outlives the exchange
  MPI_Datatype element = MPI_DATATYPE_NULL;
  std::vector<redistribution::Message> sends;
  std::vector<redistribution::Message> receives;
  redistribution::Cuts cuts = {};  // the same on all ranks
  bool into_rows = false;          // some rank may receive messages in rows
  int number = 0;                  // among exchanges under way at the same time
  redistribution::TagRange tags = {};
  int in_flight = 16;                      // messages to a rank at a time
  Index count_limit = mpi::largest_count;  // per MPI call; lower in tests of large counts
  Names names = {};
};

using MakeStrategy = std::unique_ptr<Strategy>(Traffic const&);

/// Nothing moves: ranks of a node meet, and then read what the others have written in its memory.
/// `memory` outlives the exchange. It has one window, which finish() waits for.
std::unique_ptr<Strategy> make_shared(NodeMemory& memory, std::string name);
/// An exchange among several nodes: between two meetings some ranks carry messages to other nodes,
/// hop by hop, from a buffer in `memory` to that same buffer. It has one window, which finish()
/// waits for.
std::unique_ptr<Strategy> make_by_nodes(NodeMemory& memory, Hops const& hops);
/// One MPI_Ialltoallv over all of `comm` for each window of the senders and each of the receivers.
/// Collective.
std::unique_ptr<Strategy> make_collective(Traffic const& traffic);
/// One message for each pair of ranks, and of their windows, that exchange something. Local.
std::unique_ptr<Strategy> make_pairwise(Traffic const& traffic);
/// Sends the messages of make_pairwise() by persistent requests. They are set up when they first
/// start, and again when the buffers change. Local.
std::unique_ptr<Strategy> make_persistent(Traffic const& traffic);
/// Open MPI 4.1 makes no dynamic windows between ranks of a node; its components for other
/// networks, where they are forced to, end in a crash.
#ifdef OPEN_MPI
inline constexpr bool puts_arrive = false;
#else
inline constexpr bool puts_arrive = true;
#endif
/// Sends the messages of make_pairwise() as one-sided puts: the receiver tells the sender where to
/// put them, and the sender tells the receiver when they have arrived. Making and freeing it are
/// collective: ranks free several in the same order.
std::unique_ptr<Strategy> make_put(Traffic const& traffic);

/// Makes the strategy that sends a message for each pair of ranks; null for the others.
constexpr MakeStrategy* by_pairs(Exchange exchange) {
  return exchange == Exchange::pairwise     ? make_pairwise
         : exchange == Exchange::persistent ? make_persistent
         : exchange == Exchange::one_sided  ? make_put
                                            : nullptr;
}

}  // namespace sixstep::exchange
