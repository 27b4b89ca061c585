// SPDX-License-Identifier: BSD-3-Clause
// Media: what would suit each group of ranks; the least of all is taken.
#include "exchange/medium.hpp"

#include <algorithm>

namespace sixstep::exchange {

namespace {

static_assert(Medium::messages < Medium::by_nodes && Medium::by_nodes < Medium::in_memory);

/// What suits a group that exchanges among itself, of whose ranks one has so many elements.
Medium medium_of(Ends const& ends, int real_bytes, std::vector<int> const& group, Index elements,
                 Nodes const& nodes, RanksByNode const& ranks, Index gathered_bytes) {
  int const home = nodes.of(group.front());
  if (std::all_of(group.begin(), group.end(), [&](int rank) { return nodes.of(rank) == home; }))
    return Medium::in_memory;
  Index const bytes = elements * reals_of(Number::complex) * real_bytes;
  if (bytes / static_cast<Index>(group.size()) >= gathered_bytes) return Medium::messages;
  if (ranks.at(home).size() > 1) return Medium::by_nodes;
  Circle const circle =
      circle_of(ends, group.front(), nodes, ranks, reals_of(ends.from.number) * real_bytes);
  bool const makes_fewer = circle.most_ranks > 1 || circle.grid.columns() > 1;
  return makes_fewer ? Medium::by_nodes : Medium::messages;
}

/// None if messages carry all exchanges, or nobody has anything to exchange.
std::vector<Medium> found(std::vector<int> const& media, Nodes const& nodes,
                          RanksByNode const& ranks) {
  std::vector<Medium> made;
  for (int medium : media) made.push_back(static_cast<Medium>(medium));
  auto const uses = [&](Medium medium) {
    return std::find(made.begin(), made.end(), medium) != made.end();
  };
  bool const alone = ranks.size() == nodes.node.size();
  if (!uses(Medium::by_nodes) && (alone || !uses(Medium::in_memory))) made.clear();
  return made;
}

}  // namespace

std::vector<Medium> choose_media(std::vector<Ends> const& exchanges, int real_bytes,
                                 Nodes const& nodes, Tuning const& tuning) {
  RanksByNode const ranks = ranks_by_node(nodes);
  std::vector<int> media;
  for (Ends const& ends : exchanges) {
    Groups groups(ends.from, ends.to);
    Medium least = Medium::in_memory;
    for (int rank = 0; rank < ends.from.layout.ranks(); ++rank) {
      if (groups.knows(rank)) continue;
      std::vector<int> const group = groups.of(rank);
      Index most = 0;
      for (int member : group) most = std::max(most, ends.from.memory_size(member));
      least = std::min(least, medium_of(ends, real_bytes, group, most, nodes, ranks,
                                        tuning.gathered_message_bytes));
    }
    media.push_back(static_cast<int>(least));
  }
  return found(media, nodes, ranks);
}

std::vector<Medium> choose_media(std::vector<Ends> const& exchanges, int real_bytes,
                                 Nodes const& nodes, Tuning const& tuning,
                                 mpi::Communicator const& comm) {
  RanksByNode const ranks = ranks_by_node(nodes);
  std::vector<int> media;
  for (Ends const& ends : exchanges)
    media.push_back(static_cast<int>(medium_of(
        ends, real_bytes, group_of(ends.from, ends.to, comm.rank()),
        ends.from.memory_size(comm.rank()), nodes, ranks, tuning.gathered_message_bytes)));
  mpi::reduce_to_all(comm, media.data(), static_cast<Index>(media.size()), MPI_INT, MPI_MIN);
  return found(media, nodes, ranks);
}

}  // namespace sixstep::exchange
