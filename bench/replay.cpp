// SPDX-License-Identifier: BSD-3-Clause
// What exchanges take on a machine that SimGrid simulates: the programs of all ranks, played.
//
// The script `simulate --played` runs it. Programs are data, so no rank runs the library: an actor
// for each sends and receives what its program says, and sleeps for its passes. There are neither
// arrays nor MPI, so thousands of ranks take a minute where running the library takes hours.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <variant>
#include <vector>

#include "formulas/composition.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "program/compile.hpp"

namespace sixstep::bench::replay {
namespace {

namespace s4u = simgrid::s4u;

/// A sender is busy for so long with each message of at least so many bytes.
struct Overhead {
  double bytes = 0;
  double seconds = 0;
  double seconds_per_byte = 0;
};

struct Arguments {
  std::vector<Index> shape;
  std::string layout;    // slab, pencil or brick
  std::string platform;  // a file of SimGrid's
  std::string hosts;     // a file with the host of each rank
  std::string machine;   // a machine file; passes take no time without one
  std::vector<Overhead> overheads;
};

struct Message {
  int to;
  double bytes;
};

/// One exchange as a rank sees it.
struct Exchange {
  std::vector<Message> sends;  // in the order in which they leave
  std::size_t receives = 0;
};

/// What a rank does in turn: passes in seconds, and exchanges.
using Part = std::vector<std::variant<double, Exchange>>;

/// To rank + 1 first, as the pairwise strategy sends.
Exchange exchange_of(program::Move const& move, int rank, int real_bytes) {
  Exchange found;
  Index const bytes = layout::reals_of(move.number()) * real_bytes;
  auto const& sends = move.moves->send.messages;
  for (bool const is_above : {true, false})
    for (redistribution::Message const& message : sends)
      if (message.rank != rank && (message.rank > rank) == is_above)
        found.sends.push_back({message.rank, static_cast<double>(message.count * bytes)});
  for (redistribution::Message const& message : move.moves->receive.messages)
    found.receives += message.rank != rank ? 1 : 0;
  return found;
}

Part part_of(schedule::Schedule const& schedule, int rank, model::Machine const* machine) {
  Part part;
  program::Program const program = program::compile(schedule, rank);
  for (program::Step const& step : program.steps)
    if (auto const* move = std::get_if<program::Move>(&step.work))
      part.emplace_back(exchange_of(*move, rank, schedule.real_bytes));
    else if (auto const* sweep = std::get_if<program::Sweep>(&step.work); sweep && machine)
      part.emplace_back(
          model::price(*sweep, schedule.input.layout.ranks(), schedule.real_bytes, *machine)
              .seconds);
  return part;
}

double overhead_of(std::vector<Overhead> const& overheads, double bytes) {
  double seconds = 0;
  for (Overhead const& each : overheads)
    if (bytes >= each.bytes) seconds = each.seconds + bytes * each.seconds_per_byte;
  return seconds;
}

s4u::Mailbox* mailbox(int rank, std::size_t exchange) {
  return s4u::Mailbox::by_name(std::to_string(rank) + '.' + std::to_string(exchange));
}

void play(Exchange const& exchange, int rank, std::size_t number,
          std::vector<Overhead> const& overheads) {
  static char nothing;
  std::vector<s4u::CommPtr> messages;
  std::vector<char*> received(exchange.receives);
  for (char*& each : received) messages.push_back(mailbox(rank, number)->get_async<char>(&each));
  for (Message const& message : exchange.sends) {
    s4u::this_actor::sleep_for(overhead_of(overheads, message.bytes));
    messages.push_back(mailbox(message.to, number)
                           ->put_async(&nothing, static_cast<std::uint64_t>(message.bytes)));
  }
  for (s4u::CommPtr const& each : messages) each->wait();
}

void play(Part const& part, int rank, std::vector<Overhead> const& overheads) {
  std::size_t exchanges = 0;
  for (auto const& step : part)
    if (auto const* exchange = std::get_if<Exchange>(&step))
      play(*exchange, rank, exchanges++, overheads);
    else
      s4u::this_actor::sleep_for(std::get<double>(step));
}

std::vector<std::string> hosts_in(std::string const& file) {
  std::vector<std::string> hosts;
  std::ifstream lines(file);
  for (std::string host; lines >> host;) hosts.push_back(host);
  return hosts;
}

Layout layout_of(Arguments const& arguments, int ranks) {
  Shape shape;
  for (Index extent : arguments.shape) shape.push_back(extent);
  return arguments.layout == "slab"     ? Layout::slab(shape, ranks)
         : arguments.layout == "pencil" ? Layout::pencil(shape, ranks)
                                        : Layout::brick(shape, ranks);
}

/// Errors: those of a layout; more than one schedule.
void run(Arguments const& arguments, s4u::Engine& engine) {
  std::vector<std::string> const hosts = hosts_in(arguments.hosts);
  Layout const input = layout_of(arguments, static_cast<int>(hosts.size()));
  formulas::Composition const composition = formulas::compose({.input = input});
  require(composition.formulas.empty(), "replay: one schedule is needed");
  std::optional<model::Machine> machine;
  if (!arguments.machine.empty()) machine = model::read_machine(arguments.machine);
  engine.load_platform(arguments.platform);
  std::vector<Part> parts;
  for (int rank = 0; rank < input.ranks(); ++rank)
    parts.push_back(part_of(composition.schedules[0], rank, machine ? &*machine : nullptr));
  for (int rank = 0; rank < input.ranks(); ++rank) {
    auto const at = static_cast<std::size_t>(rank);
    s4u::Actor::create(hosts[at], engine.host_by_name(hosts[at]),
                       [&, rank, at] { play(parts[at], rank, arguments.overheads); });
  }
  engine.run();
  std::printf("%s\n", nlohmann::ordered_json{{"seconds", s4u::Engine::get_clock()}}.dump().c_str());
}

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);  // takes the options that are SimGrid's
  Arguments arguments;
  std::vector<std::string> overheads;
  CLI::App app("Programs played on a simulated machine, a line of JSON; bench/simulate starts it");
  app.add_option("shape", arguments.shape, "Extents")->required();
  app.add_option("--layout", arguments.layout, "Of slab, pencil and brick")
      ->required()
      ->check(CLI::IsMember({"slab", "pencil", "brick"}));
  app.add_option("--platform", arguments.platform, "SimGrid's platform")->required();
  app.add_option("--hosts", arguments.hosts, "The host of each rank, a line each")->required();
  app.add_option("--machine", arguments.machine,
                 "A file; passes take what they would there [none: no time]");
  app.add_option("--overhead", overheads, "BYTES:SECONDS:SECONDS_PER_BYTE, by growing bytes");
  CLI11_PARSE(app, argc, argv);
  for (std::string const& word : overheads) {
    Overhead found;
    int const read = std::sscanf(word.c_str(), "%lf:%lf:%lf", &found.bytes, &found.seconds,
                                 &found.seconds_per_byte);
    require(read == 3, "--overhead: three numbers are needed, '", word, "' was given");
    arguments.overheads.push_back(found);
  }
  try {
    run(arguments, engine);
  } catch (Error const& error) {
    std::fprintf(stderr, "replay: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace sixstep::bench::replay

int main(int argc, char** argv) { return sixstep::bench::replay::main(argc, argv); }
