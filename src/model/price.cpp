// SPDX-License-Identifier: BSD-3-Clause
// Prices: passes by memory and arithmetic, exchanges by messages, windows by the time that nothing
// hides.
#include "model/price.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/match.hpp"
#include "model/passes.hpp"
#include "program/ways.hpp"

namespace sixstep::model {

namespace {

/// Prices of steps of one rank's program.
class Pricing {
 public:
  Pricing(Machine const& machine, int ranks, int rank, int real_bytes)
      : machine_(machine),
        ranks_(ranks),
        node_(rank / machine.node_ranks),
        leaf_(leaf_of(node_)),
        rank_(rank),
        real_bytes_(real_bytes) {}

  StepPrice of(program::Sweep const& sweep, bool ends_with_table) const {
    program::Pass const &first = sweep.passes.front(), &last = sweep.passes.back();
    auto const bytes = [&](Box const& box, layout::Number number) {
      return static_cast<double>(box.volume() * layout::reals_of(number) * real_bytes_);
    };
    double const array = bytes(first.box, first.source_number);
    double const table = table_reals(sweep, ends_with_table) * real_bytes_;
    double const written = bytes(last.target_box, last.target_number);
    Traffic const traffic{
        .read = array,
        .table = table,
        .written = written,
        .from_strips = first.axis && !lie_together(first.source, *first.axis, sweep),
        .to_strips = last.axis && !lie_together(last.target, *last.axis, sweep),
        .through_buffer = last.axis && last.from_scratch && !has_rows(last.target, *last.axis),
        .fetches_target = !last.axis};
    double arithmetic_s = 0;
    for (program::Pass const& pass : sweep.passes)
      if (pass.axis)
        arithmetic_s +=
            flops_of(pass) / kernel_flops_per_s(machine_, pass.points, real_bytes_, rate_of(pass));
    return {.seconds = seconds_of(traffic, arithmetic_s), .bytes = array + table + written};
  }

  /// A pass that copies.
  StepPrice of_copy(double read, double written) const {
    return {.seconds = seconds_of({.read = read, .written = written, .fetches_target = true}, 0),
            .bytes = read + written};
  }

  StepPrice of(program::Move const& move) const {
    switch (move.way.medium) {
      case redistribution::Medium::in_memory:
        return {.communicates = true, .seconds = meeting_seconds()};
      case redistribution::Medium::by_nodes:
        return by_hops(move);
      case redistribution::Medium::messages:
        break;
    }
    StepPrice price{.communicates = true};
    bool const is_staged = machine_.device && machine_.device->staged_bytes_per_s;
    double kept = 0, staged_within = 0;
    bool leaves = false;
    for (redistribution::Message const& message : move.moves->send.messages) {
      bool const is_within = message.rank / machine_.node_ranks == node_;
      auto const bytes =
          static_cast<double>(move.bytes_sent(message.count, !is_within, real_bytes_));
      if (message.rank == rank_)
        kept += bytes;
      else if (is_within && is_staged)
        staged_within += bytes;
      else
        add(price, message.rank, bytes);
      leaves = leaves || !is_within;
    }
    if (leaves && std::holds_alternative<Torus>(machine_.between_nodes().shape))
      price.seconds += kept / sent_bytes_per_s(machine_, ranks_, true, kept);
    if (!is_staged) return price;
    double const rate = *machine_.device->staged_bytes_per_s;
    price.seconds = staged_within / rate +
                    staged_seconds(price.seconds, price.bytes / rate, move.cuts.before.windows);
    price.bytes += staged_within;
    return price;
  }

  /// The time of messages to other nodes. Copies out, messages and copies in run one after the
  /// other; several windows overlap. Ranks of a node copy out and in at the same time.
  static double staged_seconds(double messages_s, double copies_s, int windows) {
    double const longest = std::max(messages_s, copies_s);
    return longest + (messages_s + 2 * copies_s - longest) / windows;
  }

