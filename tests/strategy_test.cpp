// SPDX-License-Identifier: BSD-3-Clause
// Exchange strategies: one suite for all of them that carry messages, with random traffic between
// random windows, and limits so low that large counts' ways are taken.
#include "exchange/strategy.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "ranks.hpp"
#include "traffic_patterns.hpp"

namespace sixstep::exchange {
namespace {

struct Named {
  char const* name;
  std::unique_ptr<Strategy> (*make)(Traffic const&);

  friend void PrintTo(Named const& named, std::ostream* out) { *out << named.name; }
};

/// A strategy and a limit of elements per MPI call.
class Strategies : public testing::TestWithParam<std::tuple<Named, Index>> {
 protected:
  std::unique_ptr<Strategy> make(Traffic traffic) const {
    traffic.count_limit = std::get<1>(GetParam());
    return std::get<0>(GetParam()).make(traffic);
  }
};

/// Those of which several may be under way on one communicator.
class PairStrategies : public Strategies {};

TEST_P(Strategies, deliver_every_message) {
  Random random(1);
  for (int round = 0; round < ranks::rounds(10); ++round) {
    DoublePart part = part_of(random_pattern(random, ranks::count()));
    auto const exchange = make(part.traffic);
    part.pack_all();
    exchange->run(part.send.data(), part.receive.data());
    EXPECT_TRUE(part.has_all()) << "round " << round;
    if (ranks::failed_anywhere()) return;
  }
}

TEST_P(Strategies, may_run_again_with_other_data) {
  Random random(2);
  DoublePart part = part_of(random_pattern(random, ranks::count()));
  auto const exchange = make(part.traffic);
  for (int round = 0; round < 4; ++round) {
    part.begin(round);
    part.pack_all();
    exchange->run(part.send.data(), part.receive.data());
    EXPECT_TRUE(part.has_all()) << "round " << round;
  }
}

TEST_P(Strategies, may_run_again_with_other_buffers) {
  Random random(3);
  Pattern const pattern = random_pattern(random, ranks::count());
  std::vector<DoublePart> parts(3, part_of(pattern));
  auto const exchange = make(parts.front().traffic);
  for (int round = 0; round < 9; ++round) {
    // Each rank changes its buffers when it likes.
    DoublePart& part = parts[at((round / (1 + ranks::rank())) % 3)];
    part.begin(round);
    part.pack_all();
    exchange->run(part.send.data(), part.receive.data());
    EXPECT_TRUE(part.has_all()) << "round " << round;
  }
}

TEST_P(Strategies, go_as_far_as_they_are_allowed) {
  Random random(4);
  for (int round = 0; round < ranks::rounds(10); ++round) {
    Pattern const pattern = random_pattern(random, ranks::count());
    DoublePart part = part_of(pattern);
    auto const exchange = make(part.traffic);
    for (int again = 0; again < 3; ++again) {
      part.begin(again);
      Gradual(*exchange, part, pattern, static_cast<std::uint64_t>(10 * round + again)).end();
    }
    if (ranks::failed_anywhere()) FAIL() << "round " << round;
  }
}

TEST_P(Strategies, need_few_messages_under_way) {
  Random random(5);
  for (int in_flight : {1, 2}) {
    Pattern const pattern = random_pattern(random, ranks::count(), 6);
    DoublePart part = part_of(pattern);
    part.traffic.in_flight = in_flight;
    auto const exchange = make(part.traffic);
    for (int again = 0; again < 3; ++again) {
      part.begin(again);
      Gradual(*exchange, part, pattern, static_cast<std::uint64_t>(10 * in_flight + again)).end();
    }
    if (ranks::failed_anywhere()) FAIL() << in_flight << " in flight";
  }
}

TEST_P(Strategies, send_to_oneself) {
  Pattern pattern{2, 2, 1};
  for (int rank = 0; rank < ranks::count(); ++rank)
    for (int window = 0; window < 4; ++window)
      pattern.links.push_back({rank,
                               rank,
                               window / 2,
                               window % 2,
                               6,
                               {{6, 2}},
                               {{2, 5}, {3, 1}},
                               window == 3 ? redistribution::bit(0) : 0});
  DoublePart part = part_of(pattern);
  auto const exchange = make(part.traffic);
  Gradual(*exchange, part, pattern, 6).end();
}

TEST_P(Strategies, of_nothing_return) {
  Pattern const pattern{2, 3, 1};
  DoublePart part = part_of(pattern);
  auto const exchange = make(part.traffic);
  Gradual(*exchange, part, pattern, 7).end();
}

TEST_P(Strategies, go_on_while_another_is_under_way) {
  Random random(8);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  {
    Pattern const patterns[2] = {random_pattern(random, ranks::count()),
                                 random_pattern(random, ranks::count())};
    DoublePart first = part_of(patterns[0]), second = part_of(patterns[1], other);
    auto const one = make(first.traffic);
    auto const two = make(second.traffic);
    Gradual at_one(*one, first, patterns[0], 8), at_two(*two, second, patterns[1], 9);
    while (!at_one.is_allowed() || !at_two.is_allowed()) {
      at_one.step();
      at_two.step();
    }
    at_two.end();
    at_one.end();
  }
  MPI_Comm_free(&other);
}

TEST_P(PairStrategies, go_on_while_another_is_under_way_on_the_same_communicator) {
  Random random(9);
  Pattern const patterns[2] = {random_pattern(random, ranks::count()),
                               random_pattern(random, ranks::count())};
  DoublePart first = part_of(patterns[0]), second = part_of(patterns[1]);
  second.traffic.number = 1;
  auto const one = make(first.traffic);
  auto const two = make(second.traffic);
  for (int round = 0; round < 3; ++round) {
    first.begin(round);
    second.begin(round + 5);
    // Half of the ranks begin with the second.
    bool const turned = ranks::rank() % 2 == 1;
    auto const seed = static_cast<std::uint64_t>(round);
    Gradual at_one(turned ? *two : *one, turned ? second : first, patterns[turned ? 1 : 0], seed);
    Gradual at_two(turned ? *one : *two, turned ? first : second, patterns[turned ? 0 : 1], seed);
    while (!at_one.is_allowed() || !at_two.is_allowed()) {
      at_one.step();
      at_two.step();
    }
    (turned ? at_two : at_one).end();
    (turned ? at_one : at_two).end();
  }
}

/// Operators, convolutions and maps have many exchanges, and a rank may offer places and send
/// messages of a late one before it does so in an early one.
TEST_P(PairStrategies, of_any_two_exchanges_of_a_plan_do_not_take_messages_of_each_other) {
  Random random(12);
  Pattern const pattern = random_pattern(random, ranks::count());
  for (int number = 1; number <= 12; ++number) {
    DoublePart first = part_of(pattern), second = part_of(pattern);
    second.traffic.number = number;
    for (Traffic* traffic : {&first.traffic, &second.traffic})
      traffic->tags.windows = std::max(pattern.before, pattern.behind);
    auto const one = make(first.traffic);
    auto const two = make(second.traffic);
    first.begin(number);
    second.begin(number + 20);
    // Half of the ranks offer places and send messages of the second before those of the first.
    bool const turned = ranks::rank() % 2 == 1;
    auto const seed = static_cast<std::uint64_t>(number);
    Gradual at_one(*one, first, pattern, seed);
    Gradual at_two(*two, second, pattern, seed);
    Gradual &sooner = turned ? at_two : at_one, &later = turned ? at_one : at_two;
    while (!sooner.is_allowed()) sooner.step();
    while (!later.is_allowed()) later.step();
    at_one.end();
    at_two.end();
  }
}

TEST_P(Strategies, number_ranks_as_their_communicator_does) {
  // The ranks of the world the other way round.
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -ranks::rank(), &turned);
  {
    Random random(10);
    Pattern const pattern = random_pattern(random, ranks::count());
    DoublePart part = part_of(pattern, turned);
    auto const exchange = make(part.traffic);
    Gradual(*exchange, part, pattern, 10).end();
  }
  MPI_Comm_free(&turned);
}

TEST_P(Strategies, move_elements_of_any_size) {
  Random random(11);
  for (int round = 0; round < 3; ++round) {
    Part<std::complex<float>> part(random_pattern(random, ranks::count()), MPI_COMM_WORLD,
                                   MPI_C_FLOAT_COMPLEX);
    auto const exchange = make(part.traffic);
    part.pack_all();
    exchange->run(part.send.data(), part.receive.data());
    EXPECT_TRUE(part.has_all());
  }
}

std::string name_of(testing::TestParamInfo<Strategies::ParamType> const& given) {
  Index const limit = std::get<1>(given.param);
  return std::string(std::get<0>(given.param).name) +
         (limit == mpi::largest_count ? std::string("_any_count")
                                      : "_count_limit_" + std::to_string(limit));
}

auto const limits = testing::Values(mpi::largest_count, Index{1}, Index{3}, Index{7});

/// Those of them that the MPI at hand can do.
std::vector<Named> pair_strategies() {
  std::vector<Named> found{{"pairwise", make_pairwise}, {"persistent", make_persistent}};
  if (puts_arrive) found.push_back({"put", make_put});
  return found;
}

std::vector<Named> strategies() {
  std::vector<Named> found = pair_strategies();
  found.push_back({"collective", make_collective});
  return found;
}

INSTANTIATE_TEST_SUITE_P(all, Strategies, testing::Combine(testing::ValuesIn(strategies()), limits),
                         name_of);
INSTANTIATE_TEST_SUITE_P(all, PairStrategies,
                         testing::Combine(testing::ValuesIn(pair_strategies()), limits), name_of);

}  // namespace
}  // namespace sixstep::exchange
