// SPDX-License-Identifier: BSD-3-Clause
// Programs: from stages to sweeps, moves and buffers.
#include "plan/program.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

#include "plan/match.hpp"

namespace sixstep::plan {

namespace {

using exchange::Piece;

/// The Ffts between two exchanges, at one placement.
struct Segment {
  Placement here;
  std::vector<Pass> passes;  // axis and twiddle only
};

std::vector<Segment> segments(Schedule const& schedule) {
  std::vector<Segment> found{{schedule.input, {}}};
  for (Stage const& stage : schedule.stages) {
    std::vector<Pass>& passes = found.back().passes;
    std::visit(match{[&](Fft const& fft) {
                       Pass pass;
                       pass.axis = fft.axis;
                       passes.push_back(pass);
                     },
                     [&](Twiddle const& twiddle) {
                       // The schedule puts it right behind an Fft along one of its axes.
                       Pass& pass = passes.back();
                       pass.twiddle_axis = pass.axis == twiddle.axis ? twiddle.other : twiddle.axis;
                       pass.twiddle_period =
                           schedule.shape[twiddle.axis] * schedule.shape[twiddle.other];
                     },
                     [&](Exchange const& exchange) {
                       found.push_back({exchange.to, {}});
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

/// Splits the passes of one segment into sweeps: as many passes together as leave an axis untouched
/// along which the box falls into windows that fit the cache.
class Sweeper {
 public:
  Sweeper(Box const& box, Order const& order, int element_bytes, Limits const& limits)
      : box_(box), order_(order), element_bytes_(element_bytes), limits_(limits) {}

  std::vector<Sweep> run(std::vector<Pass> passes, Pieces const& source, Pieces const& dense,
                         Pieces const& target) const {
    std::vector<Sweep> sweeps;
    Pieces const middle = source.size() == 1 ? source : dense;
    for (std::size_t first = 0; first < passes.size();) {
      Sweep sweep;
      std::size_t last = first + 1;
      sweep.window_axis = window_axis(passes, first, last);
      while (last < passes.size()) {
        int const axis = window_axis(passes, first, last + 1);
        if (axis < 0 || unit_bytes(axis) > limits_.cache_bytes) break;
        sweep.window_axis = axis;
        ++last;
      }
      sweep.passes.assign(passes.begin() + static_cast<std::ptrdiff_t>(first),
                          passes.begin() + static_cast<std::ptrdiff_t>(last));
      if (sweep.window_axis >= 0) sweep.window = window(sweep.window_axis);
      connect(sweep, first == 0 ? source : middle, last == passes.size() ? target : middle);
      sweeps.push_back(std::move(sweep));
      first = last;
    }
    return sweeps;
  }

 private:
  Index extent(int axis) const { return box_.ranges[axis].count(); }

  /// The slowest axis of some extent that passes first..last-1 do not transform; -1 if there is
  /// none.
  int window_axis(std::vector<Pass> const& passes, std::size_t first, std::size_t last) const {
    for (int axis : order_) {
      bool touched = extent(axis) <= 1;
      for (std::size_t i = first; i < last; ++i) touched = touched || passes[i].axis == axis;
      if (!touched) return axis;
    }
    return -1;
  }

  /// Bytes of the box per count along an axis.
  Index unit_bytes(int axis) const {
    return box_.volume() / std::max<Index>(extent(axis), 1) * element_bytes_;
  }

  /// As much as fits the cache, but some windows for each thread.
  Index window(int axis) const {
    Index const fits = limits_.cache_bytes / std::max<Index>(unit_bytes(axis), 1);
    constexpr int windows_a_thread = 4;
    Index const share =
        limits_.threads == 1 ? extent(axis) : extent(axis) / (limits_.threads * windows_a_thread);
    Index const window = std::max<Index>(1, std::min(fits, share));
    constexpr Index lanes = 16;  // windows along the contiguous axis are whole vectors
    return axis == order_.back() ? (window + lanes - 1) / lanes * lanes : window;
  }

  /// Puts scratch between the passes. Rows of scratch are padded, because a power of two between
  /// them would send a column to few sets of the cache.
  void connect(Sweep& sweep, Pieces const& source, Pieces const& target) const {
    Piece scratch{box_, 0, Shape(box_.axes(), 0)};
    constexpr Index pad_bytes = 128;
    Index stride = 1;
    for (int position = order_.size() - 1; position >= 0; --position) {
      int const axis = order_[position];
      if (axis == sweep.window_axis) continue;
      scratch.strides[axis] = stride;
      stride *= extent(axis);
      if (scratch.strides[axis] == 1 && extent(axis) > 1) stride += pad_bytes / element_bytes_;
    }
    if (sweep.passes.size() > 1) {
      scratch.strides[sweep.window_axis] = stride;
      sweep.scratch_points = stride * sweep.window;
    }
    for (std::size_t i = 0; i < sweep.passes.size(); ++i) {
      Pass& pass = sweep.passes[i];
      pass.box = box_;
      pass.from_scratch = i > 0;
      pass.to_scratch = i + 1 < sweep.passes.size();
      pass.source = pass.from_scratch ? Pieces{scratch} : source;
      pass.target = pass.to_scratch ? Pieces{scratch} : target;
    }
  }

  Box box_;
  Order order_;
  int element_bytes_;
  Limits limits_;
};

// Steps.

/// Which memory order messages have: that of the receiver, who then need not unpack, or of the
/// sender.
enum class Packing { as_received, as_sent };

/// Whether two lists of pieces place every element alike.
bool same_places(Pieces const& a, Pieces const& b) { return coalesce(a) == coalesce(b); }

Sweep copy_sweep(Box const& box, Order const& order, Pieces const& source, Pieces const& target,
                 int element_bytes, Limits const& limits) {
  Pass copy;
  Sweeper const sweeper(box, order, element_bytes, limits);
  return sweeper.run({copy}, source, source, target).front();
}

/// The steps of one rank, the array's size at the beginning and after each.
struct Steps {
  std::vector<Step> steps;
  std::vector<Index> points;
};

Steps make_steps(Schedule const& schedule, int rank, std::vector<Packing> const& packing,
                 Limits const& limits) {
  std::vector<Segment> const parts = segments(schedule);
  int const axes = schedule.shape.size();
  Steps made;
  Pieces source = schedule.input.pieces(rank);
  Pieces const output = schedule.output.pieces(rank);
  made.points.push_back(schedule.input.layout.local_size(rank));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Segment const& part = parts[i];
    bool const is_final = i + 1 == parts.size();
    Pieces const dense = part.here.pieces(rank);
    exchange::Redistribution moves;
    if (!is_final) {
      Placement const& next = parts[i + 1].here;
      Order const order = memory_order(packing[i] == Packing::as_received ? next : part.here);
      moves = redistribution(part.here, next, rank, order);
    }
    Pieces const& target = is_final ? output : moves.send.packed;
    Index const target_points =
        is_final ? schedule.output.layout.local_size(rank) : moves.send.size;
    Order const order = memory_order(part.here);
    Box const box = local_box(dense, axes);
    std::vector<Sweep> sweeps;
    if (!part.passes.empty()) {
      sweeps = Sweeper(box, order, schedule.element_bytes, limits)
                   .run(part.passes, source, dense, target);
    } else if (!same_places(source, target) || (is_final && made.steps.empty())) {
      sweeps.push_back(copy_sweep(box, order, source, target, schedule.element_bytes, limits));
    }
    for (Sweep& sweep : sweeps) {
      bool const is_last = &sweep == &sweeps.back();
      made.points.push_back(is_last ? target_points : part.here.layout.local_size(rank));
      made.steps.emplace_back(std::move(sweep));
    }
    if (is_final) break;
    source = moves.receive.packed;
    made.points.push_back(moves.receive.size);
    made.steps.emplace_back(Move{part.here, parts[i + 1].here, std::move(moves)});
  }
  for (auto step = made.steps.rbegin(); step != made.steps.rend(); ++step) {
    auto* sweep = std::get_if<Sweep>(&*step);
    if (!sweep || !sweep->passes.back().axis) continue;
    sweep->passes.back().last = true;
    break;
  }
  return made;
}

// Buffers.

/// Chooses the buffer after each step by trying all: the least work memory, then the fewest
/// changes.
struct BufferSearch {
  std::vector<bool> may_stay;        // one a step: source and target buffer may be the same
  std::vector<Index> const& points;  // of the array before and after each step
  bool in_place;                     // then the input may be copied to a work array first
  Index output_capacity;

  std::vector<Buffer> current;
  std::vector<Buffer> best;
  std::array<Index, 2> best_cost{std::numeric_limits<Index>::max(), 0};

  std::vector<Buffer> run() {
    current = {in_place ? Buffer::output : Buffer::input};
    visit(0, 0, 0);
    if (best.empty()) {
      current = {Buffer::work_b};
      visit(0, points.front(), 1);
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
      Index const size = points[step + 1];
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
  BufferSearch search{may_stay, made.points, in_place, output_capacity, {}, {}};
  return search.run();
}

Program finish(Steps made) {
  Program program;
  program.input_points = made.points.front();
  program.output_points = made.points.back();
  program.out_of_place = assign_buffers(made, false, program.output_points);
  program.in_place =
      assign_buffers(made, true, std::max(program.input_points, program.output_points));
  for (auto const* buffers : {&program.out_of_place, &program.in_place}) {
    for (std::size_t i = 0; i < buffers->size(); ++i) {
      Index const size = made.points[i];
      if ((*buffers)[i] == Buffer::work_a)
        program.work_a_points = std::max(program.work_a_points, size);
      if ((*buffers)[i] == Buffer::work_b)
        program.work_b_points = std::max(program.work_b_points, size);
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
    Program const program = finish(make_steps(schedule, rank, packing, limits));
    std::array<Index, 2> const cost{program.sweeps(),
                                    program.work_a_points + program.work_b_points};
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

std::string describe_move(Move const& move, int rank, int element_bytes) {
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
      out << "fft " << schedule.shape[*pass.axis];
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
  return same_places(passes.front().source, passes.back().target);
}

int Program::sweeps() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](Step const& step) {
    return std::holds_alternative<Sweep>(step);
  }));
}

Program compile(Schedule const& schedule, int rank, Limits const& limits) {
  return finish(make_steps(schedule, rank, choose_packing(schedule), limits));
}

std::string describe(Schedule const& schedule, Limits const& limits) {
  int const rank = reference_rank(schedule);
  Program const program = compile(schedule, rank, limits);
  int const element = schedule.element_bytes;
  std::ostringstream out;
  out << "input     " << schedule.input.layout.describe() << '\n';
  for (Step const& step : program.steps)
    out << std::visit(match{[&](Sweep const& sweep) { return describe_sweep(sweep, schedule); },
                            [&](Move const& move) { return describe_move(move, rank, element); }},
                      step)
        << '\n';
  out << "output    " << schedule.output.layout.describe() << '\n';
  Index const work = program.work_a_points + program.work_b_points;
  out << "total     " << schedule.exchanges()
      << (schedule.exchanges() == 1 ? " exchange, " : " exchanges, ") << program.sweeps()
      << (program.sweeps() == 1 ? " pass" : " passes") << " over memory\n"
      << "per rank  input " << bytes(program.input_points * element) << ", output "
      << bytes(program.output_points * element) << ", work " << bytes(work * element);
  return out.str();
}

}  // namespace sixstep::plan
