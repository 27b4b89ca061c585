// SPDX-License-Identifier: BSD-3-Clause
// Programs: compiled whole, or block by block.
#include "plan/program.hpp"

#include <algorithm>
#include <map>

#include "plan/match.hpp"
#include "plan/transfers.hpp"

namespace sixstep::plan {

namespace {

using exchange::Piece;

/// Whether each row of complex numbers begins where its row of reals does, both of them contiguous:
/// then, there being room for complex rows, no row lies in the memory of another.
bool rows_begin_alike(Pieces const& reals, Pieces const& complex, int row_axis) {
  if (reals.empty() && complex.empty()) return true;
  if (reals.size() != 1 || complex.size() != 1) return false;
  Piece const &a = reals[0], &b = complex[0];
  for (int axis = 0; axis < a.box.axes(); ++axis) {
    Index const times = axis == row_axis ? 1 : 2;
    if (b.box.ranges[axis].count() <= 1 && a.box.ranges[axis].count() <= 1) continue;
    if (a.strides[axis] != times * b.strides[axis]) return false;
    if (axis == row_axis && a.strides[axis] != 1) return false;
  }
  return a.offset == 2 * b.offset;
}

}  // namespace

bool same_places(Pieces const& a, Pieces const& b) { return coalesce(a) == coalesce(b); }

Index Sweep::windows() const {
  Box const& box = passes.front().box;
  if (box.empty()) return 0;
  if (window_axis < 0) return 1;
  return (box.ranges[window_axis].count() + window - 1) / window;
}

bool Sweep::may_work_in_place() const {
  Pieces const &source = passes.front().source, &target = passes.back().target;
  bool const from_reals = passes.front().source_number == Number::real;
  if (passes.front().source_number == passes.back().target_number)
    return same_places(source, target);
  auto const crossing = std::find_if(passes.begin(), passes.end(),
                                     [](Pass const& pass) { return pass.kind == Kind::r2c; });
  return from_reals ? rows_begin_alike(source, target, *crossing->axis)
                    : rows_begin_alike(target, source, *crossing->axis);
}

int Program::sweeps() const {
  int count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::holds_alternative<Sweep>(steps[i]) && (shown_as[i] == i)) ++count;
  return count;
}

namespace {

Program compile_with(Transfers const& transfers, Schedule const& schedule, int rank,
                     Limits const& limits, Arrays const& arrays, Block const* block) {
  Program program = make_program(schedule, rank, transfers, limits, arrays, block);
  require(!program.buffers.empty(), "program: no assignment of buffers was found");
  return program;
}

Program compile_whole(Schedule const& schedule, int rank, Limits const& limits,
                      Arrays const& arrays) {
  Transfers const transfers = choose_transfers(schedule, limits, arrays, nullptr);
  return compile_with(transfers, schedule, rank, limits, arrays, nullptr);
}

/// The stages from `first` on, which is the first exchange, lead away from a placement, which is
/// the output's, and back to it, past an axis that they leave alone, and that all ranks hold whole
/// meanwhile. (After another exchange, others might still read what a block is to be packed into.)
struct Detour {
  std::size_t first;
  int axis;
};

/// The longest such axis for the stages from an exchange on; -1 if there is none.
int axis_left_alone(Schedule const& schedule, std::size_t first) {
  Shape const& shape = std::get<Exchange>(schedule.stages[first]).from.view.shape;
  int best = -1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    bool const free = std::all_of(
        schedule.stages.begin() + static_cast<std::ptrdiff_t>(first), schedule.stages.end(),
        [&](Stage const& stage) {
          auto const holds_it = [&](Placement const& at) {
            return std::any_of(at.view.digits.begin(), at.view.digits.end(),
                               [&](auto const& d) { return d.size() == 1 && d[0] == axis; }) &&
                   at.whole(axis);
          };
          return std::visit(
              match{[&](Fft const& fft) { return fft.axis != axis && fft.kind != Kind::r2c; },
                    [](Twiddle const&) { return false; },
                    [&](Exchange const& e) { return holds_it(e.from) && holds_it(e.to); }},
              stage);
        });
    if (free && shape[axis] > 1 && (best < 0 || shape[axis] > shape[best])) best = axis;
  }
  return best;
}

std::optional<Detour> find_detour(Schedule const& schedule) {
  auto const first =
      std::find_if(schedule.stages.begin(), schedule.stages.end(),
                   [](Stage const& stage) { return std::holds_alternative<Exchange>(stage); });
  if (first == schedule.stages.end()) return std::nullopt;
  if (!(std::get<Exchange>(*first).from == schedule.output)) return std::nullopt;
  auto const number = static_cast<std::size_t>(first - schedule.stages.begin());
  int const axis = axis_left_alone(schedule, number);
  if (axis < 0) return std::nullopt;
  return Detour{number, axis};
}

/// Stages [first, end) as a schedule, which begins and ends at these placements.
Schedule part_of(Schedule const& schedule, std::size_t first, std::size_t end,
                 Placement const& input, Placement const& output) {
  Schedule part = schedule;
  auto const stage = [&](std::size_t i) {
    return schedule.stages.begin() + static_cast<std::ptrdiff_t>(i);
  };
  auto const number_at = [&](std::size_t i) {
    auto const crossings = std::count_if(stage(0), stage(i), [](Stage const& s) {
      auto const* fft = std::get_if<Fft>(&s);
      return fft && fft->kind == Kind::r2c;
    });
    return crossings % 2 == 0 ? schedule.input_number : other(schedule.input_number);
  };
  part.stages.assign(stage(first), stage(end));
  part.input = input;
  part.output = output;
  part.input_number = number_at(first);
  part.output_number = number_at(end);
  return part;
}

