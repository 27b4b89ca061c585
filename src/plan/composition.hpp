// SPDX-License-Identifier: BSD-3-Clause
// Compositions: what a plan does as a list of tasks, each a schedule that is run,
// pointwise work, or a transposition.
//
// Most plans run one schedule. A single axis that ranks cannot share as it is becomes another one
// that they can, with pointwise work before and behind. Pure: no MPI, no data.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exchange/square.hpp"
#include "plan/program.hpp"
#include "plan/schedule.hpp"

namespace sixstep::plan {

/// What a task reads and writes: what the caller gives, what he is to get, or a work array.
using Slot = std::size_t;
inline constexpr Slot given = 0, result = 1, first_work = 2;

/// A transform of n points as two convolutions of more points, see bluestein.hpp.
struct Bluestein {
  Index n;
  Layout home;      // of the points of either convolution
  Layout spectrum;  // of both transforms' coefficients
};

/// A transform of n reals as one of n/2 complex numbers, see half_complex.hpp.
struct HalfComplex {
  Index n;
  Layout spectrum;  // of the n/2 + 1 coefficients
};

/// A transform of an odd number of reals as one of complex numbers, see zero_imaginary.hpp.
struct ZeroImaginary {
  Layout input;
  Layout kept;  // of the first coefficients, which stand for all
};

/// One long axis in little more than the memory of its array, see in_place.hpp.
struct InPlace {
  exchange::Square square;
};

using Formula = std::variant<Bluestein, HalfComplex, ZeroImaginary, InPlace>;

/// Pointwise work: of Bluestein, the chirp to be convolved with, its transform to be kept, and what
/// is done to data; of HalfComplex, coefficients of reals from those of complex numbers and back;
/// of ZeroImaginary, reals to complex numbers, half of their coefficients to all that matter, and
/// complex numbers to reals; of InPlace, a copy if
/// there are two arrays, and transforms of rows.
enum class Map {
  chirp,
  keep,
  spread,
  multiply,
  collect,
  join,
  split,
  widen,
  fill,
  narrow,
  copy,
  rows
};

/// A schedule is run, there or back.
struct Run {
  std::size_t schedule;
  bool backward = false;
};

/// A formula is applied, point by point.
struct Apply {
  std::size_t formula;
  Map map;
  bool backward = false;
  Slot other = given;  // a second array to read, where there is one
};

/// A square is transposed, in place or not, by swapping blocks with other ranks.
struct Turn {
  exchange::Square square;
};

struct Task {
  std::variant<Run, Apply, Turn> what;
  Slot source;
  Slot target;
  bool scaled = false;  // it multiplies by the caller's factor
  double factor = 1;    // and by this
};

/// The tasks of a plan: once when it is made, and in each direction.
struct Composition {
  Placement input;
  Placement output;
  Number input_number = Number::complex;
  Number output_number = Number::complex;
  double points = 1;  // what Scale::by_n divides by
  std::vector<Schedule> schedules = {};
  std::vector<Formula> formulas = {};
  std::vector<Layout> work = {};  // complex numbers that work arrays have room for, as far as the
                                  // schedules that use them need no more
  std::vector<Task> setup = {};
  std::vector<Task> forward = {};
  std::vector<Task> backward = {};

  /// Whether it is a schedule and nothing else.
  bool is_schedule() const { return formulas.empty(); }
  int exchanges() const;
  /// By the Machine's figures; an Apply is a pass over memory, and so is a Turn on one rank.
  double seconds(Machine const& machine) const;

  std::size_t add(Schedule schedule) {
    schedules.push_back(std::move(schedule));
    return schedules.size() - 1;
  }
  std::size_t add(Formula formula) {
    formulas.push_back(std::move(formula));
    return formulas.size() - 1;
  }
  Slot add_work(Layout const& layout) {
    work.push_back(layout);
    return slots() - 1;
  }
  /// One behind the last.
  Slot slots() const { return first_work + work.size(); }

  /// Takes over what `inner` consists of; its tasks from `source` to `target` then follow those in
  /// `forward`, and its tasks back from `back_source` to `back_target` those in `backward`.
  struct Ends {
    Slot source, target;
    double factor = 1;
  };
  void add(Composition const& inner, Ends const& there, Ends const& back);
};

/// The cheapest way to solve `problem`. Errors: those of schedule().
Composition compose(Problem const& problem, Choices const& choices = {});

/// "convolution of 2 x 1024 points (Bluestein)".
std::string name(Formula const& formula);
/// "times chirp" and the like.
std::string name(Map map);
/// "exchange: transposition in place in blocks"; on one rank it is no exchange.
std::string name(Turn const& turn);

/// What describe() of a schedule says, of all tasks forward; `limits` are those of each schedule.
std::string describe(Composition const& composition, std::vector<Limits> const& limits = {},
                     bool preserve_input = true);

}  // namespace sixstep::plan
