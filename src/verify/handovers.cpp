// SPDX-License-Identifier: BSD-3-Clause
// Handovers: finds the sweeps around each move, and cuts their pieces into parcels.
#include "verify/handovers.hpp"

#include <map>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep::verify {

namespace {

using layout::Piece;
using layout::Pieces;
using program::Buffer;
using program::Move;
using program::Sweep;

Index volume_of(Pieces const& pieces) {
  Index all = 0;
  for (Piece const& piece : pieces) all += piece.box.volume();
  return all;
}

/// Cuts pieces where the parts of other ranks begin and end.
std::vector<Parcel> parcels_of(Pieces const& pieces, layout::Placement const& others) {
  std::map<int, std::pair<Pieces, Pieces>>
      found;  // of each rank: all that it holds, and its parcel
  for (Piece const& piece : pieces)
    for (int rank : others.ranks_meeting(piece.box)) {
      auto const [place, is_new] = found.try_emplace(rank);
      auto& [held, parcel] = place->second;
      if (is_new) held = others.pieces(rank);
      for (Piece const& theirs : held) {
        Piece const part = layout::restrict(piece, theirs.box);
        if (!part.box.empty()) parcel.push_back(part);
      }
    }
  std::vector<Parcel> parcels;
  Index elements = 0;
  for (auto& [rank, both] : found) {
    if (both.second.empty()) continue;
    elements += volume_of(both.second);
    parcels.push_back({rank, std::move(both.second)});
  }
  require_internal(elements == volume_of(pieces), "parcels have ", elements, " elements of ",
                   volume_of(pieces));
  return parcels;
}

Box whole_box(Shape const& shape) {
  Box box;
  for (Index extent : shape) box.ranges.push_back({0, extent, 1});
  return box;
}

/// Whether all elements lie in this rank's segment of the node's memory.
bool is_own(std::vector<Parcel> const& parcels) {
  for (Parcel const& parcel : parcels)
    for (Piece const& piece : parcel.pieces)
      if (piece.segment != 0) return false;
  return true;
}

class Finder {
 public:
  Finder(program::Program const& program, int rank) : program_(program), rank_(rank) {}

  std::vector<Handover> run() const {
    std::vector<Handover> found;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (is_move(i)) {
        std::size_t const first = i;
        i = last_of_stay(first);
        found.push_back(of_moves(first, i));
      } else if (auto const rest = of_rest(i)) {
        found.push_back(*rest);
      }
    }
    return found;
  }

 private:
  /// The sweep before a step or behind it, past meetings.
  std::optional<std::size_t> neighbour(std::size_t step, bool before) const {
    auto const count = static_cast<std::ptrdiff_t>(program_.steps.size());
    std::ptrdiff_t const by = before ? -1 : 1;
    for (auto i = static_cast<std::ptrdiff_t>(step) + by; i >= 0 && i < count; i += by) {
      auto const number = static_cast<std::size_t>(i);
      auto const& work = program_.steps[number].work;
      if (std::holds_alternative<Sweep>(work)) return number;
      if (std::holds_alternative<Move>(work)) break;
    }
    return std::nullopt;
  }

  Sweep const& sweep(std::size_t step) const { return std::get<Sweep>(program_.steps[step].work); }
  bool is_move(std::size_t step) const {
    return std::holds_alternative<Move>(program_.steps[step].work);
  }
  Move const& move(std::size_t step) const { return std::get<Move>(program_.steps[step].work); }
  bool goes_by_messages(std::size_t step) const {
    return move(step).way.medium == redistribution::Medium::messages;
  }

  /// The last of the moves that follow each other without a sweep, and find and leave the array in
  /// memory that ranks share: only the first one's writer and the last one's reader touch it.
  std::size_t last_of_stay(std::size_t first) const {
    std::size_t last = first;
    if (goes_by_messages(first)) return last;
    for (std::size_t i = first + 1; i < program_.steps.size(); ++i) {
      if (std::holds_alternative<program::Meeting>(program_.steps[i].work)) continue;
      if (!is_move(i) || goes_by_messages(i)) break;
      last = i;
    }
    return last;
  }
  Buffer array(Buffer buffer) const {
    return program_.arrays.in_place && buffer == Buffer::input ? Buffer::output : buffer;
  }
  bool is_same(Buffer one, Buffer other) const { return array(one) == array(other); }

