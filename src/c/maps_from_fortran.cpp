// SPDX-License-Identifier: BSD-3-Clause
// Functions of maps that are procedures of Fortran.
#include "c/maps_from_fortran.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "c/planned.hpp"
#include "sixstep/error.hpp"

namespace sixstep::c {

namespace {

/// The distance between arrays, in values. Those of a batch are equally far apart.
std::int64_t distance(void const* const* arrays, int count, std::int64_t bytes) {
  auto const between = [&](int i) {
    return static_cast<std::byte const*>(arrays[i + 1]) - static_cast<std::byte const*>(arrays[i]);
  };
  if (count < 2) return 0;
  for (int i = 1; i + 1 < count; ++i)
    require_internal(between(i) == between(0), "fields of a batch are not equally far apart");
  return between(0) / bytes;
}

sixstep_along turned(sixstep_along const& along, int axes) {
  return {axes - along.axis, along.count, along.step};
}

FortranBatch turned(sixstep_batch const& batch, std::int64_t bytes) {
  FortranBatch made{.count = batch.count,
                    .axes = batch.axes,
                    .fields = batch.fields,
                    .results = batch.results,
                    .in = batch.in[0],
                    .in_distance = distance(batch.in, batch.fields, bytes),
                    .out = batch.out[0],
                    .out_distance = distance(batch.out, batch.results, bytes),
                    .k = batch.k == nullptr ? nullptr : batch.k[0],
                    .k_distance = batch.k == nullptr ? 0 : batch.count,
                    .first = {},
                    .points = turned(batch.points, batch.axes),
                    .rows = turned(batch.rows, batch.axes)};
  if (batch.k != nullptr && batch.axes > 1) made.k_distance = batch.k[1] - batch.k[0];
  std::reverse_copy(batch.first, batch.first + batch.axes, made.first);
  for (int axis = 0; axis < batch.axes; ++axis) ++made.first[axis];
  return made;
}

std::string word_of(int element) {
  return text(element > 0 ? "real(" : "complex(", std::abs(element), ")");
}

MapStep step_of(FortranFunction const& function, char const* name, int element) {
  if (function.procedure == nullptr) return {};
  require(function.element == element, name, ": a procedure of values of type ", word_of(element),
          " is needed, one of ", word_of(function.element), " was given");
  auto const call = [function](sixstep_batch const& batch) {
    int const bytes = function.element > 0 ? function.element : -2 * function.element;
    return function.call(function.procedure, turned(batch, bytes));
  };
  return {call, function.results};
}

}  // namespace

MapRequest request_of_fortran(FortranFunction const* functions, int precision,
                              MapOptions const& options) {
  int const bytes = precision == SIXSTEP_DOUBLE ? 8 : 4;
  int const coefficients = is_real_to_real(options) ? bytes : -bytes;
  int const points = has_r2c(options) ? bytes : coefficients;
  return {step_of(functions[0], "before", coefficients), step_of(functions[1], "at_points", points),
          step_of(functions[2], "after", coefficients), options};
}

}  // namespace sixstep::c
