// SPDX-License-Identifier: BSD-3-Clause
// The documents' example of global arrays: u with Laplacian f, in a box that is 2 pi long.
//
//   mpiexec -n 4 global
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sixstep/sixstep.hpp>

namespace {

bool solve(MPI_Comm comm) {
  // [global]
  using namespace sixstep;
  Ranks const ranks(comm);
  Array<double> f(Shape{64, 48, 40}, ranks);  // 64 planes, split over the ranks
  f.fill([&](Shape const& i) {
    auto const x = [&](int axis) {
      return 2 * std::numbers::pi * static_cast<double>(i[axis]) /
             static_cast<double>(f.shape()[axis]);
    };
    return std::sin(x(0)) * std::cos(2 * x(1));
  });

  Array waves(rfftn(f));  // 64 x 48 x 21 complex numbers, split as f is
  for_each_wave(waves, f.shape(), [](Shape const& k, std::complex<double>& wave) {
    Index const squared = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    wave = squared == 0 ? 0 : wave / -static_cast<double>(squared);
  });

  Array<double> u(Layout::pencil(f.shape(), ranks.size()), ranks);
  u = irfftn(std::move(waves));              // straight into pencils; waves may be destroyed
  double const error = max_norm(u + f / 5);  // f comes to where u lies first
  // [global]
  if (ranks.rank() == 0) std::printf("u is -f/5 up to %.1e\n", error);
  return error < 1e-15;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool const right = solve(MPI_COMM_WORLD);
  MPI_Finalize();
  return right ? 0 : 1;
}
