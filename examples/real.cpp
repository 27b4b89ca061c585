// SPDX-License-Identifier: BSD-3-Clause
// The documents' examples of real transforms: half the memory and half the messages.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sixstep/sixstep.hpp>

namespace {

using sixstep::Index;

// Solves -div grad u = f with f = cos x + cos 2z on a periodic box: u = cos x + cos 2z / 4.
// Returns this rank's largest error.
double poisson(MPI_Comm comm, int ranks) {
  // [r2c]
  sixstep::Shape const shape{32, 30, 28};
  auto const input = sixstep::Layout::slab(shape, ranks);
  sixstep::Plan<double> plan(input, comm, {.kinds = {sixstep::Kind::r2c}});
  std::vector<double> field(plan.input_size());  // reals, laid out as plan.input()
  std::vector<std::complex<double>> spectrum(plan.output_size());  // 32 x 30 x 15 in all
  // [r2c]
  double const step[] = {2 * std::numbers::pi / 32, 2 * std::numbers::pi / 28};
  auto const wave = [&](sixstep::Shape const& at, double factor) {
    return std::cos(step[0] * static_cast<double>(at[0])) +
           factor * std::cos(2 * step[1] * static_cast<double>(at[2]));
  };
  // [fill]
  sixstep::for_each(plan.input_box(), plan.input_strides(),
                    [&](sixstep::Shape const& at, Index i) { field[i] = wave(at, 1); });
  // [fill]
  // [use]
  plan.forward(field.data(), spectrum.data());
  auto const solve = [&](sixstep::Shape const& k, Index i) {  // k: indices; i: where it lies
    double squared = 0;
    for (double const w : plan.wavenumber(k)) squared += w * w;
    spectrum[i] = squared > 0 ? spectrum[i] / squared : 0;
  };
  sixstep::for_each(plan.output_box(), plan.output_strides(), plan.threads(), solve);
  plan.backward(spectrum.data(), field.data(), sixstep::Scale::by_n);
  // [use]
  double error = 0;
  sixstep::for_each(plan.input_box(), plan.input_strides(), [&](auto const& at, Index i) {
    error = std::max(error, std::abs(field[i] - wave(at, 0.25)));
  });
  return error;
}

// A transform and its inverse in one array with FFTW's padded rows.
double in_place(MPI_Comm comm, int ranks) {
  // [padded]
  sixstep::Plan<float> plan(sixstep::Layout::pencil({32, 30, 28}, ranks), comm,
                            {.kinds = {sixstep::Kind::r2c}, .padded = true});
  std::vector<std::complex<float>> array(plan.in_place_size());
  float* const field = reinterpret_cast<float*>(array.data());  // rows of 2 (28/2 + 1) = 30 floats
  // [padded]
  for (std::size_t i = 0; i < static_cast<std::size_t>(plan.input_size()); ++i)
    field[i] = static_cast<float>(i % 7);
  plan.forward(field, array.data());
  plan.backward(array.data(), field, sixstep::Scale::by_n);
  double error = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(plan.input_size()); ++i)
    if (i % 30 < 28) error = std::max(error, std::abs(field[i] - static_cast<double>(i % 7)));
  return error;
}

// A wave between insulated walls is a single cosine mode.
double walls(MPI_Comm comm, int ranks, int rank) {
  // [cosines]
  sixstep::Plan<double> plan(sixstep::Layout::slab({40, 36}, ranks), comm,
                             {.kinds = {sixstep::Kind::dct2}});  // along both axes
  std::vector<double> field(plan.input_size()), modes(plan.output_size());
  // [cosines]
  for (Index i = 0; i < plan.input_size(); ++i) {
    auto const row = static_cast<double>(plan.input().box(rank).ranges[0].lo + i / 36);
    field[static_cast<std::size_t>(i)] = std::cos(std::numbers::pi * (row + 0.5) * 3 / 40);
  }
  std::vector<double> const before = field;
  // [there]
  plan.forward(field.data(), modes.data());
  plan.backward(modes.data(), field.data(), sixstep::Scale::by_n);  // divides by 80 * 72
  // [there]
  double error = 0;
  for (std::size_t i = 0; i < field.size(); ++i)
    error = std::max(error, std::abs(field[i] - before[i]));
  double largest = 0;
  for (double const mode : modes) largest = std::max(largest, mode);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return std::max(error, std::abs(largest / (40 * 72) - 1));
}

// A channel: periodic along x and z, Chebyshev along y.
double channel(MPI_Comm comm, int ranks) {
  // [kinds]
  using sixstep::Kind;
  sixstep::Plan<double> plan(sixstep::Layout::pencil({24, 33, 32}, ranks), comm,
                             {.axes = {2, 0, 1}, .kinds = {Kind::r2c, Kind::c2c, Kind::dct1}});
  // [kinds]
  std::vector<double> field(plan.input_size(), 1.0);
  std::vector<std::complex<double>> modes(plan.output_size());
  plan.forward(field.data(), modes.data());
  plan.backward(modes.data(), field.data(), sixstep::Scale::by_n);
  double error = 0;
  for (double const value : field) error = std::max(error, std::abs(value - 1));
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double errors[] = {poisson(MPI_COMM_WORLD, ranks), walls(MPI_COMM_WORLD, ranks, rank),
                     channel(MPI_COMM_WORLD, ranks), in_place(MPI_COMM_WORLD, ranks)};
  MPI_Allreduce(MPI_IN_PLACE, errors, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("Poisson %.1e, walls %.1e, channel %.1e, in place %.1e\n", errors[0], errors[1],
                errors[2], errors[3]);
  MPI_Finalize();
  return errors[0] < 1e-13 && errors[1] < 1e-13 && errors[2] < 1e-13 && errors[3] < 1e-5 ? 0 : 1;
}
