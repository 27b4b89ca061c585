// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: all parcels that touch a node, then the links that they take, then
// where each of them lies.
#include "redistribution/by_nodes.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace sixstep::redistribution {

namespace {

/// The place of a parcel: `offset` elements behind the beginning of a rank's segment.
struct Place {
  int owner;
  Index offset;
};

/// The data from one rank to another, and its place on the node at hand.
struct Parcel {
  int sender;
  int receiver;
  Index size;
  Place place = {};

  auto key() const { return std::tie(sender, receiver); }
};

/// Parcels first to end - 1 of all that touch the node at hand.
struct Stretch {
  std::size_t first;
  std::size_t end;
};
using Stretches = std::vector<Stretch>;

template <class Each>
void for_each(Stretches const& stretches, Each const& each) {
  for (Stretch const& stretch : stretches)
    for (std::size_t i = stretch.first; i < stretch.end; ++i) each(i);
}

/// The places of the parcels, counted from the segment of `rank`.
std::vector<Block> blocks(std::deque<Parcel> const& all, Stretches const& parcels,
                          Nodes const& nodes, int rank) {
  auto const segment = [&](int of) { return nodes.segment[static_cast<std::size_t>(of)]; };
  std::vector<Block> found;
  for_each(parcels, [&](std::size_t i) {
    Parcel const& parcel = all[i];
    Block const next{segment(parcel.place.owner) - segment(rank), parcel.place.offset, parcel.size};
    bool const goes_on = !found.empty() && found.back().segment == next.segment &&
                         found.back().offset + found.back().count == next.offset;
    if (goes_on)
      found.back().count += next.count;
    else
      found.push_back(next);
  });
  return found;
}

/// All parcels from one node to another. Nodes are numbered as in their circle.
struct Bale {
  int origin;
  int destination;
  Stretch parcels;

  auto key() const { return std::tie(origin, destination); }
};

/// The way from a node to another in one hop.
struct Link {
  Hop hop;
  int from;
  int to;

  auto operator<=>(Link const&) const = default;
  int other(int node) const { return node == from ? to : from; }
};

/// The pieces of each rank, worked out once.
class PiecesOf {
 public:
  explicit PiecesOf(layout::Placement const& placement)
      : placement_(placement), known_(static_cast<std::size_t>(placement.layout.ranks())) {}
  layout::Pieces const& operator()(int rank) {
    std::optional<layout::Pieces>& pieces = known_[static_cast<std::size_t>(rank)];
    if (!pieces) pieces = placement_.pieces(rank);
    return *pieces;
  }

 private:
  layout::Placement const& placement_;
  std::vector<std::optional<layout::Pieces>> known_;
};

/// The nodes of a circle, by their numbers in it, and one of them: the node at hand.
class NodesOfCircle {
 public:
  static constexpr int outside = -1;

  NodesOfCircle(Ends const& ends, int rank, Nodes const& nodes, Index element_bytes)
      : NodesOfCircle(ends, rank, nodes, ranks_by_node(nodes), element_bytes) {}

  NodeGrid const& grid() const { return circle_.grid; }
  int size() const { return static_cast<int>(ranks_.size()); }
  int here() const { return here_; }
  /// The number of a rank's node; `outside` if the node is not in the circle.
  int number_of(int rank) const { return numbers_[static_cast<std::size_t>(rank)]; }
  std::vector<int> const& ranks_on(int node) const {
    return ranks_[static_cast<std::size_t>(node)];
  }
  /// Whether what goes from one node to another begins, ends or passes here.
  bool touches_here(int origin, int destination) const {
    return origin == here_ || destination == here_ ||
           circle_.grid.via(origin, destination) == here_;
  }
  /// Whether what comes from a node may go on from here.
  bool sends_by_here(int origin) const {
    return origin == here_ || circle_.grid.via(origin, here_) == here_;
  }

 private:
  NodesOfCircle(Ends const& ends, int rank, Nodes const& nodes, RanksByNode const& all_ranks,
                Index element_bytes)
      : circle_(circle_of(ends, rank, nodes, all_ranks, element_bytes)),
        numbers_(nodes.node.size(), outside) {
    for (int node : circle_.nodes) {
      for (int of : all_ranks.at(node)) numbers_[static_cast<std::size_t>(of)] = size();
      ranks_.push_back(all_ranks.at(node));
    }
    here_ = number_of(rank);
  }

  Circle circle_;
  std::vector<int> numbers_;             // of each rank's node
  std::vector<std::vector<int>> ranks_;  // of each node
  int here_ = outside;
};

/// All parcels that begin at, end at or pass through one node, and the links that they take there.
/// They are sorted by origin, destination, sender and receiver, so both ends of a link list them
/// alike.
class Parcels {
 public:
  Parcels(Ends const& ends, int rank, Nodes const& nodes, Index element_bytes)
      : ends_(ends),
        nodes_(nodes),
        element_bytes_(static_cast<double>(element_bytes)),
        circle_(ends, rank, nodes, element_bytes) {
    collect();
    for (Bale const& bale : bales_) route(bale);
    for (auto const& [link, stretches] : links_) parts_[link] = cut_up(link, stretches);
    place();
  }

