// SPDX-License-Identifier: BSD-3-Clause
// Names: those of an exchange and its ranks, for texts that say who waits for whom.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sixstep::exchange {

struct Names {
  std::string name = "an exchange";
  std::vector<int> ranks = {};  // of its communicator, as the plan numbers them; empty: the same

  /// "exchange 2 of 3 (to ...)", and ", window 5" if there are several.
  std::string of_window(std::size_t window, std::size_t windows) const;
  /// "ranks 3, 7", given as the communicator numbers them.
  std::string in_words(std::vector<int> numbers) const;
};

/// "exchange 1 of 2 (to ...): nothing from ranks 3, 7; not taken by rank 2".
std::string messages_missing(std::string const& where, Names const& names, std::vector<int> from,
                             std::vector<int> to);
/// Such a text for a collective call on `comm`. MPI does not tell which rank is late.
std::string collective_missing(std::string const& where, Names const& names, MPI_Comm comm);

/// Whether a request is null or complete; it is left as it is.
bool is_complete(MPI_Request request);

}  // namespace sixstep::exchange
