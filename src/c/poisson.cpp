// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation for C.
#include "sixstep/poisson.hpp"

#include <algorithm>
#include <memory>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "c/planned.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;
using c::with;

int c::create_poisson(int precision, sixstep_layout const* layout, MPI_Comm comm,
                      std::function<PoissonOptions()> const& options, sixstep_poisson** poisson) {
  return guarded(layout, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    PoissonOptions chosen;
    mpi::together(all, [&] {
      given(poisson, "poisson");
      given(layout, "layout");
      enumerated(precision, SIXSTEP_SINGLE, "precision");
      chosen = options();
    });
    hand_out(poisson,
             Planned<Poisson>{made<Poisson>(precision, layout->layout, all.get(), chosen), true,
                              true, all.rank()},
             all);
  });
}

int sixstep_poisson_create(int precision, sixstep_layout const* layout, MPI_Comm comm,
                           sixstep_poisson_options const* options, sixstep_poisson** poisson) {
  return c::create_poisson(
      precision, layout, comm, [&] { return c::poisson_options_of(options); }, poisson);
}

int sixstep_poisson_free(sixstep_poisson* poisson) {
  return guarded([&] { delete poisson; });
}

int sixstep_poisson_inverse(sixstep_poisson* poisson, sixstep_operator** op) {
  return guarded(poisson, [&] {
    given(op, "op");
    // The operator's handle keeps the solver that holds the operator.
    auto const inverse = [](auto const& solver) -> c::Either<Operator> {
      return std::shared_ptr<std::decay_t<decltype(solver->inverse())>>(solver, &solver->inverse());
    };
    hand_out(op,
             c::Planned<Operator>{std::visit(inverse, given(poisson, "poisson").made), true, true,
                                  poisson->rank},
             poisson->comm);
  });
}

int sixstep_poisson_solve(sixstep_poisson* poisson, void const* f, void* u,
                          sixstep_wall_values* values, void* context, double* left_out) {
  return guarded(poisson, [&] {
    WallValues at_walls;
    if (values != nullptr)
      at_walls = [=](Wall const& wall, PerAxis<double> const& x) {
        double value = 0;
        int const code = values(context, wall.axis, wall.is_last ? 1 : 0, x.begin(), &value);
        require(code == 0, "values: the function returned ", code, ", 0 is needed");
        return value;
      };
    double const mean = with(poisson, [&]<class Real>(Poisson<Real>& of) {
      return of.solve(static_cast<Real const*>(f), static_cast<Real*>(u), at_walls);
    });
    c::put(left_out, mean);
  });
}

int sixstep_poisson_x(sixstep_poisson const* poisson, int64_t const* point, double* x) {
  return guarded(poisson, [&] {
    given(x, "x");
    with(poisson, [&](auto& of) {
      auto const place = of.x(c::per_axis(of.inverse().input().axes(), point, "point"));
      std::copy(place.begin(), place.end(), x);
    });
  });
}

int sixstep_poisson_spacing(sixstep_poisson const* poisson, double* spacing) {
  return guarded(poisson, [&] {
    given(spacing, "spacing");
    with(poisson, [&](auto& of) {
      auto const distances = of.spacing();
      std::copy(distances.begin(), distances.end(), spacing);
    });
  });
}
