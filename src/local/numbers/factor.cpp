// SPDX-License-Identifier: BSD-3-Clause
// Chooses radices: the cheapest product, by dynamic programming over exponents.
#include "local/numbers/factor.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "local/numbers/primes.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// Exponents of 2, 3, 5, 7, 11, 13.
constexpr std::array<int, 6> small_primes{2, 3, 5, 7, 11, 13};
using Exponents = std::array<int, small_primes.size()>;

// Vector instructions for each row, plus the load, twiddle and store of every pass.
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

// The cost of a prime that is computed by the definition, from measurements.
double direct_cost(Index p) { return 10 + 0.75 * static_cast<double>(p); }

// Divides the small primes out of n and returns their exponents.
Exponents small_exponents(Index& n) {
  Exponents exponents{};
  for (std::size_t i = 0; i < small_primes.size(); ++i)
    for (; n % small_primes[i] == 0; n /= small_primes[i]) ++exponents[i];
  return exponents;
}

std::array<Exponents, small_radices.size()> const& exponents_of_radices() {
  static auto const all = [] {
    std::array<Exponents, small_radices.size()> exponents;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      Index rest = small_radices[i];
      exponents[i] = small_exponents(rest);
    }
    return exponents;
  }();
  return all;
}

bool subtract(Exponents& from, Exponents const& taken) {
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
    for (std::size_t i = 0; i < small_radices.size(); ++i) {
      Exponents rest = exponents;
      if (!subtract(rest, exponents_of_radices()[i])) continue;
      double const cost = radix_cost(small_radices[i]) + (*this)(rest).cost;
      if (cost <= best.cost) best = {cost, small_radices[i]};
    }
    return answers_.emplace(exponents, best).first->second;
  }

 private:
  std::map<Exponents, Answer> answers_;
};

/// The products that this thread has found for its plans.
CheapestProduct& cheapest_product() {
  thread_local CheapestProduct found;
  return found;
}

// The measured best order is ascending. If a pass of 16 would then be last, and at least two
// factors are from 8 to 15, the smallest of these comes last instead: 16 rows a power of two apart
// are more than the ways of a first-level cache.
void order_small(std::vector<Index>& factors, RadixOrder order) {
  bool const measured = order == RadixOrder::measured;
  if (measured && factors == std::vector<Index>{8, 8}) factors = {4, 16};
  std::sort(factors.begin(), factors.end());
  if (order == RadixOrder::descending) std::reverse(factors.begin(), factors.end());
  if (!measured) return;
  auto const eight = std::lower_bound(factors.begin(), factors.end(), 8);
  auto const sixteen = std::lower_bound(factors.begin(), factors.end(), 16);
  if (sixteen != factors.end() && sixteen - eight >= 2)
    std::rotate(eight, eight + 1, factors.end());
}

// Like smooth_cost().
double cost_of(Index n, CheapestProduct& cheapest) {
  Index rest = n;
  double row_cost = cheapest(small_exponents(rest)).cost;
  for (Index p : prime_factors(rest)) row_cost += direct_cost(p);
  return static_cast<double>(n) * row_cost;
}

}  // namespace

std::vector<Index> radices(Index n, RadixOrder order) {
  require(n >= 1, "transform: the length is ", n, ", it must be positive");
  Exponents exponents = small_exponents(n);
  std::vector<Index> factors;
  while (exponents != Exponents{}) {
    factors.push_back(cheapest_product()(exponents).radix);
    Index radix = factors.back();
    subtract(exponents, small_exponents(radix));
  }
  order_small(factors, order);
  std::ranges::copy(prime_factors(n), std::back_inserter(factors));
  return factors;
}

bool is_smooth(Index n) {
  small_exponents(n);
  for (Index p = smallest_direct; p <= largest_direct; p += 2)
    while (n % p == 0) n /= p;
  return n == 1;
}

double smooth_cost(Index n) { return cost_of(n, cheapest_product()); }

Index cheapest_smooth(Index n, Index multiple) {
  constexpr Index longest = Index{1} << 62;
  require(n <= longest && multiple <= longest, "transform: a convolution of ",
          std::max(n, multiple), " points is too long, at most 2^62 are possible");
  CheapestProduct& cheapest = cheapest_product();
  Index best = multiple;
  while (best < n) best *= 2;
  double best_cost = cost_of(best, cheapest);
  // Lengths below the power of two, with only the primes that pay.
  Index const limit = best, most = limit / multiple;
  for (Index seven = 1; seven <= 7; seven *= 7)
    for (Index five = seven; five <= most && five <= 25 * seven; five *= 5)
      for (Index three = five; three <= most && three <= 81 * five; three *= 3) {
        Index length = three * multiple;
        while (length < n) length *= 2;
        if (length >= limit) continue;
        double const cost = cost_of(length, cheapest);
        if (cost < best_cost) {
          best = length;
          best_cost = cost;
        }
      }
  return best;
}

}  // namespace sixstep::local
