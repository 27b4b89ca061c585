// SPDX-License-Identifier: BSD-3-Clause
// `sixstep plan`: prints the steps of a transform on any number of ranks, and their cost on a
// machine. It runs in one process, without MPI.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "formulas/composition.hpp"
#include "model/price.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "table.hpp"
#include "what_if.hpp"

namespace sixstep::cli {
namespace {

constexpr char plan_examples[] = R"(Examples:
  sixstep plan 4096 4096 4096 --ranks 16384
      a transform by pencils, since there are more ranks than slabs
  sixstep plan 4096 4096 4096 --ranks 16384 --layout 128x128 --output transposed
      what the cheapest output layout saves
  sixstep plan 4096 4096 4096 --ranks 16384 --kind r2c
      real numbers: half the messages and half the memory
  sixstep plan 256 256 256 --ranks 4096 --layout 64x64 --node-ranks 64
      the messages that are left if 64 ranks share a node
  sixstep plan 256 256 256 --ranks 64 --windows 16
      the messages when exchanges and passes overlap in windows
  sixstep plan 256 256 256 --ranks 4096 --machine t2k-tsukuba
      how long each step would take there; `sixstep model` compares numbers of ranks
  sixstep plan 1073741824 --ranks 64
      a one-dimensional transform
  sixstep plan 256 256 256 --ranks 2 --kind r2c --operator inverse_laplacian
      an operator: a transform, a product and the transform back
  sixstep plan 256 256 256 --ranks 64 --kind r2c --operator project
      the part without divergence of a vector field, whose three components are transformed together
  sixstep plan 256 256 256 --ranks 64 --operator inverse_laplacian --walls periodic,neumann,dirichlet
      what `sixstep solve poisson` does between these walls)";

struct PlanArguments {
  WhatIf what_if;
  int ranks = 1;
  LayoutChoice layout;
  std::string machine;
};

/// The description, with the predicted seconds before each step and the total.
std::string with_seconds(std::string const& description, model::Price const& prediction) {
  std::istringstream lines(description);
  std::ostringstream out;
  std::size_t step = 0;
  for (std::string line; std::getline(lines, line); out << '\n') {
    bool const is_step = line.starts_with("pass ") || line.starts_with("exchange ");
    bool const is_total = line.starts_with("total ");
    require_internal(!is_step || step < prediction.steps.size(), "a step has no price");
    std::string seconds;
    if (is_step) seconds = seconds_text(prediction.steps[step++].seconds);
    if (is_total) seconds = seconds_text(prediction.seconds);
    out << std::string(10 - std::min<std::size_t>(10, seconds.size()), ' ') << seconds << "  "
        << line;
    if (is_total)
      out << "; communication " << seconds_text(prediction.communication_s) << ", computation "
          << seconds_text(prediction.computation_s);
  }
  require_internal(step == prediction.steps.size(), "a price has no step");
  return out.str();
}

void print_plan(PlanArguments const& arguments) {
  WhatIf what_if = arguments.what_if;
  what_if.numbers = numbers_of(arguments.machine);
  what_if.fit_walls();
  formulas::Composition const composition =
      what_if.compose(what_if.problem(arguments.layout, arguments.ranks));
  std::optional<model::Machine> machine;
  if (!arguments.machine.empty()) machine = find_machine(arguments.machine, what_if);
  std::vector<program::Limits> const limits =
      what_if.limits(composition, arguments.ranks, machine && machine->device);
  std::string description = formulas::describe(composition, limits);
  if (!description.ends_with('\n')) description += '\n';
  if (machine) description = with_seconds(description, price(composition, limits, *machine));
  if (!what_if.numbers.words.empty()) description += what_if.numbers.words + '\n';
  std::printf("%s", description.c_str());
}

}  // namespace

void add_plan(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<PlanArguments>();
  CLI::App& command = *app.add_subcommand(
      "plan", "Print what a transform would do: its stages, messages, bytes and memory");
  add_shape(command, arguments->what_if.shape);
  command.add_option("--ranks", arguments->ranks, "Ranks that share the array")
      ->option_text("R")
      ->required()
      ->transform(number_in(1, most_ranks));
  add_machine(command, arguments->machine);
  add_layout(command, arguments->layout);
  add_what_if(command, arguments->what_if);
  command.footer(plan_examples);
  command.callback([arguments, &run] {
    run = [arguments] {
      // All ranks would print the same text.
      if (launched_rank() == 0) print_plan(*arguments);
      return EXIT_SUCCESS;
    };
  });
}

}  // namespace sixstep::cli
