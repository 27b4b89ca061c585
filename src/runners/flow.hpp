// SPDX-License-Identifier: BSD-3-Clause
// Flow: one execution of a program in windows. It finds which parts of which windows may run, and
// what moves meanwhile.
//
// Any number of threads take parts and run them; one at a time lets messages progress. Drivers
// decide which thread does what (drivers.hpp).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "runners/execution.hpp"
#include "runners/step_labels.hpp"

namespace sixstep::runners {

/// The queue that takes the parts of a flow's passes in turn; null on the host.
struct DeviceQueue {
  std::unique_ptr<device::Queue> const* queue = nullptr;
  device::Backend* backend = nullptr;
  std::size_t block_bytes = 0;
};

/// The windows whose number modulo `divisor` is `remainder`.
struct Turns {
  int remainder = 0;
  int divisor = 1;
};

class Flow {
 public:
  /// Program and runners outlive the flow; a thread has `thread_bytes` of scratch.
  Flow(program::Program const& program, std::vector<StepRunner> const& runners,
       std::size_t thread_bytes, Patience const& patience, DeviceQueue const& device = {});

  /// One thread calls this before an execution. If `with_tokens`, a window is sent only after the
  /// window before it.
  void begin(Execution const& execution, bool with_tokens);
  /// Runs a part that may run, or puts it into the device's queue. The part is of the last step
  /// whose exchange starves, so that the network is not idle. If that has none, it is of the first
  /// step that has one. Returns whether there was one.
  bool run_next(int thread, Turns turns = {});
  /// Lets messages progress. Returns false, and does nothing, if another thread is doing so.
  bool progress();
  /// Whether packed data is being sent, or all is packed and some messages have not arrived.
  bool messages_under_way() const { return under_way_.load(std::memory_order_acquire); }
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  /// Changes whenever another part may have become ready.
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

  /// Whether some thread runs a part.
  bool is_computing() const { return running_.load(std::memory_order_acquire) > 0; }
  /// The messages that exchanges wait for, in words, and how long a wait may last.
  std::string waiting_for();
  Patience const& patience() const { return patience_; }
  void trace_to(StepLabels const& labels) { labels_ = labels; }
  Trace::Label wait_label() const { return labels_.wait(); }

  /// Whether an exchange can send the window whose turn it is, and that window is one of `turns`.
  bool is_turn_of(Turns turns) const;
  /// Adds the seconds that each step took, for an execution of `wall_s` seconds. A pass counts as
  /// its average over the threads. Exchanges share the rest in equal parts.
  void add_seconds(std::vector<double>& seconds, double wall_s) const;

 private:
  /// A part of a window of a sweep.
  struct Slice {
    std::size_t step;
    int window;
    Index lo, hi;
    Index next;  // where the thread probably goes on; the extent if not in this window
  };
  /// A part that is in the device's queue.
  struct Queued {
    std::optional<Slice> part = {};
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
    // Windows of a sweep that are done, of a move that have arrived.
    redistribution::Windows done = 0;
    // Windows that no longer read the source: of a move, those that have been sent.
    redistribution::Windows left = 0;
    // For a sweep: its windows, and those whose parts have all been taken.
    redistribution::Windows all = 0;
    redistribution::Windows dealt = 0;
    std::vector<Progress> windows = {};
    // For a move: the windows given to allow(), and with tokens the window whose turn it is.
    redistribution::Windows packed = 0;
    redistribution::Windows vacated = 0;
    int token = 0;
    bool is_sending = false;
    bool starves = true;
    double seconds = 0;
    Nanoseconds allowed = 0;  // since when, if there is a trace
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
  bool feeds_starving(std::size_t step) const;
  std::optional<Slice> take(Turns turns);
  std::optional<Slice> take_of(std::size_t step, Turns turns);
  void run(Slice const& part, int thread) const;
  Queued* free_place();
  void put(Slice const& part, Queued& place);
  void see_what_has_ended();
  void end(Slice const& part, double seconds);
  bool let_go(std::size_t step);
  void record_arrival(std::size_t step, redistribution::Windows arrived);
  static bool is_through(State const& state);
  void note_end();

  program::Program const& program_;
  std::vector<StepRunner> const& runners_;
  std::size_t thread_bytes_;
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
