// SPDX-License-Identifier: BSD-3-Clause
// Bits that flip in an array between two sweeps of a verified plan are found, on every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "api/planning.hpp"
#include "nodes_of.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"
#include "sweep/tally.hpp"
#include "verified_plans.hpp"

namespace sixstep::verified {
namespace {

/// Flips bits of elements between the step that writes them and the one that reads them: a random
/// bit in the rows of one call on this rank, in each of so many executions.
class Meddler {
 public:
  explicit Meddler(runners::CompositionRunner& runner) : runner_(runner) {
    runner.before_adding(
        [this](sweep::End end, void const* begin, local::WeightedRows const& rows) {
          if (end == sweep::End::read) meddle(const_cast<void*>(begin), rows);
        });
  }
  ~Meddler() { runner_.before_adding(nullptr); }

  /// The calls since the last time.
  long calls() { return calls_.exchange(0); }
  void flip_at(long call, int executions, std::uint64_t random) {
    at_ = call;
    executions_ = executions;
    random_ = random;
  }
  void set_round(long calls) { a_round_ = std::max(calls, 1L); }

 private:
  void meddle(void* begin, local::WeightedRows const& rows) {
    long const call = calls_++;
    if (at_ < 0 || executions_ == 0 || call % a_round_ != at_) return;
    --executions_;
    Index const row = static_cast<Index>(random_ % static_cast<std::uint64_t>(rows.rows));
    auto* const place = static_cast<unsigned char*>(begin) + row * rows.row_bytes;
    std::uint64_t const bits = static_cast<std::uint64_t>(rows.elements) * 32;  // or more
    std::uint64_t const bit = random_ / 64 % bits;
    place[bit / 8] = static_cast<unsigned char>(place[bit / 8] ^ (1u << (bit % 8)));
  }

  runners::CompositionRunner& runner_;
  std::atomic<long> calls_ = 0;
  long at_ = -1, a_round_ = 1;  // calls of an execution
  std::atomic<int> executions_ = 0;
  std::uint64_t random_ = 0;
};

struct Flips {
  int made = 0, repaired = 0;
};

/// Executions of a plan out of place or in place, forward or backward.
template <class Real>
class Executions {
 public:
  Executions(runners::CompositionRunner& runner, Random& random, Random& mine)
      : runner_(runner),
        direction_(random.once_in(2) ? Direction::backward : Direction::forward),
        in_place_(random.once_in(3)),
        given_(random_array<Real>(mine, std::max(runner.input_reals(), runner.output_reals()) + 1)),
        source_(given_.size()),
        other_(given_.size()) {
    run();
    right_ = made();
  }

  void run() {
    source_ = given_;
    runner_.execute(source_.data(), target().data(), direction_, Scale::none);
  }
  bool is_right() {
    return right_.empty() ||
           std::memcmp(made().data(), right_.data(), right_.size() * sizeof(Real)) == 0;
  }
  bool is_in_place() const { return in_place_; }

 private:
  std::vector<Real>& target() { return in_place_ ? source_ : other_; }
  std::vector<Real> made() {
    bool const backward = direction_ == Direction::backward;
    Index const reals = backward ? runner_.input_reals() : runner_.output_reals();
    return {target().begin(), target().begin() + static_cast<std::ptrdiff_t>(reals)};
  }

