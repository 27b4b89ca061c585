// SPDX-License-Identifier: BSD-3-Clause
// Makes drafts: sweeps between moves, and stops that say where the array is between them.
#include "program/draft.hpp"

#include <algorithm>
#include <utility>

#include "base/match.hpp"
#include "program/flow.hpp"
#include "program/legs.hpp"
#include "program/sweeper.hpp"

namespace sixstep::program {

namespace {

/// Says which buffers can hold the array of one rank at some point of a program.
class Stops {
 public:
  Stops(ToCompile const& given, int rank)
      : schedule_(given.schedule),
        arrays_(given.arrays),
        excerpt_(given.excerpt),
        rank_(rank),
        most_in_input_(input_reals(rank)),
        most_in_output_(output_reals(rank)) {}

  /// A stop at the array that the user gives or gets. Nothing outside an excerpt may be touched.
  Stop at_end(layout::Placement const& placement) const {
    Stop end = at(placement.reals(rank_), &placement);
    if (excerpt_) end.fits_output = true;
    return end;
  }

  /// A stop where the array takes `reals`, or lies as the placement `as` has it.
  Stop at(Index reals, layout::Placement const* as = nullptr) const {
    bool const in_input = input_has_gaps() ? is_input(as) : reals <= most_in_input_;
    bool const in_output =
        output_has_gaps() ? is_output(as) : reals <= most_in_output_ || is_output(as);
    return {.reals = reals,
            .fits_input = !excerpt_ && (reals == 0 || in_input),
            .fits_output = !excerpt_ && (reals == 0 || in_output)};
  }
  /// In arrays with gaps nothing else may be touched.
  bool input_has_gaps() const { return schedule_.input.has_gaps(); }
  bool output_has_gaps() const { return schedule_.output.has_gaps(); }
  /// The user's placement that has the rank's elements at `pieces`, or null.
  layout::Placement const* users_placement(layout::Pieces const& pieces,
                                           layout::Number number) const {
    for (layout::Placement const* end : {&schedule_.output, &schedule_.input})
      if (end->has_gaps() && end->number == number && end->pieces(rank_) == pieces) return end;
    return nullptr;
  }
  /// A stop where the array of all ranks rests in common memory.
  Stop at_rest(layout::Placement const& resting, std::optional<Buffer> const& buffer) const {
    Index const points = resting.layout.local_size(rank_) * layout::reals_of(resting.number);
    return {
        .reals = resting.reals(rank_),
        .padding = resting.reals(rank_) - points,
        .fits_input = arrays_.in_segments &&
                      (input_has_gaps() ? is_input(&resting) : fits(resting, &Stops::input_reals)),
        .fits_output =
            arrays_.in_segments &&
            (output_has_gaps() ? is_output(&resting) : fits(resting, &Stops::output_reals)),
        .buffer = buffer};
  }

 private:
  bool is_input(layout::Placement const* as) const { return as && *as == schedule_.input; }
  bool is_output(layout::Placement const* as) const {
    return as && (*as == schedule_.output || (arrays_.in_place && *as == schedule_.input));
  }
  Index input_reals(int rank) const { return schedule_.input.reals(rank); }
  Index output_reals(int rank) const {
    Index const output = schedule_.output.reals(rank);
    bool const in_gaps = !schedule_.input.own_strides.empty();  // of the caller's input
    return arrays_.in_place && !in_gaps ? std::max(output, input_reals(rank)) : output;
  }
  bool fits(layout::Placement const& resting, Index (Stops::*capacity)(int) const) const {
    for (int rank = 0; rank < resting.layout.ranks(); ++rank)
      if (resting.reals(rank) > (this->*capacity)(rank)) return false;
    return true;
  }

  schedule::Schedule const& schedule_;
  Arrays const& arrays_;
  Excerpt const* excerpt_;
  int rank_;
  Index most_in_input_;  // reals on this rank
  Index most_in_output_;
};

/// Where the array lies in common memory next to the legs.
class Rests {
 public:
  explicit Rests(std::vector<Way> const& ways) : ways_(ways) {}

  /// Whether the array lies in common memory before or behind leg i, and the placement in which it
  /// rests there, or null.
  bool is_shared_before(std::size_t i) const {
    return i > 0 && ways_[i - 1].medium != redistribution::Medium::messages;
  }
  bool is_shared_behind(std::size_t i) const {
    return i < ways_.size() && ways_[i].medium != redistribution::Medium::messages;
  }
  layout::Placement const* before(std::size_t i) const {
    return i > 0 && ways_[i - 1].resting ? &*ways_[i - 1].resting : nullptr;
  }
  layout::Placement const* behind(std::size_t i) const {
    return i < ways_.size() && ways_[i].resting ? &*ways_[i].resting : nullptr;
  }

