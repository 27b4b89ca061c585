// SPDX-License-Identifier: BSD-3-Clause
// Makes the transform for a length: its recipe, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/caches.hpp"
#include "local/dense.hpp"
#include "local/kernels/columns.hpp"
#include "local/long_columns.hpp"
#include "local/long_transform.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/recipe.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// The longest length for which the rows of the kernels stay in the second-level cache.
Index longest_in_cache(Tuning const& tuning) { return caches().second / tuning.cached_row_bytes; }

// Whether columns of length n can be transformed in cache. A prime p without a butterfly, which is
// the last radix because it is the largest, needs the rows of its convolution, at least 2 p, and as
// many for its result.
bool stays_in_cache(Index n, Tuning const& tuning) {
  Index const longest = longest_in_cache(tuning);
  return n <= longest &&
         (n == 1 || radices(n).back() <= tuning.cached_prime_of_longest.of(longest));
}

// The smallest factor of n that is at least its square root.
Index larger_factor(Index n) {
  std::vector<Index> const factors = divisors(n);
  return factors[factors.size() / 2];
}

/// The best transform for contiguous columns or for few columns, and for all columns if they stay
/// in cache.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_single(Index n, Tuning const& tuning) {
  if (!stays_in_cache(n, tuning)) {
    if (auto rows = make_rows<Real>(n, chosen_target(), tuning))
      return make_gathered<Real>(std::move(rows));
    Index const fast = larger_factor(n);
    if (fast < n) return make_two_level<Real>(n / fast, fast, tuning);
    return make_convolved<Real>(n, tuning);
  }
  return make_columns(Recipe<Real>(n, tuning), chosen_target(), tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_own(Index n, Tuning const& tuning) {
  auto single = make_single<Real>(n, tuning);
  Index const longest = longest_in_cache(tuning);
  // Use two levels if the rows of a group and of its result would not both stay in the second-level
  // cache, and if neither level is too short or too long.
  Index const slow = n > tuning.column_of_longest.of(longest) ? larger_factor(n) : n;
  if (n / slow < tuning.shortest_level || slow > tuning.level_of_longest.of(longest)) return single;
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
std::string kernels_of(Local whose) {
  if (whose == Local::own) return instruction_set();
  return text(name_of(whose), " (", library<Real>(whose).name, ")");
}

template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local,
                                                                        Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local,
                                                                         Tuning const&);
template std::string kernels_of<float>(Local);
template std::string kernels_of<double>(Local);

std::string instruction_set() { return name_of(chosen_target()); }

}  // namespace sixstep::local
