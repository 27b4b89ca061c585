// SPDX-License-Identifier: BSD-3-Clause
// Running a program: threads share the windows of a sweep; exchanges begin, and end.
#include "plan/program_runner.hpp"

#include <omp.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <map>
#include <utility>

#include "match.hpp"
#include "sweep/multiply.hpp"

namespace sixstep::plan {

namespace {

/// All the complex numbers of an array, by those of a table.
template <class Real>
void multiply_all(void* array, void const* table, Index reals) {
  using Complex = std::complex<Real>;
  multiply(static_cast<Complex*>(array), static_cast<Complex const*>(table), {0, 1}, 1, reals / 2);
}

void exchange_all(exchange::Strategy& strategy, void const* source, void* target) {
  for (int window = 0; window < strategy.windows(); ++window)
    strategy.begin(window, source, target);
  for (int window = 0; window < strategy.windows(); ++window) strategy.finish(window);
}

}  // namespace

ProgramRunner::ProgramRunner(Program program, Strategies strategies, Kernels& kernels,
                             int real_bytes)
    : program_(std::move(program)), real_bytes_(real_bytes) {
  auto strategy = strategies.begin();
  for (Step const& step : program_.steps)
    std::visit(match{[&](Sweep const& sweep) {
                       runners_.emplace_back(SweepRunner(sweep, kernels, real_bytes));
                       thread_bytes_ = std::max(
                           thread_bytes_, std::get<SweepRunner>(runners_.back()).scratch_bytes());
                     },
                     [&](auto const&) { runners_.emplace_back(std::move(*strategy++)); }},
               step.work);
  for (std::vector<double>& seconds : seconds_) seconds.resize(runners_.size());
}

void ProgramRunner::run(void const* in, void* out, Space const& space, Mode const& mode,
                        Purpose purpose) {
  auto const at = [&](Buffer buffer) -> void* {
    return buffer == Buffer::input    ? const_cast<void*>(in)
           : buffer == Buffer::output ? out
                                      : space.work[static_cast<std::size_t>(buffer)];
  };
  if (program_.copies_input() && program_.input_reals > 0)
    std::memcpy(at(program_.steps.front().source), in,
                static_cast<std::size_t>(program_.input_reals * real_bytes_));
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    double const begin = MPI_Wtime();
    void* const source = at(program_.steps[i].source);
    void* const target = at(program_.steps[i].target);
    std::visit(
        match{[&](SweepRunner const& sweep) { run_sweep(sweep, source, target, space, mode); },
              [&](std::unique_ptr<exchange::Strategy> const& strategy) {
                exchange_all(*strategy, source, target);
              }},
        runners_[i]);
    seconds_of(purpose)[i] += MPI_Wtime() - begin;
  }
  if (mode.table == nullptr || program_.takes_table()) return;
  auto const multiply_output =
      real_bytes_ == sizeof(float) ? &multiply_all<float> : &multiply_all<double>;
  multiply_output(out, mode.table, program_.output_reals);
}

void ProgramRunner::run_sweep(SweepRunner const& sweep, void const* source, void* target,
                              Space const& space, Mode const& mode) const {
  Index const windows = sweep.windows();
  if (space.threads == 1 || windows <= 1)
    return sweep.run(0, windows, source, target, mode, space.scratch);
#pragma omp parallel for num_threads(space.threads) schedule(dynamic)
  for (Index window = 0; window < windows; ++window) {
    auto const thread = static_cast<std::size_t>(omp_get_thread_num());
    sweep.run(window, window + 1, source, target, mode, space.scratch + thread * thread_bytes_);
  }
}

double ProgramRunner::communication_seconds(Purpose purpose) const {
  double sum = 0;
  for (std::size_t i = 0; i < runners_.size(); ++i)
    if (std::holds_alternative<Move>(program_.steps[i].work)) sum += seconds_of(purpose)[i];
  return sum;
}

std::vector<Part> ProgramRunner::breakdown(Schedule const& schedule, Purpose purpose) const {
  std::map<std::size_t, Part> parts;
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    Step const& step = program_.steps[i];
    Part& part = parts[step.shown_as];
    if (part.what.empty()) part.what = name(step, schedule);
    part.seconds += seconds_of(purpose)[i];
    part.bytes += static_cast<double>(bytes_of(step, schedule.real_bytes));
  }
  std::vector<Part> list;
  for (auto& [number, part] : parts) list.push_back(std::move(part));
  return list;
}

}  // namespace sixstep::plan
