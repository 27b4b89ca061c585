// SPDX-License-Identifier: BSD-3-Clause
// One direction of a schedule: its programs, run step by step, and the seconds that they take.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "exchange/exchange.hpp"
#include "plan/match.hpp"
#include "plan/program.hpp"
#include "plan/schedule.hpp"
#include "plan/sweep.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {

/// What executions are for: seconds are counted for each apart.
enum class Purpose { forward, backward, setup };
inline constexpr std::size_t purposes = 3;

/// One direction of a schedule: its programs for all arrays, with everything that running them
/// needs.
template <class Real>
class Engine {
 public:
  using Exchanges = std::vector<std::unique_ptr<exchange::Exchange>>;

  /// `programs` for arrays {in_place, in_segments}: {no, no}, {yes, no}, {no, yes}, {yes, yes};
  /// empty ones for arrays that there never are.
  Engine(std::vector<plan::Program> programs, plan::Kernels<Real>& kernels,
         std::vector<Exchanges> exchanges) {
    for (std::size_t number = 0; number < programs.size(); ++number) {
      variants_.push_back({std::move(programs[number]), std::move(exchanges[number]), {}, {}});
      for (std::vector<double>& seconds : variants_.back().seconds)
        seconds.resize(variants_.back().program.steps.size());
      for (plan::Step const& step : variants_.back().program.steps) {
        auto const* sweep = std::get_if<plan::Sweep>(&step);
        if (!sweep) continue;
        variants_.back().runners.emplace_back(*sweep, kernels);
        thread_bytes_ = std::max(thread_bytes_, variants_.back().runners.back().scratch_bytes());
      }
    }
    while (first_ + 1 < variants_.size() && program().buffers.empty()) ++first_;
    last_ = first_;
  }

  plan::Program const& program() const { return variants_[first_].program; }
  std::size_t thread_bytes() const { return thread_bytes_; }
  /// Memory lent to an execution.
  struct Space {
    std::array<Real*, plan::work_arrays> work;
    std::byte* scratch;  // thread_bytes() for each thread
    int threads;
  };

  void run(Real* in, Real* out, bool in_segments, Space const& space, plan::Mode<Real> const& mode,
           Purpose purpose) {
    last_ = (in == out ? 1u : 0u) + (in_segments ? 2u : 0u);
    Variant& variant = variants_[last_];
    plan::Program const& program = variant.program;
    auto const at = [&](plan::Buffer buffer) {
      return buffer == plan::Buffer::input    ? in
             : buffer == plan::Buffer::output ? out
                                              : space.work[static_cast<std::size_t>(buffer)];
    };
    if (in == out && program.buffers[0] != plan::Buffer::output)
      std::copy_n(in, program.input_reals(), at(program.buffers[0]));
    std::size_t runner = 0, exchange = 0;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      double const begin = MPI_Wtime();
      Real* const source = at(program.buffers[i]);
      Real* const target = at(program.buffers[i + 1]);
      std::visit(match{[&](plan::Sweep const&) {
                         variant.runners[runner++].run(source, target, mode, space.threads,
                                                       space.scratch);
                       },
                       [&](plan::Move const&) {
                         exchange::Exchange& strategy = *variant.exchanges[exchange++];
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.begin(chunk, source, target);
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.finish(chunk);
                       }},
                 program.steps[i]);
      variant.seconds[static_cast<std::size_t>(purpose)][i] += MPI_Wtime() - begin;
    }
  }

  double communication_seconds(Purpose purpose) const {
    double sum = 0;
    for (Variant const& variant : variants_)
      for (std::size_t i = 0; i < variant.program.steps.size(); ++i)
        if (std::holds_alternative<plan::Move>(variant.program.steps[i]))
          sum += variant.seconds[static_cast<std::size_t>(purpose)][i];
    return sum;
  }

  std::vector<typename Plan<Real>::Part> breakdown(plan::Schedule const& schedule,
                                                   Purpose purpose) const {
    Variant const& variant = variants_[last_];
    std::vector<double> const& seconds = variant.seconds[static_cast<std::size_t>(purpose)];
    std::map<std::size_t, typename Plan<Real>::Part> parts;  // all blocks together
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      plan::Step const& step = variant.program.steps[i];
      auto& part = parts[variant.program.shown_as[i]];
      if (part.what.empty()) part.what = plan::name(step, schedule);
      part.seconds += seconds[i];
      part.bytes += static_cast<double>(plan::bytes_of(step, schedule.real_bytes));
    }
    std::vector<typename Plan<Real>::Part> list;
    for (auto& [number, part] : parts) list.push_back(std::move(part));
    return list;
  }

 private:
  struct Variant {
    plan::Program program;
    Exchanges exchanges;
    std::vector<plan::SweepRunner<Real>> runners;
    std::array<std::vector<double>, purposes> seconds;  // of each step, in all runs
  };

  std::vector<Variant> variants_;
  std::size_t first_ = 0;  // that is not empty
  std::size_t last_ = 0;   // that was run
  std::size_t thread_bytes_ = 0;
};

}  // namespace sixstep
