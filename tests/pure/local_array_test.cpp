// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of an array in pieces: they follow each other in C order, and each element comes
// from its place and goes back there.
#include "files/local_array.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"

namespace sixstep::files {
namespace {

using cases::Random;
using oracle::at;

TEST(local_array, pieces_follow_each_other_in_c_order) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    Shape const counts = cases::random_shape(random, random.between(1, 5), 200);
    Index const points = oracle::points_of(counts), most = random.between(Index{1}, points + 2);
    Pieces const pieces(counts, most);
    Index next = 0;
    for (Index piece = 0; piece < pieces.count(); ++piece) {
      Box const box = pieces[piece];
      EXPECT_LE(box.volume(), most);
      oracle::for_each_point(
          box, [&](Shape const& point) { EXPECT_EQ(oracle::number_of(counts, point), next++); });
    }
    EXPECT_EQ(next, points);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ": " << to_string(counts) << " by " << most;
  }
}

TEST(local_array, without_points_has_no_pieces) { EXPECT_EQ(Pieces({3, 0, 2}, 4).count(), 0); }

TEST(local_array, elements_go_to_a_piece_and_back) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    int const ranks = random.between(1, 5);
    Shape const shape = cases::random_shape(random, random.between(1, 4), 200);
    Layout const layout = cases::random_layout(random, shape, ranks);
    int const rank = random.between(0, ranks - 1);
    LocalArray const local(layout, rank, sizeof(Index));
    Box const box = layout.box(rank);
    std::vector<Index> array(at(layout.local_size(rank))), back(array.size());
    oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
      array[at(offset)] = oracle::number_of(shape, point);
    });
    std::vector<Index> all;
    Pieces const pieces(box.shape(), random.between(Index{1}, Index{50}));
    for (Index piece = 0; piece < pieces.count(); ++piece) {
      std::vector<Index> buffer(at(pieces[piece].volume()));
      local.gather(pieces[piece], array.data(), reinterpret_cast<std::byte*>(buffer.data()));
      local.scatter(pieces[piece], reinterpret_cast<std::byte*>(buffer.data()), back.data());
      all.insert(all.end(), buffer.begin(), buffer.end());
    }
    std::vector<Index> expected;
    oracle::for_each_point(
        box, [&](Shape const& point) { expected.push_back(oracle::number_of(shape, point)); });
    ASSERT_EQ(all, expected) << "seed " << seed << ": " << cases::describe(layout);
    ASSERT_EQ(back, array) << "seed " << seed << ": " << cases::describe(layout);
  }
}

}  // namespace
}  // namespace sixstep::files
