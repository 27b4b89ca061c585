// SPDX-License-Identifier: BSD-3-Clause
// The choice of radices: the cheapest product, by dynamic programming over exponents.
#include "local/numbers/factor.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace sixstep::local {
namespace {

// Exponents of 2, 3, 5, 7, 11, 13.
constexpr std::array<int, 6> small_primes{2, 3, 5, 7, 11, 13};
using Exponents = std::array<int, small_primes.size()>;

// Vector instructions a row, and the load, twiddle and store that every pass adds to them.
double radix_cost(int radix) {
  constexpr double pass = 7;
  switch (radix) {
    case 2:
      return pass + 2;
    case 3:
      return pass + 5;
    case 4:
      return pass + 4;
    case 5:
      return pass + 8;
    case 6:
      return pass + 7;
    case 7:
      return pass + 13;
    case 8:
      return pass + 6.5;
    case 9:
      return pass + 12;
    case 10:
      return pass + 10;
    case 11:
      return pass + 22;
    case 12:
      return pass + 9.5;
    case 13:
      return pass + 26;
    case 14:
      return pass + 16.5;
    case 15:
      return pass + 15;
    default:
      return pass + 10;
  }
}

// The same of a prime that is summed up by the definition, from measurements.
double direct_cost(Index p) { return 10 + 0.75 * static_cast<double>(p); }

// Divides the small primes out of n; what is left of it stays in n.
Exponents small_exponents(Index& n) {
  Exponents exponents{};
  for (std::size_t i = 0; i < small_primes.size(); ++i)
    for (; n % small_primes[i] == 0; n /= small_primes[i]) ++exponents[i];
  return exponents;
}

bool subtract(Exponents& from, int radix) {
  Index rest = radix;
  Exponents const taken = small_exponents(rest);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    from[i] -= taken[i];
    if (from[i] < 0) return false;
  }
  return true;
}

class CheapestProduct {
 public:
  struct Answer {
    double cost = 0;
    int radix = 1;  // the largest of the product
  };

  Answer const& operator()(Exponents const& exponents) {
    auto const known = answers_.find(exponents);
    if (known != answers_.end()) return known->second;
    Answer best;
    if (exponents != Exponents{}) best.cost = std::numeric_limits<double>::infinity();
    for (int radix : small_radices) {
      Exponents rest = exponents;
      if (!subtract(rest, radix)) continue;
      double const cost = radix_cost(radix) + (*this)(rest).cost;
      if (cost <= best.cost) best = {cost, radix};
    }
    return answers_.emplace(exponents, best).first->second;
  }

 private:
  std::map<Exponents, Answer> answers_;
};

// By measurement: ascending, but where a pass of 16 would be the last, an 8 or so takes its place
// if there is one to spare. 16 rows a power of two apart are more than a first-level cache has
// ways.
void order_small(std::vector<Index>& factors) {
  if (factors == std::vector<Index>{8, 8}) factors = {4, 16};
  std::sort(factors.begin(), factors.end());
  auto const eight = std::lower_bound(factors.begin(), factors.end(), 8);
  auto const sixteen = std::lower_bound(factors.begin(), factors.end(), 16);
  if (sixteen != factors.end() && sixteen - eight >= 2)
    std::rotate(eight, eight + 1, factors.end());
}

// The prime factors of n, which has none of small_primes; ascending.
std::vector<Index> large_primes(Index n) {
  std::vector<Index> primes;
  for (Index p = smallest_direct; p <= n / p; p += 2)
    for (; n % p == 0; n /= p) primes.push_back(p);
  if (n > 1) primes.push_back(n);
  return primes;
}

}  // namespace

std::vector<Index> radices(Index n) {
  require(n >= 1, "transform: the length is ", n, ", it must be positive");
  Exponents exponents = small_exponents(n);
  CheapestProduct cheapest;
  std::vector<Index> factors;
  while (exponents != Exponents{}) {
    int const radix = cheapest(exponents).radix;
    factors.push_back(radix);
    subtract(exponents, radix);
  }
  order_small(factors);
  std::ranges::copy(large_primes(n), std::back_inserter(factors));
  return factors;
}

bool is_smooth(Index n) {
  small_exponents(n);
  return std::ranges::all_of(large_primes(n), is_direct);
}

double smooth_cost(Index n) {
  Index rest = n;
  double row_cost = CheapestProduct()(small_exponents(rest)).cost;
  for (Index p : large_primes(rest)) row_cost += direct_cost(p);
  return static_cast<double>(n) * row_cost;
}

Index cheapest_smooth(Index n, Index multiple) {
  Index best = multiple;
  while (best < n) best *= 2;
  double best_cost = smooth_cost(best);
  // No longer than the power of two, and only the primes that pay.
  Index const limit = best;
  for (Index seven = 1; seven <= 7; seven *= 7)
    for (Index five = seven; five <= limit && five <= 25 * seven; five *= 5)
      for (Index three = five; three <= limit && three <= 81 * five; three *= 3) {
        Index length = three * multiple;
        while (length < n) length *= 2;
        if (length >= limit) continue;
        double const cost = smooth_cost(length);
        if (cost < best_cost) {
          best = length;
          best_cost = cost;
        }
      }
  return best;
}

Index power_modulo(Index base, Index exponent, Index modulus) {
  __int128 result = 1 % modulus;
  __int128 square = base % modulus;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * square % modulus;
    square = square * square % modulus;
  }
  return static_cast<Index>(result);
}

Index primitive_root(Index p) {
  std::vector<Index> divisors;  // prime ones of p - 1
  Index rest = p - 1;
  for (Index q = 2; q <= rest / q; ++q) {
    if (rest % q == 0) divisors.push_back(q);
    while (rest % q == 0) rest /= q;
  }
  if (rest > 1) divisors.push_back(rest);
  for (Index g = 1; g < p; ++g) {
    bool const generates = std::all_of(divisors.begin(), divisors.end(), [&](Index q) {
      return power_modulo(g, (p - 1) / q, p) != 1 % p;
    });
    if (generates) return g;
  }
  throw Error(text("primitive root: ", p, " is not a prime"));
}

}  // namespace sixstep::local
