// SPDX-License-Identifier: BSD-3-Clause
// The steps of one rank: sweeps between moves, and the stops where the array is between them.
#include "plan/steps.hpp"

#include <algorithm>

#include "exchange/by_nodes.hpp"
#include "plan/match.hpp"
#include "plan/sweeper.hpp"

namespace sixstep::plan {

namespace {

using exchange::Piece;

/// The Ffts between two exchanges, at one placement; an r2c among them leads to another.
struct Segment {
  Placement here;
  Number number;
  std::vector<Pass> passes = {};  // axis, kind, numbers and twiddle only
  Placement there = here;
  Number number_there = number;
};

void append(Segment& segment, Fft const& fft, Schedule const& schedule) {
  Pass pass;
  pass.axis = fft.axis;
  pass.kind = fft.kind;
  pass.source_number = segment.number_there;
  if (fft.kind == Kind::r2c) {
    segment.number_there = other(segment.number_there);
    segment.there =
        segment.there.with_extent(fft.axis, schedule.extent(fft.axis, segment.number_there));
  }
  pass.target_number = segment.number_there;
  segment.passes.push_back(pass);
}

std::vector<Segment> segments(Schedule const& schedule) {
  std::vector<Segment> found{{schedule.input, schedule.input_number}};
  for (Stage const& stage : schedule.stages) {
    std::vector<Pass>& passes = found.back().passes;
    std::visit(match{[&](Fft const& fft) { append(found.back(), fft, schedule); },
                     [&](Twiddle const& twiddle) {
                       // The schedule puts it right behind an Fft along one of its axes.
                       Pass& pass = passes.back();
                       pass.twiddle_axis = pass.axis == twiddle.axis ? twiddle.other : twiddle.axis;
                       pass.twiddle_period =
                           schedule.shape[twiddle.axis] * schedule.shape[twiddle.other];
                     },
                     [&](Exchange const& exchange) {
                       found.push_back({exchange.to, found.back().number_there});
                     }},
               stage);
  }
  return found;
}

/// The working axes in the order in which a placement's local arrays lie in memory.
Order memory_order(Placement const& placement) {
  Order order;
  for (int axis : placement.layout.order())
    for (int digit : placement.view.digits[axis]) order.push_back(digit);
  return order;
}

/// The box of a rank's piece; of several, the box around them.
Box local_box(Pieces const& pieces, int axes) {
  Box box;
  box.ranges = PerAxis<Range>(axes, Range{});
  if (!pieces.empty()) box = pieces[0].box;
  for (std::size_t i = 1; i < pieces.size(); ++i)
    for (int axis = 0; axis < axes; ++axis) {
      Range const& range = pieces[i].box.ranges[axis];
      Range& around = box.ranges[axis];
      around = {std::min(around.lo, range.lo), std::max(around.hi, range.hi), 1};
    }
  return box;
}

/// How many elements a list of pieces reaches over.
Index reach(Pieces const& pieces) {
  Index most = 0;
  for (Piece const& piece : pieces) {
    Index last = piece.offset;
    for (int axis = 0; axis < piece.box.axes(); ++axis)
      last += (piece.box.ranges[axis].count() - 1) * piece.strides[axis];
    most = std::max(most, last + 1);
  }
  return most;
}

/// Makes the steps of one rank.
class StepMaker {
 public:
  StepMaker(Schedule const& schedule, int rank, Transfers const& transfers, Limits const& limits,
            Arrays const& arrays, Block const* block)
      : schedule_(schedule),
        rank_(rank),
        transfers_(transfers),
        limits_(limits),
        arrays_(arrays),
        block_(block),
        parts_(segments(schedule)) {}

  Steps run() {
    Pieces source = ends(schedule_.input);
    made_.stops.push_back(stop_at_end(schedule_.input, schedule_.input_number));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      bool const is_final = i + 1 == parts_.size();
      Redistribution const moves = is_final ? Redistribution{} : moves_of(i);
      append_sweeps(i, source, is_final ? ends(schedule_.output) : moves.send.packed,
                    is_final ? stop_at_end(schedule_.output, schedule_.output_number)
                             : stop_before(i, moves));
      if (is_final) break;
      source = moves.receive.packed;
      append_move(i, moves);
    }
    return std::move(made_);
  }

