// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into ranks that outnumber the cores: a rank that yields again and again sleeps instead.
//
// MPICH's ranks that wait for a message poll and yield (by yield_when_idle.so). The cores then go
// round among the ranks that wait, which takes more than half of the time of tests on 4 to 7 ranks
// and 2 cores. This library stands in the place of the system's sched_yield. Open MPI's ranks gain
// nothing by it.
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace {

constexpr long sleep_ns = 20'000;  // the kernel adds about 50 us
constexpr long work_ns = 20'000;   // a pause between two calls that shows that the caller had work
constexpr int yields_of_a_wait = 20;  // before it sleeps

long now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

extern "C" int sched_yield() noexcept {
  static thread_local int yields = 0;
  static thread_local long last = 0;
  if (now_ns() - last > work_ns) yields = 0;
  if (++yields <= yields_of_a_wait) {
    syscall(SYS_sched_yield);
  } else {
    timespec const time{0, sleep_ns};
    nanosleep(&time, nullptr);
  }
  last = now_ns();
  return 0;
}
