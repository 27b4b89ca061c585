// SPDX-License-Identifier: BSD-3-Clause
// Traces: what a rank did when. Events are kept in memory while transforms run, and are written to
// one file for all ranks in the format that the viewers of Chrome and Perfetto read.
//
// Each thread has its own buffer, so nothing is locked. Events that last from one call to another,
// as messages do, share one buffer, because one thread at a time communicates. A full buffer counts
// the events that it drops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/clock.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

class Trace {
 public:
  /// The number of events that are kept for each thread.
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
    copy_out,  // from a device to the host
    copy_in
  };

  /// The part of an event that is known when a plan is made. Without a trace nothing is recorded.
  struct Label {
    Trace* trace = nullptr;
    Index bytes = -1;  // -1: none, here and below
    std::uint16_t name = 0;
    std::int16_t step = -1;
    Kind kind = Kind::pass;
  };

  /// The place of an event in the work: the window of an exchange or a sweep, the part of that
  /// window, and the other rank.
  struct Place {
    Index window = -1;
    Index part = -1;
    int peer = -1;
  };

  class Span;

  /// For threads 0 to `threads` - 1, and for one more that communicates for them (number
  /// `threads`). Collective over `comm`. Throws Error if `file` cannot be written.
  Trace(std::string file, mpi::Communicator const& comm, int threads,
        std::size_t capacity = most_events);
  /// Writes what write_at_end() has asked for, but cannot report errors. Collective if it has.
  ~Trace();
  Trace(Trace const&) = delete;
  Trace& operator=(Trace const&) = delete;

  /// The label of events of a kind. Called while a plan is made.
  Label label(Kind kind, std::string const& name, int step = -1, Index bytes = -1);

  /// All later events belong to the next execution, or to this task of it.
  void begin_execution() { ++execution_; }
  void begin_task(std::size_t task) { task_ = static_cast<std::int16_t>(task); }

  /// Records an event of this thread from `begin` until now.
  void record(Label const& label, int thread, Nanoseconds begin, Place const& place) {
    add(buffers_[static_cast<std::size_t>(thread)], label, begin, place);
  }
  /// Records an event of no thread: a message, or a window of an exchange. Such events may overlap.
  /// Only one thread may call it at a time.
  void record(Label const& label, Nanoseconds begin, Place const& place) {
    add(buffers_.back(), label, begin, place);
  }

  /// Replaces the file by one with all events so far and the text `plan`. Nothing may be recorded
  /// meanwhile. Collective. Throws Error if the file cannot be written.
  void write(std::string const& plan);
  /// Lets the destructor write the trace if its last execution has not been written.
  void write_at_end(std::string plan) { plan_at_end_ = std::move(plan); }

 private:
  struct Event {
    Nanoseconds begin, end;
    Index bytes;
    std::int32_t execution, window, part, peer;
    std::uint16_t name;
    std::int16_t task, step;
    Kind kind;
  };

  /// Aligned to cache lines, so that the counters of threads do not disturb each other.
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
  mpi::Communicator comm_;
  mpi::Tags tags_;
  std::size_t capacity_;
  std::vector<Buffer> buffers_;  // of each thread, of the communicating thread, of messages
  std::vector<std::string> names_;
  ClockReading first_reading_;
  Nanoseconds origin_ = 0;  // of rank 0
  std::int32_t execution_ = -1;
  std::int32_t written_ = -2;
  std::int16_t task_ = 0;
  std::optional<std::string> plan_at_end_;
};

/// Records the time from its construction to the end of the block as an event of a thread.
class Trace::Span {
 public:
  /// Records nothing.
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
