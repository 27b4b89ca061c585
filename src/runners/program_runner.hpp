// SPDX-License-Identifier: BSD-3-Clause
// Running a program: its sweeps and exchanges in turn, or as a flow of windows, and the seconds
// that they take.
//
// Knows nothing about where memory and communicators come from.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "runners/device_program.hpp"
#include "runners/drivers.hpp"
#include "runners/end_tally.hpp"
#include "runners/execution.hpp"
#include "runners/flow.hpp"
#include "runners/handovers.hpp"
#include "runtime/trace.hpp"
#include "sixstep/report.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::runners {

/// The purpose of an execution. Seconds are counted for each purpose separately.
enum class Purpose { forward, backward, setup };
inline constexpr std::size_t purposes = 3;

/// Who lets the messages of a flow progress.
struct Drive {
  Driver driver = Driver::between;
  int pipelines = 0;                            // 0: one for each thread
  drivers::ProgressThreads* threads = nullptr;  // for Driver::thread
  Patience patience = {};
};

/// A program, ready to run any number of times once it has strategies.
class ProgramRunner {
 public:
  /// The strategies of the moves and the meetings, in turn, without those of moves in queues.
  using Strategies = std::vector<std::unique_ptr<exchange::Strategy>>;

  /// `kernels`, and the objects that `device` and `drive` point to, outlive the runner. A real
  /// takes `real_bytes`.
  ProgramRunner(program::Program program, sweep::Kernels& kernels, int real_bytes,
                Drive const& drive = {}, ProgramDevice const& device = {});

  /// Takes the strategies. Called once.
  void exchange_by(Strategies strategies);

  /// Compares, after each run, the bits that its steps read with those that were written. Called
  /// once, after exchange_by(). Only for the host.
  void compare_handovers(Handovers::Site const& site);

  /// Whether a sweep can give the elements of `box` at one end of the program to a tally.
  bool gives_end(sweep::End end, Box const& box) const {
    return step_at(end, program_, box).has_value();
  }
  /// Lets it do so. Only for the host.
  void give_end(sweep::End end, EndTally& to) {
    auto& sweep = std::get<sweep::SweepRunner>(runners_[*step_at(end, program_, to.box())]);
    sweep::BlockTaker const taker(&to);
    end == sweep::End::read ? sweep.give_read(taker) : sweep.give_written(taker);
  }

  /// Calls use(pass) for each pass with the operation of this number. Only for the host.
  template <class Use>
  void for_each_points(int operation, Use const& use) {
    for (StepRunner& runner : runners_)
      if (auto* const sweep = std::get_if<sweep::SweepRunner>(&runner))
        if (sweep::PointPass* const pass = sweep->points(operation)) use(*pass);
  }

  ProgramRunner(ProgramRunner const&) = delete;  // its flow refers to it

  program::Program const& program() const { return program_; }
  /// Bytes of scratch that a thread needs, a multiple of 64.
  std::size_t thread_bytes() const { return thread_bytes_; }

  /// On a device it may return before the work is done. Call note_end() once it is done.
  void run(void const* in, void* out, Workspace const& space, sweep::Mode const& mode,
           Purpose purpose, bool returns_early = false);
  void note_end() {
    if (on_device_) on_device_->note_end();
  }

  /// Steps of `schedule` are recorded from now on.
  void trace_to(Trace& trace, schedule::Schedule const& schedule);

  double communication_seconds(Purpose purpose) const;
  /// The rounding of each of the schedule's exchanges in the last execution.
  std::vector<exchange::SumsOfHops> rounding(std::size_t exchanges) const;
  /// The seconds and bytes of each step. Windows that do the same one after another are one part.
  std::vector<Part> breakdown(schedule::Schedule const& schedule, Purpose purpose) const;

 private:
  void run_in_turn(Execution const& execution, std::vector<double>& seconds) const;
  void run_sweep(std::size_t step, Execution const& execution) const;
  void run_on_device(Execution const& execution, Purpose purpose, bool returns_early);
  void run_flow(Execution const& execution, std::vector<double>& seconds);
  std::vector<double>& seconds_of(Purpose purpose) {
    return seconds_[static_cast<std::size_t>(purpose)];
  }
  std::vector<double> const& seconds_of(Purpose purpose) const {
    return seconds_[static_cast<std::size_t>(purpose)];
  }

  program::Program program_;
  int real_bytes_;
  Drive drive_;
  std::vector<StepRunner> runners_;  // of each step
  std::size_t thread_bytes_ = 0;
  StepLabels labels_;
  Trace::Label copy_, product_;
  std::unique_ptr<Flow> flow_;
  std::unique_ptr<DeviceProgram> on_device_;           // null on the host
  std::unique_ptr<Handovers> handovers_;               // null: they are not compared
  std::array<std::vector<double>, purposes> seconds_;  // of each step, in all runs
};

}  // namespace sixstep::runners
