// SPDX-License-Identifier: BSD-3-Clause
#include "serial/boxes.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/staged.hpp"
#include "serial/field_boxes.hpp"
#include "serial/row_boxes.hpp"

namespace sixstep::serial {

namespace {

/// The most complex numbers of a box: longer passes are as fast.
constexpr Index most_box_numbers = 16384;
/// More for c2c of fields side by side, because passes gather few fields and fetch nothing ahead.
constexpr Index most_numbers_with_fields = 65536;
/// The most complex numbers of boxes that are transformed together.
constexpr Index most_numbers_of_boxes = 1024;
/// The most complex numbers of a box of two axes where boxes come from memory.
constexpr Index most_streamed_box_numbers = 2048;
/// The most complex numbers of a box while several other threads have none.
constexpr Index most_numbers_of_a_thread = 4096;
constexpr double numbers_worth_a_thread = 1 << 13;

/// Null if there is no array.
template <class Real>
Real* at(Real* array, Index offset) {
  return array == nullptr ? nullptr : array + offset;
}

/// Whether one of the loops is over fields that lie side by side.
bool has_fields(BoxAxes const& axes, StridedAxes const& loops) {
  return !loops.empty() && std::any_of(axes.begin(), axes.end(), [&](BoxAxis const& axis) {
    return axis.is_transformed && lie_side_by_side(loops.back(), axis);
  });
}

/// The most complex numbers of a box with loops between its elements.
Index most_between(BoxKind kind) {
  return kind == BoxKind::c2c ? most_numbers_with_fields : most_box_numbers;
}

/// The axes of a problem, and loops that it takes out of `loops`: those between elements of a
/// transform, whose elements fill cache lines and vectors, if the box stays small, and others if it
/// stays very small. The last axis of half-complex numbers stays the last.
BoxAxes box_axes(BoxProblem const& problem, StridedAxes& loops) {
  Index StridedAxis::*const stride =
      problem.kind == BoxKind::r2c ? &StridedAxis::out : &StridedAxis::in;
  auto const is_farther = [&](StridedAxis const& a, StridedAxis const& b) {
    return std::abs(a.*stride) > std::abs(b.*stride);
  };
  BoxAxes box;
  auto const add = [&](StridedAxis const& axis, bool is_transformed) {
    bool const stays_last = problem.kind != BoxKind::c2c && !box.empty();
    box.insert(std::upper_bound(box.begin(), box.end() - (stays_last ? 1 : 0), axis, is_farther),
               {axis, is_transformed});
  };
  for (std::size_t i = problem.axes.size(); i-- > 0;) add(problem.axes[i], true);
  Index numbers = points_of(problem.axes) / problem.axes.back().n *
                  row_numbers(problem.kind, problem.axes.back().n);
  for (; !loops.empty(); loops.pop_back()) {
    StridedAxis const& loop = loops.back();
    bool const is_between = is_farther(box.front(), loop);
    numbers *= loop.n;
    if (numbers > (is_between ? most_between(problem.kind) : most_numbers_of_boxes)) break;
    add(loop, false);
  }
  return box;
}

bool stays(StridedAxis const& axis) { return axis.in == axis.out; }

/// In place: whether a box is stored only where no other one is read. `loops` are over boxes.
bool are_boxes_apart(BoxProblem const& problem, BoxAxes const& axes, StridedAxes loops) {
  if (!std::all_of(loops.begin(), loops.end(), stays)) return false;
  if (problem.kind == BoxKind::c2c && std::all_of(axes.begin(), axes.end(), stays)) return true;
  auto const extent = [&](Index StridedAxis::*stride, BoxKind half, Elements elements) {
    Index reals = elements == Elements::interleaved ? 2 : 1;
    for (BoxAxis const& axis : axes) {
      bool const is_half = problem.kind == half && &axis == &axes.back();
      reals += ((is_half ? axis.n / 2 + 1 : axis.n) - 1) * std::abs(axis.*stride);
    }
    return reals;
  };
  bool const same_signs = std::all_of(axes.begin(), axes.end(), [](BoxAxis const& axis) {
    return (axis.in < 0) == (axis.out < 0);
  });
  Index const in = extent(&StridedAxis::in, BoxKind::c2r, problem.in);
  Index const out = extent(&StridedAxis::out, BoxKind::r2c, problem.out);
  Index taken = same_signs ? std::max(in, out) : in + out;
  std::sort(loops.begin(), loops.end(), [](StridedAxis const& a, StridedAxis const& b) {
    return std::abs(a.in) < std::abs(b.in);
  });
  for (StridedAxis const& loop : loops) {
    if (std::abs(loop.in) < taken) return false;
    taken += (loop.n - 1) * std::abs(loop.in);
  }
  return true;
}

/// Whether boxes of so many complex numbers take no longer than passes, in which threads share the
/// columns and fetch the next ones from memory while they work. `loops` are over boxes.
template <class Real>
bool are_fast(BoxProblem const& problem, StridedAxes const& loops, Index numbers, int threads) {
  Index const most_alone = threads > 2 ? most_numbers_of_a_thread : most_box_numbers;
  if (points_of(loops) < threads && numbers > most_alone) return false;
  Index const reals = 2 * points_of(loops) * numbers;
  bool const has_long_passes = problem.axes.size() == 2 && numbers > most_streamed_box_numbers;
  return problem.kind == BoxKind::r2c || !has_long_passes ||
         !local::out_of_cache(reals * Index{sizeof(Real)});
}

template <class Real, class In, class Out>
std::unique_ptr<Boxes<Real> const> boxes_between(BoxProblem const& problem, int threads,
                                                 local::MakeCodelet<In, Out> make) {
  StridedAxes loops = problem.loops;
  BoxAxes const axes = box_axes(problem, loops);
  bool const backward = problem.kind == BoxKind::c2r || problem.plus;
  Index const n = axes.back().n;
  Index const numbers = row_numbers(problem.kind, n);
  Index const box_numbers = rows_of(axes) * numbers;
  bool const takes_loops = axes.size() > problem.axes.size();
  if (has_fields(axes, loops) ||
      box_numbers > (takes_loops ? most_between(problem.kind) : most_box_numbers))
    return nullptr;
  bool const are_apart = are_boxes_apart(problem, axes, loops);
  if (problem.in_place && !are_apart) return nullptr;
  if (!are_fast<Real>(problem, loops, box_numbers, threads)) return nullptr;
  std::unique_ptr<local::Codelet<In, Out> const> codelet;
  if (axes.back().is_transformed) {
    codelet = make(n, backward);
    if (codelet == nullptr) return nullptr;
  }
  return std::make_unique<RowBoxes<Real, In, Out>>(problem, axes, std::move(loops), are_apart,
                                                   threads, std::move(codelet),
                                                   other_axes<Real>(axes, numbers, backward));
}

/// Whether the points of the last axis are neighbours on both sides: kernels have codelets of one
/// such column.
bool is_contiguous(BoxProblem const& problem) {
  auto const is_step = [](Index stride, Elements elements) {
    return elements != Elements::split && stride == (elements == Elements::reals ? 1 : 2);
  };
  StridedAxis const& axis = problem.axes.back();
  return is_step(axis.in, problem.in) && is_step(axis.out, problem.out);
}

/// Whether the kernels of passes, which fill vectors with columns, would take longer for a problem
/// of one axis: it has few columns, or few fields side by side. Many fields of complex numbers go
/// through codelets of columns, which are faster as well. `lanes` reals fill a vector; some more
/// short columns of reals leave most of a second one empty.
bool has_few_columns(BoxProblem const& problem, Index lanes) {
  constexpr Index few = 16, few_points = 4096, short_column = 64;
  StridedAxis const& axis = problem.axes[0];
  if (problem.loops.empty()) return !is_contiguous(problem);
  StridedAxis const& last = problem.loops.back();
  if (lie_side_by_side(last, axis)) {
    bool const is_short_r2c = problem.kind == BoxKind::r2c && axis.n <= short_column;
    return problem.kind == BoxKind::c2c || last.n < lanes ||
           (is_short_r2c && last.n > lanes && 2 * last.n <= 3 * lanes);
  }
  Index const columns = points_of(problem.loops);
  return columns <= few && columns * axis.n <= few_points;
}

/// Whether the complex numbers of transforms of `fields` side by side lie without gaps.
bool is_dense(BoxAxes const& axes, Index StridedAxis::*stride, Index fields, Index numbers) {
  Index expected = 2 * fields;
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (axes[i].*stride != expected) return false;
    expected *= i + 1 == axes.size() ? numbers : axes[i].n;
  }
  return true;
}

/// Boxes of fields from or to reals. Null if the problem has no such ones, or they are long.
template <class Real>
std::unique_ptr<Boxes<Real> const> field_boxes(BoxProblem const& problem, int threads) {
  if (problem.kind == BoxKind::c2c || problem.loops.empty()) return nullptr;
  bool const backward = problem.kind == BoxKind::c2r;
  StridedAxes loops = problem.loops;
  StridedAxis const fields = loops.back();
  loops.pop_back();
  Elements const elements = backward ? problem.in : problem.out;
  bool const are_beside = (backward ? fields.out : fields.in) == 1 &&
                          (backward ? fields.in : fields.out) == 2 &&
                          lie_side_by_side(fields, problem.axes.back());
  if (!are_beside || elements != Elements::interleaved) return nullptr;
  BoxAxes axes;
  for (StridedAxis const& axis : problem.axes) axes.push_back({axis, true});
  Index const numbers = row_numbers(problem.kind, axes.back().n);
  Index const box_numbers = rows_of(axes) * numbers * fields.n;
  if (!is_dense(axes, backward ? &StridedAxis::in : &StridedAxis::out, fields.n, numbers) ||
      box_numbers > most_numbers_with_fields ||
      !are_fast<Real>(problem, loops, box_numbers, threads))
    return nullptr;
  BoxAxes with_fields = axes;
  with_fields.insert(with_fields.begin(), {fields, false});
  bool const are_apart = are_boxes_apart(problem, with_fields, loops);
  auto const transform =
      local::transform_beside<Real>(backward, axes.back().n, local::chosen_target());
  if (transform == nullptr || (problem.in_place && !are_apart)) return nullptr;
  return std::make_unique<FieldBoxes<Real>>(problem, axes, fields.n, std::move(loops), are_apart,
                                            threads, transform);
}

}  // namespace

