// SPDX-License-Identifier: BSD-3-Clause
// Exchange strategies: one suite for all of them, with random traffic and limits so low that large
// counts' ways are taken.
#include "exchange/strategy.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cases.hpp"
#include "ranks.hpp"

namespace sixstep::exchange {
namespace {

using cases::Random;
using Complex = std::complex<double>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct Named {
  char const* name;
  std::unique_ptr<Strategy> (*make)(Traffic const&);
};

/// A strategy and a limit of elements per MPI call.
class Strategies : public testing::TestWithParam<std::tuple<Named, Index>> {
 protected:
  std::unique_ptr<Strategy> make(Traffic traffic) const {
    traffic.count_limit = std::get<1>(GetParam());
    return std::get<0>(GetParam()).make(traffic);
  }
};

/// The element that `sender` sends to `receiver` as the i-th of a window.
Complex element(int sender, int receiver, int window, Index i) {
  return {sender * 1000.0 + receiver, window * 100000.0 + static_cast<double>(i)};
}

/// Random traffic: counts[window][sender][receiver], the same on all ranks.
using Counts = std::vector<std::vector<std::vector<Index>>>;

Counts random_counts(Random& random, int windows, int ranks, Index most) {
  Counts counts(at(windows), std::vector(at(ranks), std::vector<Index>(at(ranks), 0)));
  for (auto& window : counts)
    for (auto& row : window)
      for (Index& count : row)
        if (!random.once_in(3)) count = random.between(Index{0}, most);
  for (auto& window : counts)  // a rank that sends nothing, and one that receives nothing
    if (random.once_in(2)) {
      window[at(random.between(0, ranks - 1))].assign(at(ranks), 0);
      int const deaf = random.between(0, ranks - 1);
      for (auto& row : window) row[at(deaf)] = 0;
    }
  return counts;
}

/// One rank's part of the traffic with its buffers, and what should arrive.
struct Part {
  Traffic traffic;
  std::vector<Complex> send, receive, expected;

