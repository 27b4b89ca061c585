// SPDX-License-Identifier: BSD-3-Clause
// Boxes in the place of a program of one process.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "layout/placement.hpp"
#include "schedule/problem.hpp"
#include "serial/blocks.hpp"
#include "serial/boxes.hpp"

namespace sixstep::serial {

/// An execution of a problem of one rank in one direction.
struct BoxExecution {
  bool backward = false;
  bool in_place = false;
  int threads = 1;
};

/// Boxes; copies share them.
class BoxRunner {
 public:
  /// Nothing if boxes do not suit the problem, whose arrays lie as `input` and `output` say.
  static std::optional<BoxRunner> best(schedule::Problem const& problem,
                                       layout::Placement const& input,
                                       layout::Placement const& output,
                                       BoxExecution const& execution);

  /// Whether it may run in place, too, if it was made for other executions.
  bool works_in_place() const;
  std::size_t workspace_bytes() const;
  std::size_t bytes() const;

  /// The results are multiplied by `scale`.
  void run(void const* in, void* out, double scale, Blocks& blocks) const;

 private:
  template <class Real>
  using Shared = std::shared_ptr<Boxes<Real> const>;

  template <class Real>
  explicit BoxRunner(Shared<Real> boxes) : boxes_(std::move(boxes)) {}
  template <class Real>
  static std::optional<BoxRunner> made(BoxProblem const& problem, int threads);

  std::variant<Shared<float>, Shared<double>> boxes_;
};

}  // namespace sixstep::serial
