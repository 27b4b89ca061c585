// SPDX-License-Identifier: BSD-3-Clause
// Records traces.
#include "runtime/trace.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "base/new_file.hpp"
#include "base/words.hpp"

namespace sixstep {

Trace::Trace(std::string file, mpi::Communicator const& comm, int threads, std::size_t capacity)
    : comm_(comm), capacity_(capacity) {
  mpi::together(comm, [&] {
    // The program may be in another folder when the file is written.
    file_ = std::filesystem::absolute(file).string();
    if (comm.rank() == 0) naming("trace: ", [&] { require_writable(file_, Target::any); });
    buffers_.resize(static_cast<std::size_t>(threads) + 2);
    for (Buffer& buffer : buffers_)
      buffer.events = std::make_unique_for_overwrite<Event[]>(capacity);
  });
  tags_ = comm.take_tags(1);
  origin_ = now();
  first_reading_ = read_clock(comm, tags_.first());
}

Trace::~Trace() {
  if (!plan_at_end_ || written_ == execution_ || !mpi::is_running()) return;
  try {
    write(*plan_at_end_);
  } catch (std::exception const&) {
    // A caller who wants to know writes the trace before.
  }
}

Trace::Label Trace::label(Kind kind, std::string const& name, int step, Index bytes) {
  auto const found = std::find(names_.begin(), names_.end(), name);
  auto const number = static_cast<std::uint16_t>(found - names_.begin());
  if (found == names_.end()) names_.push_back(name);
  return {this, bytes, number, static_cast<std::int16_t>(step), kind};
}

void Trace::add(Buffer& buffer, Label const& label, Nanoseconds begin, Place const& place) {
  if (buffer.count == capacity_) {
    ++buffer.dropped;
    return;
  }
  buffer.events[buffer.count++] = {.begin = begin,
                                   .end = now(),
                                   .bytes = label.bytes,
                                   .execution = execution_,
                                   .window = static_cast<std::int32_t>(place.window),
                                   .part = static_cast<std::int32_t>(place.part),
                                   .peer = place.peer,
                                   .name = label.name,
                                   .task = task_,
                                   .step = label.step,
                                   .kind = label.kind};
}

}  // namespace sixstep
