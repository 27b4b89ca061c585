// SPDX-License-Identifier: BSD-3-Clause
// Drivers: what each thread does until a flow has ended, and so who lets messages progress.
//
// Every function is called by all threads of a team at once, and returns when the flow has ended.
// Whose threads these are does not matter to it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "plan/flow.hpp"
#include "runtime/fork.hpp"
#include "sixstep/options.hpp"

namespace sixstep::plan::drivers {

/// Thread 0 lets messages progress between two parts of its work.
void between(Flow& flow, int thread);
/// Thread 0 computes only while no message is under way (Idomura et al. 2014).
void master(Flow& flow, int thread);
/// Teams of threads, each of which has every k-th window: the first of a team lets messages
/// progress when it is its team's turn, or when it has nothing else to do (Doi and Negishi).
void pipelines(Flow& flow, int thread, int threads, int teams);
/// All threads compute.
void compute(Flow& flow, int thread);

/// What that driver has a thread of a team do. Of pipelines, so many teams; 0: of a thread each.
void run(Driver driver, Flow& flow, int thread, int threads, int pipelines);

/// A thread of its own that lets messages of one flow after another progress.
class ProgressThread {
 public:
  /// Its number in traces.
  explicit ProgressThread(int number);
  ~ProgressThread();
  ProgressThread(ProgressThread const&) = delete;

  /// Until the flow, which has begun, has ended.
  void drive(Flow& flow);
  /// Waits until it has left the flow.
  void wait();
  /// Whether it was made by the process that this one was forked from. Then it does not exist here,
  /// and the object must not be destroyed: that would wait for it.
  bool is_of_parent() const { return forks() != forks_; }

 private:
  void run();

  int number_;
  int forks_ = forks();
  std::mutex mutex_;
  std::condition_variable changed_;
  Flow* flow_ = nullptr;
  bool ends_ = false;
  std::thread thread_;  // the last to be made
};

/// Whether a thread does nothing but communicate while messages are under way.
constexpr bool watches(Driver driver) {
  return driver == Driver::thread || driver == Driver::master;
}

/// Which driver can be had, and why it is another than was asked for.
struct Choice {
  Driver driver;
  std::string reason;  // none: it is the one
};

/// With so many threads a rank and such a thread level of MPI (MPI_THREAD_SINGLE, ...).
Choice choose(Driver wanted, int threads, int level);

}  // namespace sixstep::plan::drivers
