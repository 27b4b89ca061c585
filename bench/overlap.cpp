// SPDX-License-Identifier: BSD-3-Clause
// How much of the exchanges hides behind the passes: every driver, no overlap and FFTW, in turn, in
// one run.
//
// The script `overlap` runs it on emulated hosts. They share a machine that cannot compute as fast
// as they would: passes are stretched by idle time, to any ratio of passes to exchanges.
#include <sys/prctl.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "measure.hpp"
#include "node/all_to_alls.hpp"
#include "node/cases.hpp"
#include "node/rounds.hpp"
#include "node/samples.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "runners/stretch.hpp"
#include "sixstep/sixstep.hpp"
#include "table.hpp"

namespace sixstep::bench::overlap {
namespace {

using node::Case;
using node::Output;
using node::Prepared;
using node::Setting;
using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

Names<Driver> const drivers = {{"automatic", Driver::automatic},
                               {"between", Driver::between},
                               {"master", Driver::master},
                               {"pipelines", Driver::pipelines},
                               {"thread", Driver::thread}};
Names<Exchange> const exchanges = {{"shared", Exchange::shared},
                                   {"collective", Exchange::collective},
                                   {"pairwise", Exchange::pairwise}};
Names<int> const levels = {{"single", MPI_THREAD_SINGLE},
                           {"funneled", MPI_THREAD_FUNNELED},
                           {"serialized", MPI_THREAD_SERIALIZED},
                           {"multiple", MPI_THREAD_MULTIPLE}};

/// A case, how its input is split, and its limit: so many all-to-alls one after another, of pencils
/// in both directions of the grid.
struct Job {
  Case field;
  bool pencils;
  int all_to_alls;
};

std::vector<Job> const& jobs() {
  auto const line = [](int power) {
    Index const n = Index{1} << power;
    return Job{
        {.name = text("2^", power), .shape = {1, 1, n}, .output = Output::natural}, false, 3};
  };
  auto const cube = [](Index n, std::string const& split, Output output) {
    bool const natural = output == Output::natural;
    std::string const name = text(n, "^3-", split, natural ? "-natural" : "");
    return Job{
        {.name = name, .shape = {n, n, n}, .output = output}, split == "pencils", natural ? 2 : 1};
  };
  static std::vector<Job> const all = {line(20),
                                       line(22),
                                       cube(128, "pencils", Output::transposed),
                                       cube(128, "slabs", Output::transposed),
                                       cube(128, "pencils", Output::natural),
                                       cube(128, "slabs", Output::natural),
                                       line(18),
                                       cube(64, "pencils", Output::transposed),
                                       cube(64, "slabs", Output::transposed)};
  return all;
}

template <class Value>
std::vector<std::string> names_of(Names<Value> const& list) {
  std::vector<std::string> names;
  for (auto const& [name, value] : list) names.push_back(name);
  return names;
}

template <class Value>
Value named(Names<Value> const& list, std::string const& name) {
  auto const same = [&](auto const& each) { return each.first == name; };
  return std::find_if(list.begin(), list.end(), same)->second;
}

struct Arguments {
  std::vector<std::string> cases = {"2^20", "2^22", "128^3-pencils", "128^3-slabs"};
  std::vector<std::string> drivers = names_of(overlap::drivers);
  std::vector<std::string> exchanges = names_of(overlap::exchanges);
  std::vector<double> ratios = {0.5, 0.7, 1};
  std::vector<int> windows = {16};
  int threads = 2;
  int rounds = 3;
  double planning_s = 5;
  std::string level = "multiple";
  std::string json;
};

/// The arrays of a case, which all of our plans share; they may overwrite the input.
struct Arrays {
  Layout input;
  Layout output;
  std::shared_ptr<std::byte[]> in;
  std::shared_ptr<std::byte[]> out;
};

/// Of one run: seconds of a rank, the mean over the ranks.
struct Shares {
  double passes;
  double exchanges;
};

/// What is timed: a plan of ours, FFTW's, or something else that is run.
struct Contender {
  std::string name;
  Prepared prepared = {};
  std::shared_ptr<Plan<double>> plan = nullptr;
  Json details = Json::object();
};

bool is_pass(sixstep::Part const& part) {
  return !part.what.starts_with("exchange") && part.what != "meeting";
}

Shares shares_of(Plan<double> const& plan, MPI_Comm comm) {
  std::array<double, 2> sums{};
  for (sixstep::Part const& part : plan.breakdown()) sums[is_pass(part) ? 0 : 1] += part.seconds;
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm);
  int const ranks = cli::ranks_of(comm);
  return {sums[0] / ranks, sums[1] / ranks};
}

Shares median_of(std::vector<Shares> const& rounds) {
  std::vector<double> passes, moves;
  for (Shares const& shares : rounds) {
    passes.push_back(shares.passes);
    moves.push_back(shares.exchanges);
  }
  return {median(passes), median(moves)};
}

/// Read and written by the passes of one transform, on the rank with the most. Collective.
double pass_bytes(Plan<double> const& plan, MPI_Comm comm) {
  double bytes = 0;
  for (sixstep::Part const& part : plan.breakdown())
    if (is_pass(part)) bytes += part.bytes;
  return cli::max_over(comm, bytes);
}

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// One case on these ranks: contenders, checked, and their times at any stretch of the passes.
class Comparison {
 public:
  Comparison(Job const& job, Arguments const& arguments, Setting const& setting)
      : job_(job), arguments_(arguments), setting_(setting), reference_(job.field, setting) {}

