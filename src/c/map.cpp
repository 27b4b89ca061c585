// SPDX-License-Identifier: BSD-3-Clause
// Maps for C.
#include "sixstep/map.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>

#include "c/batch.hpp"
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

/// Calls a function of C for a batch.
struct CallsC {
  c::MapStep step;
  char const* name;
  int axes, fields;

  template <class Value>
  void operator()(Batch<Value> const& batch) const {
    sixstep_batch const called = c::batch_of(batch, axes, fields, step.results);
    int const code = step.function(called);
    require(code == 0, name, ": the function returned ", code, ", 0 is needed");
  }
};

template <class Real>
c::Either<Map> map_of(sixstep_layout const& points, sixstep_layout const* coefficients,
                      MPI_Comm comm, c::MapRequest const& of) {
  int fields = of.options.fields;
  auto const step = [&](c::MapStep const& each, char const* name) {
    if (!each.function) return typename MapFunctions<Real>::Step{};
    CallsC const calls{each, name, points.layout.axes(), fields};
    fields = each.results;
    return typename MapFunctions<Real>::Step{calls, each.results};
  };
  MapFunctions<Real> functions;
  functions.before = step(of.before, "before");
  functions.at_points = step(of.at_points, "at_points");
  functions.after = step(of.after, "after");
  // The fingerprints differ between ranks that leave the coefficients open and ranks that do not.
  if (coefficients == nullptr)
    return std::make_shared<Map<Real>>(points.layout, comm, functions, of.options);
  return std::make_shared<Map<Real>>(points.layout, coefficients->layout, comm, functions,
                                     of.options);
}

c::MapStep step_of(sixstep_map_step const& step, char const* name) {
  given(step.function, name);
  auto const call = [step](sixstep_batch const& batch) {
    return step.function(step.context, &batch);
  };
  return {call, step.results};
}

/// Does what step_of() does, for a function that may be missing.
c::MapStep step_if_any(sixstep_map_step const& step, char const* name) {
  if (step.function == nullptr && step.results == 0) return {};
  return step_of(step, name);
}

}  // namespace

int c::create_map(int precision, sixstep_layout const* points, sixstep_layout const* coefficients,
                  MPI_Comm comm, std::function<MapRequest()> const& wanted, sixstep_map** map) {
  return guarded(points, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    MapRequest of;
    mpi::together(all, [&] {
      given(map, "map");
      given(points, "points");
      enumerated(precision, SIXSTEP_SINGLE, "precision");
      of = wanted();
    });
    bool const reals = is_real_to_real(of.options);
    auto const make = precision == SIXSTEP_DOUBLE ? map_of<double> : map_of<float>;
    hand_out(map,
             Planned<Map>{make(*points, coefficients, all.get(), of), reals, reals, all.rank()});
  });
}

int sixstep_map_create(int precision, sixstep_layout const* points,
                       sixstep_layout const* coefficients, MPI_Comm comm,
                       sixstep_map_functions const* functions, sixstep_map_options const* options,
                       sixstep_map** map) {
  auto const wanted = [&] {
    given(functions, "functions");
    return c::MapRequest{step_if_any(functions->before, "before.function"),
                         step_of(functions->at_points, "at_points.function"),
                         step_if_any(functions->after, "after.function"),
                         c::map_options_of(options)};
  };
  return c::create_map(precision, points, coefficients, comm, wanted, map);
}

int sixstep_map_free(sixstep_map* map) {
  return guarded([&] { delete map; });
}

SIXSTEP_CALLS_OF_PLANNED(sixstep_map)

int sixstep_map_apply(sixstep_map* map, void const* in, void* out) {
  return guarded(map, [&] {
    with(map, [&]<class Real>(Map<Real>& of) {
      using Complex = std::complex<Real>;
      if (map->real_input)
        of.apply(static_cast<Real const*>(in), static_cast<Real*>(out));
      else
        of.apply(static_cast<Complex const*>(in), static_cast<Complex*>(out));
    });
  });
}

int sixstep_batch_index(sixstep_batch const* batch, int64_t i, int64_t* index) {
  return guarded([&] {
    sixstep_batch const& of = given(batch, "batch");
    given(index, "index");
    std::copy_n(of.first, of.axes, index);
    index[of.rows.axis] += i / of.points.count * of.rows.step;
    index[of.points.axis] += i % of.points.count * of.points.step;
  });
}

int sixstep_map_verified(sixstep_map const* map, int64_t* checked, int64_t* unchecked,
                         int64_t* repaired, int64_t* compared, double* largest_share) {
  return c::verified(map, checked, unchecked, repaired, compared, largest_share);
}

int sixstep_map_on_detection(sixstep_map* map, sixstep_detection_function* function,
                             void* context) {
  return c::on_detection(map, function, context);
}

int sixstep_map_breakdown(sixstep_map* map, int* steps_count, sixstep_step const** steps) {
  return c::breakdown(map, steps_count, steps);
}
