// SPDX-License-Identifier: BSD-3-Clause
// The run itself: as many ranks as were asked for, that can talk to each other.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>

#include "sixstep/version.hpp"

TEST(harness, every_rank_that_was_asked_for_takes_part) {
  int one = 1;
  int ranks = 0;
  MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  char const* wanted = std::getenv("SIXSTEP_TEST_RANKS");
  ASSERT_NE(wanted, nullptr);
  EXPECT_EQ(std::to_string(ranks), wanted);
}

TEST(harness, threads_may_all_communicate) {
  int provided = 0;
  MPI_Query_thread(&provided);
  EXPECT_EQ(provided, MPI_THREAD_MULTIPLE);
}

TEST(harness, version_is_three_numbers) {
  EXPECT_EQ(std::string(sixstep::version), std::to_string(SIXSTEP_VERSION_MAJOR) + "." +
                                               std::to_string(SIXSTEP_VERSION_MINOR) + "." +
                                               std::to_string(SIXSTEP_VERSION_PATCH));
}
