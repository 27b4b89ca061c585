// SPDX-License-Identifier: BSD-3-Clause
// Staging buffers: each rank drafts where its messages lie, writes that down for its node, and
// reads what the others have written.
#include "device/staging.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <tuple>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep::device {

namespace {

using redistribution::Message;
using Messages = std::vector<Message>;

/// Rounds up to whole pages, so that memory pinned for different ranks shares no page.
std::size_t in_pages(std::size_t bytes) {
  static auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

bool is_one_behind_the_other(Message const& a, Message const& b) {
  return std::tie(a.behind, a.before) < std::tie(b.behind, b.before);
}

/// Where a message begins in the staging buffer, in bytes.
struct Placed {
  Message message;
  std::size_t offset;
};

/// The staging buffer of a move on this rank, before there is memory.
struct Draft {
  program::Move const* move;
  std::size_t number;  // of the exchange in its program
  std::size_t element_bytes;
  std::vector<std::vector<Placed>> to = {};   // ranks of this node, by place
  std::vector<Messages> from = {};            // likewise, in the order of their senders
  Messages to_others = {}, from_others = {};  // ranks of other nodes
  std::size_t others_at = 0;                  // where messages for other nodes begin
  std::size_t send_bytes = 0, receive_bytes = 0;

  std::size_t bytes_of(Message const& message) const {
    return static_cast<std::size_t>(message.count) * element_bytes;
  }
};

/// The messages of rank `own` to or from other ranks. Those of the `neighbours`, which are ranks of
/// its node in ascending order, by place; then those of other ranks.
std::pair<std::vector<Messages>, Messages> by_place(Messages const& messages, int own,
                                                    std::vector<int> const& neighbours) {
  std::pair<std::vector<Messages>, Messages> found;
  auto& [within, others] = found;
  within.resize(neighbours.size());
  for (Message const& message : messages) {
    if (message.rank == own || message.count == 0) continue;
    auto const neighbour = std::ranges::lower_bound(neighbours, message.rank);
    bool const is_within = neighbour != neighbours.end() && *neighbour == message.rank;
    (is_within ? within[static_cast<std::size_t>(neighbour - neighbours.begin())] : others)
        .push_back(message);
  }
  for (Messages& each : within) std::ranges::stable_sort(each, is_one_behind_the_other);
  return found;
}

/// Whether two drafts send ranks of the node messages of the same sizes between the same windows.
/// Then they also begin at the same offsets.
bool send_alike(Draft const& a, Draft const& b) {
  auto const are_alike = [&](Placed const& one, Placed const& other) {
    return one.message.before == other.message.before &&
           one.message.behind == other.message.behind &&
           a.bytes_of(one.message) == b.bytes_of(other.message);
  };
  return std::ranges::equal(a.to, b.to, [&](auto const& one, auto const& other) {
    return std::ranges::equal(one, other, are_alike);
  });
}

/// Messages to a rank of the node lie together, so that it pins no more than it reads.
Draft draft_of(program::Move const& move, std::size_t number, int real_bytes, int own,
               std::vector<int> const& neighbours) {
  Draft draft{&move, number,
              static_cast<std::size_t>(layout::reals_of(move.number()) * real_bytes)};
  auto [to, to_others] = by_place(move.moves->send.messages, own, neighbours);
  for (Messages const& messages : to) {
    std::vector<Placed>& placed = draft.to.emplace_back();
    for (Message const& message : messages) {
      placed.push_back({message, draft.send_bytes});
      draft.send_bytes += draft.bytes_of(message);
    }
    draft.send_bytes = in_pages(draft.send_bytes);
  }
  draft.others_at = draft.send_bytes;
  for (Message const& message : to_others) draft.send_bytes += draft.bytes_of(message);
  draft.to_others = std::move(to_others);
  std::tie(draft.from, draft.from_others) = by_place(move.moves->receive.messages, own, neighbours);
  for (Message const& message : draft.from_others) draft.receive_bytes += draft.bytes_of(message);
  return draft;
}

std::vector<Draft> drafts_of(std::vector<program::Program const*> const& programs, int real_bytes,
                             int own, std::vector<int> const& neighbours) {
  std::vector<Draft> drafts;
  for (program::Program const* program : programs) {
    std::size_t number = 0;
    for (program::Step const& step : program->steps) {
      auto const* const move = std::get_if<program::Move>(&step.work);
      if (move && move->way.medium == redistribution::Medium::messages)
        drafts.push_back(draft_of(*move, number++, real_bytes, own, neighbours));
    }
  }
  return drafts;
}

/// The largest `bytes` of the drafts of each exchange.
std::vector<std::size_t> largest(std::vector<Draft> const& drafts, std::size_t Draft::*bytes) {
  std::vector<std::size_t> most;
  for (Draft const& draft : drafts) {
    if (most.size() <= draft.number) most.push_back(0);
    most[draft.number] = std::max(most[draft.number], draft.*bytes);
  }
  return most;
}

/// Adds messages of other nodes to a staging buffer, one behind the other from `begin` on. Returns
/// them with their offsets there.
Messages place_others(std::vector<StagedMessage>& staged, Messages messages, std::byte* begin,
                      Draft const& draft) {
  Index offset = 0;
  for (Message& message : messages) {
    staged.push_back({message, begin + static_cast<std::size_t>(offset) * draft.element_bytes});
    message.offset = std::exchange(offset, offset + message.count);
  }
  return messages;
}

}  // namespace

/// The memory of a node: each rank's segment begins with a table, which has the first note for each
/// rank of the node, move by move. Notes follow, then staging buffers.
class StagingBuffers::Maker {
 public:
  Maker(StagingBuffers& buffers, Backend& backend, mpi::Communicator const& comm, Node const& node,
        std::vector<Draft> drafts)
      : buffers_(buffers),
        backend_(backend),
        comm_(comm),
        node_(node),
        place_(static_cast<std::size_t>(node.comm().rank())),
        places_(static_cast<std::size_t>(node.size())),
        drafts_(std::move(drafts)) {
    for (Draft const& draft : drafts_)
      buffers_.buffers_[draft.move].element_bytes = draft.element_bytes;
  }

