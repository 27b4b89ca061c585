// SPDX-License-Identifier: BSD-3-Clause
// Compiling: in windows where that saves memory and is wanted, else as a whole.
#include "program/compile.hpp"

#include "program/windows.hpp"

namespace sixstep::plan {

Program compile(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays,
                Tuning const& tuning) {
  Job const job{schedule, arrays, limits, tuning};
  Job in_turn = job;
  in_turn.limits.exchange_windows = 1;
  if (auto program = compile_in_windows(in_turn, rank)) return *program;
  return compile_whole(job, rank);
}

}  // namespace sixstep::plan
