// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers to about 75 bits, both parts at once: products take a fifth of the time of a
// WideComplex.
//
// Parts are at most 1 or little more, and errors are those of fixed point: 2^-75 whatever the value
// is. A number is split in its first 26 bits, whose products are exact, and the rest.
#pragma once

#include "local/numbers/double_double.hpp"

namespace sixstep::local {

/// Both parts of a number.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

SIXSTEP_INLINE inline Pair both(double x) { return Pair{x, x}; }
/// A number times i.
SIXSTEP_INLINE inline Pair turned(Pair x) { return Pair{-x[1], x[0]}; }

/// A number, as the sum of two.
struct WidePair {
  Pair hi, lo;
};

SIXSTEP_INLINE inline WidePair conj(WidePair const& a) {
  return {Pair{a.hi[0], -a.hi[1]}, Pair{a.lo[0], -a.lo[1]}};
}
/// Multiplies by a power of two, which is exact.
SIXSTEP_INLINE inline WidePair scaled(WidePair const& a, double factor) {
  return {a.hi * both(factor), a.lo * both(factor)};
}

/// A number whose parts are split: the first 26 bits and the rest.
struct SplitPair {
  Pair first, rest;

  SplitPair() = default;
  SIXSTEP_INLINE explicit SplitPair(WidePair const& x) {
    Pair const shift = both(0x1.8p27);  // whose last bit is 2^-25
    first = (x.hi + shift) - shift;
    rest = (x.hi - first) + x.lo;
  }
  explicit SplitPair(WideComplex const& x)
      : SplitPair(WidePair{{x.re.hi, x.im.hi}, {x.re.lo, x.im.lo}}) {}
};

/// A factor, with the sum of its first bits and rest, and with all of them times i.
struct SplitFactor {
  SplitPair number;
  Pair sum;
  Pair turned_first, turned_rest, turned_sum;

  SplitFactor() = default;
  explicit SplitFactor(SplitPair const& x)
      : number(x),
        sum(x.first + x.rest),
        turned_first(turned(x.first)),
        turned_rest(turned(x.rest)),
        turned_sum(turned(sum)) {}
};

SIXSTEP_INLINE inline WidePair operator*(SplitPair const& a, SplitFactor const& b) {
  Pair const re = both(a.first[0]), im = both(a.first[1]);
  Pair const sum = re * b.number.first + im * b.turned_first;  // exact
  Pair const rest = (re * b.number.rest + both(a.rest[0]) * b.sum) +
                    (im * b.turned_rest + both(a.rest[1]) * b.turned_sum);
  Pair const hi = sum + rest;
  return {hi, rest - (hi - sum)};
}

/// A real factor of both parts.
struct SplitReal {
  double first, rest;
};

SIXSTEP_INLINE inline WidePair operator*(SplitPair const& a, SplitReal const& b) {
  Pair const product = a.first * both(b.first);  // exact
  return {product, a.first * both(b.rest) + a.rest * both(b.first + b.rest)};
}

}  // namespace sixstep::local
