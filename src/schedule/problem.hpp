// SPDX-License-Identifier: BSD-3-Clause
// Problems: what a plan is asked for, and whether that can be done.
#pragma once

#include <optional>
#include <vector>

#include "layout/placement.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"

namespace sixstep::schedule {

using layout::Number;
using layout::other;
using layout::reals_of;

/// The coefficients of so many modes.
constexpr Index coefficients(Kind kind, Index modes) {
  return kind == Kind::r2c ? modes / 2 + 1 : modes;
}

/// What is to be computed.
struct Problem {
  Layout input;
  std::optional<Layout> output = {};  // none: of the plan's choice, as `lies` says
  std::vector<int> axes = {};         // to transform; empty: all
  std::vector<Kind> kinds = {};       // of each of `axes`; empty: c2c. A single one: of all axes,
                                      // but r2c of the last that is named, the others c2c
  std::vector<Index> modes = {};      // that are kept along each of `axes`; empty: all
  Shape input_strides = {};           // of the caller's own, on one rank; empty: the layout's
  Shape output_strides = {};          // the same; only where there is an output layout
  bool padded = false;                // rows of the input leave room for their coefficients
  int real_bytes = 8;
  std::optional<layout::Number> moves =
      {};                          // no axis is transformed: elements of this kind are moved
  int twiddle = -1;                // an axis whose indices twiddle the coefficients; -1: none
  int kept_whole = -1;             // an axis that an output of the plan's choice does not split
  Output lies = Output::cheapest;  // how an output of the plan's choice lies
  bool is_inner = false;           // of a composition, which takes an output of the plan's choice
                                   // with any axis in two digits, and with empty ranks
};

/// The problem with axes, kinds and modes in full; none if elements are moved alone. Errors: those
/// of schedule().
Problem checked(Problem const& problem);

/// The problem as checked() has it; an output that is to lie as the input has a layout. Errors:
/// also a list of boxes that splits an axis whose extent is another one in the output.
Problem settled(Problem const& problem);

/// The shape of the result: what is kept of n, or n/2 + 1 along an r2c axis. Errors: those of
/// schedule().
Shape output_shape(Problem const& problem);

/// The r2c axis; -1 if there is none. Axes and kinds are in full.
int real_axis_of(Problem const& problem);

/// What the elements are on either side of a transform: reals where there is an r2c, or cosine and
/// sine transforms alone.
struct Numbers {
  layout::Number input = layout::Number::complex;
  layout::Number output = layout::Number::complex;
};
Numbers numbers_of(std::vector<Kind> const& kinds);

}  // namespace sixstep::schedule
