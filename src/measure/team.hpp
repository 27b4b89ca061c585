// SPDX-License-Identifier: BSD-3-Clause
// The ranks that measure a machine: who works when, and how often a second.
//
// Rates are medians of a few rounds: what other programs do meanwhile disturbs some of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/run_team.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"

namespace sixstep::measure {

/// All ranks at once, or one of each node.
enum class Working { together, alone };

class Team {
 public:
  /// Each rank has so many threads. Collective. Errors: those of Node.
  Team(mpi::Communicator const& comm, int threads);

  mpi::Communicator const& comm() const { return comm_; }
  Node const& node() const { return node_; }
  int threads() const { return threads_; }
  /// The most ranks that a node has.
  int node_ranks() const { return node_ranks_; }
  int nodes() const { return nodes_; }
  /// Cores of a node that ranks may use, no more than they have threads for.
  int cores() const { return cores_; }

  /// The median over rounds of the mean over ranks, of what `rate(seconds)` of those gives that
  /// have something to do. Collective.
  template <class Rate>
  double mean_rate(double seconds, bool works, Rate const& rate) const;

  /// How often a second a rank's threads do action(thread), all of them together. Collective.
  template <class Action>
  double per_second(double seconds, Working working, Action const& action) const;

 private:
  mpi::Communicator const& comm_;
  Node node_;
  int threads_;
  int node_ranks_ = 1;
  int nodes_ = 1;
  int cores_ = 1;
};

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Rate>
double Team::mean_rate(double seconds, bool works, Rate const& rate) const {
  std::array<double, 3> rounds{};
  for (double& round : rounds) {
    mpi::meet(comm_);
    double const share = seconds / static_cast<double>(rounds.size());
    double sums[2] = {0, works ? 1.0 : 0.0};
    if (works)
      sums[0] = rate(share);
    else  // whoever waited for messages would use a core
      std::this_thread::sleep_for(std::chrono::duration<double>(share));
    mpi::reduce_to_all(comm_, sums, 2, MPI_DOUBLE, MPI_SUM);
    round = sums[0] / sums[1];
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[rounds.size() / 2];
}

template <class Action>
double Team::per_second(double seconds, Working working, Action const& action) const {
  bool const works = working == Working::together || node_.comm().rank() == 0;
  return mean_rate(seconds, works, [&](double share) {
    std::atomic<double> sum = 0;
    run_team(threads_, [&](int thread, int) {
      Clock::time_point const begin = Clock::now();
      double done = 0, elapsed_s = 0;
      for (; done < 1 || elapsed_s < share; elapsed_s = seconds_since(begin), ++done)
        action(thread);
      sum += done / elapsed_s;
    });
    return sum.load();
  });
}

}  // namespace sixstep::measure
