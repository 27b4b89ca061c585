// SPDX-License-Identifier: BSD-3-Clause
// Writes traces. Rank 0 writes the events of all ranks, one rank after another and in blocks, in
// the "Trace Event Format": times in microseconds, ranks as processes.
#include <sched.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/new_file.hpp"
#include "base/words.hpp"
#include "runtime/trace.hpp"
#include "sixstep/version.hpp"

namespace sixstep {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

constexpr std::array<char const*, 10> kind_words = {"execution", "pass",    "pointwise", "exchange",
                                                    "wait",      "meeting", "send",      "receive",
                                                    "copy_out",  "copy_in"};

/// The text as a JSON string, with its quotation marks.
std::string json_string(std::string_view words) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (char const letter : words) {
    auto const code = static_cast<unsigned char>(letter);
    if (code < 0x20)
      out += std::string("\\u00") + digits[code / 16] + digits[code % 16];
    else if (letter == '"' || letter == '\\')
      out += std::string("\\") + letter;
    else
      out += letter;
  }
  return out + '"';
}

std::string microseconds(Nanoseconds time) {
  Nanoseconds const amount = time < 0 ? -time : time;
  std::string fraction = std::to_string(1000 + amount % 1000);
  fraction[0] = '.';
  std::string out = time < 0 ? "-" : "";
  out += std::to_string(amount / 1000);
  return out += fraction;
}

}  // namespace

/// Facts about each rank, written at the end of the file.
struct Trace::Summary {
  Nanoseconds clock_ahead, clock_error;
  std::int64_t drifts, events, dropped;
  std::array<char, MPI_MAX_PROCESSOR_NAME> host;

  std::string json(std::size_t rank) const {
    return text("{\"rank\":", rank, ",\"host\":", json_string(host.data()), ",\"events\":", events,
                ",\"dropped\":", dropped, ",\"clock_offset_us\":", microseconds(clock_ahead),
                ",\"clock_error_us\":", microseconds(clock_error),
                ",\"clock_drifts\":", drifts ? "true" : "false", '}');
  }
};

Trace::Summary Trace::summary(Clock const& clock) const {
  Summary mine{clock.ahead(now()), clock.error(), clock.drifts(), 0, 0, {}};
  for (Buffer const& buffer : buffers_) {
    mine.events += static_cast<std::int64_t>(buffer.count);
    mine.dropped += static_cast<std::int64_t>(buffer.dropped);
  }
  int length = 0;
  MPI_Get_processor_name(mine.host.data(), &length);
  return mine;
}

/// Turns events into records, and hands them to rank 0 in blocks.
class Trace::Writer {
 public:
  Writer(Trace const& trace, Clock const& clock, std::ofstream& file)
      : trace_(trace), clock_(clock), file_(file), separator_(rank() == 0 ? "" : ",\n") {}

  void name_rank(std::string const& host) {
    meta("process_name", "\"name\":" + json_string(text("rank ", rank(), " on ", host)));
    meta("process_sort_index", text("\"sort_index\":", rank()));
  }
  void name_thread(std::size_t thread, std::string const& name) {
    meta("thread_name", "\"name\":" + json_string(name), thread);
    meta("thread_sort_index", text("\"sort_index\":", thread), thread);
  }

  /// An event of a thread.
  void span(Event const& event, std::size_t thread) {
    begin_record("X", thread);
    block_ += ",\"cat\":\"" + kind(event) + "\",\"name\":" + json_string(name(event)) +
              ",\"ts\":" + microseconds(at(event.begin)) +
              ",\"dur\":" + microseconds(at(event.end) - at(event.begin));
    end_record(arguments(event));
  }
  /// An event of no thread, as one record of its beginning and one of its end.
  void pair(Event const& event, std::size_t thread) {
    std::string const common = ",\"cat\":\"" + kind(event) +
                               "\",\"name\":" + json_string(name(event)) +
                               ",\"id2\":{\"local\":\"" + std::to_string(++pairs_) + "\"},\"ts\":";
    begin_record("b", thread);
    block_ += common + microseconds(at(event.begin));
    end_record(arguments(event));
    begin_record("e", thread);
    block_ += common + microseconds(at(event.end));
    end_record("");
  }
  /// A mark where a full buffer began to drop events.
  void gap(Buffer const& buffer, std::size_t thread) {
    Nanoseconds const last = buffer.count == 0 ? 0 : buffer.events[buffer.count - 1].end;
    begin_record("i", thread);
    block_ += ",\"s\":\"t\",\"name\":" +
              json_string(text("buffer full: ", buffer.dropped, " later events dropped")) +
              ",\"ts\":" + microseconds(at(last));
    end_record("");
  }

  /// Flushes this rank's records; rank 0 then writes those of all others.
  void finish() {
    flush();
    if (rank() > 0) return send();  // an empty message: no more
    for (int other = 1; other < trace_.comm_.size(); ++other) {
      do receive(other);
      while (!block_.empty());
    }
  }

 private:
  int rank() const { return trace_.comm_.rank(); }
  std::string kind(Event const& event) const {
    return kind_words[static_cast<std::size_t>(event.kind)];
  }
  std::string name(Event const& event) const {
    std::string const& name = trace_.names_[event.name];
    return event.peer < 0 ? name : name + ' ' + std::to_string(event.peer);
  }
  /// In the file's time, which begins when rank 0's trace begins.
  Nanoseconds at(Nanoseconds local) const { return local + clock_.ahead(local) - trace_.origin_; }

