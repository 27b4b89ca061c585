// SPDX-License-Identifier: BSD-3-Clause
// A transform for a length: its program, and the instruction set that runs it.
#include "local/transform.hpp"

#include "local/columns.hpp"
#include "local/dense.hpp"
#include "local/program.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

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
