// SPDX-License-Identifier: BSD-3-Clause
// Sums over the bits of rows, compiled for every instruction set.
//
// A lane of 64 bits holds two words. For each lane, T vectors make the sum of their words and the
// sum of these sums. The second one has the weights T, T - 1, ..., 1, so both together make a sum
// with weights that are linear, without a multiplication for each vector. A few rows are summed so,
// vector by vector of all of them, and their sums along the rows.
#include "local/kernels/bit_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/bit_sums.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint64_t>;
using Bytes = hn::ScalableTag<std::uint8_t>;
using Vector = hn::Vec<Words>;
using Lanes = std::array<std::uint64_t, HWY_MAX_BYTES / sizeof(std::uint64_t)>;

HWY_INLINE Vector load(std::byte const* from) {
  return hn::BitCast(Words(), hn::LoadU(Bytes(), reinterpret_cast<std::uint8_t const*>(from)));
}

/// The sums of vectors in each lane: of their words, and of these sums.
struct VectorSum {
  Vector words, upper, words_summed, upper_summed;

  HWY_INLINE void add(Vector x) { add(x, hn::ShiftRight<32>(x)); }
  HWY_INLINE void add(Vector more_words, Vector more_upper) {
    words = hn::Add(words, more_words);
    upper = hn::Add(upper, more_upper);
    words_summed = hn::Add(words_summed, words);
    upper_summed = hn::Add(upper_summed, upper);
  }
};

HWY_INLINE VectorSum no_vectors() {
  Vector const zero = hn::Zero(Words());
  return {zero, zero, zero, zero};
}

/// The sums of a few rows: along them, and over sums of sums from row to row.
struct GroupSum {
  VectorSum along;
  Vector words_summed, upper_summed;

  HWY_INLINE void add(VectorSum const& over_rows) {
    along.add(over_rows.words, over_rows.upper);
    words_summed = hn::Add(words_summed, over_rows.words_summed);
    upper_summed = hn::Add(upper_summed, over_rows.upper_summed);
  }
};

constexpr Index rows_of_group = 8;

/// The words from byte i of a row on, and zeros.
HWY_INLINE Vector load_last(std::byte const* row, Index i, Index bytes) {
  auto const left = static_cast<std::size_t>(bytes - i);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  hn::Repartition<std::uint32_t, Words> const d;
  auto const* const words = reinterpret_cast<std::uint32_t const*>(row + i);
  return hn::BitCast(Words(), hn::MaskedLoad(hn::FirstN(d, left / sizeof *words), d, words));
#else
  std::array<std::byte, HWY_MAX_BYTES> rest{};
  std::memcpy(rest.data(), row + i, left);
  return load(rest.data());
#endif
}

HWY_INLINE GroupSum sum_row(std::byte const* row, Index bytes, Index step) {
  GroupSum sum{no_vectors(), hn::Zero(Words()), hn::Zero(Words())};
  Index i = 0;
  for (; i + step <= bytes; i += step) sum.along.add(load(row + i));
  if (i < bytes) sum.along.add(load_last(row, i, bytes));
  sum.words_summed = sum.along.words;
  sum.upper_summed = sum.along.upper;
  return sum;
}

HWY_INLINE GroupSum sum_group(std::byte const* first, Index rows, Index row_bytes, Index bytes,
                              Index step) {
  GroupSum sum{no_vectors(), hn::Zero(Words()), hn::Zero(Words())};
  Index i = 0;
  for (; i + 2 * step <= bytes; i += 2 * step) {
    VectorSum one = no_vectors(), next = one;
    std::byte const* from = first + i;
    for (Index r = 0; r < rows; ++r, from += row_bytes) {
      one.add(load(from));
      next.add(load(from + step));
    }
    sum.add(one);
    sum.add(next);
  }
  for (; i < bytes; i += step) {
    VectorSum one = no_vectors();
    for (Index r = 0; r < rows; ++r) {
      std::byte const* const row = first + r * row_bytes;
      one.add(i + step <= bytes ? load(row + i) : load_last(row, i, bytes));
    }
    sum.add(one);
  }
  return sum;
}

/// The lower words of a sum of whole lanes.
HWY_INLINE Vector lower(Vector words, Vector upper) {
  return hn::Sub(words, hn::ShiftLeft<32>(upper));
}

/// For each lane, its elements' numbers in a vector and the multipliers of its words.
template <Index element_bytes>
struct Places {
  Lanes lower_element, upper_element, lower_multiplier, upper_multiplier;

