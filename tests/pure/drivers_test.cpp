// SPDX-License-Identifier: BSD-3-Clause
// Drivers without MPI: the ranks of a program are threads of this process, each with flows and a
// team of its own, and exchange in its memory. ThreadSanitizer watches the same, see
// CMakeLists.txt.
#include "runners/drivers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "base/memory.hpp"
#include "cases.hpp"
#include "exchange/pairs.hpp"
#include "message_places.hpp"
#include "oracles/fourier.hpp"
#include "program/compile.hpp"

namespace sixstep::runners {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;
using redistribution::bit;
using redistribution::Message;
using Complex = std::complex<double>;

/// A message as its sender has it, and where it lies packed until the receiver has copied it.
struct Handover {
  redistribution::Message sent;
  std::atomic<Complex const*> packed = nullptr;
};

/// Those of an execution by exchange, sender, receiver, the sender's window and the receiver's.
using Handovers = std::map<std::tuple<std::size_t, int, int, int, int>, Handover>;

/// One rank's side of an exchange. Chance decides when a message that may go does so.
class InMemory final : public exchange::Strategy {
 public:
  InMemory(program::Move const& move, int rank, Handovers& all, std::uint64_t seed)
      : random_(seed) {
    for (redistribution::Message const& sent : move.moves->send.messages) {
      Handover& handover = all[{move.exchange, rank, sent.rank, sent.before, sent.behind}];
      handover.sent = sent;
      outgoing_.push_back({sent, handover});
      to_send_.add(sent.behind);
    }
    for (redistribution::Message const& received : move.moves->receive.messages) {
      incoming_.push_back(
          {received, all[{move.exchange, received.rank, rank, received.before, received.behind}]});
      to_arrive_.add(received.behind);
    }
  }

  void begin(void const* send, void* receive) override {
    send_ = static_cast<Complex const*>(send);
    receive_ = static_cast<Complex*>(receive);
    packed_ = vacated_ = 0;
    to_send_.begin();
    to_arrive_.begin();
    for (auto* side : {&outgoing_, &incoming_})
      for (Half& half : *side) half.step = Step::planned;
  }
  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    packed_ |= packed;
    vacated_ |= vacated;
  }
  void progress() override {
    for (Half& outgoing : outgoing_)
      if (random_.once_in(2)) send(outgoing);
    for (Half& incoming : incoming_)
      if (random_.once_in(2)) receive(incoming);
  }
  redistribution::Windows arrived() const override { return to_arrive_.done(); }
  redistribution::Windows sent() const override { return to_send_.done(); }
  bool sending() const override {
    return std::any_of(outgoing_.begin(), outgoing_.end(),
                       [](Half const& outgoing) { return outgoing.step == Step::under_way; });
  }
  void finish() override {
    while ((arrived() & sent()) != exchange::all_windows) progress();
  }
  std::string waiting_for() const override { return {}; }

 private:
  enum class Step { planned, under_way, ended };

  struct Half {
    redistribution::Message message;
    Handover& handover;
    Step step = Step::planned;
  };

  void send(Half& outgoing) {
    std::atomic<Complex const*>& packed = outgoing.handover.packed;
    if (outgoing.step == Step::planned &&
        (redistribution::bit(outgoing.message.before) & packed_) != 0) {
      packed.store(send_, std::memory_order_release);
      outgoing.step = Step::under_way;
    } else if (outgoing.step == Step::under_way && !packed.load(std::memory_order_acquire)) {
      to_send_.end_one(outgoing.message.behind);
      outgoing.step = Step::ended;
    }
  }
  void receive(Half& incoming) {
    auto& [sent, packed] = incoming.handover;
    if (incoming.step == Step::ended || (incoming.message.after & ~vacated_) != 0) return;
    Complex const* const from = packed.load(std::memory_order_acquire);
    if (!from) return;
    for (Index i = 0; i < sent.count; ++i)
      receive_[exchange::offset_in(incoming.message, i)] = from[exchange::offset_in(sent, i)];
    packed.store(nullptr, std::memory_order_release);
    to_arrive_.end_one(incoming.message.behind);
    incoming.step = Step::ended;
  }

  Random random_;
  std::vector<Half> outgoing_, incoming_;
  exchange::Remaining to_send_, to_arrive_;
  Complex const* send_ = nullptr;
  Complex* receive_ = nullptr;
  redistribution::Windows packed_ = 0, vacated_ = 0;
};

