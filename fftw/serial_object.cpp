// SPDX-License-Identifier: BSD-3-Clause
// Plans of one process: copies, passes, or SerialPlan.
#include "serial_object.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "by_boxes.hpp"
#include "by_codelets.hpp"
#include "by_matrices.hpp"
#include "columns.hpp"
#include "copy.hpp"
#include "described.hpp"
#include "local/caches.hpp"
#include "pass.hpp"
#include "serial/blocks.hpp"
#include "sixstep/serial.hpp"
#include "transposition.hpp"
#include "tuning.hpp"

namespace sixstep::fftw {

namespace {

using Complex = std::complex<Real>;

Complex* complex(Real* real) { return reinterpret_cast<Complex*>(real); }

class Nothing : public Described {
 public:
  explicit Nothing(Problem const& problem) : Described(problem, "nothing") {}
  void execute(Arrays<Real> const&) const override {}
};

/// Memory for the input of a problem as with_dense_input() has it.
class DenseInput {
 public:
  DenseInput(Problem const& dense, Problem const& problem, int threads)
      : copy_(to_dense(dense, problem), threads), reals_(dense.imaginary_in == 0 ? 1 : 2) {
    for (std::size_t i = 0; i < dense.axes.size(); ++i) reals_ *= input_points(dense, i);
    for (Axis const& loop : dense.loops) reals_ *= loop.n;
  }

  /// Calls run(arrays) with a copy in the place of the input.
  template <class Run>
  void copied(Arrays<Real> arrays, Run const& run) const {
    serial::Block const memory(*memory_, static_cast<std::size_t>(reals_) * sizeof(Real));
    auto* const copy = reinterpret_cast<Real*>(memory.get());
    copy_.run({arrays.re_in, arrays.im_in, copy, copy + 1});
    arrays.re_in = copy;
    arrays.im_in = copy + 1;
    run(arrays);
  }

 private:
  /// The problem of the copy.
  static Problem to_dense(Problem const& dense, Problem problem) {
    for (std::size_t i = 0; i < dense.axes.size(); ++i) problem.axes[i].out = dense.axes[i].in;
    for (std::size_t i = 0; i < dense.loops.size(); ++i) problem.loops[i].out = dense.loops[i].in;
    problem.imaginary_out = dense.imaginary_in;
    return problem;
  }

  Copy copy_;
  Index reals_;
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

class Copies : public Described {
 public:
  Copies(Problem const& problem, int threads) : Described(problem, "copy") {
    Problem rest = problem;
    if (problem.in_place) {
      rest = with_dense_input(problem);
      input_.emplace(rest, problem, threads);
    }
    copy_.emplace(rest, threads);
  }

  void execute(Arrays<Real> const& arrays) const override {
    if (!input_) return copy_->run(arrays);
    input_->copied(arrays, [&](Arrays<Real> const& given) { copy_->run(given); });
  }

 private:
  std::optional<DenseInput> input_;
  std::optional<Copy> copy_;
};

class Passes : public Described {
 public:
  Passes(Problem const& problem, int threads) : Described(problem, "passes") {
    Problem rest = problem;
    if (needs_copy_of_input(problem)) {
      rest = with_dense_input(problem);
      input_.emplace(rest, problem, threads);
    }
    for (PassWork const& work : passes_of(rest)) passes_.emplace_back(work, threads);
  }

  void execute(Arrays<Real> const& arrays) const override {
    if (!input_) return run(arrays);
    input_->copied(arrays, [&](Arrays<Real> const& given) { run(given); });
  }

 private:
  void run(Arrays<Real> const& arrays) const {
    for (Pass const& pass : passes_) pass.run(arrays);
  }

  std::optional<DenseInput> input_;
  std::vector<Pass> passes_;
};

/// A problem for SerialPlan. Its axes are the loops, and the axes behind them.
class Whole : public Described {
 public:
  Whole(Problem const& problem, int threads)
      : Described(problem, "plan"),
        problem_(problem),
        threads_(threads),
        plan_(plan_of(problem, threads)) {}

  void execute(Arrays<Real> const& arrays) const override {
    bool const in_place = arrays.re_in == arrays.re_out;
    if (in_place == problem_.in_place) return execute(plan_, arrays);
    Problem other = problem_;  // such arrays are against the rules
    other.in_place = in_place;
    execute(plan_of(other, threads_), arrays);
  }

 private:
  void execute(SerialPlan<Real> const& plan, Arrays<Real> const& arrays) const {
    Real* const in = arrays.re_in;
    Real* const out = arrays.re_out;
    if (problem_.numbers == Numbers::r2c) return plan.execute(in, complex(out));
    if (problem_.numbers == Numbers::c2r) return plan.execute(complex(in), out);
    if (problem_.numbers == Numbers::r2r) return plan.execute(in, out);
    plan.execute(complex(in), complex(out), Direction::forward,
                 problem_.plus ? Sign::plus : Sign::minus);
  }

