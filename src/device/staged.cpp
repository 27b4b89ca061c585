// SPDX-License-Identifier: BSD-3-Clause
// Staged exchanges: one queue out of the device, one into it, and one for what a rank keeps.
// Between the first two are memory that ranks of a node have in common, and messages to other
// ranks.
#include "device/staged.hpp"

#include <sched.h>

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "exchange/pairs.hpp"

namespace sixstep::device {

namespace {

using redistribution::bit;
using redistribution::Message;
using redistribution::Windows;

/// Bytes that lie together, and go between the same windows at once.
struct Chunk {
  std::byte* on_host;    // null: the rank keeps them
  std::size_t from, to;  // offsets in the device's memory
  std::size_t bytes;
  int before, behind;
  int peer;  // -1: several
  Windows after;
  Note* note;               // of a message within the node
  std::uint64_t number;     // of this chunk in its message, from 1 on
  std::uint64_t until = 0;  // the note's count when it has been copied
  std::unique_ptr<device::Event> copied = nullptr;
  Trace::Label label = {};
  Nanoseconds since = 0;  // if there is a trace
};

/// The bytes of elements and of chunks.
struct Sizes {
  std::size_t element_bytes;
  std::size_t chunk_bytes;  // the most of a message within the node

  std::size_t bytes(Index elements) const {
    return static_cast<std::size_t>(elements) * element_bytes;
  }
  std::uint64_t chunks(std::size_t bytes) const { return (bytes + chunk_bytes - 1) / chunk_bytes; }
};

/// Parts that are copied one after the other, in a queue of their own.
class Lane {
 public:
  explicit Lane(device::Backend& backend) : backend_(backend), queue_(backend.make_queue()) {}

  void add(Chunk chunk) {
    chunk.copied = backend_.make_event();
    chunks_.push_back(std::move(chunk));
    waiting_.reserve(chunks_.size());
    moving_.reserve(chunks_.size());
  }
  /// Adds messages. Those within the node are cut into chunks, so that they are copied in while
  /// they are copied out. Those of other nodes are joined where they lie together.
  void add(std::vector<StagedMessage> const& messages, Sizes const& sizes) {
    for (StagedMessage const& staged : messages) {
      if (!staged.note && joins(staged, sizes)) continue;
      Message const& message = staged.message;
      std::size_t const at = sizes.bytes(message.offset), bytes = sizes.bytes(message.count);
      std::uint64_t const chunks = staged.note ? sizes.chunks(bytes) : 1;
      std::size_t const most = staged.note ? sizes.chunk_bytes : bytes;
      for (std::uint64_t number = 1; number <= chunks; ++number) {
        std::size_t const begin = (number - 1) * most;
        add({staged.on_host + begin, at + begin, at + begin, std::min(most, bytes - begin),
             message.before, message.behind, message.rank, message.after, staged.note, number});
      }
    }
  }
  std::deque<Chunk>& chunks() { return chunks_; }

  void begin() {
    waiting_.clear();
    moving_.clear();
    ended_ = 0;
    for (Chunk& chunk : chunks_) waiting_.push_back(&chunk);
  }
  /// Puts those chunks into the queue that may be copied, in order, from and to the places that
  /// `ends` returns. No more are there at a time than keep the queue busy, because each takes some
  /// microseconds to put, and the first ones should be seen to end meanwhile.
  template <class May, class Ends>
  void start(May const& may, Ends const& ends) {
    std::size_t kept = 0;
    Note const* late = nullptr;  // of a message whose chunks must wait for an earlier one
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      Chunk& chunk = *waiting_[i];
      bool const is_full = moving_.size() - ended_ >= most_moving;
      // Another process may write the next chunk at this moment, but counts of chunks go in order.
      bool const is_behind = chunk.note && chunk.note == late;
      if (is_full || is_behind || !may(chunk)) {
        late = chunk.note;
        waiting_[kept++] = &chunk;
        continue;
      }
      auto const [to, from] = ends(chunk);
      if (chunk.label.trace) chunk.since = now();
      queue_->copy(to, from, chunk.bytes);
      queue_->record(*chunk.copied);
      moving_.push_back(&chunk);
    }
    waiting_.resize(kept);
  }
  /// Calls end(chunk) for each chunk that has been copied.
  template <class End>
  void see(End const& end) {
    for (; is_moving() && moving_[ended_]->copied->has_come(); ++ended_) {
      Chunk const& chunk = *moving_[ended_];
      if (chunk.label.trace)
        chunk.label.trace->record(chunk.label, chunk.since,
                                  {.window = chunk.behind, .peer = chunk.peer});
      end(chunk);
    }
  }
  bool is_moving() const { return ended_ < moving_.size(); }
  std::vector<Chunk*> const& waiting() const { return waiting_; }

