// SPDX-License-Identifier: BSD-3-Clause
// Measuring what a rank keeps: each read needs the one before, and none can be foreseen.
#include "measure/kept.hpp"

#include <algorithm>
#include <vector>

#include "base/machine_memory.hpp"
#include "base/memory.hpp"
#include "local/caches.hpp"

namespace sixstep::measure {

namespace {

constexpr Index line_bytes = 64;

/// Lines of memory, each of which says which one is read next; all are read before one is again.
class Chain {
 public:
  explicit Chain(Index bytes) : memory_(allocate(static_cast<std::size_t>(bytes))) {}

  void link(Index lines) {
    // x -> 5 x + c goes through all of a power of two, if c is odd; far ahead each time.
    Index const ahead = (lines / 3) | 1;
    for (Index at = 0; at < lines; ++at) line(at) = (5 * at + ahead) % lines;
    at_ = 0;
  }

  void read(Index times) {
    for (Index i = 0; i < times; ++i) at_ = line(at_);
  }

 private:
  Index& line(Index at) const { return *reinterpret_cast<Index*>(memory_.get() + at * line_bytes); }

  Memory memory_;
  Index volatile at_ = 0;
};

}  // namespace

Index kept_bytes(std::map<Index, double> const& seconds) {
  // Where the times of the cache and those of memory are alike, nothing can be told.
  constexpr double least_ratio = 1.5;
  double const memory_s = seconds.rbegin()->second;
  double const cache_s = std::min_element(seconds.begin(), seconds.end(), [](auto& a, auto& b) {
                           return a.second < b.second;
                         })->second;
  if (memory_s < least_ratio * cache_s) return 0;
  double kept = 0;
  for (auto const& [bytes, time_s] : seconds) {
    double const share = std::clamp((memory_s - time_s) / (memory_s - cache_s), 0.0, 1.0);
    kept = std::max(kept, share * static_cast<double>(bytes));
  }
  return static_cast<Index>(kept);
}

Index kept_of_third(Team const& team, double seconds) {
  constexpr Index reads = 4096;
  constexpr double believed = 0.75;  // of what the system says
  local::Caches const& caches = local::caches();
  int const sharers = local::third_sharers(team.node_ranks());
  Index const share = caches.third / sharers;
  // In memory, most of the largest.
  Index largest = std::min(8 * share, Index{machine_bytes()} / 8 / team.node_ranks());
  mpi::reduce_to_all(team.comm(), &largest, 1, MPI_INT64_T, MPI_MIN);
  Index bytes = 1;
  while (bytes < 2 * caches.second) bytes *= 2;
  if (largest < 4 * bytes) return 0;
  std::vector<Chain> chains;
  mpi::together(team.comm(), [&] {
    for (int thread = 0; thread < team.threads(); ++thread)
      chains.emplace_back(largest / team.threads());
  });
  Index sizes = 0;
  for (Index size = bytes; size <= largest; size *= 2) ++sizes;
  std::map<Index, double> found;
  for (; bytes <= largest; bytes *= 2) {
    Index lines = 1;
    while (2 * lines * line_bytes * team.threads() <= bytes) lines *= 2;
    for (Chain& chain : chains) chain.link(lines);
    double const per_second =
        team.per_second(seconds / static_cast<double>(sizes), Working::together,
                        [&](int thread) { chains[static_cast<std::size_t>(thread)].read(reads); });
    found[lines * line_bytes * team.threads()] = team.threads() / (per_second * reads);
  }
  double kept = static_cast<double>(kept_bytes(found));
  mpi::broadcast(team.comm(), &kept, sizeof kept);
  auto const together = static_cast<Index>(kept) * sharers;
  constexpr Index page = 4096, least = Index{1} << 18;
  bool const told =
      together == 0 || static_cast<double>(together) > believed * static_cast<double>(caches.third);
  return told ? 0 : std::max(least, together / page * page);
}

}  // namespace sixstep::measure
