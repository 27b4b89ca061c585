// SPDX-License-Identifier: BSD-3-Clause
// Prices: the cost of a program on a machine. Pure: nothing is run or measured.
//
// docs/decisions/0015-what-a-plan-costs.md says how each step is priced, and what is left out.
#pragma once

#include <string>
#include <vector>

#include "formulas/composition.hpp"
#include "model/machine.hpp"
#include "program/program.hpp"

namespace sixstep::model {

/// The price of a single pass or exchange, as describe() lists it.
struct StepPrice {
  std::string what = {};  // "fft 256, fft 256"
  bool communicates = false;
  double seconds = 0;
  double bytes = 0;       // read and written; or sent to other ranks
  Index messages = 0;     // to other ranks
  double overhead_s = 0;  // the part of `seconds` in which messages keep the computing thread busy
};

/// The steps and their sums. `seconds` is less than the sum of both parts if exchanges hide.
struct Price {
  std::vector<StepPrice> steps;
  double communication_s = 0;
  double computation_s = 0;
  double seconds = 0;
};

/// The price of a single sweep of one rank's program.
StepPrice price(program::Sweep const& sweep, int ranks, int real_bytes, Machine const& machine);

/// The price of the program that compile() makes for `rank`, which stands for all ranks. Messages
/// of a program in windows are assumed to progress during passes. `ends_with_table`: the last pass
/// multiplies its results by a table.
///
/// Throws Error if a torus has no partition for the ranks.
Price price(schedule::Schedule const& schedule, program::Program const& program, int rank,
            Machine const& machine, bool ends_with_table = false);

/// The price of all forward tasks. `limits` are those of each schedule, as describe() takes them,
/// and `arrays` are the user's. The tasks decide which arrays are the same.
Price price(formulas::Composition const& composition, std::vector<program::Limits> const& limits,
            Machine const& machine, program::Arrays const& arrays = {});

}  // namespace sixstep::model
