// SPDX-License-Identifier: BSD-3-Clause
// A program on a device: which of its steps the device does at once, and their way into its queue.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "device/queued.hpp"
#include "device/sweep.hpp"
#include "program/program.hpp"
#include "runners/execution.hpp"
#include "runners/flow.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::runners {

/// The device on which a program runs; all null on the host.
struct ProgramDevice {
  device::DeviceKernels* kernels = nullptr;
  std::unique_ptr<device::Queue> const* queue = nullptr;  // another one may take its place
  device::DeviceSweep::Bounds bounds = {};
  std::shared_ptr<device::Peers> peers = {};  // exchange in queues, instead of by messages
  mpi::Communicator const* comm = nullptr;    // of the peers

  /// Waits for the queue.
  void finish() const { device::finish(**queue, peers.get(), *comm); }
};

/// The half of a ProgramRunner that knows devices.
class DeviceProgram {
 public:
  /// Makes the runners of the steps of `program`, and moves scales in it to where they cost
  /// nothing. Both outlive this.
  DeviceProgram(program::Program& program, std::vector<StepRunner>& runners, int real_bytes,
                ProgramDevice const& device);

  /// Bytes of scratch on the device.
  std::size_t scratch_bytes() const {
    return aligned(block_bytes_ + device_.kernels->scratch_bytes());
  }
  /// Where a flow puts its windows.
  DeviceQueue queue() const { return {device_.queue, &device_.kernels->backend(), block_bytes_}; }

  void copy_input(Execution const& execution);
  /// Runs all steps in turn and adds up their seconds. If it returns early, call note_end() once
  /// the work is done; `seconds` must exist until then.
  void run(Execution const& execution, StepLabels const& labels, std::vector<double>& seconds,
           bool returns_early);
  void note_end();
  /// Multiplies the output by a table, and waits.
  void multiply_output(void* out, void const* table);
  void finish() const { device_.finish(); }

 private:
  program::Buffer array(program::Buffer buffer) const;
  std::optional<DeviceStep> there_and_back(std::size_t first);
  DeviceStep make_step(std::size_t first, std::size_t end);
  void scale_at_points();
  void put(device::Queue& queue, DeviceStep const& step, std::size_t first,
           Execution const& execution) const;

  program::Program& program_;
  std::vector<StepRunner>& runners_;
  int real_bytes_;
  ProgramDevice device_;
  std::vector<std::unique_ptr<device::Event>> events_;  // before and behind each step
  std::vector<double>* under_way_ = nullptr;            // to which their times are to be added
  bool has_one_step_ = false;                           // of which others may be parts
  std::size_t block_bytes_ = 0;                         // of the largest block
};

}  // namespace sixstep::runners
