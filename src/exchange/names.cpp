// SPDX-License-Identifier: BSD-3-Clause
// Texts that say what an exchange lacks.
#include "exchange/names.hpp"

#include <utility>

#include "runtime/patience.hpp"
#include "sixstep/error.hpp"

namespace sixstep::exchange {

std::string Names::of_window(std::size_t window, std::size_t windows) const {
  return windows == 1 ? name : text(name, ", window ", window);
}

std::string Names::in_words(std::vector<int> numbers) const {
  if (!ranks.empty())
    for (int& number : numbers) number = ranks[static_cast<std::size_t>(number)];
  return ranks_in_words(std::move(numbers));
}

std::string messages_missing(std::string const& where, Names const& names, std::vector<int> from,
                             std::vector<int> to) {
  std::string words;
  if (!from.empty()) words = "nothing from " + names.in_words(std::move(from));
  if (!to.empty())
    words += (words.empty() ? "not taken by " : "; not taken by ") + names.in_words(std::move(to));
  return where + ": " + words;
}

std::string collective_missing(std::string const& where, Names const& names, MPI_Comm comm) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> others;
  for (int other = 0; other < ranks; ++other)
    if (other != rank) others.push_back(other);
  return text(where, ": a collective call with ", names.in_words(std::move(others)),
              "; MPI does not say which rank is late");
}

bool is_complete(MPI_Request request) {
  int complete = 0;
  MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

}  // namespace sixstep::exchange
