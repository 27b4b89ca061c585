// SPDX-License-Identifier: BSD-3-Clause
// What a plan is to compute in one direction, or a solver: the whole input, the whole output, and
// how near.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace soak {

struct Reference {
  std::vector<std::complex<double>> input;
  std::vector<std::complex<double>> output;  // unscaled
  double rounding;  // what rounding may do to the output, in units of the precision's epsilon
};

/// Of a plan, with all fields; the same on all ranks, of which one computes. `packing` has the
/// numbers in the box (kept_waves.hpp) of a packed array's elements; empty: it is the box.
/// Collective.
Reference reference(Job const& job, Direction direction, std::vector<Index> const& packing,
                    std::uint64_t seed, MPI_Comm comm);

/// Of all fields of an operator, a map or a convolution, whose output is scaled. The seed says what
/// a kernel is, `variant` which of several symbols is meant.
Reference solver_reference(Job const& job, std::vector<Index> const& packing, std::uint64_t seed,
                           int variant, MPI_Comm comm);

/// Whether the elements on either side are reals.
bool is_real_input(Job const& job);
bool is_real_output(Job const& job);

}  // namespace soak
