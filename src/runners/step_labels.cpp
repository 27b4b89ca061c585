// SPDX-License-Identifier: BSD-3-Clause
// Labels of steps, made when a plan is.
#include "runners/step_labels.hpp"

#include "base/match.hpp"

namespace sixstep::runners {

StepLabels::StepLabels(Trace& trace, program::Program const& program,
                       schedule::Schedule const& schedule)
    : wait_(trace.label(Trace::Kind::wait, "wait")) {
  using Kind = Trace::Kind;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    program::Step const& step = program.steps[i];
    auto const number = static_cast<int>(i);
    Kind const kind = std::visit(match{[](program::Sweep const&) { return Kind::pass; },
                                       [](program::Move const&) { return Kind::exchange; },
                                       [](program::Meeting const&) { return Kind::meeting; }},
                                 step.work);
    steps_.push_back(trace.label(kind, program::name(step, schedule), number,
                                 program::bytes_of(step, schedule.real_bytes)));
    waits_.push_back(trace.label(Kind::wait, "wait", number));
  }
}

}  // namespace sixstep::runners
