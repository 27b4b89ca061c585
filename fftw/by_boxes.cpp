// SPDX-License-Identifier: BSD-3-Clause
#include "by_boxes.hpp"

#include <utility>

#include "described.hpp"
#include "scratch.hpp"

namespace sixstep::fftw {

namespace {

class ByBoxes : public Described {
 public:
  ByBoxes(Problem const& problem, std::unique_ptr<serial::Boxes<Real> const> boxes)
      : Described(problem, "codelets"), boxes_(std::move(boxes)) {}

  void execute(Arrays<Real> const& arrays) const override {
    boxes_->share([&](Index lo, Index hi, int) { run(arrays, lo, hi); });
  }

 private:
  void run(Arrays<Real> const& arrays, Index lo, Index hi) const {
    Scratch const scratch(*memory_, boxes_->scratch_bytes());
    boxes_->run({arrays.re_in, arrays.im_in, arrays.re_out, arrays.im_out}, lo, hi, 1,
                scratch.get());
  }

  std::unique_ptr<serial::Boxes<Real> const> boxes_;
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

serial::Elements elements_of(Index imaginary, bool is_interleaved) {
  if (imaginary == 0) return serial::Elements::reals;
  return is_interleaved ? serial::Elements::interleaved : serial::Elements::split;
}

}  // namespace

serial::BoxProblem box_problem(Problem const& problem) {
  return {.kind = problem.numbers == Numbers::c2c   ? serial::BoxKind::c2c
                  : problem.numbers == Numbers::r2c ? serial::BoxKind::r2c
                                                    : serial::BoxKind::c2r,
          .plus = problem.plus,
          .axes = problem.axes,
          .loops = problem.loops,
          .in = elements_of(problem.imaginary_in, has_interleaved_input(problem)),
          .out = elements_of(problem.imaginary_out, has_interleaved_output(problem)),
          .in_place = problem.in_place};
}

std::unique_ptr<PlanObject<Real>> by_boxes(Problem const& problem, int threads) {
  if (problem.numbers == Numbers::r2r || is_empty(problem)) return nullptr;
  auto boxes = serial::make_boxes<Real>(box_problem(problem), threads);
  if (boxes == nullptr) return nullptr;
  return std::make_unique<ByBoxes>(problem, std::move(boxes));
}

}  // namespace sixstep::fftw
