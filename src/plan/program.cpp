// SPDX-License-Identifier: BSD-3-Clause
// Programs: from stages to sweeps, moves and buffers.
#include "plan/program.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "exchange/by_nodes.hpp"
#include "plan/match.hpp"

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

// Sweeps.

/// A rank's part at one end of a segment.
struct End {
  Box box;
  Number number;
  Pieces between;  // where it lies between two sweeps
};

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

/// Splits the passes of one segment into sweeps: as many passes together as leave an axis untouched
/// along which the box falls into windows that fit the cache.
class Sweeper {
 public:
  Sweeper(End const& here, End const& there, Order const& order, int real_bytes,
          Limits const& limits)
      : here_(here), there_(there), order_(order), real_bytes_(real_bytes), limits_(limits) {}

  std::vector<Sweep> run(std::vector<Pass> passes, Pieces const& source,
                         Pieces const& target) const {
    std::vector<Sweep> sweeps;
    auto const middle = [&](Number number) { return end_of(number).between; };
    for (std::size_t first = 0; first < passes.size();) {
      Sweep sweep;
      std::size_t last = first + 1;
      sweep.window_axis = window_axis(passes, first, last);
      while (last < passes.size()) {
        int const axis = window_axis(passes, first, last + 1);
        if (axis < 0) break;
        Index const least = least_window(axis) * unit_bytes(end_of(passes[first]), axis);
        if (least > limits_.last_cache_bytes) break;
        sweep.window_axis = axis;
        ++last;
      }
      sweep.passes.assign(passes.begin() + static_cast<std::ptrdiff_t>(first),
                          passes.begin() + static_cast<std::ptrdiff_t>(last));
      if (sweep.window_axis >= 0) sweep.window = window(end_of(passes[first]), sweep.window_axis);
      connect(sweep, first == 0 ? source : middle(passes[first].source_number),
              last == passes.size() ? target : middle(passes[last].source_number));
      sweeps.push_back(std::move(sweep));
      first = last;
    }
    return sweeps;
  }

 private:
  End const& end_of(Number number) const { return number == here_.number ? here_ : there_; }
  End const& end_of(Pass const& pass) const { return end_of(pass.source_number); }
  static Index extent(End const& end, int axis) { return end.box.ranges[axis].count(); }
  Index bytes_of(Number number) const { return real_bytes_ * reals_of(number); }

  /// The slowest axis of some extent that passes first..last-1 do not transform; -1 if there is
  /// none.
  int window_axis(std::vector<Pass> const& passes, std::size_t first, std::size_t last) const {
    for (int axis : order_) {
      bool touched = extent(end_of(passes[first]), axis) <= 1;
      for (std::size_t i = first; i < last; ++i) touched = touched || passes[i].axis == axis;
      if (!touched) return axis;
    }
    return -1;
  }

  /// Bytes of the box per count along an axis.
  Index unit_bytes(End const& end, int axis) const {
    return end.box.volume() / std::max<Index>(extent(end, axis), 1) * bytes_of(end.number);
  }

  /// As much as fits the cache, but some windows for each thread.
  Index window(End const& end, int axis) const {
    Index const fits = limits_.cache_bytes / std::max<Index>(unit_bytes(end, axis), 1);
    constexpr int windows_a_thread = 4;
    Index const share = limits_.threads == 1
                            ? extent(end, axis)
                            : extent(end, axis) / (limits_.threads * windows_a_thread);
    Index const window = std::max<Index>(1, std::min(fits, share));
    Index const least = least_window(axis);
    return (window + least - 1) / least * least;
  }

  /// Windows along the contiguous axis are whole vectors.
  Index least_window(int axis) const { return axis == order_.back() ? 16 : 1; }

  /// The box of one window in scratch. Rows are padded, because a power of two between them would
  /// send a column to few sets of the cache.
  Piece scratch_piece(End const& end, int window_axis) const {
    Piece scratch{end.box, 0, Shape(end.box.axes(), 0)};
    constexpr Index pad_bytes = 128;
    Index stride = 1;
    for (int position = order_.size() - 1; position >= 0; --position) {
      int const axis = order_[position];
      if (axis == window_axis) continue;
      scratch.strides[axis] = stride;
      stride *= extent(end, axis);
      if (scratch.strides[axis] == 1 && extent(end, axis) > 1)
        stride += pad_bytes / bytes_of(end.number);
    }
    scratch.strides[window_axis] = stride;
    return scratch;
  }

