// SPDX-License-Identifier: BSD-3-Clause
// Compiling: in windows where that saves memory and is wanted, else as a whole.
#include "program/compile.hpp"

#include "program/windows.hpp"

namespace sixstep::plan {

Program compile(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays) {
  if (auto program = compile_in_windows(schedule, rank, limits, arrays)) return *program;
  return compile_whole(schedule, rank, limits, arrays);
}

}  // namespace sixstep::plan
