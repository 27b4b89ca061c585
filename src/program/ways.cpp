// SPDX-License-Identifier: BSD-3-Clause
// Finds the ways of the exchanges that give the best program.
#include "program/ways.hpp"

#include <algorithm>
#include <utility>

#include "program/exchanges.hpp"
#include "program/flow.hpp"
#include "program/legs.hpp"

namespace sixstep::program {

namespace {

using redistribution::InArray;

ToCompile run_in_turn(ToCompile given) {
  given.limits.exchange_windows = 1;
  return given;
}

/// Tries all ways of the exchanges.
class WaySearch {
 public:
  /// `decided` are the ways of the same schedule for other arrays, whose messages must be packed in
  /// the same way; it may be empty.
  explicit WaySearch(ToCompile const& given, std::vector<Way> decided = {})
      : given_(given),
        arrays_{given.arrays},
        decided_(std::move(decided)),
        exchanges_(given.schedule),
        rank_(reference_rank(given.schedule)) {
    // Ranks may differ in the other limits, but not in what they choose here.
    given_.limits = given.limits.common();
    // A rank with neither input nor output cannot tell whether the others work in place, so the
    // choice must not depend on it. In segments all ranks know it.
    if (!given.arrays.in_segments && !given.excerpt) {
      arrays_.push_back(given.arrays);
      arrays_[0].in_place = false;
      arrays_[1].in_place = true;
    }
    if (given_.limits.exchange_windows > 1) bound_memory();
  }

  Chosen run() {
    if (exchanges_.empty()) return {{}, given_.limits.exchange_windows};
    bool const in_arrays = given_.limits.exchange_windows > 1 && given_.limits.in_arrays;
    if (in_arrays) unpacked_ = {{.receive = true}};
    search();
    // MPI packs what is sent as it lies, so this is tried only where steps would have to wait.
    if (in_arrays && best_cost_.waits > 0 && !take_by_rank()) {
      unpacked_ = {{.receive = true}, {.send = true}, {.send = true, .receive = true}};
      search();
    }
    if (best_.empty() && !in_turn_.empty()) return {in_turn_, 1};
    require_internal(!best_.empty(), "no assignment of buffers was found");
    return {best_, given_.limits.exchange_windows, in_turn_};
  }

 private:
  /// Bounds memory by what the program takes in turn.
  void bound_memory() {
    ToCompile in_turn = run_in_turn(given_);
    in_turn_ = WaySearch(in_turn).run().ways;
    for (Arrays const& arrays : arrays_) {
      in_turn.arrays = arrays;
      most_reals_.push_back(make_program(in_turn, rank_, in_turn_).value().cost.reals);
    }
  }

  /// Tries all ways together or, of many exchanges, first all that pack both ends, and then the
  /// others: for two exchanges at a time that mirror each other, as those of operators and maps do,
  /// and for one.
  void search() {
    visit();
    if (exchanges_.are_few() || unpacked_.empty()) return;
    std::vector<Way> packed = best_;
    for (std::size_t i = packed.size(); i < exchanges_.size(); ++i) {
      packed.push_back({.medium = given_.limits.medium_of(i)});
      if (packed[i].medium == redistribution::Medium::in_memory) return;
    }
    visit_mirrored(packed, 0);
    for (bool is_better = true; is_better;) {
      Cost const before = best_cost_;
      for (std::size_t i = 0; i < best_.size(); ++i)
        for (redistribution::InArray const& ends : unpacked_) {
          current_ = best_;
          if (set_ends(i, ends)) judge();
        }
      is_better = best_cost_ < before;
    }
    current_.clear();
  }

  /// Judges `ways` with all ends of exchanges i ... and of those that mirror them.
  void visit_mirrored(std::vector<Way> const& ways, std::size_t i) {
    std::size_t const mirror = ways.size() - 1 - i;
    if (i > mirror || mirror >= ways.size()) {
      current_ = ways;
      return judge();
    }
    visit_mirrored(ways, i + 1);
    for (redistribution::InArray const& ends : unpacked_) {
      current_ = ways;
      bool const is_set =
          set_ends(i, ends) && (i == mirror || set_ends(mirror, {ends.receive, ends.send}));
      if (is_set) visit_mirrored(std::vector<Way>(current_), i + 1);
    }
  }

