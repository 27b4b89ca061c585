// SPDX-License-Identifier: BSD-3-Clause
// FFTW's functions for threads. Planning is always safe in several threads at once.
#include "threads.hpp"

#include <algorithm>
#include <atomic>

#include "names.hpp"

namespace sixstep::fftw {

namespace {

std::atomic<int> threads_of_plans = 1;

}  // namespace

int planned_threads() { return threads_of_plans; }

}  // namespace sixstep::fftw

extern "C" {

int SIXSTEP_FFTW(init_threads)(void) { return 1; }

void SIXSTEP_FFTW(plan_with_nthreads)(int threads) {
  sixstep::fftw::threads_of_plans = std::max(1, threads);
}

int SIXSTEP_FFTW(planner_nthreads)(void) { return sixstep::fftw::threads_of_plans; }

void SIXSTEP_FFTW(make_planner_thread_safe)(void) {}

void SIXSTEP_FFTW(cleanup_threads)(void) { sixstep::fftw::threads_of_plans = 1; }

}  // extern "C"
