// SPDX-License-Identifier: BSD-3-Clause
// Real radices of a length: each divides what the one before has left, until two reals are left or
// one.
#include "local/numbers/real_factors.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sixstep::local {
namespace {

Index without_small_primes(Index n) {
  for (Index p : {2, 3, 5, 7, 11, 13})
    while (n % p == 0) n /= p;
  return n;
}

TEST(real_factors, real_radices_leave_two_reals_or_one) {
  for (RowAccess const access : {RowAccess::lines, RowAccess::parts_of_lines})
    for (Index n = 3; n <= 3000; ++n) {
      std::vector<int> const radices = real_radices(n, access);
      ASSERT_EQ(radices.empty(), without_small_primes(n) > 1) << n;
      Index left = n;
      for (int const radix : radices) {
        ASSERT_GT(left, 2) << n;
        ASSERT_EQ(left % radix, 0) << n;
        left = left / radix * (radix % 2 == 0 ? 2 : 1);
      }
      ASSERT_TRUE(radices.empty() || left <= 2) << n;
    }
}

TEST(real_factors, parts_of_lines_are_read_by_eight_rows) {
  for (Index n : {32, 64, 128, 256, 480, 512, 8192})
    EXPECT_EQ(real_radices(n, RowAccess::parts_of_lines)[0], 8) << n;
  for (Index n : {16, 144, 160, 224})
    EXPECT_EQ(real_radices(n, RowAccess::parts_of_lines)[0], 16) << n;
  for (Index n : {16, 64, 256, 8192}) EXPECT_EQ(real_radices(n, RowAccess::lines)[0], 16) << n;
}

TEST(real_factors, a_point_needs_no_radix) {
  EXPECT_TRUE(real_radices(1).empty());
  EXPECT_EQ(real_radices(2), std::vector<int>{2});
}

}  // namespace
}  // namespace sixstep::local
