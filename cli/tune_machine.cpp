// SPDX-License-Identifier: BSD-3-Clause
// `sixstep tune --machine`: measures the machine, and writes a machine file.
#include "tune_machine.hpp"

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

#include "base/new_file.hpp"
#include "binding.hpp"
#include "device/backend.hpp"
#include "local/transform.hpp"
#include "measure.hpp"
#include "measure/kept.hpp"
#include "measure/machine.hpp"
#include "model/machine_file.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "runtime/node.hpp"
#include "runtime/threads.hpp"
#include "sixstep/version.hpp"
#include "table.hpp"
#include "tuner/calibration.hpp"

namespace sixstep::cli {
namespace {

constexpr double most_calibration_s = 5;

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

/// The source of a machine file: where, when and with what it was measured.
std::vector<std::string> source(int ranks, int threads, MachineToMeasure const& arguments) {
  std::string const device =
      arguments.device == Device::none ? "" : " --device " + to_string(arguments.device);
  return {text("Measured on ", host(), ", ", today(), ": ", processor(), ", ",
               local::instruction_set(), "; ", mpi::library()),
          text("sixstep ", version, ": sixstep tune --machine", device, " --seconds ",
               arguments.seconds, ", ", ranks, ranks == 1 ? " rank, " : " ranks, ", threads,
               threads == 1 ? " thread each" : " threads each")};
}

device::Backend& backend_of(MachineToMeasure const& arguments, mpi::Communicator const& comm) {
  int const place = Node(comm).comm().rank();
  device::Backend* backend = nullptr;
  mpi::together(comm, [&] { backend = &device::backend(arguments.device, arguments.gpu, place); });
  return *backend;
}

/// The numbers of a plan that are measured for this machine, and the report of keeping them.
struct Numbers {
  tuner::Settings of_processor;
  tuner::Settings of_messages;
  std::string report;
};

/// Finds the numbers that depend on the processor: the ranks of rank 0's node measure, and all of
/// them get the same result. Collective.
tuner::Calibration calibrate(mpi::Communicator const& comm, int threads, double seconds) {
  constexpr double share_of_cache = 0.1;
  Node const node(comm);
  tuner::Calibration found;
  mpi::together(comm, [&] {
    if (node.ranks().front() != 0) return;
    tuner::Settings values;
    Index const third =
        measure::kept_of_third(measure::Team(node.comm(), threads), share_of_cache * seconds);
    if (third > 0) values.emplace_back("third_bytes", text(third));
    found = tuner::calibrate(node.comm(), threads, values, (1 - share_of_cache) * seconds);
  });
  return found;
}

/// On rank 0: keeps what was found, and what follows from the machine's messages, as wisdom.
Numbers keep(tuner::Calibration const& calibration, model::Machine const& machine, int ranks) {
  Numbers numbers{.of_processor = calibration.values, .of_messages = {}, .report = {}};
  std::vector<wisdom::Entry> entries{{.key = tuner::key_of_processor(tuner::processor_words()),
                                      .found = calibration.values,
                                      .seconds = calibration.seconds,
                                      .default_seconds = calibration.default_seconds,
                                      .when = wisdom::now()}};
  if (auto const bytes = model::shortest_worth_a_window(machine, ranks)) {
    numbers.of_messages = {{"least_window_message_bytes", text(*bytes)}};
    double const message_s = std::max(1e-9, machine.between_nodes().latency_s);
    entries.push_back({.key = tuner::key_of_messages(),
                       .found = numbers.of_messages,
                       .seconds = message_s,
                       .default_seconds = message_s,
                       .when = wisdom::now()});
  }
  auto const file = wisdom::default_file();
  if (file) numbers.report = wisdom::keep(*file, entries);
  return numbers;
}

void add_numbers(Table& table, Numbers const& numbers) {
  auto const file = wisdom::default_file();
  auto const words = [](tuner::Settings const& values) {
    return values.empty() ? "all as by default" : tuner::to_words(values);
  };
  table.emplace_back("numbers", words(numbers.of_processor));
  if (!numbers.of_messages.empty()) table.emplace_back("", words(numbers.of_messages));
  table.emplace_back("kept in", !file                    ? "no file: SIXSTEP_WISDOM is empty"
                                : numbers.report.empty() ? file->string()
                                                         : numbers.report);
}

Table summary(model::Machine const& machine, std::string const& file) {
  auto const rate = [](double bytes_per_s) { return formatted("%.3g GB/s", 1e-9 * bytes_per_s); };
  auto const largest = [](model::Curve const& curve) { return curve.points().rbegin()->second; };
  model::Copies const& copies = machine.memory->together;
  auto const kernels = [](model::Rates const& rates) {
    return text(formatted("%.3g", rates.rows.at(1024)), " GFLOP/s of rows, ",
                formatted("%.3g", (rates.columns.empty() ? rates.strips : rates.columns).at(1024)),
                " of columns, ", formatted("%.3g", rates.reals.at(1024)), " of reals, 1024 points");
  };
  Table table = {
      {"machine", file},
      {"node", text(machine.node_ranks, machine.node_ranks == 1 ? " rank, " : " ranks, ",
                    machine.node_cores, machine.node_cores == 1 ? " core" : " cores")},
      {"copies",
       text(rate(largest(copies.copied_bytes_per_s)), " a rank while all copy",
            machine.memory->alone
                ? ", " + rate(largest(machine.memory->alone->copied_bytes_per_s)) + " alone"
                : "")},
      {"kernels, double", kernels(machine.double_gflops)},
      {"kernels, single", kernels(machine.single_gflops)},
  };
  if (machine.device)
    table.emplace_back("device",
                       text(machine.device->name, ", ", rate(*machine.device->staged_bytes_per_s),
                            " out of it and into it at the same time, each"));
  if (machine.inside.meeting_s)
    table.emplace_back("inside a node",
                       text("latency ", seconds_text(machine.inside.latency_s), ", ",
                            rate(largest(machine.inside.rank_bytes_per_s)), ", meetings ",
                            seconds_text(*machine.inside.meeting_s)));
  table.emplace_back("between nodes",
                     machine.network
                         ? text("latency ", seconds_text(machine.network->latency_s), ", ",
                                rate(largest(machine.network->node_bytes_per_s)), " a node")
                         : "one node, nothing to measure");
  return table;
}

}  // namespace

void tune_machine(MachineToMeasure const& arguments, MPI_Comm world) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(world);
  std::string file = arguments.file;
  mpi::together(comm, [&] {
    if (comm.rank() != 0) return;
    if (file.empty()) file = model::default_machine_file(arguments.device);
    std::error_code failure;
    std::filesystem::create_directories(std::filesystem::absolute(file).parent_path(), failure);
    naming("--machine ", [&] { require_writable(file, Target::any); });
  });
  bool const on_device = arguments.device != Device::none;
  int const threads = on_device               ? 1
                      : arguments.threads > 0 ? arguments.threads
                                              : fair_threads(comm);
  bind_threads(comm, threads);
  model::Machine machine;
  tuner::Calibration calibration;
  {
    Progress progress(comm.rank(), on_device ? measure::steps_of_device : measure::steps + 1);
    auto const step = [&](std::string const& name) { progress.step(name); };
    if (on_device)
      machine = measure::machine(comm, backend_of(arguments, comm), arguments.seconds, step);
    else
      machine = measure::machine(comm, threads, arguments.seconds, step);
    if (!on_device) {
      step("numbers that depend on the processor");
      calibration = calibrate(comm, threads, std::min(most_calibration_s, arguments.seconds / 2));
    }
  }
  machine.name = "here";
  machine.source = source(comm.size(), threads, arguments);
  mpi::together(comm, [&] {
    if (comm.rank() == 0) naming("--machine ", [&] { write_machine(machine, file); });
  });
  if (comm.rank() != 0) return;
  Table table = summary(machine, file);
  if (!on_device) add_numbers(table, keep(calibration, machine, comm.size()));
  print(table);
}

}  // namespace sixstep::cli
