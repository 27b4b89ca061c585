// SPDX-License-Identifier: BSD-3-Clause
// Problems: whether they can be solved, and their simplest form.
#include "problem.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace sixstep::fftw {

namespace {

bool is_half(Problem const& problem, std::size_t axis, Numbers numbers) {
  return problem.numbers == numbers && axis + 1 == problem.axes.size();
}

bool has_point(Axes const& axes) {
  return std::all_of(axes.begin(), axes.end(), [](Axis const& axis) { return axis.n > 0; });
}

/// The places that one side reaches, as loops of which none continues another.
Axes places(Problem const& problem, Index Axis::*stride) {
  Axes side;
  for (Axes const* axes : {&problem.axes, &problem.loops})
    for (Axis const& axis : *axes) side.push_back({axis.n, axis.*stride, axis.*stride});
  return joined(side);
}

/// Whether an axis of one point changes nothing.
bool is_idle(Problem const& problem, std::size_t axis) {
  if (problem.axes[axis].n != 1) return false;
  if (problem.numbers == Numbers::c2c) return true;
  if (problem.numbers == Numbers::r2r) return problem.kinds[axis] <= FFTW_DHT;
  return axis + 1 < problem.axes.size();
}

bool is_nested(std::vector<std::pair<Index, Index>> strides_and_points) {
  std::sort(strides_and_points.begin(), strides_and_points.end());
  Index reach = 0;
  for (auto const& [stride, n] : strides_and_points) {
    if (n == 1) continue;
    if (stride <= reach) return false;
    reach += (n - 1) * stride;
  }
  return true;
}

/// A stream would take longer than many plans do.
void append(char const* name, Axis const& axis, std::string& words) {
  words += name;
  words += std::to_string(axis.n);
  for (Index const stride : {axis.in, axis.out}) words += ':' + std::to_string(stride);
}

bool is_interleaved(Problem const& problem, Index imaginary, Index Axis::*stride) {
  auto const are_even = [&](Axes const& axes) {
    return std::all_of(axes.begin(), axes.end(),
                       [&](Axis const& axis) { return axis.*stride % 2 == 0; });
  };
  return imaginary == 0 || (imaginary == 1 && are_even(problem.axes) && are_even(problem.loops));
}

}  // namespace

Index input_points(Problem const& problem, std::size_t axis) {
  Index const n = problem.axes[axis].n;
  return is_half(problem, axis, Numbers::c2r) ? n / 2 + 1 : n;
}

Index output_points(Problem const& problem, std::size_t axis) {
  Index const n = problem.axes[axis].n;
  return is_half(problem, axis, Numbers::r2c) ? n / 2 + 1 : n;
}

bool is_empty(Problem const& problem) { return !has_point(problem.loops); }

bool is_solvable(Problem const& problem) {
  if (!has_point(problem.axes)) return false;
  for (Axis const& loop : problem.loops)
    if (loop.n < 0) return false;
  for (std::size_t i = 0; i < problem.kinds.size(); ++i)
    if (problem.kinds[i] > FFTW_RODFT11 ||
        (problem.kinds[i] == FFTW_REDFT00 && problem.axes[i].n < 2))
      return false;
  if (is_empty(problem)) return true;
  bool const is_half_complex = problem.numbers == Numbers::r2c || problem.numbers == Numbers::c2r;
  if (problem.in_place && !is_half_complex)
    return places(problem, &Axis::in) == places(problem, &Axis::out);
  if (problem.numbers == Numbers::c2r && !problem.in_place && problem.preserves_input)
    return std::all_of(problem.axes.begin(), problem.axes.end() - 1,
                       [](Axis const& axis) { return axis.n == 1; });
  return true;
}

Canonical canonical(Problem problem) {
  bool const swapped =
      problem.numbers == Numbers::c2c && problem.imaginary_in == -1 && problem.imaginary_out == -1;
  if (swapped) {
    problem.imaginary_in = problem.imaginary_out = 1;
    problem.plus = !problem.plus;
  }
  for (std::size_t i = problem.axes.size(); i-- > 0;)
    if (is_idle(problem, i)) {
      auto const at = static_cast<std::ptrdiff_t>(i);
      problem.axes.erase(problem.axes.begin() + at);
      if (!problem.kinds.empty()) problem.kinds.erase(problem.kinds.begin() + at);
    }
  problem.loops = joined(problem.loops);
  return {problem, swapped};
}

bool has_interleaved_input(Problem const& problem) {
  return is_interleaved(problem, problem.imaginary_in, &Axis::in);
}

bool has_interleaved_output(Problem const& problem) {
  return is_interleaved(problem, problem.imaginary_out, &Axis::out);
}

bool is_nested(Problem const& problem) {
  std::vector<std::pair<Index, Index>> in, out;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    in.emplace_back(problem.axes[i].in, input_points(problem, i));
    out.emplace_back(problem.axes[i].out, output_points(problem, i));
  }
  for (Axis const& loop : problem.loops) {
    in.emplace_back(loop.in, loop.n);
    out.emplace_back(loop.out, loop.n);
  }
  return is_nested(in) && is_nested(out);
}

Problem with_dense_input(Problem problem) {
  std::vector<std::pair<Axis*, Index>> axes;  // and their points
  for (Axis& loop : problem.loops) axes.emplace_back(&loop, loop.n);
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    axes.emplace_back(&problem.axes[i], input_points(problem, i));
  std::stable_sort(axes.begin(), axes.end(), [](auto const& a, auto const& b) {
    return std::abs(a.first->in) > std::abs(b.first->in);
  });
  Index stride = problem.imaginary_in == 0 ? 1 : 2;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    axis->first->in = stride;
    stride *= axis->second;
  }
  if (problem.imaginary_in != 0) problem.imaginary_in = 1;
  problem.in_place = problem.preserves_input = false;
  return problem;
}

double points(Problem const& problem) {
  double all = 1;
  for (Axes const* axes : {&problem.axes, &problem.loops})
    for (Axis const& axis : *axes) all *= static_cast<double>(axis.n);
  return all;
}

std::string words(Problem const& problem) {
  static constexpr char const* names[] = {"c2c", "r2c", "c2r", "r2r"};
  std::string result = names[static_cast<int>(problem.numbers)];
  if (problem.numbers == Numbers::c2c) result += problem.plus ? '+' : '-';
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    append(" ", problem.axes[i], result);
    if (!problem.kinds.empty()) result += ":kind" + std::to_string(problem.kinds[i]);
  }
  for (Axis const& loop : problem.loops) append(" loop", loop, result);
  if (problem.imaginary_in > 1 || problem.imaginary_out > 1) result += " split";
  if (problem.in_place) result += " in-place";
  return result;
}

}  // namespace sixstep::fftw
