// SPDX-License-Identifier: BSD-3-Clause
// The README's example: ones on a grid of 64 x 60 x 50 points, forward and back.
// [example]
#include <cstdio>
#include <sixstep/sixstep.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    int ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto input = sixstep::Layout::slab({64, 60, 50}, ranks);  // 64 planes, split over the ranks
    sixstep::Plan<double> plan(input, MPI_COMM_WORLD);        // collective; plans both directions
    std::vector<std::complex<double>> field(plan.input_size(), 1.0);  // this rank's part: all ones
    std::vector<std::complex<double>> spectrum(plan.output_size());
    plan.forward(field.data(), spectrum.data());  // unscaled: X[0, 0, 0] = 64 * 60 * 50
    plan.backward(spectrum.data(), field.data(), sixstep::Scale::by_n);  // the field again
    if (rank == 0) std::printf("%s\nX[0] = %g\n", plan.describe().c_str(), spectrum[0].real());
  }
  MPI_Finalize();
}
// [example]
