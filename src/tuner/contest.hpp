// SPDX-License-Identifier: BSD-3-Clause
// Races between plans: made, and run in turn, by the clock of the slowest rank.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "runners/composition_runner.hpp"
#include "tuner/search.hpp"

namespace sixstep::tuner {

/// What the search is at: of rank 0.
struct Report {
  int races;                   // that have begun
  Settings const& challenger;  // in the present one
  Settings const& title;       // who holds the title, ...
  double seconds;              // and his time there and back
  double share;                // of the budget that is spent; 0 if there is none
};

/// Who looks on.
struct Watch {
  std::function<void(Report const&)> report = {};  // before each race, on rank 0
  std::atomic<bool> const* stop = nullptr;         // set on any rank: no race begins any more
};

/// What a recipe costs by a model, in any unit. Errors: it cannot tell.
using Pricer = std::function<double(Recipe const&)>;

/// Plans that run there and back in turn on arrays of their own.
class Races : public Contest {
 public:
  /// The settings of the recipe itself hold the title. `budget_s`: 0 is endless. Rank 0's pricer is
  /// asked. Collective, as is all else. Errors: those of a plan.
  Races(mpi::Communicator const& comm, Space const& space, double budget_s, Watch const& watch,
        Pricer pricer);
  ~Races() override;

  bool goes_on() override;
  bool wins(Settings const& challenger) override;
  std::optional<double> price(Settings const& settings) override;

  /// The default has two more races against the holder, who gives the title back unless he wins
  /// both.
  void confirm();

  Settings const& title() const { return title_; }
  double seconds() const;
  /// Of the settings of the recipe itself; by confirm(), if that was called.
  double default_seconds() const { return default_seconds_; }
  int races() const { return races_; }
  /// Whether time was up, or somebody stopped it.
  bool ended_early() const { return ended_early_; }

 private:
  class Contender;

  std::unique_ptr<Contender> make(Settings const& settings);
  /// Whether `challenger` is so much faster than the holder that it is no accident.
  bool race(Contender& holder, Contender& challenger) const;

  mpi::Communicator const& comm_;
  Space space_;
  double budget_s_;
  Watch watch_;
  Pricer pricer_;
  double begin_;
  int races_ = 0;
  bool ended_early_ = false;
  Settings title_;
  std::unique_ptr<Contender> holder_;
  double default_seconds_ = 0;
};

}  // namespace sixstep::tuner