  /// Collective.
  Json run() {
    choose_in_turn();
    AllToAlls const limit = all_to_alls();
    contenders_.push_back({.name = "all-to-alls"});
    contenders_.back().prepared.run = [&] { limit.run(); };
    Json ratios = Json::array();
    for (double const ratio : arguments_.ratios) {
      idle_s_per_byte_ = std::max(0.0, ratio * shares_.exchanges - shares_.passes) / bytes_;
      if (ratios.empty()) add_others();
      ratios.push_back(measure(ratio));
    }
    Json plans = Json::object();
    for (Contender const& contender : contenders_)
      if (!contender.details.empty()) plans[contender.name] = contender.details;
    return {{"case", job_.field.name},
            {"points", job_.field.points()},
            {"exchanges", contenders_[0].plan->exchanges()},
            {"all_to_alls", limit.exchanges()},
            {"pass_bytes", bytes_},
            {"unstretched_comp_seconds", shares_.passes},
            {"trials", trials_},
            {"plans", plans},
            {"ratios", ratios}};
  }

 private:
  using AllToAlls = node::AllToAlls;

  /// The first contender: no overlap, with the strategy that exchanges fastest.
  void choose_in_turn() {
    std::vector<Contender> candidates;
    for (std::string const& exchange : arguments_.exchanges)
      candidates.push_back(
          ours("no overlap", {.exchange = named(exchanges, exchange), .threads = 1, .windows = 1}));
    std::size_t best = 0;
    std::vector<Shares> shares;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      shares.push_back(spent(candidates[i]));
      trials_["no overlap"][arguments_.exchanges[i]] = shares[i].exchanges;
      if (shares[i].exchanges < shares[best].exchanges) best = i;
    }
    shares_ = shares[best];
    bytes_ = pass_bytes(*candidates[best].plan, setting_.comm);
    contenders_.push_back(std::move(candidates[best]));
    contenders_[0].details["exchange"] = arguments_.exchanges[best];
  }

  /// With the passes stretched already: every driver, with the strategy that is fastest in windows,
  /// and FFTW.
  void add_others() {
    std::string best;
    double least_s = HUGE_VAL;
    for (std::string const& exchange : arguments_.exchanges) {
      Contender const candidate = ours(
          "trial",
          {.exchange = named(exchanges, exchange), .threads = 1, .windows = arguments_.windows[0]});
      double const time_s = seconds_of(candidate);
      trials_["windows"][exchange] = time_s;
      if (time_s < least_s) least_s = time_s, best = exchange;
    }
    for (int const windows : arguments_.windows)
      for (std::string const& name : arguments_.drivers) {
        Driver const driver = named(drivers, name);
        bool const team = driver == Driver::master || driver == Driver::pipelines;
        contenders_.push_back(ours(arguments_.windows.size() > 1 ? text(name, " ", windows) : name,
                                   {.exchange = named(exchanges, best),
                                    .threads = team ? arguments_.threads : 1,
                                    .windows = windows,
                                    .driver = driver}));
        contenders_.back().details.update(
            {{"driver", name}, {"windows", windows}, {"exchange", best}});
      }
    add_fftw();
  }

  void add_fftw() {
#ifdef SIXSTEP_HAVE_FFTW_MPI
    auto const fftw = node::fftw_contender();
    if (auto prepared = fftw.prepare(job_.field, setting_)) {
      contenders_.push_back({.name = "FFTW", .prepared = std::move(*prepared)});
      contenders_.back().details = {{"version", fftw.version},
                                    {"hurried", contenders_.back().prepared.hurried}};
      check(contenders_.back());
    }
#endif
  }

