// SPDX-License-Identifier: BSD-3-Clause
// Sums of many numbers that are rounded once, so that their order does not matter.
#pragma once

#include <array>
#include <span>

#include "sixstep/index.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The sum of doubles. It is kept exactly, as a fixed-point number with room for all doubles and
/// 2^63 terms, so value() does not depend on the order of the terms, nor on how they were grouped.
class ExactSum {
 public:
  /// Integers that represent a sum. The words of up to 2^30 sums may be added to get the words of
  /// the whole sum.
  using Words = std::array<Index, 71>;

  ExactSum() = default;
  explicit ExactSum(Words const& words) : words_(words) { carry(); }

  void add(double term);
  /// Adds all terms, and overwrites them: they are the work memory.
  void add(std::span<double> terms);
  void add(ExactSum const& other);

  /// The sum, rounded to the nearest double, to the even one of two. Zero is +0, whatever the signs
  /// of the terms. NaN if a term is NaN or if there are infinities of both signs.
  double value() const;
  Words words() const;

 private:
  void add_run(std::span<double> terms);
  void carry();

  // 68 digits to the base 2^32, the last of which has the sign, and then the numbers of NaN, of
  // infinities and of negative infinities. Digit 0 counts 2^-1074, the smallest double.
  Words words_ = {};
  Index terms_since_carry_ = 0;
};

}  // namespace sixstep
#pragma GCC visibility pop
