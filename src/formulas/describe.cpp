// SPDX-License-Identifier: BSD-3-Clause
// Describes compositions in words.
#include "program/describe.hpp"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "base/match.hpp"
#include "formulas/composition.hpp"
#include "program/ways.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

std::string turn_in_words(redistribution::Square const& square,
                          schedule::Schedule const& schedule) {
  Index const element = schedule.bytes_of(layout::Number::complex);
  std::string const what =
      text("transposition in place in blocks, ", square.side, " x ", square.side, " items of ",
           program::bytes_in_words(square.item * element));
  if (square.ranks == 1) return text("pass      ", what, '\n');
  Index const message = square.buffer_points() / 2;
  Index const sent = (square.ranks - 1) * square.block() * square.block() * square.item;
  return text("exchange  ", what, ": messages of ", program::bytes_in_words(message * element),
              ", ", program::bytes_in_words(sent * element), " sent\n");
}

/// Counts the forward tasks as `rank` runs them.
class Account {
 public:
  Account(Composition const& composition, std::vector<program::Limits> const& limits,
          bool preserve_input)
      : composition_(composition),
        limits_(limits),
        preserve_input_(preserve_input),
        rank_(program::reference_rank(composition.schedules[0])),
        why_(composition.why),
        arrays_(first_work, 0),
        work_(composition.schedules.size(), 0) {
    for (Layout const& layout : composition.work)
      arrays_.push_back(layout::reals_of(layout::Number::complex) * layout.local_size(rank_));
    for (Task const& task : composition.forward)
      std::visit(
          match{[&](Run const& run) { add(run, task); }, [&](Apply const& apply) { add(apply); },
                [&](Turn const& turn) { add(turn); }},
          task.what);
  }

  int rank() const { return rank_; }
  int passes() const { return passes_; }
  std::string steps() const { return steps_.str(); }
  std::string const& why() const { return why_; }
  /// The reals of work arrays and of the work memory of tasks.
  Index work_reals() const {
    return std::accumulate(arrays_.begin() + first_work, arrays_.end(), Index{0}) +
           std::accumulate(work_.begin(), work_.end(), Index{0}) + buffers_;
  }

 private:
  void add(Run const& run, Task const& task) {
    auto const [schedule, program] =
        composition_.compiled(task, rank_, limits_, {.preserve_input = preserve_input_});
    if (why_.empty()) why_ = program::reasons_in_words(schedule, program);
    steps_ << program::steps_in_words(schedule, rank_, program);
    if (run.times)
      steps_ << "          " << composition_.formulas[run.times->formula]->name(run.times->work)
             << ", in the last pass\n";
    passes_ += program.sweeps();
    work_[run.schedule] = std::max(work_[run.schedule], program.all_work_reals());
    arrays_[task.source] = std::max(arrays_[task.source], program.input_reals);
    arrays_[task.target] = std::max(arrays_[task.target], program.output_reals);
  }
  void add(Apply const& apply) {
    Formula const& formula = *composition_.formulas[apply.formula];
    steps_ << "pass      " << formula.name(apply.work) << '\n';
    passes_ += formula.passes(apply.work);
  }
  void add(Turn const& turn) {
    steps_ << turn_in_words(turn.square, composition_.schedules[0]);
    if (turn.square.ranks == 1) ++passes_;
    buffers_ = layout::reals_of(layout::Number::complex) * turn.square.buffer_points();
  }

  Composition const& composition_;
  std::vector<program::Limits> const& limits_;
  bool preserve_input_;
  int rank_;
  std::string why_;
  int passes_ = 0;
  std::ostringstream steps_;
  std::vector<Index> arrays_;  // reals of each slot
  std::vector<Index> work_;    // reals of work arrays of each schedule
  Index buffers_ = 0;          // reals
};

/// How messages carry reals, if the user gave a tolerance.
std::string wire_in_words(std::vector<program::Limits> const& limits) {
  if (limits.empty() || limits.front().wire.tolerance == 0) return "";
  auto const shortened = std::ranges::find_if(
      limits, [](program::Limits const& its) { return its.wire.form.shortens(); });
  if (shortened == limits.end()) return "\nwire      messages carry all bits";
  double bound = 0;
  for (program::Limits const& its : limits) bound = std::max(bound, its.wire.bound);
  auto const& [bytes, block] = shortened->wire.form;
  std::ostringstream words;
  words << std::setprecision(2) << "\nwire      " << bytes << " bytes a real, a scale for " << block
        << " of them, between nodes: relative error of the result below " << bound;
  return words.str();
}

}  // namespace

std::string describe(Composition const& composition, std::vector<program::Limits> const& limits,
                     bool preserve_input) {
  std::string methods;
  for (auto const& formula : composition.formulas)
    methods += text("method    ", formula->name(), '\n');
  Account const account(composition, limits, preserve_input);
  auto const bytes = [&](Index reals) {
    return program::bytes_in_words(reals * composition.schedules[0].real_bytes);
  };
  return text("input     ", program::end_in_words(composition.input), methods, account.steps(),
              "output    ", program::end_in_words(composition.output),
              program::total_in_words(composition.exchanges(), account.passes()), "why       ",
              account.why(), "\nper rank  input ", bytes(composition.input.reals(account.rank())),
              ", output ", bytes(composition.output.reals(account.rank())), ", work ",
              bytes(account.work_reals()), wire_in_words(limits));
}

}  // namespace sixstep::formulas
