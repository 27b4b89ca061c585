// SPDX-License-Identifier: BSD-3-Clause
// Programs in words.
#include <algorithm>
#include <iomanip>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "plan/composition.hpp"
#include "plan/match.hpp"
#include "plan/transfers.hpp"

namespace sixstep::plan {

namespace {

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

namespace {

/// What is told of a program.
struct Words {
  std::string steps;  // a line each
  int sweeps = 0;
  Index work_bytes = 0;
};

Words words_of(Schedule const& schedule, int rank, Program const& program) {
  std::ostringstream out;
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
  return {out.str(), program.sweeps(), program.all_work_reals() * schedule.real_bytes};
}

std::string describe_turn(exchange::Square const& square, Schedule const& schedule) {
  std::string const what =
      text("transposition in place in blocks, ", square.side, " x ", square.side, " items of ",
           bytes(square.item * schedule.bytes_of(Number::complex)));
  if (square.ranks == 1) return "pass      " + what;
  Index const message = square.buffer_points() / 2 * schedule.bytes_of(Number::complex);
  Index const block = square.block() * square.block() * square.item;
  Index const sent = (square.ranks - 1) * block * schedule.bytes_of(Number::complex);
  return text("exchange  ", what, ": messages of ", bytes(message), ", ", bytes(sent), " sent");
}

bool is_in_place(Composition const& composition) {
  return std::any_of(composition.formulas.begin(), composition.formulas.end(),
                     [](Formula const& f) { return std::holds_alternative<InPlace>(f); });
}

std::string describe_end(Placement const& end, Number number) {
  return text(end.layout.describe(), number == Number::real ? ", reals" : "",
              end.row > 0 ? text(" in rows of ", end.row) : "", '\n');
}

std::string total(int exchanges, int passes) {
  return text("total     ", exchanges, exchanges == 1 ? " exchange, " : " exchanges, ", passes,
              passes == 1 ? " pass" : " passes", " over memory\n");
}

}  // namespace

std::string describe(Schedule const& schedule, Limits const& limits, Arrays const& arrays) {
  int const rank = reference_rank(schedule);
  Program const program = compile(schedule, rank, limits, arrays);
  Words const words = words_of(schedule, rank, program);
  return text("input     ", describe_end(schedule.input, schedule.input_number), words.steps,
              "output    ", describe_end(schedule.output, schedule.output_number),
              total(schedule.exchanges(), words.sweeps), "why       ", reasons(schedule, program),
              "\nper rank  input ", bytes(program.input_reals() * schedule.real_bytes), ", output ",
              bytes(program.output_reals() * schedule.real_bytes), ", work ",
              bytes(words.work_bytes));
}

std::string describe(Composition const& composition, std::vector<Limits> const& limits,
                     bool preserve_input) {
  auto const limits_of = [&](std::size_t schedule) {
    return schedule < limits.size() ? limits[schedule] : Limits{};
  };
  if (composition.is_schedule())
    return describe(composition.schedules[0], limits_of(0), {.preserve_input = preserve_input});
  std::ostringstream steps, methods;
  for (Formula const& formula : composition.formulas)
    methods << "method    " << name(formula) << '\n';
  int const rank = reference_rank(composition.schedules[0]);
  int passes = 0;
  Index buffers = 0;
  std::vector<Index> work(composition.schedules.size(), 0);
  std::vector<Index> arrays(first_work, 0);
  for (Layout const& layout : composition.work)
    arrays.push_back(2 * layout.local_size(rank) * composition.schedules[0].real_bytes);
  for (Task const& task : composition.forward) {
    std::visit(match{[&](Run const& run) {
                       Schedule const& forward = composition.schedules[run.schedule];
                       Schedule const schedule = run.backward ? reverse(forward) : forward;
                       Limits const there = limits_of(run.schedule);
                       Program const program =
                           compile(schedule, rank, run.backward ? reversed(there) : there,
                                   {task.source == task.target, false, preserve_input});
                       Words const words = words_of(schedule, rank, program);
                       steps << words.steps;
                       passes += words.sweeps;
                       work[run.schedule] = std::max(work[run.schedule], words.work_bytes);
                       Index const most = std::max(program.input_reals(), program.output_reals());
                       for (Slot slot : {task.source, task.target})
                         arrays[slot] = std::max(arrays[slot], most * schedule.real_bytes);
                     },
                     [&](Apply const& apply) {
                       steps << "pass      " << name(apply.map) << '\n';
                       ++passes;
                     },
                     [&](Turn const& turn) {
                       steps << describe_turn(turn.square, composition.schedules[0]) << '\n';
                       if (turn.square.ranks == 1) ++passes;
                       buffers =
                           2 * turn.square.buffer_points() * composition.schedules[0].real_bytes;
                     }},
               task.what);
  }
  Index const unit = composition.schedules[0].real_bytes;
  auto const end_bytes = [&](Placement const& end, Number number) {
    return bytes(end.memory_size(rank) * reals_of(number) * unit);
  };
  return text("input     ", describe_end(composition.input, composition.input_number),
              methods.str(), steps.str(), "output    ",
              describe_end(composition.output, composition.output_number),
              total(composition.exchanges(), passes), "why       ",
              is_in_place(composition) ? "low memory for a single axis"
                                       : "a single axis, which ranks cannot share as it is",
              "\nper rank  input ", end_bytes(composition.input, composition.input_number),
              ", output ", end_bytes(composition.output, composition.output_number), ", work ",
              bytes(std::accumulate(arrays.begin() + first_work, arrays.end(), Index{0}) +
                    std::accumulate(work.begin(), work.end(), Index{0}) + buffers));
}

}  // namespace sixstep::plan