  static SerialPlan<Real> plan_of(Problem const& problem, int threads) {
    bool const backward = problem.numbers == Numbers::c2r;
    Shape shape, in, out;
    auto const add = [&](Axis const& axis) {
      shape.push_back(axis.n);
      in.push_back(axis.in / (problem.imaginary_in == 0 ? 1 : 2));
      out.push_back(axis.out / (problem.imaginary_out == 0 ? 1 : 2));
    };
    for (Axis const& loop : problem.loops) add(loop);
    SerialOptions options;
    for (std::size_t i = 0; i < problem.axes.size(); ++i) {
      options.axes.push_back(shape.size());
      add(problem.axes[i]);
    }
    if (backward) std::swap(in, out);
    options.input_strides = in;
    options.output_strides = out;
    options.preserve_input = problem.preserves_input;
    options.threads = threads;
    options.kinds = kinds_of(problem);
    options.uses = {.forward = !backward,
                    .backward = backward,
                    .in_place = problem.in_place,
                    .out_of_place = !problem.in_place};
    return SerialPlan<Real>(shape, options);
  }

  static std::vector<Kind> kinds_of(Problem const& problem) {
    if (problem.numbers == Numbers::c2c) return {};
    if (problem.numbers != Numbers::r2r) return {Kind::r2c};
    std::vector<Kind> kinds;
    for (R2r kind : problem.kinds) kinds.push_back(kind_of(kind));
    return kinds;
  }

  Problem problem_;
  int threads_;
  SerialPlan<Real> plan_;
};

std::unique_ptr<PlanObject<Real>> solved(Problem const& problem, int threads) {
  if (auto plan = by_codelets(problem)) return plan;
  if (auto plan = by_matrices(problem)) return plan;
  if (auto plan = by_boxes(problem, threads)) return plan;
  switch (solution_of(problem, threads)) {
    case Solution::nothing:
      return std::make_unique<Nothing>(problem);
    case Solution::copy:
      if (auto plan = transposed_in_place(problem, threads)) return plan;
      return std::make_unique<Copies>(problem, threads);
    case Solution::passes:
      return std::make_unique<Passes>(problem, threads);
    case Solution::serial_plan:
      return std::make_unique<Whole>(problem, threads);
  }
  return nullptr;
}

/// Executes a plan for interleaved numbers on arrays whose parts are swapped.
class Swapped : public PlanObject<Real> {
 public:
  explicit Swapped(std::unique_ptr<PlanObject<Real>> plan) : plan_(std::move(plan)) {}

  void execute(Arrays<Real> const& arrays) const override {
    plan_->execute({arrays.im_in, arrays.re_in, arrays.im_out, arrays.re_out});
  }
  void flops(double* add, double* multiply, double* fused) const override {
    plan_->flops(add, multiply, fused);
  }
  std::string describe() const override { return plan_->describe(); }

 private:
  std::unique_ptr<PlanObject<Real>> plan_;
};

bool is_small(Problem const& problem) {
  double const bytes = 4 * points(problem) * sizeof(Real);  // of two complex arrays
  return bytes <= static_cast<double>(local::caches().second) / 2;
}

/// Whether several axes are transformed of fields that lie element by element side by side, too few
/// to fill vectors. SerialPlan gathers those of neighbouring columns, which a pass does not.
bool has_few_fields(Problem const& problem) {
  constexpr Index enough = 16;
  constexpr double worth_a_plan = 300;  // points
  if (problem.axes.size() < 2 || problem.loops.empty() || points(problem) < worth_a_plan)
    return false;
  Axis const& fields = problem.loops.back();
  Index const in = problem.imaginary_in == 0 ? 1 : 2, out = problem.imaginary_out == 0 ? 1 : 2;
  return fields.in == in && fields.out == out && fields.n < enough;
}

bool is_one_column(Problem const& problem, int threads) {
  return threads == 1 && problem.axes.size() == 1 && problem.loops.empty() &&
         problem.axes[0].n < Tuning{}.long_axis_points;
}

bool is_regular(Problem const& problem) {
  auto const has_kind = [](R2r kind) { return kind > FFTW_DHT; };
  return has_interleaved_input(problem) && has_interleaved_output(problem) &&
         problem.axes.size() + problem.loops.size() <= std::size_t{max_axes} &&
         std::all_of(problem.kinds.begin(), problem.kinds.end(), has_kind) && is_nested(problem);
}

}  // namespace

Solution solution_of(Problem const& problem, int threads) {
  if (is_empty(problem)) return Solution::nothing;
  if (problem.axes.empty()) {
    bool const stays = problem.in_place && std::all_of(problem.loops.begin(), problem.loops.end(),
                                                       [](Axis const& a) { return a.in == a.out; });
    return stays ? Solution::nothing : Solution::copy;
  }
  bool const goes_by_passes = !is_regular(problem) || is_one_column(problem, threads) ||
                              (is_small(problem) && !has_few_fields(problem));
  return goes_by_passes ? Solution::passes : Solution::serial_plan;
}

std::unique_ptr<PlanObject<Real>> make_object(Problem const& problem, int threads) {
  Canonical const simple = canonical(problem);
  std::unique_ptr<PlanObject<Real>> plan = solved(simple.problem, threads);
  if (simple.swapped) return std::make_unique<Swapped>(std::move(plan));
  return plan;
}

}  // namespace sixstep::fftw
