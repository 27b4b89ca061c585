// SPDX-License-Identifier: BSD-3-Clause
// The options of soak, and the words of a problem explained.
#include "settings.hpp"

#include <random>

namespace soak {

namespace {

constexpr char help[] = R"(Random problems for sixstep, each checked against sums by the definition.

  mpiexec -n 3 soak --seconds 60                 a minute of random problems
  mpiexec -n 3 soak --seed 5 --first 17 --problems 1   that one again
  mpiexec -n 3 soak --problem 'double shape=8x6 in=slab:0 run=fuu1'

A problem is one line. Teams of ranks work at the same time and are separated by |; plans of a team
are alive at once, separated by +, and executed in turns. The words of a plan:
  ranks=2.0.1        of the team: ranks of the run, in the order of its communicator [all]
  float, double      precision
  shape=4x6          extents
  in=LAYOUT          slab:AXIS, pencil, brick, grid:2x1cx3 (c: cyclic) or boxes:0:4x0:6/4:8x0:6
                     (the ranges of each rank), and @1.0 for a memory order,
                     %1.0,0.2 for ghosts before and after
  out=LAYOUT         the same [open: the plan's choice]
  out_shape=4x7      a shape that is not that of the result
  axes=1.0           axes to transform [all]
  kinds=c2c.r2c      of each axis, or of all
  lengths=8.9        of the transforms [the points]; modes=3.8: that are kept of each [all]
  sphere=3           radii of the waves that are kept, as in 1.5/2/3; columns=0.-1.2: that are kept
  padded, interleaved, overwrite (preserve_input = false), low_memory, regrid,
  split_untransformed, lent (own_workspace = false),
  exchange=shared|collective|pairwise|persistent|one_sided, threads=2,
  local=own|fftw|mkl, device=none|cuda|emulated,
  windows=8, driver=between|master|pipelines|thread|automatic, pipelines=2
  wire=1e-05         the tolerance of messages
  reproducible=machine|everywhere, verify=result|all
  node_ranks=2       SIXSTEP_NODE_RANKS; isa=AVX2: SIXSTEP_ISA
  run=fup1.Bps       executions: f forward, b backward; then whose input and output: u the user's,
                     p the plan's, n the plan's and new, o the plan's on odd ranks, e on even ranks;
                     then the scale: 1 none, n by_n, s by_sqrt_n. F and B are in place: one array
  late=1             made after so many turns; early: destroyed after its last execution
  serial             each rank transforms the whole array by a serial plan, in the input's order of
                     memory; in_strides=30x5, out_strides=1x4: arrays that are not dense
  moved              the plan is moved to another one; outlive: its arrays outlive it
  on=1:threads=2     this rank of the team reads this word too
  make=operator, map, convolution or open_poisson in place of a plan. Executions are forward and
                     unscaled. Numbers of symbols and of functions are made by a formula.
  results=2          an operator's matrix has 2 rows [its symbol is a number]
  results=0.2.1      the functions of a map have so many results: before, at points, after; 0: none
  sides              lengths of the domain; real: numbers are real
  product            an operator's symbol is a product of one number for each axis
  array              it is an array of numbers; renewed, a function and an array in turn
  called             the operator keeps no table; renewed: another symbol before each execution
  back=8.9           lengths of an operator's transforms back; first=0.3: its first points. out and
                     out_shape are those of its result, out of a map that of its coefficients
  results_in=LAYOUT  of the coefficients of a map's result [that of its coefficients]
  batch=64           of a map; scales=n1: its factors, to points and from points
  kernel=3x4         shape of a convolution's kernel; kernel_in=LAYOUT, mode=same, correlate, even
  walls=open.neumann of each axis of a solver in free space; points=cells.nodes, shift=0.5/0: in
                     points; greens=function, or distances or waves: an array of numbers in the
                     layout kernel_in; more_waves=2.0: than points along each axis
  refused            a mistake: all ranks must throw the same Error
The exit status is 0 if nothing failed.)";

std::uint64_t random_seed() {
  std::random_device device;
  return device() % 1000000000;
}

}  // namespace

void add_settings(CLI::App& app, Settings& settings) {
  app.footer(help);
  app.add_option("--seed", settings.seed, "Of the random problems [another each time]");
  app.add_option("--seconds", settings.seconds, "How long to go on [10, if no number is given]");
  app.add_option("--problems", settings.problems,
                 "How many problems to run; with --problem, how often");
  app.add_option("--times", settings.times,
                 "Run each problem so often: queues of a device go another way each time [1]")
      ->check(CLI::PositiveNumber);
  app.add_option("--first", settings.first, "The number of the first problem [0]");
  app.add_option("--problem", settings.problem, "Run this problem alone");
  app.add_option("--only", settings.only,
                 "Run only problems whose lines match this regular expression");
  app.add_option("--avoid", settings.avoid, "Run no problems whose lines match this one");
  app.add_option("--log", settings.log, "A file that names the problem that is running");
  app.add_option("--patience", settings.patience_s,
                 "Seconds after which a problem is taken to hang; 0: none [60]");
  app.add_option("--shrink", settings.shrink_s,
                 "Seconds to spend on making a problem that fails smaller [20]");
  app.add_flag("--list-simpler", settings.list_simpler,
               "Print the problems that are a step simpler than --problem, and run none");
  app.add_flag("--keep-going", settings.keep_going, "Go on after a failure");
}

void complete(CLI::App const& app, Settings& settings) {
  if (app.count("--seed") == 0) settings.seed = random_seed();
  if (settings.problems != 0 || settings.seconds > 0) return;
  constexpr double usual_seconds = 10;
  if (settings.problem.empty())
    settings.seconds = usual_seconds;
  else
    settings.problems = 1;
}

}  // namespace soak