  /// Puts scratch between the passes; if there are reals and complex numbers, some of each.
  void connect(Sweep& sweep, Pieces const& source, Pieces const& target) const {
    std::map<Number, Piece> scratch;
    for (std::size_t i = 1; i < sweep.passes.size(); ++i) {
      Number const number = sweep.passes[i].source_number;
      if (scratch.count(number) > 0) continue;
      Piece piece = scratch_piece(end_of(number), sweep.window_axis);
      piece.offset = (sweep.scratch_reals + reals_of(number) - 1) / reals_of(number);
      sweep.scratch_reals =
          (piece.offset + piece.strides[sweep.window_axis] * sweep.window) * reals_of(number);
      scratch.emplace(number, piece);
    }
    for (std::size_t i = 0; i < sweep.passes.size(); ++i) {
      Pass& pass = sweep.passes[i];
      pass.box = end_of(pass).box;
      pass.target_box = end_of(pass.target_number).box;
      pass.from_scratch = i > 0;
      pass.to_scratch = i + 1 < sweep.passes.size();
      pass.source = pass.from_scratch ? Pieces{scratch.at(pass.source_number)} : source;
      pass.target = pass.to_scratch ? Pieces{scratch.at(pass.target_number)} : target;
    }
  }

  End here_;
  End there_;
  Order order_;
  int real_bytes_;
  Limits limits_;
};

// Blocks.

/// A stretch of an array along a working axis that all ranks hold whole, to be worked on as if it
/// were an array of its own.
struct Block {
  Placement whole;
  int axis;
  Range range;

  /// Where the rank's part of the stretch lies in its array.
  Pieces pieces(int rank) const {
    Pieces found;
    for (Piece const& piece : whole.pieces(rank)) {
      Box region = piece.box;
      region.ranges[axis] = range;
      Piece part = restrict(piece, region);
      part.box.ranges[axis] = {0, range.count(), 1};
      found.push_back(part);
    }
    return found;
  }
};

// Steps.

/// How an exchange is done.
struct Transfer {
  /// Which memory order messages have: that of the receiver, who then need not unpack, or of the
  /// sender.
  enum class Packing { as_received, as_sent } packing = Packing::as_received;
  Way way = Way::messages;
  std::optional<Placement> resting = {};  // in memory
  std::optional<Buffer> buffer = {};      // but for messages: where; the same on all ranks
};
using Transfers = std::vector<Transfer>;

/// Whether two lists of pieces place every element alike.
bool same_places(Pieces const& a, Pieces const& b) { return coalesce(a) == coalesce(b); }

/// Whether each row of complex numbers begins where its row of reals does, both of them contiguous:
/// then, there being room for complex rows, no row lies in the memory of another.
bool rows_begin_alike(Pieces const& reals, Pieces const& complex, int row_axis) {
  if (reals.empty() && complex.empty()) return true;
  if (reals.size() != 1 || complex.size() != 1) return false;
  Piece const &a = reals[0], &b = complex[0];
  for (int axis = 0; axis < a.box.axes(); ++axis) {
    Index const times = axis == row_axis ? 1 : 2;
    if (b.box.ranges[axis].count() <= 1 && a.box.ranges[axis].count() <= 1) continue;
    if (a.strides[axis] != times * b.strides[axis]) return false;
    if (axis == row_axis && a.strides[axis] != 1) return false;
  }
  return a.offset == 2 * b.offset;
}

Sweep copy_sweep(Sweeper const& sweeper, Number number, Pieces const& source,
                 Pieces const& target) {
  Pass copy;
  copy.source_number = copy.target_number = number;
  return sweeper.run({copy}, source, target).front();
}

/// What a buffer must be for the array to be in it at some point of a program.
struct Stop {
  Index reals = 0;         // on this rank
  Index padding = 0;       // of these, which are not counted when programs are compared
  bool fits_input = true;  // on every rank where the array rests, else on this one
  bool fits_output = true;
  std::optional<Buffer> buffer;  // it can be no other
};

/// The steps of one rank, the stops before and after each, and how an array may get from stop to
/// stop.
struct Steps {
  std::vector<Step> steps;
  std::vector<Stop> stops;
  // Of each step, if it is the last sweep between two moves, one of them a rest:
  std::vector<bool> ends;
  std::vector<bool> on_the_spot;  // every element's place is where it was before them
  std::vector<bool> abroad;       // it is in the memory of others
};

