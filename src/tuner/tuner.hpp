// SPDX-License-Identifier: BSD-3-Clause
// Tuning: settings for a problem that earlier searches kept, or that are found now and kept.
#pragma once

#include <string>

#include "runtime/mpi.hpp"
#include "tuner/contest.hpp"

namespace sixstep::tuner {

/// A plan to tune.
struct ToTune {
  Design design;
  bool picks_grid = false;  // the input may lie in any blocks of its shape
  bool anew = false;        // ignores what is kept
};

/// The result; the same on all ranks, except for the report.
struct Outcome {
  Design design;
  std::string measured = {};  // the numbers measured on this machine that it uses, for describe()
  Settings settings = {};
  std::string level = {};      // of the search that found the settings; empty: planned without
                               // tuning
  bool was_kept = false;       // from an earlier search
  int races = 0;               // in this one
  double seconds = 0;          // forward and backward
  double default_seconds = 0;  // of the plan without tuning
};

/// The settings that earlier searches kept, which TuningLevel::model uses too. Otherwise a search
/// of the level in the design's options runs, and its result is kept. Without a level, a grid is
/// chosen by price. `options.threads` must be set. Collective. Throws the errors of a plan.
Outcome tune(ToTune const& wanted, mpi::Communicator const& comm, Watch const& watch = {});

}  // namespace sixstep::tuner
