// SPDX-License-Identifier: BSD-3-Clause
// What a composition does, in words, traces, seconds and prices.
#include <utility>

#include "base/match.hpp"
#include "model/price.hpp"
#include "runners/composition_runner.hpp"
#include "runners/machine_of.hpp"

namespace sixstep::runners {

/// Collective.
void CompositionRunner::start_trace() {
  if (options_.trace.empty()) return;
  trace_ = std::make_shared<Trace>(options_.trace, comm_, options_.threads);
  mpi::destroy_together(comm_, trace_);
  for (auto const& schedule : schedules_) schedule->trace_to(*trace_);
  for (auto const& [purpose, words] : {std::pair{Purpose::forward, "forward"},
                                       {Purpose::backward, "backward"},
                                       {Purpose::setup, "planning"}}) {
    List& of = list(purpose);
    of.label = trace_->label(Trace::Kind::execution, words);
    for (std::size_t i = 0; i < of.tasks.size(); ++i)
      of.labels[i] = label(of.tasks[i], purpose == Purpose::backward);
  }
}

Trace::Label CompositionRunner::label(formulas::Task const& task, bool backward) const {
  auto const of_kind = [&](Trace::Kind kind, std::string const& words) {
    return trace_->label(kind, words, -1, static_cast<Index>(bytes_of(task, backward)));
  };
  return std::visit(match{[](formulas::Run const&) { return Trace::Label(); },
                          [&](formulas::Apply const& apply) {
                            return of_kind(Trace::Kind::pointwise,
                                           composition_.formulas[apply.formula]->name(apply.work));
                          },
                          [&](formulas::Turn const& turn) {
                            return of_kind(Trace::Kind::exchange, formulas::name(turn));
                          }},
                    task.what);
}

void CompositionRunner::write_trace() {
  require(trace_ != nullptr,
          "trace: this plan has none; make it with the option trace, the name of a file");
  trace_->write(describe());
}

std::vector<program::Limits> CompositionRunner::limits() const {
  std::vector<program::Limits> limits;
  for (auto const& schedule : schedules_) limits.push_back(schedule->limits());
  return limits;
}

Prediction CompositionRunner::predict(std::string const& machine_file) const {
  model::Machine const machine = machine_of(machine_file, options_, comm_);
  Prediction told{};
  mpi::together(comm_, [&] {
    auto const all = limits();
    model::Price const found =
        price(composition_, all, machine, decision::allocated_arrays(composition_, all, options_));
    told = {found.seconds, found.communication_s, found.computation_s, {}};
    for (model::StepPrice const& step : found.steps)
      told.steps.push_back({step.what, step.seconds, step.bytes});
  });
  return told;
}

std::string CompositionRunner::describe() const {
  return text(formulas::describe(composition_, limits(), options_.preserve_input), "\nrun       ",
              schedules_.front()->run_words(), note_);
}

int CompositionRunner::passes() const {
  int sum = 0;
  for (formulas::Task const& task : list(Purpose::forward).tasks)
    sum +=
        std::visit(match{[&](formulas::Run const& run) {
                           return schedules_[run.schedule]->program(run.backward).sweeps();
                         },
                         [](formulas::Apply const&) { return 1; },
                         [](formulas::Turn const& turn) { return turn.square.ranks == 1 ? 1 : 0; }},
                   task.what);
  return sum;
}

double CompositionRunner::communication_seconds() const {
  double sum = 0;
  for (Purpose purpose : {Purpose::forward, Purpose::backward}) {
    for (auto const& schedule : schedules_) sum += schedule->communication_seconds(purpose);
    List const& there = list(purpose);
    for (std::size_t i = 0; i < there.tasks.size(); ++i) {
      auto const* turn = std::get_if<formulas::Turn>(&there.tasks[i].what);
      if (turn && turn->square.ranks > 1) sum += there.seconds[i];
    }
  }
  return sum;
}

/// The relative errors of exchanges and of their hops add up. Each error is that of all ranks
/// together.
double CompositionRunner::wire_error() const {
  if (!executed_) return 0;
  std::vector<double> sums;
  for (formulas::Task const& task : list(*executed_).tasks)
    if (auto const* const run = std::get_if<formulas::Run>(&task.what))
      for (exchange::SumsOfHops const& hops : schedules_[run->schedule]->rounding(run->backward))
        for (local::RoundingSums const& of : hops) {
          sums.insert(sums.end(), of.values.begin(), of.values.end());
          sums.insert(sums.end(), of.errors.begin(), of.errors.end());
        }
  mpi::reduce_to_all(comm_, sums.data(), static_cast<Index>(sums.size()), MPI_DOUBLE, MPI_SUM);
  double error = 0;
  local::RoundingSums of;
  constexpr auto step = std::tuple_size_v<decltype(of.values)>;
  for (auto sum = sums.begin(); sum != sums.end(); sum += 2 * step) {
    std::copy_n(sum, step, of.values.begin());
    std::copy_n(sum + step, step, of.errors.begin());
    error += of.relative_error();
  }
  return rounding_.condition * error;
}

std::vector<Part> CompositionRunner::breakdown(Direction direction) const {
  bool const backward = direction == Direction::backward;
  Purpose const purpose = backward ? Purpose::backward : Purpose::forward;
  List const& there = list(purpose);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < there.tasks.size(); ++i) {
    formulas::Task const& task = there.tasks[i];
    auto const append = [&](std::string const& what) {
      parts.push_back({what, there.seconds[i], bytes_of(task, backward)});
    };
    std::visit(match{[&](formulas::Run const& run) {
                       auto const more = schedules_[run.schedule]->breakdown(run.backward, purpose);
                       parts.insert(parts.end(), more.begin(), more.end());
                     },
                     [&](formulas::Apply const& apply) {
                       append(composition_.formulas[apply.formula]->name(apply.work));
                     },
                     [&](formulas::Turn const& turn) { append(formulas::name(turn)); }},
               task.what);
  }
  return parts;
}

/// The bytes that a task reads and writes.
double CompositionRunner::bytes_of(formulas::Task const& task, bool backward) const {
  return static_cast<double>(slot_bytes(task.source, backward) + slot_bytes(task.target, backward));
}

}  // namespace sixstep::runners
