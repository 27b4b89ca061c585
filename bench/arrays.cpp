// SPDX-License-Identifier: BSD-3-Clause
// What it costs where the user's arrays are not dense boxes: plans for the same transform, whose
// arrays lie in several ways, in turn.
//
//   mpiexec -n 2 arrays
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "node/rounds.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::bench {
namespace {

/// A plan and arrays of its own, zeros, there and back.
class Contender {
 public:
  Contender(std::string name, Layout const& layout, MPI_Comm comm)
      : name_(std::move(name)),
        plan_(layout, layout, comm),
        in_(plan_.allocate()),
        out_(plan_.allocate()) {
    std::fill_n(in_.get(), plan_.in_place_size(), 0);
  }

  std::string const& name() const { return name_; }
  std::vector<Part> parts() const { return plan_.breakdown(); }
  int passes() const { return plan_.passes(); }
  void run() {
    plan_.forward(in_.get(), out_.get());
    plan_.backward(out_.get(), in_.get());
  }

 private:
  std::string name_;
  Plan<double> plan_;
  std::shared_ptr<std::complex<double>[]> in_, out_;
};

void compare(Index n, bool parts, node::Patience const& patience, MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  Layout const dense = Layout::slab({n, n, n}, ranks);
  std::vector<std::unique_ptr<Contender>> contenders;
  auto const add = [&](std::string const& name, Layout const& layout) {
    contenders.push_back(std::make_unique<Contender>(name, layout, comm));
  };
  add("dense", dense);
  add("2 ghosts on each side", dense.with_ghosts({2, 2, 2}, {2, 2, 2}));
  add("rows padded by 8", dense.with_ghosts({0, 0, 0}, {0, 0, 8}));
  std::vector<std::function<void()>> runs;
  for (auto const& contender : contenders) runs.emplace_back([&] { contender->run(); });
  Trials const trials = node::take_turns(runs, patience, comm);
  if (rank != 0) return;
  std::printf("%lld^3, slabs on %d ranks, natural order, there and back\n%-24s %6s %10s %16s\n",
              static_cast<long long>(n), ranks, "arrays", "passes", "ms", "times as long");
  for (std::size_t i = 0; i < runs.size(); ++i)
    std::printf("%-24s %6d %10.4g %16.3f\n", contenders[i]->name().c_str(), contenders[i]->passes(),
                1e3 * median(trials[i]), median_ratio(trials[0], trials[i]));
  if (!parts) return;
  for (auto const& contender : contenders)
    for (Part const& part : contender->parts())
      std::printf("%-24s %-24s %10.4g s\n", contender->name().c_str(), part.what.c_str(),
                  part.seconds);
}

int run(int argc, char** argv) {
  Index n = 256;
  bool parts = false;
  node::Patience patience = {.rounds = 21, .seconds = 2};
  CLI::App app("Plans for arrays that are dense, and that are not, in turn", "arrays");
  app.add_option("--extent", n, "Of each of three axes [256]")->transform(cli::number_in(1, 4096));
  app.add_option("--rounds", patience.rounds, "In which all run once, at least [21]")
      ->transform(cli::number_in(1, cli::most_repeats));
  app.add_flag("--parts", parts,
               "Seconds of passes and exchanges too, forward, all rounds together");
  CLI11_PARSE(app, argc, argv);
  return cli::with_mpi([&](MPI_Comm comm) { compare(n, parts, patience, comm); }, "arrays");
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
