// SPDX-License-Identifier: BSD-3-Clause
// Drivers: loops around a flow.
#include "plan/drivers.hpp"

#include <sched.h>

#include <algorithm>
#include <optional>

#include "sixstep/error.hpp"

namespace sixstep::plan::drivers {

namespace {

/// What a thread does while it has nothing to do: first it stays, then it offers its core. It loses
/// patience if nothing at all happens.
class Idle {
 public:
  Idle(Flow& flow, int thread) : flow_(flow), thread_(thread) { reset(); }
  ~Idle() { record(); }

  void wait() {
    if (times_ == 0 && flow_.wait_label().trace) begun_ = now();
    if (flow_.changes() != changes_ || flow_.is_computing()) wait_.emplace(flow_.patience());
    changes_ = flow_.changes();
    wait_->check([&] { return flow_.waiting_for(); });
    if (++times_ > patience) {
      sched_yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  void reset() {
    record();
    times_ = 0;
    wait_.emplace(flow_.patience());
  }

 private:
  static constexpr int patience = 200;  // pauses

  void record() {
    if (times_ > 0 && begun_ != 0)
      flow_.wait_label().trace->record(flow_.wait_label(), thread_, begun_, {});
    begun_ = 0;
  }

  Flow& flow_;
  int thread_;
  int times_ = 0;
  Nanoseconds begun_ = 0;
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
  }
}

ProgressThread::ProgressThread(int number) : number_(number), thread_([this] { run(); }) {}

ProgressThread::~ProgressThread() {
  {
    std::lock_guard const lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ProgressThread::drive(Flow& flow) {
  {
    std::lock_guard const lock(mutex_);
    flow_ = &flow;
  }
  changed_.notify_all();
}

void ProgressThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return flow_ == nullptr; });
}

void ProgressThread::run() {
  for (;;) {
    Flow* flow = nullptr;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ends_ || flow_ != nullptr; });
      if (flow_ == nullptr) return;
      flow = flow_;
    }
    for (Idle idle(*flow, number_); !flow->finished(); idle.wait()) flow->progress();
    {
      std::lock_guard const lock(mutex_);
      flow_ = nullptr;
    }
    changed_.notify_all();
  }
}

Choice choose(Driver wanted, int threads, int level) {
  auto const instead = [](std::string const& reason) { return Choice{Driver::between, reason}; };
  bool const shares_work = wanted == Driver::master || wanted == Driver::pipelines;
  if (shares_work && threads < 2) return instead("it needs two threads a rank");
  if (wanted == Driver::master && level < MPI_THREAD_FUNNELED)
    return instead("it needs MPI_THREAD_FUNNELED");
  if ((wanted == Driver::pipelines || wanted == Driver::thread) && level < MPI_THREAD_SERIALIZED)
    return instead("it needs MPI_THREAD_SERIALIZED");
  return {wanted, ""};
}

}  // namespace sixstep::plan::drivers
