// SPDX-License-Identifier: BSD-3-Clause
// Calls a user's function of batches, as an operation at points of a schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "formulas/formula.hpp"
#include "formulas/spectrum.hpp"
#include "sixstep/batch.hpp"

namespace sixstep::formulas {

/// A function of batches in one of the precisions; the other one is empty.
struct AnyFunction {
  BatchFunction<float> single = {};
  BatchFunction<double> twice = {};
};

/// The points of which a function is told: where they are, how many fields they have before and
/// behind, and the wave vectors, if they have any.
struct Told {
  layout::Placement points;
  int axes = 0;  // of a field
  int fields = 1;
  int results = 1;
  Index least = 1;  // points of a batch
  std::optional<Spectrum> spectrum = {};
};

/// The formula of a map: it calls a function for all points, a batch at a time.
class CallsFunction : public Formula {
 public:
  CallsFunction(AnyFunction function, Told told, std::string what)
      : function_(std::move(function)), told_(std::move(told)), what_(std::move(what)) {}

  std::string name() const override { return "map"; }
  std::string name(int) const override { return what_; }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const override;

 private:
  AnyFunction function_;
  Told told_;
  std::string what_;
};

}  // namespace sixstep::formulas