 private:
  using Redistribution = exchange::Redistribution;

  /// Of the user's array; of a block of it nothing else may be touched.
  Pieces ends(Placement const& placement) const {
    return block_ ? block_->pieces(rank_) : placement.pieces(rank_);
  }
  Stop stop_at_end(Placement const& placement, Number number) const {
    Stop end = stop(placement, number);
    if (block_) end.fits_output = true;
    return end;
  }

  Stop stop(Index reals) const {
    return {reals,
            0,
            !block_ && reals <= input_reals(rank_),
            !block_ && reals <= output_reals(rank_),
            {}};
  }
  Stop stop(Placement const& placement, Number number) const {
    return stop(placement.memory_size(rank_) * reals_of(number));
  }
  Index input_reals(int rank) const {
    return schedule_.input.memory_size(rank) * reals_of(schedule_.input_number);
  }
  Index output_reals(int rank) const {
    Index const output = schedule_.output.memory_size(rank) * reals_of(schedule_.output_number);
    return arrays_.in_place ? std::max(output, input_reals(rank)) : output;
  }

  /// What is packed into messages, and out of them; or where things are while they rest.
  Redistribution moves_of(std::size_t i) const {
    Segment const &part = parts_[i], &next = parts_[i + 1];
    Transfer const& transfer = transfers_[i];
    bool const as_received = transfer.packing == Transfer::Packing::as_received;
    Order const order = memory_order(as_received ? next.here : part.there);
    if (transfer.way == Way::messages) return redistribution(part.there, next.here, rank_, order);
    exchange::Segments const among{limits_.segment,
                                   limits_.segment_bytes / schedule_.bytes_of(part.number_there)};
    if (transfer.way == Way::by_nodes)
      return exchange::by_nodes(part.there, next.here, rank_, order, {limits_.node, among});
    Redistribution moves;
    moves.send.packed = pieces_across(part.there, *transfers_[i].resting, rank_, among);
    moves.receive.packed = pieces_across(next.here, *transfers_[i].resting, rank_, among);
    return moves;
  }

  Stop stop_before(std::size_t i, Redistribution const& moves) const {
    Number const number = parts_[i].number_there;
    if (transfers_[i].way == Way::messages) return stop(moves.send.size * reals_of(number));
    if (transfers_[i].way == Way::by_nodes)
      return {.reals = moves.send.size * reals_of(number),
              .fits_input = false,
              .fits_output = false,
              .buffer = transfers_[i].buffer};
    Placement const& resting = *transfers_[i].resting;
    Stop rest = stop(resting, number);
    rest.buffer = transfers_[i].buffer;
    rest.padding = rest.reals - resting.layout.local_size(rank_) * reals_of(number);
    rest.fits_input = arrays_.in_segments && fits(resting, number, &StepMaker::input_reals);
    rest.fits_output = arrays_.in_segments && fits(resting, number, &StepMaker::output_reals);
    return rest;
  }

  bool fits(Placement const& resting, Number number,
            Index (StepMaker::*capacity)(int) const) const {
    for (int rank = 0; rank < resting.layout.ranks(); ++rank)
      if (resting.memory_size(rank) * reals_of(number) > (this->*capacity)(rank)) return false;
    return true;
  }

  void append_move(std::size_t i, Redistribution const& moves) {
    Number const number = parts_[i].number_there;
    Transfer const& transfer = transfers_[i];
    made_.stops.push_back(transfer.way == Way::messages
                              ? stop(moves.receive.size * reals_of(number))
                              : made_.stops.back());
    made_.ends.push_back(false);
    made_.on_the_spot.push_back(false);
    made_.abroad.push_back(false);
    made_.steps.emplace_back(Move{number, parts_[i].there, parts_[i + 1].here, transfer.way, moves,
                                  transfer.resting, i});
  }

