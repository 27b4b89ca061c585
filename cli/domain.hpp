// SPDX-License-Identifier: BSD-3-Clause
// Domains of equations: what bounds each axis, where the points lie, and the transforms that fit.
//
// This file knows nothing about arrays or MPI.
#pragma once

#include <vector>

#include "arguments.hpp"
#include "sixstep/poisson.hpp"

namespace sixstep::cli {

/// --walls, --at and --sides: one entry for all axes, one for each axis, or, if empty, the
/// defaults.
struct Domain {
  std::vector<Walls> walls = {};
  std::vector<Points> points = {};
  std::vector<double> sides = {};

  /// The domain of an array with so many axes, with an entry for each. Errors: another number of
  /// entries.
  Domain with_axes(int axes) const;
  /// This domain with the axes in the reverse order.
  Domain reversed() const;
  /// The transforms whose waves satisfy the walls' conditions, for a domain with all entries. Those
  /// of a real array have r2c along the last periodic axis.
  std::vector<Kind> kinds(bool of_reals) const;
  /// The distance between points along each axis of an array with this shape, for a domain with all
  /// entries but, if there are none, the sides.
  PerAxis<double> spacing(Shape const& shape) const;
  /// Whether a constant satisfies the conditions at all walls.
  bool has_constants() const;
};

/// "dirichlet", "periodic,neumann".
std::vector<Walls> read_walls(std::string const& word);
/// "cells", "nodes,cells".
std::vector<Points> read_points(std::string const& word);

/// --walls and --at.
CLI::Option* add_walls(CLI::App& command, Domain& domain);
/// --sides.
void add_sides(CLI::App& command, std::vector<double>& sides, std::string const& help);

}  // namespace sixstep::cli