  Part(Counts const& counts, MPI_Comm comm) {
    int const rank = ranks::rank_in(comm);
    Complex const untouched(-1, -1);
    traffic.comm = comm;
    traffic.element = MPI_C_DOUBLE_COMPLEX;
    for (std::size_t window = 0; window < counts.size(); ++window) {
      Messages messages;
      for (int other = 0; other < ranks::size_of(comm); ++other) {
        Index const sent = counts[window][at(rank)][at(other)];
        if (sent > 0) messages.sends.push_back({other, static_cast<Index>(send.size()), sent});
        for (Index i = 0; i < sent; ++i)
          send.push_back(element(rank, other, static_cast<int>(window), i));
        Index const got = counts[window][at(other)][at(rank)];
        if (got > 0) messages.receives.push_back({other, static_cast<Index>(expected.size()), got});
        for (Index i = 0; i < got; ++i)
          expected.push_back(element(other, rank, static_cast<int>(window), i));
        // Windows lie apart: nothing is written in between.
        if (window % 2 == 1) {
          send.push_back(untouched);
          expected.push_back(untouched);
        }
      }
      traffic.windows.push_back(messages);
    }
    receive.assign(expected.size(), untouched);
  }
};

TEST_P(Strategies, deliver_every_message) {
  Random random(1);
  for (int round = 0; round < 8; ++round) {
    Counts const counts = random_counts(random, 1, ranks::count(), 20);
    Part part(counts, MPI_COMM_WORLD);
    auto const exchange = make(part.traffic);
    ASSERT_EQ(exchange->windows(), 1);
    exchange->begin(0, part.send.data(), part.receive.data());
    exchange->finish(0);
    ASSERT_EQ(part.receive, part.expected) << "round " << round;
  }
}

TEST_P(Strategies, may_run_again_with_other_data) {
  Random random(2);
  Part part(random_counts(random, 2, ranks::count(), 9), MPI_COMM_WORLD);
  auto const exchange = make(part.traffic);
  for (int round = 0; round < 3; ++round) {
    std::fill(part.receive.begin(), part.receive.end(), Complex(-1, -1));
    for (int window = 0; window < 2; ++window) {
      exchange->begin(window, part.send.data(), part.receive.data());
      exchange->finish(window);
    }
    ASSERT_EQ(part.receive, part.expected) << "round " << round;
    for (Complex& value : part.send)
      if (value != Complex(-1, -1)) value += 0.25;
    for (Complex& value : part.expected)
      if (value != Complex(-1, -1)) value += 0.25;
  }
}

TEST_P(Strategies, finish_windows_in_any_order) {
  Random random(3);
  for (int round = 0; round < 5; ++round) {
    int const windows = random.between(2, 5);
    Part part(random_counts(random, windows, ranks::count(), 12), MPI_COMM_WORLD);
    auto const exchange = make(part.traffic);
    ASSERT_EQ(exchange->windows(), windows);
    for (int window = 0; window < windows; ++window)
      exchange->begin(window, part.send.data(), part.receive.data());
    std::vector<int> order;
    for (int window = 0; window < windows; ++window) order.push_back(window);
    random.shuffle(order);
    for (int window : order) exchange->finish(window);
    ASSERT_EQ(part.receive, part.expected) << "round " << round;
  }
}

TEST_P(Strategies, overlap_two_windows_at_a_time) {
  Random random(4);
  int const windows = 6;
  Part part(random_counts(random, windows, ranks::count(), 12), MPI_COMM_WORLD);
  auto const exchange = make(part.traffic);
  exchange->begin(0, part.send.data(), part.receive.data());
  for (int window = 1; window < windows; ++window) {
    exchange->begin(window, part.send.data(), part.receive.data());
    exchange->finish(window - 1);
  }
  exchange->finish(windows - 1);
  EXPECT_EQ(part.receive, part.expected);
}

TEST_P(Strategies, send_to_oneself) {
  Counts counts(1, std::vector(at(ranks::count()), std::vector<Index>(at(ranks::count()), 0)));
  for (int rank = 0; rank < ranks::count(); ++rank) counts[0][at(rank)][at(rank)] = 10 + rank;
  Part part(counts, MPI_COMM_WORLD);
  auto const exchange = make(part.traffic);
  exchange->begin(0, part.send.data(), part.receive.data());
  exchange->finish(0);
  EXPECT_EQ(part.receive, part.expected);
}

TEST_P(Strategies, of_nothing_return) {
  Counts const counts(2,
                      std::vector(at(ranks::count()), std::vector<Index>(at(ranks::count()), 0)));
  Traffic traffic{MPI_COMM_WORLD, MPI_C_DOUBLE_COMPLEX, {{}, {}}};
  auto const exchange = make(traffic);
  for (int window : {0, 1}) exchange->begin(window, nullptr, nullptr);
  for (int window : {0, 1}) exchange->finish(window);
}

TEST_P(Strategies, go_on_while_another_is_under_way) {
  Random random(5);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  {
    Part first(random_counts(random, 1, ranks::count(), 15), MPI_COMM_WORLD);
    Part second(random_counts(random, 1, ranks::count(), 15), other);
    auto const one = make(first.traffic);
    auto const two = make(second.traffic);
    one->begin(0, first.send.data(), first.receive.data());
    two->begin(0, second.send.data(), second.receive.data());
    two->finish(0);
    one->finish(0);
    EXPECT_EQ(first.receive, first.expected);
    EXPECT_EQ(second.receive, second.expected);
  }
  MPI_Comm_free(&other);
}

TEST_P(Strategies, number_ranks_as_their_communicator_does) {
  // The ranks of the world the other way round.
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -ranks::rank(), &turned);
  {
    Random random(6);
    Part part(random_counts(random, 1, ranks::count(), 15), turned);
    auto const exchange = make(part.traffic);
    exchange->begin(0, part.send.data(), part.receive.data());
    exchange->finish(0);
    EXPECT_EQ(part.receive, part.expected);
  }
  MPI_Comm_free(&turned);
}

TEST_P(Strategies, move_elements_of_any_size) {
  Random random(7);
  Counts const counts = random_counts(random, 1, ranks::count(), 15);
  Part part(counts, MPI_COMM_WORLD);
  std::vector<std::complex<float>> send(part.send.begin(), part.send.end());
  std::vector<std::complex<float>> const expected(part.expected.begin(), part.expected.end());
  std::vector<std::complex<float>> receive(part.receive.begin(), part.receive.end());
  part.traffic.element = MPI_C_FLOAT_COMPLEX;
  auto const exchange = make(part.traffic);
  exchange->begin(0, send.data(), receive.data());
  exchange->finish(0);
  EXPECT_EQ(receive, expected);
}

INSTANTIATE_TEST_SUITE_P(all, Strategies,
                         testing::Combine(testing::Values(Named{"collective", make_collective},
                                                          Named{"pairwise", make_pairwise}),
                                          testing::Values(mpi::largest_count, Index{1}, Index{3},
                                                          Index{7})),
                         [](auto const& given) {
                           Index const limit = std::get<1>(given.param);
                           return std::string(std::get<0>(given.param).name) +
                                  (limit == mpi::largest_count
                                       ? std::string("_any_count")
                                       : "_count_limit_" + std::to_string(limit));
                         });

}  // namespace
}  // namespace sixstep::exchange
