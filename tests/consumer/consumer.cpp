// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else, who found sixstep installed: the sum of the spectrum of an impulse is
// N, and an array comes back from the HDF5 file that is named.
#include <mpi.h>

#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include <sixstep/sixstep.hpp>

namespace {

bool comes_back(std::string const& path) {
  sixstep::Ranks const ranks(MPI_COMM_WORLD);
  sixstep::Array<double> saved({6, 5}, ranks), loaded({6, 5}, ranks);
  saved.fill([](sixstep::Shape const& i) { return double(10 * i[0] + i[1]); });
  try {
    sixstep::save_hdf5(path, "a", saved);
    sixstep::load_hdf5(path, "a", loaded);
  } catch (sixstep::Error const& error) {
    if (error.code() != sixstep::ErrorCode::library) throw;
    return true;  // it was built without HDF5
  }
  return max_norm(loaded - saved) == 0;
}

}  // namespace

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
    right = sum == 120 && comes_back(argv[1]);
    if (rank == 0) std::printf("sixstep %s on %d ranks: sum %g\n", sixstep::version, ranks, sum);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
