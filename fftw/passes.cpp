// SPDX-License-Identifier: BSD-3-Clause
// How a problem becomes a list of passes.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "by_boxes.hpp"
#include "pass.hpp"

namespace sixstep::fftw {

namespace {

/// The loops of a pass along one axis: those of the problem, and its other axes with the points
/// that the array has. On a side whose array the pass does not read or write, strides are the
/// other's.
Axes loops_of(Problem const& problem, std::size_t along, PassWork const& work) {
  Axes loops = problem.loops;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    if (i != along)
      loops.push_back({work.source.is_input ? input_points(problem, i) : output_points(problem, i),
                       problem.axes[i].in, problem.axes[i].out});
  for (Axis& loop : loops) {
    Axis const both = loop;
    loop.in = work.source.is_input ? both.in : both.out;
    loop.out = work.target.is_input ? both.in : both.out;
  }
  return joined(loops);
}

/// A pass along an axis, complex to complex as yet.
PassWork pass_along(Problem const& problem, std::size_t axis, bool from_input, bool to_input) {
  PassWork work;
  Axis const& along = problem.axes[axis];
  work.n = along.n;
  work.source = {from_input, from_input ? along.in : along.out};
  work.target = {to_input, to_input ? along.in : along.out};
  work.loops = loops_of(problem, axis, work);
  work.backward = problem.plus || problem.numbers == Numbers::c2r;
  return work;
}

/// Gives a pass of r2r its kind, and the order of its half-complex numbers.
void set_kind(R2r kind, PassWork& work) {
  work.kind = kind_of(kind);
  work.backward = kind == FFTW_HC2R;
  if (kind == FFTW_HC2R) work.source.form = Form::half_complex;
  if (kind == FFTW_R2HC) work.target.form = Form::half_complex;
  if (kind == FFTW_DHT) work.target.form = Form::hartley;
}

/// Gives the complex sides of a pass their form.
void set_form(Problem const& problem, PassWork& work) {
  bool const is_half = work.kind == Kind::r2c;
  auto const form = [&](Side const& side) {
    bool const is_direct =
        side.is_input ? has_interleaved_input(problem) : has_interleaved_output(problem);
    return is_direct ? Form::direct : Form::split;
  };
  if (!is_half || work.backward) work.source.form = form(work.source);
  if (!is_half || !work.backward) work.target.form = form(work.target);
}

bool has_equal_strides(Axes const& axes) {
  return std::all_of(axes.begin(), axes.end(),
                     [](Axis const& axis) { return axis.in == axis.out; });
}

}  // namespace

Kind kind_of(R2r kind) {
  switch (kind) {
    case FFTW_REDFT00:
      return Kind::dct1;
    case FFTW_REDFT01:
      return Kind::dct3;
    case FFTW_REDFT10:
      return Kind::dct2;
    case FFTW_REDFT11:
      return Kind::dct4;
    case FFTW_RODFT00:
      return Kind::dst1;
    case FFTW_RODFT01:
      return Kind::dst3;
    case FFTW_RODFT10:
      return Kind::dst2;
    case FFTW_RODFT11:
      return Kind::dst4;
    case FFTW_R2HC:
    case FFTW_HC2R:
    case FFTW_DHT:
      return Kind::r2c;
  }
  return Kind::r2c;
}

bool needs_copy_of_input(Problem const& problem) {
  bool const is_half_complex = problem.numbers == Numbers::r2c || problem.numbers == Numbers::c2r;
  if (problem.in_place)
    return is_half_complex ? !serial::has_columns_apart(box_problem(problem))
                           : !has_equal_strides(problem.axes) || !has_equal_strides(problem.loops);
  return problem.numbers == Numbers::c2r && problem.axes.size() > 1 &&
         (problem.preserves_input || !is_nested(problem));
}

std::vector<PassWork> passes_of(Problem const& problem) {
  std::vector<PassWork> passes;
  bool const is_backward = problem.numbers == Numbers::c2r;
  std::size_t const axes = problem.axes.size();
  for (std::size_t i = 0; i < axes; ++i) {
    bool const crosses = i == (is_backward ? axes - 1 : 0);
    std::size_t const axis = is_backward ? i : axes - 1 - i;
    PassWork work = pass_along(problem, axis, is_backward || crosses, is_backward && !crosses);
    if (problem.numbers == Numbers::r2r) {
      set_kind(problem.kinds[axis], work);
    } else {
      if (crosses && problem.numbers != Numbers::c2c) {
        work.kind = Kind::r2c;
        work.backward = is_backward;
      }
      set_form(problem, work);
    }
    passes.push_back(std::move(work));
  }
  return passes;
}

}  // namespace sixstep::fftw