  /// Adds a message to `rank`.
  void add(StepPrice& price, int rank, double bytes) const {
    int const node = rank / machine_.node_ranks;
    if (node == node_) {
      Inside const& inside = machine_.inside;
      price.seconds += inside.latency_s + bytes / inside.rank_bytes_per_s.at(bytes);
      price.overhead_s += inside.overhead_s;
    } else {
      Network const& network = machine_.between_nodes();
      price.seconds += network.latency_s +
                       bytes / sent_bytes_per_s(machine_, ranks_, leaf_of(node) != leaf_, bytes);
      price.overhead_s += network.overhead_s;
    }
    price.bytes += bytes;
    ++price.messages;
  }

  /// The seconds of a meeting. Without a figure for it, the number of ranks that have heard of each
  /// other doubles with each latency.
  double meeting_seconds() const {
    if (ranks_on_node() > 1 && machine_.inside.meeting_s) return *machine_.inside.meeting_s;
    return machine_.inside.latency_s * std::ceil(std::log2(ranks_on_node()));
  }

 private:
  int ranks_on_node() const { return std::min(machine_.node_ranks, ranks_); }

  int leaf_of(int node) const {
    if (!machine_.network) return 0;
    auto const* tree = std::get_if<FatTree>(&machine_.network->shape);
    return tree ? node / tree->leaf_nodes : 0;
  }

  /// The bytes that a pass reads and writes.
  struct Traffic {
    double read = 0;
    double table = 0;  // read from begin to end
    double written = 0;
    bool from_strips = false;
    bool to_strips = false;
    bool through_buffer = false;  // in cache, on the way to strips of a window
    bool fetches_target = false;  // it writes lines that are not in cache, and does not bypass the
                                  // cache
  };

  /// Seconds of memory and arithmetic add up on a core, but all cores together get no more than the
  /// memory's rate.
  double seconds_of(Traffic const& traffic, double arithmetic_s) const {
    double const all = traffic.read + traffic.table + traffic.written;
    if (!machine_.memory || all <= machine_.memory->cache_bytes) return arithmetic_s;
    double const together_s = copy_seconds(traffic, machine_.memory->together);
    if (!machine_.memory->alone) return together_s + arithmetic_s;
    double const working = static_cast<double>(ranks_on_node()) / machine_.node_ranks;
    // `alone` assumes that the rank has a whole core.
    double const core = std::min(1.0, static_cast<double>(machine_.node_cores) / ranks_on_node());
    return std::max(working * together_s,
                    copy_seconds(traffic, *machine_.memory->alone) / core + arithmetic_s);
  }

  double copy_seconds(Traffic const& traffic, Copies const& copies) const {
    double const read = traffic.read, written = traffic.written,
                 all = read + traffic.table + written;
    double const share = copies.strip_share.at(all), rate = copies.copied_bytes_per_s.at(all);
    double const moved = traffic.table + (traffic.from_strips ? read / share : read) +
                         (traffic.to_strips ? written / share : written);
    if (copies.copied_bytes_per_s.is_same()) return moved / (2 * rate);
    double const fetched = traffic.fetches_target ? written : 0;
    double const in_cache = traffic.through_buffer ? written : 0;
    return (moved + fetched) / (2 * rate) +
           in_cache / copies.copied_bytes_per_s.at(machine_.memory->cache_bytes);
  }

  /// The share of nodes at other leaves among the other nodes that this rank sends to.
  double share_abroad(program::Move const& move) const {
    std::set<int> nodes;
    for (int receiver : redistribution::partners(move.from.pieces(rank_), move.to))
      nodes.insert(receiver / machine_.node_ranks);
    nodes.erase(node_);
    auto const abroad =
        std::ranges::count_if(nodes, [&](int node) { return leaf_of(node) != leaf_; });
    return nodes.empty() ? 0 : static_cast<double>(abroad) / static_cast<double>(nodes.size());
  }

