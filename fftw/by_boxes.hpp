// SPDX-License-Identifier: BSD-3-Clause
// Small transforms of complex numbers and half-complex ones, as boxes.
#pragma once

#include <memory>

#include "plan_object.hpp"
#include "problem.hpp"
#include "serial/boxes.hpp"

namespace sixstep::fftw {

/// Describes a problem that is not r2r as boxes are asked for it.
serial::BoxProblem box_problem(Problem const& problem);

/// Null if boxes do not suit the problem.
std::unique_ptr<PlanObject<Real>> by_boxes(Problem const& problem, int threads);

}  // namespace sixstep::fftw
