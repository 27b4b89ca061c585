// SPDX-License-Identifier: BSD-3-Clause
// Programs: from stages to sweeps, moves and buffers.
#include "plan/program.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>

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
  Pieces dense;
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
    auto const middle = [&](Number number) {
      if (number == here_.number) return source.size() == 1 ? source : here_.dense;
      return target.size() == 1 ? target : there_.dense;
    };
    for (std::size_t first = 0; first < passes.size();) {
      Sweep sweep;
      std::size_t last = first + 1;
      sweep.window_axis = window_axis(passes, first, last);
      while (last < passes.size()) {
        int const axis = window_axis(passes, first, last + 1);
        if (axis < 0 || unit_bytes(end_of(passes[first]), axis) > limits_.cache_bytes) break;
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
    constexpr Index lanes = 16;  // windows along the contiguous axis are whole vectors
    return axis == order_.back() ? (window + lanes - 1) / lanes * lanes : window;
  }

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

// Steps.

/// Which memory order messages have: that of the receiver, who then need not unpack, or of the
/// sender.
enum class Packing { as_received, as_sent };

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

/// The steps of one rank, and the reals that the array takes at the beginning and after each.
struct Steps {
  std::vector<Step> steps;
  std::vector<Index> reals;
};

/// Appends the sweeps that lead through a segment from `source` to `target`, which takes
/// `target_reals`.
void append_sweeps(Steps& made, Segment const& part, Sweeper const& sweeper, Pieces const& source,
                   Pieces const& target, Index target_reals) {
  std::vector<Sweep> sweeps;
  if (!part.passes.empty())
    sweeps = sweeper.run(part.passes, source, target);
  else
    sweeps.push_back(copy_sweep(sweeper, part.number, source, target));
  for (Sweep& sweep : sweeps) {
    Pass const& last = sweep.passes.back();
    made.reals.push_back(&sweep == &sweeps.back()
                             ? target_reals
                             : reach(last.target) * reals_of(last.target_number));
    made.steps.emplace_back(std::move(sweep));
  }
}

/// The last pass with a transform carries the scale.
void mark_last(Steps& made) {
  for (auto step = made.steps.rbegin(); step != made.steps.rend(); ++step) {
    auto* sweep = std::get_if<Sweep>(&*step);
    if (!sweep || !sweep->passes.back().axis) continue;
    sweep->passes.back().last = true;
    return;
  }
}

Steps make_steps(Schedule const& schedule, int rank, std::vector<Packing> const& packing,
                 Limits const& limits) {
  std::vector<Segment> const parts = segments(schedule);
  int const axes = schedule.shape.size();
  Steps made;
  Pieces source = schedule.input.pieces(rank);
  Pieces const output = schedule.output.pieces(rank);
  made.reals.push_back(schedule.input.memory_size(rank) * reals_of(schedule.input_number));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Segment const& part = parts[i];
    bool const is_final = i + 1 == parts.size();
    Index const element = reals_of(part.number_there);
    exchange::Redistribution moves;
    if (!is_final) {
      Placement const& next = parts[i + 1].here;
      Order const order = memory_order(packing[i] == Packing::as_received ? next : part.there);
      moves = redistribution(part.there, next, rank, order);
    }
    Pieces const& target = is_final ? output : moves.send.packed;
    Pieces const here = part.here.pieces(rank), there = part.there.pieces(rank);
    Sweeper const sweeper({local_box(here, axes), part.number, here},
                          {local_box(there, axes), part.number_there, there},
                          memory_order(part.here), schedule.real_bytes, limits);
    if (!part.passes.empty() || !same_places(source, target) || (is_final && made.steps.empty()))
      append_sweeps(made, part, sweeper, source, target,
                    (is_final ? schedule.output.memory_size(rank) : moves.send.size) * element);
    if (is_final) break;
    source = moves.receive.packed;
    made.reals.push_back(moves.receive.size * element);
    made.steps.emplace_back(
        Move{part.number_there, part.there, parts[i + 1].here, std::move(moves)});
  }
  mark_last(made);
  return made;
}

// Buffers.

/// Chooses the buffer after each step by trying all: the least work memory, then the fewest
/// changes.
struct BufferSearch {
  std::vector<bool> may_stay;       // one a step: source and target buffer may be the same
  std::vector<Index> const& reals;  // of the array before and after each step
  bool in_place;                    // then the input may be copied to a work array first
  Index output_capacity;

  std::vector<Buffer> current;
  std::vector<Buffer> best;
  std::array<Index, 2> best_cost{std::numeric_limits<Index>::max(), 0};

  std::vector<Buffer> run() {
    current = {in_place ? Buffer::output : Buffer::input};
    visit(0, 0, 0);
    if (best.empty()) {
      current = {Buffer::work_b};
      visit(0, reals.front(), 1);
    }
    require(!best.empty(), "program: no assignment of buffers was found");
    return best;
  }