  /// Hops run one after another. The messages of a node run in turn, as many at a time as it has
  /// ranks. The messages of this rank stand for those of the others.
  StepPrice by_hops(program::Move const& move) const {
    StepPrice price{.communicates = true};
    Network const& network = machine_.between_nodes();
    double const abroad = share_abroad(move);
    for (redistribution::HopMessages const& hop : move.moves->hops) {
      Index const carriers = std::clamp<Index>(hop.sent_by_node, 1, ranks_on_node());
      Index const in_turn = (hop.sent_by_node + carriers - 1) / carriers;
      auto const& carried = hop.sends.empty() ? hop.receives : hop.sends;
      double bytes = 0;
      for (redistribution::Bundle const& bundle : carried)
        bytes += static_cast<double>(move.bytes_sent(bundle.count(), true, real_bytes_));
      if (!hop.sends.empty()) price.bytes += bytes;
      price.messages += static_cast<Index>(hop.sends.size());
      if (machine_.device && machine_.device->staged_bytes_per_s)
        price.seconds += 2 * bytes / *machine_.device->staged_bytes_per_s;  // out, and then in
      if (!carried.empty()) bytes /= static_cast<double>(carried.size());
      // If few ranks send, each has more of the link.
      double const share = static_cast<double>(ranks_on_node()) / static_cast<double>(carriers);
      auto const seconds = [&](bool leaves_leaf) {
        double const link = share * sent_bytes_per_s(machine_, ranks_, leaves_leaf, bytes);
        return bytes / std::min(network.rank_bytes_per_s.at(bytes), link);
      };
      price.seconds += static_cast<double>(in_turn) *
                       (network.latency_s + (1 - abroad) * seconds(false) + abroad * seconds(true));
    }
    price.seconds += static_cast<double>(move.moves->hops.size()) * meeting_seconds();
    return price;
  }

  Machine const& machine_;
  int ranks_, node_, leaf_, rank_, real_bytes_;
};

/// The seconds of passes, and those of exchanges, that nothing hides if steps run in windows. The
/// overhead of messages hides nothing, because the computing thread spends it.
struct Uncovered {
  double passes_s = 0;
  double exchanges_s = 0;
};

Uncovered uncovered(program::Program const& program, std::vector<StepPrice> const& prices) {
  Uncovered found;
  std::vector<double> passes;  // seconds of one window of each
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    program::Step const& step = program.steps[i];
    if (auto const* sweep = std::get_if<program::Sweep>(&step.work))
      passes.push_back(prices[i].seconds / std::max(1, sweep->cut_windows()));
    else if (auto const* move = std::get_if<program::Move>(&step.work))
      found.exchanges_s += prices[i].overhead_s +
                           (prices[i].seconds - prices[i].overhead_s) / move->cuts.before.windows;
    else
      found.exchanges_s += prices[i].seconds;
  }
  if (!passes.empty()) found.passes_s = passes.front();
  if (passes.size() > 1) found.passes_s += passes.back();
  return found;
}

void append(Price& all, Price const& part) {
  all.steps.insert(all.steps.end(), part.steps.begin(), part.steps.end());
  all.communication_s += part.communication_s;
  all.computation_s += part.computation_s;
  all.seconds += part.seconds;
}

Price alone(StepPrice step) {
  Price found;
  (step.communicates ? found.communication_s : found.computation_s) = step.seconds;
  found.seconds = step.seconds;
  found.steps.push_back(std::move(step));
  return found;
}

Price price_of(formulas::Turn const& turn, Pricing const& pricing, int rank, int real_bytes) {
  redistribution::Square const& square = turn.square;
  auto const bytes = [&](Index points) {
    return static_cast<double>(points * layout::reals_of(layout::Number::complex) * real_bytes);
  };
  StepPrice step;
  if (square.ranks == 1) {
    step = pricing.of_copy(bytes(square.points()), bytes(square.points()));
  } else {
    step.communicates = true;
    Index const rows = square.rows_at_once();
    for (int other = 0; other < square.ranks; ++other)
      for (Index row = 0; other != rank && row < square.block(); row += rows)
        pricing.add(step, other,
                    bytes(std::min(rows, square.block() - row) * square.block() * square.item));
  }
  step.what = formulas::name(turn);
  return alone(std::move(step));
}

}  // namespace

