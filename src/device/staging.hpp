// SPDX-License-Identifier: BSD-3-Clause
// Staging buffers: pinned memory of the host through which arrays on devices are exchanged.
//
// Ranks of a node have it in common: a sender copies there, and receivers copy from there. Messages
// for other nodes lie there too. Knows nothing about queues, and about who sends the messages.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "program/program.hpp"
#include "redistribution/redistribution.hpp"
#include "runtime/node.hpp"

namespace sixstep::device {

/// A message between ranks of a node, in memory that both have. It goes in parts, one behind the
/// other. Each end counts the parts of all executions. Between executions both counts are the same.
struct Note {
  std::uint64_t offset;  // in the sender's memory, in bytes
  std::uint64_t bytes;
  std::int32_t before, behind;                       // windows
  alignas(64) std::atomic<std::uint64_t> written{};  // by the sender
  alignas(64) std::atomic<std::uint64_t> read{};     // by the receiver
};

/// A message between the device's memory, where its offset counts, and the host's.
struct StagedMessage {
  redistribution::Message message;
  std::byte* on_host;
  Note* note = nullptr;  // empty: to or from another node
};

/// The staging buffer of an exchange on one rank.
struct StagingBuffer {
  std::size_t element_bytes = 0;
  std::vector<StagedMessage> sends, receives;  // to and from other ranks
  // Messages to and from ranks of other nodes, with offsets from the pointers below.
  std::vector<redistribution::Message> messages_sent, messages_received;
  std::byte *send = nullptr, *receive = nullptr;
};

/// The staging buffers of all exchanges by messages of some programs. Programs share memory,
/// because they run one at a time.
class StagingBuffers {
 public:
  /// Whether ranks of a node copy from each other's staging buffer, or send each other messages.
  enum class Within { common_memory, messages };

  /// Collective over all ranks. `node` and `programs` outlive it. If there is no memory that the
  /// ranks of a node can have in common, they send messages. Errors, on all ranks: there is not
  /// enough pinned memory.
  StagingBuffers(Backend& backend, mpi::Communicator const& comm, Node const& node, Within within,
                 std::vector<program::Program const*> const& programs, int real_bytes);
  StagingBuffers(StagingBuffers const&) = delete;

  StagingBuffer const& of(program::Move const& move) const { return buffers_.at(&move); }
  /// The ranks of the node that have the memory in common, ascending; empty if there are none.
  std::vector<int> const& ranks_in_common() const { return in_common_; }
  /// Why ranks of a node send messages instead.
  std::string const& why_apart() const { return why_apart_; }

 private:
  class Maker;

  std::map<program::Move const*, StagingBuffer> buffers_;
  std::vector<int> in_common_;
  std::string why_apart_;
  std::unique_ptr<NodeMemory> memory_;
  std::vector<std::shared_ptr<void>> pinned_;  // freed before memory_
};

}  // namespace sixstep::device
