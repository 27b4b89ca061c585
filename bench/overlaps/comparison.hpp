// SPDX-License-Identifier: BSD-3-Clause
// How contenders compare on one case where passes take any ratio of the time of exchanges.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "node/rounds.hpp"
#include "overlaps/contenders.hpp"

namespace sixstep::bench::overlap {

/// Of one run: seconds of a rank, the mean over the ranks.
struct Shares {
  double passes;
  double exchanges;
};

inline bool is_pass(sixstep::Part const& part) {
  return !part.what.starts_with("exchange") && part.what != "meeting";
}

inline Shares shares_of(IdlingPlan const& plan, MPI_Comm comm) {
  std::array<double, 2> sums{};
  for (sixstep::Part const& part : plan.breakdown()) sums[is_pass(part) ? 0 : 1] += part.seconds;
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm);
  int const ranks = cli::ranks_of(comm);
  return {sums[0] / ranks, sums[1] / ranks};
}

inline Shares median_of(std::vector<Shares> const& rounds) {
  std::vector<double> passes, moves;
  for (Shares const& shares : rounds) {
    passes.push_back(shares.passes);
    moves.push_back(shares.exchanges);
  }
  return {median(passes), median(moves)};
}

/// Read and written by the passes of one transform, on the rank with the most. Collective.
inline double pass_bytes(IdlingPlan const& plan, MPI_Comm comm) {
  double bytes = 0;
  for (sixstep::Part const& part : plan.breakdown())
    if (is_pass(part)) bytes += part.bytes;
  return cli::max_over(comm, bytes);
}

/// One case on these ranks: contenders, and their times at any stretch of the passes.
class Comparison {
 public:
  /// Collective.
  Comparison(Job const& job, Arguments const& arguments, Setting const& setting)
      : job_(job), arguments_(arguments), setting_(setting), make_(job, setting) {}

  /// Collective.
  Json run() {
    choose_in_turn();
    node::AllToAlls const limit = make_.all_to_alls();
    contenders_.push_back({.name = "all-to-alls"});
    contenders_.back().prepared.run = [&] { limit.run(); };
    Json ratios = Json::array();
    for (double const ratio : arguments_.ratios) {
      idle_s_per_byte_ = std::max(0.0, ratio * shares_.exchanges - shares_.passes) / bytes_;
      if (ratios.empty()) add_others();
      ratios.push_back(measure(ratio));
    }
    Json plans = Json::object();
    for (Contender const& contender : contenders_)
      if (!contender.details.empty()) plans[contender.name] = contender.details;
    return {{"case", job_.field.name},
            {"points", job_.field.points()},
            {"exchanges", contenders_[0].plan->exchanges()},
            {"all_to_alls", limit.exchanges()},
            {"pass_bytes", bytes_},
            {"unstretched_comp_seconds", shares_.passes},
            {"trials", trials_},
            {"plans", plans},
            {"ratios", ratios}};
  }

