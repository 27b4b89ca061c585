// SPDX-License-Identifier: BSD-3-Clause
// The random numbers that HPCC's G-FFT transforms: each has 53 bits of a normal number alpha.
//
// Source: Bailey and Crandall, "Random generators and normal numbers", Experimental Mathematics 11
// (2002), 527-546. The bits of alpha = sum_k 1 / (3^k 2^(3^k)) from bit 3^33 on repeat those of a
// fraction over 3^33 until the next term begins, after more than 10^16 bits. HPCC begins b = 100
// bits after bit 3^33:
//
//   d_0 = floor(3^33 / 2) 2^b mod 3^33,  d_(i+1) = 2^53 d_i mod 3^33,  number i = d_i / 3^33
#pragma once

#include <cstdint>

#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// The sequence from a given number on, each number in (0, 1). Ranks and threads can begin
/// anywhere, and so make their parts of one sequence.
class NormalNumber {
 public:
  explicit NormalNumber(Index first)
      : d_(times(modulus / 2, power_of_2(100 + 53 * static_cast<Word>(first)))) {}

  double next() {
    double const number = static_cast<double>(d_) * (1.0 / static_cast<double>(modulus));
    // Shoup's product with a constant: the quotient is exact or too small by one.
    Word const quotient = static_cast<Word>((Wide{step_quotient} * d_) >> 64);
    d_ = step * d_ - quotient * modulus;
    if (d_ >= modulus) d_ -= modulus;
    return number;
  }

 private:
  using Word = std::uint64_t;
  __extension__ using Wide = unsigned __int128;

  static constexpr Word modulus = 5559060566555523;  // 3^33
  static constexpr Word step = (Word{1} << 53) % modulus;
  static constexpr Word step_quotient = static_cast<Word>((Wide{step} << 64) / modulus);

  static Word times(Word a, Word b) { return static_cast<Word>(Wide{a} * b % modulus); }
  static Word power_of_2(Word exponent) {
    Word power = 1;
    for (Word square = 2; exponent > 0; exponent /= 2, square = times(square, square))
      if (exponent % 2 == 1) power = times(power, square);
    return power;
  }

  Word d_;  // below the modulus
};

}  // namespace sixstep::cli
