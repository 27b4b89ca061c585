// SPDX-License-Identifier: BSD-3-Clause
// Runs the programs of all ranks in one process, by the definitions of passes and messages.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/match.hpp"
#include "message_places.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "program/compile.hpp"
#include "program_memory.hpp"
#include "views.hpp"

namespace sixstep::program {

/// How a test wants a program run.
struct Setting {
  int sign = -1;
  Arrays arrays = {};
  int ranks_per_node = 1;     // they have memory in common
  bool last_first = false;    // the order in which ranks get to run
  bool nodes_differ = false;  // every other node is given arrays that are not in segments
  int windows = 1;
  int exchange_windows = 1;
  unsigned order = 0;                                   // of the windows of a flow
  std::optional<redistribution::Network> network = {};  // with nodes of one rank, too
};

/// Limits for nodes of so many ranks each, the segments of a node in reverse order.
inline Limits limits_of(schedule::Schedule const& made, Setting const& setting) {
  int const ranks_per_node = setting.ranks_per_node;
  Limits limits;
  limits.windows = setting.windows;
  limits.exchange_windows = setting.exchange_windows;
  if (ranks_per_node == 1 && !setting.network) return limits;
  if (setting.network) limits.nodes.network = *setting.network;
  int const ranks = made.input.layout.ranks();
  for (int rank = 0; rank < ranks; ++rank) {
    int const first = rank / ranks_per_node * ranks_per_node;
    int const last = std::min(first + ranks_per_node, ranks) - 1;
    limits.nodes.node.push_back(first);
    limits.nodes.segment.push_back(last - (rank - first));
  }
  for (schedule::Stage const& stage : made.stages) {
    auto const* exchange = std::get_if<schedule::Transpose>(&stage);
    if (!exchange) continue;
    limits.media.push_back(redistribution::Medium::in_memory);
    for (int rank = 0; rank < ranks; ++rank)
      for (int other : redistribution::group_of(exchange->from, exchange->to, rank))
        if (other / ranks_per_node != rank / ranks_per_node)
          limits.media.back() = redistribution::Medium::by_nodes;
  }
  return limits;
}

/// The programs of all ranks, with the memory of all. Each step is run by its definition.
struct AllPrograms {
  schedule::Schedule const& made;
  Setting setting;
  Limits limits;
  std::vector<Program> programs;
  std::map<Buffer, Memory> memory;
  std::vector<std::size_t> next;  // step of each rank
  std::vector<int> turns;         // ranks in the order in which they run

  AllPrograms(schedule::Schedule const& schedule, Setting const& how)
      : made(schedule), setting(how), limits(limits_of(schedule, how)) {
    int const ranks = made.input.layout.ranks();
    for (int rank = 0; rank < ranks; ++rank) {
      Arrays arrays = setting.arrays;
      if (setting.nodes_differ && rank / how.ranks_per_node % 2 == 1) arrays.in_segments = false;
      programs.push_back(compile(made, rank, limits, arrays));
      bind_segments(programs.back(), Memory::stride);
      turns.push_back(setting.last_first ? ranks - 1 - rank : rank);
    }
    auto const allot = [&](Buffer buffer, auto const& size) {
      std::vector<Index> sizes(programs.size());
      for (int rank : turns) sizes[at(place(rank))] = size(programs[at(rank)]);
      for (Index& reals : sizes) EXPECT_LE(reals, Memory::stride);
      memory.emplace(buffer, Memory(std::move(sizes)));
    };
    bool const in_place = setting.arrays.in_place;
    allot(Buffer::input, [&](Program const& p) { return in_place ? 0 : p.input_reals; });
    allot(Buffer::output, [&](Program const& p) {
      return in_place ? std::max(p.input_reals, p.output_reals) : p.output_reals;
    });
    for (Buffer buffer : {Buffer::work_a, Buffer::work_b, Buffer::work_c, Buffer::work_d})
      allot(buffer, [&](Program const& p) { return p.work_reals[at(static_cast<int>(buffer))]; });
    next.assign(programs.size(), 0);
  }

  /// Where a rank's segment is among all, so that offsets into a neighbour's are what they say.
  int place(int rank) const {
    return limits.nodes.segment.empty() ? rank : limits.nodes.segment[at(rank)];
  }
  Step const& step(int rank, std::size_t i) const { return programs[at(rank)].steps[i]; }
  Step const& step(int rank) const { return step(rank, next[at(rank)]); }
  Memory& source(int rank, std::size_t i) { return memory.at(step(rank, i).source); }
  Memory& target(int rank, std::size_t i) { return memory.at(step(rank, i).target); }

  int ranks() const { return static_cast<int>(programs.size()); }