  /// Throws Error on all ranks if one of them cannot have the memory in common.
  void make_in_common() {
    std::vector<std::size_t> const sends = largest(drafts_, &Draft::send_bytes);
    std::size_t notes = 0;
    for (Draft const& draft : drafts_)
      for (auto const& messages : draft.to) notes += messages.size();
    std::size_t bytes = in_pages(notes_at() + notes * sizeof(Note));
    for (std::size_t of_one : sends) {
      begins_.push_back(bytes);
      bytes += in_pages(of_one);
    }
    std::uint64_t most = std::max<std::size_t>(bytes, 1);
    mpi::reduce_to_all(node_.comm(), &most, 1, MPI_UINT64_T, MPI_MAX);
    mpi::together(comm_, [&] { buffers_.memory_ = std::make_unique<NodeMemory>(node_, most); });
    mpi::together(comm_, [&] {
      for (std::size_t i = 0; i < sends.size(); ++i) pin(segment(place_) + begins_[i], sends[i]);
      write_notes();
      allocate_receives();
    });
    buffers_.memory_->arrive();
    buffers_.memory_->wait("the begin of a plan");
    mpi::together(comm_, [&] { read_notes(); });
  }

  /// Throws Error on this rank.
  void make_apart() {
    std::vector<std::shared_ptr<std::byte>> sends;
    for (std::size_t bytes : largest(drafts_, &Draft::send_bytes))
      sends.push_back(allocated(bytes));
    for (Draft const& draft : drafts_) {
      StagingBuffer& buffer = buffers_.buffers_[draft.move];
      buffer.send = sends[draft.number].get();
      buffer.messages_sent = place_others(buffer.sends, draft.to_others, buffer.send, draft);
    }
    allocate_receives();
  }

 private:
  std::size_t notes_at() const {
    std::size_t const table = drafts_.size() * (places_ + 1) * sizeof(std::uint64_t);
    return (table + alignof(Note) - 1) / alignof(Note) * alignof(Note);
  }
  std::byte* segment(std::size_t place) const {
    auto const away = static_cast<std::ptrdiff_t>(place) - static_cast<std::ptrdiff_t>(place_);
    return buffers_.memory_->segment() +
           away * static_cast<std::ptrdiff_t>(buffers_.memory_->segment_bytes());
  }
  /// The numbers of the first notes of a move, by the receiver's place, and the end.
  std::uint64_t* firsts(std::size_t place, std::size_t draft) const {
    return reinterpret_cast<std::uint64_t*>(segment(place)) + draft * (places_ + 1);
  }
  Note* notes(std::size_t place) const {
    return reinterpret_cast<Note*>(segment(place) + notes_at());
  }

  void pin(std::byte* memory, std::size_t bytes) {
    if (bytes > 0) buffers_.pinned_.push_back(backend_.pin(memory, in_pages(bytes)));
  }
  std::shared_ptr<std::byte> allocated(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    auto const memory = backend_.allocate_pinned(bytes);
    buffers_.pinned_.push_back(memory);
    return memory;
  }

