// SPDX-License-Identifier: BSD-3-Clause
// Plans for C: selects the C++ call that a pair of void pointers means.
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;

namespace {

bool has_r2c(Options const& options) {
  return std::find(options.kinds.begin(), options.kinds.end(), Kind::r2c) != options.kinds.end();
}

bool is_real_to_real(Options const& options) {
  return !options.kinds.empty() &&
         std::all_of(options.kinds.begin(), options.kinds.end(), [](Kind k) { return is_r2r(k); });
}

/// Calls work(plan) with the plan behind a handle, in either precision.
template <class Handle, class Work>
decltype(auto) with(Handle* handle, Work const& work) {
  return std::visit(work, given(handle, "plan").plan);
}

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

/// Keeps the parts in the handle.
void keep_steps(sixstep_plan& handle, std::vector<Part> parts) {
  handle.parts = std::move(parts);
  handle.steps.clear();
  for (Part const& part : handle.parts)
    handle.steps.push_back({part.what.c_str(), part.seconds, part.bytes});
}

std::size_t bytes_of_real(sixstep_plan const& handle) {
  return handle.plan.index() == SIXSTEP_DOUBLE ? sizeof(double) : sizeof(float);
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
    // The fingerprints differ between ranks that leave the output open and ranks that do not.
    auto const make = [&]<class Real>(std::type_identity<Real>) {
      return output == nullptr ? Plan<Real>(input->layout, all.get(), chosen)
                               : Plan<Real>(input->layout, output->layout, all.get(), chosen);
    };
    bool const reals = is_real_to_real(chosen);
    if (precision == SIXSTEP_DOUBLE)
      c::hand_out(plan, make(std::type_identity<double>()), reals || has_r2c(chosen), reals,
                  all.rank());
    else
      c::hand_out(plan, make(std::type_identity<float>()), reals || has_r2c(chosen), reals,
                  all.rank());
  });
}

int sixstep_plan_create(int precision, sixstep_layout const* input, sixstep_layout const* output,
                        MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan) {
  return c::create_plan(precision, input, output, comm, options, plan, {});
}

int sixstep_plan_free(sixstep_plan* plan) {
  return guarded([&] { delete plan; });
}

int sixstep_plan_input(sixstep_plan const* plan, sixstep_layout** layout) {
  return guarded(plan, [&] {
    given(layout, "layout");
    c::hand_out(layout, with(plan, [](auto& of) { return of.input(); }));
  });
}

int sixstep_plan_output(sixstep_plan const* plan, sixstep_layout** layout) {
  return guarded(plan, [&] {
    given(layout, "layout");
    c::hand_out(layout, with(plan, [](auto& of) { return of.output(); }));
  });
}

int sixstep_plan_input_part(sixstep_plan const* plan, sixstep_part* part) {
  return guarded(plan, [&] {
    given(part, "part") = with(
        plan, [&](auto& of) { return c::part_of(of.input(), plan->rank, of.input_strides()); });
  });
}

int sixstep_plan_output_part(sixstep_plan const* plan, sixstep_part* part) {
  return guarded(plan, [&] {
    given(part, "part") = with(
        plan, [&](auto& of) { return c::part_of(of.output(), plan->rank, of.output_strides()); });
  });
}

int sixstep_plan_sizes(sixstep_plan const* plan, int64_t* input, int64_t* output,
                       int64_t* in_place) {
  return guarded(plan, [&] {
    with(plan, [&](auto& of) {
      c::put(input, of.input_size());
      c::put(output, of.output_size());
      c::put(in_place, of.in_place_size());
    });
  });
}

int sixstep_plan_element_bytes(sixstep_plan const* plan, size_t* input, size_t* output) {
  return guarded(plan, [&] {
    std::size_t const real = bytes_of_real(given(plan, "plan"));
    c::put(input, plan->real_input ? real : 2 * real);
    c::put(output, plan->real_output ? real : 2 * real);
  });
}

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

int sixstep_plan_allocate(sixstep_plan* plan, void** array) {
  return guarded(plan, [&] {
    given(plan, "plan");
    given(array, "array");
    *array = with(plan, [](auto& of) { return c::lend(of.allocate()); });
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

int sixstep_plan_workspace_bytes(sixstep_plan const* plan, size_t* bytes) {
  return guarded(plan, [&] {
    given(bytes, "bytes") = with(plan, [](auto& of) { return of.workspace_bytes(); });
  });
}

int sixstep_plan_set_workspace(sixstep_plan* plan, void* memory, size_t bytes) {
  return guarded(plan, [&] { with(plan, [&](auto& of) { of.set_workspace(memory, bytes); }); });
}

int sixstep_plan_describe(sixstep_plan* plan, char const** words) {
  return guarded(plan, [&] {
    given(words, "words");
    plan->words = with(plan, [](auto& of) { return of.describe(); });
    *words = plan->words.c_str();
  });
}

int sixstep_plan_counts(sixstep_plan const* plan, int* passes, int* exchanges, int* threads) {
  return guarded(plan, [&] {
    with(plan, [&](auto& of) {
      c::put(passes, of.passes());
      c::put(exchanges, of.exchanges());
      c::put(threads, of.threads());
    });
  });
}

int sixstep_plan_communication_seconds(sixstep_plan const* plan, double* seconds) {
  return guarded(plan, [&] {
    given(seconds, "seconds") = with(plan, [](auto& of) { return of.communication_seconds(); });
  });
}

int sixstep_plan_breakdown(sixstep_plan* plan, int direction, int* steps_count,
                           sixstep_step const** steps) {
  return guarded(plan, [&] {
    Direction const way = c::enumerated(direction, Direction::backward, "direction");
    given(steps_count, "steps_count");
    given(steps, "steps");
    keep_steps(given(plan, "plan"), with(plan, [&](auto& of) { return of.breakdown(way); }));
    *steps_count = static_cast<int>(plan->steps.size());
    *steps = plan->steps.data();
  });
}

int sixstep_plan_predict(sixstep_plan* plan, char const* machine_file,
                         sixstep_prediction* prediction) {
  return guarded(plan, [&] {
    given(prediction, "prediction");
    Prediction made = with(
        plan, [&](auto& of) { return of.predict(machine_file == nullptr ? "" : machine_file); });
    keep_steps(*plan, std::move(made.steps));
    *prediction = {made.seconds, made.communication, made.computation,
                   static_cast<int>(plan->steps.size()), plan->steps.data()};
  });
}

int sixstep_plan_write_trace(sixstep_plan* plan) {
  return guarded(plan, [&] { with(plan, [](auto& of) { of.write_trace(); }); });
}
