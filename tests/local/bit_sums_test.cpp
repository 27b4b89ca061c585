// SPDX-License-Identifier: BSD-3-Clause
// Sums over bits: the same by every instruction set and by the definition, and different after any
// flip of a bit and any swap of elements.
#include "local/kernels/bit_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "local/targets.hpp"

namespace sixstep::local {
namespace {

constexpr std::size_t longest_row = 300, most_rows = 5, gap = 3;

struct Sample {
  Index element_bytes;
  WeightedRows rows;
  std::size_t begin;  // in bytes
  std::vector<std::byte> memory;

  std::byte* element(Index row, Index i) {
    return memory.data() + begin + row * rows.row_bytes + i * element_bytes;
  }
  std::uint64_t sum(Target target) const {
    return bit_sum(target, element_bytes)(memory.data() + begin, rows);
  }
};

Sample random_sample(std::mt19937_64& random) {
  Sample made;
  made.element_bytes = Index{1} << (random() % 5);
  made.rows.rows = 1 + static_cast<Index>(random() % most_rows);
  made.rows.elements = 1 + static_cast<Index>(random() % longest_row);
  made.rows.row_bytes =
      (made.rows.elements + static_cast<Index>(random() % gap)) * made.element_bytes;
  made.rows.first = random() | 1;
  made.rows.of_row = random() & ~std::uint64_t{1};
  made.rows.of_element = random() & ~std::uint64_t{1};
  made.begin = 4 * (random() % 16);
  made.memory.resize(made.begin + static_cast<std::size_t>(made.rows.rows * made.rows.row_bytes));
  for (std::byte& byte : made.memory) byte = static_cast<std::byte>(random() & 0xff);
  return made;
}

/// The digest of an element is linear in its words, so that of a lone word tells the multiplier.
std::uint64_t digest(Sample& sample, Index row, Index i) {
  std::uint64_t sum = 0;
  Index const word_bytes = std::min<Index>(sample.element_bytes, 4);
  for (Index word = 0; word < sample.element_bytes / word_bytes; ++word) {
    std::uint32_t value = 0, lone[4] = {};
    lone[word] = 1;
    std::memcpy(&value, sample.element(row, i) + 4 * word, static_cast<std::size_t>(word_bytes));
    sum += value * bit_sum(available_targets().back(), sample.element_bytes)(
                       lone, {1, 1, sample.element_bytes, 1, 0, 0});
  }
  return sum;
}

TEST(BitSums, equal_those_by_the_definition) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    Sample sample = random_sample(random);
    std::uint64_t wanted = 0;
    for (Index r = 0; r < sample.rows.rows; ++r)
      for (Index i = 0; i < sample.rows.elements; ++i)
        wanted += (sample.rows.first + static_cast<std::uint64_t>(r) * sample.rows.of_row +
                   static_cast<std::uint64_t>(i) * sample.rows.of_element) *
                  digest(sample, r, i);
    for (Target target : available_targets()) ASSERT_EQ(sample.sum(target), wanted) << round;
  }
}

TEST(BitSums, show_flips_and_swaps) {
  std::mt19937_64 random(2);
  Target const target = chosen_target();
  for (int round = 0; round < 20000; ++round) {
    Sample sample = random_sample(random);
    std::uint64_t const before = sample.sum(target);
    auto const below = [&](Index end) {
      return static_cast<Index>(random() % static_cast<std::uint64_t>(end));
    };
    auto const any = [&] {
      return sample.element(below(sample.rows.rows), below(sample.rows.elements));
    };
    std::byte *const one = any(), *const other = any();
    if (round % 2 == 0) {
      auto const bit = random() % static_cast<std::uint64_t>(8 * sample.element_bytes);
      one[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      // A second flip of the same bit elsewhere must not undo the first one.
      if (round % 4 == 0 && one != other) other[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    } else {
      auto const bytes = static_cast<std::size_t>(sample.element_bytes);
      if (std::memcmp(one, other, bytes) == 0) continue;
      std::vector<std::byte> kept(one, one + bytes);
      std::memcpy(one, other, bytes);
      std::memcpy(other, kept.data(), bytes);
    }
    ASSERT_NE(sample.sum(target), before) << round;
  }
}

}  // namespace
}  // namespace sixstep::local
