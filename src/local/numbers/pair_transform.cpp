// SPDX-License-Identifier: BSD-3-Clause
// Stockham's passes: before a pass of radix r, number q + s (p + m k) is number p + m k of
// transform q among s of r m points. Each pass divides by its radix, so that numbers stay below 1.
#include "local/numbers/pair_transform.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "local/numbers/at.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local {

namespace {

SplitReal split_real(DoubleDouble value) {
  SplitPair const pair(WidePair{both(value.hi), both(value.lo)});
  return {pair.first[0], pair.rest[0]};
}

/// A transform of `radix` numbers: 4, or a prime. x[k] and x[radix - k] share their products.
class PairButterfly {
 public:
  explicit PairButterfly(Index radix) : radix_(radix), sums_(at(radix)), differences_(at(radix)) {
    for (Index k = 0; k < radix; ++k) {
      WideComplex const root = wide_root(k, radix);
      cosines_.push_back(split_real(root.re));
      sines_.push_back(split_real(root.im));
    }
  }

  void run(WidePair* x) {
    if (radix_ == 2) return run_2(x);
    if (radix_ == 4) return run_4(x);
    run_odd(x);
  }

 private:
  static void run_2(WidePair* x) {
    WidePair const first = x[0];
    x[0] = first + x[1];
    x[1] = first - x[1];
  }

  static void run_4(WidePair* x) {
    WidePair const even = x[0] + x[2], even_rest = x[0] - x[2];
    WidePair const odd = x[1] + x[3], odd_rest = turned(x[1] - x[3]);
    x[0] = even + odd;
    x[1] = even_rest - odd_rest;
    x[2] = even - odd;
    x[3] = even_rest + odd_rest;
  }

  void run_odd(WidePair* x) {
    WidePair const first = x[0];
    for (Index k = 1; 2 * k < radix_; ++k) {
      WidePair const sum = x[k] + x[radix_ - k];
      x[0] = x[0] + sum;
      sums_[at(k)] = SplitPair(sum);
      differences_[at(k)] = SplitPair(turned(x[k] - x[radix_ - k]));
    }
    for (Index j = 1; 2 * j < radix_; ++j) {
      WidePair even = first, odd{};
      for (Index k = 1, power = j; 2 * k < radix_; ++k) {
        even = even + sums_[at(k)] * cosines_[at(power)];
        odd = odd + differences_[at(k)] * sines_[at(power)];
        power += power + j < radix_ ? j : j - radix_;
      }
      x[j] = even + odd;
      x[radix_ - j] = even - odd;
    }
  }

  Index radix_;
  std::vector<SplitReal> cosines_, sines_;
  std::vector<SplitPair> sums_, differences_;
};

/// 4 as often as it divides n, and prime factors, the largest first.
std::vector<Index> pair_radices(Index n) {
  std::vector<Index> factors;
  for (; n % 4 == 0; n /= 4) factors.push_back(4);
  for (Index const p : prime_factors(n)) factors.push_back(p);
  std::sort(factors.rbegin(), factors.rend());
  return factors;
}

/// One pass, with `s` as above.
void pass(Index radix, Index s, Roots const& roots, std::vector<WidePair> const& from,
          std::vector<WidePair>& to) {
  Index const m = roots.n() / (s * radix);
  auto const whole = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(radix)));
  SplitReal const rest = split_real(DoubleDouble{whole, 0} / wide_integer(radix));
  PairButterfly butterfly(radix);
  std::vector<WidePair> x(at(radix));
  std::vector<SplitFactor> factors(at(radix));
  for (Index p = 0; p < m; ++p) {
    for (Index j = 0; j < radix; ++j)
      factors[at(j)] = SplitFactor(SplitPair(SplitPair(roots.pair(p * j * s)) * rest));
    for (Index q = 0; q < s; ++q) {
      for (Index k = 0; k < radix; ++k) x[at(k)] = scaled(from[at(q + s * (p + m * k))], 1 / whole);
      butterfly.run(x.data());
      for (Index j = 0; j < radix; ++j)
        to[at(q + s * (radix * p + j))] = SplitPair(x[at(j)]) * factors[at(j)];
    }
  }
}

}  // namespace

template <class Real>
std::vector<Real> mean_transform(std::vector<WidePair> values) {
  auto const n = static_cast<Index>(values.size());
  Roots const roots(n);
  std::vector<WidePair> other(values.size());
  Index s = 1;
  for (Index const radix : pair_radices(n)) {
    pass(radix, s, roots, values, other);
    std::swap(values, other);
    s *= radix;
  }
  std::vector<Real> result;
  result.reserve(2 * values.size());
  for (WidePair const& value : values)
    for (int part : {0, 1}) {
      double const hi = value.hi[part] + value.lo[part];
      result.push_back(rounded<Real>(DoubleDouble{hi, (value.hi[part] - hi) + value.lo[part]}));
    }
  return result;
}

template std::vector<float> mean_transform(std::vector<WidePair>);
template std::vector<double> mean_transform(std::vector<WidePair>);

}  // namespace sixstep::local
