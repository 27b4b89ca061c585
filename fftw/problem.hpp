// SPDX-License-Identifier: BSD-3-Clause
// What a planning function asks for: one description for all of them.
//
// Strides and distances count reals. Everything here is computed from the description alone; it
// knows nothing about plans or memory.
#pragma once

#include <string>
#include <vector>

#include "names.hpp"
#include "serial/strided_axis.hpp"
#include "sixstep/index.hpp"

namespace sixstep::fftw {

enum class Numbers { c2c, r2c, c2r, r2r };

/// A transformed axis or a loop.
using Axis = serial::StridedAxis;
using Axes = serial::StridedAxes;
using serial::joined;
using R2r = SIXSTEP_FFTW(r2r_kind);

struct Problem {
  Numbers numbers = Numbers::c2c;
  bool plus = false;            // the sign of the exponent of c2c
  Axes axes = {};               // transformed; the last is that of r2c and c2r
  Axes loops = {};              // over transforms
  std::vector<R2r> kinds = {};  // of r2r, one for each of `axes`
  Index imaginary_in = 0;       // from a real part to its imaginary part; 0 for real arrays
  Index imaginary_out = 0;
  bool in_place = false;
  bool preserves_input = true;  // out of place

  bool operator==(Problem const&) const = default;
};

/// The points of an axis in the input and in the output: n/2 + 1 of complex numbers for r2c, c2r.
Index input_points(Problem const& problem, std::size_t axis);
Index output_points(Problem const& problem, std::size_t axis);

/// Whether FFTW has a plan for it:
/// - every axis has a point, and one of REDFT00 two; no loop has fewer than 0
/// - in place, c2c and r2r write the places that they read
/// - c2r of several axes preserves no input.
bool is_solvable(Problem const& problem);

/// Whether it does nothing: a loop has no turns.
bool is_empty(Problem const& problem);

/// The same transform in fewer words: without axes of one point that change nothing; loops sorted
/// by stride, the largest first, and joined where they continue each other; interleaved numbers
/// whose parts are swapped as ordinary ones with the other sign. `swapped` tells the latter.
struct Canonical {
  Problem problem;
  bool swapped = false;
};
Canonical canonical(Problem problem);

/// Whether an array has reals, or interleaved complex numbers: each imaginary part is behind its
/// real part, and strides are even.
bool has_interleaved_input(Problem const& problem);
bool has_interleaved_output(Problem const& problem);

/// Whether each axis and loop steps over all of those with smaller strides, on both sides, by
/// positive strides: what SerialPlan can take.
bool is_nested(Problem const& problem);

/// The same problem with a dense input of the same elements in the same order, out of place.
Problem with_dense_input(Problem problem);

/// The points of the transform, loops included.
double points(Problem const& problem);

/// Its words for fftw_print_plan and wisdom, such as "c2c- 64:2:2 x 32:128:128 loops 3:1:1".
std::string words(Problem const& problem);

}  // namespace sixstep::fftw
