// SPDX-License-Identifier: BSD-3-Clause
// Traces: what a file says of executions is what ranks have done, in one time.
#include "runtime/trace.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "own_file.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using Json = nlohmann::json;

Json read(OwnFile const& file) { return Json::parse(std::ifstream(file.name())); }

using Array = std::vector<std::complex<double>>;

void forward_and_backward(Plan<double>& plan) {
  Array in(static_cast<std::size_t>(plan.in_place_size())), out(in.size());
  plan.forward(in.data(), out.data());
  plan.backward(out.data(), in.data());
}

/// Plans of several programs; all ranks have a part of every array.
std::vector<Options> options() {
  return {{.exchange = Exchange::shared, .threads = 2},
          {.exchange = Exchange::collective},
          {.exchange = Exchange::pairwise, .threads = 3}};
}

Layout input() { return Layout::slab({24, 16, 20}, ranks::count()); }

/// Calls check(plan, what its file says) for each of the options, after forward and backward.
template <class Check>
void for_each_plan(Check const& check) {
  OwnFile const file("trace");
  for (Options options : options()) {
    options.trace = file.name();
    Plan<double> plan(input(), input(), MPI_COMM_WORLD, options);
    forward_and_backward(plan);
    plan.write_trace();
    SCOPED_TRACE(plan.describe());
    check(plan, read(file));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// The events of a phase: X are spans of threads, b and e begins and ends of others.
std::vector<Json> events(Json const& trace, std::string const& phase) {
  std::vector<Json> found;
  for (Json const& event : trace["traceEvents"])
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

Nanoseconds nanoseconds(Json const& microseconds) {
  return std::llround(1000 * microseconds.get<double>());
}

/// A message at one of its ends.
struct End {
  Nanoseconds begin, end;
  Index bytes;
  int execution;
};

/// By sender, receiver, step and window; in the order of executions.
using Ends = std::map<std::tuple<int, int, int, int>, std::vector<End>>;

/// Messages of a direction, "send" or "receive".
Ends ends_of(Json const& trace, std::string const& category) {
  std::map<std::pair<int, std::string>, Nanoseconds> finished;
  for (Json const& event : events(trace, "e"))
    finished[{event["pid"], event["id2"]["local"]}] = nanoseconds(event["ts"]);
  Ends found;
  for (Json const& event : events(trace, "b")) {
    if (event["cat"] != category) continue;
    int from = event["pid"], to = event["args"]["peer"];
    if (category == "receive") std::swap(from, to);
    found[{from, to, event["args"]["step"], event["args"]["window"]}].push_back(
        {nanoseconds(event["ts"]), finished.at({event["pid"], event["id2"]["local"]}),
         event["args"]["bytes"], event["args"]["execution"]});
  }
  return found;
}

// What is recorded.

TEST(trace, has_every_step_of_every_rank_in_each_execution) {
  for_each_plan([](Plan<double> const& plan, Json const& trace) {
    // [execution][rank][step]
    std::map<int, std::map<int, std::map<int, std::string>>> found;
    for (Json const& event : events(trace, "X"))
      if (event["args"].contains("step") && event["cat"] != "wait")
        found[event["args"]["execution"]][event["pid"]][event["args"]["step"]] = event["name"];
    EXPECT_EQ(found.size(), 2u);
    for (auto const& [execution, by_rank] : found) {
      EXPECT_EQ(by_rank.size(), static_cast<std::size_t>(ranks::count()));
      std::vector<std::string> mine;
      for (auto const& [step, name] : by_rank.at(ranks::rank())) mine.push_back(name);
      std::vector<std::string> planned;
      for (Part const& part :
           plan.breakdown(execution == 0 ? Direction::forward : Direction::backward))
        planned.push_back(part.what);
      EXPECT_EQ(mine, planned);
    }
  });
}

TEST(trace, tells_the_bytes_of_passes) {
  for_each_plan([](Plan<double> const& plan, Json const& trace) {
    std::map<std::string, double> found;
    for (Json const& event : events(trace, "X"))
      if (event["cat"] == "pass" && event["pid"] == ranks::rank() &&
          event["args"]["execution"] == 0)
        found[event["name"]] += event["args"]["bytes"].get<double>();
    std::map<std::string, double> planned;
    for (Part const& part : plan.breakdown())
      if (part.what != "exchange" && part.what != "meeting") planned[part.what] += part.bytes;
    EXPECT_EQ(found, planned);
  });
}

TEST(trace, has_an_execution_around_all_that_a_rank_did_in_it) {
  for_each_plan([](Plan<double> const&, Json const& trace) {
    std::map<std::pair<int, int>, std::pair<Nanoseconds, Nanoseconds>> executions;
    std::vector<std::string> names;
    std::vector<Json> const spans = events(trace, "X");
    for (Json const& span : spans)
      if (span["cat"] == "execution") {
        Nanoseconds const begin = nanoseconds(span["ts"]);
        executions[{span["pid"], span["args"]["execution"]}] = {begin,
                                                                begin + nanoseconds(span["dur"])};
        if (span["pid"] == 0) names.push_back(span["name"]);
      }
    EXPECT_EQ(names, (std::vector<std::string>{"forward", "backward"}));
    for (Json const& span : spans) {
      auto const [begin, end] = executions.at({span["pid"], span["args"]["execution"]});
      EXPECT_GE(nanoseconds(span["ts"]), begin);
      EXPECT_LE(nanoseconds(span["ts"]) + nanoseconds(span["dur"]), end);
    }
    for (char const* category : {"send", "receive"})
      for (auto const& [key, messages] : ends_of(trace, category)) {
        int const rank = category[0] == 's' ? std::get<0>(key) : std::get<1>(key);
        for (End const& message : messages) {
          auto const [begin, end] = executions.at({rank, message.execution});
          EXPECT_GE(message.begin, begin);
          EXPECT_LE(message.end, end);
        }
      }
  });
}

TEST(trace, spans_of_a_thread_lie_apart_or_in_one_another) {
  for_each_plan([](Plan<double> const& plan, Json const& trace) {
    std::map<std::pair<int, int>, std::vector<Nanoseconds>> open;  // ends, the innermost last
    for (Json const& span : events(trace, "X")) {
      Nanoseconds const begin = nanoseconds(span["ts"]), length = nanoseconds(span["dur"]);
      EXPECT_GE(begin, 0);
      EXPECT_GE(length, 0);
      EXPECT_LT(span["tid"].get<int>(), plan.threads());
      auto& ends = open[{span["pid"], span["tid"]}];
      while (!ends.empty() && ends.back() <= begin) ends.pop_back();
      EXPECT_TRUE(ends.empty() || begin + length <= ends.back()) << span.dump();
      ends.push_back(begin + length);
    }
  });
}

/// By rank: how far its times may be from those of rank 0.
std::vector<Nanoseconds> errors_of(Json const& trace) {
  std::vector<Nanoseconds> errors;
  for (Json const& rank : trace["otherData"]["ranks"])
    errors.push_back(nanoseconds(rank["clock_error_us"]));
  return errors;
}

TEST(trace, no_message_comes_before_it_is_sent) {
  OwnFile const file("trace");
  Plan<double> plan(input(), input(), MPI_COMM_WORLD,
                    {.exchange = Exchange::pairwise, .trace = file.name()});
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) forward_and_backward(plan);
  plan.write_trace();
  Json const trace = read(file);
  std::vector<Nanoseconds> const errors = errors_of(trace);
  Ends const sends = ends_of(trace, "send"), receives = ends_of(trace, "receive");
  int const ranks = ranks::count();
  EXPECT_EQ(sends.size(), static_cast<std::size_t>(2 * ranks * (ranks - 1)));  // two exchanges
  ASSERT_EQ(receives.size(), sends.size());
  for (auto const& [key, sent] : sends) {
    auto const& received = receives.at(key);
    Nanoseconds const error = errors[static_cast<std::size_t>(std::get<0>(key))] +
                              errors[static_cast<std::size_t>(std::get<1>(key))];
    ASSERT_EQ(sent.size(), 2u * rounds);
    ASSERT_EQ(received.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_LE(sent[i].begin, sent[i].end);
      EXPECT_LE(received[i].begin, received[i].end);
      EXPECT_EQ(received[i].bytes, sent[i].bytes);
      EXPECT_GT(sent[i].bytes, 0);
      EXPECT_GE(received[i].end, sent[i].begin - error);
    }
  }
}

TEST(trace, finds_the_clocks_of_one_machine_alike) {
  // They are one clock.
  for_each_plan([](Plan<double> const&, Json const& trace) {
    for (Json const& rank : trace["otherData"]["ranks"])
      EXPECT_LE(std::abs(rank["clock_offset_us"].get<double>()),
                rank["clock_error_us"].get<double>());
  });
}

/// A clock that is ahead of that of the rank before by a second.
Nanoseconds shifted() { return now() + ranks::rank() * Nanoseconds{1000000000}; }

TEST(clock, tells_how_far_rank_0_is_ahead) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Nanoseconds const before = shifted();
  ClockReading const reading = read_clock(comm, 0, &shifted);
  EXPECT_GE(reading.local, before);
  EXPECT_LE(reading.local, shifted());
  EXPECT_LE(std::abs(reading.ahead + ranks::rank() * Nanoseconds{1000000000}), reading.error());
}

TEST(trace, has_pointwise_work_and_what_happens_in_planning) {
  OwnFile const file("trace");
  {
    Layout const prime = Layout::slab({10007}, ranks::count());
    Plan<double> plan(prime, prime, MPI_COMM_WORLD, {.trace = file.name()});
    forward_and_backward(plan);
    plan.write_trace();
  }
  std::set<std::string> kinds, names;
  for (Json const& span : events(read(file), "X")) {
    kinds.insert(span["cat"]);
    names.insert(span["name"]);
  }
  EXPECT_TRUE(names.count("forward") && names.count("backward"));
  // One rank needs no formula for a prime.
  EXPECT_EQ(names.count("planning"), ranks::count() > 1 ? 1u : 0u);
  EXPECT_EQ(kinds.count("pointwise"), ranks::count() > 1 ? 1u : 0u);
}

// Files.

TEST(trace, is_written_anew_with_all_that_came_before) {
  OwnFile const file("trace");
  std::size_t before = 0;
  {
    Plan<double> plan(input(), MPI_COMM_WORLD, {.trace = file.name()});
    forward_and_backward(plan);
    plan.write_trace();
    before = read(file)["traceEvents"].size();
    MPI_Barrier(MPI_COMM_WORLD);
    forward_and_backward(plan);
  }
  Plan<double>(input(), MPI_COMM_WORLD);  // ranks that plan write the traces of destroyed plans
  Json const after = read(file);
  EXPECT_GT(after["traceEvents"].size(), before);
  std::set<int> executions;
  for (Json const& span : events(after, "X"))
    executions.insert(span["args"]["execution"].get<int>());
  EXPECT_EQ(executions, (std::set<int>{0, 1, 2, 3}));
}

TEST(trace, tells_the_plan_and_escapes_what_json_does_not_allow) {
  OwnFile const file("trace");
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Trace trace(file.name(), comm, 1);
  std::string const words = "a \"name\" of C:\\ with\ttabs,\nlines, \x01 and µ";
  { Trace::Span const span(trace.label(Trace::Kind::pass, words), 0); }
  trace.write(words);
  Json const written = read(file);
  EXPECT_EQ(written["otherData"]["plan"], words);
  std::vector<Json> const spans = events(written, "X");
  ASSERT_EQ(spans.size(), static_cast<std::size_t>(ranks::count()));
  EXPECT_EQ(spans.back()["name"], words);
}

TEST(trace, says_how_much_it_dropped) {
  OwnFile const file("trace");
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Trace trace(file.name(), comm, 2, 5);
  Trace::Label const label = trace.label(Trace::Kind::pass, "work");
  Trace::Label const send = trace.label(Trace::Kind::send, "send to");
  for (int i = 0; i < 5; ++i) Trace::Span(label, 0);
  for (int i = 0; i < 8; ++i) Trace::Span(label, 1);
  for (int i = 0; i < 9; ++i) trace.record(send, now(), {.peer = 0});
  trace.write("");
  Json const written = read(file);
  for (Json const& rank : written["otherData"]["ranks"]) {
    EXPECT_EQ(rank["events"], 15);
    EXPECT_EQ(rank["dropped"], 7);
  }
  std::size_t const ranks = static_cast<std::size_t>(ranks::count());
  EXPECT_EQ(events(written, "X").size(), 10 * ranks);
  EXPECT_EQ(events(written, "b").size(), 5 * ranks);
  std::multiset<std::string> notes;
  for (Json const& note : events(written, "i")) notes.insert(note["name"]);
  EXPECT_EQ(notes.count("buffer full: 3 later events dropped"), ranks);
  EXPECT_EQ(notes.count("buffer full: 4 later events dropped"), ranks);
  EXPECT_EQ(notes.size(), 2 * ranks);
}

TEST(trace, has_a_row_for_the_thread_that_communicates) {
  OwnFile const file("trace");
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Trace trace(file.name(), comm, 2);
  { Trace::Span const span(trace.label(Trace::Kind::wait, "wait"), 2); }
  trace.write("");
  Json const written = read(file);
  std::set<std::pair<int, std::string>> names;
  for (Json const& meta : events(written, "M"))
    if (meta["name"] == "thread_name" && meta["pid"] == ranks::rank())
      names.insert({meta["tid"].get<int>(), meta["args"]["name"].get<std::string>()});
  EXPECT_EQ(names, (std::set<std::pair<int, std::string>>{
                       {0, "thread 0"}, {1, "thread 1"}, {2, "messages"}}));
  for (Json const& span : events(written, "X")) EXPECT_EQ(span["tid"], 2);
}

TEST(trace, larger_than_a_block_is_written_whole) {
  OwnFile const file("trace");
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Trace trace(file.name(), comm, 1);
  Trace::Label const label = trace.label(Trace::Kind::pass, "work");
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) Trace::Span(label, 0, {.window = i});
  trace.write("");
  std::map<int, std::set<int>> windows;
  for (Json const& span : events(read(file), "X"))
    windows[span["pid"]].insert(span["args"]["window"].get<int>());
  EXPECT_EQ(windows.size(), static_cast<std::size_t>(ranks::count()));
  for (auto const& [rank, of_rank] : windows) EXPECT_EQ(of_rank.size(), std::size_t{count}) << rank;
}

TEST(trace, that_cannot_be_written_to_its_end_is_an_error) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  Trace trace("/dev/full", comm, 1);
  EXPECT_TRUE(refuses("trace", {"/dev/full", "cannot be written"}, [&] { trace.write(""); }));
}

TEST(trace, of_a_plan_without_one_cannot_be_written) {
  Plan<double> plan(input(), MPI_COMM_WORLD);
  EXPECT_TRUE(refuses("trace", {"this plan has none"}, [&] { plan.write_trace(); }));
}

}  // namespace
}  // namespace sixstep
