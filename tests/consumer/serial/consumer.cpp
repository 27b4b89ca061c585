// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else without MPI: the spectrum of an impulse is 1 everywhere.
#include <complex>
#include <cstdio>
#include <vector>

#include <sixstep/serial.hpp>

#ifdef MPI_VERSION
#error "sixstep/serial.hpp includes mpi.h"
#endif

int main() {
  sixstep::SerialPlan<double> const plan({6, 5, 4}, {.threads = 2});
  std::vector<std::complex<double>> field(static_cast<std::size_t>(plan.input_size()));
  std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(plan.output_size()));
  field[0] = 1;
  plan.forward(field.data(), spectrum.data());
  bool right = true;
  for (std::complex<double> const& each : spectrum) right = right && std::abs(each - 1.0) < 1e-12;
  std::printf("%s\n%s\n", plan.describe().c_str(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
