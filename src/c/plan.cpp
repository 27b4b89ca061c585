// SPDX-License-Identifier: BSD-3-Clause
// Plans for C: selects the C++ call that a pair of void pointers means.
#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "c/planned.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;
using c::with;

namespace {

/// Calls run(in, out, ...) with the arguments of execute().
template <class Real, class Run>
void with_arguments(bool real_in, bool real_out, void const* in, void* out, Direction direction,
                    Scale scale, Run const& run) {
  using Complex = std::complex<Real>;
  if (real_in && real_out)
    run(static_cast<Real const*>(in), static_cast<Real*>(out), direction, scale);
  else if (real_in)
    run(static_cast<Real const*>(in), static_cast<Complex*>(out), scale);
  else if (real_out)
    run(static_cast<Complex const*>(in), static_cast<Real*>(out), scale);
  else
    run(static_cast<Complex const*>(in), static_cast<Complex*>(out), direction, scale);
}

enum class Returns { when_done, early };

int execute(sixstep_plan* handle, void const* in, void* out, Direction direction, int scale,
            Returns returns = Returns::when_done) {
  return guarded(handle, [&] {
    Scale const factor = c::enumerated(scale, Scale::by_sqrt_n, "scale");
    with(handle, [&]<class Real>(Plan<Real>& plan) {
      bool const forward = direction == Direction::forward;
      with_arguments<Real>(forward ? handle->real_input : handle->real_output,
                           forward ? handle->real_output : handle->real_input, in, out, direction,
                           factor, [&](auto... arguments) {
                             if (returns == Returns::early)
                               plan.execute_async(arguments...);
                             else
                               plan.execute(arguments...);
                           });
    });
  });
}

}  // namespace

static_assert(static_cast<int>(Direction::backward) == SIXSTEP_BACKWARD &&
              static_cast<int>(Sign::plus) == SIXSTEP_PLUS &&
              static_cast<int>(Scale::by_n) == SIXSTEP_BY_N &&
              static_cast<int>(Scale::by_sqrt_n) == SIXSTEP_BY_SQRT_N);

int c::create_plan(int precision, sixstep_layout const* input, sixstep_layout const* output,
                   MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan,
                   std::function<void(Options&)> const& adjust) {
  return guarded(input, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    Options chosen;
    mpi::together(all, [&] {
      given(plan, "plan");
      given(input, "input");
      c::enumerated(precision, SIXSTEP_SINGLE, "precision");
      chosen = c::options_of(options);
      if (adjust) adjust(chosen);
    });
    bool const reals = c::is_real_to_real(chosen);
    // The fingerprints differ between ranks that leave the output open and ranks that do not.
    c::hand_out(
        plan, c::Planned<Plan>{
                  output == nullptr
                      ? c::made<Plan>(precision, input->layout, all.get(), chosen)
                      : c::made<Plan>(precision, input->layout, output->layout, all.get(), chosen),
                  reals || c::has_r2c(chosen), reals, all.rank()});
  });
}

int sixstep_plan_create(int precision, sixstep_layout const* input, sixstep_layout const* output,
                        MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan) {
  return c::create_plan(precision, input, output, comm, options, plan, {});
}

int sixstep_plan_free(sixstep_plan* plan) {
  return guarded([&] { delete plan; });
}

SIXSTEP_CALLS_OF_PLANNED(sixstep_plan)

int sixstep_plan_wavenumber(sixstep_plan const* plan, int64_t const* k, double* w) {
  return guarded(plan, [&] {
    given(k, "k");
    given(w, "w");
    with(plan, [&](auto& of) {
      Shape point;
      for (int axis = 0; axis < of.output().axes(); ++axis) point.push_back(k[axis]);
      auto const waves = of.wavenumber(point);
      std::copy(waves.begin(), waves.end(), w);
    });
  });
}

int sixstep_plan_wavenumber_along(sixstep_plan const* plan, int axis, int64_t k, double* w) {
  return guarded(
      plan, [&] { given(w, "w") = with(plan, [&](auto& of) { return of.wavenumber(axis, k); }); });
}

int sixstep_plan_wavenumbers(sixstep_plan const* plan, int axis, int64_t* count, double* w) {
  return guarded(plan, [&] {
    with(plan, [&](auto& of) {
      auto const waves = of.wavenumbers(axis);
      given(count, "count") = static_cast<int64_t>(waves.size());
      if (w != nullptr) std::copy(waves.begin(), waves.end(), w);
    });
  });
}

int sixstep_plan_forward(sixstep_plan* plan, void const* in, void* out, int scale) {
  return execute(plan, in, out, Direction::forward, scale);
}

int sixstep_plan_backward(sixstep_plan* plan, void const* in, void* out, int scale) {
  return execute(plan, in, out, Direction::backward, scale);
}

int sixstep_plan_forward_async(sixstep_plan* plan, void const* in, void* out, int scale) {
  return execute(plan, in, out, Direction::forward, scale, Returns::early);
}

int sixstep_plan_backward_async(sixstep_plan* plan, void const* in, void* out, int scale) {
  return execute(plan, in, out, Direction::backward, scale, Returns::early);
}

int sixstep_plan_wait(sixstep_plan* plan) {
  return guarded(plan, [&] { with(plan, [](auto& of) { of.wait(); }); });
}

int sixstep_plan_set_stream(sixstep_plan* plan, void* stream) {
  return guarded(plan, [&] { with(plan, [&](auto& of) { of.set_stream(stream); }); });
}

int sixstep_plan_execute(sixstep_plan* plan, void const* in, void* out, int direction, int sign,
                         int scale) {
  return guarded(plan, [&] {
    Direction const way = c::enumerated(direction, Direction::backward, "direction");
    Sign const of_exponent = c::enumerated(sign, Sign::plus, "sign");
    Scale const factor = c::enumerated(scale, Scale::by_sqrt_n, "scale");
    with(plan, [&]<class Real>(Plan<Real>& of) {
      require(!plan->real_input,
              "sign: a plan with complex input is needed, this one has real input");
      using Complex = std::complex<Real>;
      of.execute(static_cast<Complex const*>(in), static_cast<Complex*>(out), way, of_exponent,
                 factor);
    });
  });
}

int sixstep_plan_wire_error(sixstep_plan const* plan, double* error) {
  return guarded(plan, [&] {
    c::given(error, "error") = c::with(plan, [](auto& of) { return of.wire_error(); });
  });
}

int sixstep_plan_verified(sixstep_plan const* plan, int64_t* checked, int64_t* unchecked,
                          int64_t* repaired, int64_t* compared, double* largest_share) {
  return c::verified(plan, checked, unchecked, repaired, compared, largest_share);
}

int sixstep_plan_on_detection(sixstep_plan* plan, sixstep_detection_function* function,
                              void* context) {
  return c::on_detection(plan, function, context);
}

int sixstep_plan_breakdown(sixstep_plan* plan, int direction, int* steps_count,
                           sixstep_step const** steps) {
  return guarded(plan, [&] {
    Direction const way = c::enumerated(direction, Direction::backward, "direction");
    c::tell_steps(
        plan, [&](auto& of) { return of.breakdown(way); }, steps_count, steps);
  });
}
