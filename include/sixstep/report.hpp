// SPDX-License-Identifier: BSD-3-Clause
// What a plan reports: the seconds of its steps, measured and predicted, and checks of its results.
#pragma once

#include <string>
#include <vector>

#include "sixstep/direction.hpp"
#include "sixstep/index.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// A pass over memory or an exchange: what it does, the seconds that a rank has spent on it in all
/// executions in one direction, and the bytes that it reads and writes each time.
struct Part {
  std::string what;
  double seconds;
  double bytes;
};

/// The predicted time of a forward transform on the machine that a machine file describes:
/// `seconds` in all, the seconds of its exchanges and of its passes over memory, and each step.
/// Where exchanges hide behind passes, `seconds` is less than the sum.
///
/// Without a name the machine file is $SIXSTEP_MACHINE, or else sixstep/machine.json in
/// $XDG_DATA_HOME or ~/.local/share, which `sixstep tune --machine` writes. For a plan on a device
/// it is machine-cuda.json or machine-emulated.json, which `sixstep tune --machine --device`
/// writes.
struct Prediction {
  double seconds;
  double communication;
  double computation;
  std::vector<Part> steps;
};

/// The findings of Options::verify since a plan was made, on all ranks together.
struct Verified {
  Index checked = 0;    ///< executions whose result was right
  Index unchecked = 0;  ///< executions whose input has an infinity, a NaN, or numbers whose squares
                        ///< double cannot hold
  Index repaired = 0;   ///< executions that were right at the second try
  Index compared = 0;   ///< with Verify::all: messages, and arrays that rest between two sweeps,
                        ///< whose bits were the same when they were read
  double largest_share = 0;  ///< the largest difference of two sums of a right result, in units of
                             ///< its bound
};

/// An execution that Options::verify has found to be wrong: the same on all ranks.
struct Detection {
  Direction direction;
  bool repaired;      ///< a second execution was right, so that nothing is thrown
  int rank;           ///< the rank that has computed, or read, other numbers; -1: not known
  std::string where;  ///< the step or message, and what the rank has done; empty: not known
  double difference;  ///< of two sums of the first result, and what rounding could make of it at
  double bound;       ///< most; `bound` is 0 if the execution cannot be checked by sums
};

}  // namespace sixstep
#pragma GCC visibility pop
