// SPDX-License-Identifier: BSD-3-Clause
// What all planning functions do with their problem.
#include "planner.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "report.hpp"
#include "serial_object.hpp"
#include "threads.hpp"
#include "wisdom.hpp"

namespace sixstep::fftw {

namespace {

void fill_in(Problem& problem, Arrays<Real> const& arrays, unsigned flags) {
  bool const destroys = problem.numbers == Numbers::c2r || (flags & FFTW_DESTROY_INPUT) != 0;
  problem.preserves_input = !destroys || (flags & FFTW_PRESERVE_INPUT) != 0;
  problem.in_place = arrays.re_in == arrays.re_out;
  if (arrays.im_in != nullptr) problem.imaginary_in = arrays.im_in - arrays.re_in;
  if (arrays.im_out != nullptr) problem.imaginary_out = arrays.im_out - arrays.re_out;
}

/// Whether only one part of split arrays is in place.
bool is_half_in_place(Problem const& problem, Arrays<Real> const& arrays) {
  return problem.numbers == Numbers::c2c && problem.in_place != (arrays.im_in == arrays.im_out);
}

}  // namespace

Axes row_major(int rank, int const* n, int const* in, Index in_stride, int const* out,
               Index out_stride) {
  Axes axes(static_cast<std::size_t>(rank > 0 ? rank : 0));
  for (std::size_t i = axes.size(); i-- > 0;) {
    axes[i] = {n[i], in_stride, out_stride};
    in_stride *= in[i];
    out_stride *= out[i];
  }
  return axes;
}

SIXSTEP_FFTW(plan) make_plan(Problem problem, Arrays<Real> const& arrays, unsigned flags) {
  double const begin = seconds_now();
  fill_in(problem, arrays, flags);
  bool const is_half_complex = problem.numbers == Numbers::r2c || problem.numbers == Numbers::c2r;
  if (is_half_complex && problem.axes.empty()) problem.axes.push_back({1, 2, 2});
  if (!is_solvable(problem) || is_half_in_place(problem, arrays)) return nullptr;
  int const threads = planned_threads();
  if (!may_plan(problem, threads, flags)) return nullptr;
  try {
    std::unique_ptr<PlanObject<Real>> plan = make_object(problem, threads);
    plan->planned = arrays;
    PlanObject<Real> const& made = *plan;
    SIXSTEP_FFTW(plan) const handed = handed_out(std::move(plan), begin);
    remember_problem(made, problem, flags);
    return handed;
  } catch (std::exception const&) {
    return nullptr;
  }
}

}  // namespace sixstep::fftw