/// Whether every element is on the same rank.
bool same_owners(Placement const& a, Placement const& b) {
  Order const order = c_order(a.layout.axes());
  return a.view == b.view && a.layout.with_order(order) == b.layout.with_order(order);
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
    bool const on_the_spot = next_to_shared && first && last && *first == *last;
    bool const goes_abroad =
        shared_behind(i) && !(rest_behind(i) && same_owners(*rest_behind(i), part.there));
    bool const keeps = source.size() == 1 && !shared_before(i) && !block_;
    bool const comes = target.size() == 1 && !goes_abroad && !block_;
    Sweeper const sweeper({local_box(here, axes), part.number, keeps ? source : here},
                          {local_box(there, axes), part.number_there, comes ? target : there},
                          memory_order(part.here), schedule_.real_bytes, limits_);
    std::vector<Sweep> sweeps;
    if (!part.passes.empty())
      sweeps = sweeper.run(part.passes, source, target);
    else
      sweeps.push_back(copy_sweep(sweeper, part.number, source, target));
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

// Buffers.

constexpr Index unbounded = std::numeric_limits<Index>::max();

/// Chooses the buffer at each stop by trying all: the least work memory, then the fewest changes.
///
/// While an array rests, other ranks may read their parts of it until this rank meets them at the
/// next rest: until then nothing else is written there. And what they have in a buffer since the
/// last rest, as this rank may have, cannot be written over before the next.
class BufferSearch {
 public:
  BufferSearch(std::vector<Step> const& steps, Steps const& made, Arrays const& arrays,
               bool of_block)
      : steps_(steps), made_(made), arrays_(arrays), of_block_(of_block) {
    for (Step const& step : steps) {
      auto const* sweep = std::get_if<Sweep>(&step);
      may_stay_.push_back(sweep && sweep->may_work_in_place());
    }
  }

  /// Reals of work arrays, padding not counted, once run.
  Index cost() const { return best_cost_[0]; }

  /// Empty if there is no way that costs less than `bound` reals.
  std::vector<Buffer> run(Index bound) {
    best_cost_ = {bound, 0};
    bool const may_copy = arrays_.in_place && !of_block_;
    for (work_arrays_ = 2; work_arrays_ <= work_arrays && best_.empty(); ++work_arrays_) {
      current_ = {arrays_.in_place ? Buffer::output : Buffer::input};
      if (allows(made_.stops.front(), current_.front()))
        visit({.came_from = current_.front(), .in_use = bit(current_.front())});
      if (!best_.empty() || !may_copy) continue;
      current_ = {Buffer::work_b};  // the input is copied there first
      visit({.work = {0, made_.stops.front().reals},
             .changes = 1,
             .came_from = Buffer::work_b,
             .in_use = bit(Buffer::work_b) | bit(Buffer::output)});
    }
    return best_;
  }

 private:
  struct State {
    std::array<Index, work_arrays> work = {};
    Index changes = 0;
    std::optional<Buffer> came_from = {};  // where the array rested last, or was at first
    std::optional<Buffer> read_by_others = {};
    unsigned in_use = 0;  // a bit for each buffer that was since the ranks have met
  };

  static unsigned bit(Buffer buffer) { return 1u << static_cast<unsigned>(buffer); }

  static bool allows(Stop const& stop, Buffer buffer) {
    if (stop.buffer && *stop.buffer != buffer) return false;
    return buffer == Buffer::input    ? stop.fits_input
           : buffer == Buffer::output ? stop.fits_output
                                      : true;
  }

  void visit(State const& state) {
    std::array<Index, 2> const cost{state.work[0] + state.work[1] + state.work[2], state.changes};
    if (cost >= best_cost_) return;
    std::size_t const step = current_.size() - 1;
    if (step == steps_.size()) {
      if (current_.back() != Buffer::output) return;
      best_ = current_;
      best_cost_ = cost;
      return;
    }
    auto const* move = std::get_if<Move>(&steps_[step]);
    for (Buffer next :
         {Buffer::output, Buffer::input, Buffer::work_a, Buffer::work_b, Buffer::work_c}) {
      if (next == Buffer::input && (arrays_.in_place || arrays_.preserve_input)) {
        if (current_.back() != Buffer::input || !move || move->way == Way::messages) continue;
      }
      if (next == Buffer::work_c && work_arrays_ < work_arrays) continue;
      if (!may_go(step, move, next, state) || !allows(made_.stops[step + 1], next)) continue;
      visit_next(step, move, next, state);
    }
  }

  bool may_go(std::size_t step, Move const* move, Buffer next, State const& state) const {
    bool const stays = next == current_.back();
    if (move && move->way != Way::messages) return stays;
    if (stays && !may_stay_[step]) return false;
    if (made_.on_the_spot[step] && next == state.came_from) return true;
    if (made_.abroad[step] && (state.in_use & bit(next)) != 0) return false;
    // On this rank it might do, if it has next to nothing; on others it would not.
    if (made_.ends[step] && next == state.came_from) return false;
    return next != state.read_by_others;
  }

  void visit_next(std::size_t step, Move const* move, Buffer next, State state) {
    Index const size = made_.stops[step + 1].reals - made_.stops[step + 1].padding;
    auto const number = static_cast<std::size_t>(next);
    if (number < work_arrays) state.work[number] = std::max(state.work[number], size);
    if (next != current_.back()) ++state.changes;
    if (move) state.came_from.reset();
    if (move && move->way != Way::messages) {
      state.came_from = next;
      state.in_use = 0;
      state.read_by_others.reset();
      if (!move->resting || !(*move->resting == move->to)) state.read_by_others = next;
    }
    state.in_use |= bit(next);
    current_.push_back(next);
    visit(state);
    current_.pop_back();
  }

  std::vector<Step> const& steps_;
  Steps const& made_;
  Arrays arrays_;
  bool of_block_;
  std::vector<bool> may_stay_;
  int work_arrays_ = 2;  // to be used; all of them only if it must be
  std::vector<Buffer> current_;
  std::vector<Buffer> best_;
  std::array<Index, 2> best_cost_{unbounded, unbounded};
};

/// The program with these transfers; without buffers if none costs less than `bound` sweeps and
/// reals.
Program make_program(Schedule const& schedule, int rank, Transfers const& transfers,
                     Limits const& limits, Arrays const& arrays, Block const* block,
                     std::array<Index, 2> const& bound = {unbounded, unbounded}) {
  Steps made = StepMaker(schedule, rank, transfers, limits, arrays, block).run();
  Program program;
  program.input_number = schedule.input_number;
  program.output_number = schedule.output_number;
  program.input_points = schedule.input.memory_size(rank);
  program.output_points = schedule.output.memory_size(rank);
  program.steps = std::move(made.steps);
  if (program.sweeps() > bound[0]) return program;
  BufferSearch search(program.steps, made, arrays, block != nullptr);
  program.buffers = search.run(program.sweeps() < bound[0] ? unbounded : bound[1]);
  program.compared_reals = search.cost();
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    auto const buffer = static_cast<std::size_t>(program.buffers[i]);
    if (buffer >= work_arrays) continue;
    program.work_reals[buffer] = std::max(program.work_reals[buffer], made.stops[i].reals);
  }
  return program;
}

