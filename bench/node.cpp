// SPDX-License-Identifier: BSD-3-Clause
// Distributed transforms on one node against other libraries: in turn, in one run.
//
//   mpiexec -n 2 node --cases 256^3,2^24 --json node.json
//
// See README.md for how to get the rivals, and plot_node.py for pictures of the figures.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness.hpp"
#include "memory.hpp"
#include "node/cases.hpp"
#include "node/limit.hpp"
#include "node/rounds.hpp"
#include "node/samples.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "table.hpp"

namespace sixstep::bench::node {
namespace {

using Json = nlohmann::ordered_json;

// Cases whose arrays take more than this are left out unless they are named.
constexpr double default_bytes = 4.0 * (1 << 30);

struct Options {
  std::vector<std::string> cases;
  std::vector<std::string> contenders;
  Patience patience = {.rounds = 5, .seconds = 2};
  int threads = 1;
  std::string json;
  std::string memory;
  bool plan_arrays = false;
};

struct Entry {
  Contender contender;
  Prepared prepared;
  double error = 0;
};

std::vector<Entry> prepare(Case const& c, std::vector<Contender> const& contenders,
                           Setting const& setting) {
  std::vector<Entry> entries;
  for (Contender const& contender : contenders)
    if (auto prepared = contender.prepare(c, setting))
      entries.push_back({contender, std::move(*prepared)});
  return entries;
}

/// Transforms the field once and compares; leaves the input zero.
template <class Real>
void check(Case const& c, std::vector<Entry>& entries, Setting const& setting) {
  Reference const reference(c, setting);
  for (Entry& entry : entries) {
    fill<Real>(c, entry.prepared);
    poison<Real>(entry.prepared);
    entry.prepared.run();
    entry.error = reference.error_of<Real>(entry.prepared);
    require(entry.error < tolerance<Real>(c.points()), entry.contender.name, ": ", c.name, " on ",
            setting.ranks, " ranks: a wrong result, error ", entry.error);
    clear<Real>(c, entry.prepared);
  }
}

Json to_json(Limit const& limit, double time_s) {
  return {{"seconds", limit.seconds()},
          {"copy_bytes_per_s", limit.rates.apart},
          {"in_place_bytes_per_s", limit.rates.in_place},
          {"memory_seconds", limit.memory_s},
          {"arithmetic_seconds", limit.arithmetic_s},
          {"reached", limit.seconds() / time_s}};
}

template <class Real>
Json measure(Case const& c, std::vector<Contender> const& contenders, Patience const& patience,
             Setting const& setting) {
  std::vector<Entry> entries = prepare(c, contenders, setting);
  check<Real>(c, entries, setting);
  std::vector<std::function<void()>> runs;
  for (Entry const& entry : entries) runs.push_back(entry.prepared.run);
  bool const ours = !entries.empty() && entries[0].contender.name == "sixstep";
  Copy const copy(c, setting);
  if (ours) {
    runs.push_back([&] { copy.run(); });
    runs.push_back([&] { copy.run_in_place(); });
  }
  Trials const trials = take_turns(runs, patience, setting.comm);
  Json result = {{"case", c.name},
                 {"shape", c.shape},
                 {"precision", c.single ? "single" : "double"},
                 {"figures", Json::object()}};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    double const time_s = median(trials[i]);
    Json figure = {{"seconds", time_s},
                   {"least_seconds", *std::min_element(trials[i].begin(), trials[i].end())},
                   {"gflops", 1e-9 * flops(c) / time_s},
                   {"trials", trials[i].size()},
                   {"error", entries[i].error},
                   {"hurried", entries[i].prepared.hurried}};
    if (ours && i > 0) figure["times_ours"] = median_ratio(trials[0], trials[i]);
    result["figures"][entries[i].contender.name] = figure;
  }
  if (ours) {
    auto const rate = [&](std::size_t run) { return copy.bytes() / median(trials[run]); };
    CopyRates const rates{rate(entries.size()), rate(entries.size() + 1)};
    auto const limit = limit_of<Real>(c, entries[0].prepared.round_trips, rates, setting);
    if (limit) result["limit"] = to_json(*limit, median(trials[0]));
  }
  return result;
}

template <class T>
bool chosen(std::vector<T> const& list, T const& item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<Contender> chosen_contenders(Options const& options, Setting const& setting) {
  std::vector<Contender> some;
  for (Contender const& contender : contenders())
    if (chosen(options.contenders, contender.name) &&
        (setting.ranks == 1 || !contender.needs_one_rank))
      some.push_back(contender);
  require(!some.empty(), "--contenders: none that was named runs on ", setting.ranks, " ranks");
  return some;
}

double array_bytes(Case const& c) {
  return static_cast<double>(c.input_bytes() + c.output_bytes());
}

/// Those that were named, or that do not take too much memory; says which are left out.
std::vector<Case> chosen_cases(Options const& options, std::size_t contenders,
                               Setting const& setting) {
  std::vector<Case> some;
  for (Case const& c : cases()) {
    if (!chosen(options.cases, c.name)) continue;
    if (!c.one_axis() && c.shape[0] < setting.ranks) continue;  // two axes: nothing to share
    double const bytes = array_bytes(c) * static_cast<double>(contenders);
    if (options.cases.empty() && bytes > default_bytes) {
      if (setting.rank == 0)
        std::printf("%s is left out: all arrays take %s; --cases %s measures it\n", c.name.c_str(),
                    cli::bytes_text(bytes).c_str(), c.name.c_str());
      continue;
    }
    some.push_back(c);
  }
  return some;
}

/// The fastest rival: the least ratio to our time, and whose it is; 0 where there is none.
std::pair<double, std::string> lead(Json const& result) {
  std::pair<double, std::string> least{0, ""};
  for (auto const& [name, figure] : result["figures"].items())
    if (figure.contains("times_ours") &&
        (least.second.empty() || figure["times_ours"] < least.first))
      least = {figure["times_ours"].get<double>(), name};
  return least;
}

void print_table(Json const& results, std::vector<Contender> const& contenders) {
  std::printf(
      "\nMilliseconds (* planning was cut off); the fastest rival's over sixstep's; what "
      "sixstep's\n"
      "plan can hope for, and its share of the time\n%-14s",
      "");
  for (Contender const& contender : contenders) std::printf("%12s ", contender.name.c_str());
  std::printf("%9s  %-12s%9s%9s\n", "ratio", "to", "limit", "reached");
  for (Json const& result : results) {
    std::printf("%-14s", result["case"].get<std::string>().c_str());
    for (Contender const& contender : contenders)
      if (auto const figure = result["figures"].find(contender.name);
          figure != result["figures"].end())
        std::printf("%12.4g%c", 1e3 * (*figure)["seconds"].get<double>(),
                    (*figure)["hurried"].get<bool>() ? '*' : ' ');
      else
        std::printf("%13s", "");
    if (auto const [ratio, rival] = lead(result); ratio > 0)
      std::printf("%9.2f  %-12s", ratio, rival.c_str());
    else
      std::printf("%23s", "");
    if (result.contains("limit"))
      std::printf("%9.4g%7.0f %%", 1e3 * result["limit"]["seconds"].get<double>(),
                  100 * result["limit"]["reached"].get<double>());
    std::printf("\n");
  }
}

void write(std::string const& file, Json const& results, std::vector<Contender> const& contenders,
           Setting const& setting) {
  Json record = {{"ranks", setting.ranks},
                 {"threads", setting.threads},
                 {"mpi", mpi::library()},
                 {"contenders", Json::array()},
                 {"results", results}};
  for (Contender const& contender : contenders)
    record["contenders"].push_back({{"name", contender.name}, {"version", contender.version}});
  std::ofstream stream(file);
  stream << record.dump(1) << '\n';
  stream.close();
  require(stream.good(), "--json ", file, ": cannot be written");
}

void compare(Options const& options, Setting const& setting) {
  std::vector<Contender> const contenders = chosen_contenders(options, setting);
  if (setting.rank == 0) {
    std::printf("ranks %d, threads of each %d, %s\n", setting.ranks, setting.threads,
                mpi::library().c_str());
    for (Contender const& contender : contenders)
      std::printf("%-12s %s\n", contender.name.c_str(), contender.version.c_str());
  }
  std::vector<Case> const todo = chosen_cases(options, contenders.size(), setting);
  std::fflush(stdout);
  Json results = Json::array();
  {
    cli::Progress progress(setting.rank, static_cast<int>(todo.size()));
    for (Case const& c : todo) {
      progress.step(c.name);
      results.push_back(c.single ? measure<float>(c, contenders, options.patience, setting)
                                 : measure<double>(c, contenders, options.patience, setting));
      mpi::together(setting.comm, [&] {
        if (setting.rank == 0 && !options.json.empty())
          write(options.json, results, contenders, setting);
      });
    }
  }
  if (setting.rank == 0) print_table(results, contenders);
}

/// What one contender's transform takes of memory, in a process that does nothing else.
void weigh(Options const& options, Setting const& setting) {
  std::vector<Contender> const contenders = chosen_contenders(options, setting);
  require(contenders.size() == 1, "--memory: one contender is needed; name it with --contender");
  Case const& c = *std::find_if(cases().begin(), cases().end(),
                                [&](Case const& each) { return each.name == options.memory; });
  double const before = cli::max_over(setting.comm, static_cast<double>(cli::peak_bytes()));
  auto const prepared = contenders[0].prepare(c, setting);
  require(prepared.has_value(), "--memory: ", contenders[0].name, " does not do ", c.name);
  c.single ? fill<float>(c, *prepared) : fill<double>(c, *prepared);
  for (int repeat = 0; repeat < 2; ++repeat) prepared->run();
  double const peak = cli::max_over(setting.comm, static_cast<double>(cli::peak_bytes()));
  double const end = cli::max_over(setting.comm, static_cast<double>(cli::proportional_bytes()));
  if (setting.rank != 0) return;
  cli::print({{"case", c.name},
              {"contender", contenders[0].name + " " + contenders[0].version},
              {"ranks", text(setting.ranks)},
              {"threads", text(setting.threads, " of each rank")},
              {"input and output", cli::bytes_text(array_bytes(c) / setting.ranks) + " a rank"},
              {"before planning", cli::bytes_text(before) + " (VmHWM)"},
              {"peak", cli::bytes_text(peak) + ", on the rank with the most (VmHWM)"},
              {"at the end",
               cli::bytes_text(end) + ", pages that ranks share by each one's share (Pss)"}});
}

std::string footer() {
  std::string names;
  for (Case const& c : cases()) names += " " + c.name;
  return text("Cases:\n ", names,
              "\n"
              "Three axes with transposed output, unless natural; one axis in natural order,\n"
              "unless transposed: any order of the contender's own, with an exchange less.\n"
              "Two axes are for one rank.\n"
              "Double precision c2c where nothing else is said.\n"
              "\nExamples:\n"
              "  mpiexec -n 2 node\n"
              "      all cases whose arrays take less than 4 GiB\n"
              "  mpiexec -n 2 node --cases 256^3,2^24 --seconds 10 --json node.json\n"
              "  node --threads 2 --cases 256^3\n"
              "      one process; rivals that are not distributed take part then\n"
              "  mpiexec -n 2 node --memory 256^3 --contender FFTW\n"
              "      memory instead of time\n"
              "\nA ratio is the median over the rounds of how many times as long the rival took.\n"
              "The limit is the time of a copy to another array for our first pass and of one in\n"
              "place for each further one, or that of our kernels in cache, whichever is longer.\n"
              "Let nothing else run beside it, and give each rank a core of its own.\n");
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names, known_cases;
  for (Contender const& contender : contenders()) names.push_back(contender.name);
  for (Case const& c : cases()) known_cases.push_back(c.name);
  app.add_option("--cases", options.cases, "What is transformed; see below [all that fit]")
      ->delimiter(',')
      ->check(CLI::IsMember(known_cases))
      ->option_text("NAME,...");
  app.add_option("--contenders,--contender", options.contenders,
                 text("Who takes part, of ", CLI::detail::join(names, ", "), " [all]"))
      ->delimiter(',')
      ->check(CLI::IsMember(names))
      ->option_text("NAME,...");
  add_rounds(app, options.patience.rounds, "Rounds for each case at least [5]", "--repeats")
      ->option_text("R");
  add_seconds(app, options.patience.seconds,
              "Time for each case at least, shared by all contenders [2]")
      ->option_text("S");
  add_threads(app, options.threads, "Threads of each rank [1]");
  app.add_flag("--plan-arrays", options.plan_arrays,
               "sixstep takes arrays from its plan, and may overwrite the input, as FFTW does");
  add_json(app, options.json);
  app.add_option("--memory", options.memory,
                 "Run this case with one contender, and say what memory each rank takes")
      ->check(CLI::IsMember(known_cases))
      ->option_text("CASE");
  app.footer(footer());
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times transforms of arrays that are spread over the ranks of one node against those of\n"
      "other libraries: out of place, in one run, in turn, from a barrier to the end on the\n"
      "slowest rank. Each result is checked before it is timed.",
      "node");
  add_options(app, options);
  auto const command = [&](MPI_Comm comm) {
    Setting const setting{comm, cli::rank_of(comm), cli::ranks_of(comm), options.threads,
                          options.plan_arrays};
    options.memory.empty() ? compare(options, setting) : weigh(options, setting);
  };
  return run_on_ranks(app, argc, argv, command);
}

}  // namespace
}  // namespace sixstep::bench::node

int main(int argc, char** argv) { return sixstep::bench::node::run(argc, argv); }
