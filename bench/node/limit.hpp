// SPDX-License-Identifier: BSD-3-Clause
// How fast a plan could be on this machine: its memory traffic at the speed of a copy, or its
// arithmetic at the speed of our kernels in cache, whichever takes longer.
#pragma once

#include <mpi.h>

#include <cstring>
#include <limits>
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

/// Bytes that all ranks read and write in a second when they copy arrays of a case's size, or of 64
/// MiB a thread if that is less.
inline double copy_speed(Case const& c, Setting const& setting) {
  constexpr double most_bytes = 64 << 20;
  constexpr int rounds = 11;
  auto const bytes = static_cast<std::size_t>(std::min(
      static_cast<double>(c.input_bytes()) / (setting.ranks * setting.threads), most_bytes));
  auto const threads = static_cast<std::size_t>(setting.threads);
  Memory const from = allocate(bytes * threads), to = allocate(bytes * threads);
  auto const copy = [&] {
#pragma omp parallel for num_threads(setting.threads) schedule(static, 1)
    for (std::size_t t = 0; t < threads; ++t)
      std::memcpy(to.get() + t * bytes, from.get() + t * bytes, bytes);
  };
  std::memset(from.get(), 1, bytes * threads);
  copy();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(seconds_of(copy, setting.comm));
  return 2.0 * static_cast<double>(bytes * threads) * setting.ranks / median(times);
}

/// Seconds a point that our kernels take for padded columns in cache while all ranks are at it.
template <class Real>
double kernel_seconds(Index n, Setting const& setting) {
  constexpr int rounds = 11;
  auto const& all = disciplines();
  auto const padded =
      std::find_if(all.begin(), all.end(), [](Discipline const& d) { return d.name == "padded"; });
  auto const problem = problem_of<Real>(*padded, n);
  require(problem.has_value(), "limit: columns of ", n, " points do not fit the cache");
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

/// Of a plan whose data makes so many round trips. Collective.
template <class Real>
Limit limit_of(Case const& c, int round_trips, Setting const& setting) {
  double const speed = copy_speed(c, setting);
  double seconds_a_point = 0;
  for (Index const n : extents(c)) seconds_a_point += kernel_seconds<Real>(n, setting);
  double const complex_points = static_cast<double>(c.points()) * (c.kind == Kind::r2c ? 0.5 : 1) /
                                (setting.ranks * setting.threads);
  double const bytes = static_cast<double>(c.input_bytes() + c.output_bytes());
  return {speed, round_trips * bytes / speed, seconds_a_point * complex_points};
}

}  // namespace sixstep::bench::node