  /// The place of the parcel on this node; none if it is empty.
  std::optional<Place> place_of(int sender, int receiver) const {
    auto const find = [](auto first, auto end, auto const& key) {
      auto const found = std::lower_bound(first, end, key,
                                          [](auto const& a, auto const& b) { return a.key() < b; });
      return found == end || found->key() != key ? nullptr : &*found;
    };
    int const origin = circle_.number_of(sender), destination = circle_.number_of(receiver);
    Bale const* const bale = find(bales_.begin(), bales_.end(), std::tie(origin, destination));
    if (!bale) return std::nullopt;
    auto const at = [&](std::size_t i) {
      return parcels_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    Parcel const* const parcel =
        find(at(bale->parcels.first), at(bale->parcels.end), std::tie(sender, receiver));
    return parcel ? std::optional(parcel->place) : std::nullopt;
  }

  Index segment_size(int rank) const {
    auto const size = segment_sizes_.find(rank);
    return size == segment_sizes_.end() ? 0 : size->second;
  }

  /// The messages that `rank` carries, hop by hop.
  std::vector<HopMessages> hops(int rank) const {
    std::vector<HopMessages> made;
    for (Hop hop : {Hop::along_row, Hop::along_column})
      if (circle_.grid().peers(hop) > 0) made.push_back(messages(hop, rank));
    return made;
  }

 private:
  void collect() {
    constexpr int outside = NodesOfCircle::outside;
    PiecesOf held(ends_.from), wanted(ends_.to);
    // Sender and receiver of all parcels that come straight here, by sender.
    std::vector<std::pair<int, int>> straight;
    for (int receiver : circle_.ranks_on(circle_.here()))
      for (int sender : partners(wanted(receiver), ends_.from))
        if (circle_.number_of(sender) != outside &&
            !circle_.sends_by_here(circle_.number_of(sender)))
          straight.emplace_back(sender, receiver);
    std::sort(straight.begin(), straight.end(), [&](auto const& a, auto const& b) {
      return std::pair(circle_.number_of(a.first), a) < std::pair(circle_.number_of(b.first), b);
    });
    auto const add = [&](int sender, int receiver) {
      Index const size = shared_points(held(sender), wanted(receiver));
      if (size > 0) parcels_.push_back({sender, receiver, size});
    };
    auto next = straight.begin();
    for (int origin = 0; origin < circle_.size(); ++origin) {
      std::size_t const first = parcels_.size();
      for (; next != straight.end() && circle_.number_of(next->first) == origin; ++next)
        add(next->first, next->second);
      if (circle_.sends_by_here(origin)) {
        std::vector<bool> touches;   // by destination
        std::vector<int> receivers;  // of these
        for (int destination = 0; destination < circle_.size(); ++destination) {
          touches.push_back(circle_.touches_here(origin, destination));
          std::vector<int> const& ranks = circle_.ranks_on(destination);
          if (touches.back()) receivers.insert(receivers.end(), ranks.begin(), ranks.end());
        }
        std::sort(receivers.begin(), receivers.end());
        for (int sender : circle_.ranks_on(origin)) {
          bool const has_many =
              most_partners(held(sender), ends_.to) > static_cast<Index>(receivers.size());
          for (int receiver : has_many ? receivers : partners(held(sender), ends_.to)) {
            int const destination = circle_.number_of(receiver);
            if (destination != outside && touches[static_cast<std::size_t>(destination)])
              add(sender, receiver);
          }
        }
      }
      bale_up(origin, first);
    }
  }

  /// Makes bales of the parcels from `first` on: sorts them by destination, and those of a
  /// destination by sender and receiver, as all parcels were sorted before.
  void bale_up(int origin, std::size_t first) {
    std::stable_sort(parcels_.begin() + static_cast<std::ptrdiff_t>(first), parcels_.end(),
                     [&](Parcel const& a, Parcel const& b) {
                       return circle_.number_of(a.receiver) < circle_.number_of(b.receiver);
                     });
    for (std::size_t i = first; i < parcels_.size(); ++i) {
      int const destination = circle_.number_of(parcels_[i].receiver);
      if (i == first || bales_.back().destination != destination)
        bales_.push_back({origin, destination, {i, i}});
      bales_.back().parcels.end = i + 1;
    }
  }

  void route(Bale const& bale) {
    int const via = circle_.grid().via(bale.origin, bale.destination);
    for (Link const& link :
         {Link{Hop::along_row, bale.origin, via}, Link{Hop::along_column, via, bale.destination}})
      if (link.from != link.to && (link.from == circle_.here() || link.to == circle_.here()))
        links_[link].push_back(bale.parcels);
  }

  /// The parcels of each message.
  std::vector<Stretches> cut_up(Link const& link, Stretches const& stretches) const {
    Index total = 0, done = 0;
    for_each(stretches, [&](std::size_t i) { total += parcels_[i].size; });
    std::size_t const ranks =
        std::min(circle_.ranks_on(link.from).size(), circle_.ranks_on(link.to).size());
    int const parts = cut(static_cast<double>(total) * element_bytes_, static_cast<int>(ranks),
                          circle_.grid().peers(link.hop), nodes_.network);
    std::vector<Stretches> found(static_cast<std::size_t>(parts));
    for_each(stretches, [&](std::size_t i) {
      Stretches& part = found[static_cast<std::size_t>(done * parts / total)];
      if (part.empty() || part.back().end != i) part.push_back({i, i});
      part.back().end = i + 1;
      done += parcels_[i].size;
    });
    return found;
  }

  /// The rank of `node`, an end of the link, that carries that part. Ranks take turns, one further
  /// in each round, so that peers at regular distances do not all fall to one rank.
  int carrier(Link const& link, std::size_t part, int node) const {
    auto const number =
        static_cast<std::size_t>(circle_.grid().number(link.hop, node, link.other(node)));
    std::vector<int> const& ranks = circle_.ranks_on(node);
    std::size_t const turn = number * parts_.at(link).size() + part;
    return ranks[(turn + turn / ranks.size()) % ranks.size()];
  }

  /// Finds the places of the parcels. A segment has parcels for ranks of the node, then those that
  /// leave in a message of the segment's owner, or came in one to stay.
  void place() {
    auto const put = [&](Parcel& parcel, int owner) {
      Index& size = segment_sizes_[owner];
      parcel.place = {owner, size};
      size += parcel.size;
    };
    for (Bale const& bale : bales_)
      if (bale.origin == bale.destination)
        for_each({bale.parcels}, [&](std::size_t i) { put(parcels_[i], parcels_[i].sender); });
    for (auto const& [link, parts] : parts_)
      for (std::size_t part = 0; part < parts.size(); ++part) {
        int const owner = carrier(link, part, circle_.here());
        for_each(parts[part], [&, &link = link](std::size_t i) {
          Parcel& parcel = parcels_[i];
          if (link.from == circle_.here() || circle_.number_of(parcel.receiver) == circle_.here())
            put(parcel, owner);
        });
      }
  }

  HopMessages messages(Hop hop, int rank) const {
    HopMessages found;
    for (auto const& [link, parts] : parts_) {
      if (link.hop != hop) continue;
      bool const leaves = link.from == circle_.here();
      for (std::size_t part = 0; part < parts.size(); ++part) {
        if (parts[part].empty()) continue;
        if (leaves) ++found.sent_by_node;
        if (carrier(link, part, circle_.here()) != rank) continue;
        (leaves ? found.sends : found.receives)
            .push_back({carrier(link, part, link.other(circle_.here())),
                        blocks(parcels_, parts[part], nodes_, rank)});
      }
    }
    return found;
  }

  Ends const& ends_;
  Nodes const& nodes_;
  double element_bytes_;
  NodesOfCircle circle_;
  std::deque<Parcel> parcels_;  // millions: grown in place
  std::vector<Bale> bales_;     // of these
  std::map<Link, Stretches> links_;
  std::map<Link, std::vector<Stretches>> parts_;
  std::map<int, Index> segment_sizes_;
};

}  // namespace

RankMessages by_nodes(Ends const& ends, int rank, Order const& box_order, Nodes const& nodes,
                      Index element_bytes) {
  Parcels const parcels(ends, rank, nodes, element_bytes);
  auto const segment_of = [&](int of) { return nodes.segment[static_cast<std::size_t>(of)]; };
  auto const append = [&](Side& side, int sender, int receiver, layout::Pieces const& held,
                          layout::Pieces const& wanted) {
    std::optional<Place> const place = parcels.place_of(sender, receiver);
    if (!place) return;
    for (layout::Piece piece : packed(held, wanted, box_order, place->offset)) {
      piece.segment = segment_of(place->owner) - segment_of(rank);
      side.packed.push_back(piece);
    }
  };
  RankMessages moves;
  layout::Pieces const held = ends.from.pieces(rank), wanted = ends.to.pieces(rank);
  for (int receiver : partners(held, ends.to))
    append(moves.send, rank, receiver, held, ends.to.pieces(receiver));
  for (int sender : partners(wanted, ends.from))
    append(moves.receive, sender, rank, ends.from.pieces(sender), wanted);
  moves.send.packed = layout::coalesce(std::move(moves.send.packed));
  moves.receive.packed = layout::coalesce(std::move(moves.receive.packed));
  moves.hops = parcels.hops(rank);
  moves.send.size = parcels.segment_size(rank);
  return moves;
}

}  // namespace sixstep::redistribution
