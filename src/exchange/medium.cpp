// SPDX-License-Identifier: BSD-3-Clause
// Media: each rank says what would suit it, the least of all is taken.
#include "exchange/medium.hpp"

#include <algorithm>

namespace sixstep::exchange {

namespace {

/// What suits a rank.
Medium medium_of(Ends const& ends, int real_bytes, int rank, std::vector<int> const& node_of,
                 Index gathered_bytes) {
  auto const node = [&](int of) { return node_of[static_cast<std::size_t>(of)]; };
  std::vector<int> const group = group_of(ends.from, ends.to, rank);
  if (std::all_of(group.begin(), group.end(), [&](int of) { return node(of) == node(rank); }))
    return Medium::in_memory;
  Index const bytes = ends.from.memory_size(rank) * reals_of(Number::complex) * real_bytes;
  bool const is_large = bytes / static_cast<Index>(group.size()) >= gathered_bytes;
  return is_large ? Medium::messages : Medium::by_nodes;
}

}  // namespace

std::vector<Medium> choose_media(std::vector<Ends> const& exchanges, int real_bytes,
                                 mpi::Communicator const& comm, Node const& node,
                                 Tuning const& tuning) {
  static_assert(Medium::messages < Medium::by_nodes && Medium::by_nodes < Medium::in_memory);
  std::vector<int> media;
  for (Ends const& ends : exchanges)
    media.push_back(static_cast<int>(
        medium_of(ends, real_bytes, comm.rank(), node.node_of(), tuning.gathered_message_bytes)));
  int largest_node = node.size();
  MPI_Allreduce(MPI_IN_PLACE, &largest_node, 1, MPI_INT, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, media.data(), mpi::narrow(static_cast<Index>(media.size())), MPI_INT,
                MPI_MIN, comm);
  std::vector<Medium> found;
  for (int medium : media) found.push_back(static_cast<Medium>(medium));
  bool const all_messages = std::all_of(found.begin(), found.end(),
                                        [](Medium medium) { return medium == Medium::messages; });
  if (largest_node == 1 || all_messages) found.clear();
  return found;
}

}  // namespace sixstep::exchange
