// SPDX-License-Identifier: BSD-3-Clause
// Clocks: from two readings of how far another is ahead to its time.
#include "runtime/clock.hpp"

#include <gtest/gtest.h>

namespace sixstep {
namespace {

TEST(clock, goes_by_the_reading_with_the_shorter_round_trip) {
  Clock const by_first({0, 500, 10}, {1000, 530, 100});
  EXPECT_FALSE(by_first.drifts());
  EXPECT_EQ(by_first.ahead(0), 500);
  EXPECT_EQ(by_first.ahead(1000), 500);
  EXPECT_EQ(by_first.error(), 5);
  Clock const by_last({0, 500, 100}, {1000, 530, 11});
  EXPECT_EQ(by_last.ahead(0), 530);
  EXPECT_EQ(by_last.error(), 6);
}

TEST(clock, drifts_where_readings_differ_by_more_than_their_errors) {
  Clock const clock({1000, 500, 20}, {2000, 600, 40});
  EXPECT_TRUE(clock.drifts());
  EXPECT_EQ(clock.ahead(1000), 500);
  EXPECT_EQ(clock.ahead(1250), 525);
  EXPECT_EQ(clock.ahead(2000), 600);
  EXPECT_EQ(clock.ahead(500), 450);
  EXPECT_EQ(clock.error(), 20);
  EXPECT_FALSE(Clock({1000, 500, 100}, {2000, 600, 100}).drifts());
}

TEST(clock, keeps_times_in_order) {
  Clock const clock({0, 0, 2}, {1000, -700, 2});
  Nanoseconds before = clock.ahead(0);
  for (Nanoseconds time = 1; time < 1000; ++time) {
    Nanoseconds const mapped = time + clock.ahead(time);
    EXPECT_GE(mapped, before);
    before = mapped;
  }
}

}  // namespace
}  // namespace sixstep
