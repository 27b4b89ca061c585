// SPDX-License-Identifier: BSD-3-Clause
// From a problem and flags to a plan, or to NULL where FFTW has none.
#pragma once

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// The axes of a row-major array of `rank` axes: `n` points each, in an array with `in` and `out`
/// points, neighbours along the last axis `in_stride` and `out_stride` reals apart.
Axes row_major(int rank, int const* n, int const* in, Index in_stride, int const* out,
               Index out_stride);

/// Makes a plan for these arrays. Fills in what follows from arrays and flags: Problem::in_place,
/// imaginary_in, imaginary_out and preserves_input. Null if there is none.
SIXSTEP_FFTW(plan) make_plan(Problem problem, Arrays<Real> const& arrays, unsigned flags);

}  // namespace sixstep::fftw
