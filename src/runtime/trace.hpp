// SPDX-License-Identifier: BSD-3-Clause
// Traces: what a rank did when, kept in memory while transforms run, and written to one file for
// all ranks in the format of Chrome's and Perfetto's viewers.
//
// A thread records in a buffer of its own, so nothing is locked. What lasts from one call to
// another, as messages do, has one buffer for all threads, of which one at a time communicates. A
// buffer that is full counts what it drops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/clock.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

class Trace {
 public:
  /// The events of a thread that are kept.
  static constexpr std::size_t most_events = std::size_t{1} << 17;

  enum class Kind : std::uint8_t {
    execution,
    pass,
    pointwise,
    exchange,
    wait,
    meeting,
    send,
    receive,
    copy_out,  // of a device, to the host
    copy_in
  };

  /// What is known of an event when a plan is made. Without a trace nothing is recorded.
  struct Label {
    Trace* trace = nullptr;
    Index bytes = -1;  // -1: none, here and below
    std::uint16_t name = 0;
    std::int16_t step = -1;
    Kind kind = Kind::pass;
  };

  /// Where in the work: in which window of an exchange or a sweep, in which part of that; with
  /// whom.
  struct Place {
    Index window = -1;
    Index part = -1;
    int peer = -1;
  };

  class Span;

  /// For threads 0 to `threads` - 1, and one that communicates for them: number `threads`. Opens
  /// the file, `plan` will be told in it. Collective over `comm`, which outlives the trace. Errors:
  /// a file that cannot be written.
  Trace(std::string file, mpi::Communicator const& comm, int threads,
        std::size_t capacity = most_events);

  /// While a plan is made: what events of a kind will be called.
  Label label(Kind kind, std::string const& name, int step = -1, Index bytes = -1);

  /// All that is recorded from now on belongs to another execution; to this task of it.
  void begin_execution() { ++execution_; }
  void begin_task(std::size_t task) { task_ = static_cast<std::int16_t>(task); }

  /// What began at `begin` and ends now, on this thread.
  void record(Label const& label, int thread, Nanoseconds begin, Place const& place) {
    add(buffers_[static_cast<std::size_t>(thread)], label, begin, place);
  }
  /// The same on none: a message, or a window of an exchange, from its begin to its end. Others may
  /// overlap it. By one thread at a time.
  void record(Label const& label, Nanoseconds begin, Place const& place) {
    add(buffers_.back(), label, begin, place);
  }

  /// Writes what has been recorded so far, in place of what the file had; `plan` is told in it.
  /// Collective; nothing is recorded meanwhile. Errors: a file that cannot be written.
  void write(std::string const& plan);
  /// Whether anything has been recorded since.
  bool is_written() const { return written_ == execution_; }

 private:
  struct Event {
    Nanoseconds begin, end;
    Index bytes;
    std::int32_t execution, window, part, peer;
    std::uint16_t name;
    std::int16_t task, step;
    Kind kind;
  };

  /// A line of cache or more for each, so that no thread's counting disturbs the others.
  struct alignas(128) Buffer {
    std::unique_ptr<Event[]> events;
    std::size_t count = 0;
    std::size_t dropped = 0;
  };

  class Writer;
  struct Summary;

  void add(Buffer& buffer, Label const& label, Nanoseconds begin, Place const& place);
  Summary summary(Clock const& clock) const;
  void write_events(Writer& writer, Clock const& clock);

  std::string file_;
  mpi::Communicator const& comm_;
  mpi::Tags tags_;
  std::size_t capacity_;
  std::vector<Buffer> buffers_;  // of each thread, of the one that communicates, of messages
  std::vector<std::string> names_;
  ClockReading first_reading_;
  Nanoseconds origin_ = 0;  // of rank 0
  std::int32_t execution_ = -1;
  std::int32_t written_ = -2;
  std::int16_t task_ = 0;
};

/// What a thread does from here to the end of the block.
class Trace::Span {
 public:
  /// Nothing that would be recorded.
  Span() = default;
  Span(Label const& label, int thread, Place const& place = {})
      : label_(label), thread_(thread), place_(place) {
    if (label_.trace) begin_ = now();
  }
  ~Span() {
    if (label_.trace) label_.trace->record(label_, thread_, begin_, place_);
  }
  Span(Span const&) = delete;
  Span& operator=(Span const&) = delete;

 private:
  Label label_;
  int thread_ = 0;
  Place place_;
  Nanoseconds begin_ = 0;
};

}  // namespace sixstep
