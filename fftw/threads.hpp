// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of plans that are made from now on.
#pragma once

namespace sixstep::fftw {

/// What fftw_plan_with_nthreads() was given last; 1 before it was called.
int planned_threads();

}  // namespace sixstep::fftw