 private:
  static constexpr std::size_t most_moving = 16;

  /// Lets the last chunk go on with a message, if it may.
  bool joins(StagedMessage const& staged, Sizes const& sizes) {
    if (chunks_.empty()) return false;
    Chunk& last = chunks_.back();
    Message const& message = staged.message;
    if (last.note || last.on_host + last.bytes != staged.on_host ||
        last.from + last.bytes != sizes.bytes(message.offset) || last.before != message.before ||
        last.behind != message.behind)
      return false;
    last.bytes += sizes.bytes(message.count);
    last.after |= message.after;
    if (last.peer != message.rank) last.peer = -1;
    return true;
  }

  device::Backend& backend_;
  std::unique_ptr<device::Queue> queue_;
  std::deque<Chunk> chunks_;
  std::vector<Chunk*> waiting_, moving_;  // in order
  std::size_t ended_ = 0;                 // of moving_
};

/// A message that a rank of the node copies from this rank's memory.
struct Lent {
  Note* note;
  int reader;
  int behind;
  std::uint64_t chunks;
  std::uint64_t until = 0;  // the note's count when it has been read
};

/// Messages of `rank` in the order in which they go: those needed first go first. Those to other
/// nodes go before those within the node. A rank sends to the next one first: if all began with
/// rank 0, it would receive from everyone at once.
std::vector<StagedMessage> in_order(std::vector<StagedMessage> messages, int rank) {
  std::ranges::stable_sort(messages, [rank](StagedMessage const& a, StagedMessage const& b) {
    auto const key = [rank](StagedMessage const& staged) {
      bool const is_within = staged.note != nullptr;
      return std::tuple(staged.message.behind, staged.message.before, is_within,
                        is_within && staged.message.rank < rank);
    };
    return key(a) < key(b);
  });
  return messages;
}

class Staged : public exchange::Strategy {
 public:
  Staged(device::Backend& backend, std::unique_ptr<exchange::Strategy> inner,
         exchange::Traffic const& traffic, StagingBuffer const& buffer)
      : inner_(std::move(inner)),
        buffer_(buffer),
        comm_(traffic.comm),
        names_(traffic.names),
        windows_(traffic.cuts.behind.windows),
        sizes_{buffer.element_bytes, backend.copy_bytes()},
        out_(backend),
        in_(backend),
        own_(backend) {
    MPI_Comm_rank(comm_, &rank_);
    out_.add(in_order(buffer.sends, rank_), sizes_);
    plan_own(traffic);
    in_.add(in_order(buffer.receives, rank_), sizes_);
    count();
    for (auto const& [message, on_host, note] : buffer.sends)
      if (note) lent_.push_back({note, message.rank, message.behind, sizes_.chunks(note->bytes)});
  }

