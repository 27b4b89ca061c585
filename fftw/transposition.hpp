// SPDX-License-Identifier: BSD-3-Clause
// Transposes matrices where they are, without a second array.
#pragma once

#include <memory>

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// The plan of a copy in place that transposes matrices of reals, complex numbers, or vectors of
/// them: square ones with any strides, others without gaps. Null for any other problem.
std::unique_ptr<PlanObject<Real>> transposed_in_place(Problem const& problem, int threads);

}  // namespace sixstep::fftw
