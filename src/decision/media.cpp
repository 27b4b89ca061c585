// SPDX-License-Identifier: BSD-3-Clause
// Media: finds what suits each group of ranks, and takes the least.
#include "decision/media.hpp"

namespace sixstep::decision {

using redistribution::Medium;

namespace {

static_assert(Medium::messages < Medium::by_nodes && Medium::by_nodes < Medium::in_memory);

/// The medium that suits a group of ranks that exchange with each other, if a rank has `elements`.
Medium medium_for(redistribution::Ends const& ends, int real_bytes, std::vector<int> const& group,
                  Index elements, redistribution::Nodes const& nodes,
                  redistribution::RanksByNode const& ranks, Index gathered_bytes) {
  int const home = nodes.of(group.front());
  if (std::all_of(group.begin(), group.end(), [&](int rank) { return nodes.of(rank) == home; }))
    return Medium::in_memory;
  Index const bytes = elements * layout::reals_of(layout::Number::complex) * real_bytes;
  if (bytes / static_cast<Index>(group.size()) >= gathered_bytes) return Medium::messages;
  if (ranks.at(home).size() > 1) return Medium::by_nodes;
  redistribution::Circle const circle = redistribution::circle_of(
      ends, group.front(), nodes, ranks, layout::reals_of(ends.from.number) * real_bytes);
  bool const makes_fewer = circle.most_ranks > 1 || circle.grid.columns() > 1;
  return makes_fewer ? Medium::by_nodes : Medium::messages;
}

}  // namespace

Media suitable_media(Exchanges const& exchanges, int real_bytes, redistribution::Nodes const& nodes,
                     Tuning const& tuning, std::optional<int> rank) {
  redistribution::RanksByNode const ranks = redistribution::ranks_by_node(nodes);
  Media media;
  for (redistribution::Ends const& ends : exchanges) {
    Medium& least = media.emplace_back(Medium::in_memory);
    visit_groups(ends, rank, [&](std::vector<int> const& group, Index, Index most) {
      least = std::min(least, medium_for(ends, real_bytes, group, most, nodes, ranks,
                                         tuning.gathered_message_bytes));
    });
  }
  return media;
}

Media used_media(Media suitable, redistribution::Nodes const& nodes) {
  bool const alone = redistribution::ranks_by_node(nodes).size() == nodes.node.size();
  if (!has(suitable, Medium::by_nodes) && (alone || !has(suitable, Medium::in_memory)))
    suitable.clear();
  return suitable;
}

bool has(Media const& media, redistribution::Medium medium) {
  return std::find(media.begin(), media.end(), medium) != media.end();
}

}  // namespace sixstep::decision
