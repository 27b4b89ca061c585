// SPDX-License-Identifier: BSD-3-Clause
// Tools for pointwise work: precisions, loops that threads share, products.
#pragma once

#include <memory>

#include "base/run_team.hpp"
#include "formulas/formula.hpp"
#include "local/numbers/complex.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::formulas {

/// A Work<float> or a Work<double> made of `parts`.
template <template <class> class Work, class... Parts>
std::unique_ptr<Pointwise> in_precision(int real_bytes, Parts const&... parts) {
  if (real_bytes == sizeof(float)) return std::make_unique<Work<float>>(parts...);
  return std::make_unique<Work<double>>(parts...);
}

/// Calls body(i) for 0 <= i < n, in any order.
template <class Body>
void for_each(Index n, int threads, Body const& body) {
  constexpr Index worth_a_thread = 4096;
  if (n < worth_a_thread) threads = 1;
  share_in_stretches(n, threads, [&](Index i, int) { body(i); });
}

using local::times;

}  // namespace sixstep::formulas
