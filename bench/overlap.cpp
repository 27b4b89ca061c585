// SPDX-License-Identifier: BSD-3-Clause
// How much of the exchanges hides behind the passes: every driver, no overlap and FFTW, in turn, in
// one run.
//
// The script `overlap` runs it on emulated hosts. They share a machine that cannot compute as fast
// as they would: passes are stretched by idle time, to any ratio of passes to exchanges.
#include <sys/prctl.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>

#include "harness.hpp"
#include "measure.hpp"
#include "numbers.hpp"
#include "overlaps/comparison.hpp"
#include "ranks.hpp"
#include "table.hpp"

namespace sixstep::bench::overlap {
namespace {

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
  add_threads(app, arguments.threads, "Of a rank, for master and pipelines [2]");
  add_rounds(app, arguments.rounds, "Of each ratio [3]")->option_text("R");
  add_seconds(app, arguments.planning_s, "Seconds that FFTW may plan a case [5]", "--planning")
      ->option_text("S");
  app.add_option("--level", arguments.level,
                 "Thread level that MPI is asked for: single, funneled, serialized or multiple "
                 "[multiple]")
      ->check(CLI::IsMember(names_of(levels)))
      ->option_text("NAME");
  add_json(app, arguments.json);
  app.footer(footer);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Times transforms whose exchanges hide behind their passes: each driver, no overlap, and\n"
      "FFTW, from a barrier to the end on the slowest rank. Each result is checked before.",
      "overlap");
  add_options(app, arguments);
  auto const command = [&](MPI_Comm comm) { compare(arguments, comm); };
  // Idle times of less than a millisecond should not be rounded up; threads inherit it.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  return run_on_ranks(app, argc, argv, command, [&] { return named(levels, arguments.level); });
}

}  // namespace
}  // namespace sixstep::bench::overlap

int main(int argc, char** argv) { return sixstep::bench::overlap::run(argc, argv); }
