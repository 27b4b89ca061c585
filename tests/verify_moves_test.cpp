// SPDX-License-Identifier: BSD-3-Clause
// Redistributions that are verified: right ones raise no alarm, and a bit that flips is found on
// every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/moves.hpp"
#include "cases.hpp"
#include "meddler.hpp"
#include "nodes_of.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"

namespace sixstep::verified {
namespace {

using cases::Random;
using oracle::at;

struct Moving {
  Layout from, to;
  RedistributionOptions options;
  Index element_bytes, word_bytes;
  Direction direction;
  bool in_place;

  bool may_repeat() const { return !in_place && options.preserve_input; }
  Layout const& source() const { return direction == Direction::forward ? from : to; }
  Layout const& target() const { return direction == Direction::forward ? to : from; }
  std::string describe() const {
    return text("elements of ", element_bytes, " bytes, ", options.fields, " fields, ",
                to_string(options.exchange), direction == Direction::forward ? "" : ", backward",
                in_place ? ", in place" : "", "\nfrom ", from.describe(), "\nto ", to.describe());
  }
};

Layout random_layout(Random& random, Shape const& shape) {
  return cases::with_random_ghosts(random, cases::random_layout(random, shape, ranks::count()), 4);
}

Moving random_moving(Random& random) {
  struct Size {
    Index element, word;
  };
  static constexpr Size sizes[] = {{1, 1}, {2, 2},  {3, 1},   {4, 4},
                                   {8, 8}, {12, 4}, {16, 16}, {40, 8}};
  Shape const shape = cases::random_shape(random, random.between(1, 4), 1000);
  Size const size = sizes[random.between(0, 7)];
  Moving made{random_layout(random, shape),
              random_layout(random, shape),
              {},
              size.element,
              size.word,
              random.once_in(2) ? Direction::backward : Direction::forward,
              random.once_in(3)};
  made.options.fields = random.once_in(3) ? random.between(2, 3) : 1;
  made.options.exchange = all_exchanges[at(random.between(Index{0}, Index{4}))];
  made.options.threads = random.between(1, 3);
  made.options.preserve_input = !random.once_in(3);
  made.options.verify = random.once_in(2) ? Verify::result : Verify::all;
  return made;
}

/// Executions of a redistribution on this rank, whose elements are random bytes.
class Executions {
 public:
  Executions(Moving const& moving, Random& mine)
      : moving_(moving),
        runner_(make_moves(moving.from, moving.to, MPI_COMM_WORLD, moving.options,
                           static_cast<std::size_t>(moving.element_bytes))),
        given_(bytes(std::max(size(moving.source()), size(moving.target())))),
        source_(given_.size()),
        other_(given_.size()) {
    for (std::uint8_t& byte : given_) byte = static_cast<std::uint8_t>(mine.between(0, 255));
  }

  void run() {
    source_ = given_;
    runner_->execute(source_.data(), target().data(), moving_.direction, Scale::none);
  }
  void keep() { right_ = target(); }
  /// Whether all bytes of the result, which may have ghosts, are those that were kept.
  bool is_right() { return moving_.target().has_ghosts() || right_ == target(); }
  runners::CompositionRunner& runner() { return *runner_; }

 private:
  Index size(Layout const& layout) const {
    return moving_.options.fields * layout.array_size(ranks::rank());
  }
  std::vector<std::uint8_t> bytes(Index elements) const {
    return std::vector<std::uint8_t>(at(elements * moving_.element_bytes) + 1);
  }
  std::vector<std::uint8_t>& target() { return moving_.in_place ? source_ : other_; }

