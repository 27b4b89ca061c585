// SPDX-License-Identifier: BSD-3-Clause
// Compositions: what a plan does as a list of tasks. Each task runs a schedule, does pointwise
// work, or transposes a square.
//
// Most plans run one schedule. A single axis that ranks cannot share becomes another one that they
// can, with pointwise work before and behind.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "formulas/formula.hpp"
#include "program/limits.hpp"
#include "program/program.hpp"
#include "redistribution/square.hpp"
#include "schedule/schedule.hpp"
#include "schedule/waves.hpp"

namespace sixstep::formulas {

/// An array that a task reads or writes: the caller's input, the caller's output, or a work array.
using Slot = std::size_t;
inline constexpr Slot given = 0, result = 1, first_work = 2;

/// The end of a schedule's last pass: as it stores its results, it multiplies them by this table of
/// the formula. Tables are complete after the setup, so no task of the setup has one.
struct Times {
  std::size_t formula;
  int work;
};

/// Runs a schedule forward or backward.
struct Run {
  std::size_t schedule;
  bool backward = false;
  std::optional<Times> times = {};
  bool has_sign = true;                      // false: it ignores the sign of the plan's exponent
  std::vector<std::size_t> operations = {};  // the formula of each operation in the schedule
};

/// Applies a formula point by point.
struct Apply {
  std::size_t formula;
  int work;
  bool backward = false;
  Slot other = given;  // a second array to read, if the work has one
};

/// Transposes a square, in place or not, by swapping blocks with other ranks.
struct Turn {
  redistribution::Square square;
};

struct Task {
  std::variant<Run, Apply, Turn> what;
  Slot source;
  Slot target;
  bool scaled = false;  // multiplies by the caller's factor
  double factor = 1;    // and by this
};

/// A schedule in the direction in which a task runs it, and its program on a rank.
struct Compiled {
  schedule::Schedule schedule;
  program::Program program;
};

/// A transform of a composition that can be checked by its ends: arrays of the caller's, or the
/// points before and behind operations.
struct Checkable {
  schedule::Problem problem;  // in full, with the points of this transform
  layout::Placement points, coefficients;
  bool to_points = false;
  bool undoes = false;             // it is scaled as those that run against the direction
  std::optional<int> behind = {};  // the operation whose results it reads; empty: the input
  std::optional<int> before = {};  // the operation that reads its results; empty: the output
};

/// The tasks of a plan: those that run once when it is made, and those of each direction.
struct Composition {
  layout::Placement input;
  layout::Placement output;
  schedule::Waves waves = {};  // the waves of the output's indices
  double points = 1;           // Scale::by_n divides by this
  std::string why = {};        // why it is not a single schedule
  bool has_fields = false;     // the last axis of a layout counts fields, even if there is only one
  std::vector<schedule::Schedule> schedules = {};
  std::vector<std::shared_ptr<Formula const>> formulas = {};
  std::vector<Layout> work = {};  // the layout of each work array, which is larger if its schedules
                                  // need more
  std::vector<Checkable> checkable = {};  // of operators and maps
  std::vector<Task> setup = {};
  std::vector<Task> forward = {};
  std::vector<Task> backward = {};

  /// The kinds of arrays that the runs of a schedule are given.
  program::Meets meets(std::size_t schedule) const;
  /// The arrays that a run is given where the user's arrays are `users`.
  program::Arrays arrays_of(Task const& task, program::Arrays const& users) const;
  /// The program of `rank` for a task that runs a schedule, in its direction. Schedules beyond
  /// `limits` have the usual ones.
  Compiled compiled(Task const& task, int rank, std::vector<program::Limits> const& limits,
                    program::Arrays const& users) const;
  /// The schedule that leads from the input to the output without other tasks; empty if there is
  /// none.
  std::optional<std::size_t> direct() const;
  int exchanges() const;
  /// The seconds that it takes by these rates. An Apply counts as a pass over memory, and
  /// so does a Turn on one rank.
  double seconds(schedule::RoughRates const& rates) const;

  std::size_t add(schedule::Schedule schedule) {
    schedules.push_back(std::move(schedule));
    return schedules.size() - 1;
  }
  std::size_t add(std::shared_ptr<Formula const> formula) {
    formulas.push_back(std::move(formula));
    return formulas.size() - 1;
  }
  Slot add_work(Layout const& layout) {
    work.push_back(layout);
    return slots() - 1;
  }
  /// The number of slots.
  Slot slots() const { return first_work + work.size(); }

  /// add() takes over the parts of `inner`. Its forward tasks follow those in `forward` and lead
  /// from there.source to there.target. Its backward tasks follow those in `backward` and lead from
  /// back.source to back.target.
  struct Route {
    Slot source, target;
    double factor = 1;
  };
  void add(Composition const& inner, Route const& there, Route const& back);
};

/// The cheapest way to solve `problem`. Throws the errors of schedule().
Composition compose(schedule::Problem const& problem, schedule::Choices const& choices = {});

/// The cheapest way for a process that has the whole array, dense unless strides are given. A long
/// column of reals is transformed in two levels, which threads share.
Composition compose_serial(schedule::Problem const& problem, int threads,
                           schedule::Choices const& choices = {});

/// "exchange: transposition in place in blocks"; without "exchange: " on one rank.
std::string name(Turn const& turn);

/// Describes all forward tasks as describe() of a schedule does; `limits` has those of each
/// schedule.
std::string describe(Composition const& composition,
                     std::vector<program::Limits> const& limits = {}, bool preserve_input = true);

}  // namespace sixstep::formulas
