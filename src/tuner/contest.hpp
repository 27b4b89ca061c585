// SPDX-License-Identifier: BSD-3-Clause
// Races between plans: makes them and runs them in turn, by the clock of the slowest rank.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "runners/composition_runner.hpp"
#include "tuner/search.hpp"

namespace sixstep::tuner {

/// The progress of the search, on rank 0.
struct Report {
  int races;                   // races that have begun
  Settings const& challenger;  // in the present race
  Settings const& title;       // of the holder
  double seconds;              // of the holder, forward and backward
  double share;                // of the budget that has been spent; 0 if there is none
};

/// Callbacks of an observer.
struct Watch {
  std::function<void(Report const&)> report = {};  // before each race, on rank 0
  std::atomic<bool> const* stop = nullptr;         // if it is set on any rank, no further race
                                                   // begins
};

/// The cost of a design by a model, in any unit. Throws Error if the model cannot tell.
using Pricer = std::function<double(Design const&)>;

/// Plans that run forward and backward in turn on their own arrays.
class Races : public Contest {
 public:
  /// The settings of the design itself hold the title at first. `budget_s` 0 means no limit. Only
  /// rank 0's pricer is asked. All members are collective. Throws the errors of a plan.
  Races(mpi::Communicator const& comm, Space const& space, double budget_s, Watch const& watch,
        Pricer pricer);
  ~Races() override;

  bool goes_on() override;
  bool wins(Settings const& challenger) override;
  std::optional<double> price(Settings const& settings) override;

  /// Runs two more races between the default and the holder, who loses the title unless he wins
  /// both.
  void confirm();

  Settings const& title() const { return title_; }
  double seconds() const;
  /// The seconds of the settings of the design itself; those of confirm(), if it was called.
  double default_seconds() const { return default_seconds_; }
  int races() const { return races_; }
  /// Whether the time was over or an observer stopped the search.
  bool ended_early() const { return ended_early_; }

 private:
  class Contender;

  std::unique_ptr<Contender> make(Settings const& settings);
  /// Whether `challenger` is faster than the holder by more than chance.
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
