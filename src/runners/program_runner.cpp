// SPDX-License-Identifier: BSD-3-Clause
// Running a program: threads share the windows of a sweep; exchanges begin, and end.
#include "runners/program_runner.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <map>
#include <utility>

#include "base/match.hpp"
#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "sweep/multiply.hpp"

namespace sixstep::runners {

namespace {

/// Multiplies all complex numbers of an array by those of a table.
template <class Real>
void multiply_all(void* array, void const* table, Index reals) {
  using Complex = std::complex<Real>;
  sweep::multiply(static_cast<Complex*>(array), static_cast<Complex const*>(table), {0, 1}, 1,
                  reals / 2);
}

/// Does the same in a device's queue.
void multiply_all(device::Queue& queue, void* array, void const* table, Index reals,
                  int real_bytes) {
  device::Copy product;
  product.axes = 1;
  product.extent[0] = reals / 2;
  product.from[0] = product.to[0] = product.in_table[0] = 1;
  product.source = product.target = array;
  product.real_bytes = real_bytes;
  product.from_reals = product.to_reals = 2;
  product.changes = true;
  product.table.numbers = table;
  queue.run(product);
}

}  // namespace

ProgramRunner::ProgramRunner(program::Program program, sweep::Kernels& kernels, int real_bytes,
                             Drive const& drive, ProgramDevice const& device)
    : program_(std::move(program)), real_bytes_(real_bytes), drive_(drive), device_(device) {
  for (std::vector<double>& seconds : seconds_) seconds.resize(program_.steps.size());
  if (device_.kernels) {
    make_device_steps();
    return;
  }
  for (program::Step const& step : program_.steps)
    std::visit(
        match{[&](program::Sweep const& sweep) {
                runners_.emplace_back(sweep::SweepRunner(sweep, kernels, real_bytes));
                thread_bytes_ = std::max(
                    thread_bytes_, std::get<sweep::SweepRunner>(runners_.back()).scratch_bytes());
              },
              [&](auto const&) { runners_.emplace_back(std::unique_ptr<exchange::Strategy>()); }},
        step.work);
  if (program_.flows)
    flow_ = std::make_unique<Flow>(program_, runners_, thread_bytes_, drive_.patience);
}

program::Buffer ProgramRunner::array(program::Buffer buffer) const {
  return program_.arrays.in_place && buffer == program::Buffer::input ? program::Buffer::output
                                                                      : buffer;
}

/// The three steps from `first` on, if the device can do them at once: they go to coefficients,
/// multiply these by a table, and go back. In place, columns must be written where they were read.
std::optional<DeviceStep> ProgramRunner::there_and_back(std::size_t first) {
  constexpr std::size_t count = 3;
  if (program_.flows || first + count > program_.steps.size()) return std::nullopt;
  std::vector<program::Sweep const*> sweeps;
  for (std::size_t i = first; i < first + count; ++i)
    if (auto const* const sweep = std::get_if<program::Sweep>(&program_.steps[i].work))
      sweeps.push_back(sweep);
  std::size_t const last = first + count - 1;
  if (sweeps.size() < count || !sweeps[1]->passes.front().at_points) return std::nullopt;
  if (array(program_.steps[first].source) == array(program_.steps[last].target) &&
      !program::same_places(sweeps.front()->passes.front().source,
                            sweeps.back()->passes.front().target))
    return std::nullopt;
  std::optional<device::DeviceSweep> made = device::DeviceSweep::make(
      sweeps, *device_.kernels, real_bytes_, device_.bounds, device::DeviceSweep::Source::kept);
  if (!made) return std::nullopt;
  return DeviceStep{std::move(*made), last, {}};
}

/// Moves the scale of the transform back to the multiplication at points, where it costs nothing.
void ProgramRunner::scale_at_points() {
  program::Pass* points = nullptr;
  for (program::Step& step : program_.steps)
    if (auto* const sweep = std::get_if<program::Sweep>(&step.work)) {
      program::Pass& pass = sweep->passes.front();
      if (pass.at_points) points = &pass;
      if (!points || !pass.scales || !pass.undoes) continue;
      pass.scales = false;
      points->scales = points->undoes = true;
    }
}

/// Joins as many sweeps, from step `first` to `end` at most, as the device can do at once: from one
/// array to another, or all of them in place. A flow joins none, since its windows are of a single
/// pass.
DeviceStep ProgramRunner::make_device_step(std::size_t first, std::size_t end) {
  if (std::optional<DeviceStep> joined = there_and_back(first)) return std::move(*joined);
  std::vector<program::Sweep const*> sweeps;
  std::size_t in_place = 0;  // how many of them, from the first on, are in place
  for (std::size_t i = first; i < end; ++i) {
    program::Step const& step = program_.steps[i];
    auto const* const sweep = std::get_if<program::Sweep>(&step.work);
    if (!sweep || (i > first && (program_.flows || there_and_back(i)))) break;
    if (in_place == sweeps.size() && array(step.source) == array(step.target)) ++in_place;
    sweeps.push_back(sweep);
  }
  for (;; sweeps.pop_back()) {
    std::size_t const last = first + sweeps.size() - 1;
    program::Buffer const source = array(program_.steps[first].source);
    bool const is_one_array = source == array(program_.steps[last].target);
    if (is_one_array && in_place < sweeps.size()) continue;
    bool const is_kept = source == program::Buffer::output ||
                         (source == program::Buffer::input && program_.arrays.preserve_input);
    using Source = device::DeviceSweep::Source;
    Source const fate = is_one_array ? Source::target : is_kept ? Source::kept : Source::lost;
    std::optional<device::DeviceSweep> made =
        device::DeviceSweep::make(sweeps, *device_.kernels, real_bytes_, device_.bounds, fate);
    if (!made) continue;
    DeviceStep step{std::move(*made), last, {}};
    program::Pass const& pass = sweeps.back()->passes.back();
    if (last > first && (pass.scales || pass.ends)) {
      DeviceStep second = make_device_step(last, last + 1);
      if (second.sweep.can_scatter()) {
        DeviceStep one = make_device_step(first, last);
        if (one.last + 1 == last) {
          step.in_two.push_back(std::move(one));
          step.in_two.push_back(std::move(second));
        }
      }
    }
    return step;
  }
}

void ProgramRunner::make_device_steps() {
  device::Backend& backend = device_.kernels->backend();
  scale_at_points();
  while (runners_.size() < program_.steps.size()) {
    std::size_t const first = runners_.size();
    auto const& work = program_.steps[first].work;
    auto const* const move = std::get_if<program::Move>(&work);
    if (move && device_.peers && move->way.medium == redistribution::Medium::messages) {
      runners_.emplace_back(
          device::Queued(device_.peers, *move->moves,
                         static_cast<std::size_t>(layout::reals_of(move->number()) * real_bytes_)));
      continue;
    }
    if (!std::holds_alternative<program::Sweep>(work)) {
      runners_.emplace_back(std::unique_ptr<exchange::Strategy>());
      continue;
    }
    DeviceStep step = make_device_step(first, program_.steps.size());
    block_bytes_ = std::max(block_bytes_, step.sweep.block_bytes());
    for (DeviceStep const& one : step.in_two)
      block_bytes_ = std::max(block_bytes_, one.sweep.block_bytes());
    std::size_t const joined = step.last - first;
    runners_.emplace_back(std::move(step));
    for (std::size_t i = 0; i < joined; ++i) runners_.emplace_back(Joined());
  }
  has_one_step_ =
      !runners_.empty() && std::all_of(runners_.begin() + 1, runners_.end(),
                                       [](auto& it) { return std::holds_alternative<Joined>(it); });
  constexpr std::size_t unit = 256;
  block_bytes_ = (block_bytes_ + unit - 1) / unit * unit;
  thread_bytes_ = aligned(block_bytes_ + device_.kernels->scratch_bytes());
  for (std::size_t i = 0; i <= runners_.size(); ++i) events_.push_back(backend.make_event());
  if (program_.flows)
    flow_ = std::make_unique<Flow>(program_, runners_, thread_bytes_, drive_.patience,
                                   DeviceQueue{device_.queue, &backend, block_bytes_});
}

void ProgramRunner::exchange_by(Strategies strategies) {
  auto strategy = strategies.begin();
  for (StepRunner& runner : runners_)
    if (auto* const empty = std::get_if<std::unique_ptr<exchange::Strategy>>(&runner))
      *empty = std::move(*strategy++);
}

void ProgramRunner::compare_handovers(Handovers::Site const& site) {
  handovers_ = std::make_unique<Handovers>(program_, runners_, real_bytes_, site);
  if (handovers_->need_turns()) flow_.reset();
}

void ProgramRunner::run(void const* in, void* out, Workspace const& space, sweep::Mode const& mode,
                        Purpose purpose, bool returns_early) {
  Execution const execution{in, out, space, mode};
  bool const multiplies = mode.table != nullptr && !program_.takes_table();
  if (device_.kernels) {
    run_on_device(execution, purpose, returns_early && !multiplies);
    if (!multiplies) return;
    multiply_all(**device_.queue, out, mode.table, program_.output_reals, real_bytes_);
    return device_.finish();
  }
  if (program_.copies_input() && program_.input_reals > 0) {
    Trace::Span const span(copy_, 0);
    std::memcpy(execution.at(program_.steps.front().source), in,
                static_cast<std::size_t>(program_.input_reals * real_bytes_));
  }
  if (handovers_) handovers_->begin();
  if (flow_)
    run_flow(execution, seconds_of(purpose));
  else
    run_in_turn(execution, seconds_of(purpose));
  if (handovers_) handovers_->compare();
  if (!multiplies) return;
  auto const multiply_output =
      real_bytes_ == sizeof(float) ? &multiply_all<float> : &multiply_all<double>;
  Trace::Span const span(product_, 0);
  multiply_output(out, mode.table, program_.output_reals);
}

void ProgramRunner::trace_to(Trace& trace, schedule::Schedule const& schedule) {
  copy_ = trace.label(Trace::Kind::pass, "copy", -1, 2 * program_.input_reals * real_bytes_);
  product_ = trace.label(Trace::Kind::pass, "product", -1, 3 * program_.output_reals * real_bytes_);
  labels_ = StepLabels(trace, program_, schedule);
  if (flow_) flow_->trace_to(labels_);
  for (std::size_t i = 0; i < runners_.size(); ++i)
    if (auto const* strategy = std::get_if<std::unique_ptr<exchange::Strategy>>(&runners_[i]))
      (*strategy)->trace_to(trace, static_cast<int>(i));
}

void ProgramRunner::run_in_turn(Execution const& execution, std::vector<double>& seconds) const {
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    double const begin = MPI_Wtime();
    program::Step const& step = program_.steps[i];
    std::visit(match{[&](sweep::SweepRunner const&) { run_sweep(i, execution); },
                     [](DeviceStep const&) {}, [](Joined const&) {}, [](device::Queued const&) {},
                     [&](std::unique_ptr<exchange::Strategy> const& strategy) {
                       Trace::Span const all(labels_.step(i), 0), wait(labels_.wait(i), 0);
                       if (handovers_) handovers_->before(i, execution);
                       strategy->run(execution.at(step.source), execution.at(step.target));
                       if (handovers_) handovers_->after(i, execution);
                     }},
               runners_[i]);
    seconds[i] += MPI_Wtime() - begin;
  }
}