// Transfers.

/// The rank by whose program all ranks choose the transfers, so that they choose alike.
int reference_rank(Schedule const& schedule) {
  Layout const& layout = schedule.input.layout;
  int reference = 0;
  for (int rank = 1; rank < layout.ranks() && layout.local_size(reference) == 0; ++rank)
    reference = rank;
  return reference;
}

/// The array as `from` has it, but in the order in which it will be read: by `to`, transforming
/// `axis`, if any, of as many columns at a time as make a tile. None if the two have not the same
/// axes.
std::optional<Placement> as_read(Placement const& from, Placement const& to,
                                 std::optional<int> axis, Index element_bytes) {
  if (!(from.view == to.view)) return std::nullopt;
  Order const& order = to.layout.order();
  int const fastest = order.back();
  int rows = fastest;  // the user's axis that is transformed
  for (int user = 0; user < order.size(); ++user)
    for (int digit : from.view.digits[user])
      if (axis == digit) rows = user;
  Placement resting{from.layout.with_order(order), from.view};
  if (rows == fastest) return resting;
  Order tiled;
  for (int user : order)
    if (user != rows && user != fastest) tiled.push_back(user);
  tiled.push_back(rows);
  tiled.push_back(fastest);
  resting.layout = from.layout.with_order(tiled);
  bool const can_be_cut = from.view.digits[fastest].size() == 1 &&
                          from.view.digits[rows].size() == 1 && from.layout.whole(fastest);
  constexpr Index tile_bytes = 512;  // whole vectors of columns, and as wide as a strip
  Index const tile = tile_bytes / element_bytes;
  if (can_be_cut && from.layout.shape()[fastest] > tile) resting.tile = tile;
  return resting;
}

/// What is the same on all ranks.
Limits common(Limits const& limits) {
  Limits same;
  same.ways = limits.ways;
  same.node = limits.node;
  same.segment = limits.segment;
  same.segment_bytes = limits.segment_bytes;
  same.blocks = limits.blocks;
  return same;
}