  Moving const& moving_;
  std::unique_ptr<runners::CompositionRunner> runner_;
  std::vector<std::uint8_t> given_, source_, other_, right_;
};

struct Counts {
  int flips = 0, repaired = 0;
};

/// One flip on one rank, in one execution or in two.
void flip(Moving const& moving, Executions& executions, Meddler& meddler,
          std::vector<long> const& calls, Random& random, Random& mine, Counts& counts) {
  int const times = random.between(1, 2);
  int victim = random.between(0, ranks::count() - 1);
  while (calls[at(victim)] == 0) victim = (victim + 1) % ranks::count();
  if (ranks::rank() == victim)
    meddler.flip_at(mine.between(Index{0}, Index{calls[at(victim)]} - 1), times,
                    static_cast<std::uint64_t>(mine.between(Index{0}, Index{1} << 60)));
  Verified const before = executions.runner().verified();
  std::optional<Detection> told;
  executions.runner().on_detection([&](Detection const& found) { told = found; });
  std::string const message = message_of([&] { executions.run(); });
  std::string const about = moving.describe() + ": " + message;
  bool const by_ranks = moving.options.verify == Verify::all;
  bool const is_repaired = moving.may_repeat() && times == 1;
  std::string const words = text("rank ", victim, " has read other bits than ");
  ++counts.flips;
  ASSERT_TRUE(told.has_value()) << about;
  EXPECT_EQ(told->repaired, is_repaired) << about;
  EXPECT_EQ(told->rank, by_ranks ? victim : -1) << about;
  EXPECT_EQ(told->where.find(words) != std::string::npos, by_ranks) << told->where;
  EXPECT_EQ(executions.runner().verified().repaired, before.repaired + (is_repaired ? 1 : 0));
  if (is_repaired) {
    ++counts.repaired;
    EXPECT_EQ(message, "") << about;
    EXPECT_TRUE(executions.is_right()) << about;
  } else {
    EXPECT_EQ(message.rfind("verify: ", 0), 0u) << about;
    EXPECT_EQ(message.find("second") != std::string::npos, moving.may_repeat()) << about;
    EXPECT_EQ(message.find(words) != std::string::npos, by_ranks) << about;
  }
  meddler.flip_at(-1, 0, 0);
  told.reset();
  executions.run();
  EXPECT_FALSE(told.has_value());
  EXPECT_TRUE(executions.is_right()) << about;
  executions.runner().on_detection(nullptr);
}

TEST(Verify, a_flip_in_a_redistribution_is_found_on_every_rank) {
  Counts counts;
  for (int round = 0; round < ranks::rounds(90) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 30);
    NodesOf const nodes(random.between(1, 3));
    Moving const moving = random_moving(random);
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    Executions executions(moving, mine);
    Meddler meddler(executions.runner(), sweep::End::read, moving.word_bytes);
    executions.run();
    executions.keep();
    long const calls = meddler.calls();
    meddler.set_round(calls);
    std::vector<long> all(at(ranks::count()));
    MPI_Allgather(&calls, 1, MPI_LONG, all.data(), 1, MPI_LONG, MPI_COMM_WORLD);
    for (int i = 0; i < 4; ++i) {
      meddler.calls();
      flip(moving, executions, meddler, all, random, mine, counts);
    }
  }
  EXPECT_GT(counts.repaired, 0);
  if (ranks::rank() == 0)
    std::cout << counts.flips << " flips, " << counts.repaired << " repaired\n";
}

TEST(Verify, redistributions_that_are_right_raise_no_alarm) {
  Index compared = 0, executions = 0;
  for (int round = 0; round < ranks::rounds(60) && !ranks::failed_anywhere(); ++round) {
    Random random(static_cast<std::uint64_t>(round) + 5000);
    NodesOf const nodes(random.between(1, 3));
    Moving moving = random_moving(random);
    moving.options.verify = Verify::all;
    Random mine(static_cast<std::uint64_t>(100 * round + ranks::rank()));
    Executions runs(moving, mine);
    for (int i = 0; i < 10; ++i) runs.run();
    Verified const found = runs.runner().verified();
    EXPECT_EQ(found.checked, 10);
    EXPECT_EQ(found.repaired, 0) << moving.describe();
    compared += found.compared;
    executions += found.checked;
  }
  EXPECT_GT(compared, 0);
  if (ranks::rank() == 0)
    std::cout << executions << " redistributions, " << compared << " parts of arrays\n";
}

TEST(Verify, redistributions_refuse_other_values) {
  Layout const slab = Layout::slab({8, 8}, ranks::count());
  EXPECT_TRUE(refuses("verify", {"none, result or all", "value 7"}, [&] {
    Redistribution<int>(slab, slab, MPI_COMM_WORLD, {.verify = Verify{7}});
  }));
  Redistribution<int> plain(slab, slab, MPI_COMM_WORLD);
  EXPECT_EQ(plain.verified().checked, 0);
  EXPECT_EQ(plain.describe().find("verified"), std::string::npos);
  Redistribution<int> checked(slab, slab, MPI_COMM_WORLD, {.verify = Verify::result});
  EXPECT_NE(checked.describe().find("verified"), std::string::npos);
}

}  // namespace
}  // namespace sixstep::verified
