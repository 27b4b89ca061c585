// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads: the only place where the library starts threads to share work.
//
// The threads are OpenMP's, which persist from one team to the next. In a forked process GNU's
// OpenMP would wait for ever for the parent's threads, so each team makes new threads there. Knows
// nothing about MPI.
#pragma once

#include <algorithm>
#include <atomic>

#include "sixstep/index.hpp"

namespace sixstep {

/// The number of threads for a process that has its cores to itself: OMP_NUM_THREADS if it is set,
/// otherwise the number of cores that it may run on.
int usual_threads();

/// Runs a team in another way than on OpenMP's threads: calls run(work, thread, team) for
/// 0 <= thread < team, in any order, some or all at once, and returns when all calls have returned.
using TeamRunner = void (*)(int threads, void (*run)(void const* work, int thread, int team),
                            void const* work);
/// Lets `runner` run all teams from now on; null: OpenMP's threads run them.
void run_teams_by(TeamRunner runner);

/// Calls run(work, thread, team) on each thread of a team; see run_team() below.
void run_team(int threads, void (*run)(void const* work, int thread, int team), void const* work);

/// Calls work(thread, team) for 0 <= thread < team, each on its own thread, all at once; thread 0
/// is the caller. The team has `threads` threads, or fewer if the system or OpenMP does not give
/// that many. Returns when all calls have returned. `work` must not throw.
template <class Work>
void run_team(int threads, Work const& work) {
  if (threads <= 1) return work(0, 1);
  run_team(
      threads,
      [](void const* of_caller, int thread, int team) {
        (*static_cast<Work const*>(of_caller))(thread, team);
      },
      &work);
}

/// Calls body(i, thread) for 0 <= i < n. Each thread takes the next i as soon as it has finished
/// one.
template <class Body>
void share_in_turn(Index n, int threads, Body const& body) {
  std::atomic<Index> next = 0;
  run_team(threads, [&](int thread, int) {
    for (Index i = 0; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) body(i, thread);
  });
}

/// Calls body(i, thread) for 0 <= i < n. Each thread takes one contiguous part of [0, n).
template <class Body>
void share_in_stretches(Index n, int threads, Body const& body) {
  run_team(threads, [&](int thread, int team) {
    Index const each = n / team, more = n % team;  // the first `more` threads have one more
    Index const first = thread * each + std::min<Index>(thread, more);
    Index const end = first + each + (thread < more ? 1 : 0);
    for (Index i = first; i < end; ++i) body(i, thread);
  });
}

}  // namespace sixstep
