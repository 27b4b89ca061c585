// SPDX-License-Identifier: BSD-3-Clause
// One execution of a program: its arrays and memory, and the runners of its steps.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "device/queued.hpp"
#include "device/sweep.hpp"
#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::runners {

/// The seconds for which threads sleep during a sweep, so that a machine computes as slowly as one
/// that a benchmark emulates.
using IdleSeconds = std::function<double(program::Step const&)>;

/// The memory and the threads of an execution.
struct Workspace {
  std::array<std::byte*, program::work_arrays> work;
  std::byte* scratch;  // for each thread, the bytes that its program needs
  int threads;
  IdleSeconds const* idle = nullptr;  // null except in benchmarks
  // On a device, where ranks have opened each other's memory: the distance in bytes from this
  // rank's memory to that of the rank `i` segments on.
  Index const* shifts = nullptr;  // work arrays
  Index const* input_shifts = nullptr;
  Index const* output_shifts = nullptr;
};

/// A step on a device. It may do the steps after it too, up to `last`.
struct DeviceStep {
  device::DeviceSweep sweep;
  std::size_t last;
  /// The sweep as two steps, of which the second multiplies by the factors of an execution; empty
  /// if there are no such factors.
  std::vector<DeviceStep> in_two;
};
/// A step that an earlier DeviceStep does.
struct Joined {};

/// The runner of each step.
using StepRunner = std::variant<sweep::SweepRunner, DeviceStep, Joined, device::Queued,
                                std::unique_ptr<exchange::Strategy>>;

/// The arrays and the memory of an execution.
struct Execution {
  void const* in;
  void* out;
  Workspace const& space;
  sweep::Mode mode;

  /// Runs counts [lo, hi) of a step's sweep, with the scratch of one thread, which probably goes on
  /// with `next`.
  void run(program::Step const& step, sweep::SweepRunner const& sweep, Index lo, Index hi,
           Index next, std::byte* scratch) const;

  void* at(program::Buffer buffer) const {
    return buffer == program::Buffer::input    ? const_cast<void*>(in)
           : buffer == program::Buffer::output ? out
                                               : space.work[static_cast<std::size_t>(buffer)];
  }
  device::DeviceSide on_device(program::Buffer buffer) const {
    return {static_cast<std::byte*>(at(buffer)),
            buffer == program::Buffer::input    ? space.input_shifts
            : buffer == program::Buffer::output ? space.output_shifts
                                                : space.shifts};
  }
};

}  // namespace sixstep::runners
