// SPDX-License-Identifier: BSD-3-Clause
// Tuning: what is known of a problem from earlier, or found out now, and kept.
#pragma once

#include <string>

#include "runtime/mpi.hpp"
#include "tuner/contest.hpp"

namespace sixstep::tuner {

/// What is to be tuned.
struct Job {
  Recipe recipe;
  bool picks_grid = false;  // the input may lie in any blocks of its shape
  bool anew = false;        // whatever is kept
};

/// What came out; the same on all ranks, but for the report.
struct Outcome {
  Recipe recipe;
  std::string measured = {};  // which numbers of this machine it is made with, for describe()
  Settings settings = {};
  std::string level = {};      // of the search that found it; empty: as planned without tuning
  bool was_kept = false;       // from an earlier search
  int races = 0;               // in this one
  double seconds = 0;          // there and back
  double default_seconds = 0;  // of the plan without tuning
};

/// What TuningLevel::model finds, kept by earlier searches; else what a search of the level that
/// the recipe's options ask for finds, which is kept. Without a level, a grid is picked by price.
/// `options.threads` has the number of threads. Collective. Errors: those of a plan.
Outcome tune(Job const& job, mpi::Communicator const& comm, Watch const& watch = {});

}  // namespace sixstep::tuner
