// SPDX-License-Identifier: BSD-3-Clause
// Compiling: in windows where that saves memory and is wanted, else as a whole.
#include "program/compile.hpp"

#include "program/windows.hpp"

namespace sixstep::plan {

Program compile(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays,
                Tuning const& tuning) {
  Job const job{schedule, arrays, limits, tuning};
  if (auto program = compile_in_windows(job, rank)) return *program;
  return compile_whole(job, rank);
}

}  // namespace sixstep::plan
