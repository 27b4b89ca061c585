// SPDX-License-Identifier: BSD-3-Clause
// Drivers: what each thread does until a flow has ended, and which thread lets messages progress.
//
// Every function is called by all threads of a team at once, and returns when the flow has ended.
// Any kind of threads will do.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/fork.hpp"
#include "runners/flow.hpp"
#include "sixstep/options.hpp"

namespace sixstep::runners::drivers {

/// Thread 0 lets messages progress between two parts of its work.
void between(Flow& flow, int thread);
/// Thread 0 computes only while no message is under way (Idomura et al. 2014).
void master(Flow& flow, int thread);
/// Each of k teams of threads has every k-th window. The first thread of a team lets messages
/// progress when it is its team's turn, or when it has nothing else to do (Doi and Negishi).
void pipelines(Flow& flow, int thread, int threads, int teams);
/// All threads compute.
void compute(Flow& flow, int thread);

/// Runs `driver` on one thread of a team. `pipelines` is the number of teams of Driver::pipelines;
/// 0 means one thread per team.
void run(Driver driver, Flow& flow, int thread, int threads, int pipelines);

/// A separate thread that lets messages of one flow after another progress.
class ProgressThread {
 public:
  ProgressThread();
  ~ProgressThread();
  ProgressThread(ProgressThread const&) = delete;

  /// The thread lets the messages of `flow`, which has begun, progress until the flow has ended. In
  /// traces the thread has this number.
  void drive(Flow& flow, int number);
  /// Waits until the thread has left the flow.
  void wait();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  Flow* flow_ = nullptr;
  int number_ = 0;
  bool ends_ = false;
  std::thread thread_;  // must be made last
};

/// The progress threads of a process, one or more. Each execution borrows one, so there are as many
/// as executions have run at once, however many plans there are.
class ProgressThreads {
 public:
  /// The threads of this process. They end when the last plan that holds them is destroyed. Throws
  /// std::system_error if the system has no thread left.
  static std::shared_ptr<ProgressThreads> of_process();

  ProgressThreads();
  /// In a forked process the threads of the parent do not exist. Their objects are left alone
  /// there, because a destructor would wait for a thread.
  ~ProgressThreads();
  ProgressThreads(ProgressThreads const&) = delete;

  /// An idle thread, or a new one. Throws std::system_error if the system has no thread left.
  std::unique_ptr<ProgressThread> borrow();
  void give_back(std::unique_ptr<ProgressThread> thread);

 private:
  int forks_ = forks();
  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<ProgressThread>> idle_;  // has room for all that were made
};

/// Whether a thread does nothing but communicate while messages are under way.
constexpr bool watches(Driver driver) {
  return driver == Driver::thread || driver == Driver::master;
}

}  // namespace sixstep::runners::drivers
