// SPDX-License-Identifier: BSD-3-Clause
// Schedules: a distributed transform as a short list of Fft, Twiddle and Transpose.
//
// Pure: no MPI, no clock, no memory. Describing, pricing and running all read the same schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "schedule/columns.hpp"
#include "schedule/problem.hpp"
#include "sixstep/direction.hpp"
#include "tuning.hpp"

namespace sixstep::schedule {

using layout::Placement;

/// The elements along an axis: how many, and whether they are reals or complex numbers.
struct Points {
  Index count;
  layout::Number number;
  bool operator==(Points const&) const = default;
};

/// Transform along a working axis, which every rank holds whole. An r2c turns n reals into n/2 + 1
/// complex numbers, or the reverse (c2r). A kind of real numbers transforms the real and imaginary
/// parts of complex ones separately. If `after` has fewer elements than the transform, the others
/// are dropped; if `before` has fewer, the missing ones are zero. If it `splits`, an even number m
/// of modes is kept, and the coefficient with the wave number m/2 stands for m/2 and -m/2: it is
/// the sum of both, and gives half of itself to each, as at the m points of a coarser grid.
struct Fft {
  int axis;
  Kind kind;
  Index length;  // n
  Points before;
  Points after;
  Index first = 0;         // the first of the points that there are, which go on at 0 behind n - 1
  bool to_points = false;  // `after` are points, `before` are coefficients
  bool undoes = false;     // it runs against the direction of the schedule
  bool splits = false;

  /// The placement of the array behind the Fft, if it is `here` before.
  Placement from(layout::Placement const& here) const;
};

/// Multiply by w_N^(i j), where i and j are the indices along the two axes, and N is the product of
/// their extents.
struct Twiddle {
  int axis;
  int other;
};

/// Redistribute the array: a global transpose, which ranks carry out by an exchange.
struct Transpose {
  layout::Placement from;
  layout::Placement to;
};

/// Compute new values at each point from the values of all fields there. All ranks hold the axis of
/// the fields whole.
struct AtPoints {
  std::string what = "operation";
  int axis = -1;       // of the fields; -1: there is one field, before and behind
  bool mixes = false;  // results depend on several fields
  Index before = 1;    // fields
  Index after = 1;
  int number = 0;         // among the operations of the schedule
  Index table_reals = 0;  // reals of a table that it reads for each point of a field

  /// The placement of the array behind it, if it is `here` before.
  Placement from(layout::Placement const& here) const {
    return before == after ? here : here.with_extent(axis, after);
  }
};

/// Gathers the columns that meet a sphere. Two axes tell columns apart: the fast one counts
/// columns, and the slow one has a single index. All ranks hold both axes whole.
struct Gather {
  std::shared_ptr<Columns const> columns;
  bool scatters = false;  // the reverse: elements of the planes that no column has are zero

  /// The placement of the array behind it, if it is `here` before.
  Placement from(layout::Placement const& here) const;
};

using Stage = std::variant<Fft, Twiddle, Transpose, AtPoints, Gather>;

/// The figures by which schedules are compared: per rank, rough, and the same on all ranks.
struct RoughRates {
  double latency_s = 2e-6;     // of one message
  double bandwidth_Bps = 5e9;  // of one rank into the network
  double memory_Bps = 2e10;    // one way
  double kernel_flops_per_s = 2e10;
};

/// The choices that a schedule has.
struct Choices {
  bool regrid = false;  // intermediate layouts may split fewer axes than the input does
  bool split_untransformed = false;  // they may also split axes that are not transformed
  bool growing_waits = false;  // axes that zeros make longer may be transformed behind an exchange,
                               // which then sends less, though an earlier pass could do it in cache
  bool low_memory = false;     // a long axis is transformed in the memory of its array if possible
  Index basis = 0;  // an axis viewed as two is N = basis * rest if basis divides N; 0: any split
  RoughRates rates = {};
  Tuning tuning = {};
};

/// Stages in working axes that lead from `input` to `output`.
struct Schedule {
  Shape shape;  // of the working axes before all Ffts: points; reals for an r2c
  layout::Placement input;
  layout::Placement output;
  std::vector<Stage> stages;
  int real_bytes = 8;
  double seconds = 0;  // by the rough rates
  Index fullest = 0;   // the most points that any rank holds at any time

  int exchanges() const;
  /// The number of operations at points.
  int operations() const;
  /// Whether anything is transformed.
  bool transforms() const;
  /// The ends of each exchange, in order.
  std::vector<redistribution::Ends> ends() const;
  /// Bytes of an element.
  Index bytes_of(layout::Number number) const { return real_bytes * layout::reals_of(number); }
  /// The product of the transformed extents, or logical sizes of cosine and sine transforms.
  double transformed_points() const;
  /// The Fft along an axis that has one in this direction.
  Fft const& fft_along(int axis, bool undoes) const;
  /// "fft 64"; "c2r 64" for an r2c that starts with complex numbers; "fft 96 to 64" where modes are
  /// dropped; "fft 64 back" if it undoes an earlier one.
  std::string name(Fft const& fft) const;
};

/// The cheapest schedule for `problem`: a shortest path through the layouts in which some axis is
/// whole.
///
/// Throws Error
/// - if an axis is out of range or named twice
/// - if there is neither one kind for each axis nor one for all, or two kinds are r2c
/// - if a dct1 has one point
/// - if rows are padded and the r2c axis is not whole, or not fastest in memory
/// - if the output has another shape than the result, or another number of ranks
/// - if there are more than max_axes axes.
Schedule schedule(Problem const& problem, Choices const& choices = {});

/// The cheapest schedule whose working axes are the user's; empty if there is none, as for a single
/// axis that ranks share. Throws the errors of schedule().
std::optional<Schedule> plain_schedule(Problem problem, Choices const& choices);

/// The schedule that undoes `forward` (up to the factor N) when its Ffts run backward.
Schedule reverse(Schedule const& forward);

/// A schedule as a part of a joined one. If it `undoes`, its transforms run against the direction
/// of the whole.
struct Half {
  Schedule schedule;
  bool undoes = false;
};

/// A part of a joined schedule: another schedule, or an operation at points.
using Link = std::variant<Half, AtPoints, Gather>;

/// Joins `links`, one behind the other; at least one of them is a schedule, and each schedule
/// begins where the one before it ends. Operations are numbered in this order.
Schedule joined(std::vector<Link> const& links);

/// The cheapest schedule of a problem whose coefficients are columns. It transforms and exchanges
/// planes, gathers columns, and transforms along these. In its output, columns are dealt out among
/// ranks, and have all modes.
Schedule schedule_of_columns(Problem const& problem, std::shared_ptr<Columns const> const& columns,
                             Choices const& choices);

/// The working axes that no stage transforms.
PerAxis<int> untransformed(Schedule const& schedule);

/// "gather 812 columns".
std::string name(Gather const& gather);

/// "r2c 64, fft 60, exchange, dct2 50": the stages in a line.
std::string summary(Schedule const& schedule);

}  // namespace sixstep::schedule
