// SPDX-License-Identifier: BSD-3-Clause
// Tuning: the facts of a job, the key of its wisdom, and the search.
#include "tuner/tuner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/words.hpp"
#include "device/backend.hpp"
#include "layout/counting.hpp"
#include "layout/fingerprint.hpp"
#include "local/caches.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "runners/conditions_of.hpp"
#include "runtime/node.hpp"
#include "sixstep/version.hpp"
#include "tuner/calibration.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep::tuner {

namespace {

/// The points of the axis that the plan views as two; 0 if there is none.
Index split_points(Design const& design) {
  formulas::Composition const composition = composed(design);
  Shape const& shape = design.problem.input.shape();
  std::optional<std::size_t> const direct = composition.direct();
  if (!direct || composition.schedules[*direct].shape.size() <= shape.size()) return 0;
  Shape const& working = composition.schedules[*direct].shape;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axis >= working.size() || working[axis] != shape[axis]) return shape[axis];
  return 0;
}

Facts facts_of(ToTune const& wanted, Node const& node, mpi::Communicator const& comm) {
  Facts facts{.ranks = comm.size(), .mpi = runners::mpi_of_job(), .picks_grid = wanted.picks_grid};
  std::vector<int> nodes = node.node_of();
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  facts.nodes = static_cast<int>(nodes.size());
  // Find the most ranks on a node and the fewest threads.
  bool const on_device = wanted.design.options.device != Device::none;
  std::array numbers = {node.size(), on_device ? -1 : -wanted.design.options.threads};
  mpi::reduce_to_all(comm, numbers.data(), 2, MPI_INT, MPI_MAX);
  facts.node_ranks = numbers[0];
  facts.threads = -numbers[1];
  mpi::together(comm, [&] { facts.split_points = split_points(wanted.design); });
  return facts;
}

std::string layout_words(Layout const& layout) {
  return text(layout.describe(), ", #", layout::Fingerprint().add(layout).value());
}

template <class Value>
std::string option_word(Value const& value) {
  if constexpr (requires { to_string(value); })
    return to_string(value);
  else
    return text(value);
}

/// The options that differ from their defaults, except those in other parts of the key.
std::string option_words(Options const& options) {
  std::vector<std::string> defaults;
  auto const visit_words = [](Options const& of, auto const& visit) {
    for_each_option(of, [&](std::string_view name, auto const& value) {
      if constexpr (!requires { value.size(); })
        if (name != "threads" && name != "gpu" && name != "tuning" && name != "tuning_seconds" &&
            name != "output")
          visit(name, option_word(value));
    });
  };
  visit_words({}, [&](std::string_view, std::string const& word) { defaults.push_back(word); });
  std::string words;
  std::size_t i = 0;
  visit_words(options, [&](std::string_view name, std::string const& word) {
    if (word != defaults[i++]) words += text(words.empty() ? "" : ", ", name, " ", word);
  });
  return words.empty() ? "none" : words;
}

/// The output in words; `problem` is settled.
std::string output_words(ToTune const& wanted, schedule::Problem const& problem) {
  switch (wanted.design.problem.lies) {
    case Output::natural_axes:
      return "any in the input's order";
    case Output::as_input:
      if (wanted.picks_grid) return "as the input";
      break;
    case Output::cheapest:
      break;
  }
  return problem.output ? layout_words(*problem.output) : "any";
}

/// The first words of the key of a problem with this shape.
std::string problem_words(Shape const& shape) { return text(to_string(shape), ": "); }

/// The key: everything that the answer depends on.
wisdom::Words key_of(ToTune const& wanted, Facts const& facts) {
  CountAs const same_for_all_languages(Counting::c);
  schedule::Problem const problem = schedule::settled(wanted.design.problem);
  std::string transforms;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Index const length = problem.lengths[i];
    bool const is_longer = length > problem.input.shape()[problem.axes[i]];
    transforms += text(i > 0 ? ", " : "", to_string(problem.kinds[i]), " along ", problem.axes[i],
                       is_longer ? text(" of ", length) : "",
                       problem.modes[i] < length ? text(" to ", problem.modes[i]) : "",
                       problem.sphere.empty() ? "" : text(" within ", problem.sphere[i]));
  }
  if (!problem.columns.empty()) {
    layout::Fingerprint columns;
    columns.add_all(problem.columns);
    transforms += text(", columns ", columns.value());
  }
  wisdom::Words words = {{"problem", problem_words(problem.input.shape()) + transforms},
                         {"input", wanted.picks_grid ? "any" : layout_words(problem.input)},
                         {"output", output_words(wanted, problem)},
                         {"precision", problem.real_bytes == sizeof(float) ? "single" : "double"},
                         {"padded", problem.padded ? "yes" : "no"},
                         {"options", option_words(wanted.design.options)},
                         {"ranks", text(facts.ranks)},
                         {"nodes", text(facts.nodes)},
                         {"node_ranks", text(facts.node_ranks)},
                         {"threads", text(facts.threads)},
                         {"thread_level", text(static_cast<int>(facts.mpi.level))},
                         {"mpi", mpi_words()},
                         {"cpu", processor_words()},
                         {"version", version}};
  if (!wanted.design.what.empty()) words.emplace_back("what", wanted.design.what);
  Options const& options = wanted.design.options;
  if (options.device != Device::none)
    words.emplace_back("device", device::backend(options.device, options.gpu).name());
  return words;
}