/// Puts the device's step that begins with step `first`.
void ProgramRunner::put(device::Queue& queue, DeviceStep const& step, std::size_t first,
                        Execution const& execution) const {
  if (!step.in_two.empty() && step.sweep.multiplies_apart(execution.mode)) {
    put(queue, step.in_two[0], first, execution);
    return put(queue, step.in_two[1], step.last, execution);
  }
  step.sweep.put(queue, 0, step.sweep.extent(), execution.on_device(program_.steps[first].source),
                 execution.on_device(program_.steps[step.last].target), execution.mode,
                 execution.space.scratch, block_bytes_);
}

void ProgramRunner::run_on_device(Execution const& execution, Purpose purpose, bool returns_early) {
  device::Queue& queue = **device_.queue;
  if (program_.copies_input() && program_.input_reals > 0)
    queue.copy(execution.at(program_.steps.front().source), execution.in,
               static_cast<std::size_t>(program_.input_reals * real_bytes_));
  if (flow_) {
    device_.finish();
    return run_flow(execution, seconds_of(purpose));
  }
  // Events take the device some microseconds: one step alone is timed by the host.
  bool const is_timed_here = has_one_step_ && !returns_early;
  double const begin = MPI_Wtime();
  if (!is_timed_here) queue.record(*events_[0]);
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    program::Step const& step = program_.steps[i];
    std::visit(match{[&](DeviceStep const& here) {
                       Trace::Span const span(labels_.step(i), 0);
                       put(queue, here, i, execution);
                       if (labels_.is_on()) device_.finish();
                     },
                     [&](device::Queued const& queued) {
                       Trace::Span const span(labels_.step(i), 0);
                       queued.put(queue, execution.at(step.source), execution.at(step.target));
                       if (labels_.is_on()) device_.finish();
                     },
                     [](sweep::SweepRunner const&) {}, [](Joined const&) {},
                     [&](std::unique_ptr<exchange::Strategy> const& strategy) {
                       device_.finish();
                       Trace::Span const all(labels_.step(i), 0), wait(labels_.wait(i), 0);
                       strategy->run(execution.at(step.source), execution.at(step.target));
                     }},
               runners_[i]);
    if (!is_timed_here) queue.record(*events_[i + 1]);
  }
  if (is_timed_here) {
    device_.finish();
    seconds_of(purpose).front() += MPI_Wtime() - begin;
    return;
  }
  under_way_ = purpose;
  if (returns_early) return;
  device_.finish();
  note_end();
}

