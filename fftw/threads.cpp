// SPDX-License-Identifier: BSD-3-Clause
// FFTW's functions for threads. Planning is always safe in several threads at once.
#include "threads.hpp"

#include <algorithm>
#include <atomic>

#include <vector>

#include "base/run_team.hpp"
#include "names.hpp"

namespace sixstep::fftw {

namespace {

std::atomic<int> threads_of_plans = 1;

// The user's loop, and its data.
std::atomic<fftw_loop_in_parallel> users_loop = nullptr;
std::atomic<void*> users_data = nullptr;

/// One thread's part of a team.
struct Job {
  void (*run)(void const* work, int thread, int team);
  void const* work;
  int thread;
  int team;
};

void* run_job(char* memory) {
  Job const& job = *reinterpret_cast<Job const*>(memory);
  job.run(job.work, job.thread, job.team);
  return nullptr;
}

void run_by_user(int threads, void (*run)(void const*, int, int), void const* work) {
  std::vector<Job> jobs;
  for (int thread = 0; thread < threads; ++thread) jobs.push_back({run, work, thread, threads});
  users_loop.load()(run_job, reinterpret_cast<char*>(jobs.data()), sizeof(Job), threads,
                    users_data);
}

}  // namespace

int planned_threads() { return threads_of_plans; }

}  // namespace sixstep::fftw

extern "C" {

int SIXSTEP_FFTW(init_threads)(void) { return 1; }

void SIXSTEP_FFTW(plan_with_nthreads)(int threads) {
  sixstep::fftw::threads_of_plans = std::max(1, threads);
}

int SIXSTEP_FFTW(planner_nthreads)(void) { return sixstep::fftw::threads_of_plans; }

void SIXSTEP_FFTW(threads_set_callback)(fftw_loop_in_parallel loop, void* data) {
  sixstep::run_teams_by(nullptr);
  sixstep::fftw::users_loop = loop;
  sixstep::fftw::users_data = data;
  if (loop != nullptr) sixstep::run_teams_by(sixstep::fftw::run_by_user);
}

void SIXSTEP_FFTW(make_planner_thread_safe)(void) {}

void SIXSTEP_FFTW(cleanup_threads)(void) { sixstep::fftw::threads_of_plans = 1; }

}  // extern "C"
