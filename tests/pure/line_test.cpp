// SPDX-License-Identifier: BSD-3-Clause
// Layouts of one axis, cut to fewer points, rank by rank.
#include "schedule/line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sixstep::schedule {
namespace {

/// n points in blocks, the rank of each block as listed.
Layout in_blocks(Index n, Index block, std::vector<int> const& rank_of_block) {
  std::vector<Box> boxes(rank_of_block.size(), Box{{{0, 0}}});
  for (std::size_t i = 0; i < rank_of_block.size(); ++i) {
    Index const lo = std::min(static_cast<Index>(i) * block, n);
    boxes[static_cast<std::size_t>(rank_of_block[i])] = Box{{{lo, std::min(lo + block, n)}}};
  }
  return *line_of(Layout::boxes({n}, boxes), 0);
}

TEST(line, that_is_cut_keeps_each_ranks_points_below) {
  for (std::vector<int> const& ranks :
       {std::vector{0}, std::vector{0, 1, 2, 3}, std::vector{3, 2, 1, 0}, std::vector{1, 0, 3, 2},
        std::vector{4, 3, 0, 1, 2}}) {
    Index const n = 4 * static_cast<Index>(ranks.size()) - 1;
    Layout const whole = in_blocks(n, 4, ranks);
    for (Index below = 1; below <= n; ++below) {
      Layout const part = cut(whole, below);
      ASSERT_EQ(part.shape(), Shape{below});
      for (int rank = 0; rank < whole.ranks(); ++rank) {
        Range const held = range_of(whole, rank), kept = range_of(part, rank);
        SCOPED_TRACE(text("below ", below, " of ", n, ", rank ", rank, " of ", whole.ranks(),
                          ", the first block on rank ", ranks[0]));
        EXPECT_EQ(kept.empty(), held.lo >= below);
        if (kept.empty()) continue;
        EXPECT_EQ(kept.lo, held.lo);
        EXPECT_EQ(kept.hi, std::min(held.hi, below));
      }
    }
  }
}

}  // namespace
}  // namespace sixstep::schedule
