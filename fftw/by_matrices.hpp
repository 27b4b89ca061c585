// SPDX-License-Identifier: BSD-3-Clause
// Plans of small contiguous problems of reals, by products of matrices.
#pragma once

#include <memory>

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// The plan for one contiguous r2r transform with short axes; null for all other problems, and
/// where vectors are short.
std::unique_ptr<PlanObject<Real>> by_matrices(Problem const& problem);

}  // namespace sixstep::fftw
