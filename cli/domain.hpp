// SPDX-License-Identifier: BSD-3-Clause
// Domains of equations: what bounds each axis, where the points lie, and the transforms that fit.
//
// This file knows nothing about arrays or MPI.
#pragma once

#include <array>
#include <vector>

#include "arguments.hpp"

namespace sixstep::cli {

/// The ends of an axis: it is periodic, or u is 0 (Dirichlet) or du/dx is 0 (Neumann) at both walls
/// or at the first and at the last one.
enum class Walls { periodic, dirichlet, neumann, dirichlet_neumann, neumann_dirichlet };
constexpr auto names_of(Walls) {
  return std::array{"periodic", "dirichlet", "neumann", "dirichlet-neumann", "neumann-dirichlet"};
}

/// The points between two walls: the middles of equal cells, which end at the walls, or nodes. A
/// node lies on each wall where du/dx is 0, and none where u is 0.
enum class Points { cells, nodes };
constexpr auto names_of(Points) { return std::array{"cells", "nodes"}; }

/// --walls, --at and --sides: one entry for all axes, one for each axis, or, if empty, the
/// defaults.
struct Domain {
  std::vector<Walls> walls = {};
  std::vector<Points> points = {};
  std::vector<double> sides = {};

  /// The domain of an array with so many axes, with an entry for each. Errors: another number of
  /// entries.
  Domain with_axes(int axes) const;
  /// The same domain with the axes in the reverse order.
  Domain reversed() const;
  /// The transforms whose waves satisfy the walls' conditions, for a domain with all entries. Those
  /// of a real array have r2c along the last periodic axis.
  std::vector<Kind> kinds(bool of_reals) const;
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
