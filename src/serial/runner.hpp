// SPDX-License-Identifier: BSD-3-Clause
// Runs the programs of one process that has the whole array: sweeps in turn, and nothing else.
//
// A runner never changes once it is made: an execution writes only to the user's arrays and to a
// block that it takes. Knows nothing about MPI, clocks, traces or devices.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formulas/composition.hpp"
#include "program/compile.hpp"
#include "serial/blocks.hpp"
#include "serial/box_runner.hpp"
#include "sixstep/bits.hpp"
#include "sixstep/direction.hpp"
#include "sixstep/local.hpp"
#include "sixstep/serial.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::serial {

/// A program of one rank, ready to run.
class Ready {
 public:
  Ready(program::Program program, sweep::Kernels& kernels, int real_bytes, int threads);

  /// Bytes of memory, aligned, that a run needs: work arrays, and the threads' scratch behind them.
  std::size_t workspace_bytes() const { return workspace_bytes_; }
  /// An estimate of the bytes that this object takes.
  std::size_t bytes() const { return bytes_; }
  program::Program const& program() const { return program_; }

  void run(void const* in, void* out, sweep::Mode const& mode, std::byte* workspace) const;

 private:
  void run_sweep(std::size_t step, void const* source, void* target, sweep::Mode const& mode,
                 std::byte* scratch) const;

  program::Program program_;
  int real_bytes_;
  int threads_;
  std::vector<sweep::SweepRunner> sweeps_;  // of each step
  std::array<std::size_t, program::work_arrays + 1> work_offsets_{};
  std::size_t thread_bytes_ = 0;
  std::size_t workspace_bytes_ = 0;
  std::size_t bytes_ = 0;
};

/// A problem of one rank, ready to be solved any number of times, on several threads at once.
class Runner {
 public:
  /// Throws the errors of compose(), and Error or std::bad_alloc if there is too little memory.
  Runner(schedule::Problem const& problem, bool preserve_input, int threads, Local local, Bits bits,
         SerialUses const& uses);

  layout::Placement const& input() const { return composition_.input; }
  layout::Placement const& output() const { return composition_.output; }
  int threads() const { return limits_.threads; }

  /// Transforms `in` to `out`, with the opposite sign of the exponent if `conjugate`. Throws
  /// - Error if a pointer is null, or the plan was made without such an execution
  /// - std::bad_alloc if memory cannot be allocated.
  void execute(void const* in, void* out, Direction direction, Scale scale,
               bool conjugate = false) const;

  std::size_t workspace_bytes() const;
  std::size_t bytes() const;
  std::string describe() const;

 private:
  void compile(SerialUses const& uses);
  void compile(bool backward, std::vector<program::Arrays> const& arrays);
  static std::size_t place(bool backward, bool in_place) {
    return (backward ? 2u : 0u) + (in_place ? 1u : 0u);
  }
  void make_boxes(schedule::Problem const& problem);
  Ready const& ready(bool backward, bool in_place) const;
  void run(formulas::Task const& task, void const* source, void* target, bool conjugate,
           double factor) const;

  formulas::Composition composition_;  // of one schedule, and at most one formula
  program::Limits limits_;
  bool preserve_input_;
  Local local_;
  sweep::Kernels kernels_;
  // Forward out of place, in place; backward likewise. Without a value: not used.
  std::array<std::optional<Ready>, 4> ready_;
  // Executions that boxes take less time for. Without a value: the program runs.
  std::array<std::optional<BoxRunner>, 4> boxes_;
  std::unique_ptr<formulas::Pointwise> work_;  // of the formula; null without one
  std::shared_ptr<Blocks> blocks_ = Blocks::of_process();
};

}  // namespace sixstep::serial
