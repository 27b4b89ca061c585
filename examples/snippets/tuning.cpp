// SPDX-License-Identifier: BSD-3-Clause
// The code of docs/tuning.md: a plan that searches for the best choices, and one with a trace.
//
//   mpiexec -n 2 tuning
#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

double tuned(MPI_Comm comm) {
  using namespace sixstep;
  // [tune]
  Options options;
  options.tuning = TuningLevel::quick;  // exhaustive: all combinations, without a limit
  options.tuning_seconds = 0.5;
  Layout const input = Plan<double>::tuned_layout({64, 60, 50}, comm, options);
  Plan<double> plan(input, comm, options);
  // [tune]
  std::vector<std::complex<double>> field(plan.input_size(), 1.0), spectrum(plan.output_size());
  plan.forward(field.data(), spectrum.data());
  // [breakdown]
  for (Plan<double>::Part const& part : plan.breakdown())
    std::printf("%s: %g s, %g bytes\n", part.what.c_str(), part.seconds, part.bytes);
  // [breakdown]
  plan.backward(spectrum.data(), field.data(), Scale::by_n);
  double error = 0;
  for (auto const& value : field) error = std::max(error, std::abs(value - 1.0));
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("SIXSTEP_WISDOM", "", 1);  // results of this example are of no use to others
  MPI_Init(&argc, &argv);
  double error = tuned(MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