  /// Whether the array lies in common memory before and behind segment i; and if it rests there,
  /// how.
  bool shared_before(std::size_t i) const {
    return i > 0 && transfers_[i - 1].way != Way::messages;
  }
  bool shared_behind(std::size_t i) const {
    return i < transfers_.size() && transfers_[i].way != Way::messages;
  }
  Placement const* rest_before(std::size_t i) const {
    return i > 0 && transfers_[i - 1].resting ? &*transfers_[i - 1].resting : nullptr;
  }
  Placement const* rest_behind(std::size_t i) const {
    return i < transfers_.size() && transfers_[i].resting ? &*transfers_[i].resting : nullptr;
  }

  /// Whether segment i begins and ends with every element in the same place: next to a rest, on all
  /// ranks.
  bool stays(std::size_t i, Pieces const& source, Pieces const& target) const {
    bool const is_first = i == 0, is_final = i + 1 == parts_.size();
    Placement const *before = rest_before(i), *behind = rest_behind(i);
    if (!shared_before(i) && !shared_behind(i))
      return same_places(source, target) && !(is_first && is_final);
    if ((is_first || is_final) && !arrays_.in_segments) return false;
    if (is_first) before = &schedule_.input;
    if (is_final) behind = &schedule_.output;
    return before && behind && *before == *behind;
  }

  /// Appends the sweeps that lead through segment i from `source` to `target`.
  void append_sweeps(std::size_t i, Pieces const& source, Pieces const& target, Stop const& end) {
    Segment const& part = parts_[i];
    if (part.passes.empty() && stays(i, source, target)) {
      Stop& here = made_.stops.back();
      if (end.buffer) here.buffer = end.buffer;
      here.fits_input = here.fits_input && end.fits_input;
      // A message may be a block as it lies in the array.
      here.fits_output =
          block_ ? here.fits_output || end.fits_output : here.fits_output && end.fits_output;
      return;
    }
    int const axes = schedule_.shape.size();
    Pieces const here = part.here.pieces(rank_), there = part.there.pieces(rank_);
    // Between sweeps the array stays where it was or goes where it will be, if it is in one piece
    // and not in the memory of others.
    bool const is_final = i + 1 == parts_.size();
    bool const next_to_shared = shared_before(i) || shared_behind(i);
    Placement const* const first = i == 0 ? &schedule_.input : rest_before(i);
    Placement const* const last = is_final ? &schedule_.output : rest_behind(i);
    // Reals and complex numbers never lie in the same places, even where there are as many.
    bool const on_the_spot =
        next_to_shared && part.number == part.number_there && first && last && *first == *last;
    bool const goes_abroad =
        shared_behind(i) && !(rest_behind(i) && same_owners(*rest_behind(i), part.there));
    bool const keeps = source.size() == 1 && !shared_before(i) && !block_;
    bool const comes = target.size() == 1 && !goes_abroad && !block_;
    Stretch const stretch{{local_box(here, axes), part.number, keeps ? source : here},
                          {local_box(there, axes), part.number_there, comes ? target : there},
                          memory_order(part.here),
                          schedule_.real_bytes};
    std::vector<Sweep> sweeps = make_sweeps(stretch, part.passes, source, target, limits_);
    for (Sweep& sweep : sweeps) {
      Pass const& pass = sweep.passes.back();
      bool const ends = &sweep == &sweeps.back();
      made_.stops.push_back(ends ? end : stop(reach(pass.target) * reals_of(pass.target_number)));
      made_.ends.push_back(ends && next_to_shared);
      made_.on_the_spot.push_back(ends && on_the_spot);
      made_.abroad.push_back(ends && goes_abroad);
      made_.steps.emplace_back(std::move(sweep));
    }
  }

  Schedule const& schedule_;
  int rank_;
  Transfers const& transfers_;
  Limits const& limits_;
  Arrays arrays_;
  Block const* block_;
  std::vector<Segment> parts_;
  Steps made_;
};

}  // namespace

bool same_owners(Placement const& a, Placement const& b) {
  Order const order = c_order(a.layout.axes());
  return a.view == b.view && a.layout.with_order(order) == b.layout.with_order(order);
}

Steps make_steps(Schedule const& schedule, int rank, Transfers const& transfers,
                 Limits const& limits, Arrays const& arrays, Block const* block) {
  return StepMaker(schedule, rank, transfers, limits, arrays, block).run();
}

}  // namespace sixstep::plan
