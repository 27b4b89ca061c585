// SPDX-License-Identifier: BSD-3-Clause
// Patience: how long this rank waits for others, and what happens when a wait takes longer.
//
// Knows nothing about what is waited for: the caller says it when the limit is reached.
#pragma once

#include <mpi.h>

#include <chrono>
#include <string>
#include <vector>

namespace sixstep {

/// A limit in seconds for each wait, or no limit. A wait that exceeds it is reported on stderr and
/// ends the job.
class Patience {
 public:
  class Wait;

  /// No limit.
  Patience() = default;
  /// `comm` is aborted when a wait takes too long; the message tells its size. It must outlive any
  /// wait.
  Patience(double seconds, MPI_Comm comm) : seconds_(seconds), comm_(comm) {}

  bool is_endless() const { return seconds_ == 0; }
  Wait begin() const;

 private:
  [[noreturn]] void give_up(std::string const& waiting_for) const;

  double seconds_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// One wait of one thread, for any loop that polls.
class Patience::Wait {
 public:
  /// `patience` must outlive the wait.
  explicit Wait(Patience const& patience) : patience_(patience) {}

  /// Returns unless the wait has lasted too long. Then `waiting_for()` says what did not happen, as
  /// in "exchange 2 of 3 (to ...): nothing from ranks 3, 7", and the job ends. Most calls do not
  /// read the clock, so it may be called in every poll.
  template <class WaitingFor>
  void check(WaitingFor const& waiting_for) {
    if (patience_.is_endless() || ++calls_ % calls_per_look != 0 || !has_lasted_too_long()) return;
    patience_.give_up(waiting_for());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned calls_per_look = 16;

  bool has_lasted_too_long();

  Patience const& patience_;
  unsigned calls_ = 0;
  bool has_looked_ = false;
  Clock::time_point looked_;
  double seconds_ = 0;
};

inline Patience::Wait Patience::begin() const { return Wait(*this); }

/// "rank 3", or "ranks 1, 3, 7": without duplicates, ascending, the first few of many.
std::string ranks_in_words(std::vector<int> ranks);

}  // namespace sixstep