bool has_columns_apart(BoxProblem const& problem) {
  StridedAxes others = problem.loops;
  others.insert(others.end(), problem.axes.begin(), problem.axes.end() - 1);
  std::erase_if(others, [](StridedAxis const& axis) { return axis.n == 1; });
  return are_boxes_apart(problem, {{problem.axes.back(), true}}, std::move(others));
}

template <class Real>
Boxes<Real>::Boxes(StridedAxes loops, Index numbers, int threads)
    : loops_(std::move(loops)), count_(points_of(loops_)) {
  double const all = static_cast<double>(count_) * static_cast<double>(numbers);
  threads_ =
      static_cast<int>(std::clamp<double>(all / numbers_worth_a_thread, 1, std::max(threads, 1)));
}

template <class Real>
void Boxes<Real>::run(BoxArrays<Real> const& arrays, Index lo, Index hi, Real scale,
                      std::byte* scratch) const {
  for (Index number = lo; number < hi; ++number) {
    Index in = 0, out = 0, rest = number;
    for (std::size_t i = loops_.size(); i-- > 1; rest /= loops_[i].n) {
      in += rest % loops_[i].n * loops_[i].in;
      out += rest % loops_[i].n * loops_[i].out;
    }
    if (!loops_.empty()) {
      in += rest * loops_[0].in;
      out += rest * loops_[0].out;
    }
    run_box({at(arrays.re_in, in), at(arrays.im_in, in), at(arrays.re_out, out),
             at(arrays.im_out, out)},
            scale, scratch);
  }
}

template <class Real>
std::unique_ptr<Boxes<Real> const> make_boxes(BoxProblem const& problem, int threads) {
  using Complex = std::complex<Real>;
  constexpr Index lanes = 64 / sizeof(Real);
  if (problem.axes.empty()) return nullptr;
  if (auto boxes = field_boxes<Real>(problem, threads)) return boxes;
  if (problem.axes.size() == 1 && !has_few_columns(problem, lanes)) return nullptr;
  auto const makers = local::codelet_makers<Real>(local::chosen_target());
  switch (problem.kind) {
    case BoxKind::c2c:
      return boxes_between<Real, Complex, Complex>(problem, threads, makers.complex);
    case BoxKind::r2c:
      return boxes_between<Real, Real, Complex>(problem, threads, makers.r2c);
    case BoxKind::c2r:
      return boxes_between<Real, Complex, Real>(problem, threads, makers.c2r);
  }
  return nullptr;
}

template class Boxes<float>;
template class Boxes<double>;
template std::unique_ptr<Boxes<float> const> make_boxes(BoxProblem const&, int);
template std::unique_ptr<Boxes<double> const> make_boxes(BoxProblem const&, int);

}  // namespace sixstep::serial
