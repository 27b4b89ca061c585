// SPDX-License-Identifier: BSD-3-Clause
// `sixstep tune`: searches for the fastest settings of a transform, and keeps them for later plans;
// or measures the machine, for predictions.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "measure.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "runtime/threads.hpp"
#include "table.hpp"
#include "tune_machine.hpp"
#include "tuner/tuner.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep::cli {
namespace {

constexpr char tune_examples[] = R"(Examples:
  mpiexec -n 4 sixstep tune 256 256 256
      ten seconds: which grid of ranks, which exchange, how many windows ...
  mpiexec -n 4 sixstep tune 256 256 256 --layout 2x2 --kind r2c --seconds 60
      one layout and real numbers, more thoroughly
  mpiexec -n 4 sixstep tune 16777216 --level exhaustive --json tuned.json
      all combinations of the choices that change the messages
The result is kept (sixstep wisdom list), and used by every plan for the same problem on as many ranks of
this machine, in any program. An interrupt (Ctrl-C) ends the search and keeps the best result so far; a
second one, at least two seconds later, ends the command at once.

  mpiexec -n 4 sixstep tune --machine
      measures this machine with four ranks, for `sixstep plan --machine here`, `sixstep model --machine here` and
      Plan::predict(); without a name the file is $SIXSTEP_MACHINE, or else sixstep/machine.json in $XDG_DATA_HOME
      or ~/.local/share. Five more seconds measure the numbers of plans that depend only on the processor and the
      network; they are kept as wisdom, and used by every plan on such a processor
  mpiexec -n 2 sixstep tune --machine --device cuda
      measures the GPUs of two ranks, in as long: a slow one is measured with smaller arrays, which take at most
      256 MiB for each rank, or four times the GPU's cache; without a name the file is machine-cuda.json
  mpiexec -n 64 sixstep tune --machine cluster.json
      writes a file that you can read and edit; on several nodes the network is measured too
Launch it as you launch your program: on as many nodes, with as many ranks and threads on each.

Times are those of a transform and its inverse, with arrays from the plan, on the slowest rank. They are
medians of runs that alternate with runs of the plan without tuning.)";

struct TuneArguments {
  Shape shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Index> modes;
  Precision precision = Precision::double_;
  LayoutChoice layout;
  Options options = {.tuning = TuningLevel::quick};
  bool anew = false;
  bool machine = false;
  std::string machine_file;
  std::optional<double> seconds;
  std::string json;
};

std::atomic<bool> interrupted = false;