/// Tries all ways to do the exchanges.
class TransferSearch {
 public:
  TransferSearch(Schedule const& schedule, Limits const& limits, Arrays const& arrays,
                 Block const* block)
      : schedule_(schedule), arrays_{arrays}, block_(block), rank_(reference_rank(schedule)) {
    // A rank that has neither input nor output cannot tell whether the others work in place: it
    // must not matter. In segments they tell it.
    if (!arrays.in_segments && !block) {
      arrays_.push_back(arrays);
      arrays_[0].in_place = false;
      arrays_[1].in_place = true;
    }
    // Ranks may differ in their other limits, but not in what they choose here.
    limits_ = common(limits);
    Number number = schedule.input_number;
    for (Stage const& stage : schedule.stages) {
      if (auto const* fft = std::get_if<Fft>(&stage)) {
        if (!exchanges_.empty() && !exchanges_.back().next_axis)
          exchanges_.back().next_axis = fft->axis;
        if (fft->kind == Kind::r2c) number = other(number);
      }
      if (auto const* exchange = std::get_if<Exchange>(&stage))
        exchanges_.push_back({exchange, schedule.bytes_of(number), {}});
    }
  }

  Transfers run() {
    visit();
    require(!best_.empty() || exchanges_.empty(), "program: no assignment of buffers was found");
    return best_;
  }

 private:
  void visit() {
    std::size_t const i = current_.size();
    if (i == exchanges_.size()) return judge();
    constexpr std::size_t most_tried = 6;  // beyond, only one way each
    Placement const &from = exchanges_[i].exchange->from, &to = exchanges_[i].exchange->to;
    Way const way = i < limits_.ways.size() ? limits_.ways[i] : Way::messages;
    if (way != Way::in_memory) {
      tryout({Transfer::Packing::as_received, way});
      if (i < most_tried && way == Way::messages) tryout({Transfer::Packing::as_sent, way});
      return;
    }
    std::vector<Placement> rests;
    auto const add = [&](std::optional<Placement> const& rest) {
      if (!rest || std::find(rests.begin(), rests.end(), *rest) != rests.end()) return;
      // Others may still be at the block before, each in its own segment.
      if (!block_ || same_owners(*rest, schedule_.input)) rests.push_back(*rest);
    };
    if (i > 0 && current_.back().resting && current_.back().resting->view == from.view)
      add(current_.back().resting);
    add(as_read(from, to, exchanges_[i].next_axis, exchanges_[i].element_bytes));
    add(from);
    add(to);
    for (Placement const& rest : rests) tryout({.way = way, .resting = rest});
  }

  void tryout(Transfer const& transfer) {
    current_.push_back(transfer);
    visit();
    current_.pop_back();
  }

  void judge() {
    Transfers transfers = current_;
    std::array<Index, 2> cost{0, 0};
    for (Arrays const& arrays : arrays_) {
      Program const program =
          make_program(schedule_, rank_, transfers, limits_, arrays, block_, best_cost_);
      if (program.buffers.empty()) return;
      cost[0] += program.sweeps();
      cost[1] += program.compared_reals;
      auto transfer = transfers.begin();
      for (std::size_t step = 0; step < program.steps.size(); ++step) {
        auto const* move = std::get_if<Move>(&program.steps[step]);
        if (move && move->way != Way::messages) transfer->buffer = program.buffers[step];
        if (move) ++transfer;
      }
    }
    if (cost >= best_cost_) return;
    best_ = std::move(transfers);
    best_cost_ = cost;
  }

  Schedule const& schedule_;
  Limits limits_;
  std::vector<Arrays> arrays_;
  Block const* block_;
  int rank_;
  struct Ahead {
    Exchange const* exchange;
    Index element_bytes;
    std::optional<int> next_axis;  // to be transformed behind it
  };
  std::vector<Ahead> exchanges_;
  Transfers current_;
  Transfers best_;
  std::array<Index, 2> best_cost_{unbounded, unbounded};
};

// Descriptions.

std::string bytes(Index count) {
  constexpr char const* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double amount = static_cast<double>(count);
  int unit = 0;
  for (; amount >= 1024 && unit < 5; ++unit) amount /= 1024;
  std::ostringstream out;
  out << std::setprecision(amount < 1000 ? 3 : 4) << amount << ' ' << units[unit];
  return out.str();
}

std::string describe_move(Move const& move, int rank, Index element_bytes) {
  if (move.way == Way::in_memory)
    return text("exchange  to ", move.to.layout.describe(), ": in shared memory, no messages");
  bool const by_nodes = move.way == Way::by_nodes;
  Index messages = 0, smallest = 0, largest = 0, sent = 0;
  for (exchange::Message const& message : move.moves.send.messages) {
    if (message.rank == rank) continue;
    smallest = messages == 0 ? message.count : std::min(smallest, message.count);
    largest = std::max(largest, message.count);
    sent += message.count;
    ++messages;
  }
  std::string const size = smallest == largest ? bytes(largest * element_bytes)
                                               : bytes(smallest * element_bytes) + " to " +
                                                     bytes(largest * element_bytes);
  return text("exchange  to ", move.to.layout.describe(), ": ", messages,
              messages == 1 ? " message of " : " messages of ", size, ", ",
              bytes(sent * element_bytes), " sent", by_nodes ? ", for all ranks of the node" : "");
}

