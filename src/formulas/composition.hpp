// SPDX-License-Identifier: BSD-3-Clause
// Compositions: what a plan does as a list of tasks, each a schedule that is run,
// pointwise work, or a transposition.
//
// Most plans run one schedule. A single axis that ranks cannot share as it is becomes another one
// that they can, with pointwise work before and behind. Pure: no MPI, no data.
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
#include "redistribution/square.hpp"
#include "schedule/schedule.hpp"
#include "schedule/waves.hpp"

namespace sixstep::formulas {

/// What a task reads and writes: what the caller gives, what he is to get, or a work array.
using Slot = std::size_t;
inline constexpr Slot given = 0, result = 1, first_work = 2;

/// The result is multiplied by that table of the formula, in the last pass.
struct Times {
  std::size_t formula;
  int work;
};

/// A schedule is run, there or back.
struct Run {
  std::size_t schedule;
  bool backward = false;
  std::optional<Times> times = {};
  bool has_sign = true;  // false: the same whatever the sign of the plan's exponent is
};

/// A formula is applied, point by point.
struct Apply {
  std::size_t formula;
  int work;
  bool backward = false;
  Slot other = given;  // a second array to read, where there is one
};

/// A square is transposed, in place or not, by swapping blocks with other ranks.
struct Turn {
  redistribution::Square square;
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
  layout::Placement input;
  layout::Placement output;
  schedule::Waves waves = {};  // what the output's indices stand for
  double points = 1;           // what Scale::by_n divides by
  std::string why = {};        // it is not a schedule
  std::vector<schedule::Schedule> schedules = {};
  std::vector<std::shared_ptr<Formula const>> formulas = {};
  std::vector<Layout> work = {};  // complex numbers that work arrays have room for, as far as the
                                  // schedules that use them need no more
  std::vector<Task> setup = {};
  std::vector<Task> forward = {};
  std::vector<Task> backward = {};

  /// Whether it is a schedule and nothing else.
  bool is_schedule() const { return formulas.empty(); }
  int exchanges() const;
  /// By the Machine's figures; an Apply is a pass over memory, and so is a Turn on one rank.
  double seconds(schedule::Machine const& machine) const;

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
Composition compose(schedule::Problem const& problem, schedule::Choices const& choices = {});

/// The same for a process that has the whole array, dense unless strides are given: a long column
/// of reals goes as complex numbers, which threads share and a column of reals they do not.
Composition compose_serial(schedule::Problem const& problem, schedule::Choices const& choices = {});

/// "exchange: transposition in place in blocks"; on one rank it is no exchange.
std::string name(Turn const& turn);

/// What describe() of a schedule says, of all tasks forward; `limits` are those of each schedule.
std::string describe(Composition const& composition,
                     std::vector<program::Limits> const& limits = {}, bool preserve_input = true,
                     Tuning const& tuning = {});

}  // namespace sixstep::formulas
