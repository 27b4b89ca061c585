// SPDX-License-Identifier: BSD-3-Clause
// Variables of the environment that all ranks must have alike.
#pragma once

#include <cstdlib>
#include <string>

#include "runtime/mpi.hpp"

namespace sixstep {

/// What `read` makes of a variable, a number but 0; 0 where it is not set, or empty.
template <class Read>
auto variable(char const* name, Read const& read) {
  char const* const word = std::getenv(name);
  return word && *word != '\0' ? read(word) : decltype(read(word)){};
}

/// The same of all ranks. Collective. Errors, on every rank: what `read` throws on any; values that
/// differ.
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
    require(mine == first, name, ": the same is needed on all ranks, rank 0 has ", told(first),
            ", rank ", rank, " has ", told(mine));
  });
  return mine;
}

}  // namespace sixstep