std::string name(Sweep const& sweep, Schedule const& schedule) {
  std::ostringstream out;
  char const* separator = "";
  for (Pass const& pass : sweep.passes) {
    out << separator;
    if (pass.axis)
      out << name(pass.kind, pass.source_number) << ' ' << schedule.shape[*pass.axis];
    else
      out << "reorder";
    if (pass.twiddle_axis) out << ", twiddle";
    separator = ", ";
  }
  return out.str();
}

/// Why the program is as it is.
std::string reasons(Schedule const& schedule, Program const& program) {
  std::set<int> split;  // working axes that are transformed
  for (Stage const& stage : schedule.stages)
    if (auto const* fft = std::get_if<Fft>(&stage))
      if (!schedule.input.whole(fft->axis)) split.insert(fft->axis);
  std::ostringstream out;
  if (split.empty()) {
    out << "every rank holds whole what is transformed";
  } else {
    out << "exchanges, as ";
    char const* separator = split.size() == 1 ? "axis " : "axes ";
    for (int axis : split) out << std::exchange(separator, ", ") << axis;
    out << (split.size() == 1 ? " is split" : " are split");
  }
  bool told = false;
  for (Step const& step : program.steps) {
    auto const* sweep = std::get_if<Sweep>(&step);
    if (!sweep || sweep->passes.size() < 2 || std::exchange(told, true)) continue;
    out << "; " << sweep->passes.size() << " transforms a pass, as "
        << bytes(sweep->scratch_reals * schedule.real_bytes) << " between them stay in cache";
  }
  return out.str();
}

}  // namespace

Index Sweep::windows() const {
  Box const& box = passes.front().box;
  if (box.empty()) return 0;
  if (window_axis < 0) return 1;
  return (box.ranges[window_axis].count() + window - 1) / window;
}

bool Sweep::may_work_in_place() const {
  Pieces const &source = passes.front().source, &target = passes.back().target;
  bool const from_reals = passes.front().source_number == Number::real;
  if (passes.front().source_number == passes.back().target_number)
    return same_places(source, target);
  auto const crossing = std::find_if(passes.begin(), passes.end(),
                                     [](Pass const& pass) { return pass.kind == Kind::r2c; });
  return from_reals ? rows_begin_alike(source, target, *crossing->axis)
                    : rows_begin_alike(target, source, *crossing->axis);
}

int Program::sweeps() const {
  int count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::holds_alternative<Sweep>(steps[i]) && (shown_as.empty() || shown_as[i] == i)) ++count;
  return count;
}

namespace {

Program compile_whole(Schedule const& schedule, int rank, Limits const& limits,
                      Arrays const& arrays, Block const* block = nullptr) {
  Transfers const transfers = TransferSearch(schedule, limits, arrays, block).run();
  Program program = make_program(schedule, rank, transfers, limits, arrays, block);
  require(!program.buffers.empty(), "program: no assignment of buffers was found");
  for (std::size_t step = 0; step < program.steps.size(); ++step) program.shown_as.push_back(step);
  return program;
}

/// The stages from `first` on lead away from a placement, which is the output's, and back to it,
/// past an axis that they leave alone, and that all ranks hold whole meanwhile.
struct Detour {
  std::size_t first;
  int axis;
};

/// The longest such axis for the stages from an exchange on; -1 if there is none.
int axis_left_alone(Schedule const& schedule, std::size_t first) {
  Shape const& shape = std::get<Exchange>(schedule.stages[first]).from.view.shape;
  int best = -1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    bool const free = std::all_of(
        schedule.stages.begin() + static_cast<std::ptrdiff_t>(first), schedule.stages.end(),
        [&](Stage const& stage) {
          auto const holds_it = [&](Placement const& at) {
            return std::any_of(at.view.digits.begin(), at.view.digits.end(),
                               [&](auto const& d) { return d.size() == 1 && d[0] == axis; }) &&
                   at.whole(axis);
          };
          return std::visit(
              match{[&](Fft const& fft) { return fft.axis != axis && fft.kind != Kind::r2c; },
                    [](Twiddle const&) { return false; },
                    [&](Exchange const& e) { return holds_it(e.from) && holds_it(e.to); }},
              stage);
        });
    if (free && shape[axis] > 1 && (best < 0 || shape[axis] > shape[best])) best = axis;
  }
  return best;
}

