// SPDX-License-Identifier: BSD-3-Clause
// Media: finds what suits each group of ranks, and takes the least.
#include "exchange/medium.hpp"

#include <algorithm>

namespace sixstep::exchange {

namespace {

static_assert(redistribution::Medium::messages < redistribution::Medium::by_nodes &&
              redistribution::Medium::by_nodes < redistribution::Medium::in_memory);

/// The medium that suits a group of ranks that exchange with each other, if a rank has `elements`.
redistribution::Medium medium_of(redistribution::Ends const& ends, int real_bytes,
                                 std::vector<int> const& group, Index elements,
                                 redistribution::Nodes const& nodes,
                                 redistribution::RanksByNode const& ranks, Index gathered_bytes) {
  int const home = nodes.of(group.front());
  if (std::all_of(group.begin(), group.end(), [&](int rank) { return nodes.of(rank) == home; }))
    return redistribution::Medium::in_memory;
  Index const bytes = elements * layout::reals_of(layout::Number::complex) * real_bytes;
  if (bytes / static_cast<Index>(group.size()) >= gathered_bytes)
    return redistribution::Medium::messages;
  if (ranks.at(home).size() > 1) return redistribution::Medium::by_nodes;
  redistribution::Circle const circle = redistribution::circle_of(
      ends, group.front(), nodes, ranks, layout::reals_of(ends.from.number) * real_bytes);
  bool const makes_fewer = circle.most_ranks > 1 || circle.grid.columns() > 1;
  return makes_fewer ? redistribution::Medium::by_nodes : redistribution::Medium::messages;
}

/// These media; empty if messages carry all exchanges, or no rank has anything to exchange.
std::vector<redistribution::Medium> found(std::vector<int> const& media,
                                          redistribution::Nodes const& nodes,
                                          redistribution::RanksByNode const& ranks) {
  std::vector<redistribution::Medium> made;
  for (int medium : media) made.push_back(static_cast<redistribution::Medium>(medium));
  auto const uses = [&](redistribution::Medium medium) {
    return std::find(made.begin(), made.end(), medium) != made.end();
  };
  bool const alone = ranks.size() == nodes.node.size();
  if (!uses(redistribution::Medium::by_nodes) &&
      (alone || !uses(redistribution::Medium::in_memory)))
    made.clear();
  return made;
}

}  // namespace

std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning) {
  redistribution::RanksByNode const ranks = redistribution::ranks_by_node(nodes);
  std::vector<int> media;
  for (redistribution::Ends const& ends : exchanges) {
    redistribution::Groups groups(ends.from, ends.to);
    redistribution::Medium least = redistribution::Medium::in_memory;
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

std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning,
                                                 mpi::Communicator const& comm) {
  redistribution::RanksByNode const ranks = redistribution::ranks_by_node(nodes);
  std::vector<int> media;
  for (redistribution::Ends const& ends : exchanges)
    media.push_back(static_cast<int>(medium_of(
        ends, real_bytes, redistribution::group_of(ends.from, ends.to, comm.rank()),
        ends.from.memory_size(comm.rank()), nodes, ranks, tuning.gathered_message_bytes)));
  mpi::reduce_to_all(comm, media.data(), static_cast<Index>(media.size()), MPI_INT, MPI_MIN);
  return found(media, nodes, ranks);
}

}  // namespace sixstep::exchange
