// SPDX-License-Identifier: BSD-3-Clause
// Transforms the fields of another code without a copy: bricks of a process grid, in Fortran's
// order, with ghost layers, three components interleaved or one after another.
//
//   mpiexec -n 8 build/examples/bricks
//
// Each component becomes its derivative along x. Ghosts keep their values.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;
using Three = std::array<Index, 3>;  // along x, y, z

constexpr double pi = std::numbers::pi;
constexpr Three extents{36, 25, 32};
constexpr Index ghosts = 2;
constexpr Index components = 3;
constexpr double untouched = -1e30;

// The other code. It computes on
//   real(8) :: field(components, 1-ghosts:nx+ghosts, 1-ghosts:ny+ghosts, 1-ghosts:nz+ghosts)
// or on the same array with the components last.
struct OtherCode {
  Three first;  // point of this rank
  Three count;  // points of this rank
  bool interleaved;
  std::vector<double> field;

  OtherCode(MPI_Comm comm, bool side_by_side) : interleaved(side_by_side) {
    int ranks = 0, rank = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    std::array<int, 3> grid{};
    MPI_Dims_create(ranks, 3, grid.data());
    Index all = components;
    for (std::size_t axis = 0; axis < 3; ++axis) {  // x varies fastest among the ranks
      Index const parts = grid[axis], mine = rank % grid[axis];
      rank /= grid[axis];
      first[axis] = extents[axis] * mine / parts;
      count[axis] = extents[axis] * (mine + 1) / parts - first[axis];
      all *= count[axis] + 2 * ghosts;
    }
    field.assign(static_cast<std::size_t>(all), untouched);
  }

  // Offset of a component at a point, by this rank's indices: from -ghosts to count + ghosts - 1.
  std::size_t at(Index component, Index x, Index y, Index z) const {
    Index const row = count[0] + 2 * ghosts, plane = row * (count[1] + 2 * ghosts);
    Index const all = plane * (count[2] + 2 * ghosts);
    Index const point = (z + ghosts) * plane + (y + ghosts) * row + x + ghosts;
    return static_cast<std::size_t>(interleaved ? point * components + component
                                                : component * all + point);
  }

  // Calls visit(component, x, y, z, value, is_ghost). Coordinates are in [0, 2 pi) but for ghosts.
  template <class Visit>
  void for_each_value(Visit const& visit) {
    auto const coordinate = [&](std::size_t axis, Index i) {
      return 2 * pi * static_cast<double>(first[axis] + i) / static_cast<double>(extents[axis]);
    };
    auto const outside = [&](std::size_t axis, Index i) { return i < 0 || i >= count[axis]; };
    for (Index c = 0; c < components; ++c)
      for (Index z = -ghosts; z < count[2] + ghosts; ++z)
        for (Index y = -ghosts; y < count[1] + ghosts; ++y)
          for (Index x = -ghosts; x < count[0] + ghosts; ++x)
            visit(c, coordinate(0, x), coordinate(1, y), coordinate(2, z), field[at(c, x, y, z)],
                  outside(0, x) || outside(1, y) || outside(2, z));
  }
};

double value_at(Index c, double x, double y, double z) {
  return std::sin(static_cast<double>(c + 1) * x + y) + std::cos(5 * x) * std::sin(2 * z);
}
double derivative_at(Index c, double x, double y, double z) {
  auto const k = static_cast<double>(c + 1);
  return k * std::cos(k * x + y) - 5 * std::sin(5 * x) * std::sin(2 * z);
}

// The library needs the box of each rank, and the local array around it.
sixstep::Layout layout_of(OtherCode const& code, MPI_Comm comm) {
  sixstep::Box mine;
  for (std::size_t axis = 0; axis < 3; ++axis)
    mine.ranges.push_back({code.first[axis], code.first[axis] + code.count[axis]});
  sixstep::Order const fortran{2, 1, 0};  // z is the slowest
  return sixstep::gather_boxes(sixstep::Shape(extents), mine, comm, fortran)
      .with_ghosts({ghosts, ghosts, ghosts}, {ghosts, ghosts, ghosts});
}

void differentiate_along_x(OtherCode& code, MPI_Comm comm) {
  sixstep::Plan<double> plan(layout_of(code, comm), comm,
                             {.axes = {0},  // only x
                              .kinds = {sixstep::Kind::r2c},
                              .fields = components,
                              .interleaved = code.interleaved});
  std::vector<std::complex<double>> modes(plan.output_size());
  plan.forward(code.field.data(), modes.data());
  Index const next_component = plan.output_strides()[3];
  auto const differentiate = [&](sixstep::Shape const& k, Index i) {
    double const w = plan.wavenumber(0, k[0]);
    std::complex<double> const factor(0, 2 * k[0] == extents[0] ? 0 : w);  // n/2 has no derivative
    for (Index c = 0; c < components; ++c) modes[i + c * next_component] *= factor;
  };
  sixstep::for_each(plan.output_box(), plan.output_strides(), plan.threads(), differentiate);
  plan.backward(modes.data(), code.field.data(), sixstep::Scale::by_n);
}

// The largest error on any rank; infinite if a ghost has changed.
double error_of(bool interleaved, MPI_Comm comm) {
  OtherCode code(comm, interleaved);
  code.for_each_value([](Index c, double x, double y, double z, double& value, bool is_ghost) {
    if (!is_ghost) value = value_at(c, x, y, z);
  });
  differentiate_along_x(code, comm);
  double error = 0;
  code.for_each_value([&](Index c, double x, double y, double z, double value, bool is_ghost) {
    double const wrong = is_ghost ? (value == untouched ? 0 : HUGE_VAL)
                                  : std::abs(value - derivative_at(c, x, y, z));
    error = std::isnan(wrong) ? HUGE_VAL : std::max(error, wrong);
  });
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double const side_by_side = error_of(true, MPI_COMM_WORLD);
  double const behind = error_of(false, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("errors of derivatives: components side by side %.1e, one behind the other %.1e\n",
                side_by_side, behind);
  MPI_Finalize();
  return side_by_side < 1e-12 && behind < 1e-12 ? 0 : 1;
}