std::optional<Detour> find_detour(Schedule const& schedule) {
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    auto const* away = std::get_if<Exchange>(&schedule.stages[i]);
    if (!away || !(away->from == schedule.output)) continue;
    int const axis = axis_left_alone(schedule, i);
    if (axis >= 0) return Detour{i, axis};
  }
  return std::nullopt;
}

/// Stages [first, end) as a schedule, which begins and ends at these placements.
Schedule part_of(Schedule const& schedule, std::size_t first, std::size_t end,
                 Placement const& input, Placement const& output) {
  Schedule part = schedule;
  auto const stage = [&](std::size_t i) {
    return schedule.stages.begin() + static_cast<std::ptrdiff_t>(i);
  };
  auto const number_at = [&](std::size_t i) {
    auto const crossings = std::count_if(stage(0), stage(i), [](Stage const& s) {
      auto const* fft = std::get_if<Fft>(&s);
      return fft && fft->kind == Kind::r2c;
    });
    return crossings % 2 == 0 ? schedule.input_number : other(schedule.input_number);
  };
  part.stages.assign(stage(first), stage(end));
  part.input = input;
  part.output = output;
  part.input_number = number_at(first);
  part.output_number = number_at(end);
  return part;
}

/// The same of an array that is shorter along one axis.
Schedule shortened(Schedule schedule, int axis, Index extent) {
  schedule.shape[axis] = extent;
  schedule.input = schedule.input.with_extent(axis, extent);
  schedule.output = schedule.output.with_extent(axis, extent);
  for (Stage& stage : schedule.stages) {
    auto* exchange = std::get_if<Exchange>(&stage);
    if (!exchange) continue;
    exchange->from = exchange->from.with_extent(axis, extent);
    exchange->to = exchange->to.with_extent(axis, extent);
  }
  return schedule;
}

bool transforms(Schedule const& schedule) {
  return std::any_of(schedule.stages.begin(), schedule.stages.end(),
                     [](Stage const& stage) { return std::holds_alternative<Fft>(stage); });
}

/// The last sweep with a transform carries the scale.
void mark_last(Program& program) {
  for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step) {
    auto* sweep = std::get_if<Sweep>(&*step);
    if (!sweep || !sweep->passes.back().axis) continue;
    sweep->passes.back().last = true;
    return;
  }
}

/// Makes a program of parts that follow each other: to where the detour begins, in the output, and
/// then the detour there, block by block.
class InBlocks {
 public:
  InBlocks(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays,
           Detour const& detour)
      : schedule_(schedule), rank_(rank), limits_(limits), arrays_(arrays), detour_(detour) {
    program_.buffers = {arrays.in_place ? Buffer::output : Buffer::input};
  }

  Program run() {
    Placement const& home = schedule_.output;
    Schedule const before = part_of(schedule_, 0, detour_.first, schedule_.input, home);
    Schedule const away = part_of(schedule_, detour_.first, schedule_.stages.size(), home, home);
    append(before, arrays_, nullptr, !transforms(away));
    Index const extent = home.view.shape[detour_.axis];
    Index const blocks = std::min<Index>(limits_.blocks, extent);
    std::size_t const first_exchange = exchanges_, first_step = program_.steps.size();
    std::size_t steps = 0;
    for (Index i = 0; i < blocks; ++i) {
      exchanges_ = first_exchange;
      std::size_t const begin = program_.steps.size();
      Block const block{home, detour_.axis, {extent * i / blocks, extent * (i + 1) / blocks, 1}};
      append(shortened(away, detour_.axis, block.range.count()), {.in_place = true}, &block, true);
      if (i == 0) steps = program_.steps.size() - begin;
      if (program_.steps.size() - begin == steps)
        for (std::size_t step = 0; step < steps; ++step)
          program_.shown_as[begin + step] = first_step + step;
    }
    program_.input_number = schedule_.input_number;
    program_.output_number = schedule_.output_number;
    program_.input_points = schedule_.input.memory_size(rank_);
    program_.output_points = schedule_.output.memory_size(rank_);
    return std::move(program_);
  }

