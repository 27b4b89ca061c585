// SPDX-License-Identifier: BSD-3-Clause
// Compiles in windows where they are allowed and save memory, else as a whole.
#include "program/compile.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "program/windows.hpp"

namespace sixstep::program {

namespace {

/// Gives equal numberings of an operation's points the same id.
void set_ids(std::vector<Program>& programs) {
  std::map<int, std::vector<Numbering>> by_operation;
  for (Program& program : programs)
    for (Step& step : program.steps)
      if (auto* const sweep = std::get_if<Sweep>(&step.work))
        for (Pass& pass : sweep->passes) {
          if (!pass.at_points) continue;
          std::vector<Numbering>& found = by_operation[pass.at_points->number];
          auto const same = std::find(found.begin(), found.end(), pass.numbering);
          auto const id = static_cast<int>(same - found.begin());
          if (same == found.end()) found.push_back(pass.numbering);
          pass.numbering.id = id;
        }
}

}  // namespace

std::vector<Program> compile(schedule::Schedule const& schedule, int rank, Limits const& limits,
                             std::vector<Arrays> const& arrays) {
  std::vector<Program> found;
  auto const made = std::make_shared<Made>();
  for (Arrays const& these : arrays) {
    ToCompile const given{schedule, these, limits, nullptr, made};
    ToCompile in_turn = given;
    in_turn.limits.exchange_windows = 1;
    std::optional<Program> program = compile_in_windows(in_turn, rank);
    found.push_back(program ? std::move(*program) : compile_whole(given, rank));
  }
  set_ids(found);
  return found;
}

Program compile(schedule::Schedule const& schedule, int rank, Limits const& limits,
                Arrays const& arrays) {
  return compile(schedule, rank, limits, std::vector{arrays}).front();
}

}  // namespace sixstep::program
