// SPDX-License-Identifier: BSD-3-Clause
// Races between plans by their times alone.
#include "tuner/verdict.hpp"

#include <gtest/gtest.h>

namespace sixstep::tuner {
namespace {

/// Whether a challenger wins whose every run takes `ratio` times the holder's, if there is time for
/// so many runs.
bool wins(double ratio, std::size_t runs_in_time) {
  for (std::size_t runs = 1;; ++runs)
    if (auto const won = verdict(runs, ratio, runs >= runs_in_time)) return *won;
}

TEST(verdict, the_faster_plan_wins_whatever_the_time) {
  for (std::size_t runs = least_runs; runs <= most_runs; ++runs) {
    for (double ratio : {0.1, 0.8, 0.9}) EXPECT_TRUE(wins(ratio, runs)) << ratio << ", " << runs;
    for (double ratio : {1.0, 1.05, 1.5, 3.0})
      EXPECT_FALSE(wins(ratio, runs)) << ratio << ", " << runs;
  }
}

TEST(verdict, a_small_lead_counts_after_many_runs) {
  EXPECT_FALSE(wins(0.97, least_runs));
  EXPECT_TRUE(wins(0.97, most_runs));
  EXPECT_FALSE(wins(0.985, most_runs));
}

TEST(verdict, a_clear_lead_ends_the_race_early) {
  EXPECT_EQ(verdict(1, 2.5, false), false);
  EXPECT_EQ(verdict(1, 0.5, false), std::nullopt);
  EXPECT_EQ(verdict(least_runs, 0.8, false), true);
  EXPECT_EQ(verdict(least_runs, 1.01, false), false);
  EXPECT_EQ(verdict(least_runs, 0.9, false), std::nullopt);
}

}  // namespace
}  // namespace sixstep::tuner
