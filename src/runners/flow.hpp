// SPDX-License-Identifier: BSD-3-Clause
// Flow: one execution of a program in windows. Which parts of which windows may run, and what moves
// meanwhile.
//
// Any number of threads take parts and run them; one at a time lets messages progress. Who does
// what when is the drivers' business (drivers.hpp).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/queued.hpp"
#include "device/sweep.hpp"
#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "runners/step_labels.hpp"
#include "sweep/sweep_runner.hpp"

namespace sixstep::runners {

/// Memory lent to an execution.
struct Space {
  std::array<std::byte*, program::work_arrays> work;
  std::byte* scratch;  // so many bytes for each thread as its program needs
  int threads;
  // On a device, where ranks have opened each other's memory: by how many bytes that of the rank
  // so many segments on lies further.
  Index const* shifts = nullptr;  // work arrays
  Index const* input_shifts = nullptr;
  Index const* output_shifts = nullptr;
};

/// A step on a device, which may be all steps up to `last`.
struct DeviceStep {
  device::DeviceSweep sweep;
  std::size_t last;
};
/// A step that an earlier one does too.
struct Joined {};

/// The runner of each step.
using StepRunner = std::variant<sweep::SweepRunner, DeviceStep, Joined, device::Queued,
                                std::unique_ptr<exchange::Strategy>>;

/// What an execution reads and writes.
struct Execution {
  void const* in;
  void* out;
  Space const& space;
  sweep::Mode mode;

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

/// The queue in which the passes of a flow go, one part behind the other; none on the host.
struct DeviceQueue {
  std::unique_ptr<device::Queue> const* queue = nullptr;
  device::Backend* backend = nullptr;
  std::size_t block_bytes = 0;
};

/// Of all windows, those whose number leaves that remainder.
struct Turns {
  int remainder = 0;
  int divisor = 1;
};

class Flow {
 public:
  /// Program and runners outlive the flow; a thread has `thread_bytes` of scratch.
  Flow(program::Program const& program, std::vector<StepRunner> const& runners,
       std::size_t thread_bytes, int real_bytes, Patience const& patience,
       DeviceQueue const& device = {});

  /// Before an execution, by one thread. With tokens, a window is sent when the one before it has
  /// been.
  void begin(Execution const& execution, bool with_tokens);
  /// Runs a part of a window that may run, or puts it into the device's queue: of the last step
  /// whose exchange has nothing to send, so that the network is not idle, else of the first step
  /// that has one; whether there was one.
  bool run_next(int thread, Turns turns = {});
  /// Lets messages go on. One thread at a time; false if another is at it.
  bool progress();
  /// Whether something packed is being sent, or something is awaited after all was sent.
  bool messages_under_way() const { return under_way_.load(std::memory_order_acquire); }
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  /// Changes with whatever may make another part ready.
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

  /// Whether some thread runs a part.
  bool is_computing() const { return running_.load(std::memory_order_acquire) > 0; }
  /// What exchanges wait for; waits last no longer than so.
  std::string waiting_for();
  Patience const& patience() const { return patience_; }
  void trace_to(StepLabels const& labels) { labels_ = labels; }
  Trace::Label wait_label() const { return labels_.wait(); }

  /// Whose turn it is to be sent in some exchange, of so many teams.
  bool is_turn_of(Turns turns) const;
  /// Adds what each step took, of an execution of so many seconds: passes as a thread had them on
  /// average; what they leave uncovered is that of exchanges, in equal parts.
  void add_seconds(std::vector<double>& seconds, double wall_s) const;

 private:
  /// A part of a window of a sweep.
  struct Part {
    std::size_t step;
    int window;
    Index lo, hi;
  };
  /// A part that is in the device's queue.
  struct Queued {
    std::optional<Part> part = {};
    std::unique_ptr<device::Event> begin = nullptr, end = nullptr;
    Nanoseconds since = 0;
  };
  /// How far a window of a sweep is.
  struct Progress {
    Index next = 0, hi = 0;
    int running = 0;
  };
  /// How far a step is.
  struct State {
    redistribution::Windows done = 0;  // windows of a sweep; of a move, what has arrived
    redistribution::Windows left =
        0;  // what no longer reads the source: of a move, what has been sent
    // Of a sweep: its windows, and those of which all parts have been taken.
    redistribution::Windows all = 0;
    redistribution::Windows dealt = 0;
    std::vector<Progress> windows = {};
    // Of a move: what it is allowed, and with tokens the window whose turn it is.
    redistribution::Windows packed = 0;
    redistribution::Windows vacated = 0;
    int token = 0;
    bool is_sending = false;
    double seconds = 0;
    Nanoseconds allowed = 0;  // since when, if it is recorded
  };

  redistribution::Windows fed(std::size_t step) const;
  redistribution::Windows vacated(std::size_t step) const;
  bool is_open(std::size_t step) const;
  bool has_left(std::size_t step) const;
  bool is_sweep(std::size_t step) const {
    return !std::holds_alternative<std::unique_ptr<exchange::Strategy>>(runners_[step]);
  }
  Index extent(std::size_t step) const;
  Index part_counts(std::size_t step) const;
  redistribution::Windows ready(std::size_t step) const;
  bool feeds_idle(std::size_t step) const;
  std::optional<Part> take(Turns turns);
  std::optional<Part> take_of(std::size_t step, Turns turns);
  void run(Part const& part, int thread) const;
  Queued* free_place();
  void put(Part const& part, Queued& place);
  void see_what_has_ended();
  void end(Part const& part, double seconds);
  bool let_go(std::size_t step);
  void record_arrival(std::size_t step, redistribution::Windows arrived);
  static bool is_through(State const& state);
  void note_end();

  program::Program const& program_;
  std::vector<StepRunner> const& runners_;
  std::size_t thread_bytes_;
  int real_bytes_;
  Patience patience_;
  DeviceQueue device_;
  std::array<Queued, 2> queued_;  // one runs, one is next
  StepLabels labels_;
  std::optional<Execution> execution_;
  bool with_tokens_ = false;

  mutable std::mutex state_mutex_;
  std::mutex messages_mutex_;
  std::vector<State> states_;
  std::atomic<bool> finished_ = true;
  std::atomic<bool> under_way_ = false;
  std::atomic<int> running_ = 0;
  std::atomic<std::uint64_t> changes_ = 0;
};

}  // namespace sixstep::runners
