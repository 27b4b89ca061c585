// SPDX-License-Identifier: BSD-3-Clause
// Runs a part of a sweep on the arrays of an execution.
#include "runners/execution.hpp"

#include <chrono>
#include <thread>

namespace sixstep::runners {

void Execution::run(program::Step const& step, sweep::SweepRunner const& sweep, Index lo, Index hi,
                    Index next, std::byte* scratch) const {
  sweep.run(lo, hi, next, at(step.source), at(step.target), mode, scratch);
  if (!space.idle) return;
  double const share = static_cast<double>(hi - lo) / static_cast<double>(sweep.extent());
  std::this_thread::sleep_for(std::chrono::duration<double>(share * (*space.idle)(step)));
}

}  // namespace sixstep::runners
