// SPDX-License-Identifier: BSD-3-Clause
// Transfers: of all ways to do the exchanges, the one with the best program.
#include "plan/transfers.hpp"

#include <algorithm>
#include <utility>

#include "plan/match.hpp"

namespace sixstep::plan {

namespace {

Index count_sweeps(std::vector<Step> const& steps) {
  return std::count_if(steps.begin(), steps.end(),
                       [](Step const& step) { return std::holds_alternative<Sweep>(step); });
}

/// What is transformed before an exchange and behind it.
struct Neighbours {
  std::optional<int> before, behind;
};

/// Columns of a tile: as many as a strip has. Where each tile gets a part of every row's transform,
/// all shall be alike, if a few columns less can do that.
Index tile_of(Index columns, Index element_bytes, bool parts_of_transforms) {
  constexpr Index tile_bytes = 512;
  Index const widest = tile_bytes / element_bytes;
  for (Index tile = widest; parts_of_transforms && 4 * tile >= 3 * widest; --tile)
    if (columns % tile == 0) return tile;
  return widest;
}

/// The array as `from` has it, but in the order in which it will be read: by `to`, transforming
/// an axis, if any, of as many columns at a time as make a tile. None if the two have not the same
/// axes.
std::optional<Placement> as_read(Placement const& from, Placement const& to, Neighbours const& axes,
                                 Index element_bytes) {
  if (!(from.view == to.view)) return std::nullopt;
  Order const& order = to.layout.order();
  int const fastest = order.back();
  int rows = fastest;  // the user's axis that is transformed
  for (int user = 0; user < order.size(); ++user)
    for (int digit : from.view.digits[user])
      if (axes.behind == digit) rows = user;
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
  Index const columns = from.layout.shape()[fastest];
  bool const parts = can_be_cut && axes.before == from.view.digits[fastest][0];
  Index const tile = tile_of(columns, element_bytes, parts);
  if (can_be_cut && columns > tile) resting.tile = tile;
  return resting;
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
    std::optional<int> before;
    for (Stage const& stage : schedule.stages) {
      if (auto const* fft = std::get_if<Fft>(&stage)) {
        if (!exchanges_.empty() && !exchanges_.back().axes.behind)
          exchanges_.back().axes.behind = fft->axis;
        before = fft->axis;
        if (fft->kind == Kind::r2c) number = other(number);
      }
      if (auto const* exchange = std::get_if<Exchange>(&stage))
        exchanges_.push_back({exchange, schedule.bytes_of(number), {before, {}}});
    }
  }

  /// `decided` are those of the same schedule, whose messages are packed alike; none of another.
  Transfers run(Transfers decided) {
    decided_ = std::move(decided);
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
    if (way == Way::messages && !decided_.empty()) return tryout({decided_[i].packing, way});
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
    // Of equals the first wins. In the output's own place the last pass works in place, and writes
    // nothing but what it has just read.
    if (to == schedule_.output) add(to);
    add(as_read(from, to, exchanges_[i].axes, exchanges_[i].element_bytes));
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
    Neighbours axes;
  };
  std::vector<Ahead> exchanges_;
  Transfers decided_;
  Transfers current_;
  Transfers best_;
  std::array<Index, 2> best_cost_{unbounded, unbounded};
};

}  // namespace

int reference_rank(Schedule const& schedule) {
  Layout const& layout = schedule.input.layout;
  int reference = 0;
  for (int rank = 1; rank < layout.ranks() && layout.local_size(reference) == 0; ++rank)
    reference = rank;
  return reference;
}

Limits common(Limits const& limits) {
  Limits same;
  same.ways = limits.ways;
  same.node = limits.node;
  same.segment = limits.segment;
  same.segment_bytes = limits.segment_bytes;
  same.blocks = limits.blocks;
  return same;
}

bool stays_on_a_node(Limits const& limits) {
  return std::all_of(limits.ways.begin(), limits.ways.end(),
                     [](Way way) { return way == Way::in_memory; });
}

Program make_program(Schedule const& schedule, int rank, Transfers const& transfers,
                     Limits const& limits, Arrays const& arrays, Block const* block,
                     std::array<Index, 2> const& bound) {
  Steps made = make_steps(schedule, rank, transfers, limits, arrays, block);
  Program program;
  program.input_number = schedule.input_number;
  program.output_number = schedule.output_number;
  program.input_points = schedule.input.memory_size(rank);
  program.output_points = schedule.output.memory_size(rank);
  Index const sweeps = count_sweeps(made.steps);
  if (sweeps > bound[0]) return program;
  Assignment assigned =
      assign_buffers(made, arrays, block != nullptr, sweeps < bound[0] ? unbounded : bound[1]);
  program.buffers = std::move(assigned.buffers);
  program.compared_reals = assigned.reals;
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    auto const buffer = static_cast<std::size_t>(program.buffers[i]);
    if (buffer >= work_arrays) continue;
    program.work_reals[buffer] = std::max(program.work_reals[buffer], made.stops[i].reals);
  }
  for (std::size_t i = 0; i < made.steps.size(); ++i) program.shown_as.push_back(i);
  program.steps = std::move(made.steps);
  return program;
}

Transfers choose_transfers(Schedule const& schedule, Limits const& limits, Arrays const& arrays,
                           Block const* block) {
  if (!arrays.in_segments || stays_on_a_node(limits))
    return TransferSearch(schedule, limits, arrays, block).run({});
  // Another node may have other arrays, and cannot be asked: its messages must be the same.
  Arrays apart = arrays;
  apart.in_segments = false;
  return TransferSearch(schedule, limits, arrays, block)
      .run(TransferSearch(schedule, limits, apart, block).run({}));
}

}  // namespace sixstep::plan
