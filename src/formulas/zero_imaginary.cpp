// SPDX-License-Identifier: BSD-3-Clause
// Transforms of reals of odd length on all ranks.
#include "formulas/zero_imaginary.hpp"

#include <complex>
#include <string>

#include "formulas/pointwise.hpp"
#include "schedule/line.hpp"

namespace sixstep::formulas {

namespace {

/// widen: reals to complex numbers; fill: half of the coefficients to all that matter; narrow:
/// complex numbers to reals.
enum WideningWork : int { widen, fill, narrow };

/// One rank's part of the work.
template <class Real>
class Widening final : public Pointwise {
 public:
  Widening(Layout const& input, Layout const& kept, int rank)
      : points_(schedule::range_of(input, rank).count()),
        kept_(schedule::range_of(kept, rank).count()),
        has_first_(kept_ > 0 && schedule::range_of(kept, rank).lo == 0) {}

  void apply(int work, Operands const& on) override {
    auto const* const reals = static_cast<Real const*>(on.source);
    auto const* const source = static_cast<Complex const*>(on.source);
    auto* const target = static_cast<Complex*>(on.target);
    if (work == widen) {
      for_each(points_, on.threads, [&](Index i) { target[i] = reals[i]; });
    } else if (work == fill) {
      for_each(points_, on.threads, [&](Index i) {
        Real const weight = i >= kept_ ? Real(0) : i == 0 && has_first_ ? Real(1) : Real(2);
        target[i] = weight == 0 ? Complex(0) : source[i] * weight;
      });
    } else {
      auto* const narrowed = static_cast<Real*>(on.target);
      for_each(points_, on.threads, [&](Index i) { narrowed[i] = source[i].real(); });
    }
  }

  Changes changes(int work, Operands const&) override {
    if (work == fill) {
      Index const first = has_first_ ? 1 : 0;
      return {{.count = kept_ - first,
               .from = {{Array::source, first}},
               .to = {Array::target, first},
               .factor = 2},
              {.count = points_ - kept_, .to = {Array::target, kept_}}};
    }
    return {{.count = points_,
             .from = {{Array::source}},
             .to = {Array::target},
             .from_reals = work == widen,
             .to_reals = work == narrow}};
  }

 private:
  using Complex = std::complex<Real>;

  Index points_;
  Index kept_;
  bool has_first_;
};

class ZeroImaginary final : public Formula {
 public:
  ZeroImaginary(Layout input, Layout kept) : input_(std::move(input)), kept_(std::move(kept)) {}

  std::string name() const override { return "reals as complex numbers without imaginary parts"; }
  std::string name(int work) const override {
    return work == widen  ? "reals to complex numbers"
           : work == fill ? "half of the coefficients to all"
                          : "complex numbers to reals";
  }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local) const override {
    return in_precision<Widening>(real_bytes, input_, kept_, rank);
  }

 private:
  Layout input_;
  Layout kept_;  // of the first coefficients, which stand for all
};

}  // namespace

Composition zero_imaginary(schedule::Problem const& line, schedule::Choices const& choices) {
  Layout const kept = schedule::cut(line.input, line.output->shape()[0]);
  Composition made{.input = layout::place(line.input, layout::Number::real),
                   .output = layout::place(*line.output),
                   .points = static_cast<double>(line.input.shape()[0])};
  std::size_t const formula = made.add(std::make_shared<ZeroImaginary>(line.input, kept));
  std::size_t const leave =
      made.add(schedule::reroute(kept, *line.output, layout::Number::complex, line, choices));
  Slot const wide = made.add_work(line.input);
  made.forward = {{Apply{formula, widen}, given, wide}};
  made.backward = {{Run{leave, true}, given, wide}, {Apply{formula, fill, true}, wide, wide}};
  schedule::Problem const inner{
      .input = line.input, .output = line.input, .real_bytes = line.real_bytes};
  made.add(compose(inner, choices), {wide, wide}, {wide, wide});
  made.forward.push_back({Run{leave}, wide, result});
  made.backward.push_back({Apply{formula, narrow, true}, wide, result});
  return made;
}

}  // namespace sixstep::formulas
