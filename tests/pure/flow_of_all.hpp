// SPDX-License-Identifier: BSD-3-Clause
// Runs the programs of all ranks as a flow: windows and messages in a random order.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "all_programs.hpp"
#include "cases.hpp"

namespace sixstep::program {

/// What may happen next in a flow, on one rank: a window of a sweep, or the arrival of a message.
struct Event {
  int rank;
  std::size_t step;
  std::size_t which;
};

/// Windows and messages in any order that their needs allow.
struct FlowOfAll {
  AllPrograms& programs;
  cases::Random random;
  std::vector<std::vector<Windows>> done, left;  // by rank and step, as far as ended
  std::vector<std::vector<std::vector<bool>>> happened;

  explicit FlowOfAll(AllPrograms& of) : programs(of), random(of.setting.order) {
    for (int rank = 0; rank < programs.ranks(); ++rank) {
      std::size_t const steps = programs.steps(rank);
      done.emplace_back(steps, 0);
      left.emplace_back(steps, 0);
      happened.emplace_back(steps);
      for (std::size_t i = 0; i < steps; ++i)
        happened[at(rank)][i].assign(
            std::visit(match{[](Sweep const& sweep) { return at(sweep.cut_windows()); },
                             [](Move const& m) { return m.moves->receive.messages.size(); },
                             [](Meeting const&) { return std::size_t{0}; }},
                       programs.step(rank, i).work),
            false);
      programs.copy_input(rank);
    }
    for (int rank = 0; rank < programs.ranks(); ++rank) count_ended(rank);
  }

  void run() {
    for (;;) {
      std::vector<Event> events;
      bool ended = true;
      for (int rank = 0; rank < programs.ranks(); ++rank)
        for (std::size_t i = 0; i < programs.steps(rank); ++i)
          for (std::size_t which = 0; which < happened[at(rank)][i].size(); ++which) {
            if (happened[at(rank)][i][which]) continue;
            ended = false;
            if (may_happen({rank, i, which})) events.push_back({rank, i, which});
          }
      if (ended) return;
      ASSERT_FALSE(events.empty()) << "windows wait for each other";
      Event const event = events[at(random.between(0, static_cast<int>(events.size()) - 1))];
      happened[at(event.rank)][event.step][event.which] = true;
      happen(event);
      if (testing::Test::HasFatalFailure()) return;
      count_ended(event.rank);
      if (auto const* move = std::get_if<Move>(&programs.step(event.rank, event.step).work))
        count_ended(move->moves->receive.messages[event.which].rank);
    }
  }

  /// Windows that find what they read.
  Windows fed(int rank, std::size_t i) const {
    return i == 0 ? ~Windows{0} : done[at(rank)][i - 1];
  }

  bool has_room(int rank, std::size_t i, Windows after) const {
    for (std::size_t before : programs.step(rank, i).after_all_of)
      if (left[at(rank)][before] != ~Windows{0}) return false;
    auto const& behind = programs.step(rank, i).behind;
    return !behind || (after & ~left[at(rank)][*behind]) == 0;
  }

  bool may_happen(Event const& event) const {
    Step const& step = programs.step(event.rank, event.step);
    if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
      Windows const after = sweep->after.empty() ? 0 : sweep->after[event.which];
      return (fed(event.rank, event.step) >> event.which & 1) != 0 &&
             has_room(event.rank, event.step, after);
    }
    redistribution::Message const& message =
        std::get<Move>(step.work).moves->receive.messages[event.which];
    auto const [their_step, sent] = sent_as(event.rank, event.step, message);
    return (fed(message.rank, their_step) >> sent->before & 1) != 0 &&
           has_room(event.rank, event.step, message.after);
  }

  /// The sender's step and message.
  std::pair<std::size_t, redistribution::Message const*> sent_as(
      int rank, std::size_t i, redistribution::Message const& message) const {
    std::size_t const exchange = std::get<Move>(programs.step(rank, i).work).exchange;
    for (std::size_t theirs = 0; theirs < programs.steps(message.rank); ++theirs) {
      auto const* move = std::get_if<Move>(&programs.step(message.rank, theirs).work);
      if (!move || move->exchange != exchange) continue;
      for (redistribution::Message const& sent : move->moves->send.messages)
        if (sent.rank == rank && sent.before == message.before && sent.behind == message.behind)
          return {theirs, &sent};
    }
    throw std::logic_error("a message that nobody sends");
  }

  void happen(Event const& event) {
    Step const& step = programs.step(event.rank, event.step);
    if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
      programs.run_sweep(event.rank, event.step, part_of(*sweep, static_cast<int>(event.which)));
      return;
    }
    redistribution::Message const& message =
        std::get<Move>(step.work).moves->receive.messages[event.which];
    auto const [their_step, sent] = sent_as(event.rank, event.step, message);
    programs.deliver(message.rank, their_step, *sent, event.rank, event.step, message);
  }

  static Sweep part_of(Sweep sweep, int window) {
    auto const narrow = [](layout::Pieces& pieces, Box const& region) {
      layout::Pieces found;
      for (layout::Piece const& piece : pieces)
        if (layout::Piece part = layout::restrict(piece, region); !part.box.empty())
          found.push_back(part);
      pieces = found;
    };
    for (Pass& pass : sweep.passes) {
      pass.box = sweep.cut.part(pass.box, window);
      pass.target_box = sweep.cut.part(pass.target_box, window);
      narrow(pass.source, pass.box);
      narrow(pass.target, pass.target_box);
    }
    return sweep;
  }

  void count_ended(int rank) {
    for (std::size_t i = 0; i < programs.steps(rank); ++i) {
      std::vector<bool> const& mine = happened[at(rank)][i];
      Windows &all = done[at(rank)][i], &gone = left[at(rank)][i];
      all = gone = ~Windows{0};
      if (auto const* move = std::get_if<Move>(&programs.step(rank, i).work)) {
        auto const& receives = move->moves->receive.messages;
        for (std::size_t which = 0; which < receives.size(); ++which)
          if (!mine[which]) all &= ~redistribution::bit(receives[which].behind);
        for (redistribution::Message const& sent : move->moves->send.messages)
          if (!is_delivered(rank, move->exchange, sent)) gone &= ~redistribution::bit(sent.behind);
        continue;
      }
      for (std::size_t which = 0; which < mine.size(); ++which)
        if (!mine[which]) all &= ~redistribution::bit(static_cast<int>(which));
      gone = all;
    }
  }

  bool is_delivered(int rank, std::size_t exchange, redistribution::Message const& sent) const {
    for (std::size_t theirs = 0; theirs < programs.steps(sent.rank); ++theirs) {
      auto const* move = std::get_if<Move>(&programs.step(sent.rank, theirs).work);
      if (!move || move->exchange != exchange) continue;
      auto const& receives = move->moves->receive.messages;
      for (std::size_t which = 0; which < receives.size(); ++which)
        if (receives[which].rank == rank && receives[which].before == sent.before &&
            receives[which].behind == sent.behind)
          return happened[at(sent.rank)][theirs][which];
    }
    throw std::logic_error("a message that nobody receives");
  }
};

/// Runs all programs to their ends, in turn or as a flow.
inline void run(AllPrograms& all) {
  bool const flows = all.programs.front().flows;
  for (Program const& program : all.programs) ASSERT_EQ(program.flows, flows);
  if (flows)
    FlowOfAll(all).run();
  else
    all.run_in_turn();
}

}  // namespace sixstep::program
