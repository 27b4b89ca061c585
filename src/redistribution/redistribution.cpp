// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: intersecting the pieces of two placements.
#include "redistribution/redistribution.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::redistribution {

namespace {

/// The pieces of a rank, by window.
using End = std::vector<layout::Pieces>;

End end_of(layout::Pieces pieces, Cut const& cut) {
  int const windows = cut.windows_of(pieces);
  End end;
  for (int window = 0; windows > 1 && window < windows; ++window)
    end.push_back({layout::restrict(pieces.front(), cut.part(pieces.front().box, window))});
  if (windows == 1) end.push_back(std::move(pieces));
  return end;
}

/// A rank that exchanges with the one at hand, and its pieces.
struct Partner {
  int rank;
  End end;
};

/// Makes messages of the boxes in which sent pieces meet received ones.
class SideMaker {
 public:
  SideMaker(End const& own, bool own_is_sent, Order const& order, Sorted sorted)
      : own_(own), own_is_sent_(own_is_sent), order_(order), sorted_(sorted) {}

  Side run(std::vector<Partner> const& partners) {
    side_.messages.reserve(partners.size());
    if (sorted_ == Sorted::by_rank) {
      for (Partner const& partner : partners)
        for (std::size_t i = 0; i < outer_windows(partner); ++i) append_all(partner, i);
      return std::move(side_);
    }
    std::size_t windows = 0;
    for (Partner const& partner : partners) windows = std::max(windows, outer_windows(partner));
    for (std::size_t i = 0; i < windows; ++i)
      for (Partner const& partner : partners)
        if (i < outer_windows(partner)) append_all(partner, i);
    return std::move(side_);
  }

 private:
  /// Whether the slower one of the two windows is this rank's.
  bool own_outside() const { return own_is_sent_ == (sorted_ != Sorted::by_receiver); }
  std::size_t outer_windows(Partner const& partner) const {
    return (own_outside() ? own_ : partner.end).size();
  }
  /// The messages of the slower window `i`.
  void append_all(Partner const& partner, std::size_t i) {
    for (std::size_t j = 0; j < (own_outside() ? partner.end : own_).size(); ++j)
      own_outside() ? append(partner, i, j) : append(partner, j, i);
  }

  void append(Partner const& partner, std::size_t own_window, std::size_t window) {
    layout::Pieces const &own = own_[own_window], &theirs = partner.end[window];
    Message message{partner.rank, side_.size, 0, static_cast<int>(own_window),
                    static_cast<int>(window)};
    if (!own_is_sent_) std::swap(message.before, message.behind);
    layout::Pieces const &sent = own_is_sent_ ? own : theirs,
                         &received = own_is_sent_ ? theirs : own;
    for (layout::Piece const& piece : packed(sent, received, order_, side_.size)) {
      message.count += piece.box.volume();
      side_.packed.push_back(piece);
    }
    if (message.count == 0) return;
    side_.size += message.count;
    side_.messages.push_back(std::move(message));
  }

  End const& own_;
  bool own_is_sent_;
  Order const& order_;
  Sorted sorted_;
  Side side_;
};

/// The rows in which a box lies in memory, in that order; empty if its elements are contiguous.
Rows rows_of(layout::Piece const& piece, Order const& order) {
  Rows rows;
  for (int axis : order) {
    Row const next{piece.box.ranges[axis].count(), piece.strides[axis]};
    if (next.count == 1) continue;
    if (!rows.empty() && rows.back().stride == next.count * next.stride)
      rows.back() = {rows.back().count * next.count, next.stride};
    else
      rows.push_back(next);
  }
  if (rows.empty() || (rows.size() == 1 && rows.front().stride == 1)) return {};
  return rows;
}

/// Puts messages, each packed as one box, where they lie in the rank's array, which is one piece.
void lay_out(Side& side, layout::Pieces const& array, Index size, Order const& order) {
  for (std::size_t i = 0; i < side.messages.size(); ++i) {
    layout::Piece const place = layout::restrict(array.front(), side.packed[i].box);
    side.messages[i].offset = place.offset;
    side.messages[i].rows = rows_of(place, order);
  }
  side.packed = array;
  side.size = size;
}

}  // namespace

Index Bundle::count() const {
  Index sum = 0;
  for (Block const& block : blocks) sum += block.count;
  return sum;
}

int Cut::windows_of(layout::Pieces const& pieces) const {
  if (axis < 0 || pieces.size() != 1) return pieces.empty() ? 0 : 1;
  return static_cast<int>(std::min<Index>(windows, pieces.front().box.ranges[axis].count()));
}

Box Cut::part(Box box, int window) const {
  if (axis < 0) return box;
  Range& range = box.ranges[axis];
  Index const counts = range.count(), all = std::min<Index>(windows, counts);
  Index const first = counts * window / all, end = counts * (window + 1) / all;
  Index const lo = range.lo + first * range.step;
  range = {lo, lo + (end - first - 1) * range.step + 1, range.step};
  return box;
}

