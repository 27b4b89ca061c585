// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node share: memory, and counters in it by which they wait for one another.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/arena.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

/// The ranks of a communicator that share a node, in ascending order. If SIXSTEP_NODE_RANKS=n is
/// set, a node has at most n neighbouring ranks, which emulates several nodes.
class Node {
 public:
  Node() = default;
  /// Collective. Throws Error on every rank if SIXSTEP_NODE_RANKS is no number of at least 1 or
  /// differs between ranks.
  explicit Node(mpi::Communicator const& comm);

  mpi::Communicator const& comm() const { return kept_->comm; }
  int size() const { return kept_ ? kept_->comm.size() : 0; }
  /// For each rank of the communicator: its node (named by the lowest rank there), and its place
  /// among the ranks of that node.
  std::vector<int> const& node_of() const { return kept_->node_of; }
  std::vector<int> const& place_of() const { return kept_->place_of; }
  /// The ranks of this node, by place.
  std::vector<int> const& ranks() const { return kept_->ranks; }

 private:
  struct Kept {
    mpi::Communicator comm;
    std::vector<int> node_of;
    std::vector<int> place_of;
    std::vector<int> ranks;
  };
  static std::shared_ptr<Kept> made(mpi::Communicator const& comm, int most_ranks);

  std::shared_ptr<Kept const> kept_;
};

/// An array of an arena, one part in each rank's segment, and a counter for each rank.
class NodeMemory {
 public:
  /// At least `bytes` for each rank, the same on all. They fill with zeros as they are touched.
  /// Collective over `node`, which must outlive any wait(). Throws Error on any of its ranks if the
  /// memory cannot be created or opened.
  NodeMemory(Node const& node, std::size_t bytes);
  NodeMemory(NodeMemory const&) = delete;
  NodeMemory& operator=(NodeMemory const&) = delete;

  /// This rank's memory.
  std::byte* segment() const { return segment_.get(); }
  /// Distance from one rank's memory to the next's; a multiple of a huge page.
  std::size_t segment_bytes() const { return arena_->segment_bytes(); }

  /// The arena, in which other arrays may be reserved.
  Arena& arena() const { return *arena_; }
  /// A word for two arrays of the arena with room for `bytes`. It is the same on all ranks that
  /// pass arrays which they reserved together; 0 if either is not in the arena.
  struct Array {
    void const* memory;
    std::size_t bytes;
  };
  std::uint64_t word_for(Array const& in, Array const& out) const;

  using Note = std::array<std::uint64_t, 16>;
  /// Announces this rank at its next meeting, with a word for the others.
  void arrive(std::uint64_t word = 0);
  /// Likewise, with a note.
  void arrive(std::uint64_t word, Note const& note);
  /// Waits until all ranks of the node have arrived at this rank's last meeting. Returns whether
  /// all announced the same word. Call it for at least every other meeting, because a rank may be
  /// one ahead. If it takes too long, the message calls the meeting `name`.
  bool wait(std::string_view name = "a meeting");
  /// The word with which that rank of the node came to this rank's last meeting. All must have
  /// arrived there.
  std::uint64_t word_of(int place) const;
  /// The note that this rank left there beside its word.
  Note const& note_of(int place) const;
  /// The number of ranks, and which of them this is.
  int places() const { return static_cast<int>(ranks_.size()); }
  int place() const { return place_; }
  /// "ranks 2, 3 have not arrived" at this rank's last meeting; empty if all have.
  std::string waiting_for() const;

 private:
  struct Counter;
  Counter& counter(int place) const;

  mpi::Comm comm_;  // makes progress while this rank waits
  int place_ = 0;
  std::vector<int> ranks_;  // by place, numbered as in the plan
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<std::byte> segment_;
  std::size_t counter_offset_;
};

}  // namespace sixstep
