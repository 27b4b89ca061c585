// SPDX-License-Identifier: BSD-3-Clause
// Bits that flip between two sweeps of a verified plan, or in one, are found, and their place is
// told on every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/planning.hpp"
#include "meddler.hpp"
#include "nodes_of.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"
#include "verified_plans.hpp"

namespace sixstep::verified {
namespace {

struct Flips {
  int made = 0, repaired = 0, harmless = 0;
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
        other_(given_.size()) {}

  /// The first execution, which is right.
  void begin() {
    run();
    right_ = made();
  }
  /// What nobody but the caller may change.
  std::span<std::byte const> input() const {
    return std::as_bytes(std::span(source_).first(in_place_ ? 0 : source_.size()));
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
  std::string describe() const {
    return text(direction_ == Direction::backward ? ", backward" : ", forward",
                in_place_ ? ", in place" : "");
  }

  /// The norm of the result's error, on all ranks, over that of the input.
  double error() {
    std::array<double, 2> sums{};
    auto const add = [](double& sum, double x) { sum += x * x; };
    std::vector<Real> const results = made();
    for (std::size_t i = 0; i < results.size(); ++i)
      add(sums[0], static_cast<double>(results[i]) - static_cast<double>(right_[i]));
    Index const reals =
        direction_ == Direction::backward ? runner_.output_reals() : runner_.input_reals();
    for (std::size_t i = 0; i < static_cast<std::size_t>(reals); ++i)
      add(sums[1], static_cast<double>(given_[i]));
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return std::sqrt(sums[0] / sums[1]);
  }

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

/// What a trial has done: a flip on a rank, in so many executions.
struct Trial {
  int victim, times;
  bool repeats;  // executions that were wrong
  std::string message, about;
  std::optional<Detection> told;
  Verified before;
};

/// Bits that were changed between two sweeps are always found.
template <class Real>
void check_between_sweeps(runners::CompositionRunner& runner, Executions<Real>& executions,
                          Task const& /*task*/, Trial const& trial, Flips& flips) {
  std::string const words = text("rank ", trial.victim, " has read other bits than ");
  bool const is_repaired = trial.repeats && trial.times == 1;
  if (is_repaired) {
    ++flips.repaired;
    EXPECT_EQ(trial.message, "") << trial.about;
    EXPECT_EQ(runner.verified().repaired, trial.before.repaired + 1) << trial.about;
    EXPECT_TRUE(executions.is_right()) << trial.about;
  } else {
    EXPECT_NE(trial.message.find(words), std::string::npos) << trial.about;
    EXPECT_EQ(trial.message.find("second execution") != std::string::npos, trial.repeats)
        << trial.about;
  }
  ASSERT_TRUE(trial.told.has_value()) << trial.about;
  EXPECT_EQ(trial.told->repaired, is_repaired) << trial.about;
  EXPECT_EQ(trial.told->rank, trial.victim) << trial.about;
  EXPECT_NE(trial.told->where.find(words), std::string::npos) << trial.told->where;
}

/// The errors that a result may have without being found, over the norm of the input: a random sum
/// is smaller than an error by a factor of 30 once in a thousand times.
template <class Real>
double harmless_error(Task const& task) {
  double size = 1;
  for (std::size_t i = 0; i < task.options.axes.size(); ++i)
    size *= 2 * static_cast<double>(task.options.lengths.empty()
                                        ? task.input.shape()[task.options.axes[i]]
                                        : task.options.lengths[i]);
  double const epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  return (3e5 * epsilon + 300 * task.options.wire.tolerance) * std::sqrt(size);
}

/// Numbers that were changed in a sweep are found unless the result is nearly the same. If a second
/// execution was right, it has told which rank was wrong.
template <class Real>
void check_in_a_sweep(runners::CompositionRunner& runner, Executions<Real>& executions,
                      Task const& task, Trial const& trial, Flips& flips) {
  if (!trial.told) {
    ++flips.harmless;
    EXPECT_EQ(trial.message, "") << trial.about;
    EXPECT_LE(executions.error(), harmless_error<Real>(task)) << trial.about;
    return;
  }
  EXPECT_GT(trial.told->difference, trial.told->bound);
  EXPECT_EQ(trial.told->repaired, trial.message.empty());
  if (trial.repeats && trial.times == 1) {
    ++flips.repaired;
    EXPECT_EQ(trial.message, "") << trial.about;
    EXPECT_EQ(runner.verified().repaired, trial.before.repaired + 1) << trial.about;
    EXPECT_TRUE(executions.is_right()) << trial.about;
    EXPECT_EQ(trial.told->rank, trial.victim) << trial.about << trial.told->where;
    std::string const words =
        text(": rank ", trial.victim, " has computed other numbers than in a second execution");
    EXPECT_NE(trial.told->where.find(words), std::string::npos) << trial.told->where;
  } else if (!trial.message.empty()) {
    EXPECT_NE(trial.message.find("verify: the result of a "), std::string::npos) << trial.about;
    EXPECT_EQ(trial.message.find("a second one") != std::string::npos, trial.repeats)
        << trial.about;
  }
}

/// Flips a bit between two sweeps or in one, on one rank, in one execution or in two.
template <class Real>
void flip_bits(runners::CompositionRunner& runner, Random& random, Task const& task,
               sweep::End where, Flips& flips) {
  Meddler meddler(runner, where);
  auto const seed = static_cast<std::uint64_t>(random.between(1, 1000000));
  Random mine(seed + static_cast<std::uint64_t>(ranks::rank()));
  Executions<Real> executions(runner, random, mine);
  if (where == sweep::End::written) meddler.spare(executions.input());
  executions.begin();
  long const calls = meddler.calls();
  meddler.set_round(calls);
  std::vector<long> all(at(ranks::count()));
  MPI_Allgather(&calls, 1, MPI_LONG, all.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  if (std::ranges::max(all) == 0) return;
  bool const repeats = task.options.preserve_input && !executions.is_in_place();
  for (int round = 0; round < 6; ++round) {
    int const times = random.between(1, 2);
    // A random rank, or the next one that reads anything.
    int victim = random.between(0, ranks::count() - 1);
    while (all[at(victim)] == 0) victim = (victim + 1) % ranks::count();
    meddler.calls();
    if (ranks::rank() == victim)
      meddler.flip_at(static_cast<long>(mine.between(Index{0}, Index{calls} - 1)), times,
                      static_cast<std::uint64_t>(mine.between(Index{0}, Index{1} << 60)));
    Trial trial{victim, times, repeats, {}, {}, {}, runner.verified()};
    runner.on_detection([&](Detection const& found) { trial.told = found; });
    trial.message = message_of([&] { executions.run(); });
    trial.about = describe(task) + executions.describe() + ": " + trial.message;
    ++flips.made;
    auto const check =
        where == sweep::End::read ? &check_between_sweeps<Real> : &check_in_a_sweep<Real>;
    check(runner, executions, task, trial, flips);
    meddler.flip_at(-1, 0, 0);
    trial.told.reset();
    executions.run();
    EXPECT_FALSE(trial.told.has_value());
    EXPECT_TRUE(executions.is_right()) << trial.about;
    runner.on_detection(nullptr);
  }
}

template <class Real>
void flip_in_random_problems(std::uint64_t first, int rounds, sweep::End where, Flips& flips) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task task = random_task(random);
    task.options.verify = Verify::all;
    if (where == sweep::End::written)
      task.options.preserve_input = true;
    else
      task.options.wire = {};  // which changes bits itself
    NodesOf const nodes(random.between(1, 3));
    try {
      auto const runner =
          make_runner(design_of(task.input, task.output, task.options, sizeof(Real)),
                      mpi::Communicator::duplicate(MPI_COMM_WORLD));
      flip_bits<Real>(*runner, random, task, where, flips);
    } catch (Error const& error) {
      ADD_FAILURE() << "seed " << seed << ": " << describe(task) << ": " << error.what();
    }
    if (ranks::failed_anywhere()) {
      if (ranks::rank() == 0) ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
}

Flips flip_in_all_problems(sweep::End where, int rounds) {
  Flips flips;
  flip_in_random_problems<double>(1, ranks::rounds(rounds), where, flips);
  flip_in_random_problems<float>(500000, ranks::rounds(rounds), where, flips);
  EXPECT_GT(flips.made, 20);
  if (ranks::rank() == 0)
    std::cout << flips.made << " flips, " << flips.repaired << " repaired, " << flips.harmless
              << " harmless\n";
  return flips;
}

TEST(Verify, a_flip_between_sweeps_is_found_on_every_rank) {
  flip_in_all_problems(sweep::End::read, 80);
}

TEST(Verify, a_flip_in_a_sweep_is_found_and_its_rank_named) {
  Flips const flips = flip_in_all_problems(sweep::End::written, 40);
  EXPECT_LT(flips.harmless, flips.made);
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
    for (sweep::End const where : {sweep::End::read, sweep::End::written})
      flip_bits<double>(*runner, random, task, where, flips);
    if (ranks::failed_anywhere()) return;
  }
  EXPECT_GT(flips.made, 10);
}

}  // namespace
}  // namespace sixstep::verified
