// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into the ranks of tests, which outnumber the cores: a rank whose wait lasts sleeps.
//
// A rank that only yields keeps its share of the cores: of 7 ranks on 2 cores, those that wait take
// more time than those that work, and beside other programs each yield costs a time slice. MPICH
// yields by yield_when_idle.so, and so do the library's own waits.
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

/// An answer of a rank that runs comes sooner.
constexpr long least_sleep_ns = 50'000, most_sleep_ns = 500'000;
/// Between two yields of one wait a rank only looks for messages, which takes less.
constexpr long one_wait_ns = 50'000;

long now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void sleep_ns(long ns) {
  timespec const time{0, ns};
  nanosleep(&time, nullptr);
}

}  // namespace

extern "C" int sched_yield() noexcept {
  thread_local long began_ns = 0, last_ns = 0;
  long const now = now_ns();
  if (now - last_ns > one_wait_ns) began_ns = now;
  long const waited_ns = now - began_ns;
  if (waited_ns < least_sleep_ns)
    syscall(SYS_sched_yield);
  else
    sleep_ns(waited_ns < most_sleep_ns ? waited_ns : most_sleep_ns);
  last_ns = now_ns();
  return 0;
}