/// Sends rank 0's settings, and how they were found, to all ranks. Collective.
void broadcast(mpi::Communicator const& comm, Outcome& outcome) {
  std::array seconds = {outcome.seconds, outcome.default_seconds};
  mpi::broadcast(comm, seconds.data(), sizeof seconds);
  outcome.seconds = seconds[0];
  outcome.default_seconds = seconds[1];
  std::string words = outcome.level;
  for (auto const& [name, value] : outcome.settings) words += text('\n', name, '\n', value);
  words = mpi::broadcast(comm, words);
  if (comm.rank() == 0) return;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= words.size();) {
    std::size_t const end = std::min(words.find('\n', begin), words.size());
    lines.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  outcome.level = lines[0];
  for (std::size_t i = 1; i + 1 < lines.size(); i += 2)
    outcome.settings.emplace_back(lines[i], lines[i + 1]);
}

/// Whether any of the entries may be for an array of this shape.
bool concerns(std::vector<wisdom::Entry> const& entries, Shape const& shape) {
  return std::any_of(entries.begin(), entries.end(), [&](wisdom::Entry const& entry) {
    return !entry.key.empty() && entry.key.front().second.starts_with(problem_words(shape));
  });
}

/// On rank 0: the kept entry of a search at least as thorough as `level`.
std::optional<wisdom::Entry> find(std::vector<wisdom::Entry> const& entries,
                                  wisdom::Words const& key, TuningLevel level) {
  for (wisdom::Entry const& entry : entries) {
    bool const thorough =
        level != TuningLevel::exhaustive || entry.level == to_string(TuningLevel::exhaustive);
    if (entry.key == key && thorough) return entry;
  }
  return std::nullopt;
}

/// The price by the schedule's rough figures per rank, which suffice to compare grids and bases.
double rough_price(Design const& design) { return composed(design).seconds(design.choices.rates); }

/// On rank 0: seconds by the machine file measured here, if there is one; else the rough price.
Pricer pricer_for(mpi::Communicator const& comm, Node const& node, Facts const& facts,
                  Device device) {
  if (comm.rank() != 0) return {};
  std::optional<model::Machine> machine;
  try {
    std::string const file = model::default_machine_file(device);
    if (std::filesystem::exists(file))
      machine = with_node_ranks(model::read_machine(file), facts.node_ranks, facts.threads);
    if (machine && machine->device.has_value() != (device != Device::none)) machine.reset();
  } catch (Error const& error) {
    report(text("tuning uses rough prices: ", error.what()));
  }
  if (!machine) return rough_price;
  return [machine = *machine, conditions = runners::conditions_of(node, {})](Design const& design) {
    decision::Conditions its = conditions;
    its.tuning = design.choices.tuning;
    formulas::Composition const composition = composed(design);
    auto const limits = decision::limits_of(composition, design.options, its);
    return price(composition, limits, machine,
                 decision::allocated_arrays(composition, limits, design.options))
        .seconds;
  };
}

/// The cheapest grid, the same on all ranks.
Settings cheapest_grid(Design const& design, Facts const& facts) {
  Knob const& grid = knobs().front();
  Settings best;
  double least = std::numeric_limits<double>::infinity();
  auto const values = grid.values(facts, design);
  for (std::string const& value : values) {
    Settings const settings = value == values.front() ? Settings{} : Settings{{grid.name, value}};
    double const price = rough_price(with(design, settings, facts));
    if (price >= least) continue;
    least = price;
    best = settings;
  }
  return best;
}

