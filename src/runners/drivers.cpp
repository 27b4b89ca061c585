// SPDX-License-Identifier: BSD-3-Clause
// Drivers: loops around a flow.
#include "runners/drivers.hpp"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep::runners::drivers {

namespace {

/// The waits of a thread that has nothing to do. It pauses first, then it offers its core to other
/// threads. It aborts the job if nothing at all happens for longer than the flow has patience.
class Idle {
 public:
  Idle(Flow& flow, int thread) : flow_(flow), thread_(thread) { reset(); }
  ~Idle() { record(); }

  void wait() {
    check();
    if (++times_ > patience) {
      sched_yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  /// For a thread that only looks after messages: it must not take the core of a thread that
  /// computes. It sleeps for a quarter of the time since something last changed, so that it sees
  /// the next change at most a quarter later than it could.
  void doze() {
    std::uint64_t const before = changes_;
    check();
    Nanoseconds const time = now();
    if (changes_ != before || times_ == 0) changed_ = time;
    times_ = 1;
    Nanoseconds const sleep = std::min((time - changed_) / 4, longest_sleep);
    if (sleep < shortest_sleep)
      sched_yield();
    else
      std::this_thread::sleep_for(std::chrono::nanoseconds(sleep));
  }
  void reset() {
    record();
    times_ = 0;
    wait_.emplace(flow_.patience());
  }

 private:
  static constexpr int patience = 200;  // pauses
  static constexpr Nanoseconds shortest_sleep = 10'000, longest_sleep = 200'000;

  void check() {
    if (times_ == 0 && flow_.wait_label().trace) begun_ = now();
    if (flow_.changes() != changes_ || flow_.is_computing()) wait_.emplace(flow_.patience());
    changes_ = flow_.changes();
    wait_->check([&] { return flow_.waiting_for(); });
  }
  void record() {
    if (times_ > 0 && begun_ != 0)
      flow_.wait_label().trace->record(flow_.wait_label(), thread_, begun_, {});
    begun_ = 0;
  }

  Flow& flow_;
  int thread_;
  int times_ = 0;
  Nanoseconds begun_ = 0;
  Nanoseconds changed_ = 0;  // when doze() last saw a change
  std::uint64_t changes_ = 0;
  std::optional<Patience::Wait> wait_;
};

}  // namespace

void compute(Flow& flow, int thread) {
  Idle idle(flow, thread);
  while (!flow.finished()) {
    std::uint64_t const changes = flow.changes();
    if (flow.run_next(thread)) {
      idle.reset();
      continue;
    }
    while (flow.changes() == changes && !flow.finished()) idle.wait();
  }
}

void between(Flow& flow, int thread) {
  if (thread != 0) return compute(flow, thread);
  Idle idle(flow, thread);
  while (!flow.finished()) {
    flow.progress();
    if (flow.run_next(thread))
      idle.reset();
    else
      idle.wait();
  }
}

void master(Flow& flow, int thread) {
  if (thread != 0) return compute(flow, thread);
  Idle idle(flow, thread);
  while (!flow.finished()) {
    flow.progress();
    if (!flow.messages_under_way() && flow.run_next(thread))
      idle.reset();
    else
      idle.wait();
  }
}

void pipelines(Flow& flow, int thread, int threads, int teams) {
  int const team = thread * teams / threads;
  bool const is_first = thread == 0 || (thread - 1) * teams / threads != team;
  Turns const turns{team, teams};
  Idle idle(flow, thread);
  while (!flow.finished()) {
    if (is_first && flow.is_turn_of(turns)) flow.progress();
    if (flow.run_next(thread, turns)) {
      idle.reset();
    } else {
      if (is_first) flow.progress();
      idle.wait();
    }
  }
}

void run(Driver driver, Flow& flow, int thread, int threads, int pipelines) {
  switch (driver) {
    case Driver::between:
      return between(flow, thread);
    case Driver::master:
      return master(flow, thread);
    case Driver::pipelines:
      return drivers::pipelines(flow, thread, threads,
                                pipelines > 0 ? std::min(pipelines, threads) : threads);
    case Driver::thread:
      return compute(flow, thread);
    case Driver::automatic:
      break;
  }
  require_internal(false, "no driver was chosen");
}

ProgressThread::ProgressThread() : thread_([this] { run(); }) {}

ProgressThread::~ProgressThread() {
  {
    std::lock_guard const lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ProgressThread::drive(Flow& flow, int number) {
  {
    std::lock_guard const lock(mutex_);
    flow_ = &flow;
    number_ = number;
  }
  changed_.notify_all();
}

void ProgressThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return flow_ == nullptr; });
}

void ProgressThread::run() {
  prctl(PR_SET_TIMERSLACK, 1000UL);  // ns; by default the system adds 50 us to a sleep
  for (;;) {
    Flow* flow = nullptr;
    int number = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ends_ || flow_ != nullptr; });
      if (flow_ == nullptr) return;
      flow = flow_;
      number = number_;
    }
    for (Idle idle(*flow, number); !flow->finished(); idle.doze()) flow->progress();
    {
      std::lock_guard const lock(mutex_);
      flow_ = nullptr;
    }
    changed_.notify_all();
  }
}

std::shared_ptr<ProgressThreads> ProgressThreads::of_process() {
  static std::mutex mutex;
  static std::weak_ptr<ProgressThreads> all;
  std::lock_guard const lock(mutex);
  std::shared_ptr<ProgressThreads> found = all.lock();
  if (!found || found->forks_ != forks()) all = found = std::make_shared<ProgressThreads>();
  return found;
}

ProgressThreads::ProgressThreads() { give_back(borrow()); }

ProgressThreads::~ProgressThreads() {
  if (forks() == forks_) return;
  for (std::unique_ptr<ProgressThread>& thread : idle_) {
    [[maybe_unused]] auto* const left_alone = thread.release();
  }
}

std::unique_ptr<ProgressThread> ProgressThreads::borrow() {
  std::lock_guard const lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(++made_);
    return std::make_unique<ProgressThread>();
  }
  std::unique_ptr<ProgressThread> thread = std::move(idle_.back());
  idle_.pop_back();
  return thread;
}

void ProgressThreads::give_back(std::unique_ptr<ProgressThread> thread) {
  std::lock_guard const lock(mutex_);
  idle_.push_back(std::move(thread));
}

}  // namespace sixstep::runners::drivers
