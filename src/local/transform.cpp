// SPDX-License-Identifier: BSD-3-Clause
// A transform for a length: its program, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/columns.hpp"
#include "local/program.hpp"
#include "local/targets.hpp"

namespace sixstep::local {
namespace {

// Rows of a group take n 2 L numbers. Very long columns are few, and most lanes of a wide vector
// would be idle and yet need memory: from here on, the narrowest vectors that are worth the name.
constexpr Index long_length = Index{1} << 18;

Target target_for(Index n) {
  Target const chosen = chosen_target();
#if HWY_ARCH_X86
  if (n >= long_length && chosen < HWY_SSE4) {
    for (Target target : available_targets())
      if (target == HWY_SSE4) return target;
  }
#endif
  return chosen;
}

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n) {
  return make_columns(Program<Real>(n), target_for(n));
}

template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index);
template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index);

std::string instruction_set() { return hwy::TargetName(chosen_target()); }

}  // namespace sixstep::local
