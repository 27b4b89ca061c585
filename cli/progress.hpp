// SPDX-License-Identifier: BSD-3-Clause
// A line that shows the progress of a command.
//
// On a terminal the line appears after two seconds, is redrawn once a second, so that users see
// that a long step still runs, and disappears at the end. Elsewhere, as under most launchers and in
// batch jobs, a line is printed after five seconds, and further ones more and more rarely. A
// separate thread writes, which never calls MPI.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/words.hpp"

namespace sixstep::cli {

class Progress {
 public:
  /// Expects `steps` steps. Only rank 0 prints.
  Progress(int rank, int steps) : steps_(steps) {
    if (rank == 0) painter_ = std::jthread([this](std::stop_token const& stop) { repaint(stop); });
  }
  ~Progress() {
    if (!painter_.joinable()) return;
    painter_.request_stop();
    painter_.join();
    if (drawn_ && on_terminal_) std::fputs("\r\033[K", stderr);
  }
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// Begins the next step, `name`.
  void step(std::string const& name) {
    std::lock_guard const lock(mutex_);
    ++begun_;
    within_ = 0;
    name_ = name;
  }
  /// Does what within(share) does, and renames the present step, which must be the only one, to
  /// `name`.
  void within(double share, std::string const& name) {
    std::lock_guard const lock(mutex_);
    begun_ = 1;
    within_ = share;
    name_ = name;
  }
  /// Says that this share (0 to 1) of the present step is done.
  void within(double share) {
    std::lock_guard const lock(mutex_);
    within_ = share;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void repaint(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
      double const elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
      if (elapsed_s < next_s_ || stop.stop_requested()) continue;
      draw(elapsed_s);
      if (!on_terminal_) next_s_ = 2 * elapsed_s;
    }
  }

  void draw(double elapsed_s) {
    constexpr int width = 24;
    double const done = std::clamp((begun_ - 1 + within_) / steps_, 0.0, 1.0);
    auto const filled = static_cast<std::size_t>(done * width);
    std::string const bar = std::string(filled, '#') + std::string(width - filled, '.');
    std::fprintf(stderr, "%s[%s] %d/%d %s, %.0f s", on_terminal_ ? "\r\033[K" : "", bar.c_str(),
                 begun_, steps_, printable(name_).c_str(), elapsed_s);
    if (done > 0) std::fprintf(stderr, ", about %.0f s left", elapsed_s * (1 - done) / done);
    if (!on_terminal_) std::fputc('\n', stderr);
    std::fflush(stderr);
    drawn_ = true;
  }

  Clock::time_point const start_ = Clock::now();
  bool const on_terminal_ = isatty(STDERR_FILENO) == 1;
  double next_s_ = on_terminal_ ? 2 : 5;  // time of the next line
  int const steps_;
  int begun_ = 0;
  double within_ = 0;
  std::string name_;
  bool drawn_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread painter_;  // last member: it ends before the members that it uses
};

}  // namespace sixstep::cli