  void begin(void const* send, void* receive) override {
    send_ = static_cast<std::byte const*>(send);
    receive_ = static_cast<std::byte*>(receive);
    packed_ = vacated_ = given_ = 0;
    read_ = 0;
    for (Lent& lent : lent_)
      lent.until = lent.note->written.load(std::memory_order_relaxed) + lent.chunks;
    for (Chunk& chunk : out_.chunks())
      if (chunk.note)
        chunk.until = chunk.note->written.load(std::memory_order_relaxed) + chunk.number;
    for (Chunk& chunk : in_.chunks())
      if (chunk.note) chunk.until = chunk.note->read.load(std::memory_order_relaxed) + chunk.number;
    for (Lane* lane : {&out_, &in_, &own_}) lane->begin();
    on_host_.begin();
    left_.begin();
    come_.begin();
    inner_->begin(buffer_.send, buffer_.receive);
    inner_->allow(0, exchange::all_windows);  // no other exchange uses the host's memory meanwhile
  }

  void allow(Windows packed, Windows vacated) override {
    packed_ = packed;
    vacated_ = vacated;
    progress();
  }

  void progress() override {
    out_.start([&](Chunk const& chunk) { return is_packed(chunk); },
               [&](Chunk const& chunk) { return std::pair(chunk.on_host, send_ + chunk.from); });
    out_.see([&](Chunk const& chunk) { end_out(chunk); });
    Windows const on_host = packed_ & on_host_.done();
    if (on_host != given_) {
      given_ = on_host;
      inner_->allow(on_host, exchange::all_windows);
    }
    inner_->progress();
    Windows const come = inner_->arrived();
    in_.start([&](Chunk const& chunk) { return is_vacated(chunk) && has_come(chunk, come); },
              [&](Chunk const& chunk) { return std::pair(receive_ + chunk.to, chunk.on_host); });
    in_.see([&](Chunk const& chunk) { end_in(chunk); });
    own_.start(
        [&](Chunk const& chunk) { return is_packed(chunk) && is_vacated(chunk); },
        [&](Chunk const& chunk) { return std::pair(receive_ + chunk.to, send_ + chunk.from); });
    own_.see([&](Chunk const& chunk) {
      come_.end_one(chunk.behind);
      left_.end_one(chunk.behind);
    });
    while (read_ < lent_.size() && is_read(lent_[read_])) ++read_;
  }

  Windows arrived() const override { return inner_->arrived() & come_.done(); }
  /// A window has left the device when its chunks have been copied. The last one counts only when
  /// other ranks have all of them, because until then somebody must let the exchange progress, and
  /// the memory of the host may not be used again.
  Windows sent() const override {
    bool const others_have_all = read_ == lent_.size() && inner_->sent() == exchange::all_windows;
    return left_.done() & (others_have_all ? exchange::all_windows : ~bit(windows_ - 1));
  }
  bool sending() const override { return inner_->sending() || out_.is_moving(); }
  void finish() override {
    Patience::Wait wait = comm_.patience().begin();
    while ((arrived() & sent()) != exchange::all_windows) {
      progress();
      wait.check([this] { return waiting_for(); });
      int arrived = 0;  // lets MPI progress: others may wait for a message of an earlier exchange
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &arrived, MPI_STATUS_IGNORE);
      sched_yield();
    }
    inner_->finish();
  }
  std::string waiting_for() const override {
    exchange::Late late;
    for (Chunk const* chunk : in_.waiting())
      if (chunk->note && is_vacated(*chunk) && !has_come(*chunk, 0))
        late.add(false, chunk->behind, chunk->peer);
    for (std::size_t i = read_; i < lent_.size(); ++i)
      if (!is_read(lent_[i]) && is_written(lent_[i]))
        late.add(true, lent_[i].behind, lent_[i].reader);
    std::string const words = late.in_words(names_, windows_);
    return words.empty() ? inner_->waiting_for() : words;
  }
  void trace_to(Trace& trace, int step) override {
    inner_->trace_to(trace, step);
    Trace::Label const out = trace.label(Trace::Kind::copy_out, "copy to the host", step);
    Trace::Label const in = trace.label(Trace::Kind::copy_in, "copy to the device", step);
    Trace::Label const own = trace.label(Trace::Kind::copy_in, "copy on the device", step);
    for (auto const& [lane, label] : {std::pair(&out_, out), {&in_, in}, {&own_, own}})
      for (Chunk& chunk : lane->chunks()) {
        chunk.label = label;
        chunk.label.bytes = static_cast<Index>(chunk.bytes);
      }
  }

