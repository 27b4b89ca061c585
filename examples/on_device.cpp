// SPDX-License-Identifier: BSD-3-Clause
// A transform and its inverse on a GPU, or on the emulated device if there is no GPU.
//
//   mpiexec -n 2 build/examples/on_device
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <sixstep/sixstep.hpp>
#include <vector>

int main(int argc, char** argv) {
  using sixstep::Device;
  using Complex = std::complex<double>;
  MPI_Init(&argc, &argv);
  int status = EXIT_FAILURE;
  {
    int ranks = 1, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // [device]
    Device const device = sixstep::devices(Device::cuda).empty() ? Device::emulated : Device::cuda;
    auto const input = sixstep::Layout::slab({64, 60, 50}, ranks);
    sixstep::Plan<double> plan(input, MPI_COMM_WORLD, {.device = device});
    auto const field = plan.allocate(), spectrum = plan.allocate();  // in the device's memory

    std::vector<Complex> here(plan.input_size(), 1.0);
    std::size_t const bytes = here.size() * sizeof(Complex);
    sixstep::copy(device, field.get(), here.data(), bytes);
    plan.execute_async(field.get(), spectrum.get());
    plan.execute_async(spectrum.get(), field.get(), sixstep::Direction::backward,
                       sixstep::Scale::by_n);
    plan.wait();
    sixstep::copy(device, here.data(), field.get(), bytes);
    // [device]

    double worst = 0;
    for (Complex const& value : here) worst = std::max(worst, std::abs(value - 1.0));
    if (rank == 0) std::printf("%s\n", plan.describe().c_str());
    std::printf("rank %d: %zu points, at most %.1e from what they were\n", rank, here.size(),
                worst);
    if (worst < 1e-13) status = EXIT_SUCCESS;
  }
  MPI_Finalize();
  return status;
}
