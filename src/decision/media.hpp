// SPDX-License-Identifier: BSD-3-Clause
// Media: what carries an exchange between ranks, given which of them share a node. Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "redistribution/circle.hpp"
#include "tuning.hpp"

namespace sixstep::decision {

using Exchanges = std::vector<redistribution::Ends>;
using Media = std::vector<redistribution::Medium>;

/// Calls visit(group, least, most) for the ranks that exchange with `rank`, with the elements that
/// `rank` has before the exchange; or, without a rank, for each group of ranks that exchange with
/// each other, with the least and the most elements that one of them has.
template <class Visit>
void visit_groups(redistribution::Ends const& ends, std::optional<int> rank, Visit const& visit) {
  auto const elements = [&](int of) { return ends.from.memory_size(of); };
  if (rank)
    return visit(redistribution::group_of(ends.from, ends.to, *rank), elements(*rank),
                 elements(*rank));
  redistribution::Groups groups(ends.from, ends.to);
  for (int first = 0; first < ends.from.layout.ranks(); ++first) {
    if (groups.knows(first)) continue;
    std::vector<int> const group = groups.of(first);
    auto const [least, most] = std::minmax_element(
        group.begin(), group.end(), [&](int a, int b) { return elements(a) < elements(b); });
    visit(group, elements(*least), elements(*most));
  }
}

/// The medium that suits each exchange as far as `rank` can tell; or, without a rank, the one that
/// suits all ranks, which is the least of those that suit each.
///
/// An exchange goes
/// - by memory if each rank shares its node with all ranks that it exchanges with;
/// - by nodes if its messages would have fewer than tuning.gathered_message_bytes and gathering
///   makes fewer messages;
/// - by messages otherwise.
Media suitable_media(Exchanges const& exchanges, int real_bytes, redistribution::Nodes const& nodes,
                     Tuning const& tuning, std::optional<int> rank = {});

/// The media that are used where these suit all ranks; empty if messages carry all exchanges, or
/// no rank has anything to exchange.
Media used_media(Media suitable, redistribution::Nodes const& nodes);

/// Whether one of these exchanges has this medium.
bool has(Media const& media, redistribution::Medium medium);

}  // namespace sixstep::decision