 private:
  std::vector<Way> const& ways_;
};

/// Makes the moves of the exchanges.
class Moves {
 public:
  Moves(ToCompile const& given, int rank, std::vector<Way> const& ways,
        std::vector<Leg> const& legs)
      : given_(given), rank_(rank), ways_(ways), legs_(legs) {}

  /// The pieces that are packed into messages and unpacked from them, or those where the array
  /// rests.
  Made::Moves of(std::size_t i) const {
    return given_.made->moves(moving(i), [&] { return make(i, moving(i).way); });
  }

  Made::Moving moving(std::size_t i) const {
    Way way = ways_[i];
    way.buffer.reset();
    if (memory_order(legs_[i].there) == memory_order(legs_[i + 1].here))
      way.packing = Way::Packing::as_received;
    return {rank_, i, given_.limits.exchange_windows, way};
  }

  /// Orders alternate: the windows of a sweep are those of the receivers of the exchange before it
  /// and of the senders of the next, so it writes where messages of the same window have left.
  redistribution::Cuts cuts(std::size_t i) const {
    using redistribution::Sorted;
    return {legs_[i].cut, legs_[i + 1].cut,
            ways_[i].by_rank ? Sorted::by_rank
            : i % 2 == 1     ? Sorted::by_sender
                             : Sorted::by_receiver};
  }

 private:
  redistribution::RankMessages make(std::size_t i, Way const& way) const {
    layout::Placement const &from = legs_[i].there, &to = legs_[i + 1].here;
    Order const order = memory_order(way.packing == Way::Packing::as_sent ? from : to);
    switch (way.medium) {
      case redistribution::Medium::messages:
        return redistribution::rank_messages(from, to, rank_, order, cuts(i), way.in_array);
      case redistribution::Medium::by_nodes:
        return redistribution::by_nodes({from, to}, rank_, order, given_.limits.nodes,
                                        given_.schedule.bytes_of(from.number));
      case redistribution::Medium::in_memory:
        break;
    }
    redistribution::RankMessages moves;
    moves.send.packed =
        redistribution::pieces_across(from, *way.resting, rank_, given_.limits.nodes.segment);
    moves.receive.packed =
        redistribution::pieces_across(to, *way.resting, rank_, given_.limits.nodes.segment);
    return moves;
  }

  ToCompile const& given_;
  int rank_;
  std::vector<Way> const& ways_;
  std::vector<Leg> const& legs_;
};

/// Makes the draft of one rank.
class DraftMaker {
 public:
  DraftMaker(ToCompile const& given, int rank, std::vector<Way> const& ways, bool packs_input)
      : given_(given),
        schedule_(given.schedule),
        arrays_(given.arrays),
        excerpt_(given.excerpt),
        rank_(rank),
        ways_(ways),
        packs_input_(packs_input),
        legs_(given.made->legs(given.schedule)),
        stops_(given, rank),
        rests_(ways),
        moves_(given, rank, ways, legs_) {
    for (Leg& leg : legs_) leg.cut = cut_of(leg, given.limits.exchange_windows);
  }

  Draft run() {
    layout::Pieces source = pieces_of_users(schedule_.input);
    made_.stops.push_back(stops_.at_end(schedule_.input));
    if (packs_input_) source = append_packing(source);
    for (std::size_t i = 0; i < legs_.size(); ++i) {
      bool const is_final = i + 1 == legs_.size();
      Made::Moves const moves = is_final ? nullptr : moves_.of(i);
      append_sweeps(i, source, is_final ? pieces_of_users(schedule_.output) : moves->send.packed,
                    is_final ? stops_.at_end(schedule_.output) : stop_before(i, *moves));
      if (is_final) break;
      source = moves->receive.packed;
      append_move(i, moves);
    }
    if (given_.limits.exchange_windows > 1) find_waits();
    return std::move(made_);
  }

