// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads, also in forked processes, which have none of their parent's.
#include "base/run_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "base/fork.hpp"
#include "child.hpp"
#include "sixstep/indices.hpp"

namespace sixstep {
namespace {

/// Whether a team of up to so many threads runs each of its threads once.
bool runs_each_thread_once(int threads) {
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(threads));
  std::atomic<int> size = 0;
  run_team(threads, [&](int thread, int team) {
    ++runs[static_cast<std::size_t>(thread)];
    size = team;
  });
  if (size < 1 || size > threads) return false;
  for (int thread = 0; thread < threads; ++thread)
    if (runs[static_cast<std::size_t>(thread)] != (thread < size ? 1 : 0)) return false;
  return true;
}

/// Whether loops of n steps on so many threads do each step once, on a thread of theirs.
bool do_each_step_once(Index n, int threads) {
  std::vector<std::atomic<int>> in_turn(static_cast<std::size_t>(n)), in_stretches(in_turn.size());
  std::atomic<bool> known = true;
  auto const count_in = [&](auto& steps) {
    return [&](Index i, int thread) {
      ++steps[static_cast<std::size_t>(i)];
      if (thread < 0 || thread >= threads) known = false;
    };
  };
  share_in_turn(n, threads, count_in(in_turn));
  share_in_stretches(n, threads, count_in(in_stretches));
  bool all = known;
  for (std::size_t i = 0; i < in_turn.size(); ++i)
    all = all && in_turn[i] == 1 && in_stretches[i] == 1;
  return all;
}

bool all_is_well() {
  bool all = true;
  for (int threads : {1, 2, 3, 4}) {
    all = all && runs_each_thread_once(threads);
    for (Index n : {0, 1, 2, 3, 7, 1000}) all = all && do_each_step_once(n, threads);
  }
  return all;
}

TEST(team, runs_each_thread_and_each_step_once) { EXPECT_TRUE(all_is_well()); }

// GNU's OpenMP would wait there for threads that its parent had.
TEST(team, works_in_children_of_a_process_that_had_threads) {
  ASSERT_TRUE(runs_each_thread_once(4));
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(child::run([] { return all_is_well(); }), "");
    EXPECT_TRUE(runs_each_thread_once(4));
  }
}

TEST(team, works_in_children_of_children) {
  EXPECT_EQ(
      child::run([] { return all_is_well() && child::run([] { return all_is_well(); }).empty(); }),
      "");
}

TEST(team, of_a_child_serves_walks_on_threads) {
  EXPECT_EQ(child::run([] {
              std::atomic<int> sum = 0;
              on_threads(3, [&](int thread) { sum += 1 << thread; });
              return sum == 7;
            }),
            "");
}

TEST(forks, are_counted) {
  EXPECT_EQ(forks(), 0);
  EXPECT_EQ(
      child::run([] { return forks() == 1 && child::run([] { return forks() == 2; }).empty(); }),
      "");
  EXPECT_EQ(forks(), 0);
}

TEST(forks, leave_no_mutex_locked) {
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends)
      for (Shared object : {Shared::plans, Shared::blocks, Shared::transforms, Shared::libraries})
        std::lock_guard const lock(mutex_of(object));
  });
  for (int round = 0; round < 200; ++round)
    EXPECT_EQ(child::run([] {
                for (Shared object :
                     {Shared::plans, Shared::blocks, Shared::transforms, Shared::libraries})
                  std::lock_guard const lock(mutex_of(object));
                return true;
              }),
              "");
  ends = true;
  other.join();
}

}  // namespace
}  // namespace sixstep
