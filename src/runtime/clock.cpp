// SPDX-License-Identifier: BSD-3-Clause
// Compares clocks by ping-pongs. The answer is assumed to be from the middle of the round trip
// (Cristian 1989).
#include "runtime/clock.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace sixstep {

namespace {

constexpr int ping_pongs = 20;

/// Messages between two ranks that compare their clocks.
class PingPong {
 public:
  PingPong(mpi::Communicator const& comm, int other, int tag)
      : comm_(comm), other_(other), tag_(tag) {}

  void send(Nanoseconds const& value) const {
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT64_T, other_, tag_, comm_, &request);
    finish(request);
  }
  Nanoseconds receive() const {
    Nanoseconds value = 0;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT64_T, other_, tag_, comm_, &request);
    finish(request);
    return value;
  }

 private:
  /// Yields while it waits: otherwise ranks that share a core would see each other's time slices in
  /// the round trip.
  void finish(MPI_Request& request) const {
    Patience::Wait wait = comm_.patience().begin();
    for (int is_done = 0; true; sched_yield()) {
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
      if (is_done) return;
      wait.check([this] { return text("the clock of rank ", other_, ", for a trace"); });
    }
  }

  mpi::Communicator const& comm_;
  int other_;
  int tag_;
};

void answer(PingPong const& messages, Nanoseconds (*time)()) {
  for (int i = 0; i < ping_pongs; ++i) {
    messages.receive();
    messages.send(time());
  }
}

ClockReading ask(PingPong const& messages, Nanoseconds (*time)()) {
  ClockReading best;
  for (int i = 0; i < ping_pongs; ++i) {
    Nanoseconds const begin = time();
    messages.send(begin);
    Nanoseconds const theirs = messages.receive();
    Nanoseconds const end = time(), middle = begin + (end - begin) / 2;
    if (i == 0 || end - begin < best.round_trip) best = {middle, theirs - middle, end - begin};
  }
  return best;
}

}  // namespace

ClockReading read_clock(mpi::Communicator const& comm, int tag, Nanoseconds (*time)()) {
  if (comm.rank() > 0) return ask({comm, 0, tag}, time);
  for (int rank = 1; rank < comm.size(); ++rank) answer({comm, rank, tag}, time);
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
