// SPDX-License-Identifier: BSD-3-Clause
// HPCC's G-FFT in the global view: one long transform, written as its six steps on global arrays,
// and as one call.
//
//   mpiexec -n 4 gfft [points] [repeats]
//
// N = n1 n2, j = n2 j1 + j2, k = k1 + n1 k2 (Bailey 1990):
//   X[k] = sum_j2 w_n2^(j2 k2) [ w_N^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] ].
// HPCC's rules: the inverse must give x again, max|x - x0| < 16 eps ln N.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sixstep/array.hpp>
#include <vector>

namespace {

using sixstep::Array;
using sixstep::Index;
using sixstep::Shape;
using Complex = std::complex<double>;
using Vector = Array<Complex>;

// [six_steps]
// From x(j1, j2) to X(k2, k1). Transpose, transform the rows, twiddle; transpose, transform the
// rows, transpose.
void six_step(Vector const& x, Vector& work, Vector& X) {
  work = fft(transpose(x)).twiddled(0);
  X = transpose(fft(transpose(work)));
}
void inverse_six_step(Vector const& X, Vector& work, Vector& x) {
  work = ifft(transpose(X)).twiddled(0);
  x = transpose(ifft(transpose(work)));
}
// [six_steps]

// Pseudorandom numbers between 0 and 1, the same on any number of ranks.
Complex noise(Index i) {
  auto const part = [&](std::uint64_t salt) {
    std::uint64_t x = (static_cast<std::uint64_t>(i) * 2 + salt) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1p-53;
  };
  return {part(0), part(1)};
}

// The median of the runs, after a first run that makes the plans.
template <class Steps>
double seconds(int repeats, Steps const& steps) {
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const begin = std::chrono::steady_clock::now();
    steps();
    std::chrono::duration<double> const here = std::chrono::steady_clock::now() - begin;
    times.push_back(here.count());
    MPI_Allreduce(MPI_IN_PLACE, &times.back(), 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  auto const middle = times.begin() + 1 + repeats / 2;
  std::nth_element(times.begin() + 1, middle, times.end());
  return *middle;
}

bool run(Index points, int repeats) {
  auto rows = static_cast<Index>(std::sqrt(static_cast<double>(points)));
  while (points % rows != 0) --rows;
  sixstep::Ranks const ranks(MPI_COMM_WORLD);
  Vector x(Shape{rows, points / rows}, ranks), work(Shape{points / rows, rows}, ranks), X(work);
  auto const start = [&](Shape const& j) { return noise(j[0] * x.shape()[1] + j[1]); };
  x.fill(start);
  Vector line(Shape{points}, ranks), spectrum(line), back(x.layout(), ranks);
  line.fill([](Shape const& j) { return noise(j[0]); });
  double const steps_s = seconds(repeats, [&] { six_step(x, work, X); });
  double const call_s = seconds(repeats, [&] { spectrum = fft(line); });
  Vector other_work(x.layout(), ranks);
  inverse_six_step(X, other_work, back);
  double const eps = 0x1p-53, bound = 16 * eps * std::log(points);
  double const error = max_norm(back - x);
  // Both arrays have X[k] at the same place if their layouts distribute it in the same way.
  Array<double> apart(X.layout(), ranks);
  if (X.local_size() == spectrum.local_size())
    for (Index i = 0; i < X.local_size(); ++i)
      apart.data()[i] = std::abs(X.data()[i] - spectrum.data()[i]);
  double const difference = max(apart) / std::sqrt(static_cast<double>(points));
  double const flop = 5 * static_cast<double>(points) * std::log2(points) * 1e-9;
  if (ranks.rank() == 0)
    std::printf(
        "%lld points on %d ranks\nsix steps  %.3f ms, %.2f GFLOP/s\none call   %.3f ms, %.2f "
        "GFLOP/s\nerror      max|x - x0| = %.3e, %.3f of what HPCC allows\ndifference %.1e\n",
        static_cast<long long>(points), ranks.size(), 1e3 * steps_s, flop / steps_s, 1e3 * call_s,
        flop / call_s, error, error / bound, difference);
  return error < bound && difference < 1e-13;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool const passed =
      run(argc > 1 ? std::atoll(argv[1]) : 500'000, argc > 2 ? std::atoi(argv[2]) : 5);
  MPI_Finalize();
  return passed ? 0 : 1;
}
