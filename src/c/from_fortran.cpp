// SPDX-License-Identifier: BSD-3-Clause
// Entry points for Fortran. Communicators come as integers, which only a compiler that knows mpi.h
// can turn into handles. Messages count axes as Fortran does. Each handle stores how its maker
// counts, so messages about it do so too. The calls that plans, operators, maps and convolutions
// share have one entry.
#include <type_traits>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/maps_from_fortran.hpp"
#include "c/options.hpp"
#include "runtime/integer_handle.hpp"
#include "runtime/mpi.hpp"
#include "sixstep.h"

namespace c = sixstep::c;

using sixstep::CountAs;
using sixstep::Counting;
using sixstep::Options;
using sixstep::Output;
using sixstep::mpi::comm_of;
using sixstep::mpi::Integer;

namespace {

/// Sets the axis of the twiddle, which Fortran counts from 1; 0 stands for none.
void set_twiddle(Options& options, sixstep_layout const& input, int twiddle) {
  int const axes = input.layout.axes();
  sixstep::require(twiddle >= 0 && twiddle <= axes, "twiddle: ", sixstep::axis_names(axes),
                   " are possible, or 0 for none, ", twiddle, " was given");
  options.twiddle = twiddle == 0 ? -1 : axes - twiddle;
}

/// Makes the call of C for a plan (0), an operator (1), a map (2) or a convolution (3).
template <class Plan, class Operator, class Map, class Convolution, class... Arguments>
int call(int what, void* handle, int (*of_plan)(Plan*, Arguments...),
         int (*of_operator)(Operator*, Arguments...), int (*of_map)(Map*, Arguments...),
         int (*of_convolution)(Convolution*, Arguments...),
         std::type_identity_t<Arguments>... arguments) {
  if (what == 0) return of_plan(static_cast<Plan*>(handle), arguments...);
  if (what == 1) return of_operator(static_cast<Operator*>(handle), arguments...);
  if (what == 2) return of_map(static_cast<Map*>(handle), arguments...);
  return of_convolution(static_cast<Convolution*>(handle), arguments...);
}

/// Natural axes are Fortran's default, which a given layout replaces.
void set_output(Options& options, sixstep_layout const* output) {
  if (output == nullptr) return;
  sixstep::require(options.output == Output::natural_axes, "output: a layout and the option ",
                   to_string(options.output), " were given; give only one of the two");
  options.output = Output::cheapest;
}

/// Sets the axis of the twiddle. Operators and convolutions have no option `output`, so Fortran's
/// default for it becomes that of C.
void adapt(Options& options, sixstep_layout const& input, int twiddle) {
  if (options.output == Output::natural_axes) options.output = Output::cheapest;
  set_twiddle(options, input, twiddle);
}

}  // namespace

