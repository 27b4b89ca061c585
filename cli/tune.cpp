// SPDX-License-Identifier: BSD-3-Clause
// `sixstep tune`: what is measured once, to choose and to predict by. --machine: the machine.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "binding.hpp"
#include "commands.hpp"
#include "local/transform.hpp"
#include "measure.hpp"
#include "measure/machine.hpp"
#include "model/machine_file.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "runtime/threads.hpp"
#include "sixstep/version.hpp"
#include "table.hpp"

namespace sixstep::cli {
namespace {

constexpr char examples[] = R"(Examples:
  mpiexec -n 4 sixstep tune --machine
      measures this machine as four ranks find it, for `sixstep plan --machine here`, `sixstep model --machine here`
      and Plan::predict()
  mpiexec -n 64 sixstep tune --machine cluster.json
      writes it to a file; on several nodes the network is measured too
Launch it as you launch your program: on as many nodes as you like, with as many ranks and threads on each.
The file is JSON, to be read and edited. Without a name it is sixstep/machine.json in $XDG_DATA_HOME or
~/.local/share, or what $SIXSTEP_MACHINE names.)";

struct TuneArguments {
  std::string file;  // empty: by default
  double seconds = 12;
  int threads = 0;  // 0: as a plan's
};

std::string processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string today() {
  std::time_t const now = std::time(nullptr);
  std::array<char, 11> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d", std::gmtime(&now));
  return date.data();
}

/// Who measured what, where and when.
std::vector<std::string> source(int ranks, int threads, double seconds) {
  return {text("Measured on ", host(), ", ", today(), ": ", processor(), ", ",
               local::instruction_set(), "; ", mpi_library()),
          text("sixstep ", version, ": sixstep tune --machine --seconds ", seconds, ", ", ranks,
               ranks == 1 ? " rank, " : " ranks, ", threads,
               threads == 1 ? " thread each" : " threads each")};
}

void print_summary(model::Machine const& machine, std::string const& file) {
  auto const rate = [](double bytes_per_s) { return formatted("%.3g GB/s", 1e-9 * bytes_per_s); };
  auto const largest = [](model::Curve const& curve) { return curve.points().rbegin()->second; };
  model::Copies const& copies = machine.memory->together;
  auto const kernels = [](model::Rates const& rates) {
    return text(formatted("%.3g", rates.rows.at(1024)), " GFLOP/s of rows, ",
                formatted("%.3g", rates.columns.at(1024)), " of columns, ",
                formatted("%.3g", rates.reals.at(1024)), " of reals, 1024 points");
  };
  Table table = {
      {"machine", file},
      {"node", text(machine.node_ranks, machine.node_ranks == 1 ? " rank, " : " ranks, ",
                    machine.node_cores, machine.node_cores == 1 ? " core" : " cores")},
      {"copies", text(rate(largest(copies.copied_bytes_per_s)), " a rank while all copy, ",
                      rate(largest(machine.memory->alone->copied_bytes_per_s)), " alone")},
      {"kernels, double", kernels(machine.double_gflops)},
      {"kernels, single", kernels(machine.single_gflops)},
  };
  if (machine.inside.meeting_s)
    table.emplace_back("inside a node",
                       text("latency ", seconds_text(machine.inside.latency_s), ", ",
                            rate(largest(machine.inside.rank_bytes_per_s)), ", meetings ",
                            seconds_text(*machine.inside.meeting_s)));
  table.emplace_back("between nodes",
                     machine.network
                         ? text("latency ", seconds_text(machine.network->latency_s), ", ",
                                rate(machine.network->node_bytes_per_s), " a node")
                         : "one node, nothing to measure");
  print(table);
}

void tune_machine(TuneArguments const& arguments, MPI_Comm world) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(world);
  std::string file = arguments.file;
  mpi::together(comm, [&] {
    if (comm.rank() != 0) return;
    if (file.empty()) file = model::default_machine_file();
    std::error_code failure;
    std::filesystem::create_directories(std::filesystem::absolute(file).parent_path(), failure);
    require(std::ofstream(file, std::ios::app).good(), "--machine ", file, ": cannot be written");
  });
  int const threads = arguments.threads > 0 ? arguments.threads : fair_threads(comm);
  bind_threads(comm, threads);
  model::Machine machine;
  {
    Progress progress(comm.rank(), measure::steps);
    machine = measure::machine(comm, threads, arguments.seconds,
                               [&](std::string const& name) { progress.step(name); });
  }
  machine.name = "here";
  machine.source = source(comm.size(), threads, arguments.seconds);
  mpi::together(comm, [&] {
    if (comm.rank() == 0) write_machine(machine, file);
  });
  if (comm.rank() == 0) print_summary(machine, file);
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<TuneArguments>();
  CLI::App& command = *app.add_subcommand("tune", "Measure, so that plans can be predicted");
  command
      .add_option("--machine", arguments->file,
                  "Measure memory, kernels and messages of this machine, and write a machine file")
      ->option_text("[FILE]")
      ->expected(0, 1)
      ->required();
  command
      .add_option("--seconds", arguments->seconds,
                  text("How long to measure, about [", arguments->seconds, "]"))
      ->option_text("S")
      ->transform(number_in(0.1, 600.0));
  command.add_option("--threads", arguments->threads, "Threads of each rank [as of a plan]")
      ->option_text("N")
      ->transform(number_in(1, most_threads));
  command.footer(examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { tune_machine(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
