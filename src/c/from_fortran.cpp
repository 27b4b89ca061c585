// SPDX-License-Identifier: BSD-3-Clause
// Entry points for Fortran. Communicators come as integers, which only a compiler that knows mpi.h
// can turn into handles. Messages count axes as Fortran does. Each handle stores how its maker
// counts, so messages about it do so too.
#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "runtime/integer_handle.hpp"
#include "runtime/mpi.hpp"
#include "sixstep.h"

using sixstep::CountAs;
using sixstep::Counting;
using sixstep::Options;
using sixstep::Output;
using sixstep::mpi::comm_of;
using sixstep::mpi::Integer;

namespace {

/// Applies Fortran's meaning of the options: an output has natural axes unless a layout is given,
/// and `twiddle` is the number of an axis, 0 for none.
void adjust(Options& options, sixstep_layout const& input, bool has_output, int twiddle) {
  if (has_output) {
    sixstep::require(options.output == Output::natural_axes, "output: a layout and the option ",
                     to_string(options.output), " were given; give only one of the two");
    options.output = Output::cheapest;
  }
  int const axes = input.layout.axes();
  sixstep::require(twiddle >= 0 && twiddle <= axes, "twiddle: ", sixstep::axis_names(axes),
                   " are possible, or 0 for none, ", twiddle, " was given");
  options.twiddle = twiddle == 0 ? -1 : axes - twiddle;
}

}  // namespace

extern "C" {

/// For a rank whose arguments Fortran refuses: the other ranks, which make a collective call, get
/// the same error.
int sixstep_fortran_fail(Integer comm, char const* message) {
  return sixstep::c::guarded([&] { sixstep::mpi::fail(comm_of(comm), message); });
}

int sixstep_fortran_layout_grid(int axes, int64_t const* shape, int const* grid,
                                int const* distribution, int const* order,
                                sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_grid(axes, shape, grid, distribution, order, layout);
}

int sixstep_fortran_layout_slab(int axes, int64_t const* shape, int ranks, int axis,
                                sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_slab(axes, shape, ranks, axis, layout);
}

int sixstep_fortran_layout_pencil(int axes, int64_t const* shape, int ranks,
                                  sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_pencil(axes, shape, ranks, layout);
}

int sixstep_fortran_layout_brick(int axes, int64_t const* shape, int ranks,
                                 sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_brick(axes, shape, ranks, layout);
}

int sixstep_fortran_layout_boxes(int axes, int64_t const* shape, int ranks, int64_t const* lo,
                                 int64_t const* hi, int const* order, sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_boxes(axes, shape, ranks, lo, hi, order, layout);
}

int sixstep_fortran_layout_gather(int axes, int64_t const* shape, int64_t const* lo,
                                  int64_t const* hi, int const* order, Integer comm,
                                  sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_gather(axes, shape, lo, hi, order, comm_of(comm), layout);
}

int sixstep_fortran_layout_tuned(int precision, int axes, int64_t const* shape, int output,
                                 Integer comm, sixstep_options const* options,
                                 sixstep_layout** layout) {
  CountAs const its(Counting::fortran);
  return sixstep_layout_tuned(precision, axes, shape, output, comm_of(comm), options, layout);
}

int sixstep_fortran_plan_create(int precision, sixstep_layout const* input,
                                sixstep_layout const* output, Integer comm,
                                sixstep_options const* options, int twiddle, sixstep_plan** plan) {
  CountAs const its(Counting::fortran);
  return sixstep::c::create_plan(
      precision, input, output, comm_of(comm), options, plan,
      [&](Options& chosen) { adjust(chosen, *input, output != nullptr, twiddle); });
}

int sixstep_fortran_redistribution_create(size_t element_bytes, sixstep_layout const* from,
                                          sixstep_layout const* to, Integer comm,
                                          sixstep_options const* options,
                                          sixstep_redistribution** redistribution) {
  CountAs const its(Counting::fortran);
  return sixstep_redistribution_create(element_bytes, from, to, comm_of(comm), options,
                                       redistribution);
}
}
