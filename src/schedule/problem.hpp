// SPDX-License-Identifier: BSD-3-Clause
// Problems: what a plan computes, and checks whether that is possible.
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

/// The number of coefficients of `modes` modes.
constexpr Index coefficients(Kind kind, Index modes) {
  return kind == Kind::r2c ? modes / 2 + 1 : modes;
}

/// The wave number of coefficient k of an axis with `modes` modes.
double wave_number(Kind kind, Index modes, Index k);

/// A problem: the input, the output and the transforms between them.
struct Problem {
  Layout input;
  std::optional<Layout> output = {};  // empty: the plan chooses it as `lies` says
  std::vector<int> axes = {};         // to transform; empty: all
  std::vector<Kind> kinds = {};       // of each of `axes`; empty: c2c. One kind: of all axes, but
                                      // one r2c is of the last of `axes`, and the others are c2c
  std::vector<Index> lengths = {};    // of the transform along each of `axes`, at least its points,
                                      // which are zero behind those of the input; empty: the points
  std::vector<Index> first = {};      // the first point along each of `axes`, which go on at 0
                                      // behind the last; empty: 0
  std::vector<Index> modes = {};      // kept along each of `axes`; empty: all
  bool splits = false;  // where an even number of modes is kept along a periodic axis of more
                        // points, the highest one stands for waves of either sign: see Fft
  std::vector<double> sphere = {};  // the radius along each of `axes`, in wave numbers: only modes
                                    // within are kept. One stands for all; empty: no sphere
  std::vector<Index> columns = {};  // the only modes that are kept: see Options; empty: no list
  Shape input_strides = {};         // given by the caller, on one rank; empty: the layout's
  Shape output_strides = {};        // likewise; only with an output layout
  bool padded = false;              // rows of the input leave room for their coefficients
  int real_bytes = 8;
  std::optional<layout::Number> moves =
      {};                          // elements of this kind are moved, and no axis is transformed
  int twiddle = -1;                // an axis whose indices twiddle the coefficients; -1: none
  int kept_whole = -1;             // an axis that an output chosen by the plan does not split
  int never_split = -1;            // an axis that no layout chosen by the plan splits
  bool plain = false;              // no axis is viewed as two
  Output lies = Output::cheapest;  // how an output chosen by the plan lies
  bool is_inner = false;           // part of a composition, which accepts a chosen output with any
                                   // axis in two digits and with empty ranks
  bool of_complex = false;         // cosines and sines alone transform complex numbers
};

/// Whether a problem, or options, keep only the modes within a sphere or a list of columns.
template <class Wanted>
bool keeps_columns(Wanted const& wanted) {
  return !wanted.sphere.empty() || !wanted.columns.empty();
}

/// The problem with axes, kinds, lengths, modes and sphere in full; they stay empty if elements are
/// only moved.
/// Throws the errors of schedule().
Problem checked(Problem const& problem);

/// The problem as checked() returns it. An output that is to lie as the input gets its layout.
/// Throws the errors of schedule(), and Error if the input is a list of boxes that splits an axis
/// whose extent differs in the output.
Problem settled(Problem const& problem);

/// The shape of the result: the modes kept of n, or n/2 + 1 along an r2c axis. Throws the errors of
/// schedule().
Shape output_shape(Problem const& problem);

/// The layout for another shape: with the same grid of ranks, or with boxes that differ only along
/// axes that are whole in all of them. Throws Error, which begins with `what`, where an axis is
/// not.
Layout resized(Layout const& layout, Shape const& shape, char const* what);

/// The r2c axis; -1 if there is none. Axes and kinds must be in full.
int real_axis_of(Problem const& problem);

/// Whether the transform along the place-th of the axes has as many points as the input and keeps
/// all modes. Axes, lengths and modes must be in full.
bool is_whole(Problem const& problem, std::size_t place);

/// The elements on either side of a transform: reals on one side with an r2c, on both with only
/// cosine and sine transforms.
struct Numbers {
  layout::Number input = layout::Number::complex;
  layout::Number output = layout::Number::complex;
};
Numbers numbers_of(std::vector<Kind> const& kinds);
Numbers numbers_of(Problem const& problem);

}  // namespace sixstep::schedule