  void write_notes() {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      Draft const& draft = drafts_[i];
      std::size_t const of = notes_of(i);
      if (of == i) number = write_notes(draft, firsts(place_, i), number);
      std::copy_n(firsts(place_, of), places_ + 1, firsts(place_, i));
      StagingBuffer& buffer = buffers_.buffers_[draft.move];
      Note* note = notes(place_) + *firsts(place_, i);
      for (auto const& messages : draft.to)
        for (Placed const& placed : messages) {
          buffer.sends.push_back({placed.message, segment(place_) + note->offset, note});
          ++note;
        }
      buffer.send = segment(place_) + begins_[draft.number] + draft.others_at;
      buffer.messages_sent = place_others(buffer.sends, draft.to_others, buffer.send, draft);
    }
  }
  /// The draft whose notes a draft has. Programs for different kinds of arrays have the same notes
  /// for an exchange, because a rank without elements may execute another program than the others.
  std::size_t notes_of(std::size_t i) const {
    std::size_t first = 0;
    while (first < i &&
           !(drafts_[first].number == drafts_[i].number && send_alike(drafts_[first], drafts_[i])))
      ++first;
    return first;
  }
  /// Returns the number of the next note.
  std::uint64_t write_notes(Draft const& draft, std::uint64_t* first, std::uint64_t number) {
    for (auto const& messages : draft.to) {
      *first++ = number;
      for (auto const& [message, offset] : messages)
        new (notes(place_) + number++) Note{begins_[draft.number] + offset, draft.bytes_of(message),
                                            message.before, message.behind};
    }
    *first = number;
    return number;
  }

  /// Allocates the memory of this rank alone that receives messages from other nodes.
  void allocate_receives() {
    std::vector<std::shared_ptr<std::byte>> receives;
    for (std::size_t bytes : largest(drafts_, &Draft::receive_bytes))
      receives.push_back(allocated(bytes));
    for (Draft const& draft : drafts_) {
      StagingBuffer& buffer = buffers_.buffers_[draft.move];
      buffer.receive = receives[draft.number].get();
      buffer.messages_received =
          place_others(buffer.receives, draft.from_others, buffer.receive, draft);
    }
  }

  /// Finds what the other ranks of the node send this one, and pins it.
  void read_notes() {
    for (std::size_t place = 0; place < places_; ++place) {
      if (place == place_) continue;
      std::vector<std::pair<std::size_t, std::size_t>> ranges(begins_.size());
      for (std::size_t i = 0; i < drafts_.size(); ++i)
        if (auto const [begin, end] = read_notes(place, i); begin < end) {
          auto& [first, last] = ranges[drafts_[i].number];
          first = last == 0 ? begin : std::min(first, begin);
          last = std::max(last, end);
        }
      for (auto const& [begin, end] : ranges) pin(segment(place) + begin, end - begin);
    }
  }

  /// Returns where these messages begin and end in the sender's segment.
  std::pair<std::size_t, std::size_t> read_notes(std::size_t place, std::size_t i) {
    StagingBuffer& buffer = buffers_.buffers_[drafts_[i].move];
    Messages const& messages = drafts_[i].from[place];
    std::uint64_t const *const first = firsts(place, i) + place_, *const end = first + 1;
    require_internal(*end - *first == messages.size(), "a rank of this node sends ", *end - *first,
                     " messages of ", messages.size());
    if (messages.empty()) return {0, 0};
    Note* note = notes(place) + *first;
    for (Message const& message : messages) {
      require_internal(note->before == message.before && note->behind == message.behind &&
                           note->bytes == drafts_[i].bytes_of(message),
                       "a rank of this node sends another message than is received");
      buffer.receives.push_back({message, segment(place) + note->offset, note});
      ++note;
    }
    Note const &lowest = notes(place)[*first], &highest = notes(place)[*end - 1];
    return {lowest.offset, highest.offset + highest.bytes};
  }

  StagingBuffers& buffers_;
  Backend& backend_;
  mpi::Communicator const& comm_;
  Node const& node_;
  std::size_t place_, places_;
  std::vector<Draft> drafts_;
  std::vector<std::size_t> begins_;  // of the buffers in this rank's segment
};

StagingBuffers::StagingBuffers(Backend& backend, mpi::Communicator const& comm, Node const& node,
                               Within within, std::vector<program::Program const*> const& programs,
                               int real_bytes) {
  auto const drafts = [&](std::vector<int> const& neighbours) {
    return drafts_of(programs, real_bytes, comm.rank(), neighbours);
  };
  bool const has_neighbours =
      std::ranges::any_of(node.place_of(), [](int place) { return place > 0; });
  if (within == Within::common_memory && has_neighbours) try {
      Maker(*this, backend, comm, node, drafts(node.ranks())).make_in_common();
      in_common_ = node.ranks();
      return;
    } catch (Error const& error) {
      if (error.code() == ErrorCode::internal) throw;
      why_apart_ = error.what();
      buffers_.clear();
      pinned_.clear();
      memory_.reset();
    }
  mpi::together(comm, [&] { Maker(*this, backend, comm, node, drafts({})).make_apart(); });
}

}  // namespace sixstep::device