 private:
  /// The first contender: no overlap, with the strategy that exchanges fastest.
  void choose_in_turn() {
    std::vector<Contender> candidates;
    for (std::string const& exchange : arguments_.exchanges)
      candidates.push_back(make_.ours(
          "no overlap", {.exchange = named(exchanges, exchange), .threads = 1, .windows = 1}));
    std::size_t best = 0;
    std::vector<Shares> shares;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      shares.push_back(spent(candidates[i]));
      trials_["no overlap"][arguments_.exchanges[i]] = shares[i].exchanges;
      if (shares[i].exchanges < shares[best].exchanges) best = i;
    }
    shares_ = shares[best];
    bytes_ = pass_bytes(*candidates[best].plan, setting_.comm);
    contenders_.push_back(std::move(candidates[best]));
    contenders_[0].details["exchange"] = arguments_.exchanges[best];
  }

  /// With the passes stretched already: every driver, with the strategy that is fastest in windows,
  /// and FFTW.
  void add_others() {
    std::string best;
    double least_s = HUGE_VAL;
    for (std::string const& exchange : arguments_.exchanges) {
      Contender const candidate = make_.ours(
          "trial",
          {.exchange = named(exchanges, exchange), .threads = 1, .windows = arguments_.windows[0]});
      double const time_s = seconds_of(candidate);
      trials_["windows"][exchange] = time_s;
      if (time_s < least_s) least_s = time_s, best = exchange;
    }
    for (int const windows : arguments_.windows)
      for (std::string const& name : arguments_.drivers) {
        Driver const driver = named(drivers, name);
        bool const team = driver == Driver::master || driver == Driver::pipelines;
        contenders_.push_back(
            make_.ours(arguments_.windows.size() > 1 ? text(name, " ", windows) : name,
                       {.exchange = named(exchanges, best),
                        .threads = team ? arguments_.threads : 1,
                        .windows = windows,
                        .driver = driver}));
        contenders_.back().details.update(
            {{"driver", name}, {"windows", windows}, {"exchange", best}});
      }
    if (auto fftw = make_.fftw()) contenders_.push_back(std::move(*fftw));
  }

  /// Threads that share the passes are idle side by side: each for longer, so that the passes take
  /// a rank as long as those of one thread. FFTW cannot be stretched within.
  double seconds_of(Contender const& contender) const {
    if (contender.plan)
      contender.plan->idle(
          [rate = idle_s_per_byte_ * contender.plan->threads()](program::Step const& step) {
            return rate * static_cast<double>(program::bytes_of(step, sizeof(double)));
          });
    return node::seconds_of(
        [&] {
          if (contender.name == "FFTW")
            std::this_thread::sleep_for(std::chrono::duration<double>(idle_s_per_byte_ * bytes_));
          contender.prepared.run();
        },
        setting_.comm);
  }

  /// What a run spends.
  Shares spent(Contender const& contender, std::vector<double>* seconds = nullptr) const {
    Shares const before = shares_of(*contender.plan, setting_.comm);
    double const time_s = seconds_of(contender);
    if (seconds) seconds->push_back(time_s);
    Shares const after = shares_of(*contender.plan, setting_.comm);
    return {after.passes - before.passes, after.exchanges - before.exchanges};
  }

  Json measure(double ratio) {
    std::vector<std::vector<double>> seconds(contenders_.size());
    std::vector<Shares> shares;
    for (int round = 0; round < arguments_.rounds; ++round) {
      tell(ratio, round);
      // Another one begins each round, so that nobody always follows the same contender.
      for (std::size_t turn = 0; turn < contenders_.size(); ++turn) {
        std::size_t const i = (static_cast<std::size_t>(round) + turn) % contenders_.size();
        if (i == 0)
          shares.push_back(spent(contenders_[0], &seconds[0]));
        else
          seconds[i].push_back(seconds_of(contenders_[i]));
      }
    }
    return figures(ratio, median_of(shares), seconds);
  }

  Json figures(double ratio, Shares const& shares,
               std::vector<std::vector<double>> const& seconds) const {
    double const limit_s = median(seconds[1]);
    double const bound_s = std::max(shares.passes, shares.exchanges);
    Json columns = Json::object();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      double const time_s = median(seconds[i]);
      columns[contenders_[i].name] = {{"seconds", time_s},
                                      {"rounds", seconds[i]},
                                      {"gflops", 1e-9 * node::flops(job_.field) / time_s},
                                      {"share_of_all_to_alls", limit_s / time_s},
                                      {"share_of_bound", bound_s / time_s}};
    }
    return {{"asked", ratio},
            {"ratio", shares.passes / shares.exchanges},
            {"comm_seconds", shares.exchanges},
            {"comp_seconds", shares.passes},
            {"idle_seconds", idle_s_per_byte_ * bytes_},
            {"all_to_all_seconds", limit_s},
            {"columns", columns}};
  }

  /// A launcher's ranks have no terminal: a line each.
  void tell(double ratio, int round) const {
    if (setting_.rank == 0)
      std::fprintf(stderr, "%s, T_comp/T_comm %g, round %d of %d\n", job_.field.name.c_str(), ratio,
                   round + 1, arguments_.rounds);
  }

  Job const& job_;
  Arguments const& arguments_;
  Setting const& setting_;
  Contenders make_;
  std::vector<Contender> contenders_;  // no overlap, the all-to-alls, all others
  Shares shares_{};                    // of no overlap, not stretched
  double bytes_ = 0;
  double idle_s_per_byte_ = 0;
  Json trials_ = Json::object();
};

}  // namespace sixstep::bench::overlap
