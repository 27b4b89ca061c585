// SPDX-License-Identifier: BSD-3-Clause
// `sixstep model`: predicts the time of a transform on a machine, for several numbers of ranks and
// decompositions. It needs neither the machine nor MPI.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "gnuplot.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "model_picture.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "what_if.hpp"

namespace sixstep::cli {
namespace {

constexpr char model_examples[] = R"(Examples:
  sixstep model 256 256 256 --machine t2k-tsukuba --ranks 1:4096 --output transposed
      the 3-D transform of Takahashi's volumetric FFT; from some number of ranks on pencils are faster
  sixstep model 512 512 512 --machine miyabi-g --ranks 2:512
      the same on GPUs, in natural order
  sixstep model 1073741824 --machine bluegene-q --ranks 32:4096
      one axis, three all-to-alls
  sixstep model 256 256 256 --machine my-machine.json --layout pencil --node-ranks 16
      on a machine of your own; exchanges are gathered by node, or use its memory
  sixstep model 256 256 256 --machine t2k-tsukuba --ranks 1:4096 --output transposed --plot t2k.png
      the first example as a picture, with the published times
  sixstep model 1024 1024 1024 --machine t2k-tsukuba --ranks 64:4096 --kind r2c --operator project
      an operator: what a projection of velocities costs, and the passes, exchanges and bytes with --json
  sixstep model --machines
      the machines that are known by name
A machine file is JSON: begin with a copy of one of those. "source" and "notes" in it say where its numbers are from,
and what is derived or assumed.)";

struct Span {
  int first = 1;
  int last = 65536;
};

/// "1:65536" or "64".
Span read_span(std::string const& word) {
  Span span;
  auto const number = number_in(1, most_ranks);
  auto const read = [&](std::string part) {
    std::string const complaint = number(part);
    require(complaint.empty(), complaint);
    return read_number<int>(part).value();
  };
  auto const colon = word.find(':');
  span.first = read(word.substr(0, colon));
  span.last = colon == std::string::npos ? span.first : read(word.substr(colon + 1));
  require(span.first <= span.last, "the first number must not exceed the last, ", shortened(word),
          " was given");
  return span;
}

/// A decomposition, and the user's name for it.
struct NamedLayout {
  std::string name;
  LayoutChoice choice;
};

/// "slab,pencil".
std::vector<NamedLayout> read_layouts(std::string const& words) {
  std::vector<NamedLayout> found;
  for (std::size_t begin = 0; begin <= words.size();) {
    std::size_t const end = std::min(words.find(',', begin), words.size());
    std::string const word = words.substr(begin, end - begin);
    LayoutChoice const choice = read_layout(word);
    require(choice.name != LayoutChoice::Name::grid, "slab, pencil and brick are possible for all ",
            "numbers of ranks, '", shortened(word), "' was given");
    found.push_back({word, choice});
    begin = end + 1;
  }
  return found;
}

struct ModelArguments {
  WhatIf what_if;
  std::string machine;
  Span ranks;
  std::vector<NamedLayout> layouts;
  bool json = false;
  std::string plot;
  bool lists_machines = false;
};

/// Converts the seconds of a transform to GFLOP/s, or GFLOP/s to seconds.
double rate_of(WhatIf const& what_if, double points, double seconds) {
  double const flop = (is_real_input(what_if.kinds) ? 2.5 : 5) * what_if.transforms();
  return 1e-9 * flop * static_cast<double>(volume(what_if.shape)) * std::log2(points) / seconds;
}

/// The cost of each decomposition on this number of ranks; none if some ranks would be empty.
struct Point {
  int ranks;
  std::vector<std::optional<model::Price>> predictions;  // one for each layout
  std::vector<double> gflops;

  /// The fastest layout; the first of equals.
  std::optional<std::size_t> fastest() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < predictions.size(); ++i)
      if (predictions[i] && (!best || predictions[i]->seconds < predictions[*best]->seconds))
        best = i;
    return best;
  }
};

/// A layout that is fastest from `first` to `last` ranks.
struct Reign {
  std::size_t layout;
  int first, last;
};

std::vector<Reign> reigns(std::vector<Point> const& points) {
  std::vector<Reign> found;
  for (Point const& point : points) {
    auto const fastest = point.fastest();
    if (!fastest) continue;
    if (found.empty() || found.back().layout != *fastest)
      found.push_back({*fastest, point.ranks, point.ranks});
    found.back().last = point.ranks;
  }
  return found;
}

Point predict(ModelArguments const& arguments, model::Machine const& machine, int ranks) {
  WhatIf const& what_if = arguments.what_if;
  Point point{ranks, {}, {}};
  for (NamedLayout const& layout : arguments.layouts) {
    schedule::Problem const problem = what_if.problem(layout.choice, ranks);
    auto& prediction = point.predictions.emplace_back();
    double& gflops = point.gflops.emplace_back(0);
    if (problem.input.local_size(ranks - 1) == 0) continue;
    formulas::Composition const composition = what_if.compose(problem);
    prediction =
        price(composition, what_if.limits(composition, ranks, machine.device.has_value()), machine);
    gflops = rate_of(what_if, composition.points, prediction->seconds);
  }
  return point;
}