/// If nobody waited for several executions, only the last one's seconds count.
void ProgramRunner::note_end() {
  if (!under_way_) return;
  std::vector<double>& seconds = seconds_of(*under_way_);
  for (std::size_t i = 0; i < runners_.size(); ++i)
    seconds[i] += events_[i + 1]->seconds_since(*events_[i]);
  under_way_.reset();
}

void ProgramRunner::run_sweep(std::size_t step, Execution const& execution) const {
  auto const& sweep = std::get<sweep::SweepRunner>(runners_[step]);
  program::Step const& here = program_.steps[step];
  Workspace const& space = execution.space;
  Index const extent = sweep.extent(), window = sweep.at_once(space.threads);
  auto const run = [&](Index lo, int thread) {
    Index const hi = std::min(lo + window, extent);
    Trace::Span const span(labels_.pass(step, sweep, hi - lo), thread, {.window = lo / window});
    execution.run(here, sweep, lo, hi,
                  space.scratch + static_cast<std::size_t>(thread) * thread_bytes_);
  };
  int const threads = extent <= window ? 1 : space.threads;
  share_in_turn((extent + window - 1) / window, threads,
                [&](Index number, int thread) { run(number * window, thread); });
}

void ProgramRunner::run_flow(Execution const& execution, std::vector<double>& seconds) {
  double const begin = MPI_Wtime();
  if (handovers_) handovers_->before(0, execution);
  flow_->begin(execution, drive_.driver == Driver::pipelines);
  std::unique_ptr<drivers::ProgressThread> messages;
  if (drive_.driver == Driver::thread) {
    messages = drive_.threads->borrow();
    messages->drive(*flow_, execution.space.threads);
  }
  run_team(execution.space.threads, [&](int thread, int team) {
    drivers::run(drive_.driver, *flow_, thread, team, drive_.pipelines);
  });
  if (messages) {
    messages->wait();
    drive_.threads->give_back(std::move(messages));
  }
  if (handovers_) handovers_->after(runners_.size() - 1, execution);
  flow_->add_seconds(seconds, MPI_Wtime() - begin);
}

