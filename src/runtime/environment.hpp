// SPDX-License-Identifier: BSD-3-Clause
// Environment variables that must be the same on all ranks.
#pragma once

#include <cstdlib>
#include <string>

#include "runtime/mpi.hpp"

namespace sixstep {

/// The number that `read` makes of the variable; 0 if the variable is not set or empty. `read` must
/// never return 0.
template <class Read>
auto variable(char const* name, Read const& read) {
  char const* const word = std::getenv(name);
  return word && *word != '\0' ? read(word) : decltype(read(word)){};
}

/// Like variable(), but the same on all ranks. Collective. Throws Error on every rank if `read`
/// throws on any rank, or if values differ.
template <class Read>
auto common_variable(mpi::Comm const& comm, char const* name, Read const& read) {
  decltype(read("")) mine{};
  mpi::together(comm, [&] { mine = variable(name, read); });
  auto first = mine;
  mpi::broadcast(comm, &first, sizeof first);
  auto const told = [](auto value) { return value == 0 ? std::string("none") : text(value); };
  mpi::together(comm, [&] {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    require(mine == first, name, ": all ranks need the same value, rank 0 has ", told(first),
            ", rank ", rank, " has ", told(mine));
  });
  return mine;
}

}  // namespace sixstep