std::string kind_words(WhatIf const& what_if) {
  return what_if.kinds.empty() ? "c2c" : to_words(what_if.kinds);
}

std::string precision_word(WhatIf const& what_if) {
  return what_if.precision == Precision::single ? "single" : "double";
}

std::string title(ModelArguments const& arguments, model::Machine const& machine) {
  WhatIf const& what_if = arguments.what_if;
  std::string const& name = what_if.operator_words;
  return text(to_string(what_if.shape), ", ", kind_words(what_if), ", ", precision_word(what_if),
              " precision, ", name.empty() ? "output " : "operator ",
              name.empty() ? to_word(what_if.options.output) : name, ", on ", machine.name, ", ",
              machine.node_ranks, machine.node_ranks == 1 ? " rank" : " ranks", " a node");
}

void print_table(ModelArguments const& arguments, model::Machine const& machine,
                 std::vector<Point> const& points) {
  print(text(title(arguments, machine), "\n\n", std::string(8, ' ')));
  for (NamedLayout const& layout : arguments.layouts) std::printf("  %30s", layout.name.c_str());
  std::printf("\n%8s", "ranks");
  for (std::size_t i = 0; i < arguments.layouts.size(); ++i)
    std::printf("  %10s %8s %10s", "time", "comm", "GFLOP/s");
  std::printf("\n");
  for (Point const& point : points) {
    std::printf("%8d", point.ranks);
    for (std::size_t i = 0; i < point.predictions.size(); ++i) {
      auto const& prediction = point.predictions[i];
      if (prediction && prediction->seconds > 0)
        std::printf("  %10s %6.1f %% %10.4g", seconds_text(prediction->seconds).c_str(),
                    100 * prediction->communication_s / prediction->seconds, point.gflops[i]);
      else
        std::printf("  %10s %8s %10s", prediction ? "0 s" : "-", "-", "-");
    }
    std::printf("\n");
  }
  std::printf("\n");
  for (Reign const& reign : reigns(points))
    std::printf("fastest from %d to %d ranks: %s\n", reign.first, reign.last,
                arguments.layouts[reign.layout].name.c_str());
}

/// The number of steps of a kind, and the bytes that they read and write or send on a rank.
struct Sum {
  int steps = 0;
  double bytes = 0;
};

/// The passes and the exchanges of a prediction.
std::pair<Sum, Sum> sums_of(model::Price const& prediction) {
  std::pair<Sum, Sum> sums;
  for (model::StepPrice const& step : prediction.steps) {
    Sum& sum = step.communicates ? sums.second : sums.first;
    ++sum.steps;
    sum.bytes += step.bytes;
  }
  return sums;
}

nlohmann::ordered_json to_json(ModelArguments const& arguments, model::Machine const& machine,
                               std::vector<Point> const& points) {
  WhatIf const& what_if = arguments.what_if;
  nlohmann::ordered_json json = {
      {"machine", machine.name},
      {"shape", std::vector<Index>(what_if.shape.begin(), what_if.shape.end())},
      {"kind", kind_words(what_if)},
      {"precision", precision_word(what_if)},
      {"output", to_word(what_if.options.output)},
      {"operator", nullptr},
      {"node_ranks", machine.node_ranks},
      {"gathered", what_if.node_ranks > 0},
      {"windows", what_if.windows},
      {"points", nlohmann::ordered_json::array()},
      {"fastest", nlohmann::ordered_json::array()},
  };
  for (Point const& point : points)
    for (std::size_t i = 0; i < point.predictions.size(); ++i) {
      auto const& prediction = point.predictions[i];
      if (!prediction) continue;
      auto const [passes, exchanges] = sums_of(*prediction);
      json["points"].push_back({{"ranks", point.ranks},
                                {"layout", arguments.layouts[i].name},
                                {"seconds", prediction->seconds},
                                {"communication_s", prediction->communication_s},
                                {"computation_s", prediction->computation_s},
                                {"gflops", prediction->seconds > 0 ? point.gflops[i] : 0},
                                {"passes", passes.steps},
                                {"exchanges", exchanges.steps},
                                {"memory_bytes", passes.bytes},
                                {"sent_bytes", exchanges.bytes}});
    }
  if (!what_if.operator_words.empty()) json["operator"] = what_if.operator_words;
  for (Reign const& reign : reigns(points))
    json["fastest"].push_back({{"layout", arguments.layouts[reign.layout].name},
                               {"first", reign.first},
                               {"last", reign.last}});
  return json;
}

