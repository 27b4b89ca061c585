// SPDX-License-Identifier: BSD-3-Clause
// A transform for a length: its program, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/caches.hpp"
#include "local/columns.hpp"
#include "local/dense.hpp"
#include "local/long_transform.hpp"
#include "local/program.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// The kernels' rows of a longer one would not stay in the second-level cache.
Index longest_in_cache() { return caches().second / 128; }

// The smallest factor of n that is no smaller than its square root.
Index larger_factor(Index n) {
  Index smaller = 1;
  for (Index f = 2; f <= n / f; ++f)
    if (n % f == 0) smaller = f;
  return n / smaller;
}

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n) {
  if (n > longest_in_cache()) {
    if (auto rows = make_rows<Real>(n, chosen_target()))
      return make_gathered<Real>(std::move(rows));
    Index const fast = larger_factor(n);
    if (fast < n) return make_two_level<Real>(n / fast, fast);
    return make_convolved<Real>(n);
  }
  return make_columns(Program<Real>(n), chosen_target());
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
