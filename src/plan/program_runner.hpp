// SPDX-License-Identifier: BSD-3-Clause
// Running a program: its sweeps and exchanges in turn, and the seconds that they take.
//
// Knows nothing about how memory and communicators were come by.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "sixstep/plan.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::plan {

/// What executions are for: seconds are counted for each apart.
enum class Purpose { forward, backward, setup };
inline constexpr std::size_t purposes = 3;

/// Memory lent to an execution.
struct Space {
  std::array<std::byte*, work_arrays> work;
  std::byte* scratch;  // thread_bytes() for each thread
  int threads;
};

/// A program, ready to run any number of times.
class ProgramRunner {
 public:
  /// The strategies of the moves and the meetings, in turn.
  using Strategies = std::vector<std::unique_ptr<exchange::Strategy>>;

  /// `kernels` outlives the runner; reals take `real_bytes`.
  ProgramRunner(Program program, Strategies strategies, Kernels& kernels, int real_bytes);

  Program const& program() const { return program_; }
  /// Bytes of scratch that a thread needs, a multiple of 64.
  std::size_t thread_bytes() const { return thread_bytes_; }

  void run(void const* in, void* out, Space const& space, Mode const& mode, Purpose purpose);

  double communication_seconds(Purpose purpose) const;
  /// Windows that do the same one after another together.
  std::vector<Part> breakdown(Schedule const& schedule, Purpose purpose) const;

 private:
  using StepRunner = std::variant<SweepRunner, std::unique_ptr<exchange::Strategy>>;

  void run_sweep(SweepRunner const& sweep, void const* source, void* target, Space const& space,
                 Mode const& mode) const;
  std::vector<double>& seconds_of(Purpose purpose) {
    return seconds_[static_cast<std::size_t>(purpose)];
  }
  std::vector<double> const& seconds_of(Purpose purpose) const {
    return seconds_[static_cast<std::size_t>(purpose)];
  }

  Program program_;
  int real_bytes_;
  std::vector<StepRunner> runners_;  // of each step
  std::size_t thread_bytes_ = 0;
  std::array<std::vector<double>, purposes> seconds_;  // of each step, in all runs
};

}  // namespace sixstep::plan
