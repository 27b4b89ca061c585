// SPDX-License-Identifier: BSD-3-Clause
// Columns of numbers to about 75 bits: their parts, their memory, and the passes that transform
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "local/numbers/at.hpp"
#include "local/numbers/pairs.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local::pair_columns {

/// The most lanes of a vector. Neighbours in a block of as many have roots that are products of the
/// same factor, whatever a vector has.
inline constexpr Index block = 8;

/// The first bits and the rest of a number's parts.
struct FourParts {
  double first_re, first_im, rest_re, rest_im;

  FourParts() = default;
  explicit FourParts(SplitPair const& x)
      : first_re(x.first[0]), first_im(x.first[1]), rest_re(x.rest[0]), rest_im(x.rest[1]) {}
};

inline SplitReal split_real(DoubleDouble value) {
  SplitPair const pair(WidePair{both(value.hi), both(value.lo)});
  return {pair.first[0], pair.rest[0]};
}

/// Memory for `count` numbers from the begin of a cache line on, without values.
class LinesOfDoubles {
 public:
  explicit LinesOfDoubles(Index count)
      : memory_(std::make_unique_for_overwrite<double[]>(at(count) + line)) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.get()) / sizeof(double);
    first_ = memory_.get() + (line - address % line) % line;
  }
  double* first() const { return first_; }

 private:
  static constexpr std::size_t line = 64 / sizeof(double);

  std::unique_ptr<double[]> memory_;
  double* first_;
};

/// 4 as often as it divides n, and prime factors, the largest first.
inline std::vector<Index> pair_radices(Index n) {
  std::vector<Index> factors;
  for (; n % 4 == 0; n /= 4) factors.push_back(4);
  for (Index const p : prime_factors(n)) factors.push_back(p);
  std::sort(factors.rbegin(), factors.rend());
  return factors;
}

/// The passes of columns of n numbers.
struct ColumnPlan {
  struct Pass {
    Index radix, s;
    std::vector<FourParts> factors;  // [p][j]: w^(p j), divided by the radix
    std::vector<FourParts> roots;    // of a butterfly that is neither 2 nor 4
  };

  explicit ColumnPlan(Index points) : n(points) {
    Roots const roots(n);
    Index s = 1;
    for (Index const radix : pair_radices(n)) {
      Pass pass{radix, s, {}, {}};
      SplitReal const part = split_real(DoubleDouble{1, 0} / wide_integer(radix));
      Index const m = n / (s * radix);
      pass.factors.reserve(at(m * radix));
      for (Index p = 0; p < m; ++p)
        for (Index j = 0; j < radix; ++j)
          pass.factors.emplace_back(SplitPair(SplitPair(roots.pair(p * j * s)) * part));
      if (radix != 2 && radix != 4)
        for (Index k = 0; k < radix; ++k)
          pass.roots.emplace_back(SplitPair(roots.pair(k * (n / radix))));
      passes.push_back(std::move(pass));
      s *= radix;
    }
  }

  Index n;
  std::vector<Pass> passes;
};

}  // namespace sixstep::local::pair_columns
