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

/// The messages of one chunk, to and from ranks of one communicator.
struct Chunk {
  std::vector<Message> sends;
  std::vector<Message> receives;
};

/// A planned exchange in one or more chunks. begin() starts a chunk once its part of `send` is
/// packed, finish() returns when its part of `receive` has arrived and its part of `send` may be
/// packed anew. All ranks begin the chunks in the same order; any number may be under way; buffers
/// do not overlap.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual int chunks() const = 0;
  virtual void begin(int chunk, void const* send, void* receive) = 0;
  virtual void finish(int chunk) = 0;
};

/// What an exchange is planned from.
struct Traffic {
  MPI_Comm comm = MPI_COMM_NULL;  // outlives the exchange
  MPI_Datatype element = MPI_DATATYPE_NULL;
  std::vector<Chunk> chunks;
  Index count_limit = mpi::largest_count;  // per MPI call; lower in tests of large counts
};

/// Nothing moves: ranks of a node meet, and then read what the others have written in its memory.
/// `memory` outlives the exchange.
std::unique_ptr<Exchange> make_shared(NodeMemory& memory);
/// The same among several nodes: between two meetings some ranks carry messages to other nodes,
/// from a buffer in that memory to itself.
std::unique_ptr<Exchange> make_by_nodes(NodeMemory& memory, Traffic const& messages);
/// One MPI_Ialltoallv a chunk over all of `comm`. Collective.
std::unique_ptr<Exchange> make_collective(Traffic const& traffic);
/// A message per pair of ranks that exchange something (more if it is over the count limit). Local.
std::unique_ptr<Exchange> make_pairwise(Traffic const& traffic);

}  // namespace sixstep::exchange
