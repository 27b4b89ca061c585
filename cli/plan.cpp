// SPDX-License-Identifier: BSD-3-Clause
// `sixstep plan`: what a transform on any number of ranks would do, worked out on one and without
// MPI.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "exchange/medium.hpp"
#include "formulas/composition.hpp"
#include "numbers.hpp"
#include "ranks.hpp"

namespace sixstep::cli {
namespace {

constexpr char examples[] = R"(Examples:
  sixstep plan 4096 4096 4096 --ranks 16384
      a transform by pencils, since there are more ranks than slabs
  sixstep plan 4096 4096 4096 --ranks 16384 --layout 128x128 --output transposed
      what is saved where the output may lie as is cheapest
  sixstep plan 4096 4096 4096 --ranks 16384 --kind r2c
      the same of real numbers: half the messages and half the memory
  sixstep plan 256 256 256 --ranks 4096 --layout 64x64 --node-ranks 64
      which messages are left if 64 ranks each share a node
  sixstep plan 256 256 256 --ranks 64 --windows 16
      in which messages exchanges and passes overlap
  sixstep plan 1073741824 --ranks 64
      a one-dimensional transform)";

// Some layouts take a number or two for each rank.
constexpr int most_ranks = 1 << 20;

struct PlanArguments {
  Shape shape;
  int ranks = 1;
  int node_ranks = 0;
  int windows = 1;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  LayoutChoice layout;
  bool natural_output = true;
  Precision precision = Precision::double_;
};

/// What is the case if so many neighbours each are a node.
plan::Limits limits_of(plan::Schedule const& schedule, int ranks, int node_ranks) {
  plan::Limits limits;
  for (int rank = 0; rank < ranks; ++rank) {
    limits.nodes.node.push_back(rank / node_ranks * node_ranks);
    limits.nodes.segment.push_back(rank % node_ranks);
  }
  limits.media =
      exchange::choose_media(schedule.ends(), schedule.real_bytes, limits.nodes, Tuning{});
  return limits;
}

void print_plan(PlanArguments const& arguments) {
  Layout const input = layout_of(arguments.layout, arguments.shape, arguments.ranks);
  plan::Problem problem;
  problem.input = input;
  problem.axes = axes_of(arguments.axes, input.axes());
  problem.kinds = arguments.kinds;
  if (arguments.natural_output) problem.output = natural_output(input, plan::output_shape(problem));
  problem.real_bytes = arguments.precision == Precision::single ? 4 : 8;
  plan::Composition const composition = plan::compose(problem);
  std::vector<plan::Limits> limits;
  for (plan::Schedule const& schedule : composition.schedules) {
    limits.push_back(arguments.node_ranks > 0
                         ? limits_of(schedule, arguments.ranks, arguments.node_ranks)
                         : plan::Limits{});
    limits.back().exchange_windows = arguments.windows;
  }
  std::string const description = plan::describe(composition, limits);
  std::printf("%s%s", description.c_str(), description.ends_with('\n') ? "" : "\n");
}

}  // namespace

void add_plan(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<PlanArguments>();
  CLI::App& command = *app.add_subcommand(
      "plan", "Print what a transform would do: its stages, messages, bytes and memory");
  add_shape(command, arguments->shape);
  command.add_option("--ranks", arguments->ranks, "Ranks that share the array")
      ->option_text("R")
      ->required()
      ->transform(number_in(1, most_ranks));
  CLI::Option& node_ranks =
      *command
           .add_option("--node-ranks", arguments->node_ranks,
                       "Neighbours that share a node; without it, all exchanges are by messages")
           ->option_text("R")
           ->transform(number_in(1, most_ranks));
  command
      .add_option("--windows", arguments->windows,
                  text("Windows in which exchanges go and passes between them run, so that they "
                       "overlap, at most ",
                       exchange::most_windows, " [1]"))
      ->option_text("N")
      ->transform(number_in(1, exchange::most_windows))
      ->excludes(&node_ranks);
  add_layout(command, arguments->layout);
  add_output(command, arguments->natural_output);
  add_axes(command, arguments->axes);
  add_kinds(command, arguments->kinds);
  add_precision(command, arguments->precision);
  command.footer(examples);
  command.callback([arguments, &run] {
    run = [arguments] {
      // All ranks would print the same.
      if (launched_rank() == 0) print_plan(*arguments);
      return EXIT_SUCCESS;
    };
  });
}

}  // namespace sixstep::cli
