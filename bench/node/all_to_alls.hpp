// SPDX-License-Identifier: BSD-3-Clause
// The all-to-all limit: how fast a transform would be if it did nothing but MPI_Alltoall.
//
// Source: Doi and Negishi (2010), who measure three for one axis, and let those along different
// directions of a grid of ranks overlap.
#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <cstring>
#include <vector>

#include "base/memory.hpp"
#include "node/rounds.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::bench::node {

/// Exchanges of `points` complex numbers a rank among all ranks, or within the rows and the columns
/// of a grid of them, at once or in turn, whichever is faster; so many one after another.
class AllToAlls {
 public:
  /// `width` ranks are a row of the grid; all of them: there are no columns. Collective.
  AllToAlls(MPI_Comm comm, int width, int times, Index points) : times_(times), points_(points) {
    auto const world = mpi::Communicator::duplicate(comm);
    directions_.push_back({world.split(world.rank() / width), zeros(), zeros()});
    if (width == world.size()) return;
    directions_.push_back({world.split(world.rank() % width), zeros(), zeros()});
    std::array<double, 2> time_s{};
    for (bool const at_once : {false, true, false, true}) {
      at_once_ = at_once;
      time_s[at_once] = seconds_of([&] { run(); }, comm);
    }
    at_once_ = time_s[true] < time_s[false];
  }

  int exchanges() const { return times_ * static_cast<int>(directions_.size()); }

  void run() const {
    for (int time = 0; time < times_; ++time)
      if (at_once_)
        exchange_at_once();
      else
        for (Direction const& direction : directions_) exchange(direction);
  }

 private:
  struct Direction {
    mpi::Communicator ranks;
    Memory from;
    Memory to;
  };

  Memory zeros() const {
    std::size_t const bytes = static_cast<std::size_t>(points_) * sizeof(std::complex<double>);
    Memory memory = allocate(bytes);
    std::memset(memory.get(), 0, bytes);
    return memory;
  }
  int count(Direction const& direction) const {
    return mpi::narrow(points_ / direction.ranks.size());
  }
  void exchange(Direction const& direction) const {
    MPI_Alltoall(direction.from.get(), count(direction), MPI_C_DOUBLE_COMPLEX, direction.to.get(),
                 count(direction), MPI_C_DOUBLE_COMPLEX, direction.ranks);
  }
  void exchange_at_once() const {
    std::vector<MPI_Request> requests;
    for (Direction const& direction : directions_)
      MPI_Ialltoall(direction.from.get(), count(direction), MPI_C_DOUBLE_COMPLEX,
                    direction.to.get(), count(direction), MPI_C_DOUBLE_COMPLEX, direction.ranks,
                    &requests.emplace_back());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  int times_;
  bool at_once_ = false;
  Index points_;
  std::vector<Direction> directions_;
};

}  // namespace sixstep::bench::node
