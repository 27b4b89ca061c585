// SPDX-License-Identifier: BSD-3-Clause
// Finds the ranks of a node, and lets them wait for one another.
#include "runtime/node.hpp"

#include <sched.h>

#include <new>
#include <optional>

#include "base/words.hpp"
#include "runtime/environment.hpp"

namespace sixstep {

namespace {

constexpr char const* node_ranks = "SIXSTEP_NODE_RANKS";

int most_ranks(std::string_view word) {
  auto const ranks = read_number<int>(word);
  require(ranks && *ranks >= 1, node_ranks, ": a whole number from 1 to 2147483647 is needed, '",
          shortened(word), "' was given");
  return *ranks;
}

}  // namespace

Node::Node(mpi::Communicator const& comm) {
  int const most = common_variable(comm, node_ranks, most_ranks);
  std::string const name = text("node of ", most);
  kept_ = std::static_pointer_cast<Kept>(mpi::kept(comm, name));
  if (kept_) return;  // on all ranks alike
  std::shared_ptr<Kept> const made = Node::made(comm, most);
  mpi::keep(comm, name, made);
  kept_ = made;
}

std::shared_ptr<Node::Kept> Node::made(mpi::Communicator const& comm, int most_ranks) {
  auto node = std::make_shared<Kept>();
  mpi::Communicator const shared = comm.split_by_memory();
  bool const in_parts = most_ranks > 0 && most_ranks < shared.size();
  node->comm = in_parts ? shared.split(shared.rank() / most_ranks) : shared;
  int mine[2] = {comm.rank(), node->comm.rank()};
  mpi::broadcast(node->comm, &mine[0], sizeof mine[0]);
  std::vector<int> all(2 * static_cast<std::size_t>(comm.size()));
  mpi::gather_to_all(comm, mine, all.data(), sizeof mine);
  for (std::size_t i = 0; i < all.size(); i += 2) {
    node->node_of.push_back(all[i]);
    node->place_of.push_back(all[i + 1]);
    if (all[i] == mine[0]) node->ranks.push_back(static_cast<int>(i / 2));
  }
  return node;
}

/// One for each rank, on a cache line alone, so that counters do not disturb each other.
struct alignas(128) NodeMemory::Counter {
  std::atomic<std::uint64_t> meetings;
  std::atomic<std::uint64_t> words[2];  // of the last two meetings
  alignas(128) Note notes[2];           // likewise
};

NodeMemory::Counter& NodeMemory::counter(int place) const {
  std::ptrdiff_t const away = (place - place_) * static_cast<std::ptrdiff_t>(segment_bytes());
  return *reinterpret_cast<Counter*>(segment_.get() + counter_offset_ + away);
}

NodeMemory::NodeMemory(Node const& node, std::size_t bytes)
    : comm_(node.comm()),
      place_(node.comm().rank()),
      ranks_(node.ranks()),
      counter_offset_((bytes + alignof(Counter) - 1) / alignof(Counter) * alignof(Counter)) {
  std::size_t const all = counter_offset_ + sizeof(Counter);
  std::optional<std::size_t> offset;
  arena_ = Arena::find(node.comm());
  if (arena_) offset = arena_->reserve(node.comm(), all);
  if (!offset) {
    arena_ = Arena::make(node.comm(), all);
    offset = arena_->reserve(node.comm(), all);
  }
  mpi::together(comm_, [&] {
    segment_ = arena_->hold(offset.value());
    new (&counter(place_)) Counter{};
  });
}

std::uint64_t NodeMemory::word_for(Array const& in, Array const& out) const {
  std::uint64_t const first = arena_->number_of(in.memory, in.bytes),
                      second = arena_->number_of(out.memory, out.bytes);
  return first == 0 || second == 0 ? 0 : first << 32 | second;
}

void NodeMemory::arrive(std::uint64_t word) {
  Counter& mine = counter(place_);
  std::uint64_t const meeting = mine.meetings.load(std::memory_order_relaxed) + 1;
  mine.words[meeting % 2].store(word, std::memory_order_relaxed);
  mine.meetings.store(meeting, std::memory_order_release);
}

void NodeMemory::arrive(std::uint64_t word, Note const& note) {
  Counter& mine = counter(place_);
  mine.notes[(mine.meetings.load(std::memory_order_relaxed) + 1) % 2] = note;
  arrive(word);
}

bool NodeMemory::wait(std::string_view name) {
  constexpr int tries_alone = 2000;  // loads before the core is yielded to others
  Counter const& mine = counter(place_);
  std::uint64_t const meeting = mine.meetings.load(std::memory_order_relaxed);
  std::uint64_t const word = mine.words[meeting % 2].load(std::memory_order_relaxed);
  bool alike = true;
  Patience::Wait wait = comm_.patience().begin();
  for (int place = 0; place < static_cast<int>(ranks_.size()); ++place) {
    Counter const& theirs = counter(place);
    for (Index tries = 0; theirs.meetings.load(std::memory_order_acquire) < meeting; ++tries) {
      if (tries < tries_alone) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        continue;
      }
      // Lets MPI progress: the others may wait for a message that this rank has begun to send.
      int arrived = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &arrived, MPI_STATUS_IGNORE);
      wait.check([&] { return text(name, ": ", waiting_for()); });
      sched_yield();
    }
    alike = alike && theirs.words[meeting % 2].load(std::memory_order_relaxed) == word;
  }
  return alike;
}

std::uint64_t NodeMemory::word_of(int place) const {
  std::uint64_t const meeting = counter(place_).meetings.load(std::memory_order_relaxed);
  return counter(place).words[meeting % 2].load(std::memory_order_relaxed);
}

NodeMemory::Note const& NodeMemory::note_of(int place) const {
  std::uint64_t const meeting = counter(place_).meetings.load(std::memory_order_relaxed);
  return counter(place).notes[meeting % 2];
}

std::string NodeMemory::waiting_for() const {
  std::uint64_t const meeting = counter(place_).meetings.load(std::memory_order_relaxed);
  std::vector<int> absent;
  for (std::size_t place = 0; place < ranks_.size(); ++place)
    if (counter(static_cast<int>(place)).meetings.load(std::memory_order_acquire) < meeting)
      absent.push_back(ranks_[place]);
  if (absent.empty()) return {};
  return text(ranks_in_words(absent), " of this node ", absent.size() == 1 ? "has" : "have",
              " not arrived");
}

}  // namespace sixstep