StepPrice price(program::Sweep const& sweep, int ranks, int real_bytes, Machine const& machine) {
  return Pricing(machine, ranks, 0, real_bytes).of(sweep, false);
}

Price price(schedule::Schedule const& schedule, program::Program const& program, int rank,
            Machine const& machine, bool ends_with_table) {
  Pricing const pricing(machine, schedule.input.layout.ranks(), rank, schedule.real_bytes);
  Price found;
  std::vector<StepPrice> prices;
  std::map<std::size_t, StepPrice> listed;
  for (program::Step const& step : program.steps) {
    StepPrice const price = std::visit(
        match{[&](program::Sweep const& sweep) { return pricing.of(sweep, ends_with_table); },
              [&](program::Move const& move) { return pricing.of(move); },
              [&](program::Meeting const&) {
                return StepPrice{.communicates = true, .seconds = pricing.meeting_seconds()};
              }},
        step.work);
    prices.push_back(price);
    (price.communicates ? found.communication_s : found.computation_s) += price.seconds;
    if (std::holds_alternative<program::Meeting>(step.work)) continue;
    StepPrice& line = listed[step.shown_as];
    line.what = program::name(program.steps[step.shown_as], schedule);
    line.communicates = price.communicates;
    line.seconds += price.seconds;
    line.overhead_s += price.overhead_s;
    line.bytes += price.bytes;
    line.messages += price.messages;
  }
  for (auto& [number, line] : listed) found.steps.push_back(std::move(line));
  // At the end ranks meet, so that no rank frees an array which others still read.
  if (program.arrays.in_segments) found.communication_s += pricing.meeting_seconds();
  found.seconds = found.communication_s + found.computation_s;
  if (program.flows) {
    Uncovered const left = uncovered(program, prices);
    found.seconds =
        std::max(found.communication_s + left.passes_s, found.computation_s + left.exchanges_s);
  }
  return found;
}

Price price(formulas::Composition const& composition, std::vector<program::Limits> const& limits,
            Machine const& machine, program::Arrays const& arrays) {
  schedule::Schedule const& any = composition.schedules[0];
  int const rank = program::reference_rank(any);
  Pricing const pricing(machine, any.input.layout.ranks(), rank, any.real_bytes);
  auto const bytes = [&](formulas::Slot slot) {
    Index const reals = slot == formulas::given ? composition.input.reals(rank)
                        : slot == formulas::result
                            ? composition.output.reals(rank)
                            : composition.work[slot - formulas::first_work].local_size(rank) *
                                  layout::reals_of(layout::Number::complex);
    return static_cast<double>(reals * any.real_bytes);
  };
  auto const of_run = [&](formulas::Run const& run, formulas::Task const& task) {
    auto const [schedule, program] = composition.compiled(task, rank, limits, arrays);
    return price(schedule, program, rank, machine, run.times.has_value());
  };
  auto const of_apply = [&](formulas::Apply const& apply, formulas::Task const& task) {
    StepPrice step = pricing.of_copy(bytes(task.source), bytes(task.target));
    step.what = composition.formulas[apply.formula]->name(apply.work);
    return alone(std::move(step));
  };
  Price all;
  for (formulas::Task const& task : composition.forward)
    append(all,
           std::visit(match{[&](formulas::Run const& run) { return of_run(run, task); },
                            [&](formulas::Apply const& apply) { return of_apply(apply, task); },
                            [&](formulas::Turn const& turn) {
                              return price_of(turn, pricing, rank, any.real_bytes);
                            }},
                      task.what));
  return all;
}

}  // namespace sixstep::model
