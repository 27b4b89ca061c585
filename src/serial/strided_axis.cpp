// SPDX-License-Identifier: BSD-3-Clause
#include "serial/strided_axis.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace sixstep::serial {

namespace {

Index longest_stride(StridedAxis const& axis) {
  return std::max(std::abs(axis.in), std::abs(axis.out));
}

void sort_by_stride(StridedAxes& axes) {
  std::stable_sort(axes.begin(), axes.end(), [](StridedAxis const& a, StridedAxis const& b) {
    return std::tuple(std::min(std::abs(a.in), std::abs(a.out)), longest_stride(a)) >
           std::tuple(std::min(std::abs(b.in), std::abs(b.out)), longest_stride(b));
  });
}

}  // namespace

bool lie_side_by_side(StridedAxis const& loop, StridedAxis const& axis) {
  return std::abs(loop.in) < std::abs(axis.in);
}

Index points_of(StridedAxes const& axes) {
  Index all = 1;
  for (StridedAxis const& axis : axes) all *= axis.n;
  return all;
}

StridedAxes joined(StridedAxes loops) {
  std::erase_if(loops, [](StridedAxis const& loop) { return loop.n == 1; });
  sort_by_stride(loops);
  StridedAxes result;
  for (StridedAxis const& loop : loops) {
    bool const continues = !result.empty() && result.back().in == loop.n * loop.in &&
                           result.back().out == loop.n * loop.out;
    if (continues)
      result.back() = {result.back().n * loop.n, loop.in, loop.out};
    else
      result.push_back(loop);
  }
  return result;
}

}  // namespace sixstep::serial