/// The same of an array that is shorter along one axis.
Schedule shortened(Schedule schedule, int axis, Index extent) {
  schedule.shape[axis] = extent;
  schedule.input = schedule.input.with_extent(axis, extent);
  schedule.output = schedule.output.with_extent(axis, extent);
  for (Stage& stage : schedule.stages) {
    auto* exchange = std::get_if<Exchange>(&stage);
    if (!exchange) continue;
    exchange->from = exchange->from.with_extent(axis, extent);
    exchange->to = exchange->to.with_extent(axis, extent);
  }
  return schedule;
}

bool transforms(Schedule const& schedule) {
  return std::any_of(schedule.stages.begin(), schedule.stages.end(),
                     [](Stage const& stage) { return std::holds_alternative<Fft>(stage); });
}

/// The last sweep with a transform carries the scale.
void mark_last(Program& program) {
  for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step) {
    auto* sweep = std::get_if<Sweep>(&*step);
    if (!sweep || !sweep->passes.back().axis) continue;
    sweep->passes.back().last = true;
    return;
  }
}

/// Makes a program of parts that follow each other: to where the detour begins, in the output, and
/// then the detour there, block by block.
class InBlocks {
 public:
  InBlocks(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays,
           Detour const& detour)
      : schedule_(schedule), rank_(rank), limits_(limits), arrays_(arrays), detour_(detour) {
    program_.buffers = {arrays.in_place ? Buffer::output : Buffer::input};
  }

  Program run() {
    Placement const& home = schedule_.output;
    Schedule const before = part_of(schedule_, 0, detour_.first, schedule_.input, home);
    Schedule const away = part_of(schedule_, detour_.first, schedule_.stages.size(), home, home);
    append(before, arrays_, nullptr, !transforms(away));
    Index const extent = home.view.shape[detour_.axis];
    Index const blocks = std::min<Index>(limits_.blocks, extent);
    std::size_t const first_step = program_.steps.size();
    std::size_t steps = 0;
    for (Index i = 0; i < blocks; ++i) {
      std::size_t const begin = program_.steps.size();
      Block const block{home, detour_.axis, {extent * i / blocks, extent * (i + 1) / blocks, 1}};
      append(shortened(away, detour_.axis, block.range.count()), {.in_place = true}, &block, true);
      if (i == 0) steps = program_.steps.size() - begin;
      if (program_.steps.size() - begin == steps)
        for (std::size_t step = 0; step < steps; ++step)
          program_.shown_as[begin + step] = first_step + step;
    }
    program_.input_number = schedule_.input_number;
    program_.output_number = schedule_.output_number;
    program_.input_points = schedule_.input.memory_size(rank_);
    program_.output_points = schedule_.output.memory_size(rank_);
    return std::move(program_);
  }

 private:
  void append(Schedule const& part, Arrays const& arrays, Block const* block, bool scales) {
    if (part.stages.empty() && arrays.in_place && part.input == part.output) return;
    Limits limits = limits_;
    limits.blocks = 1;
    auto const [known, is_new] = transfers_.try_emplace(block ? block->range.count() : 0);
    if (is_new) known->second = choose_transfers(part, limits, arrays, block);
    Program more = compile_with(known->second, part, rank_, limits, arrays, block);
    if (scales) mark_last(more);
    for (Step& step : more.steps) {
      program_.shown_as.push_back(program_.steps.size());
      program_.steps.push_back(std::move(step));
    }
    program_.buffers.pop_back();
    program_.buffers.insert(program_.buffers.end(), more.buffers.begin(), more.buffers.end());
    for (std::size_t i = 0; i < work_arrays; ++i)
      program_.work_reals[i] = std::max(program_.work_reals[i], more.work_reals[i]);
  }

  Schedule const& schedule_;
  int rank_;
  Limits const& limits_;
  Arrays arrays_;
  Detour detour_;
  Program program_;
  std::map<Index, Transfers> transfers_;  // of blocks, by their extent
};

/// Whether blocks are worth it. All ranks find the same, and the same in place as not: a rank that
/// has neither input nor output cannot tell.
std::optional<Detour> worthwhile_detour(Schedule const& schedule, Limits const& limits,
                                        Arrays const& arrays) {
  if (limits.blocks <= 1 || (arrays.in_segments && stays_on_a_node(limits))) return std::nullopt;
  std::optional<Detour> const detour = find_detour(schedule);
  if (!detour) return std::nullopt;
  int const rank = reference_rank(schedule);
  Index saved = 0;
  for (bool in_place : {false, true}) {
    Arrays const these{.in_place = in_place, .preserve_input = arrays.preserve_input};
    saved += compile_whole(schedule, rank, common(limits), these).all_work_reals() -
             InBlocks(schedule, rank, common(limits), these, *detour).run().all_work_reals();
  }
  return saved > 0 ? detour : std::nullopt;
}

}  // namespace

Limits reversed(Limits limits) {
  std::reverse(limits.ways.begin(), limits.ways.end());
  return limits;
}

Program compile(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays) {
  if (auto const detour = worthwhile_detour(schedule, limits, arrays))
    return InBlocks(schedule, rank, limits, arrays, *detour).run();
  Program program = compile_whole(schedule, rank, limits, arrays);
  mark_last(program);
  return program;
}

}  // namespace sixstep::plan