  /// A plan of ours, checked.
  Contender ours(std::string const& name, Options options) {
    bool const chosen = job_.field.output == Output::transposed && !arrays_;
    auto const plan =
        chosen ? std::make_shared<Plan<double>>(input(), setting_.comm, options)
               : std::make_shared<Plan<double>>(input(), arrays_ ? arrays_->output : input(),
                                                setting_.comm, options);
    if (!arrays_) take_arrays(*plan);
    Contender contender{.name = name, .plan = plan};
    contender.prepared = {.in = arrays_->in,
                          .out = arrays_->out,
                          .input = node::part_of(arrays_->input, setting_.rank),
                          .output = node::part_of(arrays_->output, setting_.rank),
                          .run = [plan, arrays = *arrays_] {
                            plan->forward(reinterpret_cast<Complex const*>(arrays.in.get()),
                                          reinterpret_cast<Complex*>(arrays.out.get()));
                          }};
    contender.details = {{"threads", options.threads}, {"describe", plan->describe()}};
    check(contender);
    return contender;
  }

  Layout input() const {
    Shape const shape =
        job_.field.one_axis() ? Shape{job_.field.shape[2]} : Shape(job_.field.shape);
    return job_.pencils ? Layout::pencil(shape, setting_.ranks)
                        : Layout::slab(shape, setting_.ranks);
  }

  void take_arrays(Plan<double> const& plan) {
    auto const bytes = [](Index size) { return static_cast<std::size_t>(size) * sizeof(Complex); };
    arrays_ = {plan.input(), plan.output(), allocate(bytes(plan.input_size())),
               allocate(bytes(plan.output_size()))};
  }

  AllToAlls all_to_alls() const {
    int const width = job_.pencils ? input().grid()[1] : setting_.ranks;
    return {setting_.comm, width, job_.all_to_alls, job_.field.points() / setting_.ranks};
  }

  /// Transforms the field and compares, as if there were no stretch; leaves the input zero.
  void check(Contender const& contender) {
    runners::idle_seconds = nullptr;
    node::fill<double>(job_.field, contender.prepared);
    node::poison<double>(contender.prepared);
    contender.prepared.run();
    double const error = reference_.error_of<double>(contender.prepared);
    require(error < tolerance<double>(job_.field.points()), contender.name, ": ", job_.field.name,
            " on ", setting_.ranks, " ranks: a wrong result, error ", error);
    node::clear<double>(job_.field, contender.prepared);
  }

  /// Threads that share the passes are idle side by side: each for longer, so that the passes take
  /// a rank as long as those of one thread.
  double seconds_of(Contender const& contender) const {
    if (contender.plan)
      runners::idle_seconds = [rate = idle_s_per_byte_ * contender.plan->threads()](
                                  program::Step const& step, int real_bytes) {
        return rate * static_cast<double>(program::bytes_of(step, real_bytes));
      };
    return node::seconds_of(
        [&] {
          if (contender.name == "FFTW") sleep(idle_s_per_byte_ * bytes_);
          contender.prepared.run();
        },
        setting_.comm);
  }

  /// What a run without stretch spends, the second of two.
  Shares spent(Contender const& contender) const {
    Shares const before = shares_of(*contender.plan, setting_.comm);
    seconds_of(contender);
    Shares const after = shares_of(*contender.plan, setting_.comm);
    return {after.passes - before.passes, after.exchanges - before.exchanges};
  }

  Json measure(double ratio) {
    std::vector<std::vector<double>> seconds(contenders_.size());
    std::vector<Shares> shares;
    for (int round = 0; round < arguments_.rounds; ++round) {
      tell(ratio, round);
      // Another one begins each round, so that nobody always follows the same contender.
      for (std::size_t turn = 0; turn < contenders_.size(); ++turn) {
        std::size_t const i = (static_cast<std::size_t>(round) + turn) % contenders_.size();
        if (i > 0) {
          seconds[i].push_back(seconds_of(contenders_[i]));
          continue;
        }
        Shares const before = shares_of(*contenders_[0].plan, setting_.comm);
        seconds[0].push_back(seconds_of(contenders_[0]));
        Shares const after = shares_of(*contenders_[0].plan, setting_.comm);
        shares.push_back({after.passes - before.passes, after.exchanges - before.exchanges});
      }
    }
    return figures(ratio, median_of(shares), seconds);
  }