/// On rank 0: the result under the problem's key and, if the grid was chosen too, under the key of
/// a plan for the layouts that were found.
std::vector<wisdom::Entry> entries_for(ToTune const& wanted, Facts const& facts,
                                       wisdom::Words const& key, Outcome const& outcome) {
  wisdom::Entry entry{
      key,          outcome.settings, outcome.level, outcome.seconds, outcome.default_seconds,
      wisdom::now()};
  std::vector<wisdom::Entry> entries{entry};
  if (!wanted.picks_grid) return entries;
  ToTune given{wanted.design};
  given.design.problem = outcome.design.problem;
  entry.key = key_of(given, facts);
  std::erase_if(entry.found,
                [](auto const& setting) { return setting.first == knobs().front().name; });
  entries.push_back(entry);
  return entries;
}

/// Takes over the settings that are kept for this problem, if there are any. Returns the problem's
/// key, on rank 0. Collective.
wisdom::Words take_kept(mpi::Communicator const& comm, ToTune const& wanted, Facts const& facts,
                        wisdom::Read const& kept, Outcome& outcome) {
  wisdom::Words key;
  mpi::together(comm, [&] {
    if (comm.rank() != 0) return;
    key = key_of(wanted, facts);
    auto const entry = find(kept.entries, key, wanted.design.options.tuning);
    if (!entry || wanted.anew) return;
    try {
      with(wanted.design, entry->found, facts);
    } catch (Error const& error) {
      return report(text("wisdom: the kept settings for this problem do not suit this library: ",
                         error.what()));
    }
    outcome.settings = entry->found;
    outcome.level = entry->level;
    outcome.seconds = entry->seconds;
    outcome.default_seconds = entry->default_seconds;
  });
  broadcast(comm, outcome);
  return key;
}

/// Searches settings by races, and writes the best ones to the outcome. Collective.
void search(Space const& space, Races& races, TuningLevel level, Outcome& outcome) {
  if (level == TuningLevel::exhaustive)
    exhaustive_search(space, races);
  else
    quick_search(space, races);
  races.confirm();
  outcome.settings = races.title();
  // A search that was stopped has not tried all combinations.
  outcome.level = to_string(races.ended_early() ? TuningLevel::quick : level);
  outcome.races = races.races();
  outcome.seconds = races.seconds();
  outcome.default_seconds = races.default_seconds();
}

}  // namespace

Outcome tune(ToTune const& given, mpi::Communicator const& comm, Watch const& watch) {
  ToTune wanted = given;
  Options const& options = wanted.design.options;
  auto const file = comm.rank() == 0 ? wisdom::default_file() : std::nullopt;
  auto const read = file ? wisdom::read_if_changed(*file) : std::make_shared<wisdom::Read const>();
  wisdom::Read const& kept = *read;
  report(kept.report);
  int some_kept = concerns(kept.entries, wanted.design.problem.input.shape()) ? 1 : 0;
  mpi::broadcast(comm, &some_kept, sizeof some_kept);
  Calibrated const measured = calibrated(comm, kept.entries, wanted.design.choices.tuning);
  if (options.device == Device::none) wanted.design.choices.tuning = measured.tuning;
  Outcome outcome{wanted.design};
  if (options.device == Device::none) outcome.measured = measured.words;
  bool const searches = options.tuning != TuningLevel::model;
  if (!searches && !wanted.picks_grid && !some_kept) return outcome;

  Node const node(comm);
  Facts const facts = facts_of(wanted, node, comm);
  wisdom::Words const key = take_kept(comm, wanted, facts, kept, outcome);
  outcome.was_kept = !outcome.level.empty();
  auto const finish = [&]() -> Outcome& {
    mpi::together(comm, [&] { outcome.design = with(wanted.design, outcome.settings, facts); });
    return outcome;
  };
  if (outcome.was_kept) return finish();
  if (!searches) {
    if (wanted.picks_grid)
      mpi::together(comm, [&] { outcome.settings = cheapest_grid(wanted.design, facts); });
    return finish();
  }

  Design quiet = wanted.design;
  quiet.options.trace.clear();
  Space const space{quiet, facts};
  double const seconds = options.tuning == TuningLevel::exhaustive ? 0 : options.tuning_seconds;
  Races races(comm, space, seconds, watch, pricer_for(comm, node, facts, options.device));
  search(space, races, options.tuning, outcome);
  finish();
  if (file) report(wisdom::keep(*file, entries_for(wanted, facts, key, outcome)));
  return outcome;
}

}  // namespace sixstep::tuner