/// Whether the published times are for this transform.
bool is_of(model::Published const& published, WhatIf const& what_if) {
  return std::equal(published.shape.begin(), published.shape.end(), what_if.shape.begin(),
                    what_if.shape.end()) &&
         what_if.axes.empty() && what_if.node_ranks == 0 && what_if.operator_words.empty() &&
         published.windows == what_if.windows && published.kind == kind_words(what_if) &&
         published.precision == precision_word(what_if) &&
         published.output == to_word(what_if.options.output);
}

Series marks_of(model::Published const& published, WhatIf const& what_if) {
  Series marks{published.layout, {}, true};
  auto const& communication_s = published.communication_s.points();
  for (auto const& [ranks, seconds] : published.seconds.points()) {
    auto const found = communication_s.find(ranks);
    marks.points.push_back(
        {static_cast<double>(ranks), seconds, found == communication_s.end() ? 0 : found->second});
  }
  auto const points = static_cast<double>(volume(what_if.shape));
  for (auto const& [ranks, gflops] : published.gflops.points())
    marks.points.push_back({static_cast<double>(ranks), rate_of(what_if, points, gflops), 0});
  return marks;
}

Picture picture_of(ModelArguments const& arguments, model::Machine const& machine,
                   std::vector<Point> const& points) {
  Picture picture{title(arguments, machine), {}, {}};
  for (std::size_t i = 0; i < arguments.layouts.size(); ++i) {
    Series& series = picture.series.emplace_back(Series{arguments.layouts[i].name, {}});
    for (Point const& point : points)
      if (auto const& prediction = point.predictions[i])
        series.points.push_back(
            {static_cast<double>(point.ranks), prediction->seconds, prediction->communication_s});
  }
  for (model::Published const& published : machine.published) {
    if (!is_of(published, arguments.what_if)) continue;
    picture.series.push_back(marks_of(published, arguments.what_if));
    picture.sources.push_back(published.source);
  }
  return picture;
}

void print_machines() {
  Table table;
  for (auto const& file : machine_files()) {
    std::string words;
    for (std::string const& line : model::read_machine(file).source) words += line + '\n';
    table.emplace_back(file.stem(), words);
  }
  print(table);
}

/// The layouts among slab, pencil and brick that differ for an array of this shape.
std::vector<NamedLayout> layouts_for(Shape const& shape) {
  return read_layouts(shape.size() == 1   ? "slab"
                      : shape.size() == 2 ? "slab,pencil"
                                          : "slab,pencil,brick");
}

void print_model(ModelArguments arguments) {
  if (arguments.lists_machines) return print_machines();
  if (!arguments.plot.empty()) require_drawable(arguments.plot);
  if (arguments.layouts.empty()) arguments.layouts = layouts_for(arguments.what_if.shape);
  model::Machine const machine = find_machine(arguments.machine, arguments.what_if);
  arguments.what_if.numbers = numbers_of(arguments.machine);
  arguments.what_if.fit_walls();
  std::vector<Point> points;
  for (Index ranks = arguments.ranks.first; ranks <= arguments.ranks.last; ranks *= 2)
    points.push_back(predict(arguments, machine, static_cast<int>(ranks)));
  if (arguments.json)
    std::fputs(to_lines(to_json(arguments, machine, points)).c_str(), stdout);
  else
    print_table(arguments, machine, points);
  if (!arguments.plot.empty()) draw(picture_of(arguments, machine, points), arguments.plot);
}

}  // namespace

void add_model(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<ModelArguments>();
  CLI::App& command = *app.add_subcommand(
      "model", "Print what a transform would cost on a machine, by ranks and decompositions");
  add_shape(command, arguments->what_if.shape);
  CLI::Option& shape = *command.get_option("shape")->required(false);
  CLI::Option& machine = *add_machine(command, arguments->machine);
  command.add_flag("--machines", arguments->lists_machines,
                   "List the machines that are known by name");
  add_read(command, "--ranks", arguments->ranks, read_span,
           "Numbers of ranks, each twice the one before [1:65536]")
      ->option_text("FIRST:LAST");
  add_read(command, "--layout", arguments->layouts, read_layouts,
           "Decompositions, with one, two or all axes split [all that the array has]")
      ->option_text("slab,pencil,brick");
  add_what_if(command, arguments->what_if);
  command.add_flag("--json", arguments->json, "Print it as JSON");
  command
      .add_option("--plot", arguments->plot,
                  "Draw the times, with published ones if there are any: a .png by gnuplot, or the "
                  "script for gnuplot, a .gp")
      ->option_text("FILE");
  command.footer(model_examples);
  command.callback([arguments, &shape, &machine, &run] {
    for (CLI::Option const* option : {&shape, &machine})
      if (!arguments->lists_machines && option->count() == 0)
        throw CLI::RequiredError(option->get_name());
    run = [arguments] {
      // All ranks would print the same text.
      if (launched_rank() == 0) print_model(*arguments);
      return EXIT_SUCCESS;
    };
  });
}

}  // namespace sixstep::cli