  /// Whether a sweep reads or writes the elements of a move. In memory that ranks share, nothing
  /// but the move lies in its buffer.
  bool meets(Move const& move, Pieces const& of_sweep, Pieces const& of_move) const {
    return move.way.medium != redistribution::Medium::messages ||
           layout::same_places(of_sweep, of_move);
  }

  Handover of_moves(std::size_t first_step, std::size_t last_step) const {
    Move const &first = move(first_step), &last = move(last_step);
    Buffer const source = program_.steps[first_step].source;
    Buffer const target = program_.steps[last_step].target;
    Box const whole = whole_box(first.from.view.shape);
    Pieces sent = first.moves->send.packed, received = last.moves->receive.packed;
    Handover made{first_step,
                  true,
                  first.number(),
                  {{}, source, whole, {}},
                  {{}, target, whole, {}},
                  !first.form.shortens()};
    if (auto const before = neighbour(first_step, true)) {
      program::Pass const& pass = sweep(*before).passes.back();
      if (is_same(program_.steps[*before].target, source) && meets(first, pass.target, sent)) {
        made.written.sweep = before;
        made.written.box = pass.target_box;
        sent = pass.target;
      }
    }
    if (auto const behind = neighbour(last_step, false)) {
      program::Pass const& pass = sweep(*behind).passes.front();
      if (is_same(program_.steps[*behind].source, target) && meets(last, pass.source, received)) {
        made.read.sweep = behind;
        made.read.box = pass.box;
        received = pass.source;
      }
    }
    made.written.parcels = parcels_of(sent, last.to);
    made.read.parcels = parcels_of(received, first.from);
    return made;
  }

  /// The elements that stay in memory from the sweep before to this one, if it reads just these.
  std::optional<Handover> of_rest(std::size_t step) const {
    if (!std::holds_alternative<Sweep>(program_.steps[step].work)) return std::nullopt;
    std::optional<std::size_t> const before = neighbour(step, true);
    if (!before) return std::nullopt;
    program::Pass const &writes = sweep(*before).passes.back(), &reads = sweep(step).passes.front();
    Buffer const buffer = program_.steps[step].source;
    if (!is_same(program_.steps[*before].target, buffer) || !(writes.target_box == reads.box) ||
        !layout::same_places(writes.target, reads.source))
      return std::nullopt;
    return Handover{step,
                    false,
                    reads.source_number,
                    {before, buffer, writes.target_box, {{rank_, writes.target}}},
                    {step, buffer, reads.box, {{rank_, reads.source}}}};
  }

  program::Program const& program_;
  int rank_;
};

}  // namespace

std::vector<Handover> handovers_of(program::Program const& program, int rank) {
  std::vector<Handover> const found = Finder(program, rank).run();
  for (Handover const& handover : found)
    for (HandoverEnd const* end : {&handover.written, &handover.read})
      require_internal(end->sweep || is_own(end->parcels),
                       "a move begins or ends in the memory of another rank");
  return found;
}

Handover whole_handover(layout::Placement const& from, layout::Placement const& to, int rank) {
  Box const whole = whole_box(from.view.shape);
  return {0,
          true,
          from.number,
          {{}, Buffer::input, whole, parcels_of(from.pieces(rank), to)},
          {{}, Buffer::output, whole, parcels_of(to.pieces(rank), from)}};
}

bool moves_twice(std::vector<Handover> const& handovers, program::Program const& program) {
  for (Handover const& handover : handovers) {
    if (!handover.moves) continue;
    if (!handover.written.sweep && handover.step > 0) return true;
    if (!handover.read.sweep && handover.step + 1 < program.steps.size()) return true;
  }
  return false;
}

}  // namespace sixstep::verify
