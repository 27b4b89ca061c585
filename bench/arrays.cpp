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

#include "harness.hpp"
#include "node/rounds.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "rivals/node/fftw_fields.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::bench {
namespace {

/// What is transformed: there and back or forward alone, to another array or in place.
struct Task {
  bool back = true;
  bool in_place = false;
  int fields = 3;
  Kind kind = Kind::r2c;
};

/// Who takes turns.
class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  virtual ~Contender() = default;

  std::string const& name() const { return name_; }
  virtual int passes() const { return 0; }  // unknown
  virtual std::vector<Part> parts() const { return {}; }
  virtual void run() = 0;

 private:
  std::string name_;
};

/// A plan and arrays of its own, zeros.
class Ours final : public Contender {
 public:
  /// So many pairs of arrays in turn.
  Ours(std::string name, Task const& task, std::shared_ptr<Plan<double>> plan, int pairs = 1)
      : Contender(std::move(name)), task_(task), plan_(std::move(plan)) {
    for (int i = 0; i < pairs; ++i) {
      in_.push_back(array());
      out_.push_back(task.in_place ? in_.back() : array());
    }
  }

  int passes() const override { return plan_->passes(); }
  std::vector<Part> parts() const override { return plan_->breakdown(); }
  void run() override {
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (task_.kind == Kind::r2c)
        run(reinterpret_cast<double*>(in_[i].get()), out_[i].get());
      else
        run(in_[i].get(), out_[i].get());
    }
  }

 private:
  using Complex = std::complex<double>;

  std::shared_ptr<Complex[]> array() {
    std::shared_ptr<Complex[]> made = plan_->allocate();
    std::fill_n(made.get(), plan_->in_place_size(), 0);
    return made;
  }
  template <class In>
  void run(In* in, Complex* out) {
    plan_->forward(in, out);
    if (task_.back) plan_->backward(out, in);
  }

  Task task_;
  std::shared_ptr<Plan<double>> plan_;
  std::vector<std::shared_ptr<Complex[]>> in_;
  std::vector<std::shared_ptr<Complex[]>> out_;
};

#ifdef SIXSTEP_HAVE_FFTW_MPI
/// FFTW's interleaved fields, in its padded rows, transposed output.
class Theirs final : public Contender {
 public:
  Theirs(std::string name, Index n, Task const& task, MPI_Comm comm)
      : Contender(std::move(name)),
        runs_(fftw_fields({n, task.fields, task.kind == Kind::r2c, task.back, task.in_place},
                          comm)) {}
  void run() override { runs_(); }

 private:
  std::function<void()> runs_;
};
#endif

using Contenders = std::vector<std::unique_ptr<Contender>>;

/// 256^3 in natural order.
Contenders ghosts(Index n, Task task, int ranks, MPI_Comm comm) {
  Layout const dense = Layout::slab({n, n, n}, ranks);
  task.kind = Kind::c2c;
  Contenders made;
  auto const add = [&](std::string const& name, Layout const& layout) {
    made.push_back(
        std::make_unique<Ours>(name, task, std::make_shared<Plan<double>>(layout, layout, comm)));
  };
  add("dense", dense);
  add("2 ghosts on each side", dense.with_ghosts({2, 2, 2}, {2, 2, 2}));
  add("rows padded by 8", dense.with_ghosts({0, 0, 0}, {0, 0, 8}));
  return made;
}

/// Several fields, output transposed.
Contenders fields(Index n, Task const& task, int ranks, MPI_Comm comm) {
  Layout const layout = Layout::slab({n, n, n}, ranks);
  Contenders made;
  auto const add = [&](std::string const& name, Options options, int pairs = 1) {
    options.kinds = {task.kind};
    options.padded = task.in_place && task.kind == Kind::r2c;
    made.push_back(std::make_unique<Ours>(
        name, task, std::make_shared<Plan<double>>(layout, comm, options), pairs));
  };
  add("one field after another", {}, task.fields);
  add("all, as blocks", {.fields = task.fields});
  add("all, interleaved", {.fields = task.fields, .interleaved = true});
#ifdef SIXSTEP_HAVE_FFTW_MPI
  made.push_back(std::make_unique<Theirs>("all, interleaved, FFTW", n, task, comm));
#endif
  return made;
}

/// Twelve arrays of one plan.
Contenders many(Index n, Task task, int ranks, MPI_Comm comm) {
  Layout const layout = Layout::slab({n, n, n}, ranks);
  auto const plan = std::make_shared<Plan<double>>(layout, layout, comm);
  task.kind = Kind::c2c;
  Contenders made;
  for (int pair = 1; pair <= 6; ++pair)
    made.push_back(std::make_unique<Ours>("pair " + std::to_string(pair), task, plan));
  return made;
}

struct Arguments {
  std::string what = "ghosts";
  Index extent = 256;
  Task task;
  bool parts = false;
  node::Patience patience = {.rounds = 21, .seconds = 2};
};

void compare(Arguments const& arguments, MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  Index const n = arguments.extent;
  Contenders const contenders = arguments.what == "ghosts" ? ghosts(n, arguments.task, ranks, comm)
                                : arguments.what == "many" ? many(n, arguments.task, ranks, comm)
                                                           : fields(n, arguments.task, ranks, comm);
  std::vector<std::function<void()>> runs;
  for (auto const& contender : contenders) runs.emplace_back([&] { contender->run(); });
  Trials const trials = node::take_turns(runs, arguments.patience, comm);
  if (rank != 0) return;
  std::printf("%lld^3, slabs on %d ranks, %s\n%-24s %6s %10s %16s\n", static_cast<long long>(n),
              ranks, arguments.task.back ? "there and back" : "forward", "arrays", "passes", "ms",
              "times as long");
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
  bool real = true;
  CLI::App app("Plans for arrays that are dense, and that are not, in turn", "arrays");
  app.add_option("what", arguments.what,
                 "ghosts: around complex fields; fields: several; or many: of one plan [ghosts]")
      ->check(CLI::IsMember({"ghosts", "fields", "many"}));
  app.add_option("--extent", arguments.extent, "Of each of three axes [256]")
      ->transform(cli::number_in(1, 4096));
  app.add_option("--fields", arguments.task.fields, "How many [3]")
      ->transform(cli::number_in(1, 1000));
  app.add_flag("--complex{false},--real{true}", real, "What fields are made of [real]");
  app.add_flag("--forward{false}", arguments.task.back, "There alone, not back");
  app.add_flag("--in-place", arguments.task.in_place, "Fields of reals in padded rows");
  app.add_flag("--parts", arguments.parts,
               "Seconds of passes and exchanges too, forward, all rounds together");
  add_rounds(app, arguments.patience.rounds, "In which all run once, at least [21]");
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    arguments.task.kind = real ? Kind::r2c : Kind::c2c;
    compare(arguments, comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
