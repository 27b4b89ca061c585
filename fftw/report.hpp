// SPDX-License-Identifier: BSD-3-Clause
// A report of what a program did with plans: how many it made, how they are solved, how often they
// were executed, and how long that took.
//
// A serial plan is timed beside FFTW's own, if that is there, when it has been executed for the
// first time: while a program ends, no plan can be made.
//
// The library writes it when the program ends, if SIXSTEP_FFTW_REPORT is "stderr" or names a file,
// to which it is appended. Otherwise plans are what they would be without this file.
#pragma once

#include <chrono>
#include <memory>

#include "names.hpp"
#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// The time from which a planning function counts.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Keeps the problem of a plan of one process for the report, with the flags for planning.
void remember_problem(PlanObject<Real> const& plan, Problem const& problem, unsigned flags);

/// The plan for the user of a planning function that began at `begin`: the plan itself, or one that
/// also counts its executions. `Object` is PlanObject<Real> or derived from it.
template <class Object>
SIXSTEP_FFTW(plan)
handed_out(std::unique_ptr<Object> object, double begin) {
  PlanObject<Real>* const plan = object.release();
  double const seconds = seconds_now() - begin;
  return static_cast<SIXSTEP_FFTW(plan)>(SIXSTEP_FFTW(sixstep_reported)(plan, seconds));
}

}  // namespace sixstep::fftw
