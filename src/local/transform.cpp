// SPDX-License-Identifier: BSD-3-Clause
// A transform for a length: its program, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/caches.hpp"
#include "local/columns.hpp"
#include "local/dense.hpp"
#include "local/factor.hpp"
#include "local/long_columns.hpp"
#include "local/long_transform.hpp"
#include "local/primes.hpp"
#include "local/program.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// The kernels' rows of a longer one would not stay in the second-level cache.
Index longest_in_cache() { return caches().second / 128; }

// The rows of a convolution, which are at least twice as many as a prime, and of its result would
// not. The last of the radices is the largest prime that has no butterfly.
bool stays_in_cache(Index n) {
  return n <= longest_in_cache() && (n == 1 || radices(n).back() <= longest_in_cache() / 4);
}

// The smallest factor of n that is no smaller than its square root.
Index larger_factor(Index n) {
  std::vector<Index> const factors = divisors(n);
  return factors[factors.size() / 2];
}

/// For columns that are contiguous, or few.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_single(Index n) {
  if (!stays_in_cache(n)) {
    if (auto rows = make_rows<Real>(n, chosen_target()))
      return make_gathered<Real>(std::move(rows));
    Index const fast = larger_factor(n);
    if (fast < n) return make_two_level<Real>(n / fast, fast);
    return make_convolved<Real>(n);
  }
  return make_columns(Program<Real>(n), chosen_target());
}

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n) {
  constexpr Index least_factor = 16;
  auto single = make_single<Real>(n);
  // The rows of a group and of its result would not stay in the second-level cache.
  Index const slow = 2 * n > longest_in_cache() ? larger_factor(n) : n;
  if (n / slow < least_factor || slow > longest_in_cache() / 4) return single;
  return make_long_columns<Real>(slow, n / slow, std::move(single));
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n, Local whose) {
  if (whose == Local::own) return make_transform<Real>(n);
  return make_dense<Real>(n, library<Real>(whose));
}

template <class Real>
std::string kernels_of(Local whose) {
  if (whose == Local::own) return instruction_set();
  return text(name_of(whose), " (", library<Real>(whose).name, ")");
}

template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index);
template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local);
template std::string kernels_of<float>(Local);
template std::string kernels_of<double>(Local);

std::string instruction_set() { return hwy::TargetName(chosen_target()); }

}  // namespace sixstep::local