  /// Each rank sweeps up to its next move, then all move; as often as it takes.
  void run_in_turn() {
    for (bool done = false; !done;) {
      done = true;
      for (int rank : turns) {
        std::size_t& i = next[at(rank)];
        if (i == 0) copy_input(rank);
        for (; i < steps(rank) && !is_move(rank); ++i)
          run_sweep(rank, i, std::get<Sweep>(step(rank, i).work));
      }
      for (int rank : turns) {
        if (next[at(rank)] == steps(rank)) continue;
        if (auto const* move = std::get_if<Move>(&step(rank).work))
          deliver(rank, next[at(rank)], *move);
        done = false;
      }
      for (std::size_t hop : {0u, 1u})
        for (int rank : turns)
          if (next[at(rank)] < steps(rank)) deliver_hop(rank, hop);
      if (testing::Test::HasFatalFailure()) return;
      for (int rank : turns)
        if (next[at(rank)] < steps(rank)) ++next[at(rank)];
    }
  }

  /// Where the input is given in a buffer that the program does not begin with.
  void copy_input(int rank) {
    Program const& program = programs[at(rank)];
    if (!program.copies_input()) return;
    std::copy_n(memory.at(Buffer::output).of(place(rank)), program.input_reals,
                source(rank, 0).of(place(rank)));
  }

  std::size_t steps(int rank) const { return programs[at(rank)].steps.size(); }
  /// A move or a meeting: until then a rank runs on its own.
  bool is_move(int rank) const { return !std::holds_alternative<Sweep>(step(rank).work); }

  /// One side of a pass: scratch, or a buffer in which this rank counts from its own segment.
  struct Side {
    Memory* memory;
    std::vector<long double>* scratch;
    int rank;

    bool holds(Index offset, layout::Number number) const {
      if (memory) return memory->holds(rank, offset, number);
      return offset >= 0 && at((offset + 1) * layout::reals_of(number)) <= scratch->size();
    }
    long double* data() const { return memory ? memory->of(rank) : scratch->data(); }
  };

  void run_sweep(int rank, std::size_t i, Sweep const& sweep) {
    EXPECT_TRUE(&source(rank, i) != &target(rank, i) || sweep.may_work_in_place());
    EXPECT_TRUE(step(rank, i).target != Buffer::input || !setting.arrays.preserve_input);
    std::vector<long double> scratch;
    for (Pass const& pass : sweep.passes) {
      EXPECT_TRUE(!pass.axis || *pass.axis != sweep.window_axis);
      std::vector<long double> fresh;
      run_pass(pass, {pass.from_scratch ? nullptr : &source(rank, i), &scratch, place(rank)},
               {pass.to_scratch ? nullptr : &target(rank, i), &fresh, place(rank)});
      if (pass.to_scratch) scratch = std::move(fresh);
    }
  }

  void run_pass(Pass const& pass, Side const& source, Side const& target) {
    bool twice = false;
    std::map<Index, Index> const from = views::offsets(made.shape, pass.source, twice);
    EXPECT_FALSE(twice) << "a point is read twice";
    std::map<Index, Index> const to = views::offsets(made.shape, pass.target, twice);
    EXPECT_FALSE(twice) << "a point is written twice";
    std::set<Index> places;
    for (auto const& [number, offset] : to) places.insert(offset);
    EXPECT_EQ(places.size(), to.size()) << "two points are written to one place";
    std::map<Index, Exact> values;
    for (auto const& [number, offset] : from) {
      ASSERT_TRUE(source.holds(offset, pass.source_number)) << "reads outside of its buffer";
      Exact const value = get(source.data(), offset, pass.source_number);
      ASSERT_FALSE(std::isnan(value.real() + value.imag())) << "reads what was never written";
      values[number] = value;
    }
    if (pass.axis) transform(pass, values);
    ASSERT_EQ(values.size(), to.size());
    Index const element = layout::reals_of(pass.target_number);
    if (pass.to_scratch)
      target.scratch->resize(at(places.empty() ? 0 : (*places.rbegin() + 1) * element));
    for (auto const& [number, offset] : to) {
      ASSERT_TRUE(values.count(number)) << "writes what it has not read";
      ASSERT_TRUE(target.holds(offset, pass.target_number)) << "writes outside of its buffer";
      put(target.data(), offset, pass.target_number, values.at(number));
    }
  }

  /// Along pass.axis, and the twiddle. A transform may only be of a box.
  void transform(Pass const& pass, std::map<Index, Exact>& values) {
    int const axis = *pass.axis;
    Index const extent = pass.box.ranges[axis].count();
    std::size_t points = 0;
    std::vector<Shape> firsts;               // of each column, its first point
    oracle::Whole columns{{0, extent}, {}};  // all of them, so that the oracle is asked once
    oracle::for_each_point(pass.box, [&](Shape point) {
      ++points;
      if (point[axis] != 0) return;
      firsts.push_back(point);
      for (point[axis] = 0; point[axis] < extent; ++point[axis]) {
        auto const value = values.find(oracle::number_of(made.shape, point));
        ASSERT_NE(value, values.end()) << "a column is not on one rank";
        columns.values.push_back(value->second);
      }
    });
    EXPECT_EQ(points, values.size()) << "the pieces are not the box";
    values.clear();
    if (testing::Test::HasFatalFailure() || firsts.empty()) return;
    columns.shape[0] = static_cast<Index>(firsts.size());
    // A reversed schedule names the kinds that undo those of the forward one.
    oracle::Kinds const kinds{{1, setting.sign < 0 ? pass.kind : oracle::undone_by(pass.kind)}};
    columns = setting.sign < 0 ? oracle::forward(columns, kinds)
                               : oracle::backward(columns, kinds, made.shape[axis]);
    ASSERT_EQ(columns.shape[1], pass.target_box.ranges[axis].count());
    std::vector<Exact> const roots =
        oracle::roots_of_unity(pass.twiddle_axis ? pass.twiddle_period : 1, setting.sign);
    auto result = columns.values.begin();
    for (Shape point : firsts)
      for (Index k = 0; k < columns.shape[1]; ++k) {
        point[axis] = k;
        Index const power =
            pass.twiddle_axis ? k * point[*pass.twiddle_axis] % pass.twiddle_period : 0;
        values[oracle::number_of(made.shape, point)] = *result++ * roots[at(power)];
      }
  }

