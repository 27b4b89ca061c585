// SPDX-License-Identifier: BSD-3-Clause
// Verifying the executions of a plan: sums of all ranks are compared, and all ranks throw together.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runners/end_tally.hpp"
#include "runners/handovers.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"
#include "verify/result_check.hpp"

namespace sixstep::runners {

/// Somebody who is told of executions that are wrong.
using Told = std::function<void(Detection const&)>;

/// Checks each execution, and counts what it has found.
class Verifier {
 public:
  /// `findings`, to which executions add, outlives the verifier.
  Verifier(verify::ResultCheck check, mpi::Comm const& comm, int threads, Findings& findings);

  struct Execution {
    Direction direction;
    void const* in;
    void const* out;
    verify::Scaled scaled;
    bool keeps_input;  // the input is there after the execution, so that it may run again
  };
  /// Runs an execution and checks its result. If it is wrong, and all ranks have kept their input,
  /// it runs once more. Collective. Throws Error on every rank if the result is wrong.
  void verify(Execution const& execution, std::function<void()> const& run);

  /// Makes the sums of an end by a tally from now on, if give(tally) has passes fill it.
  void tally(Direction direction, sweep::End end, std::function<bool(EndTally&)> const& give);

  Verified const& so_far() const { return so_far_; }
  /// Calls `told` on every rank when an execution is wrong. Empty: calls nobody.
  void on_detection(Told told) { told_ = std::move(told); }

 private:
  /// A rank, and what it has found; -1: none has found anything.
  struct Place {
    int rank = -1;
    std::string where;
  };
  /// Findings of all ranks in an execution.
  struct Found {
    verify::Finding finding;
    bool may_repeat;
    Index compared;                            // parcels
    Place damage;                              // of the lowest rank that has found some
    local::WeightedSums my_source, my_result;  // of this rank
    bool is_wrong() const { return finding.is_wrong() || damage.rank >= 0; }
  };
  Found run_once(Execution const& execution, std::function<void()> const& run, bool again) const;
  void count(Found const& found);
  Place lowest(std::string const& words) const;
  Place change_of(Found const& first, Found const& second, double factor) const;
  std::unique_ptr<EndTally> const& tally_of(Direction direction, sweep::End end) const {
    return tallies_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(end)];
  }

  verify::ResultCheck check_;
  mpi::Comm comm_;
  int threads_;
  Findings& findings_;
  // of each direction and end; null: the sums take a pass of their own
  std::array<std::array<std::unique_ptr<EndTally>, 2>, 2> tallies_;
  Verified so_far_;
  Told told_;
};

}  // namespace sixstep::runners