  static std::string arguments(Event const& event) {
    std::string out = "\"execution\":" + std::to_string(event.execution) +
                      ",\"task\":" + std::to_string(event.task);
    auto const add = [&](char const* key, Index value) {
      if (value >= 0) out += std::string(",\"") + key + "\":" + std::to_string(value);
    };
    add("step", event.step);
    add("window", event.window);
    add("part", event.part);
    add("peer", event.peer);
    add("bytes", event.bytes);
    return out;
  }

  void meta(char const* what, std::string const& arguments, std::size_t thread = 0) {
    begin_record("M", thread);
    block_ += std::string(",\"name\":\"") + what + '"';
    end_record(arguments);
  }
  void begin_record(char const* phase, std::size_t thread) {
    block_ += std::exchange(separator_, ",\n");
    block_ += std::string("{\"ph\":\"") + phase + "\",\"pid\":" + std::to_string(rank()) +
              ",\"tid\":" + std::to_string(thread);
  }
  void end_record(std::string const& arguments) {
    block_ += arguments.empty() ? "}" : ",\"args\":{" + arguments + "}}";
    if (block_.size() >= block_bytes) flush();
  }

  void flush() {
    if (rank() == 0)
      file_ << block_;
    else if (!block_.empty())
      send();
    block_.clear();
  }
  void send() const {
    MPI_Request request;
    MPI_Isend(block_.data(), mpi::narrow(static_cast<Index>(block_.size())), MPI_CHAR, 0, tag(),
              trace_.comm_, &request);
    finish(request, 0);
  }
  void receive(int other) {
    MPI_Status status;
    Patience::Wait wait = trace_.comm_.patience().begin();
    for (int has_come = 0; true;) {
      MPI_Iprobe(other, tag(), trace_.comm_, &has_come, &status);
      if (has_come) break;
      wait.check([other] { return waiting_for(other); });
      sched_yield();
    }
    int bytes = 0;
    MPI_Get_count(&status, MPI_CHAR, &bytes);
    block_.resize(static_cast<std::size_t>(bytes));
    MPI_Request request;
    MPI_Irecv(block_.data(), bytes, MPI_CHAR, other, tag(), trace_.comm_, &request);
    finish(request, other);
    file_ << block_;
  }
  void finish(MPI_Request& request, int other) const {
    mpi::wait_all({&request, 1}, trace_.comm_.patience(), [other] { return waiting_for(other); });
  }
  static std::string waiting_for(int other) { return text("rank ", other, ", to write a trace"); }
  int tag() const { return trace_.tags_.first(); }

  Trace const& trace_;
  Clock const& clock_;
  std::ofstream& file_;
  char const* separator_;
  std::string block_;
  Index pairs_ = 0;
};

void Trace::write_events(Writer& writer, Clock const& clock) {
  writer.name_rank(summary(clock).host.data());
  std::size_t const threads = buffers_.size() - 2;
  for (std::size_t thread = 0; thread < buffers_.size(); ++thread) {
    Buffer& buffer = buffers_[thread];
    if (thread < threads) writer.name_thread(thread, text("thread ", thread));
    if (thread == threads && buffer.count > 0) writer.name_thread(thread, "messages");
    // An event that contains others comes before them.
    std::sort(buffer.events.get(), buffer.events.get() + buffer.count,
              [](Event const& a, Event const& b) {
                return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end);
              });
    for (std::size_t i = 0; i < buffer.count; ++i)
      if (thread <= threads)
        writer.span(buffer.events[i], thread);
      else
        writer.pair(buffer.events[i], threads);
    if (buffer.dropped > 0) writer.gap(buffer, std::min(thread, threads));
  }
  writer.finish();
}

void Trace::write(std::string const& plan) {
  Clock const clock(first_reading_, read_clock(comm_, tags_.first()));
  mpi::broadcast(comm_, &origin_, sizeof origin_);
  Summary const mine = summary(clock);
  std::vector<Summary> all(static_cast<std::size_t>(comm_.size()));
  mpi::gather_to_all(comm_, &mine, all.data(), sizeof mine);
  std::optional<NewFile> fresh;
  std::ofstream file;
  mpi::together(comm_, [&] {
    if (comm_.rank() > 0) return;
    naming("trace: ", [&] { fresh.emplace(file_, Target::any); });
    file.open(fresh->name().empty() ? file_ : fresh->name());
  });
  file << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  Writer writer(*this, clock, file);
  write_events(writer, clock);
  file << "\n],\"otherData\":{\"version\":" << json_string(text("sixstep ", version))
       << ",\"plan\":" << json_string(plan) << ",\"events_kept_per_thread\":" << capacity_
       << ",\"ranks\":[";
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    file << (rank == 0 ? "\n" : ",\n") << all[rank].json(rank);
  file << "\n]}}\n";
  file.close();
  mpi::together(comm_, [&] {
    require(comm_.rank() > 0 || file.good(), "trace: ", file_, " cannot be written completely");
    if (fresh) fresh->keep();
  });
  written_ = execution_;
}

}  // namespace sixstep
