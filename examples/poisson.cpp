// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation in a duct: periodic along x and z, insulated walls at both ends of y.
//
//   mpiexec -n 4 build/examples/poisson
//
// Solves laplacian u = f for a known smooth u, on finer and finer grids. The error falls like the
// coefficients of u for which a grid has no modes: faster than any power of the spacing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;
using sixstep::Kind;
using sixstep::Shape;

constexpr double pi = std::numbers::pi;

// The points x_i = 2 pi i / n0, y_j = pi (j + 1/2) / n1, z_k = 2 pi k / n2: calls visit(x, y, z, i)
// for all of them on this rank; i is the offset in its array.
template <class Visit>
void at_points(sixstep::Operator<double> const& solve, Visit const& visit) {
  Shape const& points = solve.input().shape();
  sixstep::for_each(solve.input_box(), solve.input_strides(), [&](Shape const& point, Index i) {
    auto const along = [&](int axis, double length, double shift) {
      return length * (static_cast<double>(point[axis]) + shift) /
             static_cast<double>(points[axis]);
    };
    visit(along(0, 2 * pi, 0), along(1, pi, 0.5), along(2, 2 * pi, 0), i);
  });
}

// The known u. Its coefficients along each axis are those of exp(cos t): modified Bessel
// functions of 1.
double known(double x, double y, double z) {
  return std::exp(std::sin(x) + std::cos(y) + std::cos(z));
}
double laplacian_of_known(double x, double y, double z) {
  auto const second = [](double cosine) { return 1 - cosine * cosine - cosine; };
  return known(x, y, z) * (second(std::sin(x)) + second(std::cos(y)) + second(std::cos(z)));
}

// The largest error on any rank.
double error_with(Index n, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  // Cosines have no slope at the walls: the mode w along y is cos(w y).
  sixstep::OperatorOptions options;
  options.kinds = {Kind::c2c, Kind::dct2, Kind::r2c};
  sixstep::Operator<double> solve(sixstep::Layout::pencil({n, n / 2, n}, ranks), comm,
                                  sixstep::symbols::inverse_laplacian(), options);
  std::vector<double> u(solve.in_place_size());
  at_points(solve,
            [&](double x, double y, double z, Index i) { u[i] = laplacian_of_known(x, y, z); });
  solve.apply(u.data(), u.data());
  double const mean = std::pow(std::cyl_bessel_i(0, 1.0), 3);
  double error = 0;
  at_points(solve, [&](double x, double y, double z, Index i) {
    error = std::max(error, std::abs(u[i] - (known(x, y, z) - mean)));
  });
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("points         error    first coefficient without a mode\n");
  bool good = true;
  for (Index const n : {4, 6, 8, 12, 16, 24, 32, 48}) {
    double const error = error_with(n, MPI_COMM_WORLD);
    double const left_out = std::cyl_bessel_i(static_cast<double>(n / 2), 1.0);
    constexpr double several = 20, rounding = 1e-13;  // such coefficients: two signs, three axes
    good = good && error < several * left_out + rounding;
    if (rank == 0)
      std::printf("%2d x %2d x %2d  %.1e  %.1e\n", static_cast<int>(n), static_cast<int>(n / 2),
                  static_cast<int>(n), error, left_out);
  }
  if (rank == 0 && !good) std::printf("The error is too large\n");
  MPI_Finalize();
  return good ? 0 : 1;
}