 private:
  /// Appends a sweep that copies the input to a dense array, and returns the pieces of that.
  Pieces append_packing(layout::Pieces const& source) {
    Leg& leg = legs_.front();
    leg.here = leg.here.dense();
    layout::Pieces const packed = leg.here.pieces(rank_);
    LocalLeg::End const end{local_box(packed, schedule_.shape.size()), leg.here.number, packed};
    LocalLeg const local{{end, end}, memory_order(leg.here), schedule_.real_bytes};
    for (Sweep& sweep : make_sweeps(local, {}, source, packed, given_.limits)) {
      made_.stops.push_back(stops_.at(leg.here.reals(rank_)));
      made_.steps.push_back({std::move(sweep)});
    }
    return packed;
  }

  /// The pieces of the user's array, or those of an excerpt of it.
  Pieces pieces_of_users(layout::Placement const& placement) const {
    return excerpt_ ? excerpt_->pieces(rank_) : placement.pieces(rank_);
  }

  Stop stop_before(std::size_t i, redistribution::RankMessages const& moves) const {
    Way const& way = ways_[i];
    Index const packed = moves.send.size * layout::reals_of(legs_[i].there.number);
    switch (way.medium) {
      case redistribution::Medium::messages:
        return stops_.at(packed, way.in_array.send ? &legs_[i].there : nullptr);
      case redistribution::Medium::by_nodes:
        return {.reals = packed, .fits_input = false, .fits_output = false, .buffer = way.buffer};
      case redistribution::Medium::in_memory:
        break;
    }
    return stops_.at_rest(*way.resting, way.buffer);
  }

  void append_move(std::size_t i, Made::Moves const& moves) {
    Move move{legs_[i].there, legs_[i + 1].here, ways_[i], moves_.cuts(i), moves, i};
    Wire const& wire = given_.limits.wire;
    if (wire.form.shortens() && move.way.medium != redistribution::Medium::in_memory) {
      move.form = wire.form;
      move.near = wire.near(rank_);
    }
    made_.stops.push_back(move.way.medium == redistribution::Medium::messages
                              ? stops_.at(moves->receive.size * layout::reals_of(move.number()),
                                          move.way.in_array.receive ? &legs_[i + 1].here : nullptr)
                              : made_.stops.back());
    made_.steps.push_back({std::move(move)});
  }

  void find_waits() {
    auto const beyond = [&](std::size_t exchange) {
      return exchange < ways_.size() ? std::optional(moves_.moving(exchange).way) : std::nullopt;
    };
    auto const made = [&](Move const& move, bool is_before, auto const& make) {
      std::size_t const i = move.exchange;
      return given_.made->waits({moves_.moving(i), beyond(is_before ? i - 1 : i + 1), is_before,
                                 given_.limits.last_cache_bytes},
                                make);
    };
    for (std::size_t i = 1; i < made_.steps.size(); ++i) {
      auto const waits =
          match{[&](Sweep const& before, Move const& next) {
                  return made(next, true, [&] { return Index{quarters_waited(before, next)}; });
                },
                [&](Move const& before, Sweep const& next) {
                  return made(before, false, [&] { return Index{quarters_waited(before, next)}; });
                },
                [](auto const&, auto const&) { return Index{0}; }};
      made_.steps[i].waits = std::visit(waits, made_.steps[i - 1].work, made_.steps[i].work);
    }
  }

  /// Whether leg i begins and ends with every element in the same place; on all ranks if it is next
  /// to a rest.
  bool stays(std::size_t i, layout::Pieces const& source, layout::Pieces const& target) const {
    bool const is_first = i == 0, is_final = i + 1 == legs_.size();
    if (!rests_.is_shared_before(i) && !rests_.is_shared_behind(i))
      return layout::same_places(source, target) && !(is_first && is_final);
    if ((is_first || is_final) && !arrays_.in_segments) return false;
    layout::Placement const* const before = is_first ? &schedule_.input : rests_.before(i);
    layout::Placement const* const behind = is_final ? &schedule_.output : rests_.behind(i);
    return before && behind && *before == *behind;
  }

  /// Joins two stops when the array is already in place. One of the two may know that the array
  /// lies as in the user's array with ghosts, or as in the array of an excerpt.
  void join_stops(Stop const& end) {
    Stop& here = made_.stops.back();
    auto const join = [](bool a, bool b, bool one_does) { return one_does ? a || b : a && b; };
    if (end.buffer) here.buffer = end.buffer;
    here.fits_input = join(here.fits_input, end.fits_input, stops_.input_has_gaps());
    here.fits_output =
        join(here.fits_output, end.fits_output, excerpt_ || stops_.output_has_gaps());
  }

