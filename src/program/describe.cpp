// SPDX-License-Identifier: BSD-3-Clause
// Programs in words.
#include "program/describe.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "base/match.hpp"
#include "layout/counting.hpp"

namespace sixstep::program {

std::string bytes_in_words(Index count) {
  constexpr char const* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double amount = static_cast<double>(count);
  int unit = 0;
  for (; amount >= 1024 && unit < 5; ++unit) amount /= 1024;
  std::ostringstream out;
  out << std::setprecision(amount < 1000 ? 3 : 4) << amount << ' ' << units[unit];
  return out.str();
}

namespace {

/// The bytes of each message from `rank` to another rank or node.
std::vector<Index> bytes_sent(Move const& move, int rank, int real_bytes) {
  std::vector<Index> bytes;
  for (redistribution::Message const& message : move.moves->send.messages)
    if (message.rank != rank) bytes.push_back(move.bytes_sent(message, real_bytes));
  for (redistribution::HopMessages const& hop : move.moves->hops)
    for (redistribution::Bundle const& bundle : hop.sends)
      bytes.push_back(bundle.count() * layout::reals_of(move.number()) * real_bytes);
  return bytes;
}

/// ", 6.2 MiB saved" where messages are shortened.
std::string saved_in_words(Move const& move, int real_bytes) {
  if (!move.form.shortens()) return "";
  Index saved = 0;
  for (redistribution::Message const& message : move.moves->send.messages)
    saved +=
        move.bytes_sent(message.count, false, real_bytes) - move.bytes_sent(message, real_bytes);
  for (redistribution::HopMessages const& hop : move.moves->hops)
    for (redistribution::Bundle const& bundle : hop.sends)
      saved += move.bytes_sent(bundle.count(), false, real_bytes) -
               move.bytes_sent(bundle.count(), true, real_bytes);
  return text(", ", bytes_in_words(saved), " saved");
}

/// "; 14 messages from the node, in two hops".
std::string of_the_node(std::vector<redistribution::HopMessages> const& hops) {
  Index sent = 0;
  for (redistribution::HopMessages const& hop : hops) sent += hop.sent_by_node;
  return text("; ", sent, sent == 1 ? " message" : " messages", " from the node",
              hops.size() > 1 ? ", in two hops" : "");
}

/// ", from 16 windows to 16, sent where they lie in the array".
std::string in_windows(Move const& move) {
  int const before = move.cuts.before.windows, behind = move.cuts.behind.windows;
  if (before == 1 && behind == 1) return "";
  auto const [sent, received] = move.way.in_array;
  std::string const unpacked = sent && received ? "sent and received"
                               : sent           ? "sent"
                               : received       ? "received"
                                                : "";
  return text(", from ", before, before == 1 ? " window to " : " windows to ", behind,
              unpacked.empty() ? "" : ", " + unpacked + " where they lie in the array");
}

std::string describe_move(Move const& move, int rank, int real_bytes) {
  if (move.way.medium == redistribution::Medium::in_memory)
    return text("exchange  to ", move.to.layout.describe(), ": in shared memory, no messages");
  std::vector<Index> const bytes = bytes_sent(move, rank, real_bytes);
  auto const [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  Index const smallest = bytes.empty() ? 0 : *least, largest = bytes.empty() ? 0 : *most;
  Index const sent = std::accumulate(bytes.begin(), bytes.end(), Index{0});
  std::string const size = smallest == largest
                               ? bytes_in_words(largest)
                               : bytes_in_words(smallest) + " to " + bytes_in_words(largest);
  return text("exchange  to ", move.to.layout.describe(), ": ", bytes.size(),
              bytes.size() == 1 ? " message of " : " messages of ", size, ", ",
              bytes_in_words(sent), " sent", saved_in_words(move, real_bytes),
              move.way.medium == redistribution::Medium::by_nodes ? of_the_node(move.moves->hops)
                                                                  : in_windows(move));
}

}  // namespace

std::string end_in_words(layout::Placement const& end) {
  return text(end.layout.describe(), end.number == layout::Number::real ? ", reals" : "",
              end.row > 0 ? text(" in rows of ", end.row) : "",
              end.own_strides.empty() ? "" : text(" with strides ", list(end.own_strides, ", ")),
              '\n');
}

std::string steps_in_words(schedule::Schedule const& schedule, int rank, Program const& program) {
  std::ostringstream out;
  std::map<std::size_t, int> times;
  for (Step const& step : program.steps) ++times[step.shown_as];
  for (auto const& [number, count] : times) {
    Step const& step = program.steps[number];
    if (std::holds_alternative<Meeting>(step.work)) continue;
    out << std::visit(
        match{[&](auto const&) { return "pass      " + name(step, schedule); },
              [&](Move const& move) { return describe_move(move, rank, schedule.real_bytes); }},
        step.work);
    if (count > 1) out << ", in " << count << " windows";
    out << '\n';
  }
  return out.str();
}

std::string total_in_words(int exchanges, int passes) {
  return text("total     ", exchanges, exchanges == 1 ? " exchange, " : " exchanges, ", passes,
              passes == 1 ? " pass" : " passes", " over memory\n");
}

std::string reasons_in_words(schedule::Schedule const& schedule, Program const& program) {
  if (!schedule.transforms()) return "nothing is transformed";
  std::set<int> split;  // transformed axes of the input that it splits
  auto const& digits = schedule.input.view.digits;
  for (schedule::Stage const& stage : schedule.stages)
    if (auto const* fft = std::get_if<schedule::Fft>(&stage);
        fft && !schedule.input.whole(fft->axis))
      for (int axis = 0; axis < digits.size(); ++axis)
        if (std::find(digits[axis].begin(), digits[axis].end(), fft->axis) != digits[axis].end())
          split.insert(axis_name(axis, digits.size()));
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
    auto const* sweep = std::get_if<Sweep>(&step.work);
    if (!sweep || sweep->passes.size() < 2 || std::exchange(told, true)) continue;
    out << "; " << sweep->passes.size() << " transforms a pass, as "
        << bytes_in_words(sweep->scratch_reals * schedule.real_bytes)
        << " between them stay in cache";
  }
  return out.str();
}

}  // namespace sixstep::program
