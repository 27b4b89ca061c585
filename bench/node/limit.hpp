// SPDX-License-Identifier: BSD-3-Clause
// How fast a plan could be on this machine: its memory traffic at the speed of copies, or its
// arithmetic at the speed of our kernels in cache, whichever takes longer.
//
// Of a plan's passes the first leads from array to array, and all others could work in place.
#pragma once

#include <mpi.h>

#include <cstring>
#include <optional>
#include <vector>

#include "disciplines.hpp"
#include "node/distributed.hpp"
#include "node/rounds.hpp"

namespace sixstep::bench::node {

/// Bytes read and written a second, by all ranks together.
struct CopyRates {
  double apart;     // from array to array
  double in_place;  // to where they were read
};

struct Limit {
  CopyRates rates;
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

  /// From array to array.
  void run() const {
#pragma omp parallel for num_threads(setting_.threads) schedule(static, 1)
    for (int thread = 0; thread < setting_.threads; ++thread) {
      std::size_t const offset = static_cast<std::size_t>(thread) * thread_bytes_;
      std::memcpy(to_.get() + offset, from_.get() + offset, thread_bytes_);
    }
  }

  /// To where the numbers came from, changed.
  void run_in_place() const {
#pragma omp parallel for num_threads(setting_.threads) schedule(static, 1)
    for (int thread = 0; thread < setting_.threads; ++thread) {
      auto* const first =
          reinterpret_cast<double*>(to_.get() + static_cast<std::size_t>(thread) * thread_bytes_);
      std::size_t const count = thread_bytes_ / sizeof(double);
      for (std::size_t i = 0; i < count; ++i) first[i] = -first[i];
    }
  }

  /// Read and written by all ranks together, either way.
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

/// Seconds a point that our kernels take in a discipline in cache while all ranks are at it; none
/// for columns that do not fit there.
template <class Real>
std::optional<double> kernel_seconds(std::string const& discipline, Index n,
                                     Setting const& setting) {
  constexpr int rounds = 11;
  auto const& all = disciplines();
  auto const found = std::find_if(all.begin(), all.end(),
                                  [&](auto const& each) { return each.name == discipline; });
  auto const problem = problem_of<Real>(*found, n);
  if (!problem) return std::nullopt;
  std::size_t const bytes =
      static_cast<std::size_t>(std::max(extent(problem->in, n, problem->count),
                                        extent(problem->out, n, problem->count))) *
      sizeof(std::complex<Real>);
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

/// Of a plan whose data makes so many round trips, where copies have these speeds; none where its
/// transforms do not fit the cache. Collective.
template <class Real>
std::optional<Limit> limit_of(Case const& c, int round_trips, CopyRates const& rates,
                              Setting const& setting) {
  double const first = static_cast<double>(c.input_bytes() + c.output_bytes());
  double const others = (round_trips - 1) * 2.0 * static_cast<double>(c.output_bytes());
  bool const real = c.kind == Kind::r2c;
  auto const points = static_cast<double>(c.points());
  std::vector<Index> const lengths = extents(c);
  double work_s = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 1) continue;
    bool const rows = i + 1 == lengths.size();
    auto const seconds = kernel_seconds<Real>(!rows  ? "padded"
                                              : real ? "r2c"
                                                     : "contiguous",
                                              lengths[i], setting);
    if (!seconds) return std::nullopt;
    work_s += *seconds * points * (real && !rows ? 0.5 : 1);
  }
  return Limit{rates, first / rates.apart + others / rates.in_place,
               work_s / (setting.ranks * setting.threads)};
}

}  // namespace sixstep::bench::node
