// SPDX-License-Identifier: BSD-3-Clause
// What an operator, a map or a convolution is to compute, by the transforms of exact.hpp and the
// formulas of oracles/solvers.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exact.hpp"
#include "oracles/solvers.hpp"
#include "problem.hpp"

namespace soak {

/// The numbers of a job's symbol, or of its functions of coefficients; `variant` says which of
/// several symbols.
solver_oracle::Numbers numbers_of(Job const& job, int variant);

/// The lengths of the domain that a job asks for; empty: none.
std::vector<double> sides_of(Job const& job);

/// The results of a map's functions: before, at points and after.
std::array<int, 3> map_results(Job const& job);

/// The coefficients of an operator that are kept.
Shape coefficients_shape(Job const& job);

/// The fields of the output.
int output_fields(Job const& job);

/// A convolution's kernel.
Whole<long double> kernel_of(Job const& job, std::uint64_t seed);

/// The output for an input, both with all fields along one more axis.
struct Solved {
  Whole<long double> output;
  double size;  // of the largest numbers that it is a sum of
};
Solved solved(Job const& job, Whole<long double> const& input, std::uint64_t seed, int variant);

}  // namespace soak
