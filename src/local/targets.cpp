// SPDX-License-Identifier: BSD-3-Clause
// Chooses an instruction set: the machine's best, or the user's.
#include "local/targets.hpp"

#include <cstdlib>

#include "base/words.hpp"

namespace sixstep::local {

namespace {

/// Asks the processor once: on a virtual machine each question takes tens of microseconds.
std::vector<Target> const& known_targets() {
  static std::vector<Target> const known = [] {
    std::vector<Target> targets = hwy::SupportedAndGeneratedTargets();
    if (targets.empty()) targets.push_back(HWY_STATIC_TARGET);
    return targets;
  }();
  return known;
}

}  // namespace

std::vector<Target> available_targets() { return known_targets(); }

std::string name_of(Target target) {
  std::string const name = hwy::TargetName(target);
  if (name == "NEON_WITHOUT_AES") return "NEON";
  return name == "AVX3" ? "AVX-512" : name == "SSE4" ? "SSE4.2" : name;
}

Target chosen_target() {
  std::vector<Target> const& targets = known_targets();
  char const* const wanted = std::getenv("SIXSTEP_ISA");
  if (wanted == nullptr || *wanted == '\0') return targets.front();
  std::string names;
  for (Target target : targets) {
    if (wanted == name_of(target) || wanted == std::string(hwy::TargetName(target))) return target;
    names += (names.empty() ? "" : ", ") + name_of(target);
  }
  throw Error(
      text("SIXSTEP_ISA: one of ", names, " is needed, '", shortened(wanted), "' was given"));
}

}  // namespace sixstep::local
