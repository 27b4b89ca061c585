// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads: OpenMP's threads, or new ones.
#include "base/run_team.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>

#include "base/fork.hpp"

namespace sixstep {

namespace {

template <class Work>
void run_on_new_threads(int threads, Work const& work) {
  std::atomic<int> team = 0;  // 0 until all threads exist
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back([&, thread] {
        team.wait(0);
        work(thread, team.load());
      });
  } catch (std::system_error const&) {
    // The system gives no more threads: the existing ones do all the work.
  }
  team = static_cast<int>(others.size()) + 1;
  team.notify_all();
  work(0, team.load());
  for (std::thread& other : others) other.join();
}

std::atomic<TeamRunner> runner_of_teams = nullptr;

}  // namespace

void run_teams_by(TeamRunner runner) { runner_of_teams = runner; }

int usual_threads() {
  if (std::getenv("OMP_NUM_THREADS")) return std::max(1, omp_get_max_threads());
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return std::max(1, CPU_COUNT(&cores));
}

void run_team(int threads, void (*run)(void const* work, int thread, int team), void const* work) {
  if (TeamRunner const runner = runner_of_teams.load()) return runner(threads, run, work);
  if (forks() > 0)
    return run_on_new_threads(threads, [&](int thread, int team) { run(work, thread, team); });
#pragma omp parallel num_threads(threads)
  run(work, omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace sixstep