std::vector<exchange::SumsOfHops> ProgramRunner::rounding(std::size_t exchanges) const {
  std::vector<exchange::SumsOfHops> sums(exchanges);
  for (std::size_t i = 0; i < runners_.size(); ++i)
    if (auto const* const move = std::get_if<program::Move>(&program_.steps[i].work))
      if (auto const* strategy = std::get_if<std::unique_ptr<exchange::Strategy>>(&runners_[i]))
        for (std::size_t hop = 0; hop < sums.front().size(); ++hop)
          sums[move->exchange][hop] += (*strategy)->rounding()[hop];
  return sums;
}

double ProgramRunner::communication_seconds(Purpose purpose) const {
  double sum = 0;
  for (std::size_t i = 0; i < runners_.size(); ++i)
    if (std::holds_alternative<program::Move>(program_.steps[i].work))
      sum += seconds_of(purpose)[i];
  return sum;
}

std::vector<Part> ProgramRunner::breakdown(schedule::Schedule const& schedule,
                                           Purpose purpose) const {
  std::map<std::size_t, Part> parts;
  Part* part = nullptr;
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    program::Step const& step = program_.steps[i];
    bool const is_joined = std::holds_alternative<Joined>(runners_[i]);
    if (!is_joined) part = &parts[step.shown_as];
    if (step.shown_as == i) part->what += (is_joined ? ", " : "") + program::name(step, schedule);
    part->seconds += seconds_of(purpose)[i];
    if (!is_joined)
      part->bytes += static_cast<double>(program::bytes_of(step, schedule.real_bytes));
  }
  std::vector<Part> list;
  for (auto& [number, made] : parts) list.push_back(std::move(made));
  return list;
}

}  // namespace sixstep::runners