  /// Appends the sweeps that lead through leg i from `source` to `target`.
  void append_sweeps(std::size_t i, layout::Pieces const& source, layout::Pieces const& target,
                     Stop const& end) {
    Leg const& leg = legs_[i];
    if (leg.passes.empty() && stays(i, source, target)) return join_stops(end);
    int const axes = schedule_.shape.size();
    // The caller's strides are left out: work arrays would have their gaps.
    Pieces const here = (leg.here.own_strides.empty() ? leg.here : leg.here.dense()).pieces(rank_);
    layout::Pieces const there = leg.there.pieces(rank_);
    // Between sweeps the array stays in its source or already goes to its target, if that is one
    // piece and not in the memory of other ranks.
    bool const is_final = i + 1 == legs_.size();
    bool const next_to_shared = rests_.is_shared_before(i) || rests_.is_shared_behind(i);
    layout::Placement const* const first = i == 0 ? &schedule_.input : rests_.before(i);
    layout::Placement const* const last = is_final ? &schedule_.output : rests_.behind(i);
    bool const on_the_spot = next_to_shared && first && last && *first == *last;
    bool const goes_abroad = rests_.is_shared_behind(i) &&
                             !(rests_.behind(i) && same_owners(*rests_.behind(i), leg.there));
    bool const has_gaps = is_final && !schedule_.output.own_strides.empty();
    bool const keeps = source.size() == 1 && !rests_.is_shared_before(i) && !excerpt_ &&
                       leg.here.own_strides.empty();
    bool const comes = target.size() == 1 && !goes_abroad && !excerpt_ && !has_gaps;
    LocalLeg local{{},
                   memory_order(leg.here),
                   schedule_.real_bytes,
                   schedule::untransformed(schedule_),
                   here.size() == 1 ? leg.cut : redistribution::Cut{}};  // as in the exchanges
    auto const add = [&](layout::Placement const& at) {
      bool const is_here = leg.here.holds_alike(at), is_there = leg.there.holds_alike(at);
      layout::Pieces const pieces = is_here ? here : is_there ? there : at.pieces(rank_);
      bool const in_source = is_here && keeps, in_target = !is_here && is_there && comes;
      local.ends.push_back({local_box(pieces, axes), at.number,
                            in_source   ? source
                            : in_target ? target
                                        : pieces});
    };
    if (leg.passes.empty()) add(leg.here);
    for (layout::Placement const& at : leg.before) add(at);
    add(leg.there);
    std::vector<Sweep> sweeps = make_sweeps(local, leg.passes, source, target, given_.limits);
    for (Sweep& sweep : sweeps) {
      bool const ends = &sweep == &sweeps.back();
      Pass const& pass = sweep.passes.back();
      made_.stops.push_back(
          ends ? end
               : stops_.at(reach(pass.target) * layout::reals_of(pass.target_number),
                           stops_.users_placement(pass.target, pass.target_number)));
      made_.steps.push_back(
          {std::move(sweep), ends && next_to_shared, ends && on_the_spot, ends && goes_abroad});
    }
  }

  ToCompile const& given_;
  schedule::Schedule const& schedule_;
  Arrays const& arrays_;
  Excerpt const* excerpt_;
  int rank_;
  std::vector<Way> const& ways_;
  bool packs_input_;
  std::vector<Leg> legs_;
  Stops stops_;
  Rests rests_;
  Moves moves_;
  Draft made_;
};

}  // namespace

layout::Pieces Excerpt::pieces(int rank) const {
  layout::Pieces found;
  for (layout::Piece const& piece : array.pieces(rank)) {
    Box region = piece.box;
    region.ranges[window.axis] = {window.lo, window.hi, 1};
    layout::Piece part = layout::restrict(piece, region);
    part.box.ranges[window.axis] = {0, window.count(), 1};
    found.push_back(part);
  }
  return found;
}

Index Draft::sweeps() const {
  return std::count_if(steps.begin(), steps.end(), [](DraftStep const& step) {
    return std::holds_alternative<Sweep>(step.work);
  });
}

bool same_owners(layout::Placement const& a, layout::Placement const& b) {
  Order const order = c_order(a.layout.axes());
  return a.view == b.view &&
         a.layout.dense().with_order(order) == b.layout.dense().with_order(order);
}

Draft make_draft(ToCompile const& given, int rank, std::vector<Way> const& ways, bool packs_input) {
  return DraftMaker(given, rank, ways, packs_input).run();
}

}  // namespace sixstep::program
