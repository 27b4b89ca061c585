// SPDX-License-Identifier: BSD-3-Clause
// Domains of equations: their words on the command line, and the transforms that fit them.
#include "domain.hpp"

#include <algorithm>
#include <numbers>
#include <string>

#include "base/words.hpp"

namespace sixstep::cli {

namespace {

template <Named Value>
std::vector<Value> read_names(std::string const& word, char const* what) {
  std::vector<Value> values;
  for (std::string const& part : split(word, ',')) {
    auto const value = named<Value>(part);
    std::string names;
    for (char const* name : names_of(Value{})) names += text(names.empty() ? "" : ", ", name);
    require(value.has_value(), "'", shortened(part), "' is no ", what, ": ", names, " are known");
    values.push_back(*value);
  }
  return values;
}

/// An entry for each of so many axes.
template <class Value>
std::vector<Value> spread(std::vector<Value> const& given, int axes, Value by_default,
                          char const* option) {
  auto const count = static_cast<std::size_t>(axes);
  if (given.size() == count) return given;
  require(given.size() <= 1, option, ": ", axes, axes == 1 ? " word is" : " words are",
          " needed, one for each axis, or one for all, ", given.size(), " were given");
  return std::vector<Value>(count, given.empty() ? by_default : given[0]);
}

// The transform that fits these walls, as Points lists them.
Kind kind_of(Walls walls, Points points) {
  bool const in_cells = points == Points::cells;
  switch (walls) {
    case Walls::periodic:
    case Walls::open:
      return Kind::c2c;
    case Walls::dirichlet:
      return in_cells ? Kind::dst2 : Kind::dst1;
    case Walls::neumann:
      return in_cells ? Kind::dct2 : Kind::dct1;
    case Walls::dirichlet_neumann:
      return in_cells ? Kind::dst4 : Kind::dst3;
    case Walls::neumann_dirichlet:
      return in_cells ? Kind::dct4 : Kind::dct3;
  }
  return Kind::c2c;
}

}  // namespace

Domain Domain::with_axes(int axes) const {
  require(sides.empty() || static_cast<int>(sides.size()) == axes, "--sides: ", axes,
          axes == 1 ? " number is" : " numbers are", " needed, one for each axis, ", sides.size(),
          sides.size() == 1 ? " was" : " were", " given");
  return {spread(walls, axes, Walls::periodic, "--walls"),
          spread(points, axes, Points::cells, "--at"), sides};
}

Domain Domain::reversed() const {
  return {{walls.rbegin(), walls.rend()},
          {points.rbegin(), points.rend()},
          {sides.rbegin(), sides.rend()}};
}

std::vector<Kind> Domain::kinds(bool of_reals) const {
  std::vector<Kind> kinds;
  for (std::size_t axis = 0; axis < walls.size(); ++axis)
    kinds.push_back(kind_of(walls[axis], points[axis]));
  auto const last = std::find(kinds.rbegin(), kinds.rend(), Kind::c2c);
  if (of_reals && last != kinds.rend()) *last = Kind::r2c;
  return kinds;
}

PerAxis<double> Domain::spacing(Shape const& shape) const {
  PerAxis<double> distances;
  for (int axis = 0; axis < shape.size(); ++axis) {
    auto const at = static_cast<std::size_t>(axis);
    bool const is_periodic = walls[at] == Walls::periodic;
    double const side = sides.empty() ? std::numbers::pi * (is_periodic ? 2 : 1) : sides[at];
    Index parts = shape[axis];
    if (points[at] == Points::nodes && walls[at] == Walls::dirichlet) parts += 1;
    if (points[at] == Points::nodes && walls[at] == Walls::neumann && parts > 1) parts -= 1;
    distances.push_back(side / static_cast<double>(parts));
  }
  return distances;
}

bool Domain::has_constants() const {
  return std::all_of(walls.begin(), walls.end(),
                     [](Walls each) { return each == Walls::periodic || each == Walls::neumann; });
}

std::vector<Walls> read_walls(std::string const& word) {
  std::vector<Walls> const walls = read_names<Walls>(word, "boundary of an axis");
  require(std::find(walls.begin(), walls.end(), Walls::open) == walls.end(),
          "open: the command solves equations in boxes that are periodic or between walls");
  return walls;
}

std::vector<Points> read_points(std::string const& word) {
  return read_names<Points>(word, "place of points");
}

CLI::Option* add_walls(CLI::App& command, Domain& domain) {
  CLI::Option* const walls =
      add_read(command, "--walls", domain.walls, read_walls,
               "The ends of all axes, or of each axis: periodic, dirichlet (u is 0 at both walls), "
               "neumann (du/dx is 0), dirichlet_neumann or neumann_dirichlet (one each) [periodic]")
          ->option_text("WORD[,WORD...]");
  add_read(command, "--at", domain.points, read_points,
           "The points between walls, along all axes or each: cells (their middles) or nodes (on a "
           "wall where du/dx is 0, not where u is 0) [cells]")
      ->option_text("cells|nodes[,...]")
      ->needs(walls);
  return walls;
}

void add_sides(CLI::App& command, std::vector<double>& sides, std::string const& help) {
  add_read(command, "--sides", sides, read_sides, help)->option_text("L,L,...");
}

}  // namespace sixstep::cli