  void deliver(int rank, std::size_t i, Move const& move) {
    if (move.way.medium == redistribution::Medium::messages) {
      EXPECT_NE(step(rank, i).source, step(rank, i).target);
      EXPECT_TRUE(step(rank, i).target != Buffer::input || !setting.arrays.preserve_input);
    } else {
      EXPECT_EQ(step(rank, i).source, step(rank, i).target);
      int const first = rank / setting.ranks_per_node * setting.ranks_per_node;
      EXPECT_EQ(step(rank, i).source, step(first).source) << "ranks look for the array elsewhere";
    }
    for (redistribution::Message const& message : move.moves->receive.messages) {
      int const sender = message.rank;
      ASSERT_LT(next[at(sender)], steps(sender)) << "the exchanges of the ranks differ";
      auto const* theirs = std::get_if<Move>(&step(sender).work);
      auto const& sends = theirs->moves->send.messages;
      auto const match =
          std::find_if(sends.begin(), sends.end(),
                       [&](redistribution::Message const& m) { return m.rank == rank; });
      ASSERT_NE(match, sends.end());
      ASSERT_EQ(theirs->number(), move.number());
      // Nobody writes to the buffer it sends from, so the order of ranks does not matter.
      deliver(sender, next[at(sender)], *match, rank, i, message);
    }
  }

  void deliver(int sender, std::size_t their_step, redistribution::Message const& sent, int rank,
               std::size_t i, redistribution::Message const& message) {
    Index const element = layout::reals_of(std::get<Move>(step(rank, i).work).number());
    ASSERT_EQ(sent.count, message.count);
    Memory& from = source(sender, their_step);
    for (Index k = 0; k < message.count; ++k) {
      Index const here = exchange::offset_in(sent, k), to = exchange::offset_in(message, k);
      ASSERT_GE(from.size(place(sender)), (here + 1) * element);
      ASSERT_GE(target(rank, i).size(place(rank)), (to + 1) * element);
      std::copy_n(from.of(place(sender)) + here * element, element,
                  target(rank, i).of(place(rank)) + to * element);
    }
  }

  /// The messages that a rank receives in a hop.
  void deliver_hop(int rank, std::size_t hop) {
    auto const* move = std::get_if<Move>(&step(rank).work);
    if (!move || hop >= move->moves->hops.size()) return;
    Memory& to = target(rank, next[at(rank)]);
    std::map<int, std::size_t> taken;  // from each sender
    for (redistribution::Bundle const& bundle : move->moves->hops[hop].receives) {
      int const sender = bundle.rank;
      auto const* theirs = std::get_if<Move>(&step(sender).work);
      ASSERT_TRUE(theirs && hop < theirs->moves->hops.size())
          << "the exchanges of the ranks differ";
      std::vector<redistribution::Bundle> mail;
      for (redistribution::Bundle const& sent : theirs->moves->hops[hop].sends)
        if (sent.rank == rank) mail.push_back(sent);
      ASSERT_LT(taken[sender], mail.size());
      std::vector<long double> letter;
      for (redistribution::Block const& block : mail[taken[sender]++].blocks)
        for_each_real(source(sender, next[at(sender)]), place(sender), block, *move,
                      [&](long double& real) { letter.push_back(real); });
      ASSERT_EQ(static_cast<Index>(letter.size()), bundle.count() * reals_of(move->number()));
      auto read = letter.begin();
      for (redistribution::Block const& block : bundle.blocks)
        for_each_real(to, place(rank), block, *move, [&](long double& real) { real = *read++; });
    }
  }

  template <class Visit>
  static void for_each_real(Memory& memory, int place, redistribution::Block const& block,
                            Move const& move, Visit const& visit) {
    Index const element = layout::reals_of(move.number());
    int const owner = place + block.segment;
    ASSERT_GE(memory.size(owner), (block.offset + block.count) * element);
    for (Index i = block.offset * element; i < (block.offset + block.count) * element; ++i)
      visit(memory.of(owner)[i]);
  }
};

}  // namespace sixstep::program