  void visit(Index work_a, Index work_b, Index changes) {
    std::array<Index, 2> const cost{work_a + work_b, changes};
    if (cost >= best_cost) return;
    std::size_t const step = current.size() - 1;
    if (step == may_stay.size()) {
      if (current.back() != Buffer::output) return;
      best = current;
      best_cost = cost;
      return;
    }
    for (Buffer next : {Buffer::output, Buffer::work_a, Buffer::work_b}) {
      bool const stays = next == current.back();
      if (stays && !may_stay[step]) continue;
      Index const size = reals[step + 1];
      if (next == Buffer::output && size > output_capacity) continue;
      current.push_back(next);
      visit(next == Buffer::work_a ? std::max(work_a, size) : work_a,
            next == Buffer::work_b ? std::max(work_b, size) : work_b, changes + (stays ? 0 : 1));
      current.pop_back();
    }
  }
};

std::vector<Buffer> assign_buffers(Steps const& made, bool in_place, Index output_capacity) {
  std::vector<bool> may_stay;
  for (Step const& step : made.steps) {
    auto const* sweep = std::get_if<Sweep>(&step);
    may_stay.push_back(sweep && sweep->may_work_in_place());
  }
  BufferSearch search{may_stay, made.reals, in_place, output_capacity, {}, {}};
  return search.run();
}

Program finish(Schedule const& schedule, int rank, Steps made) {
  Program program;
  program.input_number = schedule.input_number;
  program.output_number = schedule.output_number;
  program.input_points = schedule.input.memory_size(rank);
  program.output_points = schedule.output.memory_size(rank);
  program.out_of_place = assign_buffers(made, false, program.output_reals());
  program.in_place =
      assign_buffers(made, true, std::max(program.input_reals(), program.output_reals()));
  for (auto const* buffers : {&program.out_of_place, &program.in_place}) {
    for (std::size_t i = 0; i < buffers->size(); ++i) {
      Index const size = made.reals[i];
      if ((*buffers)[i] == Buffer::work_a)
        program.work_a_reals = std::max(program.work_a_reals, size);
      if ((*buffers)[i] == Buffer::work_b)
        program.work_b_reals = std::max(program.work_b_reals, size);
    }
  }
  program.steps = std::move(made.steps);
  return program;
}

/// The rank by whose program all ranks choose the packing, so that they choose alike.
int reference_rank(Schedule const& schedule) {
  Layout const& layout = schedule.input.layout;
  int reference = 0;
  for (int rank = 1; rank < layout.ranks() && layout.local_size(reference) == 0; ++rank)
    reference = rank;
  return reference;
}

/// Ranks may differ in their limits, but not in what they choose here.
std::vector<Packing> choose_packing(Schedule const& schedule) {
  Limits const limits;
  int const exchanges = schedule.exchanges();
  int const rank = reference_rank(schedule);
  std::vector<Packing> best;
  std::array<Index, 2> best_cost{std::numeric_limits<Index>::max(), 0};
  constexpr int most_tried = 6;  // beyond, messages are packed as received
  for (int choice = 0; choice < (1 << std::min(exchanges, most_tried)); ++choice) {
    std::vector<Packing> packing;
    for (int i = 0; i < exchanges; ++i)
      packing.push_back(i < most_tried && (choice >> i & 1) ? Packing::as_sent
                                                            : Packing::as_received);
    Program const program = finish(schedule, rank, make_steps(schedule, rank, packing, limits));
    std::array<Index, 2> const cost{program.sweeps(), program.work_a_reals + program.work_b_reals};
    if (cost < best_cost) {
      best = packing;
      best_cost = cost;
    }
  }
  return best;
}

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
              bytes(sent * element_bytes), " sent");
}

std::string describe_sweep(Sweep const& sweep, Schedule const& schedule) {
  std::ostringstream out;
  out << "pass      ";
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
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](Step const& step) {
    return std::holds_alternative<Sweep>(step);
  }));
}

Program compile(Schedule const& schedule, int rank, Limits const& limits) {
  return finish(schedule, rank, make_steps(schedule, rank, choose_packing(schedule), limits));
}

std::string describe(Schedule const& schedule, Limits const& limits) {
  int const rank = reference_rank(schedule);
  Program const program = compile(schedule, rank, limits);
  auto const describe_end = [](Placement const& end, Number number) {
    return text(end.layout.describe(), number == Number::real ? ", reals" : "",
                end.row > 0 ? text(" in rows of ", end.row) : "");
  };
  std::ostringstream out;
  out << "input     " << describe_end(schedule.input, schedule.input_number) << '\n';
  for (Step const& step : program.steps)
    out << std::visit(match{[&](Sweep const& sweep) { return describe_sweep(sweep, schedule); },
                            [&](Move const& move) {
                              return describe_move(move, rank, schedule.bytes_of(move.number));
                            }},
                      step)
        << '\n';
  out << "output    " << describe_end(schedule.output, schedule.output_number) << '\n';
  Index const work = program.work_a_reals + program.work_b_reals;
  out << "total     " << schedule.exchanges()
      << (schedule.exchanges() == 1 ? " exchange, " : " exchanges, ") << program.sweeps()
      << (program.sweeps() == 1 ? " pass" : " passes") << " over memory\n"
      << "per rank  input " << bytes(program.input_reals() * schedule.real_bytes) << ", output "
      << bytes(program.output_reals() * schedule.real_bytes) << ", work "
      << bytes(work * schedule.real_bytes);
  return out.str();
}

}  // namespace sixstep::plan