/// The first interrupt ends the search after the present race. A later one ends the program,
/// because a race may last long. Launchers may pass one interrupt on twice, at the same time.
void interrupt(int signal) {
  static std::atomic<std::time_t> first = 0;
  std::time_t const now = std::time(nullptr);
  if (!interrupted.exchange(true)) first = now;
  if (now - first < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Launchers pass an interrupt on as either of these signals.
void stop_on_interrupt() {
  for (int const signal : {SIGINT, SIGTERM}) std::signal(signal, interrupt);
}

tuner::ToTune wanted_of(TuneArguments const& arguments, MPI_Comm comm) {
  tuner::ToTune wanted;
  schedule::Problem& problem = wanted.design.problem;
  problem.input = layout_of(arguments.layout, arguments.shape, ranks_of(comm));
  problem.axes = axes_of(arguments.axes, arguments.shape.size());
  problem.kinds = arguments.kinds;
  problem.modes = arguments.modes;
  problem.real_bytes = arguments.precision == Precision::single ? 4 : 8;
  problem.lies = arguments.options.output;
  schedule::settled(problem);
  wanted.design.options = arguments.options;
  wanted.design.options.axes = problem.axes;
  wanted.design.options.kinds = problem.kinds;
  wanted.design.options.modes = problem.modes;
  wanted.design.choices.low_memory = arguments.options.low_memory;
  wanted.design.choices.split_untransformed = arguments.options.split_untransformed;
  wanted.picks_grid = arguments.layout.name == LayoutChoice::Name::automatic;
  wanted.anew = arguments.anew;
  return wanted;
}

std::string gain_words(tuner::Outcome const& outcome) {
  if (outcome.settings.empty())
    return text(seconds_text(outcome.seconds), " there and back; no other setting is faster");
  return text(seconds_text(outcome.seconds), " there and back, ",
              formatted("%.3g", outcome.default_seconds / outcome.seconds),
              " times as fast as without tuning (", seconds_text(outcome.default_seconds), ")");
}

std::string output_words(Output output) {
  return output == Output::cheapest   ? "the cheapest layout"
         : output == Output::as_input ? "the input's layout"
                                      : "the cheapest layout in the input's memory order";
}

void print_outcome(tuner::ToTune const& wanted, tuner::Outcome const& outcome, double seconds) {
  auto const file = wisdom::default_file();
  Table table = {{"input", outcome.design.problem.input.describe()},
                 {"output", output_words(wanted.design.options.output)},
                 {"settings", tuner::to_words(outcome.settings)},
                 {"time", gain_words(outcome)}};
  if (outcome.was_kept)
    table.emplace_back("search", text(outcome.level, ", earlier; --anew searches again"));
  else
    table.emplace_back("search", text(outcome.level, ", ", outcome.races, " races in ",
                                      seconds_text(seconds), interrupted ? ", interrupted" : ""));
  table.emplace_back("kept in", file ? file->string() : "no file: SIXSTEP_WISDOM is empty");
  print(table);
}

nlohmann::ordered_json to_json(tuner::Outcome const& outcome, double seconds) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (auto const& [name, value] : outcome.settings) settings[name] = value;
  return {{"input", to_words(outcome.design.problem.input.grid())},
          {"settings", settings},
          {"seconds", outcome.seconds},
          {"default_seconds", outcome.default_seconds},
          {"level", outcome.level},
          {"was_kept", outcome.was_kept},
          {"races", outcome.races},
          {"tuning_seconds", seconds}};
}

void tune_problem(TuneArguments const& arguments, MPI_Comm user_comm) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  if (!arguments.json.empty()) require_writable(arguments.json, comm);
  tuner::ToTune wanted;
  mpi::together(comm, [&] { wanted = wanted_of(arguments, comm); });
  Options& options = wanted.design.options;
  int const fair = fair_threads(comm);
  if (options.threads == 0) options.threads = fair;
  stop_on_interrupt();
  Progress progress(comm.rank(), 1);
  tuner::Watch watch{.stop = &interrupted};
  watch.report = [&](tuner::Report const& report) {
    progress.within(report.share, text("race ", report.races, ", ", seconds_text(report.seconds),
                                       " to beat: ", tuner::to_words(report.challenger)));
  };
  double const begin = MPI_Wtime();
  tuner::Outcome const outcome = tuner::tune(wanted, comm, watch);
  double const seconds = MPI_Wtime() - begin;
  if (comm.rank() == 0) print_outcome(wanted, outcome, seconds);
  if (!arguments.json.empty()) write_json(arguments.json, to_json(outcome, seconds), comm);
}

void tune(TuneArguments const& arguments, MPI_Comm comm) {
  if (!arguments.machine) return tune_problem(arguments, comm);
  MachineToMeasure machine{.file = arguments.machine_file,
                           .threads = arguments.options.threads,
                           .device = arguments.options.device,
                           .gpu = arguments.options.gpu};
  machine.seconds = arguments.seconds.value_or(machine.seconds);
  tune_machine(machine, comm);
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<TuneArguments>();
  CLI::App& command =
      *app.add_subcommand("tune", "Find the fastest settings of a transform here, and keep them");
  add_shape(command, arguments->shape);
  CLI::Option& shape = *command.get_option("shape")->required(false);
  CLI::Option& machine =
      *command
           .add_option_function<std::string>(
               "--machine",
               [arguments](std::string const& file) {
                 arguments->machine = true;
                 arguments->machine_file = file;
               },
               "Measure memory, kernels and messages of this machine, and write a machine file")
           ->option_text("[FILE]")
           ->expected(0, 1)
           ->excludes(&shape);
  add_axes(command, arguments->axes);
  add_kinds(command, arguments->kinds);
  add_modes(command, arguments->modes);
  add_precision(command, arguments->precision);
  add_layout(command, arguments->layout);
  add_options(
      command, arguments->options,
      {"output", "exchange", "local", "reproducible", "device", "gpu", "wire", "verify", "threads",
       "preserve_input", "low_memory", "windows", "driver", "pipelines", "split_untransformed"});
  add_named(command, "--level", arguments->options.tuning,
            std::vector{TuningLevel::quick, TuningLevel::exhaustive},
            "One choice after the other, for --seconds, or all combinations of the choices that "
            "change the messages, however long that takes [quick]");
  command
      .add_option("--seconds", arguments->seconds,
                  text("Duration of --level quick, or of --machine [",
                       arguments->options.tuning_seconds, "; ", MachineToMeasure{}.seconds, "]"))
      ->option_text("S")
      ->transform(number_in(0.1, 86400.0));
  command.add_flag("--anew", arguments->anew, "Search again, even if an earlier result is kept");
  add_json(command, arguments->json);
  command.footer(tune_examples);
  command.callback([arguments, &shape, &machine, &run] {
    if (shape.empty() && machine.empty())
      throw CLI::ValidationError("shape", "extents are needed, or --machine");
    if (arguments->seconds) arguments->options.tuning_seconds = *arguments->seconds;
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { tune(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
