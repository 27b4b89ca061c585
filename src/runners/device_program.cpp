// SPDX-License-Identifier: BSD-3-Clause
// Joins sweeps that a device does at once, and puts steps into its queue.
#include "runners/device_program.hpp"

#include <algorithm>
#include <utility>

#include "base/match.hpp"

namespace sixstep::runners {

program::Buffer DeviceProgram::array(program::Buffer buffer) const {
  return program_.arrays.in_place && buffer == program::Buffer::input ? program::Buffer::output
                                                                      : buffer;
}

/// The three steps from `first` on, if the device can do them at once: they go to coefficients,
/// multiply these by a table, and go back. In place, columns must be written where they were read.
std::optional<DeviceStep> DeviceProgram::there_and_back(std::size_t first) {
  constexpr std::size_t count = 3;
  if (program_.flows || first + count > program_.steps.size()) return std::nullopt;
  std::vector<program::Sweep const*> sweeps;
  for (std::size_t i = first; i < first + count; ++i)
    if (auto const* const sweep = std::get_if<program::Sweep>(&program_.steps[i].work))
      sweeps.push_back(sweep);
  std::size_t const last = first + count - 1;
  if (sweeps.size() < count || !sweeps[1]->passes.front().at_points) return std::nullopt;
  if (array(program_.steps[first].source) == array(program_.steps[last].target) &&
      !layout::same_places(sweeps.front()->passes.front().source,
                           sweeps.back()->passes.front().target))
    return std::nullopt;
  std::optional<device::DeviceSweep> made = device::DeviceSweep::make(
      sweeps, *device_.kernels, real_bytes_, device_.bounds, device::DeviceSweep::Source::kept);
  if (!made) return std::nullopt;
  return DeviceStep{std::move(*made), last, {}};
}

/// Moves the scale of the transform back to the multiplication at points, where it costs nothing.
void DeviceProgram::scale_at_points() {
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
DeviceStep DeviceProgram::make_step(std::size_t first, std::size_t end) {
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
      DeviceStep second = make_step(last, last + 1);
      if (second.sweep.can_scatter()) {
        DeviceStep one = make_step(first, last);
        if (one.last + 1 == last) {
          step.in_two.push_back(std::move(one));
          step.in_two.push_back(std::move(second));
        }
      }
    }
    return step;
  }
}

DeviceProgram::DeviceProgram(program::Program& program, std::vector<StepRunner>& runners,
                             int real_bytes, ProgramDevice const& device)
    : program_(program), runners_(runners), real_bytes_(real_bytes), device_(device) {
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
    DeviceStep step = make_step(first, program_.steps.size());
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
  for (std::size_t i = 0; i <= runners_.size(); ++i)
    events_.push_back(device_.kernels->backend().make_event());
}

/// Puts the device's step that begins with step `first`.
void DeviceProgram::put(device::Queue& queue, DeviceStep const& step, std::size_t first,
                        Execution const& execution) const {
  if (!step.in_two.empty() && step.sweep.multiplies_apart(execution.mode)) {
    put(queue, step.in_two[0], first, execution);
    return put(queue, step.in_two[1], step.last, execution);
  }
  step.sweep.put(queue, 0, step.sweep.extent(), execution.on_device(program_.steps[first].source),
                 execution.on_device(program_.steps[step.last].target), execution.mode,
                 execution.space.scratch, block_bytes_);
}

void DeviceProgram::copy_input(Execution const& execution) {
  if (program_.copies_input() && program_.input_reals > 0)
    (*device_.queue)
        ->copy(execution.at(program_.steps.front().source), execution.in,
               static_cast<std::size_t>(program_.input_reals * real_bytes_));
}

void DeviceProgram::multiply_output(void* out, void const* table) {
  device::Copy product;
  product.axes = 1;
  product.extent[0] = program_.output_reals / 2;
  product.from[0] = product.to[0] = product.in_table[0] = 1;
  product.source = product.target = out;
  product.real_bytes = real_bytes_;
  product.from_reals = product.to_reals = 2;
  product.changes = true;
  product.table.numbers = table;
  (*device_.queue)->run(product);
  finish();
}

void DeviceProgram::run(Execution const& execution, StepLabels const& labels,
                        std::vector<double>& seconds, bool returns_early) {
  device::Queue& queue = **device_.queue;
  // Events take the device some microseconds: one step alone is timed by the host.
  bool const is_timed_here = has_one_step_ && !returns_early;
  double const begin = MPI_Wtime();
  if (!is_timed_here) queue.record(*events_[0]);
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    program::Step const& step = program_.steps[i];
    std::visit(match{[&](DeviceStep const& here) {
                       Trace::Span const span(labels.step(i), 0);
                       put(queue, here, i, execution);
                       if (labels.is_on()) finish();
                     },
                     [&](device::Queued const& queued) {
                       Trace::Span const span(labels.step(i), 0);
                       queued.put(queue, execution.at(step.source), execution.at(step.target));
                       if (labels.is_on()) finish();
                     },
                     [](sweep::SweepRunner const&) {}, [](Joined const&) {},
                     [&](std::unique_ptr<exchange::Strategy> const& strategy) {
                       finish();
                       Trace::Span const all(labels.step(i), 0), wait(labels.wait(i), 0);
                       strategy->run(execution.at(step.source), execution.at(step.target));
                     }},
               runners_[i]);
    if (!is_timed_here) queue.record(*events_[i + 1]);
  }
  if (is_timed_here) {
    finish();
    seconds.front() += MPI_Wtime() - begin;
    return;
  }
  under_way_ = &seconds;
  if (returns_early) return;
  finish();
  note_end();
}

/// If nobody waited for several executions, only the last one's seconds count.
void DeviceProgram::note_end() {
  if (!under_way_) return;
  for (std::size_t i = 0; i < runners_.size(); ++i)
    (*under_way_)[i] += events_[i + 1]->seconds_since(*events_[i]);
  under_way_ = nullptr;
}

}  // namespace sixstep::runners
