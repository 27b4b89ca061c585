// SPDX-License-Identifier: BSD-3-Clause
// What checks cost: the same transform, operator or redistribution without one, with each kind of
// `verify`, and with results of the same bits. They take turns, in one run.
//
//   mpiexec -n 2 verified --shape 256,256,256
#include <CLI/CLI.hpp>
#include <complex>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep::bench {
namespace {

using Complex = std::complex<double>;

struct Arguments {
  std::vector<Index> shape = {256, 256, 256};
  std::vector<std::string> works = {"c2c", "r2c", "operator", "redistribution"};
  std::vector<std::string> ways = {"none", "result", "all", "machine", "everywhere"};
  node::Patience patience = {.rounds = 9, .seconds = 5};
};

/// Contenders, which keep their arrays, and what they are called.
struct Contenders {
  std::vector<std::string> names;
  std::vector<std::function<void()>> runs;

  void add(std::string name, std::function<void()> run) {
    names.push_back(std::move(name));
    runs.push_back(std::move(run));
  }
};

template <class Element>
void fill(Element* data, Index count) {
  for (Index i = 0; i < count; ++i) data[i] = static_cast<double>(i * 7919 % 1013) / 1013 - 0.5;
}

/// A way to execute, and what it is called.
struct Way {
  std::string name;
  Options options;
};

std::vector<Way> ways(Arguments const& arguments) {
  std::vector<Way> made;
  for (std::string const& name : arguments.ways) {
    Way way{name, {}};
    if (name == "result") way.options.verify = Verify::result;
    if (name == "all") way.options.verify = Verify::all;
    if (name == "machine") way.options.reproducible = Bits::machine;
    if (name == "everywhere") way.options.reproducible = Bits::everywhere;
    made.push_back(way);
  }
  return made;
}

/// Forward transforms from one array of the plan's to another.
template <class Element>
Contenders transforms(Layout const& layout, Arguments const& arguments, MPI_Comm comm) {
  Contenders made;
  for (Way& way : ways(arguments)) {
    way.options.kinds = {std::is_same_v<Element, double> ? Kind::r2c : Kind::c2c};
    auto const plan = std::make_shared<Plan<double>>(layout, comm, way.options);
    std::shared_ptr<Element[]> const in = plan->template allocate<Element>();
    std::shared_ptr<Complex[]> const out = plan->template allocate<Complex>();
    fill(in.get(), plan->input_size());
    made.add(way.name, [=] { plan->forward(in.get(), out.get()); });
  }
  return made;
}

/// The inverse Laplacian of reals.
Contenders operators(Layout const& layout, Arguments const& arguments, MPI_Comm comm) {
  auto const symbol = [](Wavevector const& k) {
    double square = 0;
    for (double component : k) square += component * component;
    return square > 0 ? -1 / square : 0;
  };
  Contenders made;
  for (Way& way : ways(arguments)) {
    OperatorOptions options;
    static_cast<Options&>(options) = way.options;
    options.kinds = {Kind::r2c};
    auto const solver = std::make_shared<Operator<double>>(layout, comm, symbol, options);
    std::shared_ptr<double[]> const in = solver->allocate<double>();
    std::shared_ptr<double[]> const out = solver->allocate<double>();
    fill(in.get(), solver->input_size());
    made.add(way.name, [=] { solver->apply(in.get(), out.get()); });
  }
  return made;
}

/// From slabs along the first axis to slabs along the second one.
Contenders redistributions(Layout const& layout, Arguments const& arguments, MPI_Comm comm) {
  Layout const other = Layout::slab(layout.shape(), layout.ranks(), layout.axes() > 1 ? 1 : 0);
  Contenders made;
  for (Way const& way : ways(arguments)) {
    if (way.options.reproducible != Bits::none) continue;  // bits are only moved
    RedistributionOptions options;
    options.verify = way.options.verify;
    auto const moved = std::make_shared<Redistribution<Complex>>(layout, other, comm, options);
    std::shared_ptr<Complex[]> const in = moved->allocate();
    std::shared_ptr<Complex[]> const out = moved->allocate();
    fill(in.get(), moved->in_place_size());
    made.add(way.name, [=] { moved->forward(in.get(), out.get()); });
  }
  return made;
}

/// Seconds that this process has computed.
double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void compare(std::string const& work, Arguments const& arguments, MPI_Comm comm) {
  Layout const layout = Layout::slab(Shape(arguments.shape), cli::ranks_of(comm));
  Contenders made = work == "c2c"        ? transforms<Complex>(layout, arguments, comm)
                    : work == "r2c"      ? transforms<double>(layout, arguments, comm)
                    : work == "operator" ? operators(layout, arguments, comm)
                                         : redistributions(layout, arguments, comm);
  Trials computed(made.runs.size());
  for (std::size_t i = 0; i < made.runs.size(); ++i)
    made.runs[i] = [&computed, i, run = std::move(made.runs[i])] {
      double const begin_s = processor_s();
      run();
      computed[i].push_back(processor_s() - begin_s);
    };
  Trials const trials = node::take_turns(made.runs, arguments.patience, comm);
  if (cli::rank_of(comm) != 0) return;
  for (std::size_t i = 0; i < trials.size(); ++i)
    std::printf("%-16s %-14s %-10s %9.2f %8.3f %9.2f %8.3f\n", to_string(layout.shape()).c_str(),
                work.c_str(), made.names[i].c_str(), 1e3 * median(trials[i]),
                median_ratio(trials[0], trials[i]), 1e3 * median(computed[i]),
                median_ratio(computed[0], computed[i]));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("What checks and results of the same bits cost", "verified");
  app.add_option("--shape", arguments.shape, "Of the array [256,256,256]")
      ->delimiter(',')
      ->check(CLI::Range(2, 1 << 28));
  app.add_option("--works", arguments.works, "[c2c,r2c,operator,redistribution]")
      ->delimiter(',')
      ->check(CLI::IsMember({"c2c", "r2c", "operator", "redistribution"}));
  app.add_option("--ways", arguments.ways,
                 "Kinds of verify and reproducible [none,result,all,machine,everywhere]")
      ->delimiter(',')
      ->check(CLI::IsMember({"none", "result", "all", "machine", "everywhere"}));
  add_rounds(app, arguments.patience.rounds, "In which all run, at least [9]");
  add_seconds(app, arguments.patience.seconds, "For each comparison at least [5]");
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    if (cli::rank_of(comm) == 0)
      std::printf("%d ranks: milliseconds and their ratio, and those of the processor of rank 0\n",
                  cli::ranks_of(comm));
    for (std::string const& work : arguments.works) compare(work, arguments, comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
