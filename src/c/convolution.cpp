// SPDX-License-Identifier: BSD-3-Clause
// Convolutions for C, and Poisson's equation in free space, which is one.
#include "sixstep/convolution.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <memory>
#include <type_traits>
#include <variant>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "c/planned.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/open_poisson.hpp"

using namespace sixstep;
using c::given;
using c::guarded;
using c::with;

namespace {

/// Calls use() for a convolution and `array`, which has elements of the convolution's type.
template <class Use>
void with_elements(sixstep_convolution* convolution, void const* array, Use const& use) {
  with(convolution, [&]<class Real>(Convolution<Real>& of) {
    if (convolution->real_input)
      use(of, static_cast<Real const*>(array));
    else
      use(of, static_cast<std::complex<Real> const*>(array));
  });
}

}  // namespace

int c::create_convolution(int precision, sixstep_layout const* signal, sixstep_layout const* kernel,
                          sixstep_layout const* result, MPI_Comm comm,
                          std::function<ConvolutionOptions()> const& options,
                          sixstep_convolution** convolution) {
  return guarded(signal, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    ConvolutionOptions chosen;
    mpi::together(all, [&] {
      given(convolution, "convolution");
      given(signal, "signal");
      given(kernel, "kernel");
      enumerated(precision, SIXSTEP_SINGLE, "precision");
      chosen = options();
    });
    auto const make = [&](auto const&... layouts) {
      return made<Convolution>(precision, layouts..., all.get(), chosen);
    };
    bool const reals = has_r2c(chosen);
    // The fingerprints differ between ranks that leave the result open and ranks that do not.
    auto const inner = result == nullptr ? make(signal->layout, kernel->layout)
                                         : make(signal->layout, kernel->layout, result->layout);
    hand_out(convolution, Planned<Convolution>{inner, reals, reals, all.rank()});
  });
}

int c::create_open_poisson(int precision, sixstep_layout const* layout, MPI_Comm comm,
                           std::function<OpenPoissonOptions()> const& options,
                           sixstep_convolution** convolution) {
  return guarded(layout, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    OpenPoissonOptions chosen;
    mpi::together(all, [&] {
      given(convolution, "convolution");
      given(layout, "layout");
      enumerated(precision, SIXSTEP_SINGLE, "precision");
      chosen = options();
    });
    // The convolution's handle keeps the solver that holds the convolution.
    auto const inner = [](auto const& solver) -> Either<Convolution> {
      using Inner = std::decay_t<decltype(solver->convolution())>;
      return std::shared_ptr<Inner>(solver, &solver->convolution());
    };
    auto const solver = made<OpenPoisson>(precision, layout->layout, all.get(), chosen);
    hand_out(convolution, Planned<Convolution>{std::visit(inner, solver), true, true, all.rank()},
             solver, all);
  });
}

int sixstep_convolution_create(int precision, sixstep_layout const* signal,
                               sixstep_layout const* kernel, sixstep_layout const* result,
                               MPI_Comm comm, sixstep_convolution_options const* options,
                               sixstep_convolution** convolution) {
  return c::create_convolution(
      precision, signal, kernel, result, comm, [&] { return c::convolution_options_of(options); },
      convolution);
}

int sixstep_open_poisson_create(int precision, sixstep_layout const* layout, MPI_Comm comm,
                                sixstep_open_poisson_options const* options,
                                sixstep_convolution** convolution) {
  return c::create_open_poisson(
      precision, layout, comm, [&] { return c::open_poisson_options_of(options); }, convolution);
}

int sixstep_open_poisson_renew(sixstep_convolution* convolution,
                               sixstep_open_poisson_options const* options) {
  return guarded(convolution, [&] {
    auto const renew = [&](auto const& solver) {
      require(solver != nullptr,
              "convolution: one of sixstep_open_poisson_create() is needed, another was given");
      OpenPoissonOptions chosen;
      mpi::together(convolution->comm, [&] { chosen = c::open_poisson_options_of(options); });
      solver->renew(chosen);
    };
    std::visit(renew, given(convolution, "convolution").solver);
  });
}

int sixstep_convolution_free(sixstep_convolution* convolution) {
  return guarded([&] { delete convolution; });
}

SIXSTEP_CALLS_OF_PLANNED(sixstep_convolution)

int sixstep_convolution_result_shape(int axes, int64_t const* signal, int64_t const* kernel,
                                     sixstep_convolution_options const* options, int64_t* result) {
  return guarded([&] {
    given(result, "result");
    Shape const shape = Convolution<double>::result_shape(c::per_axis(axes, signal, "signal"),
                                                          c::per_axis(axes, kernel, "kernel"),
                                                          c::convolution_options_of(options));
    std::copy(shape.begin(), shape.end(), result);
  });
}

int sixstep_convolution_set_kernel(sixstep_convolution* convolution, void const* kernel) {
  return guarded(convolution, [&] {
    with_elements(convolution, kernel, [](auto& of, auto const* array) { of.set_kernel(array); });
  });
}

int sixstep_convolution_apply(sixstep_convolution* convolution, void const* in, void* out) {
  return guarded(convolution, [&] {
    with_elements(convolution, in, [&]<class Element>(auto& of, Element const* array) {
      of.apply(array, static_cast<Element*>(out));
    });
  });
}

int sixstep_convolution_verified(sixstep_convolution const* convolution, int64_t* checked,
                                 int64_t* unchecked, int64_t* repaired, int64_t* compared,
                                 double* largest_share) {
  return c::verified(convolution, checked, unchecked, repaired, compared, largest_share);
}

int sixstep_convolution_on_detection(sixstep_convolution* convolution,
                                     sixstep_detection_function* function, void* context) {
  return c::on_detection(convolution, function, context);
}

int sixstep_convolution_breakdown(sixstep_convolution* convolution, int* steps_count,
                                  sixstep_step const** steps) {
  return c::breakdown(convolution, steps_count, steps);
}
