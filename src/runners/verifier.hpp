// SPDX-License-Identifier: BSD-3-Clause
// Verifying executions: sums of all ranks are compared, and all ranks throw together.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runners/end_tally.hpp"
#include "runners/handovers.hpp"
#include "runners/moved_bits.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/report.hpp"
#include "verify/result_check.hpp"

namespace sixstep::runners {

/// Somebody who is told of executions that are wrong.
using Told = std::function<void(Detection const&)>;

/// One end of a transform that is checked. The sums of an array of the caller's are made by a
/// tally, or else in a pass of their own; those at an operation by all tallies together.
struct CheckedEnd {
  bool is_at_operation = false;
  std::vector<std::unique_ptr<EndTally>> tallies = {};
};

/// A transform that is checked, in a plan or between the operations of a composition.
struct CheckedTransform {
  verify::ResultCheck check;
  std::optional<Direction> direction = {};  // empty: that of the execution
  bool undoes = false;                      // it is scaled as those against the direction
  std::array<std::array<CheckedEnd, 2>, 2> ends = {};  // read and written, of each direction

  CheckedEnd& end(Direction of, sweep::End which) {
    return ends[static_cast<std::size_t>(of)][static_cast<std::size_t>(which)];
  }
  CheckedEnd const& end(Direction of, sweep::End which) const {
    return ends[static_cast<std::size_t>(of)][static_cast<std::size_t>(which)];
  }
};

/// Checks each execution, and counts what it has found.
class Verifier {
 public:
  static constexpr std::size_t most_transforms = 2;

  /// Checks transforms, one behind the other. `findings`, to which executions add, outlives the
  /// verifier.
  Verifier(std::vector<CheckedTransform> transforms, mpi::Comm const& comm, int threads,
           Findings& findings);
  /// Checks redistributions.
  Verifier(std::unique_ptr<MovedBits> moved, mpi::Comm const& comm, Findings& findings);

  struct Execution {
    Direction direction;
    void const* in;
    void const* out;
    verify::Scaled scaled;
    double back;       // the factor of transforms against the direction
    bool keeps_input;  // the input is there after the execution, so that it may run again
  };
  /// Runs an execution and checks its result. If it is wrong, and all ranks have kept their input,
  /// it runs once more. Collective. Throws Error on every rank if the result is wrong. If run()
  /// throws on some ranks, these throw that, and nothing is checked.
  void verify(Execution const& execution, std::function<void()> const& run);

  Verified const& so_far() const { return so_far_; }
  /// Calls `told` on every rank when an execution is wrong. Empty: calls nobody.
  void on_detection(Told told) { told_ = std::move(told); }

 private:
  /// A rank, and what it has found; -1: none has found anything.
  struct Place {
    int rank = -1;
    std::string where;
  };
  /// The sums of this rank at both ends of a transform.
  struct Sums {
    local::WeightedSums source, result;
  };
  /// Findings of all ranks in an execution.
  struct Found {
    verify::Finding finding;    // of the transform whose sums differ most
    std::size_t transform = 0;  // its number
    bool is_checked = true;     // no transform had numbers that cannot be checked
    bool has_failed = false;    // run() has thrown on some rank
    bool may_repeat = false;
    Index compared = 0;           // parcels
    Place damage;                 // of the lowest rank that has found some
    bool has_other_bits = false;  // the elements together, before and after a move
    std::array<Sums, most_transforms> mine{};
    std::exception_ptr thrown;  // by run() on this rank
    bool is_wrong() const { return finding.is_wrong() || damage.rank >= 0 || has_other_bits; }
  };
  Found run_once(Execution const& execution, std::function<void()> const& run, bool again) const;
  void run_and_sum(Execution const& execution, std::function<void()> const& run,
                   Found& found) const;
  void compare(Execution const& execution, double const* sums, Found& found) const;
  Direction direction_of(CheckedTransform const& of, Execution const& execution) const {
    return of.direction.value_or(execution.direction);
  }
  std::string failure(Execution const& execution, Found const& found, bool repeats,
                      std::string const& where) const;
  void count(Found const& found);
  Place lowest(std::string const& words) const;
  Place change_of(Found const& first, Found const& second, double factor) const;

  std::vector<CheckedTransform> transforms_;  // empty: of redistributions
  std::unique_ptr<MovedBits> moved_;          // null: of transforms
  mpi::Comm comm_;
  int threads_ = 1;
  Findings& findings_;
  Verified so_far_;
  Told told_;
};

}  // namespace sixstep::runners