 private:
  void append(Schedule const& part, Arrays const& arrays, Block const* block, bool scales) {
    if (part.stages.empty() && arrays.in_place && part.input == part.output) return;
    Limits limits = limits_;
    limits.blocks = 1;
    auto const way = limits_.ways.begin() + static_cast<std::ptrdiff_t>(exchanges_);
    if (!limits_.ways.empty()) limits.ways.assign(way, way + part.exchanges());
    Program more = compile_whole(part, rank_, limits, arrays, block);
    if (scales) mark_last(more);
    for (Step& step : more.steps) {
      if (auto* move = std::get_if<Move>(&step)) move->exchange += exchanges_;
      program_.shown_as.push_back(program_.steps.size());
      program_.steps.push_back(std::move(step));
    }
    program_.buffers.pop_back();
    program_.buffers.insert(program_.buffers.end(), more.buffers.begin(), more.buffers.end());
    for (std::size_t i = 0; i < work_arrays; ++i)
      program_.work_reals[i] = std::max(program_.work_reals[i], more.work_reals[i]);
    exchanges_ += static_cast<std::size_t>(part.exchanges());
  }

  Schedule const& schedule_;
  int rank_;
  Limits const& limits_;
  Arrays arrays_;
  Detour detour_;
  Program program_;
  std::size_t exchanges_ = 0;  // that are done
};

/// Whether blocks are worth it. All ranks find the same, and the same in place as not: a rank that
/// has neither input nor output cannot tell.
std::optional<Detour> worthwhile_detour(Schedule const& schedule, Limits const& limits,
                                        Arrays const& arrays) {
  if (limits.blocks <= 1 || arrays.in_segments) return std::nullopt;
  std::optional<Detour> const detour = find_detour(schedule);
  if (!detour) return std::nullopt;
  int const rank = reference_rank(schedule);
  Index saved = 0;
  for (bool in_place : {false, true}) {
    Arrays const these{.in_place = in_place, .preserve_input = arrays.preserve_input};
    saved += compile_whole(schedule, rank, common(limits), these).all_work_reals() -
             InBlocks(schedule, rank, common(limits), these, *detour).run().all_work_reals();
  }
  return saved > 0 ? detour : std::nullopt;
}

}  // namespace

Program compile(Schedule const& schedule, int rank, Limits const& limits, Arrays const& arrays) {
  if (auto const detour = worthwhile_detour(schedule, limits, arrays))
    return InBlocks(schedule, rank, limits, arrays, *detour).run();
  Program program = compile_whole(schedule, rank, limits, arrays);
  mark_last(program);
  return program;
}

std::string name(Step const& step, Schedule const& schedule) {
  return std::visit(match{[&](Sweep const& sweep) { return name(sweep, schedule); },
                          [](Move const&) { return std::string("exchange"); }},
                    step);
}

Index bytes_of(Step const& step, int real_bytes) {
  auto const of_sweep = [](Sweep const& sweep) {
    Pass const &first = sweep.passes.front(), &last = sweep.passes.back();
    return first.box.volume() * reals_of(first.source_number) +
           last.target_box.volume() * reals_of(last.target_number);
  };
  auto const of_move = [](Move const& move) {
    Index count = 0;
    for (exchange::Side const* side : {&move.moves.send, &move.moves.receive})
      for (exchange::Message const& message : side->messages) count += message.count;
    return count * reals_of(move.number);
  };
  return real_bytes * std::visit(match{of_sweep, of_move}, step);
}

std::string describe(Schedule const& schedule, Limits const& limits, Arrays const& arrays) {
  int const rank = reference_rank(schedule);
  Program const program = compile(schedule, rank, limits, arrays);
  auto const describe_end = [](Placement const& end, Number number) {
    return text(end.layout.describe(), number == Number::real ? ", reals" : "",
                end.row > 0 ? text(" in rows of ", end.row) : "");
  };
  std::ostringstream out;
  out << "input     " << describe_end(schedule.input, schedule.input_number) << '\n';
  std::map<std::size_t, int> times;
  for (std::size_t shown : program.shown_as) ++times[shown];
  for (auto const& [number, count] : times) {
    out << std::visit(
        match{[&](Sweep const& sweep) { return "pass      " + name(sweep, schedule); },
              [&](Move const& move) {
                return describe_move(move, rank, schedule.bytes_of(move.number));
              }},
        program.steps[number]);
    if (count > 1) out << ", in " << count << " blocks";
    out << '\n';
  }
  out << "output    " << describe_end(schedule.output, schedule.output_number) << '\n';
  Index const work = program.all_work_reals();
  out << "total     " << schedule.exchanges()
      << (schedule.exchanges() == 1 ? " exchange, " : " exchanges, ") << program.sweeps()
      << (program.sweeps() == 1 ? " pass" : " passes") << " over memory\n"
      << "why       " << reasons(schedule, program) << '\n'
      << "per rank  input " << bytes(program.input_reals() * schedule.real_bytes) << ", output "
      << bytes(program.output_reals() * schedule.real_bytes) << ", work "
      << bytes(work * schedule.real_bytes);
  return out.str();
}

}  // namespace sixstep::plan
