// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a program are called in a trace.
#pragma once

#include <cstddef>
#include <vector>

#include "program/program.hpp"
#include "runtime/trace.hpp"

namespace sixstep::runners {

class StepLabels {
 public:
  /// Records nothing.
  StepLabels() = default;
  StepLabels(Trace& trace, program::Program const& program, schedule::Schedule const& schedule);

  bool is_on() const { return !steps_.empty(); }
  Trace::Label step(std::size_t i) const { return is_on() ? steps_[i] : Trace::Label{}; }
  /// The label of a part of step `i`, a sweep, with `counts` counts.
  template <class AnySweep>
  Trace::Label pass(std::size_t i, AnySweep const& sweep, Index counts) const {
    if (!is_on()) return {};
    Trace::Label label = steps_[i];
    label.bytes = sweep.share(label.bytes, counts);
    return label;
  }
  /// The label of a thread that waits in step `i`, or in no step.
  Trace::Label wait(std::size_t i) const { return is_on() ? waits_[i] : Trace::Label{}; }
  Trace::Label wait() const { return wait_; }

 private:
  std::vector<Trace::Label> steps_;
  std::vector<Trace::Label> waits_;
  Trace::Label wait_;
};

}  // namespace sixstep::runners
