// SPDX-License-Identifier: BSD-3-Clause
// The routine of the HPC Challenge benchmark's G-FFT, FFTE 4 in C: N = 2^p 3^q 5^r, which the
// number of ranks divides twice, as long as a rank's part has less than 2^31 points.
#include <mpi.h>
#include <omp.h>

extern "C" {
#include <hpccfft.h>
#include <hpccver.h>
#include <wrapmpifftw.h>
}

#include "node/distributed.hpp"

// The benchmark around the routine has them: seconds of its steps.
double forward_timings[8], backward_timings[8];
double* HPCC_fft_timings_forward = forward_timings;
double* HPCC_fft_timings_backward = backward_timings;

namespace sixstep::bench::node {
namespace {

bool is_possible(Case const& c, int ranks) {
  std::array<int, 3> powers;
  Index const n = c.shape[2], square = Index{ranks} * ranks;
  // Of one rank it needs no factors, and HPCC_factor235 refuses 1.
  bool const ranks_fit = ranks == 1 || HPCC_factor235(ranks, powers.data()) == 0;
  return c.kind == Kind::c2c && c.one_axis() && !c.single && ranks_fit && n % square == 0 &&
         n / ranks < Index{1} << 31 && HPCC_factor235_8(n, powers.data()) == 0;
}

std::optional<Prepared> prepare(Case const& c, Setting const& setting) {
  if (!is_possible(c, setting.ranks)) return std::nullopt;
  omp_set_num_threads(setting.threads);
  Index const n = c.shape[2], mine = n / setting.ranks;
  std::shared_ptr<hpcc_fftw_mpi_plan_struct> const plan(
      HPCC_fftw_mpi_create_plan(setting.comm, n, FFTW_FORWARD, FFTW_ESTIMATE),
      HPCC_fftw_mpi_destroy_plan);
  require(plan != nullptr, "HPCC: there is no memory for a plan of ", n, " points");
  std::shared_ptr<std::byte[]> const in = allocate(c.input_bytes() / setting.ranks),
                                     out = allocate(c.output_bytes() / setting.ranks);
  Part const part{{Range{0, 1}, Range{0, 1}, Range{setting.rank * mine, (setting.rank + 1) * mine}},
                  {n, n, 1}};
  // Blocks to blocks, or to a cyclic distribution, which saves the last exchange.
  int const direction = c.scrambled() ? -2 : -1;
  auto const run = [=, rank = setting.rank, ranks = setting.ranks] {
    HPCC_pzfft1d(n, reinterpret_cast<fftw_complex*>(in.get()),
                 reinterpret_cast<fftw_complex*>(out.get()), plan->work, rank, ranks, direction,
                 plan.get());
  };
  return Prepared{in, out, part, part, run};
}

}  // namespace

Contender hpcc_contender() {
  return {"HPCC",
          text(HPCC_VERSION_MAJOR, ".", HPCC_VERSION_MINOR, ".", HPCC_VERSION_MICRO, ", FFTE 4"),
          false, prepare};
}

}  // namespace sixstep::bench::node