/// Who works on a rank's part, and how.
struct Team {
  Driver driver;
  int threads;
  int pipelines = 0;
};

constexpr int most_threads = 4;
constexpr Team teams[] = {
    {Driver::between, 1},      {Driver::between, 3},      {Driver::master, 2},
    {Driver::master, 3},       {Driver::pipelines, 2, 2}, {Driver::pipelines, 3, 2},
    {Driver::pipelines, 4, 2}, {Driver::thread, 1},       {Driver::thread, 3}};

std::string to_string(Team const& team) {
  std::string const threads = text(", ", team.threads, " threads");
  switch (team.driver) {
    case Driver::between:
      return "between" + threads;
    case Driver::master:
      return "master" + threads;
    case Driver::pipelines:
      return text(team.pipelines, " pipelines", threads);
    case Driver::thread:
      return "a thread of its own" + threads;
    case Driver::automatic:
      break;
  }
  return {};
}

/// What the ranks have in common: there or back.
struct Trip {
  schedule::Schedule made;
  program::Limits limits;
  program::Arrays arrays;
  Handovers handovers = {};
};

/// What a round transforms, there or back, and what comes out.
struct Round {
  std::vector<Exact> whole, transformed;
  int sign;
};

std::vector<Round> rounds_of(Shape const& shape, int rounds) {
  std::vector<Round> made;
  for (int i = 0; i < rounds; ++i) {
    std::vector<Exact> const whole = oracle::values(volume(shape), at(i));
    made.push_back({whole, whole, i % 2 == 0 ? -1 : 1});
    oracle::transform_along(made.back().transformed, shape, {}, made.back().sign);
  }
  return made;
}

/// One rank of one direction.
class Part {
 public:
  Part(Trip& trip, int rank)
      : trip_(trip),
        rank_(rank),
        program_(program::compile(trip.made, rank, trip.limits, trip.arrays)) {
    std::size_t thread_bytes = 0;
    for (program::Step const& step : program_.steps) {
      if (auto const* move = std::get_if<program::Move>(&step.work)) {
        runners_.emplace_back(std::make_unique<InMemory>(
            *move, rank, trip.handovers, static_cast<std::uint64_t>(runners_.size())));
        continue;
      }
      auto const& runner = std::get<sweep::SweepRunner>(runners_.emplace_back(
          sweep::SweepRunner(std::get<program::Sweep>(step.work), kernels_, sizeof(double))));
      thread_bytes = std::max(thread_bytes, runner.scratch_bytes());
    }
    scratch_ = allocate(thread_bytes * most_threads);
    for (std::size_t i = 0; i < program::work_arrays; ++i)
      buffers_[i].resize(at(program_.work_reals[i] / 2));
    in_.resize(at(std::max(program_.input_reals, program_.output_reals) / 2));
    out_.resize(in_.size());
    flow_ = std::make_unique<Flow>(program_, runners_, thread_bytes, Patience());
  }
  Part(Part const&) = delete;

  bool flows() const { return program_.flows; }

  /// Transforms this rank's part, and looks at the result.
  void execute(Round const& round, Team const& team, drivers::ProgressThread& messages) {
    constexpr double unwritten = std::numeric_limits<double>::quiet_NaN();
    for (auto& buffer : buffers_) std::fill(buffer.begin(), buffer.end(), unwritten);
    std::fill(out_.begin(), out_.end(), unwritten);
    Layout const &input = trip_.made.input.layout, &output = trip_.made.output.layout;
    bool const in_place = trip_.arrays.in_place;
    std::vector<Complex>& in = in_place ? out_ : in_;
    oracle::for_each_element(input, rank_, [&](Shape const& point, Index offset) {
      in[at(offset)] = Complex(round.whole[at(oracle::number_of(input.shape(), point))]);
    });
    Workspace const space{{bytes_of(0), bytes_of(1), bytes_of(2)}, scratch_.get(), team.threads};
    Execution const execution{in.data(), out_.data(), space, {.backward = round.sign > 0}};
    if (program_.copies_input())
      std::copy_n(in.data(), program_.input_reals / 2,
                  static_cast<Complex*>(execution.at(program_.steps.front().source)));
    run(execution, team, messages);
    long double worst = 0;
    oracle::for_each_element(output, rank_, [&](Shape const& point, Index offset) {
      long double const error =
          std::abs(Exact(out_[at(offset)]) -
                   round.transformed[at(oracle::number_of(output.shape(), point))]);
      worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
    });
    EXPECT_LT(worst, 1e-14L * static_cast<long double>(round.whole.size()))
        << "rank " << rank_ << ", " << to_string(team);
  }

