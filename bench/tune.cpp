// SPDX-License-Identifier: BSD-3-Clause
// What tuning brings: plans as they are without it, and as each level finds them, in turn.
//
//   mpiexec -n 2 tune --cases 2^20,256^3 --json tune.json
//
// bench/tune runs it on this node and on emulated hosts.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "runtime/threads.hpp"
#include "sixstep/plan.hpp"
#include "table.hpp"
#include "tuner/tuner.hpp"

namespace sixstep::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> cases = {"2^16", "2^18",  "2^20",  "2^22",  "2^24",      "64^3",
                                    "96^3", "128^3", "192^3", "256^3", "128^3-r2c", "1000^2"};
  std::vector<std::string> levels = {"quick"};
  std::vector<std::string> settings;
  int instances = 3;
  node::Patience patience = {.rounds = 7, .seconds = 0.5};
  double seconds = Options{}.tuning_seconds;
  std::string json;
};

/// "256^3", "2^20" (one axis), "240x250x270", each with -r2c or without. Errors: what is none.
tuner::ToTune wanted_of(std::string const& name, int ranks) {
  std::smatch match;
  bool const is_power = std::regex_match(name, match, std::regex(R"((\d+)\^(\d+)(-r2c)?)"));
  Shape shape;
  if (is_power) {
    Index const base = std::stoll(match[1]), exponent = std::stoll(match[2]);
    if (base == 2)
      shape.push_back(Index{1} << exponent);
    else
      for (Index i = 0; i < exponent; ++i) shape.push_back(base);
  } else {
    require(std::regex_match(name, match, std::regex(R"((\d+(?:x\d+)*)()(-r2c)?)")), "--cases: '",
            name, "' is none, as 2^20, 256^3, 240x250x270 and 256^3-r2c are");
    std::string const words = match[1];
    for (std::size_t begin = 0; begin <= words.size();) {
      std::size_t const end = std::min(words.find('x', begin), words.size());
      shape.push_back(std::stoll(words.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  tuner::ToTune wanted;
  schedule::Problem& problem = wanted.design.problem;
  problem.input = shape.size() > 2 && ranks > shape[0] ? Layout::pencil(shape, ranks)
                                                       : Layout::slab(shape, ranks);
  if (match[3].matched) problem.kinds = {Kind::r2c};
  problem.lies = Output::as_input;
  wanted.picks_grid = true;
  wanted.anew = true;
  return wanted;
}

double flops(schedule::Problem const& problem) {
  auto const points = static_cast<double>(volume(problem.input.shape()));
  return (problem.kinds.empty() ? 5 : 2.5) * points * std::log2(points);
}

/// A plan of a design, with arrays of its own.
class Contender {
 public:
  Contender(tuner::Design const& design, mpi::Communicator const& comm)
      : runner_(formulas::compose(design.problem, design.choices),
                mpi::Communicator::duplicate(comm), design.options, design.problem.real_bytes,
                design.choices.tuning),
        in_(runner_.allocate_array()),
        out_(runner_.allocate_array()) {}

  void run() {
    runner_.execute(in_.get(), out_.get(), Direction::forward, Scale::none);
    runner_.execute(out_.get(), in_.get(), Direction::backward, Scale::none);
  }

 private:
  runners::CompositionRunner runner_;
  std::shared_ptr<void> in_, out_;  // zeros
};

/// Of "strip_row_bytes 1024, tile_groups 2"; whether they make sense is the user's to know.
tuner::Design with_settings(tuner::ToTune const& wanted, std::string const& words) {
  static std::regex const setting(R"(([a-z_]+) ([^, ]+))");
  tuner::Design design = wanted.design;
  tuner::Facts const facts{.ranks = design.problem.input.ranks()};
  for (std::sregex_iterator each(words.begin(), words.end(), setting), end; each != end; ++each)
    for (tuner::Knob const& knob : tuner::knobs())
      if (knob.name == (*each)[1]) knob.set(design, (*each)[2], facts);
  return design;
}

Json measure(std::string const& name, Arguments const& arguments, mpi::Communicator const& comm) {
  tuner::ToTune wanted;
  mpi::together(comm, [&] { wanted = wanted_of(name, comm.size()); });
  wanted.design.options.threads = fair_threads(comm);
  std::vector<tuner::Design> designs = {wanted.design};
  Json figures = {{{"level", "none"},
                   {"grid", wanted.design.problem.input.describe()},
                   {"tuning_seconds", 0.0}}};
  for (std::string const& level : arguments.levels) {
    tuner::ToTune tuned = wanted;
    tuned.design.options.tuning = level == "quick" ? TuningLevel::quick : TuningLevel::exhaustive;
    tuned.design.options.tuning_seconds = arguments.seconds;
    double const begin = MPI_Wtime();
    tuner::Outcome const outcome = tuner::tune(tuned, comm);
    figures.push_back({{"level", level},
                       {"grid", outcome.design.problem.input.describe()},
                       {"settings", tuner::to_words(outcome.settings)},
                       {"races", outcome.races},
                       {"tuning_seconds", MPI_Wtime() - begin}});
    designs.push_back(outcome.design);
  }
  for (std::string const& words : arguments.settings) {
    figures.push_back({{"level", "given"}, {"settings", words}, {"tuning_seconds", 0.0}});
    designs.push_back(with_settings(wanted, words));
  }
  // Where its memory happens to lie makes a plan some per cent faster or slower.
  Trials trials(designs.size());
  for (int instance = 0; instance < arguments.instances; ++instance) {
    std::vector<std::unique_ptr<Contender>> contenders;
    for (tuner::Design const& design : designs)
      contenders.push_back(std::make_unique<Contender>(design, comm));
    std::vector<std::function<void()>> runs;
    for (auto const& contender : contenders) runs.emplace_back([&] { contender->run(); });
    Trials const more = node::take_turns(runs, arguments.patience, comm.get());
    for (std::size_t i = 0; i < trials.size(); ++i)
      trials[i].insert(trials[i].end(), more[i].begin(), more[i].end());
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    figures[i]["seconds"] = median(trials[i]);
    figures[i]["gflops"] = 2e-9 * flops(wanted.design.problem) / median(trials[i]);
    figures[i]["gain"] = median_ratio(trials[i], trials[0]);
  }
  return {{"case", name}, {"figures", figures}};
}

void print_table(Json const& results) {
  std::printf("%-12s %-10s %12s %10s %7s %9s %6s  %s\n", "case", "level", "ms", "GFLOP/s", "gain",
              "tuned in", "races", "settings");
  for (Json const& result : results)
    for (Json const& figure : result["figures"])
      std::printf("%-12s %-10s %12.4g %10.4g %7.2f %7.1f s %6d  %s\n",
                  result["case"].get<std::string>().c_str(),
                  figure["level"].get<std::string>().c_str(), 1e3 * figure["seconds"].get<double>(),
                  figure["gflops"].get<double>(), figure["gain"].get<double>(),
                  figure["tuning_seconds"].get<double>(), figure.value("races", 0),
                  figure.value("settings", std::string()).c_str());
}

void compare(Arguments const& arguments, MPI_Comm user_comm) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  setenv("SIXSTEP_WISDOM", "", 1);  // nothing is kept, nothing answers
  Json results = Json::array();
  {
    cli::Progress progress(comm.rank(), static_cast<int>(arguments.cases.size()));
    for (std::string const& name : arguments.cases) {
      progress.step(name);
      results.push_back(measure(name, arguments, comm));
      if (comm.rank() == 0 && !arguments.json.empty())
        std::ofstream(arguments.json) << Json{{"ranks", comm.size()},
                                              {"mpi", mpi::library()},
                                              {"results", results},
                                              {"complete", name == arguments.cases.back()}}
                                             .dump(1)
                                      << '\n';
    }
  }
  if (comm.rank() == 0) print_table(results);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Plans as they are without tuning against those that each level of tuning finds: there and\n"
      "back, in natural order, on arrays that the plans give, in one run, in turn.",
      "tune");
  app.add_option("--cases", arguments.cases, "What is transformed, as 2^20, 256^3, 240x250x270-r2c")
      ->delimiter(',')
      ->option_text("NAME,...");
  app.add_option("--levels", arguments.levels, "Which levels take part: quick, exhaustive [quick]")
      ->delimiter(',')
      ->check(CLI::IsMember({"quick", "exhaustive"}))
      ->option_text("LEVEL,...");
  app.add_option("--settings", arguments.settings,
                 "Settings that take part too, as \"strip_row_bytes 1024, tile_groups 2\"")
      ->option_text("WORDS ...");
  app.add_option("--instances", arguments.instances,
                 "How often all plans are made, as memory may lie better or worse [3]")
      ->transform(cli::number_in(1, 100))
      ->option_text("I");
  app.add_option("--seconds", arguments.seconds, "What quick tuning may take [10]")
      ->check(CLI::PositiveNumber)
      ->option_text("S");
  add_rounds(app, arguments.patience.rounds, "In which all run once, of each instance at least [7]")
      ->option_text("R");
  add_json(app, arguments.json);
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) { compare(arguments, comm); });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
