// SPDX-License-Identifier: BSD-3-Clause
// Runs the programs of one process.
#include "serial/runner.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <variant>

#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "decision/decision.hpp"
#include "formulas/room.hpp"
#include "sixstep/error.hpp"
#include "sweep/kernel_words.hpp"

namespace sixstep::serial {

using program::Buffer;

namespace {

constexpr std::size_t around_a_pass = 4096;  // rough bytes of its lists of pieces

/// The numbers of a plan whose results have these bits.
Tuning tuning_of(Bits bits) {
  Tuning tuning;
  tuning.bits = bits;
  return tuning;
}

}  // namespace

Ready::Ready(program::Program program, sweep::Kernels& kernels, int real_bytes, int threads)
    : program_(std::move(program)),
      real_bytes_(real_bytes),
      threads_(threads),
      bytes_(sizeof(Ready)) {
  for (program::Step const& step : program_.steps) {
    auto const* const sweep = std::get_if<program::Sweep>(&step.work);
    require_internal(sweep != nullptr, "one rank alone exchanges nothing");
    sweeps_.emplace_back(*sweep, kernels, real_bytes);
    thread_bytes_ = std::max(thread_bytes_, sweeps_.back().scratch_bytes());
    bytes_ += sizeof step + sweeps_.back().bytes() + around_a_pass * sweep->passes.size();
  }
  for (std::size_t i = 0; i < program_.work_reals.size(); ++i)
    work_offsets_[i + 1] =
        work_offsets_[i] + aligned(static_cast<std::size_t>(program_.work_reals[i] * real_bytes));
  workspace_bytes_ = work_offsets_.back() + thread_bytes_ * static_cast<std::size_t>(threads);
}

void Ready::run(void const* in, void* out, sweep::Mode const& mode, std::byte* workspace) const {
  auto const at = [&](program::Buffer buffer) -> void* {
    if (buffer == program::Buffer::input) return const_cast<void*>(in);
    if (buffer == program::Buffer::output) return out;
    return workspace + work_offsets_[static_cast<std::size_t>(buffer)];
  };
  std::byte* const scratch = workspace + work_offsets_.back();
  if (program_.copies_input())
    std::memcpy(at(program_.steps.front().source), in,
                static_cast<std::size_t>(program_.input_reals * real_bytes_));
  for (std::size_t i = 0; i < sweeps_.size(); ++i)
    run_sweep(i, at(program_.steps[i].source), at(program_.steps[i].target), mode, scratch);
}

void Ready::run_sweep(std::size_t step, void const* source, void* target, sweep::Mode const& mode,
                      std::byte* scratch) const {
  sweep::SweepRunner const& sweep = sweeps_[step];
  Index const window = sweep.at_once(threads_), windows = (sweep.extent() + window - 1) / window;
  int const threads = windows > 1 ? threads_ : 1;
  share_in_turn(windows, threads, [&](Index number, int thread) {
    Index const lo = number * window;
    sweep.run(lo, std::min(lo + window, sweep.extent()), lo + threads * window, source, target,
              mode, scratch + static_cast<std::size_t>(thread) * thread_bytes_);
  });
}

Runner::Runner(schedule::Problem const& problem, bool preserve_input, int threads, Local local,
               Bits bits, SerialUses const& uses)
    : composition_(formulas::compose_serial(problem, threads, {.tuning = tuning_of(bits)})),
      limits_(decision::decide(composition_.schedules.front(), {.threads = threads},
                               {.caches = local::caches(), .tuning = tuning_of(bits)}, {})
                  .limits),
      preserve_input_(preserve_input),
      local_(local),
      kernels_(local, tuning_of(bits)) {
  require_internal(composition_.schedules.size() == 1, "one rank alone runs a single schedule");
  formulas::require_room(composition_);
  compile(uses);
  for (auto const& formula : composition_.formulas)
    work_ = formula->on_rank(0, problem.real_bytes, local);
  if (work_ == nullptr && local == Local::own && bits == Bits::none) make_boxes(problem);
}

void Runner::make_boxes(schedule::Problem const& problem) {
  schedule::Problem const full = schedule::checked(problem);
  for (bool backward : {false, true})
    for (bool in_place : {false, true}) {
      if (!ready_[place(backward, in_place)]) continue;
      auto const& others = boxes_[place(backward, false)];
      auto& boxes = boxes_[place(backward, in_place)];
      if (in_place && others && others->works_in_place())
        boxes = others;
      else
        boxes = BoxRunner::best(full, input(), output(),
                                {.backward = backward, .in_place = in_place, .threads = threads()});
    }
}

void Runner::compile(SerialUses const& uses) {
  std::array<bool, 4> used{};
  auto const use = [&](std::vector<formulas::Task> const& tasks) {
    for (formulas::Task const& task : tasks)
      if (auto const* const run = std::get_if<formulas::Run>(&task.what)) {
        bool const always_in_place = task.source != formulas::given;
        if (uses.in_place || always_in_place) used[place(run->backward, true)] = true;
        if (uses.out_of_place && !always_in_place) used[place(run->backward, false)] = true;
      }
  };
  if (uses.forward) use(composition_.forward);
  if (uses.backward) use(composition_.backward);
  for (bool backward : {false, true}) {
    std::vector<program::Arrays> arrays;
    for (bool in_place : {false, true})
      if (used[place(backward, in_place)])
        arrays.push_back({.in_place = in_place, .preserve_input = preserve_input_});
    if (!arrays.empty()) compile(backward, arrays);
  }
}

void Runner::compile(bool backward, std::vector<program::Arrays> const& arrays) {
  schedule::Schedule const& forward = composition_.schedules[0];
  std::vector<program::Program> programs =
      program::compile(backward ? schedule::reverse(forward) : forward, 0, limits_, arrays);
  for (std::size_t i = 0; i < arrays.size(); ++i)
    ready_[place(backward, arrays[i].in_place)].emplace(std::move(programs[i]), kernels_,
                                                        forward.real_bytes, limits_.threads);
}

Ready const& Runner::ready(bool backward, bool in_place) const {
  std::optional<Ready> const& program = ready_[place(backward, in_place)];
  require(program.has_value(), "uses: the plan was made without executions ",
          backward ? "backward" : "forward", in_place ? " in place" : " out of place");
  return *program;
}

void Runner::execute(void const* in, void* out, Direction direction, Scale scale,
                     bool conjugate) const {
  bool const backward = direction == Direction::backward;
  auto const check = [](char const* name, void const* array, layout::Placement const& end) {
    if (array != nullptr) return;  // counting the elements takes as long as a short transform
    throw Error(
        text(name, ": an array of ", end.memory_size(0), " elements is needed, null was given"));
  };
  check("in", in, backward ? output() : input());
  check("out", out, backward ? input() : output());
  double const n = composition_.points;
  double const factor = scale == Scale::none ? 1 : scale == Scale::by_n ? 1 / n : 1 / std::sqrt(n);
  for (formulas::Task const& task : backward ? composition_.backward : composition_.forward)
    run(task, task.source == formulas::given ? in : out, out, conjugate,
        task.scaled ? task.factor * factor : task.factor);
}

void Runner::run(formulas::Task const& task, void const* source, void* target, bool conjugate,
                 double factor) const {
  if (auto const* const apply = std::get_if<formulas::Apply>(&task.what)) {
    formulas::Operands on{.source = source,
                          .target = target,
                          .backward = apply->backward,
                          .factor = factor,
                          .threads = threads(),
                          .overwrites = !preserve_input_};
    Block const block(*blocks_, work_->workspace_bytes(on));
    on.scratch = block.get();
    work_->apply(apply->work, on);
    return;
  }
  bool const backward = std::get<formulas::Run>(task.what).backward;
  Ready const& program = ready(backward, source == target);
  if (auto const& boxes = boxes_[place(backward, source == target)]; boxes && !conjugate)
    return boxes->run(source, target, factor, *blocks_);
  Block const block(*blocks_, program.workspace_bytes());
  program.run(source, target, {.backward = backward != conjugate, .scale = factor}, block.get());
}

std::size_t Runner::workspace_bytes() const {
  std::size_t most = work_ ? work_->workspace_bytes({.threads = threads()}) : 0;
  for (auto const& each : ready_)
    if (each) most = std::max(most, each->workspace_bytes());
  for (auto const& each : boxes_)
    if (each) most = std::max(most, each->workspace_bytes());
  return most;
}

std::size_t Runner::bytes() const {
  std::size_t all = sizeof(Runner) + kernels_.table_bytes() + (work_ ? work_->bytes() : 0);
  for (auto const& each : ready_)
    if (each) all += each->bytes();
  for (auto const& each : boxes_)
    if (each) all += each->bytes();
  return all;
}

std::string Runner::describe() const {
  bool const has_boxes = std::any_of(boxes_.begin(), boxes_.end(),
                                     [](auto const& boxes) { return boxes.has_value(); });
  return text(
      formulas::describe(composition_, {limits_}, preserve_input_), "\nrun       ", threads(),
      threads() == 1 ? " thread" : " threads",
      sweep::kernel_words(composition_.schedules[0].real_bytes, local_, kernels_.tuning().bits),
      has_boxes ? "\nboxes     instead of passes: one transform after another, by codelets" : "");
}

}  // namespace sixstep::serial
