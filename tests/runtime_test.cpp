// SPDX-License-Identifier: BSD-3-Clause
// The MPI layer: communicators, ranks that fail together, time-outs, and what a node has in common.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "no_more_files.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"
#include "runtime/threads.hpp"

namespace sixstep::mpi {
namespace {

/// A variable of the environment as long as the object lives.
class Variable {
 public:
  Variable(char const* name, char const* word) : name_(name) { setenv(name, word, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(Variable const&) = delete;
  Variable& operator=(Variable const&) = delete;

 private:
  char const* name_;
};

constexpr char const* node_ranks = "SIXSTEP_NODE_RANKS";
constexpr char const* timeout = "SIXSTEP_TIMEOUT";

Communicator world() { return Communicator::duplicate(MPI_COMM_WORLD); }

/// The message that all ranks caught, or "they differ".
template <class Action>
std::string common_message(Action const& action) {
  std::vector<std::string> const messages = ranks::gather(message_of(action));
  for (std::string const& message : messages)
    if (message != messages[0]) return "they differ: " + message + " and " + messages[0];
  return messages[0];
}

// Communicators.

TEST(communicator, duplicate_has_the_same_ranks_and_messages_of_its_own) {
  Communicator const comm = world();
  EXPECT_EQ(comm.rank(), ranks::rank());
  EXPECT_EQ(comm.size(), ranks::count());
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(comm.get(), MPI_COMM_WORLD, &result);
  EXPECT_EQ(result, MPI_CONGRUENT);
}

TEST(communicator, split_keeps_the_order_of_ranks) {
  Communicator const part = world().split(ranks::rank() % 2);
  EXPECT_EQ(part.rank(), ranks::rank() / 2);
  EXPECT_EQ(part.size(), (ranks::count() + 1 - ranks::rank() % 2) / 2);
}

TEST(communicator, moves_and_leaves_nothing_behind) {
  Communicator first = world();
  MPI_Comm const handle = first.get();
  Communicator second = std::move(first);
  EXPECT_EQ(second.get(), handle);
  EXPECT_EQ(first.get(), MPI_COMM_NULL);
  Communicator third;
  third = std::move(second);
  EXPECT_EQ(third.get(), handle);
  EXPECT_EQ(third.size(), ranks::count());
}

TEST(communicator, refuses_null) {
  EXPECT_TRUE(refuses("comm", {"MPI_COMM_NULL"}, [] { Communicator::duplicate(MPI_COMM_NULL); }));
}

// Failing together.

TEST(agree, returns_if_no_rank_has_a_message) {
  EXPECT_EQ(common_message([] { agree(world(), ""); }), "");
}

TEST(agree, throws_the_message_of_the_lowest_rank_that_has_one) {
  int const last = ranks::count() - 1;
  EXPECT_EQ(
      common_message([&] { agree(world(), ranks::rank() == last ? "of the last rank" : ""); }),
      "of the last rank");
  EXPECT_EQ(common_message([&] { agree(world(), text("of rank ", ranks::rank())); }), "of rank 0");
  EXPECT_EQ(common_message(
                [&] { agree(world(), ranks::rank() == 0 ? "" : text("of rank ", ranks::rank())); }),
            last == 0 ? "" : "of rank 1");
}

TEST(agree, takes_long_messages) {
  std::string const message(100000, 'x');
  EXPECT_EQ(common_message([&] { agree(world(), ranks::rank() == 0 ? message : ""); }), message);
}

TEST(together, throws_on_every_rank_what_one_rank_threw) {
  int const last = ranks::count() - 1;
  auto const failing = [&](auto const& error) {
    return common_message([&] {
      together(world(), [&] {
        if (ranks::rank() == last) throw error;
      });
    });
  };
  EXPECT_EQ(failing(Error("a reason")), "a reason");
  EXPECT_EQ(failing(std::runtime_error("of another kind")), "of another kind");
  EXPECT_EQ(failing(Error("")), "an error without a message");
  EXPECT_EQ(failing(std::bad_alloc()), text("memory: rank ", last, " has too little"));
  EXPECT_EQ(common_message([] { together(world(), [] {}); }), "");
}

/// What all ranks catch that give these words for an argument, and the same for another before.
std::string alike(std::string const& words) {
  std::vector<Alike> const entries{
      {"first", "", 7, []() -> std::string { throw std::logic_error("it is the same"); }},
      {"second", "part", std::hash<std::string>()(words), [&] { return words; }}};
  return common_message([&] { require_alike(world(), entries); });
}

TEST(require_alike, names_what_differs_with_both_values_and_their_ranks) {
  int const last = ranks::count() - 1;
  EXPECT_EQ(alike("same"), "");
  if (last == 0) return;
  auto const name = [](int rank) { return text("rank ", rank); };
  std::string const others = last == 1 ? name(0) : last == 2 ? "ranks 0, 1" : "";
  if (!others.empty()) {
    EXPECT_EQ(alike(ranks::rank() == last ? "other" : "same"),
              text("second: all ranks must give the same part; same was given on ", others,
                   ", other on ", name(last)));
  }
  EXPECT_EQ(alike(text("of ", ranks::rank())),
            text("second: all ranks must give the same part; of 0 was given on rank 0, "
                 "of 1 on rank 1",
                 last == 1 ? "" : ", others on rank 2"));
  EXPECT_LT(alike(std::string(100000, ranks::rank() == 0 ? 'x' : 'y')).size(), 600u);
}

TEST(require_alike, tells_lists_of_different_lengths_by_what_differs_before) {
  std::vector<Alike> entries{{"output", "", static_cast<std::uint64_t>(ranks::rank() % 2), [] {
                                return std::string(ranks::rank() % 2 == 0 ? "none" : "a layout");
                              }}};
  if (ranks::rank() % 2 == 1)
    entries.push_back({"output", "shape", 9, [] { return std::string(); }});
  std::string const message = common_message([&] { require_alike(world(), entries); });
  EXPECT_EQ(message.substr(0, 50),
            ranks::count() == 1 ? "" : "output: all ranks must give the same; none was giv");
}

TEST(fail, reaches_ranks_that_make_the_call) {
  int const last = ranks::count() - 1;
  std::string const message = common_message([&] {
    if (ranks::rank() == last) fail(MPI_COMM_WORLD, "kinds: a reason");
    Communicator const comm = world();
    together(comm, [] {});
  });
  EXPECT_EQ(message, "kinds: a reason");
}

// Large counts in collective calls.

TEST(collective_calls, go_in_pieces_where_counts_are_large) {
  constexpr std::size_t count = 37;
  for (Index limit : {1, 5, 36, 37, 38, 1000}) {
    std::vector<double> sums(count, ranks::rank() + 1);
    sums[count - 1] = 1;
    reduce_to_all(world(), sums.data(), count, MPI_DOUBLE, MPI_SUM, limit);
    EXPECT_EQ(sums[0], ranks::count() * (ranks::count() + 1) / 2);
    EXPECT_EQ(sums[count - 2], sums[0]);
    EXPECT_EQ(sums[count - 1], ranks::count());

    std::vector<char> mine(count), all(count * static_cast<std::size_t>(ranks::count()) + 1, 'e');
    for (std::size_t i = 0; i < count; ++i)
      mine[i] = static_cast<char>(ranks::rank() * 40 + static_cast<int>(i));
    gather_to_all(world(), mine.data(), all.data(), count, limit);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      ASSERT_EQ(all[i], static_cast<char>(i / count * 40 + i % count)) << i << ' ' << limit;
    EXPECT_EQ(all.back(), 'e');

    int const last = ranks::count() - 1;
    broadcast(world(), mine.data(), count, last, limit);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(mine[i], static_cast<char>(last * 40 + static_cast<int>(i))) << limit;
  }
}

// Waits.

TEST(timeout, is_refused_on_all_ranks_if_it_is_no_positive_number) {
  for (char const* word : {"abc", "-5", "0", "0.0", "-0", "2x", " 2", "+2", "1e", "0x10", "inf",
                           "nan", ".", "1,5", "1e-400"}) {
    Variable const wrong(timeout, word);
    EXPECT_EQ(
        common_message([] { world(); }),
        text("SIXSTEP_TIMEOUT: a positive number of seconds is needed, '", word, "' was given"));
  }
  {
    std::optional<Variable> wrong;
    if (ranks::rank() == ranks::count() - 1) wrong.emplace(timeout, "soon");
    EXPECT_EQ(common_message([] { world(); }),
              "SIXSTEP_TIMEOUT: a positive number of seconds is needed, 'soon' was given");
  }
}

TEST(timeout, is_refused_on_all_ranks_if_it_differs_from_rank_to_rank) {
  int const last = ranks::count() - 1;
  if (last == 0) return;
  {
    Variable const different(timeout, ranks::rank() == last ? "30.5" : "30");
    EXPECT_EQ(common_message([] { world(); }),
              text("SIXSTEP_TIMEOUT: all ranks need the same value, rank 0 has 30, rank ", last,
                   " has 30.5"));
  }
  {
    std::optional<Variable> some;
    if (ranks::rank() == 0) some.emplace(timeout, "30");
    EXPECT_EQ(common_message([] { world(); }),
              "SIXSTEP_TIMEOUT: all ranks need the same value, rank 0 has 30, rank 1 has none");
  }
}

TEST(timeout, is_that_of_communicators_made_of_one) {
  EXPECT_TRUE(world().patience().is_endless());
  for (char const* word : {"30", "0.5", "007", "100000000000"}) {
    Variable const limit(timeout, word);
    Communicator const comm = world();
    EXPECT_FALSE(comm.patience().is_endless());
    EXPECT_FALSE(comm.split(0).patience().is_endless());
    EXPECT_FALSE(comm.split_by_memory().patience().is_endless());
    EXPECT_EQ(common_message([&] { agree(comm, "all went well"); }), "all went well");
  }
}

TEST(patience, asks_for_no_words_before_its_end) {
  Patience const patiences[] = {Patience(), Patience(1000, MPI_COMM_WORLD)};
  for (Patience const& patience : patiences) {
    Patience::Wait wait = patience.begin();
    for (int i = 0; i < 100000; ++i)
      wait.check([]() -> std::string { throw std::logic_error("it has not come to that"); });
  }
}

TEST(ranks_in_words, are_ascending_and_few) {
  EXPECT_EQ(ranks_in_words({3}), "rank 3");
  EXPECT_EQ(ranks_in_words({7, 3, 7}), "ranks 3, 7");
  std::vector<int> many(100);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_EQ(ranks_in_words(many),
            "ranks 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 84 more");
}

// What the ranks of a node have in common.

/// The number at the beginning of a rank's segment.
std::atomic<int>& first_number(NodeMemory const& memory, int place) {
  Index const from_own = place - ranks::rank();
  std::byte* const segment =
      memory.segment() + from_own * static_cast<Index>(memory.segment_bytes());
  return *reinterpret_cast<std::atomic<int>*>(segment);
}

TEST(node, numbers_its_ranks) {
  Communicator const comm = world();
  Node const node(comm);
  ASSERT_EQ(node.size(), ranks::count());
  for (int rank = 0; rank < ranks::count(); ++rank) {
    EXPECT_EQ(node.node_of()[static_cast<std::size_t>(rank)], 0);
    EXPECT_EQ(node.place_of()[static_cast<std::size_t>(rank)], rank);
  }
}

TEST(node, has_as_many_ranks_as_the_environment_says) {
  Variable const two(node_ranks, "2");
  Communicator const comm = world();
  Node const node(comm);
  for (int rank = 0; rank < ranks::count(); ++rank) {
    EXPECT_EQ(node.node_of()[static_cast<std::size_t>(rank)], rank / 2 * 2);
    EXPECT_EQ(node.place_of()[static_cast<std::size_t>(rank)], rank % 2);
  }
}

TEST(node, refuses_on_all_ranks_what_is_no_number_of_ranks) {
  Communicator const comm = world();
  for (char const* word : {"abc", "-5", "0", "2x", " 2", "1e9", "99999999999999999999"}) {
    Variable const wrong(node_ranks, word);
    EXPECT_EQ(common_message([&] { Node const node(comm); }),
              text("SIXSTEP_NODE_RANKS: a whole number from 1 to 2147483647 is needed, '", word,
                   "' was given"));
  }
}

TEST(node, refuses_on_all_ranks_what_differs_from_rank_to_rank) {
  Communicator const comm = world();
  int const last = ranks::count() - 1;
  if (last == 0) return;
  {
    Variable const different(node_ranks, ranks::rank() == last ? "3" : "2");
    EXPECT_EQ(common_message([&] { Node const node(comm); }),
              text("SIXSTEP_NODE_RANKS: all ranks need the same value, rank 0 has 2, rank ", last,
                   " has 3"));
  }
  {
    std::optional<Variable> one;
    if (ranks::rank() == last) one.emplace(node_ranks, "1");
    EXPECT_EQ(common_message([&] { Node const node(comm); }),
              text("SIXSTEP_NODE_RANKS: all ranks need the same value, rank 0 has none, rank ",
                   last, " has 1"));
  }
}

TEST(node_memory, shows_each_rank_what_the_others_have_written) {
  Node const node(world());
  NodeMemory memory(node, 100);
  ASSERT_GE(memory.segment_bytes(), 100u);
  EXPECT_EQ(first_number(memory, ranks::rank()), 0);
  for (int round = 1; round <= 1000; ++round) {
    first_number(memory, ranks::rank()).store(round, std::memory_order_relaxed);
    memory.arrive();
    memory.wait();
    for (int place = 0; place < ranks::count(); ++place)
      ASSERT_EQ(first_number(memory, place).load(std::memory_order_relaxed), round);
    memory.arrive();
    memory.wait();
  }
}

TEST(node_memory, tells_whether_all_said_the_same) {
  Node const node(world());
  NodeMemory memory(node, 1);
  for (int round = 0; round < 300; ++round) {
    bool const alike = round % 3 != 0 || ranks::count() == 1;
    memory.arrive(alike ? 7 : static_cast<std::uint64_t>(ranks::rank()));
    ASSERT_EQ(memory.wait(), alike) << round;
  }
}

TEST(node_memory, that_cannot_be_had_fails_on_all_ranks) {
  Communicator const comm = world();
  Node const node(comm);
  std::string const message = common_message([&] {
    NoMoreFiles const limit;
    NodeMemory memory(node, 1);
  });
  EXPECT_NE(message.find("memory that ranks share cannot be made: "), std::string::npos) << message;
}

// Threads.

TEST(fair_threads, are_as_many_as_the_environment_says) {
  EXPECT_EQ(fair_threads(world()), 1);  // OMP_NUM_THREADS of the tests
}

}  // namespace
}  // namespace sixstep::mpi
