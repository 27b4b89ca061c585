// SPDX-License-Identifier: BSD-3-Clause
// Running a composition: its tasks in turn, and the arrays between them. All that a plan does
// happens here, in either precision.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/turnstile.hpp"
#include "device/site.hpp"
#include "formulas/composition.hpp"
#include "runners/checked_points.hpp"
#include "runners/schedule_runner.hpp"
#include "runners/verifier.hpp"
#include "runtime/mpi.hpp"
#include "runtime/trace.hpp"

namespace sixstep::runners {

/// A composition, ready to run.
class CompositionRunner {
 public:
  /// Collective. `options` has the number of threads. Errors: there is not enough memory.
  CompositionRunner(formulas::Composition composition, mpi::Communicator comm,
                    Options const& options, int real_bytes, Tuning const& tuning = {});
  /// Writes the trace if there is one and MPI still runs. This is collective.
  ~CompositionRunner();

  layout::Placement const& input() const { return composition_.input; }
  layout::Placement const& output() const { return composition_.output; }
  /// The layouts of input and output for a single field.
  Layout const& users_input() const { return users_input_; }
  Layout const& users_output() const { return users_output_; }
  int fields() const { return options_.fields; }
  bool has_twiddle() const { return options_.twiddle >= 0; }
  schedule::Waves const& waves() const { return composition_.waves; }
  int rank() const { return comm_.rank(); }

  /// Transforms `in` to `out`, which lie like input() and output() (backward: like output() and
  /// input()). `conjugate` changes the sign of the exponent; `back` scales transforms that run
  /// against the direction. Throws Error, on this rank only,
  /// - if a pointer is null and its array is not empty;
  /// - if no workspace was lent;
  /// - if another thread is executing;
  /// - if MPI has ended.
  /// Throws Error on every rank if the device of any has failed. An execution that returns early,
  /// and has not waited for other ranks, throws it on this rank only.
  void execute(void const* in, void* out, Direction direction, Scale scale, bool conjugate = false,
               Scale back = Scale::none);

  /// Whether executions may return before the device has done its work.
  void return_early(bool early) { returns_early_ = early; }
  /// Throws Error, on this rank only, if the device has failed.
  void wait();
  /// Throws Error if the plan is not on a GPU.
  void set_stream(void* stream);

  /// An array for input, output or both. Collective.
  std::shared_ptr<void> allocate_array();
  Index input_reals() const { return input_reals_; }
  Index output_reals() const { return output_reals_; }

  std::size_t workspace_bytes() const;
  void set_workspace(void* memory, std::size_t bytes);

  MPI_Comm comm() const { return comm_; }
  formulas::Formula const& formula(std::size_t i) const { return *composition_.formulas[i]; }
  /// Puts another formula, which does the same works, in the place of formula i. Collective. Throws
  /// the errors of `make` and of Formula::on_rank() on every rank, and nothing has changed.
  using MakeFormula = std::function<std::shared_ptr<formulas::Formula const>()>;
  void renew(std::size_t i, MakeFormula const& make);
  /// Makes executions from now on as slow as those of another machine. Empty: does not.
  void idle(IdleSeconds seconds) { idle_ = std::move(seconds); }
  /// Checks all executions from now on: the transform of a plan, or all that a composition says to
  /// be checkable.
  void verify_by(std::vector<CheckedTransform> transforms);
  /// Compares, from now on, the bits of the caller's arrays before and after each execution, which
  /// only moves elements: of all ranks together, or by ranks with Verify::all. Collective.
  void verify_bits(Verify verify);
  /// For tests: calls `change` with what the tallies of Verify::all are about to add.
  void before_adding(sweep::BeforeAdding change) { findings_.before_adding = std::move(change); }
  /// Returns what has been checked.
  Verified verified() const { return verifier_ ? verifier_->so_far() : Verified(); }
  /// Calls `told` when an execution is wrong.
  void on_detection(Told told) {
    if (verifier_) verifier_->on_detection(std::move(told));
  }

