// SPDX-License-Identifier: BSD-3-Clause
// Random programs of global arrays, and the same done to whole arrays by plain loops: after each
// statement they agree.
//
//     mpiexec -n 4 build/mpich/tests/soak/soak_arrays [--programs N] [--seed SEED]
//
// Every rank draws the same random numbers. The seed is printed; a program that fails prints its
// statements, and `--seed` with its seed and `--programs 1` runs it alone.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "array_program.hpp"
#include "sixstep/array.hpp"

namespace {

using sixstep::Ranks;

/// Whether all programs were right.
bool run(int programs, std::uint64_t first, Ranks const& ranks) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(programs); ++seed) {
    std::string words;
    try {
      soak::Program program(seed, ranks);
      try {
        program.run();
      } catch (std::exception const&) {
        words = program.words();
        throw;
      }
    } catch (std::exception const& error) {
      if (ranks.rank() == 0)
        std::printf("FAILED on %d ranks, --seed %llu --programs 1: %s%s\n", ranks.size(),
                    static_cast<unsigned long long>(seed), error.what(), words.c_str());
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int programs = 30;
  std::int64_t seed = -1;
  CLI::App app("Random programs of global arrays, compared with plain loops over whole arrays");
  app.add_option("--programs", programs, "how many")->capture_default_str();
  app.add_option("--seed", seed, "of the first program, each further one has the next [any]");
  CLI11_PARSE(app, argc, argv);
  bool right = false;
  {
    Ranks const ranks(MPI_COMM_WORLD);
    if (seed < 0) seed = static_cast<std::int64_t>(std::random_device()());
    ranks.broadcast(&seed, sizeof seed, 0);
    if (ranks.rank() == 0)
      std::printf("%d programs of arrays on %d ranks, --seed %lld\n", programs, ranks.size(),
                  static_cast<long long>(seed));
    std::fflush(stdout);
    right = run(programs, static_cast<std::uint64_t>(seed), ranks);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
