// SPDX-License-Identifier: BSD-3-Clause
// Programs in words.
#include <algorithm>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <utility>

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
