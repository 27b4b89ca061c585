// SPDX-License-Identifier: BSD-3-Clause
// Running a program: its sweeps and exchanges in turn, or as a flow of windows, and the seconds
// that they take.
//
// Knows nothing about how memory and communicators were come by.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "device/queued.hpp"
#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "runners/drivers.hpp"
#include "runners/flow.hpp"
#include "runtime/trace.hpp"
#include "sixstep/plan.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::runners {

/// What executions are for: seconds are counted for each apart.
enum class Purpose { forward, backward, setup };
inline constexpr std::size_t purposes = 3;

/// Who lets the messages of a flow progress.
struct Drive {
  Driver driver = Driver::between;
  int pipelines = 0;                            // 0: one for each thread
  drivers::ProgressThreads* threads = nullptr;  // for Driver::thread
  Patience patience = {};
};

/// On which device a program runs; none: on the host.
struct OnDevice {
  device::DeviceKernels* kernels = nullptr;
  std::unique_ptr<device::Queue> const* queue = nullptr;  // which may become another one
  device::DeviceSweep::Bounds bounds = {};
  std::shared_ptr<device::Peers> peers = {};  // that exchange in queues what else is messages
  mpi::Communicator const* comm = nullptr;    // theirs

  /// Waits for the queue.
  void finish() const { device::finish(**queue, peers.get(), *comm); }
};

/// A program, ready to run any number of times once it has strategies.
class ProgramRunner {
 public:
  /// The strategies of the moves and the meetings, in turn; but for moves in queues.
  using Strategies = std::vector<std::unique_ptr<exchange::Strategy>>;

  /// `kernels`, what `device` has, and the thread of `drive` outlive the runner; reals take
  /// `real_bytes`.
  ProgramRunner(program::Program program, sweep::Kernels& kernels, int real_bytes,
                Drive const& drive = {}, OnDevice const& device = {});

  /// Once.
  void exchange_by(Strategies strategies);

  ProgramRunner(ProgramRunner const&) = delete;  // its flow refers to it

  program::Program const& program() const { return program_; }
  /// Bytes of scratch that a thread needs, a multiple of 64.
  std::size_t thread_bytes() const { return thread_bytes_; }

  /// On a device it may return before the work is done; note_end() is to follow, once it is.
  void run(void const* in, void* out, Space const& space, sweep::Mode const& mode, Purpose purpose,
           bool returns_early = false);
  void note_end();

  /// Steps of `schedule` are recorded from now on.
  void trace_to(Trace& trace, schedule::Schedule const& schedule);

  double communication_seconds(Purpose purpose) const;
  /// Windows that do the same one after another together.
  std::vector<Part> breakdown(schedule::Schedule const& schedule, Purpose purpose) const;

 private:
  void run_in_turn(Execution const& execution, std::vector<double>& seconds) const;
  void run_sweep(std::size_t step, Execution const& execution) const;
  DeviceStep make_device_step(std::size_t first);
  void make_device_steps();
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
  OnDevice device_;
  std::vector<StepRunner> runners_;  // of each step
  std::size_t thread_bytes_ = 0;
  StepLabels labels_;
  Trace::Label copy_, product_;
  std::unique_ptr<Flow> flow_;
  std::vector<std::unique_ptr<device::Event>> events_;  // on a device: before and behind each step
  std::optional<Purpose> under_way_;                    // what they were recorded for
  std::size_t block_bytes_ = 0;                         // of the largest block there
  std::array<std::vector<double>, purposes> seconds_;   // of each step, in all runs
};

}  // namespace sixstep::runners
