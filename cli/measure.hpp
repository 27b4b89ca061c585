// SPDX-License-Identifier: BSD-3-Clause
// Measures transforms: their time, the parts of it, and a file for the figures.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/new_file.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"
#include "terminal.hpp"

namespace sixstep::cli {

/// Seconds from a barrier to the end on the slowest rank. Collective.
template <class Action>
double seconds_of(MPI_Comm comm, Action const& action) {
  mpi::meet(comm);
  double const begin = MPI_Wtime();
  action();
  return max_over(comm, MPI_Wtime() - begin);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t const half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The average parts of one transform, from the results of Plan::breakdown() before and after
/// `transforms` transforms: each on the rank where it takes longest. Collective.
template <class Parts>
std::vector<Part> breakdown(Parts const& before, Parts const& after, int transforms,
                            MPI_Comm comm) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < after.size(); ++i) {
    double const seconds = max_over(comm, after[i].seconds - before[i].seconds);
    parts.push_back({after[i].what, seconds / transforms, max_over(comm, after[i].bytes)});
  }
  return parts;
}

/// Throws on all ranks unless rank 0 can write the file. The file does not change. Collective.
inline void require_writable(std::string const& path, MPI_Comm comm) {
  mpi::together(comm, [&] {
    if (rank_of(comm) == 0)
      naming("--json ", [&] { sixstep::require_writable(path, Target::any); });
  });
}

/// Writes rank 0's figures. Throws on all ranks if rank 0 cannot write them. Collective.
inline void write_json(std::string const& path, nlohmann::ordered_json const& figures,
                       MPI_Comm comm) {
  mpi::together(comm, [&] {
    if (rank_of(comm) != 0) return;
    naming("--json ", [&] { replace_file(path, to_lines(figures), Target::any); });
  });
}

}  // namespace sixstep::cli