extern "C" {

/// For a rank whose arguments Fortran refuses: the other ranks, which make a collective call, get
/// the same error.
int sixstep_fortran_fail(Integer comm, char const* message) {
  return c::guarded([&] { sixstep::mpi::fail(comm_of(comm), message); });
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
  return c::create_plan(precision, input, output, comm_of(comm), options, plan,
                        [&](Options& chosen) {
                          set_output(chosen, output);
                          set_twiddle(chosen, *input, twiddle);
                        });
}

/// Also returns the number of fields of the result.
int sixstep_fortran_operator_create(int precision, sixstep_layout const* layout,
                                    sixstep_symbol const* symbol, Integer comm,
                                    sixstep_operator_options const* options, int twiddle,
                                    int* results, sixstep_operator** op) {
  CountAs const its(Counting::fortran);
  return c::create_operator(
      precision, layout, symbol, comm_of(comm),
      [&] {
        c::OperatorRequest of{c::operator_options_of(options), c::operator_result_of(options)};
        adapt(of.options, *layout, twiddle);
        *results = symbol->symbol.is_matrix() ? symbol->symbol.results() : of.options.fields;
        return of;
      },
      op);
}

/// Also returns the number of fields of the result. `functions`: before, at points, after.
int sixstep_fortran_map_create(int precision, sixstep_layout const* points,
                               sixstep_layout const* coefficients, Integer comm,
                               sixstep_map_options const* options, int twiddle,
                               c::FortranFunction const* functions, int* results,
                               sixstep_map** map) {
  CountAs const its(Counting::fortran);
  return c::create_map(
      precision, points, coefficients, comm_of(comm),
      [&] {
        sixstep::MapOptions chosen = c::map_options_of(options);
        set_output(chosen, coefficients);
        set_twiddle(chosen, *points, twiddle);
        c::MapRequest of = c::request_of_fortran(functions, precision, chosen);
        *results = of.after.function ? of.after.results : of.at_points.results;
        return of;
      },
      map);
}

int sixstep_fortran_poisson_create(int precision, sixstep_layout const* layout, Integer comm,
                                   sixstep_poisson_options const* options, int twiddle,
                                   sixstep_poisson** poisson) {
  CountAs const its(Counting::fortran);
  return c::create_poisson(
      precision, layout, comm_of(comm),
      [&] {
        sixstep::PoissonOptions chosen = c::poisson_options_of(options);
        adapt(chosen, *layout, twiddle);
        return chosen;
      },
      poisson);
}

/// Also returns the number of elements of this rank's array of the kernel.
int sixstep_fortran_convolution_create(int precision, sixstep_layout const* signal,
                                       sixstep_layout const* kernel, sixstep_layout const* result,
                                       Integer comm, sixstep_convolution_options const* options,
                                       int twiddle, int64_t* kernel_size,
                                       sixstep_convolution** convolution) {
  CountAs const its(Counting::fortran);
  int const code = c::create_convolution(
      precision, signal, kernel, result, comm_of(comm),
      [&] {
        sixstep::ConvolutionOptions chosen = c::convolution_options_of(options);
        adapt(chosen, *signal, twiddle);
        return chosen;
      },
      convolution);
  if (code == SIXSTEP_OK) *kernel_size = kernel->layout.array_size((*convolution)->rank);
  return code;
}

int sixstep_fortran_convolution_result_shape(int axes, int64_t const* signal, int64_t const* kernel,
                                             sixstep_convolution_options const* options,
                                             int64_t* result) {
  CountAs const its(Counting::fortran);
  return sixstep_convolution_result_shape(axes, signal, kernel, options, result);
}

int sixstep_fortran_open_poisson_create(int precision, sixstep_layout const* layout, Integer comm,
                                        sixstep_open_poisson_options const* options, int twiddle,
                                        sixstep_convolution** convolution) {
  CountAs const its(Counting::fortran);
  return c::create_open_poisson(
      precision, layout, comm_of(comm),
      [&] {
        sixstep::OpenPoissonOptions chosen = c::open_poisson_options_of(options);
        adapt(chosen, *layout, twiddle);
        return chosen;
      },
      convolution);
}

int sixstep_fortran_input(int what, void* handle, sixstep_layout** layout) {
  return call(what, handle, sixstep_plan_input, sixstep_operator_input, sixstep_map_input,
              sixstep_convolution_input, layout);
}

int sixstep_fortran_output(int what, void* handle, sixstep_layout** layout) {
  return call(what, handle, sixstep_plan_output, sixstep_operator_output, sixstep_map_output,
              sixstep_convolution_output, layout);
}

int sixstep_fortran_input_part(int what, void* handle, sixstep_part* part) {
  return call(what, handle, sixstep_plan_input_part, sixstep_operator_input_part,
              sixstep_map_input_part, sixstep_convolution_input_part, part);
}

int sixstep_fortran_output_part(int what, void* handle, sixstep_part* part) {
  return call(what, handle, sixstep_plan_output_part, sixstep_operator_output_part,
              sixstep_map_output_part, sixstep_convolution_output_part, part);
}

int sixstep_fortran_sizes(int what, void* handle, int64_t* input, int64_t* output,
                          int64_t* in_place) {
  return call(what, handle, sixstep_plan_sizes, sixstep_operator_sizes, sixstep_map_sizes,
              sixstep_convolution_sizes, input, output, in_place);
}

int sixstep_fortran_element_bytes(int what, void* handle, size_t* input, size_t* output) {
  return call(what, handle, sixstep_plan_element_bytes, sixstep_operator_element_bytes,
              sixstep_map_element_bytes, sixstep_convolution_element_bytes, input, output);
}

int sixstep_fortran_allocate(int what, void* handle, void** array) {
  return call(what, handle, sixstep_plan_allocate, sixstep_operator_allocate, sixstep_map_allocate,
              sixstep_convolution_allocate, array);
}

int sixstep_fortran_workspace_bytes(int what, void* handle, size_t* bytes) {
  return call(what, handle, sixstep_plan_workspace_bytes, sixstep_operator_workspace_bytes,
              sixstep_map_workspace_bytes, sixstep_convolution_workspace_bytes, bytes);
}

int sixstep_fortran_set_workspace(int what, void* handle, void* memory, size_t bytes) {
  return call(what, handle, sixstep_plan_set_workspace, sixstep_operator_set_workspace,
              sixstep_map_set_workspace, sixstep_convolution_set_workspace, memory, bytes);
}

int sixstep_fortran_describe(int what, void* handle, char const** words) {
  return call(what, handle, sixstep_plan_describe, sixstep_operator_describe, sixstep_map_describe,
              sixstep_convolution_describe, words);
}

int sixstep_fortran_communication_seconds(int what, void* handle, double* seconds) {
  return call(what, handle, sixstep_plan_communication_seconds,
              sixstep_operator_communication_seconds, sixstep_map_communication_seconds,
              sixstep_convolution_communication_seconds, seconds);
}

int sixstep_fortran_verified(int what, void* handle, int64_t* checked, int64_t* unchecked,
                             int64_t* repaired, int64_t* compared, double* share) {
  return call(what, handle, sixstep_plan_verified, sixstep_operator_verified, sixstep_map_verified,
              sixstep_convolution_verified, checked, unchecked, repaired, compared, share);
}

int sixstep_fortran_on_detection(int what, void* handle, sixstep_detection_function* function,
                                 void* context) {
  return call(what, handle, sixstep_plan_on_detection, sixstep_operator_on_detection,
              sixstep_map_on_detection, sixstep_convolution_on_detection, function, context);
}

int sixstep_fortran_predict(int what, void* handle, char const* machine_file,
                            sixstep_prediction* prediction) {
  return call(what, handle, sixstep_plan_predict, sixstep_operator_predict, sixstep_map_predict,
              sixstep_convolution_predict, machine_file, prediction);
}

int sixstep_fortran_write_trace(int what, void* handle) {
  return call(what, handle, sixstep_plan_write_trace, sixstep_operator_write_trace,
              sixstep_map_write_trace, sixstep_convolution_write_trace);
}

/// This call and the next one are not for plans.
int sixstep_fortran_apply(int what, void* handle, void const* in, void* out) {
  if (what == 1) return sixstep_operator_apply(static_cast<sixstep_operator*>(handle), in, out);
  if (what == 2) return sixstep_map_apply(static_cast<sixstep_map*>(handle), in, out);
  return sixstep_convolution_apply(static_cast<sixstep_convolution*>(handle), in, out);
}

int sixstep_fortran_breakdown(int what, void* handle, int* steps_count,
                              sixstep_step const** steps) {
  if (what == 1)
    return sixstep_operator_breakdown(static_cast<sixstep_operator*>(handle), steps_count, steps);
  if (what == 2)
    return sixstep_map_breakdown(static_cast<sixstep_map*>(handle), steps_count, steps);
  return sixstep_convolution_breakdown(static_cast<sixstep_convolution*>(handle), steps_count,
                                       steps);
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
