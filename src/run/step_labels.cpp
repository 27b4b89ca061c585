// SPDX-License-Identifier: BSD-3-Clause
// Labels of steps, made when a plan is.
#include "run/step_labels.hpp"

#include "base/match.hpp"

namespace sixstep::plan {

StepLabels::StepLabels(Trace& trace, Program const& program, Schedule const& schedule)
    : wait_(trace.label(Trace::Kind::wait, "wait")) {
  using Kind = Trace::Kind;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    Step const& step = program.steps[i];
    auto const number = static_cast<int>(i);
    Kind const kind = std::visit(
        match{[](Sweep const&) { return Kind::pass; }, [](Move const&) { return Kind::exchange; },
              [](Meeting const&) { return Kind::meeting; }},
        step.work);
    steps_.push_back(
        trace.label(kind, name(step, schedule), number, bytes_of(step, schedule.real_bytes)));
    waits_.push_back(trace.label(Kind::wait, "wait", number));
  }
}

}  // namespace sixstep::plan
