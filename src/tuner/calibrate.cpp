// SPDX-License-Identifier: BSD-3-Clause
// Measures calibrations by races between plans of one rank, on all ranks of a node at once.
#include <algorithm>
#include <optional>

#include "local/caches.hpp"
#include "local/staged.hpp"
#include "runners/composition_runner.hpp"
#include "tuner/calibration.hpp"
#include "tuner/times.hpp"

namespace sixstep::tuner {

namespace {

constexpr int element_bytes = 16;
/// Powers of two for the points of the array in memory (16 MiB) and of the smallest array (1 MiB).
constexpr int memory_points = 20, least_points = 16;

/// A transform of 2^points points in a box that is nearly a cube, by a plan of one rank.
class Sample {
 public:
  Sample(mpi::Communicator const& node, int points, int threads, Tuning const& tuning)
      : node_(node) {
    Index const x = Index{1} << (points / 3), y = Index{1} << ((points + 1) / 3),
                z = Index{1} << ((points + 2) / 3);
    Options options;
    options.threads = threads;
    mpi::together(node, [&] {
      plan_.emplace(formulas::compose({.input = Layout::slab({x, y, z}, 1)}),
                    mpi::Communicator::duplicate(MPI_COMM_SELF), options, int{sizeof(double)},
                    local::of_sharer(tuning, local::third_sharers(node.size())));
      in_ = plan_->allocate_array();
      out_ = plan_->allocate_array();
      auto* const values = static_cast<double*>(in_.get());
      for (Index i = 0; i < plan_->input_reals(); ++i)
        values[i] = static_cast<double>((i * 7919) % 1021 - 510) / 510;
      run();
    });
  }

  /// Runs forward and backward. Returns the seconds of the slowest rank. Collective.
  double run_timed() {
    return times_.add(node_, [&] { run(); });
  }

  std::size_t runs() const { return times_.size(); }
  double seconds() const { return times_.median(); }

 private:
  void run() {
    plan_->execute(in_.get(), out_.get(), Direction::forward, Scale::by_sqrt_n);
    plan_->execute(out_.get(), in_.get(), Direction::backward, Scale::by_sqrt_n);
  }

  mpi::Communicator const& node_;
  std::optional<runners::CompositionRunner> plan_;
  std::shared_ptr<void> in_, out_;
  Times times_;
};

class Search {
 public:
  Search(mpi::Communicator const& node, int threads, Settings values, double seconds)
      : node_(node),
        threads_(threads),
        seconds_(seconds),
        begin_(MPI_Wtime()),
        known_(with_dials({}, values, false)),
        tuning_(known_),
        values_(std::move(values)) {}

  Calibration run() {
    Settings const known = values_;
    find_part("streamed_cache_parts");
    find_part("staged_cache_parts");
    find_value("strip_row_bytes", {256, 1024});
    find_value("second_window_parts", {2, 8, 1});
    find_value("fetched_bytes", {4096, 16384});
    // Unchanged values need no proof, only a time.
    Calibration found = confirmed(values_ == known ? least_points : memory_points);
    if (found.seconds > found.default_seconds) {
      tuning_ = known_;
      values_ = known;
      found.seconds = found.default_seconds;
    }
    found.values = values_;
    return found;
  }

 private:
  /// Runs of a race, the part of the holder's time that wins it, and the part of the whole time
  /// that a race may take.
  static constexpr std::size_t least_runs = 3, most_runs = 9;
  static constexpr double win = 0.97, race_share = 0.08;

  /// Whether there is time for another race. Collective.
  bool has_time() const {
    double spent = MPI_Wtime() - begin_;
    mpi::reduce_to_all(node_, &spent, 1, MPI_DOUBLE, MPI_MAX);
    return spent < (1 - 4 * race_share) * seconds_;
  }

  struct Outcome {
    double holder_s, challenger_s;
    bool wins() const { return challenger_s <= win * holder_s; }
  };

  Outcome run_in_turn(int points, Tuning const& holder, Tuning const& challenger,
                      bool challenger_first) const {
    std::optional<Sample> one, other;
    if (challenger_first) other.emplace(node_, points, threads_, challenger);
    one.emplace(node_, points, threads_, holder);
    if (!challenger_first) other.emplace(node_, points, threads_, challenger);
    double spent_s = 0;
    while (one->runs() < least_runs || (one->runs() < most_runs && spent_s < race_share * seconds_))
      spent_s += one->run_timed() + other->run_timed();
    return {one->seconds(), other->seconds()};
  }

  /// Whether the challenger wins twice, because a plan may owe one victory to the place of its
  /// memory.
  bool wins(int points, Tuning const& holder, Tuning const& challenger) const {
    return run_in_turn(points, holder, challenger, false).wins() &&
           run_in_turn(points, holder, challenger, true).wins();
  }

  void keep(Dial const& dial, Index value) {
    if (value == dial.value(tuning_)) return;
    dial.set(tuning_, value);
    values_.emplace_back(dial.name, text(value));
  }

  /// Keeps the best of the present value and these, for an array in memory.
  void find_value(std::string const& name, std::vector<Index> const& values) {
    Dial const& each = dial(name);
    Index best = each.value(tuning_);
    Tuning holder = tuning_;
    for (Index value : values) {
      if (value == each.value(tuning_) || !has_time()) continue;
      Tuning challenger = tuning_;
      each.set(challenger, value);
      if (!wins(memory_points, holder, challenger)) continue;
      best = value;
      holder = challenger;
    }
    keep(each, best);
  }

  /// Finds the part of the last-level cache from which on an array is treated as one in memory, by
  /// races with arrays of growing size. The present value stays unless it loses.
  void find_part(std::string const& name) {
    Dial const& each = dial(name);
    Index const third = local::third_bytes(tuning_) / local::third_sharers(node_.size());
    Index const present = third / each.value(tuning_);
    Index from = third;  // the smallest array treated so, if all larger ones are
    int points = least_points;
    while ((Index{element_bytes} << points) < third) ++points;
    if (points == least_points) return;  // no such array
    while (--points >= least_points) {
      if (!has_time()) return;
      Index const bytes = Index{element_bytes} << points;
      Tuning small = tuning_, large = tuning_;
      each.set(small, 1);
      each.set(large, each.most);
      bool is_large = bytes >= present;
      if (wins(points, is_large ? large : small, is_large ? small : large)) is_large = !is_large;
      if (!is_large) break;
      from = bytes;
    }
    if (present > from / 2 && present <= from) return;  // no array between them was tried
    keep(each, std::clamp(third / from, each.least, each.most));
  }

  /// A race of all values that were found against the defaults.
  Calibration confirmed(int points) const {
    Outcome const one = run_in_turn(points, {}, tuning_, false),
                  other = run_in_turn(points, {}, tuning_, true);
    return {.values = {},
            .seconds = (one.challenger_s + other.challenger_s) / 2,
            .default_seconds = (one.holder_s + other.holder_s) / 2};
  }

  mpi::Communicator const& node_;
  int threads_;
  double seconds_;
  double begin_;
  Tuning known_;
  Tuning tuning_;
  Settings values_;
};

}  // namespace

Calibration calibrate(mpi::Communicator const& node, int threads, Settings const& values,
                      double seconds) {
  return Search(node, threads, values, seconds).run();
}

}  // namespace sixstep::tuner
