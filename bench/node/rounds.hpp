// SPDX-License-Identifier: BSD-3-Clause
// Timing contenders that run on several ranks: in turn, in one run.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "turns.hpp"

namespace sixstep::bench::node {

/// Seconds from a barrier to the end on the slowest rank, the same on all ranks. Collective.
inline double seconds_of(std::function<void()> const& run, MPI_Comm comm) {
  MPI_Barrier(comm);
  double const begin = MPI_Wtime();
  run();
  double time_s = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &time_s, 1, MPI_DOUBLE, MPI_MAX, comm);
  return time_s;
}

/// How long to measure: at least so many rounds, and at least so long.
struct Patience {
  int rounds;
  double seconds;
};

/// Lets the runs take turns. Collective; all ranks make as many rounds, as all see the same times.
inline Trials take_turns(std::vector<std::function<void()>> const& runs, Patience const& patience,
                         MPI_Comm comm) {
  constexpr double short_s = 0.02;
  std::vector<bool> is_short;
  for (auto const& run : runs) {
    run();
    is_short.push_back(seconds_of(run, comm) < short_s);
  }
  Trials trials(runs.size());
  double spent_s = 0;
  for (int round = 0; round < patience.rounds || spent_s < patience.seconds; ++round)
    for (std::size_t turn = 0; turn < runs.size(); ++turn) {
      // Another one begins each round, so that nobody always follows the same contender.
      std::size_t const i = (static_cast<std::size_t>(round) + turn) % runs.size();
      if (is_short[i]) runs[i]();  // what fits comes back to the caches
      trials[i].push_back(seconds_of(runs[i], comm));
      spent_s += trials[i].back();
    }
  return trials;
}

}  // namespace sixstep::bench::node