  runners::CompositionRunner& runner_;
  Direction direction_;
  bool in_place_;
  std::vector<Real> given_, source_, other_, right_;
};

/// Flips a bit between two sweeps on one rank, in one execution or in two.
template <class Real>
void flip_between_sweeps(runners::CompositionRunner& runner, Random& random, Task const& task,
                         Flips& flips) {
  Meddler meddler(runner);
  auto const seed = static_cast<std::uint64_t>(random.between(1, 1000000));
  Random mine(seed + static_cast<std::uint64_t>(ranks::rank()));
  Executions<Real> executions(runner, random, mine);
  long const calls = meddler.calls();
  meddler.set_round(calls);
  std::vector<long> all(at(ranks::count()));
  MPI_Allgather(&calls, 1, MPI_LONG, all.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  if (std::ranges::max(all) == 0) return;
  bool const repeats = task.options.preserve_input && !executions.is_in_place();
  for (int trial = 0; trial < 6; ++trial) {
    int const times = random.between(1, 2);
    // A random rank, or the next one that reads anything.
    int victim = random.between(0, ranks::count() - 1);
    while (all[at(victim)] == 0) victim = (victim + 1) % ranks::count();
    meddler.calls();
    if (ranks::rank() == victim)
      meddler.flip_at(static_cast<long>(mine.between(Index{0}, Index{calls} - 1)), times,
                      static_cast<std::uint64_t>(mine.between(Index{0}, Index{1} << 60)));
    Verified const before = runner.verified();
    std::string const message = message_of([&] { executions.run(); });
    ++flips.made;
    std::string const about = describe(task) + ": " + message;
    if (repeats && times == 1) {
      ++flips.repaired;
      EXPECT_EQ(message, "") << about;
      EXPECT_EQ(runner.verified().repaired, before.repaired + 1) << about;
      EXPECT_TRUE(executions.is_right()) << about;
    } else {
      EXPECT_NE(message.find(text("rank ", victim, " has read other bits than ")),
                std::string::npos)
          << about;
      EXPECT_EQ(message.find("second execution") != std::string::npos, repeats) << about;
    }
    meddler.flip_at(-1, 0, 0);
    executions.run();
    EXPECT_TRUE(executions.is_right()) << about;
  }
  EXPECT_GT(runner.verified().compared, 0);
}

template <class Real>
void flip_in_random_problems(std::uint64_t first, int rounds, Flips& flips) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task task = random_task(random);
    task.options.verify = Verify::all;
    NodesOf const nodes(random.between(1, 3));
    try {
      auto const runner =
          make_runner(design_of(task.input, task.output, task.options, sizeof(Real)),
                      mpi::Communicator::duplicate(MPI_COMM_WORLD));
      flip_between_sweeps<Real>(*runner, random, task, flips);
    } catch (Error const& error) {
      ADD_FAILURE() << "seed " << seed << ": " << describe(task) << ": " << error.what();
    }
    if (ranks::failed_anywhere()) {
      if (ranks::rank() == 0) ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
}

TEST(Verify, a_flip_between_sweeps_is_found_on_every_rank) {
  Flips flips;
  flip_in_random_problems<double>(1, ranks::rounds(80), flips);
  flip_in_random_problems<float>(500000, ranks::rounds(80), flips);
  EXPECT_GT(flips.made, 20);
  if (ranks::rank() == 0) {
    RecordProperty("made", flips.made);
    RecordProperty("repaired", flips.repaired);
    std::cout << flips.made << " flips, " << flips.repaired << " repaired\n";
  }
}

/// Large arrays go through strips and past the caches, so their bits are summed there.
TEST(Verify, a_flip_in_strips_of_columns_is_found_on_every_rank) {
  Flips flips;
  std::uint64_t seed = 1;
  struct Large {
    Shape shape;
    Kind kind;
  };
  for (Large const& large : {Large{{60, 128, 160}, Kind::c2c}, Large{{60, 128, 160}, Kind::r2c},
                             Large{{1200, 1100}, Kind::c2c}, Large{{1 << 20}, Kind::c2c}}) {
    Random random(seed++);
    Task task{.input = Layout::slab(large.shape, ranks::count())};
    for (int axis = 0; axis < large.shape.size(); ++axis) task.options.axes.push_back(axis);
    task.options.kinds.assign(task.options.axes.size(), Kind::c2c);
    task.options.kinds.back() = large.kind;
    task.options.preserve_input = random.once_in(2);
    task.options.threads = random.between(1, 2);
    task.options.verify = Verify::all;
    auto const runner = make_runner(design_of(task.input, {}, task.options, sizeof(double)),
                                    mpi::Communicator::duplicate(MPI_COMM_WORLD));
    flip_between_sweeps<double>(*runner, random, task, flips);
    if (ranks::failed_anywhere()) return;
  }
  EXPECT_GT(flips.made, 10);
}

}  // namespace
}  // namespace sixstep::verified
