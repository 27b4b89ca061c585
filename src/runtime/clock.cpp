// SPDX-License-Identifier: BSD-3-Clause
// Clocks of ranks, compared by ping-pongs: the answer is taken to be from halfway between question
// and arrival (Cristian 1989).
#include "runtime/clock.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace sixstep {

namespace {

constexpr int ping_pongs = 20;
constexpr int clock_tag = 0;

/// Ranks that share a core would see each other's time slices in the round trip, were they not to
/// yield while they wait.
void receive(Nanoseconds& value, int rank, MPI_Comm comm) {
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT64_T, rank, clock_tag, comm, &request);
  for (int arrived = 0;;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived) return;
    sched_yield();
  }
}

void answer(int rank, MPI_Comm comm, Nanoseconds (*time)()) {
  for (int i = 0; i < ping_pongs; ++i) {
    Nanoseconds question = 0;
    receive(question, rank, comm);
    Nanoseconds const mine = time();
    MPI_Send(&mine, 1, MPI_INT64_T, rank, clock_tag, comm);
  }
}

ClockReading ask(MPI_Comm comm, Nanoseconds (*time)()) {
  ClockReading best;
  for (int i = 0; i < ping_pongs; ++i) {
    Nanoseconds theirs = 0;
    Nanoseconds const begin = time();
    MPI_Send(&begin, 1, MPI_INT64_T, 0, clock_tag, comm);
    receive(theirs, 0, comm);
    Nanoseconds const end = time(), middle = begin + (end - begin) / 2;
    if (i == 0 || end - begin < best.round_trip) best = {middle, theirs - middle, end - begin};
  }
  return best;
}

}  // namespace

ClockReading read_clock(mpi::Communicator const& comm, Nanoseconds (*time)()) {
  if (comm.rank() > 0) return ask(comm, time);
  for (int rank = 1; rank < comm.size(); ++rank) answer(rank, comm, time);
  return {time(), 0, 0};
}

bool Clock::drifts() const {
  return std::abs(last_.ahead - first_.ahead) > first_.error() + last_.error() &&
         last_.local > first_.local;
}

ClockReading const& Clock::better() const {
  return last_.round_trip < first_.round_trip ? last_ : first_;
}

Nanoseconds Clock::ahead(Nanoseconds local) const {
  if (!drifts()) return better().ahead;
  double const share =
      static_cast<double>(local - first_.local) / static_cast<double>(last_.local - first_.local);
  return first_.ahead +
         static_cast<Nanoseconds>(share * static_cast<double>(last_.ahead - first_.ahead));
}

Nanoseconds Clock::error() const {
  return drifts() ? std::max(first_.error(), last_.error()) : better().error();
}

}  // namespace sixstep
