// SPDX-License-Identifier: BSD-3-Clause
// The ranks that measure a machine: which of them work, and how often per second.
//
// Rates are medians of a few rounds, because other programs disturb some of them.
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

/// All ranks at once, or one rank of each node.
enum class Working { together, alone };

class Team {
 public:
  /// Each rank has `threads` threads. Collective. Throws the errors of Node.
  Team(mpi::Communicator const& comm, int threads);

  mpi::Communicator const& comm() const { return comm_; }
  Node const& node() const { return node_; }
  int threads() const { return threads_; }
  /// The largest number of ranks on a node.
  int node_ranks() const { return node_ranks_; }
  int nodes() const { return nodes_; }
  /// The cores of a node that its ranks may use, at most one for each thread.
  int cores() const { return cores_; }

  /// The median over rounds of rate(seconds), averaged over the ranks with `works`. Collective.
  template <class Rate>
  double mean_rate(double seconds, bool works, Rate const& rate) const;

  /// How often per second a rank's threads, all together, do action(thread). Collective.
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
    else  // waiting for messages would use a core
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
