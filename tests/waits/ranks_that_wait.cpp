// SPDX-License-Identifier: BSD-3-Clause
// Ranks that plan, allocate and execute, one of which stops in the middle as if its host had hung.
//
// Each says which process it is, so that whoever runs them can see to it that none is left.
// Usage: ranks_that_wait HOW [SECONDS], one of those that main() knows.
#include <mpi.h>
#include <unistd.h>

#include <complex>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exchange/turn.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/sixstep.hpp"

namespace {

using sixstep::Exchange;
using sixstep::Layout;
using sixstep::Options;

constexpr sixstep::Index length = 48;

int count_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

/// In a line of its own, whatever other ranks say meanwhile.
void say(std::string const& words) {
  std::string const line = words + '\n';
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::abort();
}

/// The last rank goes no further.
void stop_last() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == count_ranks() - 1) std::raise(SIGSTOP);
}

Layout slab() { return Layout::slab({length, length}, count_ranks()); }

/// Executes once, and once more, where the last rank does not come.
void stop_before_execution(Layout const& layout, Options const& options) {
  sixstep::Plan<double> plan(layout, layout, MPI_COMM_WORLD, options);
  std::vector<std::complex<double>> array(static_cast<std::size_t>(plan.in_place_size()));
  plan.forward(array.data(), array.data());
  stop_last();
  plan.forward(array.data(), array.data());
}

/// The same on a device, by memory of the host.
void stop_before_staged_execution() {
  sixstep::Plan<double> plan(slab(), slab(), MPI_COMM_WORLD,
                             {.exchange = Exchange::pairwise, .device = sixstep::Device::emulated});
  auto const array = plan.allocate();
  plan.forward(array.get(), array.get());
  stop_last();
  plan.forward(array.get(), array.get());
}

/// In place, where the last rank does not come.
void transpose() {
  auto const comm = sixstep::mpi::Communicator::duplicate(MPI_COMM_WORLD);
  sixstep::redistribution::Square const square{6 * comm.size(), 1, comm.size()};
  std::vector<std::complex<double>> rows(static_cast<std::size_t>(square.block() * square.side));
  std::vector<std::byte> scratch(sixstep::exchange::turn_bytes<double>(square, 1));
  stop_last();
  sixstep::exchange::turn(square, comm, rows.data(), rows.data(), 1, scratch.data());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say(sixstep::text("process ", getpid()));
  std::map<std::string, std::function<void()>> const ways{
      {"pairwise", [] { stop_before_execution(slab(), {.exchange = Exchange::pairwise}); }},
      {"collective", [] { stop_before_execution(slab(), {.exchange = Exchange::collective}); }},
      {"shared", [] { stop_before_execution(slab(), {}); }},
      {"staged", stop_before_staged_execution},
      {"transposition", transpose},
      {"planning",
       [] {
         stop_last();
         sixstep::Plan<double> plan(slab(), MPI_COMM_WORLD);
       }},
      {"allocation",
       [] {
         sixstep::Plan<double> plan(slab(), MPI_COMM_WORLD);
         stop_last();
         plan.allocate();
       }},
      {"sum",
       [] {
         sixstep::Array<double> array(slab(), MPI_COMM_WORLD);
         stop_last();
         sum(array);
       }},
      {"all to all",
       [] {
         auto const comm = sixstep::mpi::Communicator::duplicate(MPI_COMM_WORLD);
         std::vector<double> from(static_cast<std::size_t>(comm.size())), to = from;
         stop_last();
         sixstep::mpi::all_to_all(comm, from.data(), to.data(), {MPI_DOUBLE, 1});
       }},
      {"trace",
       [] {
         sixstep::Plan<double> plan(slab(), MPI_COMM_WORLD, {.trace = "/dev/null"});
         stop_last();
         plan.write_trace();
       }},
      {"nobody stops",
       [] {
         for (Exchange exchange : {Exchange::pairwise, Exchange::collective, Exchange::shared}) {
           sixstep::Plan<double> plan(slab(), MPI_COMM_WORLD, {.exchange = exchange});
           auto const array = plan.allocate();
           for (int time = 0; time < 100; ++time) plan.forward(array.get(), array.get());
         }
       }},
      {"all work for a while",
       [seconds = argc > 2 ? std::atof(argv[2]) : 0] {
         sixstep::Plan<double> plan(slab(), MPI_COMM_WORLD, {.exchange = Exchange::pairwise});
         auto const array = plan.allocate();
         say("executing");
         double const begin = MPI_Wtime();
         for (int goes_on = 1; goes_on;) {
           for (int time = 0; time < 20; ++time) plan.forward(array.get(), array.get());
           goes_on = MPI_Wtime() - begin < seconds;
           sixstep::mpi::broadcast(MPI_COMM_WORLD, &goes_on, sizeof goes_on);
         }
       }},
  };
  ways.at(argc > 1 ? argv[1] : "")();
  MPI_Finalize();
}