  /// Sets the ends of exchange i of the current ways, if it goes by messages that allow it.
  bool set_ends(std::size_t i, redistribution::InArray const& ends) {
    for (Way& way : current_) way.buffer = Way().buffer;
    if (current_[i].medium != redistribution::Medium::messages || !exchanges_.is_of_boxes(i))
      return false;
    current_[i] = {.in_array = ends};
    return true;
  }

  void visit() {
    std::size_t const i = current_.size();
    if (i == exchanges_.size()) return judge();
    bool const try_both = static_cast<Index>(i) < given_.limits.tuning.most_orders_tried;
    bool const try_ends = try_both && exchanges_.are_few() && exchanges_.is_of_boxes(i);
    switch (redistribution::Medium const medium = given_.limits.medium_of(i)) {
      case redistribution::Medium::messages:
        if (!decided_.empty()) return tryout(decided_[i]);
        tryout({medium, Way::Packing::as_received});
        if (try_both) tryout({medium, Way::Packing::as_sent});
        for (redistribution::InArray const& ends : unpacked_)
          if (try_ends) tryout({.medium = medium, .in_array = ends});
        return;
      case redistribution::Medium::by_nodes:
        return tryout({medium});
      case redistribution::Medium::in_memory:
        std::optional<layout::Placement> const before =
            i > 0 ? current_.back().resting : std::nullopt;
        for (layout::Placement const& rest :
             exchanges_.rests(i, before, given_.limits.tuning.tile_row_bytes))
          tryout({.medium = medium, .resting = rest});
    }
  }

  /// Packs messages by rank, and receives the last ones in the array, if then no window waits for
  /// later ones, at least where arrays are not in place. This takes exchanges with as many partners
  /// each, and windows that go straight through all exchanges but the last.
  bool take_by_rank() {
    std::size_t const exchanges = exchanges_.size();
    if (exchanges < 2 || !given_.limits.media.empty() || !go_straight()) return false;
    for (std::size_t i = 0; i < exchanges; ++i)
      if (!exchanges_.is_of_boxes(i) ||
          exchanges_.partners(i, rank_) != exchanges_.partners(0, rank_))
        return false;
    std::vector<Way> by_rank(exchanges, Way{.by_rank = true});
    by_rank.back().in_array.receive = true;
    Index sweeps = 0;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      given_.arrays = arrays_[i];
      auto made = make_program(given_, rank_, by_rank, {}, most_reals_[i]);
      if (!made || (sweeps += made->cost.sweeps) > best_cost_.sweeps) return false;
      if (i > 0) continue;
      find_room(made->program.steps);
      if (!keeps_pace(made->program.steps)) return false;
    }
    best_ = std::move(by_rank);
    return true;
  }

  /// Whether all legs but the last are cut along the same axis.
  bool go_straight() const {
    std::vector<Leg> const all = legs(given_.schedule);
    auto const axis = [&](Leg const& leg) {
      return cut_of(leg, given_.limits.exchange_windows).axis;
    };
    return std::all_of(all.begin(), all.end() - 1,
                       [&](Leg const& leg) { return axis(leg) == axis(all.front()); });
  }

  void tryout(Way const& way) {
    current_.push_back(way);
    visit();
    current_.pop_back();
  }

