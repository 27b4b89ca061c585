// SPDX-License-Identifier: BSD-3-Clause
// 3-D transforms against FFTW's MPI transforms, in turn in one run, transposed output.
//
//   mpiexec -n 2 against_fftw 256 256 256 [repeats]
//
// FFTW is planned with FFTW_MEASURE and may destroy its input. Times are from a barrier to the end
// on the slowest rank. FFTW is GPL: this program is built only on request (SIXSTEP_BENCH_FFTW) and
// is not part of what is installed.
#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using Complex = std::complex<double>;
using sixstep::Index;

/// FFTW's plan and arrays for one shape.
class Fftw {
 public:
  explicit Fftw(sixstep::Shape const& n) {
    ptrdiff_t rows, first_row, columns, first_column;
    ptrdiff_t const points = fftw_mpi_local_size_3d_transposed(
        n[0], n[1], n[2], MPI_COMM_WORLD, &rows, &first_row, &columns, &first_column);
    in_ = fftw_alloc_complex(static_cast<std::size_t>(points));
    out_ = fftw_alloc_complex(static_cast<std::size_t>(points));
    plan_ = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], in_, out_, MPI_COMM_WORLD, FFTW_FORWARD,
                                 FFTW_MEASURE | FFTW_DESTROY_INPUT | FFTW_MPI_TRANSPOSED_OUT);
    std::fill_n(reinterpret_cast<Complex*>(in_), points, Complex{});
  }
  ~Fftw() {
    fftw_destroy_plan(plan_);
    fftw_free(in_);
    fftw_free(out_);
  }
  Fftw(Fftw const&) = delete;
  Fftw& operator=(Fftw const&) = delete;
  void run() const { fftw_execute(plan_); }

 private:
  fftw_complex* in_;
  fftw_complex* out_;
  fftw_plan plan_;
};

template <class Run>
double seconds(Run const& run) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const begin = MPI_Wtime();
  run();
  double time = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return time;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void compare(sixstep::Shape const& n, int repeats) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Fftw const fftw(n);
  sixstep::Plan<double> plan(sixstep::Layout::slab(n, ranks), MPI_COMM_WORLD);
  std::vector<Complex> in(static_cast<std::size_t>(plan.input_size()));
  std::vector<Complex> out(static_cast<std::size_t>(plan.output_size()));
  std::vector<double> theirs, ours, ratios;
  for (int repeat = -2; repeat < repeats; ++repeat) {
    double const fftw_time = seconds([&] { fftw.run(); });
    double const our_time = seconds([&] { plan.forward(in.data(), out.data()); });
    if (repeat < 0) continue;
    theirs.push_back(fftw_time);
    ours.push_back(our_time);
    ratios.push_back(fftw_time / our_time);
  }
  if (rank != 0) return;
  std::printf("%s on %d ranks, %d repeats\n", to_string(n).c_str(), ranks, repeats);
  std::printf("  FFTW     %8.3f ms median, %8.3f ms min\n", 1e3 * median(theirs),
              1e3 * *std::min_element(theirs.begin(), theirs.end()));
  std::printf("  sixstep  %8.3f ms median, %8.3f ms min\n", 1e3 * median(ours),
              1e3 * *std::min_element(ours.begin(), ours.end()));
  std::printf("  sixstep is %.2f times as fast (median of the ratios, pair by pair)\n",
              median(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  if (argc < 4) {
    std::fprintf(stderr, "usage: mpiexec -n RANKS against_fftw N0 N1 N2 [repeats]\n");
  } else {
    compare({std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3])},
            argc > 4 ? std::max(1, std::atoi(argv[4])) : 20);
  }
  MPI_Finalize();
}
