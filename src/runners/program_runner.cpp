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

}  // namespace

ProgramRunner::ProgramRunner(program::Program program, sweep::Kernels& kernels, int real_bytes,
                             Drive const& drive, ProgramDevice const& device)
    : program_(std::move(program)), real_bytes_(real_bytes), drive_(drive) {
  for (std::vector<double>& seconds : seconds_) seconds.resize(program_.steps.size());
  if (device.kernels) {
    on_device_ = std::make_unique<DeviceProgram>(program_, runners_, real_bytes_, device);
    thread_bytes_ = on_device_->scratch_bytes();
    if (program_.flows)
      flow_ = std::make_unique<Flow>(program_, runners_, thread_bytes_, drive_.patience,
                                     on_device_->queue());
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
  if (on_device_) {
    run_on_device(execution, purpose, returns_early && !multiplies);
    if (multiplies) on_device_->multiply_output(out, mode.table);
    return;
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

void ProgramRunner::run_on_device(Execution const& execution, Purpose purpose, bool returns_early) {
  on_device_->copy_input(execution);
  if (!flow_) return on_device_->run(execution, labels_, seconds_of(purpose), returns_early);
  on_device_->finish();
  run_flow(execution, seconds_of(purpose));
}

void ProgramRunner::run_sweep(std::size_t step, Execution const& execution) const {
  auto const& sweep = std::get<sweep::SweepRunner>(runners_[step]);
  program::Step const& here = program_.steps[step];
  Workspace const& space = execution.space;
  Index const extent = sweep.extent(), window = sweep.at_once(space.threads);
  int const threads = extent <= window ? 1 : space.threads;
  auto const run = [&](Index lo, int thread) {
    Index const hi = std::min(lo + window, extent);
    Trace::Span const span(labels_.pass(step, sweep, hi - lo), thread, {.window = lo / window});
    execution.run(here, sweep, lo, hi, lo + threads * window,
                  space.scratch + static_cast<std::size_t>(thread) * thread_bytes_);
  };
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
