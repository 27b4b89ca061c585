// SPDX-License-Identifier: BSD-3-Clause
// The program soak: random problems for the library until something fails or time is over.
#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "last_words.hpp"
#include "problem.hpp"
#include "random_problem.hpp"
#include "run.hpp"
#include "settings.hpp"
#include "simpler.hpp"

namespace soak {
namespace {

using sixstep::text;

/// FNV-1a: a problem's arrays are filled as its line says.
std::uint64_t hash(std::string const& line) {
  std::uint64_t value = 0xcbf29ce484222325ull;
  for (char c : line) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return value >> 16;
}

/// The kind of failure: its first line without numbers and names.
std::string kind_of(std::string const& failure) {
  std::string kind;
  std::string line = failure.substr(0, failure.find('\n'));
  line = line.substr(std::min(line.size(), line.find(": ") + 2));
  if (line.starts_with("execution")) line = line.substr(line.find(": ") + 2);
  constexpr std::size_t most = 40;
  for (char c : line)
    if (!std::isdigit(static_cast<unsigned char>(c)) && kind.size() < most) kind += c;
  return kind.substr(0, kind.find("off by") == 0 ? 6 : most);
}

class Soak {
 public:
  explicit Soak(Settings const& settings)
      : settings_(settings), only_(settings.only), avoid_(settings.avoid) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    set_last_words_of_mpi();
    if (settings_.problem.empty()) machine_ = this_machine();
    if (!settings_.log.empty() && rank_ == 0) log_.open(settings_.log);
  }

  int run_all() {
    std::uint64_t const end = settings_.first + settings_.problems;
    std::uint64_t number = settings_.first;
    begin_s_ = MPI_Wtime();
    while ((settings_.problems == 0 || number < end) && is_time_left() &&
           (failures_ == 0 || settings_.keep_going))
      run_one(number++);
    clear_last_words();
    if (rank_ == 0) {
      std::printf("%llu problems in %.1f s on %d ranks, seed %llu: %d failed\n",
                  static_cast<unsigned long long>(problems_), MPI_Wtime() - begin_s_, ranks_,
                  static_cast<unsigned long long>(settings_.seed), failures_);
      if (log_.is_open()) log_ << "done\n" << std::flush;
    }
    return failures_ == 0 ? 0 : 1;
  }

 private:
  /// By the first rank's clock. Collective.
  bool is_time_left() const {
    int left = settings_.seconds <= 0 || MPI_Wtime() - begin_s_ < settings_.seconds;
    MPI_Bcast(&left, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return left != 0;
  }

  std::string run_line(Problem const& problem, std::string const& what) {
    std::string const line = print(problem);
    std::string const words = text(what, " on ", ranks_, " ranks: --problem '", line, "'");
    set_last_words(words, rank_, settings_.patience_s);
    if (log_.is_open()) {
      log_.seekp(0);
      log_ << words << "\n" << std::string(200, ' ') << "\n" << std::flush;
    }
    return run(problem, hash(line));
  }

  Problem problem_of(std::uint64_t number) const {
    if (!settings_.problem.empty()) return parse(settings_.problem);
    cases::Random random(settings_.seed * 0x9e3779b97f4a7c15ull + number);
    return random_problem(random, ranks_, machine_);
  }

  bool is_wanted(std::string const& line) const {
    if (!settings_.only.empty() && !std::regex_search(line, only_)) return false;
    return settings_.avoid.empty() || !std::regex_search(line, avoid_);
  }

  void run_one(std::uint64_t number) {
    Problem const problem = problem_of(number);
    if (!is_wanted(print(problem))) return;
    ++problems_;
    std::string const what = text("problem ", number, " of seed ", settings_.seed);
    std::string failure;
    for (int i = 0; i < settings_.times && failure.empty(); ++i) failure = run_line(problem, what);
    if (failure.empty()) return;
    ++failures_;
    if (rank_ == 0) {
      std::printf("FAILED %s on %d ranks:\n  --problem '%s'\n%s", what.c_str(), ranks_,
                  print(problem).c_str(), failure.c_str());
      std::fflush(stdout);
    }
    shrink(problem, failure);
  }

  /// Goes on with the first simpler problem that fails in the same way.
  void shrink(Problem problem, std::string failure) {
    double const begin_s = MPI_Wtime();
    auto const is_time_over = [&] {
      int over = MPI_Wtime() - begin_s > settings_.shrink_s;
      MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
      return over != 0;
    };
    // Round and round the steps, until none of them has led to another failure.
    std::vector<Problem> next = simpler(problem);
    std::size_t place = 0, in_vain = 0;
    while (in_vain < next.size() && !is_time_over()) {
      place %= next.size();
      std::string const now = run_simpler(next[place]);
      if (now.empty() || kind_of(now) != kind_of(failure)) {
        ++place, ++in_vain;
        continue;
      }
      problem = next[place];
      failure = now;
      next = simpler(problem);
      in_vain = 0;
    }
    if (rank_ != 0) return;
    std::printf("  smaller: --problem '%s'\n%s", print(problem).c_str(), failure.c_str());
    std::fflush(stdout);
  }

  /// A step may lead to a problem that cannot be.
  std::string run_simpler(Problem const& problem) {
    try {
      return run_line(problem, "a simpler problem");
    } catch (sixstep::Error const&) {
      return "";
    }
  }

  Settings settings_;
  Machine machine_;
  std::regex only_, avoid_;
  std::ofstream log_;
  int rank_ = 0;
  int ranks_ = 1;
  std::uint64_t problems_ = 0;
  int failures_ = 0;
  double begin_s_ = 0;
};

/// 0 if the run has as many ranks as the test asks for: the mpiexec of another MPI would start as
/// many runs of one rank.
int check_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char const* const wanted = std::getenv("SIXSTEP_TEST_RANKS");
  if (!wanted || std::to_string(ranks) == wanted) return 0;
  std::fprintf(stderr, "this run has %d ranks, the test needs %s\n", ranks, wanted);
  return 1;
}

int run_program(int argc, char** argv) {
  CLI::App app("Random problems for sixstep", "soak");
  Settings settings;
  add_settings(app, settings);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return rank == 0 ? app.exit(error) : error.get_exit_code() != 0;
  }
  if (settings.list_simpler) {
    for (Problem const& other : simpler(parse(settings.problem)))
      if (rank == 0) std::printf("%s\n", print(other).c_str());
    return 0;
  }
  if (check_ranks() != 0) return 1;
  complete(app, settings);
  MPI_Bcast(&settings.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return Soak(settings).run_all();
}

}  // namespace
}  // namespace soak

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int status = 1;
  try {
    status = soak::run_program(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  MPI_Finalize();
  return status;
}
