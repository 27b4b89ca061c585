// SPDX-License-Identifier: BSD-3-Clause
// Prime numbers, and the prime factors of others.
//
// Exact and fast for all numbers up to 2^62. Knows nothing about transforms.
#pragma once

#include <vector>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// a b mod n, for a and b below n, and n < 2^62.
Index product_modulo(Index a, Index b, Index n);

/// b^e mod m, m < 2^62.
Index power_modulo(Index base, Index exponent, Index modulus);

bool is_prime(Index n);

/// The primes whose product is n >= 1, ascending, each as often as it divides n.
std::vector<Index> prime_factors(Index n);

/// All divisors of n >= 1, ascending.
std::vector<Index> divisors(Index n);

/// A generator of the multiplicative group modulo the prime p.
Index primitive_root(Index p);

}  // namespace sixstep::local