  void judge() {
    std::vector<Way> ways = current_;
    Cost cost{0, 0, 0};
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      given_.arrays = arrays_[i];
      auto const made = make_program(given_, rank_, ways, best_cost_,
                                     most_reals_.empty() ? unbounded : most_reals_[i]);
      if (!made) return;
      cost = {cost.waits + made->cost.waits, cost.sweeps + made->cost.sweeps,
              cost.reals + made->cost.reals};
      auto way = ways.begin();
      for (Step const& step : made->program.steps) {
        auto const* move = std::get_if<Move>(&step.work);
        if (!move) continue;
        if (way->medium != redistribution::Medium::messages) way->buffer = step.source;
        ++way;
      }
    }
    if (cost >= best_cost_) return;
    best_ = std::move(ways);
    best_cost_ = cost;
  }

  ToCompile given_;
  std::vector<Arrays> arrays_;
  std::vector<Way> decided_;
  Exchanges exchanges_;
  int rank_;
  std::vector<Way> current_;
  std::vector<Way> best_;
  std::vector<Way> in_turn_;
  std::vector<redistribution::InArray> unpacked_;  // ends of messages that are tried
  Cost best_cost_;
  std::vector<Index> most_reals_;  // for each of arrays_; empty: no limit
};

}  // namespace

int reference_rank(schedule::Schedule const& schedule) {
  Layout const& layout = schedule.input.layout;
  int reference = 0;
  for (int rank = 1; rank < layout.ranks() && layout.local_size(reference) == 0; ++rank)
    reference = rank;
  return reference;
}

std::optional<Priced> make_program(ToCompile const& given, int rank, std::vector<Way> const& ways,
                                   Cost const& bound, Index most_reals) {
  Draft draft = make_draft(given, rank, ways);
  Index sweeps = draft.sweeps();
  Burden burden{bound.waits, bound.reals};
  if (sweeps > bound.sweeps) burden.reals = 0;
  if (sweeps < bound.sweeps) burden.reals = unbounded;
  bool const has_own_strides = !given.schedule.input.own_strides.empty();
  bool const may_copy = !given.excerpt && !has_own_strides;
  Assignment assigned = assign_buffers(draft, given.arrays, may_copy, burden, most_reals);
  if (assigned.buffers.empty() && given.arrays.in_place && has_own_strides) {
    draft = make_draft(given, rank, ways, true);
    sweeps = draft.sweeps();
    assigned = assign_buffers(draft, given.arrays, false, burden, most_reals);
  }
  if (assigned.buffers.empty()) return std::nullopt;
  Program program;
  program.arrays = given.arrays;
  program.input_reals = given.schedule.input.reals(rank);
  program.output_reals = given.schedule.output.reals(rank);
  for (std::size_t i = 0; i < assigned.buffers.size(); ++i) {
    auto const buffer = static_cast<std::size_t>(assigned.buffers[i]);
    if (buffer >= work_arrays) continue;
    program.work_reals[buffer] = std::max(program.work_reals[buffer], draft.stops[i].reals);
  }
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    program.steps.push_back(
        {std::move(draft.steps[i].work), assigned.buffers[i], assigned.buffers[i + 1], i});
  return Priced{std::move(program), {assigned.burden.waits, sweeps, assigned.burden.reals}};
}

Chosen choose_ways(ToCompile const& given) {
  if (!given.arrays.in_segments || given.limits.stays_on_a_node()) return WaySearch(given).run();
  // Another node may have other arrays and cannot be asked, so its messages must be the same.
  ToCompile apart = given;
  apart.arrays.in_segments = false;
  return WaySearch(given, WaySearch(apart).run().ways).run();
}

Program make_program(ToCompile given, int rank, Chosen const& chosen) {
  given.limits.exchange_windows = chosen.exchange_windows;
  std::optional<Priced> made;
  if (chosen.exchange_windows > 1) {
    auto const in_turn = make_program(run_in_turn(given), rank, chosen.in_turn);
    made = make_program(given, rank, chosen.ways, {}, in_turn ? in_turn->cost.reals : unbounded);
  }
  if (!made) made = make_program(given, rank, chosen.ways);
  require_internal(made.has_value(), "no assignment of buffers was found");
  made->program.flows = chosen.exchange_windows > 1;
  return std::move(made->program);
}

}  // namespace sixstep::program
