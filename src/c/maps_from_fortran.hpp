// SPDX-License-Identifier: BSD-3-Clause
// Functions of maps that are procedures of Fortran.
#pragma once

#include <cstdint>

#include "c/handles.hpp"

namespace sixstep::c {

/// A batch as Fortran's arrays need it, which have one distance between fields. Axes and indices
/// count from 1, the fastest axis first; but k has the slowest axis first.
struct FortranBatch {
  std::int64_t count;
  int axes, fields, results;
  void const* in;
  std::int64_t in_distance;  // between fields, in values
  void* out;
  std::int64_t out_distance;
  double const* k;  // null: points in space
  std::int64_t k_distance;
  std::int64_t first[SIXSTEP_MAX_AXES];
  sixstep_along points, rows;
};

/// A procedure, and the one of the module that calls it for a batch and returns its code.
/// `element`: bytes of a real, negative for complex values, as in the module.
struct FortranFunction {
  int (*call)(void (*procedure)(), FortranBatch const& batch);
  void (*procedure)();  // null: there is no function
  int results, element;
};

/// The functions of a map, before, at points and after, and its options. Throws Error if a
/// procedure takes other values than the map has in this precision.
MapRequest request_of_fortran(FortranFunction const* functions, int precision,
                              MapOptions const& options);

}  // namespace sixstep::c
