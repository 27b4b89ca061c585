// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: sizes of all parcels first, then where each of them lies.
#include "exchange/by_nodes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sixstep::exchange {

namespace {

using Pair = std::pair<int, int>;  // sender, receiver

/// Where a parcel lies: so many elements behind the beginning of a rank's segment.
struct Place {
  int owner;
  Index offset;
};

/// All parcels that the ranks of one node send or receive: what one rank has for another.
class Parcels {
 public:
  Parcels(Placement const& from, Placement const& to, int rank, Nodes const& nodes)
      : nodes_(nodes), home_(node_of(rank)) {
    for (int other = 0; other < from.layout.ranks(); ++other)
      ranks_[node_of(other)].push_back(other);
    for (auto const& [node, ranks] : ranks_) ordinal_.emplace(node, ordinal_.size());
    for (int here : ranks_.at(home_)) {
      Pieces const held = from.pieces(here), wanted = to.pieces(here);
      for (int receiver : partners(held, to)) add({here, receiver}, held, to.pieces(receiver));
      for (int sender : partners(wanted, from))
        if (node_of(sender) != home_) add({sender, here}, from.pieces(sender), wanted);
    }
    place_parcels();
  }

  /// Of a parcel that is not empty.
  Place place(Pair const& pair) const {
    if (is_local(pair)) return {pair.first, within_.at(pair)};
    Area const& area = areas_.at(area_of(pair));
    return {area.carrier, area.base + within_.at(pair)};
  }
  bool has(Pair const& pair) const { return sizes_.count(pair) > 0; }
  Index segment_size(int rank) const {
    auto const size = segment_sizes_.find(rank);
    return size == segment_sizes_.end() ? 0 : size->second;
  }

  /// The messages that `rank` carries.
  void messages(int rank, Redistribution& moves) const {
    for (auto const& [ends, area] : areas_) {
      if (area.carrier != rank) continue;
      bool const leaves = ends.first == home_;
      int const there = leaves ? carrier(ends.second, home_) : carrier(ends.first, home_);
      (leaves ? moves.send : moves.receive).messages.push_back({there, area.base, area.size});
    }
  }

 private:
  /// What goes from a node to another.
  struct Area {
    int carrier;  // on this node
    Index base = 0;
    Index size = 0;
  };

  int node_of(int rank) const { return nodes_.node[static_cast<std::size_t>(rank)]; }
  bool is_local(Pair const& pair) const { return node_of(pair.first) == node_of(pair.second); }
  Pair area_of(Pair const& pair) const { return {node_of(pair.first), node_of(pair.second)}; }

  /// The rank of `node` that exchanges messages with `other`: they take turns.
  int carrier(int node, int other) const {
    std::vector<int> const& ranks = ranks_.at(node);
    return ranks[ordinal_.at(other) % ranks.size()];
  }

  void add(Pair const& pair, Pieces const& held, Pieces const& wanted) {
    Index size = 0;
    for (Piece const& a : held)
      for (Piece const& b : wanted) size += intersect(a.box, b.box).volume();
    if (size > 0) sizes_[pair] = size;
  }

  /// In each segment: parcels for ranks of the node, then areas that leave and that come. In each
  /// area: by sender, then by receiver, as both ends have it.
  void place_parcels() {
    for (auto const& [pair, size] : sizes_) {
      if (is_local(pair)) {
        within_[pair] = segment_sizes_[pair.first];
        segment_sizes_[pair.first] += size;
        continue;
      }
      Pair const ends = area_of(pair);
      int const other = ends.first == home_ ? ends.second : ends.first;
      Area& area = areas_.try_emplace(ends, Area{carrier(home_, other)}).first->second;
      within_[pair] = area.size;
      area.size += size;
    }
    for (auto& [ends, area] : areas_) {
      area.base = segment_sizes_[area.carrier];
      segment_sizes_[area.carrier] += area.size;
    }
  }

  Nodes const& nodes_;
  int home_;
  std::map<int, std::vector<int>> ranks_;
  std::map<int, std::size_t> ordinal_;
  std::map<Pair, Index> sizes_;
  std::map<Pair, Index> within_;  // its segment, or its area
  std::map<Pair, Area> areas_;
  std::map<int, Index> segment_sizes_;
};

}  // namespace

Redistribution by_nodes(Placement const& from, Placement const& to, int rank,
                        Order const& box_order, Nodes const& nodes) {
  Parcels const parcels(from, to, rank, nodes);
  auto const segment_of = [&](int of) { return nodes.segment[static_cast<std::size_t>(of)]; };
  auto const append = [&](Side& side, Pair const& pair, Pieces const& held, Pieces const& wanted) {
    if (!parcels.has(pair)) return;
    Place const place = parcels.place(pair);
    for (Piece piece : packed(held, wanted, box_order, place.offset)) {
      piece.segment = segment_of(place.owner) - segment_of(rank);
      side.packed.push_back(piece);
    }
  };
  Redistribution moves;
  Pieces const held = from.pieces(rank), wanted = to.pieces(rank);
  for (int receiver : partners(held, to))
    append(moves.send, {rank, receiver}, held, to.pieces(receiver));
  for (int sender : partners(wanted, from))
    append(moves.receive, {sender, rank}, from.pieces(sender), wanted);
  moves.send.packed = coalesce(std::move(moves.send.packed));
  moves.receive.packed = coalesce(std::move(moves.receive.packed));
  parcels.messages(rank, moves);
  moves.send.size = parcels.segment_size(rank);
  return moves;
}

}  // namespace sixstep::exchange
