// SPDX-License-Identifier: BSD-3-Clause
// Compositions that stand for plans, operators and maps in prices and races.
#include <memory>
#include <string>
#include <utility>

#include "tuner/knobs.hpp"

namespace sixstep::tuner {

namespace {

/// An operation at points that leaves its results as they are.
class NoWork : public formulas::Pointwise, public program::OnPoints {
 public:
  void apply(int, formulas::Operands const&) override {}
  void apply(program::PointBlock const&) const override {}
  program::OnPoints const* operation() const override { return this; }
};

class Nothing : public formulas::Formula {
 public:
  std::string name() const override { return "nothing"; }
  std::string name(int) const override { return "nothing"; }
  std::unique_ptr<formulas::Pointwise> on_rank(int, int, Local) const override {
    return std::make_unique<NoWork>();
  }
};

formulas::Composition without_work(formulas::Composition composition) {
  for (auto& formula : composition.formulas) formula = std::make_shared<Nothing>();
  return composition;
}

}  // namespace

formulas::Composition composed(Design const& design) {
  if (design.compose) return without_work(design.compose(design));
  if (!schedule::keeps_columns(design.problem))
    return formulas::compose(design.problem, design.choices);
  schedule::Problem around = schedule::checked(design.problem);
  around.sphere.clear();
  around.columns.clear();
  return formulas::compose(around, design.choices);
}

}  // namespace sixstep::tuner
