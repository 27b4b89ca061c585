// SPDX-License-Identifier: BSD-3-Clause
// Transforms on ranks that need not exist: from the command line to problems, limits and machines.
#include "what_if.hpp"

#include <algorithm>

#include "decision/decision.hpp"
#include "formulas/operators.hpp"
#include "layout/fields.hpp"
#include "model/machine_file.hpp"
#include "named_symbols.hpp"
#include "numbers.hpp"

namespace sixstep::cli {

namespace {

/// Usual caches, for a core that is not here.
constexpr local::Caches usual_caches{.third = Index{1} << 25};

}  // namespace

schedule::Problem WhatIf::problem(LayoutChoice const& layout, int ranks) const {
  schedule::Problem problem;
  problem.input = layout_of(layout, shape, ranks);
  problem.axes = axes_of(axes, problem.input.axes());
  problem.kinds = kinds;
  problem.modes = modes;
  problem.sphere = sphere;
  problem.lies = options.output;
  problem.real_bytes = precision == Precision::single ? 4 : 8;
  return problem;
}

void WhatIf::fit_walls() {
  if (!domain.walls.empty()) kinds = domain.with_axes(shape.size()).kinds(true);
}

formulas::Composition WhatIf::compose(schedule::Problem problem) const {
  schedule::Choices const choices{.split_untransformed = options.split_untransformed};
  if (operator_words.empty()) return formulas::compose(problem, choices);
  int const count = problem.input.axes();
  Symbol const symbol = operator_symbol(operator_words, count);
  bool const has_fields = symbol.fields() > 1 || symbol.results() > 1;
  if (has_fields) {  // their axis is the last, and is not transformed
    if (problem.axes.empty())
      for (int axis = 0; axis < count; ++axis) problem.axes.push_back(axis);
    problem.input = with_fields(problem.input, symbol.fields(), Storage::blocks);
    problem.kept_whole = count;
  }
  return formulas::compose_operator(problem, choices,
                                    {formulas::times_symbol(symbol), {}, has_fields ? count : -1});
}

int WhatIf::transforms() const {
  if (operator_words.empty()) return 1;
  Symbol const symbol = operator_symbol(operator_words, shape.size());
  return symbol.fields() + symbol.results();
}

std::vector<program::Limits> WhatIf::limits(formulas::Composition const& composition, int ranks,
                                            bool on_device) const {
  require(!on_device || operator_words.empty(),
          "--operator: operators are priced on the host only, the machine's ranks are devices");
  Options asked = options;
  asked.windows = windows;
  asked.threads = 1;
  asked.device = on_device ? Device::cuda : Device::none;
  decision::Conditions conditions{.caches = usual_caches, .tuning = numbers.tuning};
  for (int rank = 0; node_ranks > 0 && rank < ranks; ++rank) {
    conditions.nodes.node.push_back(rank / node_ranks * node_ranks);
    conditions.nodes.segment.push_back(rank % node_ranks);
  }
  return decision::limits_of(composition, asked, conditions);
}

void add_what_if(CLI::App& command, WhatIf& what_if) {
  CLI::Option& node_ranks =
      *command
           .add_option("--node-ranks", what_if.node_ranks,
                       "Ranks that share a node; without it, all exchanges use messages")
           ->option_text("R")
           ->transform(number_in(1, most_ranks));
  command
      .add_option("--windows", what_if.windows,
                  text("Number of windows in which exchanges and passes overlap, at most ",
                       redistribution::most_windows, " [1]"))
      ->option_text("N")
      ->transform(number_in(1, redistribution::most_windows))
      ->excludes(&node_ranks);
  add_options(command, what_if.options, {"split_untransformed", "output"});
  add_axes(command, what_if.axes);
  add_kinds(command, what_if.kinds);
  add_modes(command, what_if.modes);
  add_sphere(command, what_if.sphere);
  add_precision(command, what_if.precision);
  add_operator(command, what_if.operator_words)->excludes("--output");
  add_walls(command, what_if.domain)->excludes("--kind")->excludes("--axes");
}

CLI::Option* add_machine(CLI::App& command, std::string& name) {
  return command
      .add_option(
          "--machine", name,
          "The machine to predict for: a name that `sixstep model --machines` lists, a file, or "
          "here, the one that `sixstep tune --machine` has measured")
      ->option_text("NAME|FILE");
}

namespace {

/// The folder of machine files, beside the command where it is built or where it is installed.
std::filesystem::path machine_folder() {
  auto const here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  auto const built = here / "machines";
  return std::filesystem::is_directory(built) ? built : here / SIXSTEP_MACHINES;
}

}  // namespace

std::vector<std::filesystem::path> machine_files() {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (auto const& entry : std::filesystem::directory_iterator(machine_folder(), none))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

tuner::Calibrated numbers_of(std::string const& machine) {
  auto const file = wisdom::default_file();
  if (machine != "here" || !file) return {};
  wisdom::Read const kept = wisdom::read(*file);
  tuner::report(kept.report);
  return tuner::calibrated(kept.entries, {});
}

model::Machine find_machine(std::string const& name, WhatIf const& what_if) {
  std::string file = name, names;
  for (auto const& known : machine_files()) {
    if (known.stem() == name) file = known;
    names += text(names.empty() ? "" : ", ", known.stem().string());
  }
  if (name == "here") file = model::default_machine_file();
  require(name != "here" || std::filesystem::exists(file), "--machine here: ", file,
          " does not exist; run `sixstep tune --machine`");
  require(std::filesystem::exists(file), "--machine: a file, or one of ", names, " is needed, '",
          shortened(name), "' was given");
  model::Machine machine = model::read_machine(file);
  int const most = std::max(machine.node_cores, machine.node_ranks);
  require(what_if.node_ranks <= most, "node ranks: a node of ", machine.name, " has ", most,
          " cores, ", what_if.node_ranks, " ranks were given");
  return what_if.node_ranks > 0 ? with_node_ranks(std::move(machine), what_if.node_ranks) : machine;
}

}  // namespace sixstep::cli
