// SPDX-License-Identifier: BSD-3-Clause
// The choice of an instruction set: the machine's best, or the user's.
#include "local/targets.hpp"

#include <cstdlib>

#include "sixstep/error.hpp"

namespace sixstep::local {

std::vector<Target> available_targets() {
  std::vector<Target> targets = hwy::SupportedAndGeneratedTargets();
  if (targets.empty()) targets.push_back(HWY_STATIC_TARGET);
  return targets;
}

Target chosen_target() {
  std::vector<Target> const targets = available_targets();
  char const* const wanted = std::getenv("SIXSTEP_ISA");
  if (wanted == nullptr || *wanted == '\0') return targets.front();
  std::string names;
  for (Target target : targets) {
    if (hwy::TargetName(target) == std::string(wanted)) return target;
    names += std::string(names.empty() ? "" : ", ") + hwy::TargetName(target);
  }
  throw Error(text("SIXSTEP_ISA is ", wanted, ", available are ", names));
}

}  // namespace sixstep::local
