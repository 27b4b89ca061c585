// SPDX-License-Identifier: BSD-3-Clause
// What it costs where the user's arrays are not dense boxes, or are many: plans for the same
// transform, whose arrays lie in several ways, in turn.
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
  /// So many pairs of arrays in turn.
  Contender(std::string name, Layout const& layout, MPI_Comm comm, Options const& options = {},
            int pairs = 1)
      : name_(std::move(name)),
        is_real_(!options.kinds.empty()),
        plan_(std::make_shared<Plan<double>>(is_real_
                                                 ? Plan<double>(layout, comm, options)
                                                 : Plan<double>(layout, layout, comm, options))) {
    allocate(pairs);
  }
  /// The plan of another, and a pair of arrays more.
  Contender(std::string name, Contender const& other)
      : name_(std::move(name)), is_real_(other.is_real_), plan_(other.plan_) {
    allocate(1);
  }

  std::string const& name() const { return name_; }
  int passes() const { return plan_->passes(); }
  std::vector<Part> parts() const { return plan_->breakdown(); }
  void run() {
    for (std::size_t i = 0; i < arrays_.size(); i += 2) run(arrays_[i].get(), arrays_[i + 1].get());
  }

 private:
  using Complex = std::complex<double>;

  void allocate(int pairs) {
    for (int i = 0; i < 2 * pairs; ++i) {
      arrays_.push_back(plan_->allocate());
      std::fill_n(arrays_.back().get(), plan_->in_place_size(), 0);
    }
  }
  void run(Complex* in, Complex* out) {
    if (!is_real_) {
      plan_->forward(in, out);
      plan_->backward(out, in);
      return;
    }
    auto* const reals = reinterpret_cast<double*>(in);
    plan_->forward(reals, out);
    plan_->backward(out, reals);
  }

  std::string name_;
  bool is_real_;
  std::shared_ptr<Plan<double>> plan_;
  std::vector<std::shared_ptr<Complex[]>> arrays_;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

/// 256^3 in natural order.
Contenders ghosts(Index n, int ranks, MPI_Comm comm) {
  Layout const dense = Layout::slab({n, n, n}, ranks);
  Contenders made;
  auto const add = [&](std::string const& name, Layout const& layout) {
    made.push_back(std::make_unique<Contender>(name, layout, comm));
  };
  add("dense", dense);
  add("2 ghosts on each side", dense.with_ghosts({2, 2, 2}, {2, 2, 2}));
  add("rows padded by 8", dense.with_ghosts({0, 0, 0}, {0, 0, 8}));
  return made;
}

/// So many fields of reals.
Contenders fields(Index n, int count, int ranks, MPI_Comm comm) {
  Layout const layout = Layout::slab({n, n, n}, ranks);
  Contenders made;
  auto const add = [&](std::string const& name, Options options, int pairs = 1) {
    options.kinds = {Kind::r2c};
    made.push_back(std::make_unique<Contender>(name, layout, comm, options, pairs));
  };
  add("one field after another", {}, count);
  add("all, as blocks", {.fields = count});
  add("all, interleaved", {.fields = count, .interleaved = true});
  return made;
}

/// Twelve arrays of one plan.
Contenders many(Index n, int ranks, MPI_Comm comm) {
  Contenders made;
  made.push_back(std::make_unique<Contender>("pair 1", Layout::slab({n, n, n}, ranks), comm));
  for (int pair = 2; pair <= 6; ++pair)
    made.push_back(std::make_unique<Contender>("pair " + std::to_string(pair), *made.front()));
  return made;
}

struct Arguments {
  std::string what = "ghosts";
  Index extent = 256;
  int fields = 3;
  bool parts = false;
  node::Patience patience = {.rounds = 21, .seconds = 2};
};

void compare(Arguments const& arguments, MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  Index const n = arguments.extent;
  Contenders const contenders = arguments.what == "ghosts" ? ghosts(n, ranks, comm)
                                : arguments.what == "many"
                                    ? many(n, ranks, comm)
                                    : fields(n, arguments.fields, ranks, comm);
  std::vector<std::function<void()>> runs;
  for (auto const& contender : contenders) runs.emplace_back([&] { contender->run(); });
  Trials const trials = node::take_turns(runs, arguments.patience, comm);
  if (rank != 0) return;
  std::printf("%lld^3, slabs on %d ranks, there and back\n%-24s %6s %10s %16s\n",
              static_cast<long long>(n), ranks, "arrays", "passes", "ms", "times as long");
  for (std::size_t i = 0; i < runs.size(); ++i)
    std::printf("%-24s %6d %10.4g %16.3f\n", contenders[i]->name().c_str(), contenders[i]->passes(),
                1e3 * median(trials[i]), median_ratio(trials[0], trials[i]));
  if (!arguments.parts) return;
  for (auto const& contender : contenders)
    for (Part const& part : contender->parts())
      std::printf("%-24s %-24s %10.4g s\n", contender->name().c_str(), part.what.c_str(),
                  part.seconds);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Plans for arrays that are dense, and that are not, in turn", "arrays");
  app.add_option("what", arguments.what,
                 "ghosts: around complex fields; fields: of reals; or many: of one plan [ghosts]")
      ->check(CLI::IsMember({"ghosts", "fields", "many"}));
  app.add_option("--extent", arguments.extent, "Of each of three axes [256]")
      ->transform(cli::number_in(1, 4096));
  app.add_option("--fields", arguments.fields, "How many [3]")->transform(cli::number_in(1, 1000));
  app.add_flag("--parts", arguments.parts,
               "Seconds of passes and exchanges too, forward, all rounds together");
  app.add_option("--rounds", arguments.patience.rounds, "In which all run once, at least [21]")
      ->transform(cli::number_in(1, cli::most_repeats));
  CLI11_PARSE(app, argc, argv);
  return cli::with_mpi([&](MPI_Comm comm) { compare(arguments, comm); }, "arrays");
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
