// SPDX-License-Identifier: BSD-3-Clause
// Exact sums: parts of a run of terms are added up as doubles, and these sums as integers.
#include "sixstep/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "local/kernels/sum_parts.hpp"

namespace sixstep {

namespace {

constexpr std::size_t sum_digits = 68, place_of_nan = sum_digits,
                      place_of_infinities = sum_digits + 1;
constexpr int digit_bits = 32, mantissa_bits = 52, lowest_exponent = -1074;
constexpr Index digit_base = Index{1} << digit_bits;

}  // namespace

void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < sum_digits; ++i) {
    Index const above = words_[i] >> digit_bits;  // rounded down
    words_[i] -= above * digit_base;
    words_[i + 1] += above;
  }
  terms_since_carry_ = 0;
}

void ExactSum::add(double term) {
  constexpr std::uint64_t hidden_bit = std::uint64_t{1} << mantissa_bits;
  auto const bits = std::bit_cast<std::uint64_t>(term);
  auto const exponent = static_cast<unsigned>(bits >> mantissa_bits) & 0x7ff;
  bool const is_negative = std::signbit(term);
  std::uint64_t mantissa = bits & (hidden_bit - 1);
  if (exponent == 0x7ff) {
    ++words_[mantissa != 0 ? place_of_nan : place_of_infinities + (is_negative ? 1 : 0)];
    return;
  }
  if (exponent != 0) mantissa |= hidden_bit;
  // The mantissa counts 2^(lowest_exponent + position). Shifted, it has at most 85 bits.
  unsigned const position = std::max(exponent, 1U) - 1, shift = position % digit_bits;
  Index* const digit = &words_[position / digit_bits];
  std::uint64_t const low = mantissa << shift, high = (mantissa >> 1) >> (63 - shift);
  Index const sign = is_negative ? -1 : 1;
  digit[0] += sign * static_cast<Index>(low % digit_base);
  digit[1] += sign * static_cast<Index>(low / digit_base);
  digit[2] += sign * static_cast<Index>(high);
  if (++terms_since_carry_ == Index{1} << 30) carry();
}

void ExactSum::add_run(std::span<double> terms) {
  // The kernels for this processor. The kernels of all processors return the same bits.
  static local::SumKernels const kernels = local::sum_kernels(local::available_targets().front());
  double left = kernels.magnitude(terms);
  // Near the largest double, high would be infinite.
  if (!(left < 0x1p1000)) {
    for (double const term : terms) add(term);
    return;
  }
  // Mostly one turn: it takes what is above 2^-94 of the sum of absolute values. The last bit of
  // 2^-1022 is the smallest double.
  while (left > 0) {
    int const high = std::max(std::ilogb(left) + 3, -1022), low = std::max(high - 45, -1022);
    local::SumParts const parts = kernels.cut(terms, std::ldexp(1.5, high), std::ldexp(1.5, low));
    add(parts.high);
    add(parts.low);
    left = parts.left;
  }
}

void ExactSum::add(std::span<double> terms) {
  constexpr std::size_t run = 512;
  for (; terms.size() > run; terms = terms.subspan(run)) add_run(terms.first(run));
  add_run(terms);
}

ExactSum::Words ExactSum::words() const {
  ExactSum carried = *this;
  carried.carry();
  return carried.words_;
}

void ExactSum::add(ExactSum const& other) {
  carry();
  Words const more = other.words();
  for (std::size_t i = 0; i < more.size(); ++i) words_[i] += more[i];
  carry();
}

double ExactSum::value() const {
  ExactSum sum = *this;
  sum.carry();
  Words& words = sum.words_;
  bool const above = words[place_of_infinities] > 0, below = words[place_of_infinities + 1] > 0;
  if (words[place_of_nan] > 0 || (above && below)) return std::numeric_limits<double>::quiet_NaN();
  if (above || below) return (above ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  bool const is_negative = words[sum_digits - 1] < 0;
  if (is_negative) {
    for (std::size_t i = 0; i < sum_digits; ++i) words[i] = -words[i];
    sum.carry();
  }
  std::size_t top = sum_digits - 1;
  while (top > 0 && words[top] == 0) --top;
  double const sign = is_negative ? -1 : 1;
  if (top == 0) return sign * std::ldexp(static_cast<double>(words[0]), lowest_exponent);
  // The 64 leading bits, of which the last one also stands for all that follow, are rounded once.
  auto const digit = [&](std::size_t i) { return static_cast<std::uint64_t>(words[i]); };
  std::uint64_t leading = digit(top) << digit_bits | digit(top - 1);
  int const zeros = std::countl_zero(leading), lowest = static_cast<int>(top) - 1;
  std::uint64_t const next = top >= 2 ? digit(top - 2) << zeros : 0;
  leading = leading << zeros | next >> digit_bits;
  bool is_exact = next % digit_base == 0;
  for (std::size_t i = 0; i + 2 < top; ++i) is_exact = is_exact && words[i] == 0;
  if (!is_exact) leading |= 1;
  return sign *
         std::ldexp(static_cast<double>(leading), lowest_exponent + digit_bits * lowest - zeros);
}

}  // namespace sixstep
