// SPDX-License-Identifier: BSD-3-Clause
// Verifying the executions of a plan: sums of all ranks are compared, and all ranks throw together.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "runners/end_tally.hpp"
#include "runners/handovers.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"
#include "verify/result_check.hpp"

namespace sixstep::runners {

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

 private:
  /// A finding of all ranks.
  struct Found {
    verify::Finding finding;
    bool may_repeat;
    Index compared;      // parcels
    std::string damage;  // of the lowest rank that has found some
    bool is_wrong() const { return finding.is_wrong() || !damage.empty(); }
  };
  Found run_once(Execution const& execution, std::function<void()> const& run) const;
  std::string damage_of_all() const;
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
};

}  // namespace sixstep::runners
