// SPDX-License-Identifier: BSD-3-Clause
// Operators of the C interface, and those of C++ that must have the same results.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "c_handles.hpp"
#include "c_same_bits.hpp"
#include "sixstep.h"
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::c_operators {

using namespace c_handles;

template <class Create, class... Args>
Owned<sixstep_symbol> symbol(Create create, Args... args) {
  return made<sixstep_symbol>(create, args...);
}

// A box of odd, even and prime extents; no two axes are alike.
inline Index const shape[] = {12, 9, 7};
inline double const sides[] = {2, 3, 4};

inline sixstep_operator_options box(int fields = 1) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.plan.fields = fields;
  options.sides_count = 3;
  std::copy(sides, sides + 3, options.sides);
  return options;
}
inline OperatorOptions box_of_cpp(int fields = 1) {
  OperatorOptions options{{.kinds = {Kind::r2c}, .fields = fields}};
  options.sides = {sides, sides + 3};
  return options;
}

inline Owned<sixstep_layout> slab() {
  return made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
}
inline Layout slab_of_cpp() { return Layout::slab({12, 9, 7}, all()); }

/// Whether operators of two symbols have the same results, with a table or without.
template <class Real>
void expect_same_operators(sixstep_symbol const* ours, Symbol const& theirs, int fields,
                           bool kept) {
  sixstep_operator_options options = box(fields);
  options.kept = kept ? 1 : 0;
  OperatorOptions options_of_cpp = box_of_cpp(fields);
  options_of_cpp.kept = kept;
  auto const op = made<sixstep_operator>(sixstep_operator_create, precision_of<Real>, slab().get(),
                                         ours, MPI_COMM_WORLD, &options);
  Operator<Real> expected(slab_of_cpp(), MPI_COMM_WORLD, theirs, options_of_cpp);
  expect_same<Real>(op.get(), expected);
}

/// The same in double precision with a table, and in single precision without.
inline void expect_same_symbols(char const* name, Owned<sixstep_symbol> const& ours,
                                Symbol const& theirs, int fields = 1) {
  SCOPED_TRACE(name);
  expect_same_operators<double>(ours.get(), theirs, fields, true);
  expect_same_operators<float>(ours.get(), theirs, fields, false);
}

}  // namespace sixstep::c_operators
