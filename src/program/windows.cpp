// SPDX-License-Identifier: BSD-3-Clause
// Programs in windows: finds where the detour begins and which axis it leaves alone, and makes its
// program for one window after another.
#include "program/windows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/match.hpp"
#include "program/compile.hpp"
#include "program/flow.hpp"
#include "program/ways.hpp"

namespace sixstep::program {

namespace {

using StageAt = std::vector<schedule::Stage>::const_iterator;

bool transforms(StageAt first, StageAt end) {
  return std::any_of(first, end, [](schedule::Stage const& stage) {
    return std::holds_alternative<schedule::Fft>(stage);
  });
}

/// The stages from `first` on, which is the first exchange. They lead away from the output's
/// placement and back to it, and leave `axis` alone; all ranks hold it whole meanwhile.
struct Detour {
  std::size_t first;
  int axis;
};

/// Whether a stage neither splits nor transforms the axis, and every element stays a real or a
/// complex number.
bool leaves_alone(schedule::Stage const& stage, int axis) {
  auto const holds_it = [&](layout::Placement const& at) {
    return std::any_of(at.view.digits.begin(), at.view.digits.end(),
                       [&](auto const& d) { return d.size() == 1 && d[0] == axis; }) &&
           at.whole(axis);
  };
  return std::visit(
      match{[&](schedule::Fft const& fft) { return fft.axis != axis && fft.before == fft.after; },
            [](schedule::Twiddle const&) { return false; },
            [](schedule::AtPoints const&) { return false; },
            [](schedule::Gather const&) { return false; },
            [&](schedule::Transpose const& e) { return holds_it(e.from) && holds_it(e.to); }},
      stage);
}

/// The longest axis that the stages from an exchange on leave alone; -1 if there is none.
int axis_left_alone(schedule::Schedule const& schedule, std::size_t first) {
  Shape const& shape = std::get<schedule::Transpose>(schedule.stages[first]).from.view.shape;
  int best = -1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    bool const free = std::all_of(
        schedule.stages.begin() + static_cast<std::ptrdiff_t>(first), schedule.stages.end(),
        [&](schedule::Stage const& stage) { return leaves_alone(stage, axis); });
    if (free && shape[axis] > 1 && (best < 0 || shape[axis] > shape[best])) best = axis;
  }
  return best;
}

std::optional<Detour> find_detour(schedule::Schedule const& schedule) {
  auto const first = std::find_if(schedule.stages.begin(), schedule.stages.end(),
                                  [](schedule::Stage const& stage) {
                                    return std::holds_alternative<schedule::Transpose>(stage);
                                  });
  if (first == schedule.stages.end() || !transforms(first, schedule.stages.end()))
    return std::nullopt;
  if (!(std::get<schedule::Transpose>(*first).from == schedule.output)) return std::nullopt;
  auto const number = static_cast<std::size_t>(first - schedule.stages.begin());
  int const axis = axis_left_alone(schedule, number);
  if (axis < 0) return std::nullopt;
  return Detour{number, axis};
}

/// Stages [first, end) as a schedule from `input` to `output`.
schedule::Schedule part_of(schedule::Schedule const& schedule, std::size_t first, std::size_t end,
                           layout::Placement const& input, layout::Placement const& output) {
  schedule::Schedule part = schedule;
  auto const stage = [&](std::size_t i) {
    return schedule.stages.begin() + static_cast<std::ptrdiff_t>(i);
  };
  part.stages.assign(stage(first), stage(end));
  part.input = input;
  part.output = output;
  return part;
}

/// The schedule for an array with another extent along one axis.
schedule::Schedule shortened(schedule::Schedule schedule, int axis, Index extent) {
  schedule.shape[axis] = extent;
  schedule.input = schedule.input.with_extent(axis, extent);
  schedule.output = schedule.output.with_extent(axis, extent);
  for (schedule::Stage& stage : schedule.stages) {
    auto* exchange = std::get_if<schedule::Transpose>(&stage);
    if (!exchange) continue;
    exchange->from = exchange->from.with_extent(axis, extent);
    exchange->to = exchange->to.with_extent(axis, extent);
  }
  return schedule;
}

/// Lets the last transform in either direction multiply by its scale.
void mark_scaling(Program& program) {
  std::array<Pass*, 2> last{};
  for (Step& step : program.steps)
    if (auto* sweep = std::get_if<Sweep>(&step.work))
      for (Pass& pass : sweep->passes)
        if (pass.axis) last[pass.undoes ? 1 : 0] = &pass;
  for (Pass* pass : last)
    if (pass) pass->scales = true;
}

/// Lets the last pass multiply by a table, unless it takes complex numbers as two reals each.
void mark_end(Program& program) {
  auto* sweep = std::get_if<Sweep>(&program.steps.back().work);
  if (!sweep) return;
  Pass& last = sweep->passes.back();
  last.ends = last.is_copy() || last.at_points || (last.axis && !is_r2r(last.kind));
}

/// Joins two parts to a program: the stages before the detour, which end in the output, and then
/// the detour there, window by window.
class InWindows {
 public:
  InWindows(ToCompile const& given, int rank, Detour const& detour)
      : given_(given), rank_(rank), detour_(detour) {}

