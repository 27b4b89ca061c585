// SPDX-License-Identifier: BSD-3-Clause
// The whole transform is pointwise work in the sense of compositions: it runs no schedule.
#include "formulas/reals_in_two_levels.hpp"

#include <complex>
#include <memory>
#include <string>

#include "formulas/pointwise.hpp"
#include "local/two_level_reals.hpp"

namespace sixstep::formulas {

namespace {

template <class Real>
class Levels final : public Pointwise {
 public:
  Levels(Index n, Local whose, Tuning const& tuning) : transform_(n, whose, tuning) {}

  std::size_t bytes() const override { return transform_.bytes(); }
  std::size_t workspace_bytes(Operands const& on) const override {
    return transform_.workspace_bytes(fits_the_spectrum(on), on.threads);
  }
  void apply(int, Operands const& on) override {
    auto const factor = static_cast<Real>(on.factor);
    if (on.backward)
      transform_.backward(static_cast<Complex const*>(on.source), static_cast<Real*>(on.target),
                          factor, fits_the_spectrum(on), on.threads, on.scratch);
    else
      transform_.forward(static_cast<Real const*>(on.source), static_cast<Complex*>(on.target),
                         factor, on.threads, on.scratch);
  }

 private:
  using Complex = std::complex<Real>;

  /// Whether the array of the spectrum may hold what is between the levels.
  static bool fits_the_spectrum(Operands const& on) {
    return on.source != on.target && (!on.backward || on.overwrites);
  }

  local::TwoLevelReals<Real> transform_;
};

class RealsInTwoLevels final : public Formula {
 public:
  RealsInTwoLevels(Index n, Tuning const& tuning) : n_(n), tuning_(tuning) {}

  std::string name() const override {
    Index const fast = local::TwoLevelReals<double>::fast_of(n_);
    return text(n_, " reals in two levels, ", n_ / fast, " x ", fast);
  }
  std::string name(int) const override { return "pairs of columns, then coefficients"; }
  int passes(int) const override { return 2; }
  std::unique_ptr<Pointwise> on_rank(int, int real_bytes, Local whose) const override {
    return in_precision<Levels>(real_bytes, n_, whose, tuning_);
  }

 private:
  Index n_;
  Tuning tuning_;
};

}  // namespace

Composition reals_in_two_levels(schedule::Problem const& line, schedule::Choices const& choices) {
  Index const n = line.input.shape()[0];
  Composition made{.input = layout::place(line.input, layout::Number::real),
                   .output = layout::place(*line.output),
                   .points = static_cast<double>(n)};
  // No task runs this schedule. It stands for the problem wherever plans ask for one.
  made.add(schedule::schedule(line, choices));
  std::size_t const formula = made.add(std::make_shared<RealsInTwoLevels>(n, choices.tuning));
  made.forward.push_back({Apply{formula, 0}, given, result, true});
  made.backward.push_back({Apply{formula, 0, true}, given, result, true});
  return made;
}

}  // namespace sixstep::formulas
