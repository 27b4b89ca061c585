// SPDX-License-Identifier: BSD-3-Clause
// A whole solver: steps of the Taylor-Green vortex of examples/ against the same solver on FFTW's
// MPI transforms, in turn, in one run.
//
//   mpiexec -n 2 solver --points 128,192
//
// Both must have come to the same energy and enstrophy before anything is timed.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "node/rounds.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "solver/fftw_flow.hpp"
#include "taylor_green.hpp"

namespace sixstep::bench {
namespace {

constexpr double viscosity = 1. / 1600;

struct Arguments {
  std::vector<Index> points = {128, 192};
  node::Patience patience = {.rounds = 9, .seconds = 2};
};

/// Errors, on all ranks: they differ by more than rounding.
void require_same(taylor_green::Totals const& ours, taylor_green::Totals const& theirs) {
  constexpr double rounding = 1e-12;
  require(std::abs(ours.energy - theirs.energy) < rounding &&
              std::abs(ours.enstrophy - theirs.enstrophy) < rounding,
          "the solvers differ: energy ", ours.energy, " and ", theirs.energy, ", enstrophy ",
          ours.enstrophy, " and ", theirs.enstrophy);
}

void compare(Index n, node::Patience const& patience, MPI_Comm comm) {
  taylor_green::Flow ours(n, viscosity, comm, 1);
  FftwFlow theirs(n, viscosity, comm);
  double const dt = 1 / static_cast<double>(n);
  for (int step = 0; step < 3; ++step) {
    ours.step(dt);
    theirs.step(dt);
  }
  require_same(ours.totals(), theirs.totals());
  Trials const trials =
      node::take_turns({[&] { ours.step(dt); }, [&] { theirs.step(dt); }}, patience, comm);
  require_same(ours.totals(), theirs.totals());
  if (cli::rank_of(comm) != 0) return;
  std::printf("%4lld^3 %12.2f %12.2f %8.2f\n", static_cast<long long>(n), 1e3 * median(trials[0]),
              1e3 * median(trials[1]), median_ratio(trials[0], trials[1]));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Steps of a Taylor-Green vortex, on sixstep and on FFTW, in turn", "solver");
  app.add_option("--points", arguments.points, "Along each axis [128,192]")
      ->delimiter(',')
      ->check(CLI::Range(4, 4096));
  app.add_option("--rounds", arguments.patience.rounds, "In which both make a step, at least [9]")
      ->transform(cli::number_in(1, cli::most_repeats));
  app.add_option("--seconds", arguments.patience.seconds, "For each size at least [2]")
      ->transform(cli::number_in(0.0, 3600.0));
  CLI11_PARSE(app, argc, argv);
  return cli::with_mpi(
      [&](MPI_Comm comm) {
        if (cli::rank_of(comm) == 0)
          std::printf("%d ranks, milliseconds a step\n%6s %12s %12s %8s\n", cli::ranks_of(comm),
                      "points", "sixstep", "FFTW", "ratio");
        for (Index const n : arguments.points) compare(n, arguments.patience, comm);
      },
      "solver");
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
