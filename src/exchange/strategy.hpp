// SPDX-License-Identifier: BSD-3-Clause
// Moving packed messages between ranks: the seam that every strategy fills.
//
// A strategy knows ranks, offsets and counts; what the elements are and why they move it does not
// know.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exchange/redistribution.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"

namespace sixstep::exchange {

/// The messages of one window, to and from ranks of one communicator.
struct Messages {
  std::vector<Message> sends;
  std::vector<Message> receives;
};

/// A planned exchange in one or more windows. begin() starts a window once its part of `send` is
/// packed, finish() returns when its part of `receive` has arrived and its part of `send` may be
/// packed anew. All ranks begin the windows in the same order; any number may be under way; buffers
/// do not overlap.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual int windows() const = 0;
  virtual void begin(int window, void const* send, void* receive) = 0;
  virtual void finish(int window) = 0;
};

/// What an exchange is planned from.
struct Traffic {
  MPI_Comm comm = MPI_COMM_NULL;  // outlives the exchange
  MPI_Datatype element = MPI_DATATYPE_NULL;
  std::vector<Messages> windows;
  Index count_limit = mpi::largest_count;  // per MPI call; lower in tests of large counts
};

/// Nothing moves: ranks of a node meet, and then read what the others have written in its memory.
/// `memory` outlives the exchange.
std::unique_ptr<Strategy> make_shared(NodeMemory& memory);
/// The same among several nodes: between two meetings some ranks carry messages to other nodes,
/// from a buffer in that memory to itself.
std::unique_ptr<Strategy> make_by_nodes(NodeMemory& memory, Traffic const& messages);
/// One MPI_Ialltoallv a window over all of `comm`. Collective.
std::unique_ptr<Strategy> make_collective(Traffic const& traffic);
/// A message per pair of ranks that exchange something (more if it is over the count limit). Local.
std::unique_ptr<Strategy> make_pairwise(Traffic const& traffic);

}  // namespace sixstep::exchange