  Places() {
    constexpr std::uint64_t multipliers[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f,
                                             0x165667b19e3779f9, 0xd6e8feb86659fd93};
    constexpr std::size_t word_bytes = 4, bytes = element_bytes;
    for (std::size_t lane = 0; lane < lower_element.size(); ++lane) {
      std::size_t const begin = lane * 2 * word_bytes, next = begin + word_bytes;
      lower_element[lane] = begin / bytes;
      upper_element[lane] = next / bytes;
      lower_multiplier[lane] = multipliers[begin % bytes / word_bytes];
      upper_multiplier[lane] = multipliers[next % bytes / word_bytes];
    }
  }
};

template <Index element_bytes>
std::uint64_t sum_rows(void const* begin, WeightedRows const& rows) {
  static Places<element_bytes> const places;
  Words const d;
  Vector const zero = hn::Zero(d);
  auto const step = static_cast<Index>(hn::Lanes(d) * sizeof(std::uint64_t));
  Index const bytes = rows.elements * element_bytes;
  std::uint64_t const of_vector =
      rows.of_element * static_cast<std::uint64_t>(step / element_bytes);
  auto const vectors = static_cast<std::uint64_t>((bytes + step - 1) / step);
  auto const slope = hn::Set(d, rows.of_element);
  Vector const at_lower = hn::Mul(slope, hn::LoadU(d, places.lower_element.data()));
  Vector const at_upper = hn::Mul(slope, hn::LoadU(d, places.upper_element.data()));
  // Weights count down along rows and from row to row: what they are too much is taken off.
  Vector all_lower = zero, all_upper = zero;
  Vector lower_along = zero, upper_along = zero, lower_over = zero, upper_over = zero;
  auto const* row = static_cast<std::byte const*>(begin);
  std::uint64_t weight = rows.first + of_vector * vectors;
  for (Index r = 0; r < rows.rows; r += rows_of_group, row += rows_of_group * rows.row_bytes) {
    Index const height = std::min(rows_of_group, rows.rows - r);
    GroupSum const sum = height == 1 ? sum_row(row, bytes, step)
                                     : sum_group(row, height, rows.row_bytes, bytes, step);
    weight += static_cast<std::uint64_t>(height) * rows.of_row;  // of the row behind the group
    Vector const here = hn::Set(d, weight);
    VectorSum const& along = sum.along;
    all_lower =
        hn::Add(all_lower, hn::Mul(hn::Add(here, at_lower), lower(along.words, along.upper)));
    all_upper = hn::Add(all_upper, hn::Mul(hn::Add(here, at_upper), along.upper));
    lower_along = hn::Add(lower_along, lower(along.words_summed, along.upper_summed));
    upper_along = hn::Add(upper_along, along.upper_summed);
    lower_over = hn::Add(lower_over, lower(sum.words_summed, sum.upper_summed));
    upper_over = hn::Add(upper_over, sum.upper_summed);
  }
  Vector const a_vector = hn::Set(d, of_vector), a_row = hn::Set(d, rows.of_row);
  auto const too_much = [&](Vector along, Vector over) {
    return hn::Add(hn::Mul(a_vector, along), hn::Mul(a_row, over));
  };
  all_lower = hn::Sub(all_lower, too_much(lower_along, lower_over));
  all_upper = hn::Sub(all_upper, too_much(upper_along, upper_over));
  Vector const all = hn::Add(hn::Mul(all_lower, hn::LoadU(d, places.lower_multiplier.data())),
                             hn::Mul(all_upper, hn::LoadU(d, places.upper_multiplier.data())));
  return hn::GetLane(hn::SumOfLanes(d, all));
}

/// Elements that are shorter than a word. The sums of the sums have the weights n, n - 1, ..., 1.
template <class Element>
std::uint64_t sum_short_rows(void const* begin, WeightedRows const& rows) {
  auto const* row = static_cast<std::byte const*>(begin);
  auto const count = static_cast<std::uint64_t>(rows.elements);
  std::uint64_t all = 0, weight = rows.first + count * rows.of_element;
  for (Index r = 0; r < rows.rows; ++r, row += rows.row_bytes, weight += rows.of_row) {
    std::uint64_t sum = 0, summed = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      Element element = 0;
      std::memcpy(&element, row + i * sizeof element, sizeof element);
      sum += element;
      summed += sum;
    }
    all += weight * sum - rows.of_element * summed;
  }
  return all * 0x9e3779b97f4a7c15;
}

BitSum bit_sum_here(Index element_bytes) {
  return element_bytes == 1   ? sum_short_rows<std::uint8_t>
         : element_bytes == 2 ? sum_short_rows<std::uint16_t>
         : element_bytes == 4 ? sum_rows<4>
         : element_bytes == 8 ? sum_rows<8>
                              : sum_rows<16>;
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(bit_sum_here);

BitSum bit_sum(Target target, Index element_bytes) {
  return table_entry(HWY_DISPATCH_TABLE(bit_sum_here), target)(element_bytes);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
