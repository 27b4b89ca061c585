// SPDX-License-Identifier: BSD-3-Clause
// Timing several contenders against each other: in turn, in short trials, in one process.
//
// A machine's speed drifts with its clock and its other tenants. Contenders that take turns every
// millisecond see the same machine, and the ratio within one round is better than any two times.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

namespace sixstep::bench {

/// Seconds per run: trials[contender][round].
using Trials = std::vector<std::vector<double>>;

inline double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median over the rounds of how many times as long `b` takes as `a`.
inline double median_ratio(std::vector<double> const& a, std::vector<double> const& b) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < a.size(); ++round) ratios.push_back(b[round] / a[round]);
  return median(ratios);
}

inline double seconds_of(std::function<void()> const& run, int repeats) {
  using Clock = std::chrono::steady_clock;
  auto const begin = Clock::now();
  for (int repeat = 0; repeat < repeats; ++repeat) run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// How often to run in a trial of about a millisecond; runs once to warm up, then to find out.
inline int repeats_of(std::function<void()> const& run) {
  constexpr double trial_s = 1e-3;
  run();
  int repeats = 1;
  for (double time_s = seconds_of(run, repeats); time_s < trial_s / 4;
       time_s = seconds_of(run, repeats))
    repeats *= 2;
  double const run_s = seconds_of(run, repeats) / repeats;
  return std::clamp(static_cast<int>(std::lround(trial_s / run_s)), 1, 1 << 20);
}

/// Lets the runs take turns for about `seconds` in all, and for five rounds at least.
inline Trials take_turns(std::vector<std::function<void()>> const& runs, double seconds) {
  constexpr std::size_t least_rounds = 5;
  std::vector<int> repeats;
  for (auto const& run : runs) repeats.push_back(repeats_of(run));
  Trials trials(runs.size());
  double spent_s = 0;
  for (std::size_t round = 0; round < least_rounds || spent_s < seconds; ++round) {
    for (std::size_t turn = 0; turn < runs.size(); ++turn) {
      // Another one begins each round, so that nobody always follows the same contender.
      std::size_t const i = (round + turn) % runs.size();
      if (repeats[i] > 1) runs[i]();  // its tables come back to the caches
      double const time_s = seconds_of(runs[i], repeats[i]);
      trials[i].push_back(time_s / repeats[i]);
      spent_s += time_s;
    }
  }
  return trials;
}

}  // namespace sixstep::bench
