// SPDX-License-Identifier: BSD-3-Clause
// Schedules: a distributed transform as a short program of Fft, Twiddle and Exchange.
//
// Pure: no MPI, no clock, no memory. Describing, pricing and running all read the same schedule.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "exchange/placement.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::plan {

using exchange::Placement;

/// Transform along a working axis, which every rank holds whole.
struct Fft {
  int axis;
};

/// Multiply by w_N^(i j), i and j the indices along the two axes, N the product of their extents.
struct Twiddle {
  int axis;
  int other;
};

/// Redistribute.
struct Exchange {
  Placement from;
  Placement to;
};

using Stage = std::variant<Fft, Twiddle, Exchange>;

/// What is to be computed.
struct Problem {
  Layout input;
  std::optional<Layout> output = {};  // none: whatever is cheapest
  std::vector<int> axes = {};         // to transform; empty: all
  int element_bytes = 16;
};

/// The figures that schedules are compared by; per rank, rough, and the same on all ranks.
struct Machine {
  double latency_s = 2e-6;     // of one message
  double bandwidth_Bps = 5e9;  // of one rank into the network
  double memory_Bps = 2e10;    // one way
  double kernel_flops_per_s = 2e10;
};

/// What a schedule may choose between.
struct Choices {
  bool regrid = false;  // intermediate layouts may split fewer axes than the input does
  Machine machine = {};
};

/// The program, in working axes: stages lead from `input` to `output`.
struct Schedule {
  Shape shape;  // of the working axes
  Placement input;
  Placement output;
  std::vector<Stage> stages;
  int element_bytes = 16;
  double seconds = 0;  // by the Machine's figures
  Index fullest = 0;   // the most points that any rank holds at any time

  int exchanges() const;
  /// The product of the transformed extents.
  double transformed_points() const;
};

/// The cheapest program for `problem`: a shortest path through the layouts in which some axis is
/// whole.
///
/// Errors: an axis out of range or named twice; input and output of different shape or rank count;
/// more than max_axes axes.
Schedule schedule(Problem const& problem, Choices const& choices = {});

/// The program that undoes `forward` (up to the factor N) when its Ffts run backward.
Schedule reverse(Schedule const& forward);

/// "fft 2, fft 1, exchange, fft 0": the stages in a line.
std::string summary(Schedule const& schedule);

}  // namespace sixstep::plan
