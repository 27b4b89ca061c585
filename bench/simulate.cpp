// SPDX-License-Identifier: BSD-3-Clause
// What transforms take on a machine that SimGrid simulates: the library itself, each message as it
// would go.
//
// The script `simulate` runs it: all ranks are in one process, by turns, and share its globals.
// Clocks are the simulation's, in which passes take no time but what they are told to. Data is
// moved and transformed in earnest: the input is a plane wave, of which one coefficient remains.
#include <mpi.h>
#include <simgrid/actor.h>
#include <time.h>
#include <CLI/CLI.hpp>

#include <complex>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "arguments.hpp"
#include "measure.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "node/idling.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

// In the place of calls of SMPI whose cost in real time grows with the square of the ranks: its
// nonblocking collectives send from each rank to each other one, those that block take the
// algorithms that are usual; its MPI_Waitall looks at all requests for each that has ended.
extern "C" {
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status*) {
  for (int i = 0; i < count; ++i) PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/// SMPI takes the time of a look for each of the requests, and looks at each by itself. Here a look
/// takes a microsecond, whatever has come.
int MPI_Testsome(int count, MPI_Request* requests, int* ended, int* places, MPI_Status*) {
  sg_actor_sleep_for(1e-6);
  *ended = 0;
  for (;;) {
    int place = MPI_UNDEFINED, has_ended = 0;
    PMPI_Testany(count, requests, &place, &has_ended, MPI_STATUS_IGNORE);
    if (!has_ended || place == MPI_UNDEFINED) return MPI_SUCCESS;
    places[(*ended)++] = place;
  }
}

/// Ranks that wait for each other in memory call it, and nobody else; so often do they look.
int MPI_Iprobe(int, int, MPI_Comm, int* has_come, MPI_Status*) {
  *has_come = 0;
  sg_actor_sleep_for(1e-6);
  return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Barrier(comm);
}

int MPI_Ibcast(void* values, int count, MPI_Datatype type, int from, MPI_Comm comm,
               MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Bcast(values, count, type, from, comm);
}

int MPI_Iallreduce(void const* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Allreduce(mine, all, count, type, op, comm);
}

int MPI_Iallgather(void const* mine, int sent, MPI_Datatype type, void* all, int received,
                   MPI_Datatype as, MPI_Comm comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Allgather(mine, sent, type, all, received, as, comm);
}

/// Passes that are told to take their time.
int nanosleep(timespec const* time, timespec*) {
  sg_actor_sleep_for(static_cast<double>(time->tv_sec) + 1e-9 * static_cast<double>(time->tv_nsec));
  return 0;
}
}

namespace sixstep::bench::simulate {
namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

struct Arguments {
  Shape shape;
  std::vector<std::string> layouts = {"slab", "pencil", "brick"};
  std::vector<std::string> exchanges = {"pairwise", "shared"};
  std::vector<int> windows = {1};
  std::string machine = {};  // a file; passes take no time without
};

/// exp(2 pi i j k / n) along each axis, and where it comes to lie: at the wave vector k.
struct Wave {
  Shape shape;
  Shape vector = {};

  explicit Wave(Shape const& extents) : shape(extents) {
    for (Index extent : extents) vector.push_back(extent / 3);
  }

  /// In a rank's part.
  std::vector<Complex> field(Layout const& layout, int rank) const {
    std::vector<Complex> values;
    for_each(layout, rank, [&](Shape const& at) {
      double turns = 0;
      for (int axis = 0; axis < shape.size(); ++axis)
        turns += static_cast<double>(at[axis] * vector[axis] % shape[axis]) /
                 static_cast<double>(shape[axis]);
      values.push_back(std::polar(1.0, 2 * std::numbers::pi * turns));
    });
    return values;
  }

  /// The largest error of a rank's part of the spectrum, over the coefficient that is not zero.
  double error(Layout const& layout, int rank, std::vector<Complex> const& spectrum) const {
    auto const points = static_cast<double>(volume(shape));
    double largest = 0;
    auto value = spectrum.begin();
    for_each(layout, rank, [&](Shape const& at) {
      largest = std::max(largest, std::abs(*value++ - (at == vector ? points : 0)));
    });
    return largest / points;
  }

