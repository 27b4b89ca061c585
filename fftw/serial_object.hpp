// SPDX-License-Identifier: BSD-3-Clause
// Plans of one process.
#pragma once

#include <memory>

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// How a problem is solved that has no codelet.
/// - nothing: there is nothing to do.
/// - copy: no axis is transformed.
/// - passes: one axis after the other. Small problems stay in cache between passes, and need
///   neither a schedule nor windows, unless they have a few interleaved fields. Nor does one column
///   for one thread, unless it is so long that SerialPlan may view it as two axes; irregular
///   problems have strides that SerialPlan does not take.
/// - serial_plan: all others.
enum class Solution { nothing, copy, passes, serial_plan };
Solution solution_of(Problem const& canonical, int threads);

/// A plan for a solvable problem. Throws Error or std::bad_alloc if there is too little memory.
std::unique_ptr<PlanObject<Real>> make_object(Problem const& problem, int threads);

}  // namespace sixstep::fftw
