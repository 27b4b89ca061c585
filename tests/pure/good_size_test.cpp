// SPDX-License-Identifier: BSD-3-Clause
// Good lengths, against a search of all lengths.
#include "sixstep/good_size.hpp"

#include <gtest/gtest.h>

#include "refuses.hpp"

namespace sixstep {
namespace {

bool is_good(Index n) {
  for (Index prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

TEST(good_size, is_the_next_product_of_two_three_five_and_seven) {
  for (Index n = 1; n <= 5000; ++n) {
    Index next = n;
    while (!is_good(next)) ++next;
    EXPECT_EQ(good_size(n), next);
  }
}

TEST(good_size, is_a_multiple_where_one_is_asked_for) {
  for (Index multiple : {1, 2, 6, 11, 48, 97, 1000})
    for (Index n = 1; n <= 3000; n += 7) {
      Index next = n;
      while (next % multiple != 0 || !is_good(next / multiple)) ++next;
      EXPECT_EQ(good_size(n, multiple), next) << n << ", " << multiple;
    }
}

TEST(good_size, knows_no_longer_lengths_than_plans) {
  Index const longest = Index{1} << 57;
  EXPECT_EQ(good_size(longest), longest);
  EXPECT_EQ(good_size(longest, longest), longest);
  EXPECT_EQ(good_size(1, longest - 1), longest - 1);
  EXPECT_TRUE(is_good(good_size(longest - 1)));
  for (Index wrong : {Index{0}, Index{-3}, longest + 1}) {
    EXPECT_TRUE(refuses("n", {"1 to 2^57"}, [&] { good_size(wrong); }));
    EXPECT_TRUE(refuses("multiple", {"1 to 2^57"}, [&] { good_size(8, wrong); }));
  }
}

}  // namespace
}  // namespace sixstep