  Program run() {
    schedule::Schedule const& all = given_.schedule;
    program_.arrays = given_.arrays;
    program_.input_reals = all.input.reals(rank_);
    program_.output_reals = all.output.reals(rank_);
    layout::Placement const& home = all.output;
    schedule::Schedule const before = part_of(all, 0, detour_.first, all.input, home);
    schedule::Schedule const away = part_of(all, detour_.first, all.stages.size(), home, home);
    append(before, given_.arrays, nullptr);
    Index const extent = home.view.shape[detour_.axis];
    Index const windows = std::min<Index>(given_.limits.windows, extent);
    std::size_t const first_step = program_.steps.size();
    std::size_t steps = 0;
    for (Index i = 0; i < windows; ++i) {
      std::size_t const begin = program_.steps.size();
      meet(first_step);
      Excerpt const excerpt{home, {detour_.axis, extent * i / windows, extent * (i + 1) / windows}};
      append(shortened(away, detour_.axis, excerpt.window.count()), {.in_place = true}, &excerpt);
      if (i == 0) steps = program_.steps.size() - begin;
      if (program_.steps.size() - begin == steps)
        for (std::size_t step = 0; step < steps; ++step)
          program_.steps[begin + step].shown_as = first_step + step;
    }
    return std::move(program_);
  }

 private:
  /// Other ranks may still work on the window before, or use their own work arrays before the
  /// first.
  void meet(std::size_t shown_as) {
    if (given_.limits.media.empty()) return;
    program_.steps.push_back({Meeting{}, Buffer::output, Buffer::output, shown_as});
  }

  void append(schedule::Schedule const& part, Arrays const& arrays, Excerpt const* excerpt) {
    if (part.stages.empty() && arrays.in_place && part.input == part.output) return;
    auto const [found, is_new] = made_.try_emplace(excerpt ? excerpt->window.count() : 0);
    auto& [made, ways] = found->second;
    if (is_new) made = std::make_shared<Made>();
    ToCompile given{part, arrays, given_.limits, excerpt, made};
    given.limits.windows = 1;
    if (is_new) ways = choose_ways(given);
    Program more = make_program(given, rank_, ways);
    if (excerpt) {
      mark_scaling(more);
      mark_end(more);
    }
    for (Step& step : more.steps) {
      step.shown_as = program_.steps.size();
      program_.steps.push_back(std::move(step));
    }
    for (std::size_t i = 0; i < more.work_reals.size(); ++i)
      program_.work_reals[i] = std::max(program_.work_reals[i], more.work_reals[i]);
  }

  ToCompile const& given_;
  int rank_;
  Detour detour_;
  Program program_;
  std::map<Index, std::pair<std::shared_ptr<Made>, Chosen>> made_;  // for windows, by extent; 0:
                                                                    // for what comes before
};

/// The detour, if windows save memory. All ranks get the same answer, in place or not, because a
/// rank with neither input nor output cannot tell which it is.
std::optional<Detour> worthwhile_detour(ToCompile const& given) {
  if (given.limits.windows <= 1 || (given.arrays.in_segments && given.limits.stays_on_a_node()))
    return std::nullopt;
  std::optional<Detour> const detour = find_detour(given.schedule);
  if (!detour) return std::nullopt;
  int const rank = reference_rank(given.schedule);
  Index saved = 0;
  for (bool in_place : {false, true}) {
    ToCompile const these{given.schedule,
                          {.in_place = in_place, .preserve_input = given.arrays.preserve_input},
                          given.limits.common(),
                          nullptr,
                          given.made};
    saved += compile_whole(these, rank).all_work_reals() -
             InWindows(these, rank, *detour).run().all_work_reals();
  }
  return saved > 0 ? detour : std::nullopt;
}

}  // namespace

Program compile_whole(ToCompile const& given, int rank) {
  Program program = make_program(given, rank, choose_ways(given));
  mark_scaling(program);
  mark_end(program);
  if (program.flows) find_room(program.steps);
  return program;
}

std::optional<Program> compile_in_windows(ToCompile const& given, int rank) {
  std::optional<Detour> const detour = worthwhile_detour(given);
  if (!detour) return std::nullopt;
  return InWindows(given, rank, *detour).run();
}

}  // namespace sixstep::program
