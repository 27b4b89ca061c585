// SPDX-License-Identifier: BSD-3-Clause
// Verdicts: a plan that is clearly slower or faster is told apart after few runs.
#include "tuner/verdict.hpp"

#include <array>

namespace sixstep::tuner {

namespace {

/// A challenger is dropped if its time after `runs` runs is more than `ratio` times the holder's.
struct Hurdle {
  std::size_t runs;
  double ratio;
};
constexpr std::array hurdles = {Hurdle{1, 2.0}, Hurdle{2, 1.1}, Hurdle{3, 1.0}, Hurdle{7, 0.99}};
/// A challenger wins early if its ratio is at most early_win, and in the end if it is at most
/// `win`, or hasty_win.ratio after fewer than hasty_win.runs runs.
constexpr double early_win = 0.85, win = 0.98;
constexpr Hurdle hasty_win{7, 0.95};

}  // namespace

std::optional<bool> verdict(std::size_t runs, double ratio, bool ends) {
  for (Hurdle const& hurdle : hurdles)
    if (runs == hurdle.runs && ratio > hurdle.ratio) return false;
  if (runs >= least_runs && ratio <= early_win) return true;
  if (!ends) return std::nullopt;
  return ratio <= (runs < hasty_win.runs ? hasty_win.ratio : win);
}

}  // namespace sixstep::tuner