  Json figures(double ratio, Shares const& shares,
               std::vector<std::vector<double>> const& seconds) const {
    double const limit_s = median(seconds[1]);
    double const bound_s = std::max(shares.passes, shares.exchanges);
    Json columns = Json::object();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      double const time_s = median(seconds[i]);
      columns[contenders_[i].name] = {{"seconds", time_s},
                                      {"rounds", seconds[i]},
                                      {"gflops", 1e-9 * node::flops(job_.field) / time_s},
                                      {"share_of_all_to_alls", limit_s / time_s},
                                      {"share_of_bound", bound_s / time_s}};
    }
    return {{"asked", ratio},
            {"ratio", shares.passes / shares.exchanges},
            {"comm_seconds", shares.exchanges},
            {"comp_seconds", shares.passes},
            {"idle_seconds", idle_s_per_byte_ * bytes_},
            {"all_to_all_seconds", limit_s},
            {"columns", columns}};
  }

  /// A launcher's ranks have no terminal: a line each.
  void tell(double ratio, int round) const {
    if (setting_.rank == 0)
      std::fprintf(stderr, "%s, T_comp/T_comm %g, round %d of %d\n", job_.field.name.c_str(), ratio,
                   round + 1, arguments_.rounds);
  }

  Job const& job_;
  Arguments const& arguments_;
  Setting const& setting_;
  node::Reference const reference_;
  std::optional<Arrays> arrays_;
  std::vector<Contender> contenders_;  // no overlap, the all-to-alls, all others
  Shares shares_{};                    // of no overlap, not stretched
  double bytes_ = 0;
  double idle_s_per_byte_ = 0;
  Json trials_ = Json::object();
};

