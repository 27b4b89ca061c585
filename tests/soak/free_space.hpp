// SPDX-License-Identifier: BSD-3-Clause
// Solvers in free space: axes that are open, periodic or between walls, Green's functions, and the
// sums that are the solution.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "exact.hpp"
#include "problem.hpp"

namespace soak {

/// An axis of the equation.
struct EquationAxis {
  int axis;
  Index n;
  Walls walls;
  Points points;
  double spacing;
  double shift;   // in points
  Index numbers;  // of a Green's function

  bool is_open() const { return walls == Walls::open; }
  /// The transform of an axis that is not open.
  Kind kind() const;
  /// The distance, not negative, or the wave number of a number; of distances alone.
  double place(Index entry, bool is_shifted) const;
};

/// Empty if the job's lists do not fit its axes.
std::vector<EquationAxis> equation_of(Job const& job);

/// The shape of an array of numbers of a Green's function.
Shape numbers_shape(std::vector<EquationAxis> const& axes);

/// The Green's function of a job that takes a function; `variant` says which of several.
double greens_value(sixstep::PerAxis<double> const& x, int variant);

/// The numbers of a job that takes an array, the same on all ranks.
Whole<long double> greens_numbers(Job const& job, std::uint64_t seed);

/// What a solver makes of one field; `size` gets the size of the numbers of which it is a sum.
Whole<long double> solved_in_free_space(Job const& job, Whole<long double> const& f,
                                        std::uint64_t seed, int variant, double& size);

}  // namespace soak
