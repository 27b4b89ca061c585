// SPDX-License-Identifier: BSD-3-Clause
// Makes the transform for a length: its recipe, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/caches.hpp"
#include "local/dense.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/long_columns.hpp"
#include "local/long_transform.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/recipe.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/one_column.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// The longest length for which the rows of the kernels stay in `bytes` of a cache.
Index longest_in(Index bytes) { return bytes / row_bytes(chosen_target()); }

// The longest column that fits in its share of the second-level cache.
Index longest_in_cache(Tuning const& tuning) {
  return longest_in(tuning.rows_of_second.of(caches().second));
}

// Whether the convolution that a prime factor p without a butterfly needs can be computed in cache.
// It has at least 2 p rows, and as many for its result. p is the last radix as it is the largest.
bool has_short_convolution(Index n, Tuning const& tuning) {
  return n == 1 || radices(n).back() <= tuning.cached_prime_of_longest.of(longest_in_cache(tuning));
}

// Whether columns of length n can be transformed in cache.
bool stays_in_cache(Index n, Tuning const& tuning) {
  return n <= longest_in_cache(tuning) && has_short_convolution(n, tuning);
}

// Whether one column of n points is best transformed by rows of its largest prime factor: it stays
// in the second-level cache, or it has so few rows that their results can be written side by side.
template <class Real>
bool suits_rows_of_prime(Index n) {
  constexpr Index most_rows = 16;
  return 2 * n * Index{sizeof(std::complex<Real>)} <= caches().second ||
         n / prime_factors(n).back() <= most_rows;
}

// The smallest factor of n that is at least its square root.
Index larger_factor(Index n) {
  std::vector<Index> const factors = divisors(n);
  return factors[factors.size() / 2];
}

/// The best transform for contiguous columns or for few columns, and for all columns if they stay
/// in the second-level cache.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_single(Index n, Tuning const& tuning) {
  if (!stays_in_cache(n, tuning)) {
    if (auto rows = make_rows<Real>(n, chosen_target(), tuning, Purpose::many_columns))
      return make_gathered<Real>(std::move(rows));
    Index const fast = larger_factor(n);
    if (fast < n) return make_two_level<Real>(n / fast, fast, tuning);
    return make_convolved<Real>(n, tuning);
  }
  return make_columns(Recipe<Real>(n, tuning), chosen_target(), tuning);
}

/// The only transform of a length if results are to be reproducible.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_reproducible(Index n, Tuning const& tuning) {
  if (n <= longest_reproducible && (n == 1 || radices(n).back() <= largest_reproducible_prime))
    return make_reproducible_columns(Recipe<Real>(n, reproducible_radices(n), of_recipes(tuning)),
                                     chosen_target(), tuning);
  Index const fast = larger_factor(n);
  return fast < n ? make_two_level<Real>(n / fast, fast, tuning) : make_convolved<Real>(n, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_own(Index n, Tuning const& tuning) {
  if (is_reproducible(tuning)) return make_reproducible<Real>(n, tuning);
  auto single = make_single<Real>(n, tuning);
  if (stays_in_cache(n, tuning)) return single;
  if (n <= longest_in(tuning.rows_of_third.of(third_bytes(tuning))) &&
      has_short_convolution(n, tuning))
    return make_side_by_side<Real>(make_columns(Recipe<Real>(n, tuning), chosen_target(), tuning),
                                   std::move(single));
  // Use two levels if neither is too short or too long.
  Index const slow = larger_factor(n);
  bool const too_long = slow > tuning.level_of_longest.of(longest_in_cache(tuning));
  if (n / slow < tuning.shortest_level || too_long) return single;
  return make_long_columns<Real>(slow, n / slow, std::move(single), tuning);
}

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n, Local whose,
                                                              Tuning const& tuning) {
  if (whose == Local::own) return make_own<Real>(n, tuning);
  return make_dense<Real>(n, library<Real>(whose), tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_one_column(Index n) {
  Tuning const tuning;
  if (auto rows = make_rows<Real>(n, chosen_target(), tuning, Purpose::one_column))
    return make_gathered<Real>(std::move(rows));
  if (n > 1 && suits_rows_of_prime<Real>(n))
    if (auto with_prime = make_with_prime<Real>(n, tuning)) return with_prime;
  return make_single<Real>(n, tuning);
}

template <class Real>
bool suits_one_by_one(Index n, Index columns) {
  if (columns == 1) return true;
  if (n == 1 || 4 * columns > 3 * vector_lanes<Real>()) return false;
  Index const prime = prime_factors(n).back();
  if (n <= most_codelet_points) return prime >= smallest_direct && has_codelets(chosen_target());
  return prime > largest_direct && stays_in_cache(n, {}) && suits_rows_of_prime<Real>(n);
}

template <class Real>
std::string kernels_of(Local whose) {
  if (whose == Local::own) return instruction_set();
  return text(name_of(whose), " (", library<Real>(whose).name, ")");
}

template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local,
                                                                        Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local,
                                                                         Tuning const&);
template std::unique_ptr<Transform<std::complex<float>>> make_one_column(Index);
template std::unique_ptr<Transform<std::complex<double>>> make_one_column(Index);
template bool suits_one_by_one<float>(Index, Index);
template bool suits_one_by_one<double>(Index, Index);
template std::string kernels_of<float>(Local);
template std::string kernels_of<double>(Local);

std::string instruction_set() { return name_of(chosen_target()); }

}  // namespace sixstep::local
