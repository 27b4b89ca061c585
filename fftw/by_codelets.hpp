// SPDX-License-Identifier: BSD-3-Clause
// Plans of small contiguous problems, by codelets.
#pragma once

#include <memory>

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// The plan for one contiguous transform of one axis that has a codelet; null for all other
/// problems.
std::unique_ptr<PlanObject<Real>> by_codelets(Problem const& problem);

}  // namespace sixstep::fftw