 private:
  std::byte* bytes_of(std::size_t work) {
    return reinterpret_cast<std::byte*>(buffers_[work].data());
  }

  void run(Execution const& execution, Team const& team, drivers::ProgressThread& messages) {
    flow_->begin(execution, team.driver == Driver::pipelines);
    if (team.driver == Driver::thread) messages.drive(*flow_, most_threads);
    std::vector<std::thread> others;
    auto const work = [&](int thread) {
      drivers::run(team.driver, *flow_, thread, team.threads, team.pipelines);
    };
    for (int thread = 1; thread < team.threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others) other.join();
    if (team.driver == Driver::thread) messages.wait();
    std::vector<double> seconds(runners_.size());
    flow_->add_seconds(seconds, 0);
  }

  Trip& trip_;
  int rank_;
  program::Program program_;
  sweep::Kernels kernels_;
  std::vector<StepRunner> runners_;
  std::array<std::vector<Complex>, program::work_arrays> buffers_;
  std::vector<Complex> in_, out_;
  Memory scratch_;
  std::unique_ptr<Flow> flow_;
};

/// One rank: what a process would have.
struct Rank {
  Part there, back;
  drivers::ProgressThread messages;

  Rank(std::array<Trip, 2>& trips, int rank) : there(trips[0], rank), back(trips[1], rank) {}
};

/// There and back, again and again, by every kind of team; ranks meet in their exchanges alone.
void expect_transforms(Layout const& layout, int windows, program::Arrays const& arrays) {
  schedule::Schedule const made = schedule::schedule({.input = layout, .output = layout});
  SCOPED_TRACE(text(layout.describe(), ", ", windows, " windows: ", summary(made)));
  program::Limits const limits{.cache_bytes = 256, .exchange_windows = windows};
  std::array<Trip, 2> trips{Trip{made, limits, arrays},
                            Trip{schedule::reverse(made), limits.reversed(), arrays}};
  std::vector<Round> const rounds = rounds_of(layout.shape(), 4);
  std::deque<Rank> ranks;
  for (int rank = 0; rank < layout.ranks(); ++rank) ranks.emplace_back(trips, rank);
  for (Rank const& rank : ranks) ASSERT_TRUE(rank.there.flows() && rank.back.flows());
  std::vector<std::thread> processes;
  for (Rank& rank : ranks)
    processes.emplace_back([&] {
      for (Team const& team : teams)
        for (Round const& round : rounds)
          (round.sign < 0 ? rank.there : rank.back).execute(round, team, rank.messages);
    });
  for (std::thread& process : processes) process.join();
}

constexpr Distribution block = Distribution::block, cyclic = Distribution::cyclic;
constexpr program::Arrays apart{}, in_place{.in_place = true}, given_up{.preserve_input = false};

TEST(drivers, compute_the_transform_of_slabs) {
  expect_transforms(Layout::slab({8, 6, 5}, 3), 3, apart);
  expect_transforms(Layout::slab({8, 6, 5}, 3), 5, given_up);
  expect_transforms(Layout::slab({2, 5, 6}, 3), 2, in_place);  // a rank has nothing
}

TEST(drivers, compute_the_transform_of_pencils) {
  expect_transforms(Layout::pencil({6, 4, 7}, 4), 5, apart);
  expect_transforms(Layout::grid({9, 4, 10}, {1, 2, 2}, {}, {1, 0, 2}), 2, in_place);
  expect_transforms(Layout::grid({6, 4, 8}, {2, 2, 1}, {cyclic, block, block}), 4, apart);
}

TEST(drivers, compute_the_transform_of_one_axis) {
  expect_transforms(Layout::slab({60}, 3), 5, apart);
  expect_transforms(Layout::grid({64}, {2}, {cyclic}), 64, in_place);
}

TEST(drivers, share_the_progress_threads_of_the_process) {
  auto const threads = drivers::ProgressThreads::of_process();
  EXPECT_EQ(threads, drivers::ProgressThreads::of_process());
  auto first = threads->borrow(), second = threads->borrow();
  drivers::ProgressThread const* const made = first.get();
  EXPECT_NE(made, second.get());
  threads->give_back(std::move(first));
  EXPECT_EQ(threads->borrow().get(), made);
}

}  // namespace
}  // namespace sixstep::runners
