// SPDX-License-Identifier: BSD-3-Clause
// Races: runs plans in turn and compares medians of the slowest rank's times.
#include "tuner/contest.hpp"

#include <algorithm>

#include "formulas/room.hpp"
#include "sixstep/device.hpp"
#include "tuner/times.hpp"
#include "tuner/verdict.hpp"

namespace sixstep::tuner {

namespace {

/// A race takes at most this share of the budget, or this many seconds without one, but at least
/// least_runs runs.
constexpr double race_share = 0.125, race_s = 10;

}  // namespace

/// A plan and its arrays.
class Races::Contender {
 public:
  Contender(Design const& design, mpi::Communicator const& comm, formulas::Needs const& needs)
      : comm_(comm) {
    formulas::Composition composition;
    mpi::together(comm, [&] {
      composition = composed(design);
      goes_back_ = !composition.backward.empty();
      formulas::require_room(composition, needs);
    });
    runner_ = std::make_unique<runners::CompositionRunner>(
        std::move(composition), mpi::Communicator::duplicate(comm), design.options,
        design.problem.real_bytes, design.choices.tuning);
    lend(design.options);
    in_ = runner_->allocate_array();
    out_ = runner_->allocate_array();
    fill(design.problem.real_bytes, design.options.device);
    run();
  }

  /// Runs once, forward and backward if it has both directions. Returns the seconds of the slowest
  /// rank.
  double run_timed() {
    return times_.add(comm_, [&] { run(); });
  }

  void forget_times() { times_.clear(); }
  std::size_t runs() const { return times_.size(); }
  double seconds() const { return times_.median(); }

 private:
  void lend(Options const& options) {
    if (options.own_workspace) return;
    mpi::together(comm_, [&] {
      std::size_t const bytes = std::max(runner_->workspace_bytes(), std::size_t{1});
      if (options.device == Device::none)
        workspace_ = std::shared_ptr<std::byte[]>(sixstep::allocate(bytes));
      else
        workspace_ = sixstep::allocate(options.device, bytes);
    });
    runner_->set_workspace(workspace_.get(), runner_->workspace_bytes());
  }

  /// Fills the input with values that are not zeros, on which some processors are faster, and that
  /// do not grow from run to run.
  void fill(int real_bytes, Device device) {
    Index const reals = runner_->input_reals();
    std::size_t const bytes =
        static_cast<std::size_t>(reals) * static_cast<std::size_t>(real_bytes);
    Memory const here = device == Device::none ? nullptr : sixstep::allocate(bytes);
    void* const array = here ? here.get() : in_.get();
    auto const fill_as = [&]<class Real>(Real* values) {
      for (Index i = 0; i < reals; ++i)
        values[i] = static_cast<Real>((i * 7919) % 1021 - 510) / Real{510};
    };
    if (real_bytes == sizeof(float))
      fill_as(static_cast<float*>(array));
    else
      fill_as(static_cast<double*>(array));
    if (here && bytes > 0) copy(device, in_.get(), array, bytes);
  }

  void run() {
    if (!goes_back_) {  // an operator or a map transforms there and back
      runner_->execute(in_.get(), out_.get(), Direction::forward, Scale::by_sqrt_n, false,
                       Scale::by_sqrt_n);
      return;
    }
    runner_->execute(in_.get(), out_.get(), Direction::forward, Scale::by_sqrt_n);
    runner_->execute(out_.get(), in_.get(), Direction::backward, Scale::by_sqrt_n);
  }

  mpi::Communicator const& comm_;
  bool goes_back_ = true;
  std::unique_ptr<runners::CompositionRunner> runner_;
  std::shared_ptr<void> workspace_;
  std::shared_ptr<void> in_, out_;
  Times times_;
};

Races::Races(mpi::Communicator const& comm, Space const& space, double budget_s, Watch const& watch,
             Pricer pricer)
    : comm_(comm),
      space_(space),
      budget_s_(budget_s),
      watch_(watch),
      pricer_(std::move(pricer)),
      begin_(MPI_Wtime()) {
  holder_ = make({});
  while (holder_->runs() < least_runs) holder_->run_timed();
  default_seconds_ = holder_->seconds();
}

Races::~Races() = default;

std::unique_ptr<Races::Contender> Races::make(Settings const& settings) {
  // Each contender has an input and an output, and a challenger races against the holder.
  formulas::Needs needs{.arrays = holder_ ? 4 : 2, .node_ranks = space_.facts.node_ranks};
  if (space_.design.options.device != Device::none) needs = {};
  return std::make_unique<Contender>(with(space_.design, settings, space_.facts), comm_, needs);
}

double Races::seconds() const { return holder_->seconds(); }

bool Races::goes_on() {
  double const spent = MPI_Wtime() - begin_;
  int ends = watch_.stop && *watch_.stop ? 1 : 0;
  if (comm_.rank() == 0 && budget_s_ > 0 && spent >= budget_s_) ends = 1;
  mpi::reduce_to_all(comm_, &ends, 1, MPI_INT, MPI_MAX);
  ended_early_ = ends != 0;
  return !ended_early_;
}

bool Races::wins(Settings const& settings) {
  ++races_;
  if (comm_.rank() == 0 && watch_.report)
    watch_.report({races_, settings, title_, seconds(),
                   budget_s_ > 0 ? std::min(1.0, (MPI_Wtime() - begin_) / budget_s_) : 0});
  std::unique_ptr<Contender> challenger;
  try {
    challenger = make(settings);
  } catch (Error const&) {
    return false;  // on all ranks; most likely memory does not suffice for both
  }
  if (!race(*holder_, *challenger)) return false;
  holder_ = std::move(challenger);
  title_ = settings;
  return true;
}

bool Races::race(Contender& holder, Contender& challenger) const {
  holder.forget_times();
  challenger.forget_times();
  double const most_s = budget_s_ > 0 ? race_share * budget_s_ : race_s;
  for (double spent_s = 0;;) {
    spent_s += challenger.run_timed() + holder.run_timed();
    std::size_t const runs = challenger.runs();
    bool const ends = runs >= most_runs || (runs >= least_runs && spent_s >= most_s);
    if (auto const won = verdict(runs, challenger.seconds() / holder.seconds(), ends)) return *won;
  }
}

void Races::confirm() {
  if (title_.empty()) {
    default_seconds_ = seconds();
    return;
  }
  // A plan may owe its title to the place of its memory, so both are made anew, twice.
  Settings const title = std::exchange(title_, {});
  for (bool title_first : {false, true}) {
    holder_.reset();
    std::unique_ptr<Contender> by_default, by_title;
    if (title_first) by_title = make(title);
    by_default = make({});
    if (!title_first) by_title = make(title);
    bool const confirmed = race(*by_default, *by_title);
    default_seconds_ = by_default->seconds();
    holder_ = confirmed ? std::move(by_title) : std::move(by_default);
    if (!confirmed) return;
  }
  title_ = title;
}

std::optional<double> Races::price(Settings const& settings) {
  double price = -1;  // none
  if (comm_.rank() == 0) try {
      price = pricer_(with(space_.design, settings, space_.facts));
    } catch (Error const&) {
    }
  mpi::broadcast(comm_, &price, sizeof price);
  return price < 0 ? std::nullopt : std::optional(price);
}

}  // namespace sixstep::tuner
