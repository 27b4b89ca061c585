// SPDX-License-Identifier: BSD-3-Clause
// Calls of the C interface that take a communicator, as Fortran has them: integers, which only a
// compiler that knows mpi.h can turn into handles.
#include "c/guarded.hpp"
#include "runtime/integer_handle.hpp"
#include "runtime/mpi.hpp"
#include "sixstep.h"

using sixstep::mpi::comm_of;
using sixstep::mpi::Integer;

extern "C" {

/// For a rank whose arguments are refused in Fortran: the others, which make a collective call, get
/// the same error.
int sixstep_fortran_fail(Integer comm, char const* message) {
  return sixstep::c::guarded([&] { sixstep::mpi::fail(comm_of(comm), message); });
}

int sixstep_fortran_layout_gather(int axes, int64_t const* shape, int64_t const* lo,
                                  int64_t const* hi, int const* order, Integer comm,
                                  sixstep_layout** layout) {
  return sixstep_layout_gather(axes, shape, lo, hi, order, comm_of(comm), layout);
}

int sixstep_fortran_layout_tuned(int precision, int axes, int64_t const* shape, int as_input,
                                 Integer comm, sixstep_options const* options,
                                 sixstep_layout** layout) {
  return sixstep_layout_tuned(precision, axes, shape, as_input, comm_of(comm), options, layout);
}

int sixstep_fortran_plan_create(int precision, sixstep_layout const* input,
                                sixstep_layout const* output, Integer comm,
                                sixstep_options const* options, sixstep_plan** plan) {
  return sixstep_plan_create(precision, input, output, comm_of(comm), options, plan);
}

int sixstep_fortran_redistribution_create(size_t element_bytes, sixstep_layout const* from,
                                          sixstep_layout const* to, Integer comm,
                                          sixstep_options const* options,
                                          sixstep_redistribution** redistribution) {
  return sixstep_redistribution_create(element_bytes, from, to, comm_of(comm), options,
                                       redistribution);
}
}
