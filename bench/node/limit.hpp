// SPDX-License-Identifier: BSD-3-Clause
// How fast a plan could be on this machine: its memory traffic at the speed of a copy, or its
// arithmetic at the speed of our kernels in cache, whichever takes longer.
#pragma once

#include <mpi.h>

#include <cstring>
#include <optional>
#include <vector>

#include "disciplines.hpp"
#include "node/distributed.hpp"
#include "node/rounds.hpp"

namespace sixstep::bench::node {

struct Limit {
  double copy_bytes_per_s;  // read and written, by all ranks together
  double memory_s;
  double arithmetic_s;

  double seconds() const { return std::max(memory_s, arithmetic_s); }
};

/// A copy of arrays of a case's size, or of 64 MiB a thread if that is less, by all ranks.
class Copy {
 public:
  Copy(Case const& c, Setting const& setting)
      : setting_(setting),
        thread_bytes_(std::min(c.input_bytes() / count(setting), std::size_t{64} << 20)),
        from_(allocate(rank_bytes())),
        to_(allocate(rank_bytes())) {
    std::memset(from_.get(), 1, rank_bytes());
    run();
  }

  void run() const {
#pragma omp parallel for num_threads(setting_.threads) schedule(static, 1)
    for (int thread = 0; thread < setting_.threads; ++thread) {
      std::size_t const offset = static_cast<std::size_t>(thread) * thread_bytes_;
      std::memcpy(to_.get() + offset, from_.get() + offset, thread_bytes_);
    }
  }

  /// Read and written by all ranks together.
  double bytes() const { return 2.0 * static_cast<double>(thread_bytes_ * count(setting_)); }

 private:
  static std::size_t count(Setting const& setting) {
    return static_cast<std::size_t>(setting.ranks) * static_cast<std::size_t>(setting.threads);
  }
  std::size_t rank_bytes() const {
    return thread_bytes_ * static_cast<std::size_t>(setting_.threads);
  }

  Setting const& setting_;
  std::size_t thread_bytes_;
  Memory from_;
  Memory to_;
};

/// Seconds a point that our kernels take for padded columns in cache while all ranks are at it;
/// none for columns that do not fit there.
template <class Real>
std::optional<double> kernel_seconds(Index n, Setting const& setting) {
  constexpr int rounds = 11;
  auto const& all = disciplines();
  auto const padded =
      std::find_if(all.begin(), all.end(), [](Discipline const& d) { return d.name == "padded"; });
  auto const problem = problem_of<Real>(*padded, n);
  if (!problem) return std::nullopt;
  std::size_t const bytes =
      static_cast<std::size_t>(extent(problem->in, n, problem->count)) * sizeof(std::complex<Real>);
  Memory const in = allocate(bytes), out = allocate(bytes);
  std::memset(in.get(), 0, bytes);
  bench::Contender const ours = bench::sixstep_contender();
  auto const& prepare = sizeof(Real) == sizeof(double) ? ours.prepare_double : ours.prepare_single;
  Run const run = prepare(*problem, in.get(), out.get());
  constexpr int repeats = 8;
  auto const trial = [&] {
    for (int repeat = 0; repeat < repeats; ++repeat) run();
  };
  trial();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(seconds_of(trial, setting.comm));
  return median(times) / static_cast<double>(repeats * n * problem->count);
}

/// The extents that are transformed; a single axis as two of about its root, as the six steps go.
inline std::vector<Index> extents(Case const& c) {
  if (!c.one_axis()) return {c.shape.begin(), c.shape.end()};
  Index factor = static_cast<Index>(std::sqrt(static_cast<double>(c.shape[2])));
  while (c.shape[2] % factor != 0) --factor;
  return {factor, c.shape[2] / factor};
}

/// Of a plan whose data makes so many round trips, where a copy has that speed; none where its
/// transforms do not fit the cache. Collective.
template <class Real>
std::optional<Limit> limit_of(Case const& c, int round_trips, double copy_bytes_per_s,
                              Setting const& setting) {
  double const bytes = static_cast<double>(c.input_bytes() + c.output_bytes());
  double seconds_a_point = 0;
  for (Index const n : extents(c)) {
    auto const seconds = kernel_seconds<Real>(n, setting);
    if (!seconds) return std::nullopt;
    seconds_a_point += *seconds;
  }
  double const complex_points = static_cast<double>(c.points()) * (c.kind == Kind::r2c ? 0.5 : 1);
  return Limit{copy_bytes_per_s, round_trips * bytes / copy_bytes_per_s,
               seconds_a_point * complex_points / (setting.ranks * setting.threads)};
}

}  // namespace sixstep::bench::node
