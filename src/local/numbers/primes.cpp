// SPDX-License-Identifier: BSD-3-Clause
// Primes: small ones by division, large ones by the Miller-Rabin test and Pollard's rho.
#include "local/numbers/primes.hpp"

#include <algorithm>
#include <numeric>

#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using Wide = __int128;

// Smaller primes are divided out, so the rest is prime if it is below the square of this.
constexpr Index divided_out = 1 << 10;

// Whether the odd number n passes the test for this base: with n - 1 = 2^s d, base^d is 1, or it or
// one of its repeated squares is -1.
bool passes(Index n, Index base) {
  Index d = n - 1;
  int s = 0;
  for (; d % 2 == 0; d /= 2) ++s;
  Index power = power_modulo(base, d, n);
  if (power == 1 || power == n - 1) return true;
  while (--s > 0) {
    power = product_modulo(power, power, n);
    if (power == n - 1) return true;
  }
  return false;
}

// A divisor of n other than 1 and n. n must be odd and not prime. Pollard (1975): the sequence
// x -> x^2 + c repeats modulo a divisor d after about sqrt(d) steps.
Index any_divisor(Index n) {
  for (Index c = 1;; ++c) {
    auto const next = [&](Index x) {
      return static_cast<Index>((static_cast<Wide>(x) * x + c) % n);
    };
    Index slow = 2, fast = 2, common = 1;
    while (common == 1) {
      slow = next(slow);
      fast = next(next(fast));
      common = std::gcd(slow - fast, n);
    }
    if (common != n) return common;
  }
}

// Appends the prime factors of n > 1, which has no small ones.
void append_large(Index n, std::vector<Index>& primes) {
  if (n < divided_out * divided_out || is_prime(n)) {
    primes.push_back(n);
    return;
  }
  Index const divisor = any_divisor(n);
  append_large(divisor, primes);
  append_large(n / divisor, primes);
}

}  // namespace

Index product_modulo(Index a, Index b, Index n) {
  return static_cast<Index>(static_cast<Wide>(a) * b % n);
}

Index power_modulo(Index base, Index exponent, Index modulus) {
  Index result = 1 % modulus;
  for (Index square = base % modulus; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product_modulo(result, square, modulus);
    square = product_modulo(square, square, modulus);
  }
  return result;
}

// These bases suffice below 2^64. Source: Sorenson and Webster, "Strong pseudoprimes to twelve
// prime bases", Mathematics of Computation 86 (2017).
bool is_prime(Index n) {
  constexpr Index bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (n < 2) return false;
  for (Index const p : bases)
    if (n % p == 0) return n == p;
  return std::ranges::all_of(bases, [&](Index base) { return passes(n, base); });
}

std::vector<Index> prime_factors(Index n) {
  std::vector<Index> primes;
  for (Index p = 2; p < divided_out && p <= n / p; p += p == 2 ? 1 : 2)
    for (; n % p == 0; n /= p) primes.push_back(p);
  if (n == 1) return primes;
  append_large(n, primes);
  std::ranges::sort(primes);
  return primes;
}

std::vector<Index> divisors(Index n) {
  std::vector<Index> found{1};
  std::size_t before = 0;  // the divisors without the current prime
  Index last = 1, power = 1;
  for (Index const p : prime_factors(n)) {
    if (p != last) before = found.size();
    power = p == last ? power * p : p;
    for (std::size_t i = 0; i < before; ++i) found.push_back(found[i] * power);
    last = p;
  }
  std::ranges::sort(found);
  return found;
}

Index primitive_root(Index p) {
  std::vector<Index> const primes = prime_factors(p - 1);
  for (Index g = 1; g < p; ++g) {
    bool const generates = std::ranges::all_of(
        primes, [&](Index q) { return power_modulo(g, (p - 1) / q, p) != 1 % p; });
    if (generates) return g;
  }
  throw Error(text("primitive root: ", p, " is not a prime"));
}

}  // namespace sixstep::local
