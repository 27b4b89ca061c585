// SPDX-License-Identifier: BSD-3-Clause
// Prices: what a program will cost on a machine. Pure: nothing is run, nothing is measured.
//
// How each step is priced, and what is left out, is in docs/decisions/0015-what-a-plan-costs.md.
#pragma once

#include <string>
#include <vector>

#include "formulas/composition.hpp"
#include "model/machine.hpp"
#include "program/program.hpp"

namespace sixstep::model {

/// A pass or an exchange, as describe() lists it, by itself.
struct StepPrice {
  std::string what = {};  // "fft 256, fft 256"
  bool communicates = false;
  double seconds = 0;
  double bytes = 0;       // read and written; or sent to other ranks
  Index messages = 0;     // to other ranks
  double overhead_s = 0;  // the part of `seconds` in which messages keep the computing thread busy
};

/// In all, `seconds` is less than the sum of both parts where exchanges hide.
struct Prediction {
  std::vector<StepPrice> steps;
  double communication_s = 0;
  double computation_s = 0;
  double seconds = 0;
};

/// Of a sweep of one rank's program, by itself.
StepPrice price(program::Sweep const& sweep, int ranks, int real_bytes, Machine const& machine);

/// Of the program that compile() makes for `rank`, which stands for all. Messages of a program in
/// windows are taken to progress meanwhile.
///
/// Errors: a torus has no partition for so many ranks.
Prediction price(schedule::Schedule const& schedule, program::Program const& program, int rank,
                 Machine const& machine);

/// Of all tasks forward; `limits` are those of each schedule, as describe() takes them, and
/// `tuning` is that of the plan. Which arrays are the same, the tasks say.
Prediction price(formulas::Composition const& composition,
                 std::vector<program::Limits> const& limits, Machine const& machine,
                 program::Arrays const& arrays = {}, Tuning const& tuning = {});

}  // namespace sixstep::model
