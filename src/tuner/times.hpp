// SPDX-License-Identifier: BSD-3-Clause
// The times of a plan in a race.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/mpi.hpp"

namespace sixstep::tuner {

/// The seconds of some runs, each as long as its slowest rank.
class Times {
 public:
  /// Adds the time of run(), which all ranks begin together, and returns it. Collective.
  template <class Run>
  double add(mpi::Communicator const& comm, Run const& run) {
    mpi::meet(comm);
    double const begin = MPI_Wtime();
    run();
    double seconds = MPI_Wtime() - begin;
    mpi::reduce_to_all(comm, &seconds, 1, MPI_DOUBLE, MPI_MAX);
    seconds_.push_back(seconds);
    return seconds;
  }

  void clear() { seconds_.clear(); }
  std::size_t size() const { return seconds_.size(); }

  /// Needs at least one time.
  double median() const {
    std::vector<double> values = seconds_;
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

 private:
  std::vector<double> seconds_;
};

}  // namespace sixstep::tuner
