// SPDX-License-Identifier: BSD-3-Clause
// Sums over the bits of rows, compiled for every instruction set.
//
// A lane of 64 bits holds two words. For each lane, a row makes the sum of its words and the sum of
// these sums. The second one has the weights T, T - 1, ..., 1 for the T vectors of a row, so both
// together make a sum with weights that are linear along the row, without a multiplication for each
// vector.
#include "local/kernels/bit_sums.hpp"

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

/// The sums of a row in each lane: of its words, and of these sums.
struct RowSum {
  Vector words, upper, words_summed, upper_summed;

  HWY_INLINE void add(Vector x) {
    words = hn::Add(words, x);
    upper = hn::Add(upper, hn::ShiftRight<32>(x));
    words_summed = hn::Add(words_summed, words);
    upper_summed = hn::Add(upper_summed, upper);
  }
};

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
  Vector all_lower = zero, all_upper = zero, lower_summed = zero, upper_summed = zero;
  std::uint64_t weight = rows.first + of_vector * vectors;
  auto const* row = static_cast<std::byte const*>(begin);
  for (Index r = 0; r < rows.rows; ++r, row += rows.row_bytes, weight += rows.of_row) {
    RowSum sum{zero, zero, zero, zero};
    Index i = 0;
    for (; i + step <= bytes; i += step) sum.add(load(row + i));
    if (i < bytes) {
      std::array<std::byte, HWY_MAX_BYTES> rest{};
      std::memcpy(rest.data(), row + i, static_cast<std::size_t>(bytes - i));
      sum.add(load(rest.data()));
    }
    Vector const here = hn::Set(d, weight);
    all_lower = hn::Add(all_lower, hn::Mul(hn::Add(here, at_lower), lower(sum.words, sum.upper)));
    all_upper = hn::Add(all_upper, hn::Mul(hn::Add(here, at_upper), sum.upper));
    lower_summed = hn::Add(lower_summed, lower(sum.words_summed, sum.upper_summed));
    upper_summed = hn::Add(upper_summed, sum.upper_summed);
  }
  Vector const too_much = hn::Set(d, of_vector);
  all_lower = hn::Sub(all_lower, hn::Mul(too_much, lower_summed));
  all_upper = hn::Sub(all_upper, hn::Mul(too_much, upper_summed));
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