/// Of each contender a column: seconds, and its shares of both limits.
void print(Json const& result) {
  Json const& first = result["ratios"][0];
  std::printf("\n%s: %d exchanges; passes read and write %s a rank, %s where not stretched\n",
              result["case"].get<std::string>().c_str(), result["exchanges"].get<int>(),
              cli::bytes_text(result["pass_bytes"]).c_str(),
              cli::seconds_text(result["unstretched_comp_seconds"]).c_str());
  std::printf("%-26s", "T_comp/T_comm");
  for (auto const& [name, column] : first["columns"].items()) std::printf("%13s", name.c_str());
  std::printf("\n");
  for (Json const& row : result["ratios"]) {
    std::printf("%.2f (%.3f s / %.3f s)%5s", row["ratio"].get<double>(),
                row["comp_seconds"].get<double>(), row["comm_seconds"].get<double>(), "");
    for (auto const& [name, column] : row["columns"].items())
      std::printf("%11.3f s", column["seconds"].get<double>());
    for (auto const& [key, words] : {std::pair("share_of_all_to_alls", "of the all-to-all limit"),
                                     std::pair("share_of_bound", "of max(T_comm, T_comp)")}) {
      std::printf("\n  %-24s", words);
      for (auto const& [name, column] : row["columns"].items())
        std::printf("%11.0f %%", 100 * column[key].get<double>());
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

int ranks_of_host(MPI_Comm comm) {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  return mpi::Communicator::own(host).size();
}

std::string variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "not set";
}

void introduce(Arguments const& arguments, Setting const& setting, int host_ranks) {
  if (setting.rank != 0) return;
  int level = 0;
  MPI_Query_thread(&level);
  auto const same = [&](auto const& each) { return each.second == level; };
  cli::print(
      {{"ranks", text(setting.ranks, ", ", host_ranks, " on each host")},
       {"MPI", text(mpi::library(), ", thread level ",
                    std::find_if(levels.begin(), levels.end(), same)->first)},
       {"threads", text(arguments.threads, " a rank for master and pipelines, 1 for all others; ",
                        "OMP_WAIT_POLICY ", variable("OMP_WAIT_POLICY"))},
       {"T_comp",
        "passes are stretched by idle time after each part of their work, so that\n"
        "T_comp/T_comm is what was asked for; threads that share the passes are idle\n"
        "side by side, so that the passes take as long as those of one thread"},
       {"FFTW", "cannot be stretched within: it sleeps as long in all before it begins"},
       {"figures", text("medians of ", arguments.rounds, " rounds, contenders in turn")}});
  std::fflush(stdout);
}

void compare(Arguments const& arguments, MPI_Comm comm) {
  Setting const setting{.comm = comm,
                        .rank = cli::rank_of(comm),
                        .ranks = cli::ranks_of(comm),
                        .threads = 1,
                        .planning_s = arguments.planning_s};
  if (!arguments.json.empty()) cli::require_writable(arguments.json, comm);
  int const host_ranks = ranks_of_host(comm);
  introduce(arguments, setting, host_ranks);
  Json record = {{"ranks", setting.ranks},
                 {"ranks_on_host", host_ranks},
                 {"mpi", mpi::library()},
                 {"results", Json::array()}};
  for (std::string const& name : arguments.cases) {
    auto const same = [&](Job const& job) { return job.field.name == name; };
    Job const& job = *std::find_if(jobs().begin(), jobs().end(), same);
    record["results"].push_back(Comparison(job, arguments, setting).run());
    if (setting.rank == 0) print(record["results"].back());
    record["complete"] = name == arguments.cases.back();
    if (!arguments.json.empty()) cli::write_json(arguments.json, record, comm);
  }
}

constexpr char footer[] =
    "T_comm is the time of the exchanges in a plan without overlap, T_comp that of its passes. "
    "The\n"
    "all-to-all limit is the time of as many MPI_Alltoall of the same data as one axis (3), slabs\n"
    "(1, natural 2) or pencils (2, one in each direction, natural twice) need: Doi and "
    "Negishi.\n"
    "\nExamples:\n"
    "  bench/overlap\n"
    "      on emulated hosts, as root; this program alone measures whatever network there is\n"
    "  mpiexec -n 4 overlap --cases 2^22 --ratios 0 --windows 4,16,64\n"
    "      on hosts that are there, with nothing stretched\n";

template <class Value>
CLI::Option* add_names(CLI::App& app, std::string const& name, std::vector<std::string>& chosen,
                       std::string const& words, Names<Value> const& list) {
  return app.add_option(name, chosen, words)
      ->delimiter(',')
      ->check(CLI::IsMember(names_of(list)))
      ->option_text("NAME,...");
}

void add_options(CLI::App& app, Arguments& arguments) {
  std::vector<std::string> known;
  for (Job const& job : jobs()) known.push_back(job.field.name);
  app.add_option("--cases", arguments.cases,
                 text("What is transformed, of ", CLI::detail::join(known, ", "), " [the first 4]"))
      ->delimiter(',')
      ->check(CLI::IsMember(known))
      ->option_text("NAME,...");
  app.add_option("--ratios", arguments.ratios,
                 "T_comp/T_comm to stretch the passes to; 0: not at all [0.5,0.7,1]")
      ->delimiter(',')
      ->transform(cli::number_in(0.0, 100.0))
      ->option_text("X,...");
  app.add_option("--windows", arguments.windows, "Of the drivers, 1 to 64 [16]")
      ->delimiter(',')
      ->transform(cli::number_in(1, 64))
      ->option_text("W,...");
  add_names(app, "--drivers", arguments.drivers, "Of between, master, pipelines and thread [all]",
            drivers);
  add_names(app, "--exchanges", arguments.exchanges,
            "Of shared, collective and pairwise, those that are tried: the best is taken, without "
            "overlap and in windows [all]",
            exchanges);
  app.add_option("--threads", arguments.threads, "Of a rank, for master and pipelines [2]")
      ->transform(cli::number_in(1, cli::most_threads))
      ->option_text("T");
  app.add_option("--rounds", arguments.rounds, "Of each ratio [3]")
      ->transform(cli::number_in(1, cli::most_repeats))
      ->option_text("R");
  app.add_option("--planning", arguments.planning_s, "Seconds that FFTW may plan a case [5]")
      ->transform(cli::number_in(0.0, 3600.0))
      ->option_text("S");
  app.add_option("--level", arguments.level,
                 "Thread level that MPI is asked for: single, funneled, serialized or multiple "
                 "[multiple]")
      ->check(CLI::IsMember(names_of(levels)))
      ->option_text("NAME");
  app.add_option("--json", arguments.json, "Write the figures to a file, after each case anew")
      ->option_text("FILE");
  app.footer(footer);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Times transforms whose exchanges hide behind their passes: each driver, no overlap, and\n"
      "FFTW, from a barrier to the end on the slowest rank. Each result is checked before.",
      "overlap");
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    if (cli::launched_rank() == 0) return app.exit(error);
    // Some launchers end the whole job when a rank fails: rank 0 should have spoken by then.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return error.get_exit_code();
  }
  // Idle times of less than a millisecond should not be rounded up; threads inherit it.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  auto const command = [&](MPI_Comm comm) { compare(arguments, comm); };
  return cli::with_mpi(command, "overlap", named(levels, arguments.level));
}

}  // namespace
}  // namespace sixstep::bench::overlap

int main(int argc, char** argv) {
  try {
    return sixstep::bench::overlap::run(argc, argv);
  } catch (std::exception const& error) {
    if (sixstep::cli::launched_rank() == 0) std::fprintf(stderr, "overlap: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
