// SPDX-License-Identifier: BSD-3-Clause
// Wisdom: which problems have been planned, and how patiently.
//
// Planning finds nothing that is worth keeping, but programs use wisdom to tell whether a problem
// has been planned before: FFTW_WISDOM_ONLY gives NULL for one that was not.
#pragma once

#include "problem.hpp"

namespace sixstep::fftw {

/// Whether the flags allow a plan: without FFTW_WISDOM_ONLY always. Remembers the problem
/// and how patiently it was planned. Safe to call from several threads at once.
bool may_plan(Problem const& problem, int threads, unsigned flags);

}  // namespace sixstep::fftw
