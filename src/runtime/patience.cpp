// SPDX-License-Identifier: BSD-3-Clause
// Ends a wait that lasts too long: a message, and MPI_Abort.
#include "runtime/patience.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "sixstep/error.hpp"

namespace sixstep {

namespace {

/// Ends this process in a few seconds, because MPI_Abort may try for ever to reach a host that is
/// gone.
void end_soon() {
  constexpr unsigned seconds = 5;
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  std::signal(SIGALRM, [](int) { _exit(EXIT_FAILURE); });
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(seconds);
}

}  // namespace

bool Patience::Wait::has_lasted_too_long() {
  Clock::time_point const now = Clock::now();
  if (!has_looked_) looked_ = now;
  has_looked_ = true;
  // The process itself may have been stopped since the last look. A job that is suspended as a
  // whole and continued later has not hung.
  double const since = std::chrono::duration<double>(now - looked_).count();
  seconds_ += std::min(since, patience_.seconds_ / 4);
  looked_ = now;
  return seconds_ >= patience_.seconds_;
}

void Patience::give_up(std::string const& waiting_for) const {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  // One call writes it all, because other ranks may write too.
  std::string const message =
      text("sixstep: rank ", rank, " of ", ranks, " has waited ", seconds_,
           " s (SIXSTEP_TIMEOUT) for ", waiting_for,
           ". A late rank may be dead, stopped, cut off from the network, busy, or waiting for "
           "another rank: look at its host and its messages. All ranks are aborted.\n");
  std::fputs(message.c_str(), stderr);
  std::fflush(stderr);
  // Launchers forward output with a delay, and drop the rest when they are told to abort.
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  end_soon();
  MPI_Abort(comm_, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);  // in case MPI returns
}

std::string ranks_in_words(std::vector<int> ranks) {
  constexpr std::size_t most = 16;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::string words = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i)
    words += text(i == 0 ? "" : ", ", ranks[i]);
  return ranks.size() <= most ? words : words + text(" and ", ranks.size() - most, " more");
}

}  // namespace sixstep
