// SPDX-License-Identifier: BSD-3-Clause
// A whole solver: steps of the Taylor-Green vortex against the same solver on FFTW's
// MPI transforms, in turn, in one run.
//
//   mpiexec -n 2 solver --points 128,192
//
// Both must have come to the same energy and enstrophy before anything is timed.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "solver/fftw_flow.hpp"
#include "solver/taylor_green.hpp"

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

/// A flow that makes steps, and how long each is in transforms.
template <class Flow>
class Contender {
 public:
  Contender(Flow& flow, double dt)
      : flow_(flow), dt_(dt), before_s_(flow.seconds_in_transforms()) {}

  void step() {
    flow_.step(dt_);
    ++steps_;
  }
  double seconds_in_transforms() const {
    return (flow_.seconds_in_transforms() - before_s_) / steps_;
  }

 private:
  Flow& flow_;
  double dt_;
  double before_s_;
  int steps_ = 0;
};

void compare(Index n, node::Patience const& patience, MPI_Comm comm) {
  taylor_green::Flow our_flow(n, viscosity, comm, 1);
  FftwFlow their_flow(n, viscosity, comm);
  double const dt = 1 / static_cast<double>(n);
  for (int step = 0; step < 3; ++step) {
    our_flow.step(dt);
    their_flow.step(dt);
  }
  require_same(our_flow.totals(), their_flow.totals());
  Contender ours(our_flow, dt);
  Contender theirs(their_flow, dt);
  Trials const trials =
      node::take_turns({[&] { ours.step(); }, [&] { theirs.step(); }}, patience, comm);
  if (cli::rank_of(comm) != 0) return;
  std::printf("%5lld^3 %9.1f %12.1f %9.1f %12.1f %8.2f\n", static_cast<long long>(n),
              1e3 * median(trials[0]), 1e3 * ours.seconds_in_transforms(), 1e3 * median(trials[1]),
              1e3 * theirs.seconds_in_transforms(), median_ratio(trials[0], trials[1]));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Steps of a Taylor-Green vortex, on sixstep and on FFTW, in turn", "solver");
  app.add_option("--points", arguments.points, "Along each axis [128,192]")
      ->delimiter(',')
      ->check(CLI::Range(4, 4096));
  add_rounds(app, arguments.patience.rounds, "In which both make a step, at least [9]");
  add_seconds(app, arguments.patience.seconds, "For each size at least [2]");
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    if (cli::rank_of(comm) == 0)
      std::printf("%d ranks, milliseconds a step\n%7s %9s %12s %9s %12s %8s\n", cli::ranks_of(comm),
                  "points", "sixstep", "transforms", "FFTW", "transforms", "ratio");
    for (Index const n : arguments.points) compare(n, arguments.patience, comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