  std::string describe() const;
  /// Adds lines to the end of describe().
  void add_note(std::string const& note) { note_ += text('\n', note); }
  int passes() const;
  int exchanges() const { return composition_.exchanges(); }
  int threads() const { return options_.threads; }
  double communication_seconds() const;
  /// Collective. See Plan::wire_error().
  double wire_error() const;
  std::vector<Part> breakdown(Direction direction) const;
  /// Collective. Throws what Plan::predict() throws.
  Prediction predict(std::string const& machine_file) const;
  /// Collective. Throws Error if there is no trace or its file cannot be written.
  void write_trace();

 private:
  /// A list of tasks, the seconds that each took, and the trace labels of the list and of each
  /// task.
  struct List {
    std::vector<formulas::Task> tasks;
    std::vector<double> seconds;
    Trace::Label label = {};
    std::vector<Trace::Label> labels = {};  // empty for schedules: their steps are recorded
    std::vector<void const*> tables = {};   // where the task runs; null: it has none
    std::vector<std::vector<program::OnPoints const*>> operations = {};  // of each task
    std::vector<std::vector<program::PointTables>> point_tables = {};    // on a device, likewise
  };

  List& list(Purpose purpose) { return lists_[static_cast<std::size_t>(purpose)]; }
  List const& list(Purpose purpose) const { return lists_[static_cast<std::size_t>(purpose)]; }

  void tally_end(CheckedTransform& of, Direction direction, sweep::End end);
  void tally_between(CheckedTransform& of, formulas::Checkable const& where);
  program::OnPoints const* checked(program::OnPoints const& operation, std::size_t schedule,
                                   std::size_t number);
  std::vector<program::Limits> limits() const;
  void set_slot_offsets();
  void set_scratch_bytes();
  void take_scratch(std::size_t bytes) { scratch_bytes_ = std::max(scratch_bytes_, bytes); }
  std::unique_ptr<formulas::Pointwise> on_this_rank(std::size_t i,
                                                    formulas::Formula const& formula) const;
  void set_up();
  void start_trace();
  Trace::Label label(formulas::Task const& task, bool backward) const;
  void lend(std::byte* memory);
  void place_changes();
  void end_setup();
  void place_tables();
  std::size_t slot_bytes(formulas::Slot slot, bool backward) const;
  void run(Purpose purpose, void const* in, void* out, double factor, bool conjugate = false,
           double back = 1);
  bool waits_for_ranks() const;
  void apply(formulas::Apply const& apply, formulas::Operands const& on);
  void finish(std::vector<std::size_t> const& operations) const;
  void turn(formulas::Turn const& turn, void const* source, void* target, std::byte* scratch) const;
  double bytes_of(formulas::Task const& task, bool backward) const;

  mpi::Communicator comm_;
  mpi::Tags tags_;         // of transpositions
  mpi::Tags verify_tags_;  // of the sums over the bits of redistributions
  Options options_;
  int real_bytes_;
  Tuning tuning_;
  formulas::Composition composition_;
  decision::Rounding rounding_;
  Layout users_input_, users_output_;
  Index input_reals_, output_reals_;  // of this rank's arrays
  std::string note_;
  bool returns_early_ = false;
  IdleSeconds idle_;
  std::optional<Purpose> executed_;  // the direction of the last execution
  std::shared_ptr<Trace> trace_;
  std::array<List, purposes> lists_;
  Findings findings_;  // of the bits that sweeps hand over
  std::unique_ptr<device::Site> site_;
  std::vector<std::unique_ptr<ScheduleRunner>> schedules_;
  std::vector<std::unique_ptr<formulas::Pointwise>> formulas_;
  std::vector<std::unique_ptr<CheckedPoints>> checked_;  // operations that are done twice
  std::vector<std::size_t> slot_offsets_;  // of each work array between tasks, and where the last
                                           // ends
  std::size_t scratch_bytes_ = 0;          // of scratch, behind the work arrays
  std::atomic_flag is_busy_;               // set while a thread executes
  std::optional<Verifier> verifier_;
  AnyMemory owned_;
  std::byte* arrays_ = nullptr;  // work arrays, and scratch
};

}  // namespace sixstep::runners