layout::Pieces packed(layout::Pieces const& first, layout::Pieces const& second, Order const& order,
                      Index offset) {
  layout::Pieces found;
  for (layout::Piece const& a : first) {
    for (layout::Piece const& b : second) {
      layout::Piece piece;
      piece.box = intersect(a.box, b.box);
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

std::vector<int> partners(layout::Pieces const& pieces, layout::Placement const& other) {
  if (pieces.size() == 1) return other.ranks_meeting(pieces.front().box);
  std::vector<int> found;
  for (layout::Piece const& piece : pieces) {
    std::vector<int> const more = other.ranks_meeting(piece.box);
    found.insert(found.end(), more.begin(), more.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Index most_partners(layout::Pieces const& pieces, layout::Placement const& other) {
  Deals const* const deals = Deals::of(other.layout);
  if (!deals) return static_cast<Index>(partners(pieces, other).size());
  Index sum = 0;
  for (layout::Piece const& piece : pieces) {
    Index ranks = 1;
    for (std::vector<Parts> const& axis : deals->meeting(other.in_layout(piece.box))) {
      Index parts = 0;
      for (Parts const& some : axis) parts += some.count;
      ranks *= parts;
    }
    sum += ranks;
  }
  return sum;
}

// Both ends list the boxes of a message alike: the outer loop is over pieces of the sender, the
// inner over pieces of the receiver.
RankMessages rank_messages(layout::Placement const& from, layout::Placement const& to, int rank,
                           Order const& box_order, Cuts const& cuts, InArray const& in_array) {
  RankMessages moves;
  layout::Pieces const held = from.pieces(rank), wanted = to.pieces(rank);
  auto const side = [&](layout::Pieces const& own, Cut const& cut, bool own_is_sent) {
    layout::Placement const& other = own_is_sent ? to : from;
    Cut const& others_cut = own_is_sent ? cuts.behind : cuts.before;
    std::vector<Partner> found;
    for (int partner : partners(own, other))
      found.push_back({partner, end_of(other.pieces(partner), others_cut)});
    End const end = end_of(own, cut);
    return SideMaker(end, own_is_sent, box_order, cuts.sorted).run(found);
  };
  moves.send = side(held, cuts.before, true);
  moves.receive = side(wanted, cuts.behind, false);
  if (in_array.send) lay_out(moves.send, held, from.memory_size(rank), box_order);
  if (in_array.receive) lay_out(moves.receive, wanted, to.memory_size(rank), box_order);
  moves.send.packed = layout::coalesce(std::move(moves.send.packed));
  moves.receive.packed = layout::coalesce(std::move(moves.receive.packed));
  return moves;
}

Index shared_points(layout::Pieces const& a, layout::Pieces const& b) {
  Index sum = 0;
  for (layout::Piece const& first : a)
    for (layout::Piece const& second : b) {
      Index points = 1;
      for (int axis = 0; points > 0 && axis < first.box.axes(); ++axis)
        points *= intersect(first.box.ranges[axis], second.box.ranges[axis]).count();
      sum += points;
    }
  return sum;
}

layout::Pieces pieces_across(layout::Placement const& mine, layout::Placement const& resting,
                             int rank, std::vector<int> const& segment) {
  layout::Pieces found;
  auto const segment_of = [&](int of) { return segment[static_cast<std::size_t>(of)]; };
  layout::Pieces const held = mine.pieces(rank);
  for (int owner : partners(held, resting)) {
    for (layout::Piece const& part : resting.pieces(owner)) {
      for (layout::Piece const& own : held) {
        layout::Piece shared = layout::restrict(part, own.box);
        if (shared.box.empty()) continue;
        shared.segment = segment_of(owner) - segment_of(rank);
        found.push_back(shared);
      }
    }
  }
  return layout::coalesce(std::move(found));
}

Groups::End Groups::end_of(layout::Placement const& placement) {
  std::optional<Deals> deals;
  if (auto const axes = placement.deals()) deals = Deals{*axes};
  return {placement, std::move(deals)};
}

Groups::Groups(layout::Placement const& from, layout::Placement const& to)
    : from_(end_of(from)),
      to_(end_of(to)),
      seen_(static_cast<std::size_t>(from.layout.ranks()), false) {}

std::vector<int> Groups::of(int rank) {
  std::vector<int> group{rank};
  seen_[static_cast<std::size_t>(rank)] = true;
  for (std::size_t next = 0; next < group.size() && group.size() < seen_.size(); ++next) {
    add_partners(group, from_.placement.pieces(group[next]), to_);
    add_partners(group, to_.placement.pieces(group[next]), from_);
  }
  std::sort(group.begin(), group.end());
  return group;
}

/// Pieces that meet the same parts have the same partners, which are looked up only once.
void Groups::add_partners(std::vector<int>& group, layout::Pieces const& pieces, End& other) {
  auto const add = [&](int partner) {
    seen_[static_cast<std::size_t>(partner)] = true;
    group.push_back(partner);
  };
  if (other.deals) {
    for (layout::Piece const& piece : pieces) {
      auto const [met, is_new] = other.met.insert(other.deals->meeting(piece.box));
      if (!is_new) continue;
      for (int partner : other.deals->ranks(*met))
        if (!knows(partner)) add(partner);
    }
    return;
  }
  for (int partner : partners(pieces, other.placement))
    if (!knows(partner) && shared_points(pieces, other.placement.pieces(partner)) > 0) add(partner);
}

std::vector<int> group_of(layout::Placement const& from, layout::Placement const& to, int rank) {
  return Groups(from, to).of(rank);
}

}  // namespace sixstep::redistribution