 private:
  /// Plans the copies of messages from this rank to itself: there is one between two windows.
  void plan_own(exchange::Traffic const& traffic) {
    for (Message const& sent : traffic.sends) {
      if (sent.rank != rank_ || sent.count == 0) continue;
      auto const received = std::ranges::find_if(traffic.receives, [&](Message const& message) {
        return message.rank == rank_ && message.before == sent.before &&
               message.behind == sent.behind;
      });
      require_internal(received != traffic.receives.end() && received->count == sent.count,
                       "a rank receives something else than it sends itself");
      own_.add({nullptr, sizes_.bytes(sent.offset), sizes_.bytes(received->offset),
                sizes_.bytes(sent.count), sent.before, sent.behind, rank_, received->after, nullptr,
                1});
    }
  }
  void count() {
    for (Chunk const& chunk : out_.chunks()) {
      left_.add(chunk.behind);
      if (!chunk.note) on_host_.add(chunk.before);
    }
    for (Chunk const& chunk : in_.chunks()) come_.add(chunk.behind);
    for (Chunk const& chunk : own_.chunks()) {
      left_.add(chunk.behind);
      come_.add(chunk.behind);
    }
  }

  bool is_packed(Chunk const& chunk) const { return (packed_ & bit(chunk.before)) != 0; }
  bool is_vacated(Chunk const& chunk) const { return (chunk.after & ~vacated_) == 0; }
  /// Whether a chunk is where it is copied from. `come`: windows that have come from other nodes.
  bool has_come(Chunk const& chunk, Windows come) const {
    if (!chunk.note) return (come & bit(chunk.behind)) != 0;
    return chunk.note->written.load(std::memory_order_acquire) >= chunk.until;
  }

  void end_out(Chunk const& chunk) {
    left_.end_one(chunk.behind);
    if (chunk.note)
      chunk.note->written.store(chunk.until, std::memory_order_release);
    else
      on_host_.end_one(chunk.before);
  }
  void end_in(Chunk const& chunk) {
    come_.end_one(chunk.behind);
    if (chunk.note) chunk.note->read.store(chunk.until, std::memory_order_release);
  }
  static bool is_read(Lent const& lent) {
    return lent.note->read.load(std::memory_order_acquire) >= lent.until;
  }
  static bool is_written(Lent const& lent) {
    return lent.note->written.load(std::memory_order_relaxed) >
           lent.note->read.load(std::memory_order_relaxed);
  }

  std::unique_ptr<exchange::Strategy> inner_;
  StagingBuffer const& buffer_;
  mpi::Comm comm_;
  exchange::Names names_;
  int windows_;  // of the receivers
  Sizes sizes_;
  int rank_ = 0;
  Lane out_, in_, own_;
  std::vector<Lent> lent_;
  std::byte const* send_ = nullptr;
  std::byte* receive_ = nullptr;
  Windows packed_ = 0, vacated_ = 0;
  Windows given_ = 0;            // to `inner`
  std::size_t read_ = 0;         // of lent_, by the other ranks
  exchange::Remaining on_host_;  // chunks for other nodes, by the window of this rank
  exchange::Remaining left_, come_;
};

}  // namespace

exchange::Traffic by_messages(exchange::Traffic traffic, StagingBuffer const& buffer) {
  traffic.sends = buffer.messages_sent;
  traffic.receives = buffer.messages_received;
  return traffic;
}

std::unique_ptr<exchange::Strategy> make_staged(device::Backend& backend,
                                                std::unique_ptr<exchange::Strategy> inner,
                                                exchange::Traffic const& traffic,
                                                StagingBuffer const& buffer) {
  return std::make_unique<Staged>(backend, std::move(inner), traffic, buffer);
}

}  // namespace sixstep::device
