// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: intersecting the pieces of two placements.
#include "exchange/redistribution.hpp"

#include <algorithm>

namespace sixstep::exchange {

namespace {

Box everything(Shape const& shape) {
  Box box;
  for (Index extent : shape) box.ranges.push_back({0, extent, 1});
  return box;
}

/// Appends the boxes in which pieces of `first` and of `second` meet, as the next message.
void append_message(Side& side, int rank, Pieces const& first, Pieces const& second,
                    Order const& order, Box const& region) {
  Message message{rank, side.size, 0};
  for (Piece const& piece : packed(first, second, order, side.size, region)) {
    message.count += piece.box.volume();
    side.packed.push_back(piece);
  }
  if (message.count == 0) return;
  side.messages.push_back(message);
  side.size += message.count;
}

bool share_a_point(Pieces const& a, Pieces const& b) {
  for (Piece const& first : a)
    for (Piece const& second : b)
      if (!intersect(first.box, second.box).empty()) return true;
  return false;
}

}  // namespace

Pieces packed(Pieces const& first, Pieces const& second, Order const& order, Index offset,
              std::optional<Box> const& region) {
  Pieces found;
  for (Piece const& a : first) {
    for (Piece const& b : second) {
      Piece piece;
      piece.box = intersect(a.box, b.box);
      if (region) piece.box = intersect(piece.box, *region);
      if (piece.box.empty()) continue;
      piece.offset = offset;
      piece.strides = Shape(piece.box.axes(), 0);
      Index stride = 1;
      for (int position = order.size() - 1; position >= 0; --position) {
        piece.strides[order[position]] = stride;
        stride *= piece.box.ranges[order[position]].count();
      }
      offset += stride;
      found.push_back(piece);
    }
  }
  return found;
}

std::vector<int> partners(Pieces const& pieces, Placement const& other) {
  std::vector<int> found;
  for (Piece const& piece : pieces) {
    std::vector<int> const more = other.ranks_meeting(piece.box);
    found.insert(found.end(), more.begin(), more.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Both ends list the boxes of a message alike: pieces of the sender outside, of the receiver
// inside.
Redistribution redistribution(Placement const& from, Placement const& to, int rank,
                              Order const& box_order, Box const& region) {
  Redistribution moves;
  Pieces const held = from.pieces(rank);
  for (int receiver : partners(held, to))
    append_message(moves.send, receiver, held, to.pieces(receiver), box_order, region);
  Pieces const wanted = to.pieces(rank);
  for (int sender : partners(wanted, from))
    append_message(moves.receive, sender, from.pieces(sender), wanted, box_order, region);
  moves.send.packed = coalesce(std::move(moves.send.packed));
  moves.receive.packed = coalesce(std::move(moves.receive.packed));
  return moves;
}

Redistribution redistribution(Placement const& from, Placement const& to, int rank,
                              Order const& box_order) {
  return redistribution(from, to, rank, box_order, everything(from.view.shape));
}

Pieces pieces_across(Placement const& mine, Placement const& resting, int rank,
                     std::vector<int> const& segment) {
  Pieces found;
  auto const segment_of = [&](int of) { return segment[static_cast<std::size_t>(of)]; };
  Pieces const held = mine.pieces(rank);
  for (int owner : partners(held, resting)) {
    for (Piece const& part : resting.pieces(owner)) {
      for (Piece const& own : held) {
        Piece shared = restrict(part, own.box);
        if (shared.box.empty()) continue;
        shared.segment = segment_of(owner) - segment_of(rank);
        found.push_back(shared);
      }
    }
  }
  return coalesce(std::move(found));
}

std::vector<int> group_of(Placement const& from, Placement const& to, int rank) {
  std::size_t const all = static_cast<std::size_t>(from.layout.ranks());
  std::vector<bool> seen(all, false);
  std::vector<int> group{rank};
  seen[static_cast<std::size_t>(rank)] = true;
  auto const add_partners = [&](Pieces const& pieces, Placement const& other) {
    for (int partner : partners(pieces, other)) {
      if (seen[static_cast<std::size_t>(partner)]) continue;
      if (!share_a_point(pieces, other.pieces(partner))) continue;
      seen[static_cast<std::size_t>(partner)] = true;
      group.push_back(partner);
    }
  };
  for (std::size_t next = 0; next < group.size() && group.size() < all; ++next) {
    add_partners(from.pieces(group[next]), to);
    add_partners(to.pieces(group[next]), from);
  }
  std::sort(group.begin(), group.end());
  return group;
}

}  // namespace sixstep::exchange
