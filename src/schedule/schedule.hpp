// SPDX-License-Identifier: BSD-3-Clause
// Schedules: a distributed transform as a short list of Fft, Twiddle and Exchange.
//
// Pure: no MPI, no clock, no memory. Describing, pricing and running all read the same schedule.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "schedule/problem.hpp"
#include "tuning.hpp"

namespace sixstep::schedule {

using layout::Placement;

/// What the array is along an axis: so many elements, reals or complex numbers.
struct Points {
  Index count;
  layout::Number number;
  bool operator==(Points const&) const = default;
};

/// Transform along a working axis, which every rank holds whole. One of kind r2c leads from n reals
/// to n/2 + 1 complex numbers, or back (c2r); a kind of real numbers acts on real and imaginary
/// parts each if it meets complex ones. If it leads to fewer elements than it has coefficients,
/// modes are dropped; if from fewer, these are zero.
struct Fft {
  int axis;
  Kind kind;
  Points before;
  Points after;

  /// Where the array is behind the Fft, if it was `here` before.
  Placement from(layout::Placement const& here) const;
};

/// Multiply by w_N^(i j), i and j the indices along the two axes, N the product of their extents.
struct Twiddle {
  int axis;
  int other;
};

/// Redistribute.
struct Exchange {
  layout::Placement from;
  layout::Placement to;
};

using Stage = std::variant<Fft, Twiddle, Exchange>;

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
  bool split_untransformed = false;  // they may split axes that are not transformed, too
  bool low_memory = false;  // a long axis is transformed in the memory of its array, if it can be
  Index basis = 0;  // an axis that becomes two is N = basis * rest, if that divides it; 0: any
  Machine machine = {};
  Tuning tuning = {};
};

/// Stages, in working axes, which lead from `input` to `output`.
struct Schedule {
  Shape shape;  // of the working axes before all Ffts: points, of an r2c reals
  layout::Placement input;
  layout::Placement output;
  std::vector<Stage> stages;
  int real_bytes = 8;
  double seconds = 0;  // by the Machine's figures
  Index fullest = 0;   // the most points that any rank holds at any time

  int exchanges() const;
  /// Whether anything is transformed.
  bool transforms() const;
  /// Of the exchanges, in turn.
  std::vector<redistribution::Ends> ends() const;
  /// Bytes of an element.
  Index bytes_of(layout::Number number) const { return real_bytes * layout::reals_of(number); }
  /// The product of the transformed extents, or logical sizes of cosine and sine transforms.
  double transformed_points() const;
  /// The Fft along an axis that has one.
  Fft const& fft_along(int axis) const;
  /// "fft 64"; of an r2c from complex numbers "c2r 64"; where modes are dropped, "fft 96 to 64".
  std::string name(Fft const& fft) const;
};

/// The cheapest schedule for `problem`: a shortest path through the layouts in which some axis is
/// whole.
///
/// Errors: an axis out of range or named twice; as many kinds as axes are not given, or two r2c; a
/// dct1 of one point; padded rows where the r2c axis is not whole and fastest in memory; an output
/// that has not the shape of the result, or another rank count; more than max_axes axes.
Schedule schedule(Problem const& problem, Choices const& choices = {});

/// The schedule that undoes `forward` (up to the factor N) when its Ffts run backward.
Schedule reverse(Schedule const& forward);

/// The working axes that no stage transforms.
PerAxis<int> untransformed(Schedule const& schedule);

/// "r2c 64, fft 60, exchange, dct2 50": the stages in a line.
std::string summary(Schedule const& schedule);

}  // namespace sixstep::schedule