 private:
  /// visit(indices) of every element, in the order of memory.
  template <class Visit>
  static void for_each(Layout const& layout, int rank, Visit const& visit) {
    Box const box = layout.box(rank);
    Shape at = box.shape();
    auto const along = [&](auto const& self, int depth) -> void {
      if (depth == layout.axes()) return visit(at);
      int const axis = layout.order()[depth];
      Range const& range = box.ranges[axis];
      for (at[axis] = range.lo; at[axis] < range.hi; at[axis] += range.step) self(self, depth + 1);
    };
    along(along, 0);
  }
};

/// All ranks leave at the same time of the simulation.
double start_together(MPI_Comm comm) {
  double const start = cli::max_over(comm, MPI_Wtime()) + 1e-3;  // when all know of it
  sg_actor_sleep_until(start);
  return start;
}

/// One transform of what `options` say. Collective; errors: a wrong result.
Json simulate(MPI_Comm comm, Wave const& wave, Layout const& input, Options const& options,
              runners::IdleSeconds const& idle) {
  int const rank = cli::rank_of(comm);
  node::IdlingPlan plan(input, comm, options);
  plan.idle(idle);
  std::vector<Complex> const in = wave.field(input, rank);
  std::vector<Complex> out(static_cast<std::size_t>(plan.output_size()));
  double const start = start_together(comm);
  plan.forward(in.data(), out.data());
  double const seconds = cli::max_over(comm, MPI_Wtime() - start);
  double const error = cli::max_over(comm, wave.error(plan.output(), rank, out));
  require(error < 1e-12, "an error of ", error, " in ", plan.describe());
  return {{"seconds", seconds}};
}

void run(Arguments const& arguments) {
  // Simulated ranks are threads of one process and share MPI_COMM_WORLD's attributes, where plans
  // keep what they have in common; a duplicate is each rank's own.
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);  // SMPI has none by default
  runners::IdleSeconds idle;
  if (!arguments.machine.empty())
    idle = [machine = model::read_machine(arguments.machine),
            ranks = cli::ranks_of(comm)](program::Step const& step) {
      return model::price(std::get<program::Sweep>(step.work), ranks, sizeof(double), machine)
          .seconds;
    };
  for (std::string const& layout : arguments.layouts) {
    Layout const input =
        cli::layout_of(cli::read_layout(layout), arguments.shape, cli::ranks_of(comm));
    if (input.local_size(input.ranks() - 1) == 0) continue;
    for (std::string const& exchange : arguments.exchanges)
      for (int windows : arguments.windows) {
        if (exchange == "shared" && windows > 1) continue;  // in windows it goes by messages
        Options const options{
            .exchange = exchange == "shared" ? Exchange::shared : Exchange::pairwise,
            .threads = 1,
            .windows = windows};
        Json found = {{"ranks", input.ranks()},
                      {"layout", layout},
                      {"exchange", exchange},
                      {"windows", windows}};
        found.update(simulate(comm, Wave(arguments.shape), input, options, idle));
        if (cli::rank_of(comm) == 0) std::printf("%s\n", found.dump().c_str());
        std::fflush(stdout);
      }
  }
}

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Transforms on a simulated machine, a line of JSON each; bench/simulate starts it");
  cli::add_shape(app, arguments.shape);
  app.add_option("--layouts", arguments.layouts, "Of slab, pencil and brick")->delimiter(',');
  app.add_option("--exchanges", arguments.exchanges, "Of pairwise and shared")
      ->delimiter(',')
      ->check(CLI::IsMember({"pairwise", "shared"}));
  app.add_option("--windows", arguments.windows, "Numbers of windows")
      ->delimiter(',')
      ->check(CLI::Range(0, 64));
  app.add_option("--machine", arguments.machine,
                 "A file; passes take what they would there [none: no time]");
  CLI11_PARSE(app, argc, argv);
  return cli::with_mpi([&](MPI_Comm) { run(arguments); }, "simulate", MPI_THREAD_SINGLE);
}

}  // namespace
}  // namespace sixstep::bench::simulate

int main(int argc, char** argv) { return sixstep::bench::simulate::main(argc, argv); }
