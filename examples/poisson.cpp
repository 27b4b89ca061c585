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
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;
using sixstep::Walls;
using Place = sixstep::PerAxis<double>;

// The known u. Its coefficients along each axis are those of exp(cos t): modified Bessel
// functions of 1.
double known(Place const& x) { return std::exp(std::sin(x[0]) + std::cos(x[1]) + std::cos(x[2])); }
double laplacian_of_known(Place const& x) {
  auto const second = [](double cosine) { return 1 - cosine * cosine - cosine; };
  return known(x) * (second(std::sin(x[0])) + second(std::cos(x[1])) + second(std::cos(x[2])));
}

// The largest error on any rank.
double error_with(Index n, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  sixstep::PoissonOptions options;  // sides of 2 pi, or of pi between walls
  options.walls = {Walls::periodic, Walls::neumann, Walls::periodic};
  options.mean = std::pow(std::cyl_bessel_i(0, 1.0), 3);
  sixstep::Poisson<double> poisson(sixstep::Layout::pencil({n, n / 2, n}, ranks), comm, options);
  auto& arrays = poisson.inverse();
  auto const for_each_place = [&](auto const& visit) {
    sixstep::for_each(arrays.input_box(), arrays.input_strides(),
                      [&](sixstep::Shape const& point, Index i) { visit(poisson.x(point), i); });
  };
  std::vector<double> u(arrays.in_place_size());
  for_each_place([&](Place const& x, Index i) { u[i] = laplacian_of_known(x); });
  poisson.solve(u.data(), u.data());
  double error = 0;
  for_each_place(
      [&](Place const& x, Index i) { error = std::max(error, std::abs(u[i] - known(x))); });
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
