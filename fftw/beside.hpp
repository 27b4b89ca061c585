// SPDX-License-Identifier: BSD-3-Clause
// FFTW's own plan of a problem, timed beside ours.
#pragma once

#include <optional>

#include "problem.hpp"

namespace sixstep::fftw {

/// Whether FFTW's own library is there: the file that SIXSTEP_FFTW_BESIDE names, or
/// SIXSTEP_FFTWF_BESIDE for single precision.
bool original_is_there();

/// How many times as long FFTW's plan takes, in turn, each with one thread and on zeros; empty
/// where FFTW has no plan, for split arrays, strides below 1, and arrays of more than 256 MiB. FFTW
/// plans with `rigor` (FFTW_ESTIMATE, FFTW_PATIENT ...; 0: FFTW_MEASURE) for a second at most.
std::optional<double> times_as_long(Problem const& problem, unsigned rigor);

}  // namespace sixstep::fftw
