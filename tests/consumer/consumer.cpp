// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else, who found sixstep installed: the sum of the spectrum of an impulse is
// N.
#include <mpi.h>

#include <complex>
#include <cstdio>
#include <vector>

#include <sixstep/sixstep.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool right = false;
  {
    auto const layout = sixstep::Layout::slab({6, 5, 4}, ranks);
    sixstep::Plan<double> plan(layout, layout, MPI_COMM_WORLD);
    std::vector<std::complex<double>> field(static_cast<std::size_t>(plan.in_place_size()));
    if (rank == 0) field.at(0) = 1;
    plan.forward(field.data(), field.data());
    double sum = 0;
    for (auto value : field) sum += value.real();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    right = sum == 120;
    if (rank == 0) std::printf("sixstep %s on %d ranks: sum %g\n", sixstep::version, ranks, sum);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
