// SPDX-License-Identifier: BSD-3-Clause
// Programs: messages and passes counted, and the programs of all ranks run by the definitions.
#include "program/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/match.hpp"
#include "cases.hpp"
#include "message_places.hpp"
#include "oracle.hpp"
#include "real_oracle.hpp"
#include "views.hpp"

namespace sixstep::program {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;
using redistribution::Message;

constexpr Distribution cyclic = Distribution::cyclic;

std::vector<Move> moves_of(Program const& program) {
  std::vector<Move> moves;
  for (Step const& step : program.steps)
    if (auto const* move = std::get_if<Move>(&step.work)) moves.push_back(*move);
  return moves;
}

int passes(schedule::Problem const& problem) {
  return compile(schedule::schedule(problem), 0).sweeps();
}

// Messages.

TEST(messages, of_4096_pencils_are_63_to_each_of_two_groups) {
  // P x Q ranks: P - 1 messages of 16 N / (P^2 Q) bytes, then Q - 1 of 16 N / (P Q^2).
  Index const points = Index{256} * 256 * 256, p = 64, q = 64;
  schedule::Schedule const made =
      schedule::schedule({.input = Layout::grid({256, 256, 256}, {64, 64, 1})});
  for (int rank : {0, 1, 63, 64, 2047, 4095}) {
    std::vector<Move> const moves = moves_of(compile(made, rank));
    ASSERT_EQ(moves.size(), 2u);
    std::set<int> partners;
    for (Move const& move : moves) {
      int to_others = 0;
      for (redistribution::Message const& message : move.moves->send.messages) {
        EXPECT_EQ(message.count, points / (p * p * q));
        if (message.rank == rank) continue;
        ++to_others;
        partners.insert(message.rank);
      }
      EXPECT_EQ(to_others, 63);
      EXPECT_EQ(redistribution::group_of(move.from, move.to, rank).size(), 64u);
    }
    EXPECT_EQ(partners.size(), 126u) << "a row and a column of the grid";
    for (int partner : partners)
      EXPECT_TRUE(partner / 64 == rank / 64 || partner % 64 == rank % 64);
  }
}

TEST(messages, of_rectangular_grids_have_the_size_that_the_grid_gives_them) {
  Index const points = 64 * 64 * 64;
  for (auto const& [p, q] : {std::pair{2, 8}, std::pair{8, 2}, std::pair{4, 4}}) {
    schedule::Schedule const made =
        schedule::schedule({.input = Layout::grid({64, 64, 64}, {p, q, 1})});
    std::vector<Move> const moves = moves_of(compile(made, 0));
    ASSERT_EQ(moves.size(), 2u);
    std::multiset<Index> found, expected{points / (p * p * q), points / (p * q * q)};
    std::multiset<std::size_t> numbers;
    for (Move const& move : moves) {
      found.insert(move.moves->send.messages[0].count);
      numbers.insert(move.moves->send.messages.size());
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(numbers, (std::multiset<std::size_t>{static_cast<std::size_t>(p),
                                                   static_cast<std::size_t>(q)}));
  }
}

TEST(messages, of_slabs_carry_all_but_one_part_of_the_array) {
  for (int ranks : {2, 4, 8, 16}) {
    schedule::Schedule const made =
        schedule::schedule({.input = Layout::slab({64, 64, 64}, ranks)});
    Index sent = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (Move const& move : moves_of(compile(made, rank)))
        for (redistribution::Message const& message : move.moves->send.messages)
          if (message.rank != rank) sent += message.count;
    Index const points = 64 * 64 * 64;
    EXPECT_EQ(sent, points / ranks * (ranks - 1)) << ranks;
  }
}

// Passes.

TEST(passes, of_3d_slabs_are_two) {
  EXPECT_EQ(passes({.input = Layout::slab({64, 64, 64}, 8)}), 2);
}

TEST(passes, of_pencils_are_one_an_axis) {
  EXPECT_EQ(passes({.input = Layout::pencil({64, 64, 64}, 16)}), 3);
}

TEST(passes, of_one_rank_are_at_most_one_an_axis) {
  EXPECT_LE(passes({.input = Layout::slab({64, 64, 64}, 1)}), 2);
  EXPECT_EQ(passes({.input = Layout::slab({64, 64}, 1), .axes = {1}}), 1);
}

TEST(passes, of_several_fields_are_as_few_as_of_one) {
  auto const alone = [](Shape const& shape, std::vector<int> const& axes, int ranks, int split) {
    Layout const slab = Layout::slab(shape, ranks, split);
    return passes({.input = slab, .output = slab, .axes = axes});
  };
  EXPECT_EQ(alone({256, 256, 256}, {}, 1, 0), 2);
  EXPECT_EQ(alone({16, 256, 256, 256}, {1, 2, 3}, 1, 0), 2);
  EXPECT_EQ(alone({3, 3, 256, 256, 256}, {2, 3, 4}, 1, 0), 2);
  EXPECT_EQ(alone({256, 256, 256, 3}, {0, 1, 2}, 1, 0), 2);
  EXPECT_EQ(alone({256, 256, 256}, {}, 4, 0), 3);
  EXPECT_EQ(alone({3, 256, 256, 256}, {1, 2, 3}, 4, 1), 3);
  EXPECT_EQ(alone({50, 32, 32, 32}, {1, 2, 3}, 1, 0), 1);  // each fits in cache
}

TEST(passes, of_reals_are_as_few) {
  Layout const slab = Layout::slab({64, 64, 64}, 8), pencil = Layout::pencil({64, 64, 64}, 16);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::r2c}}), 2);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::r2c}, .padded = true}), 2);
  EXPECT_EQ(passes({.input = pencil, .kinds = {Kind::r2c}}), 3);
  EXPECT_EQ(passes({.input = slab, .kinds = {Kind::dct2}}), 2);
  EXPECT_EQ(passes({.input = slab, .axes = {2, 1, 0}, .kinds = {Kind::r2c, Kind::dct1, Kind::c2c}}),
            2);
}

TEST(passes, over_padded_rows_need_no_work_array_where_nothing_moves) {
  schedule::Problem const problem{
      .input = Layout::slab({64, 64, 64}, 8), .axes = {1, 2}, .kinds = {Kind::r2c}, .padded = true};
  schedule::Schedule const forward = schedule::schedule(problem);
  for (schedule::Schedule const& made : {forward, schedule::reverse(forward)}) {
    Program const program = compile(made, 0);
    EXPECT_EQ(program.sweeps(), 1);
    EXPECT_EQ(program.all_work_reals(), 0);
  }
}

TEST(passes, from_cyclic_to_cyclic_are_two) {
  Layout const layout = Layout::grid({1 << 16}, {16}, {cyclic});
  EXPECT_EQ(passes({.input = layout, .output = layout}), 2);
}

/// Passes and work arrays of a slab transform on one node.
std::pair<int, double> cost_on_a_node(bool natural_output, Arrays const& arrays) {
  Layout const slab = Layout::slab({64, 64, 128}, 4);
  schedule::Problem problem{.input = slab};
  if (natural_output) problem.output = slab;
  Limits const limits{
      .media = {redistribution::Medium::in_memory, redistribution::Medium::in_memory},
      .nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}}};
  Program const program = compile(schedule::schedule(problem), 0, limits, arrays);
  for (Move const& move : moves_of(program)) EXPECT_TRUE(move.way.resting);
  return {program.sweeps(),
          static_cast<double>(program.all_work_reals()) / static_cast<double>(program.input_reals)};
}

TEST(passes, on_one_node_are_as_few_as_memory_allows) {
  using Cost = std::pair<int, double>;
  Arrays const apart{}, common{.in_segments = true}, given_up{false, true, false};
  Arrays const in_place{.in_place = true}, in_place_in_common{true, true};
  EXPECT_EQ(cost_on_a_node(false, apart), Cost(2, 1));
  EXPECT_EQ(cost_on_a_node(true, apart), Cost(3, 1));
  EXPECT_EQ(cost_on_a_node(false, common), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(true, common), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(false, given_up), Cost(2, 0));
  EXPECT_EQ(cost_on_a_node(false, in_place), Cost(2, 1));
  EXPECT_EQ(cost_on_a_node(true, in_place_in_common), Cost(2, 0));
}

TEST(passes, in_windows_take_a_fraction_of_a_work_array) {
  Layout const slab = Layout::slab({64, 64, 128}, 4);
  schedule::Schedule const made = schedule::schedule({.input = slab, .output = slab});
  for (bool on_a_node : {false, true}) {
    Limits limits{.windows = 16};
    if (on_a_node) {
      limits.media = {redistribution::Medium::in_memory, redistribution::Medium::in_memory};
      limits.nodes = {{0, 0, 0, 0}, {0, 1, 2, 3}};
    }
    Program const program = compile(made, 0, limits, Arrays{.in_place = true});
    EXPECT_EQ(program.sweeps(), 4);
    EXPECT_EQ(program.all_work_reals(), program.input_reals / (on_a_node ? 16 : 8));
  }
}

// What the programs of all ranks compute.

/// One buffer of all ranks, in reals, each rank's in a segment of its own; what was never written
/// is not a number.
class Memory {
 public:
  static constexpr Index stride = 1 << 12;

  Memory() = default;
  explicit Memory(std::vector<Index> sizes)
      : sizes_(std::move(sizes)),
        reals_(at(stride) * sizes_.size(), std::numeric_limits<long double>::quiet_NaN()) {}

  /// Whether a rank that counts from its own segment finds an element there that some rank has.
  bool holds(int rank, Index offset, layout::Number number) const {
    Index const first = rank * stride + offset * layout::reals_of(number);
    if (first < 0 || first >= static_cast<Index>(reals_.size())) return false;
    return first % stride + layout::reals_of(number) <= sizes_[at(first / stride)];
  }
  /// Another rank's memory, if it is not all in the rank's own.
  static bool is_foreign(int rank, Index offset, layout::Number number) {
    Index const first = rank * stride + offset * layout::reals_of(number);
    return first / stride != rank;
  }
  long double* of(int rank) { return reals_.data() + rank * stride; }
  Index size(int rank) const { return sizes_[at(rank)]; }

 private:
  std::vector<Index> sizes_;
  std::vector<long double> reals_;
};

Exact get(long double const* array, Index offset, layout::Number number) {
  if (number == layout::Number::real) return array[offset];
  return {array[2 * offset], array[2 * offset + 1]};
}

void put(long double* array, Index offset, layout::Number number, Exact const& value) {
  if (number == layout::Number::real) {
    EXPECT_LT(std::abs(value.imag()), 1e-15L) << "an imaginary part is lost";
    array[offset] = value.real();
  } else {
    array[2 * offset] = value.real();
    array[2 * offset + 1] = value.imag();
  }
}

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
Limits limits_of(schedule::Schedule const& made, Setting const& setting) {
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

struct Runner {
  schedule::Schedule const& made;
  Setting setting;
  Limits limits;
  std::vector<Program> programs;
  std::map<Buffer, Memory> memory;
  std::vector<std::size_t> next;  // step of each rank
  std::vector<int> turns;         // ranks in the order in which they run

  Runner(schedule::Schedule const& schedule, Setting const& how)
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

  void run() {
    bool const flows = programs.front().flows;
    for (Program const& program : programs) ASSERT_EQ(program.flows, flows);
    if (flows)
      Flow(*this).run();
    else
      run_in_turn();
  }

  /// What may happen next in a flow, on one rank: a window of a sweep, or the arrival of a message.
  struct Event {
    int rank;
    std::size_t step;
    std::size_t which;
  };

  /// Windows and messages in any order that their needs allow.
  struct Flow {
    Runner& runner;
    Random random;
    std::vector<std::vector<Windows>> done, left;  // by rank and step, as far as ended
    std::vector<std::vector<std::vector<bool>>> happened;

    explicit Flow(Runner& of) : runner(of), random(of.setting.order) {
      for (int rank = 0; rank < runner.ranks(); ++rank) {
        std::size_t const steps = runner.steps(rank);
        done.emplace_back(steps, 0);
        left.emplace_back(steps, 0);
        happened.emplace_back(steps);
        for (std::size_t i = 0; i < steps; ++i)
          happened[at(rank)][i].assign(
              std::visit(match{[](Sweep const& sweep) { return at(sweep.cut_windows()); },
                               [](Move const& m) { return m.moves->receive.messages.size(); },
                               [](Meeting const&) { return std::size_t{0}; }},
                         runner.step(rank, i).work),
              false);
        runner.copy_input(rank);
      }
      for (int rank = 0; rank < runner.ranks(); ++rank) count_ended(rank);
    }

    void run() {
      for (;;) {
        std::vector<Event> events;
        bool ended = true;
        for (int rank = 0; rank < runner.ranks(); ++rank)
          for (std::size_t i = 0; i < runner.steps(rank); ++i)
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
        if (auto const* move = std::get_if<Move>(&runner.step(event.rank, event.step).work))
          count_ended(move->moves->receive.messages[event.which].rank);
      }
    }

    /// Windows that find what they read.
    Windows fed(int rank, std::size_t i) const {
      return i == 0 ? ~Windows{0} : done[at(rank)][i - 1];
    }

    bool has_room(int rank, std::size_t i, Windows after) const {
      for (std::size_t before : runner.step(rank, i).after_all_of)
        if (left[at(rank)][before] != ~Windows{0}) return false;
      auto const& behind = runner.step(rank, i).behind;
      return !behind || (after & ~left[at(rank)][*behind]) == 0;
    }

    bool may_happen(Event const& event) const {
      Step const& step = runner.step(event.rank, event.step);
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
      std::size_t const exchange = std::get<Move>(runner.step(rank, i).work).exchange;
      for (std::size_t theirs = 0; theirs < runner.steps(message.rank); ++theirs) {
        auto const* move = std::get_if<Move>(&runner.step(message.rank, theirs).work);
        if (!move || move->exchange != exchange) continue;
        for (redistribution::Message const& sent : move->moves->send.messages)
          if (sent.rank == rank && sent.before == message.before && sent.behind == message.behind)
            return {theirs, &sent};
      }
      throw std::logic_error("a message that nobody sends");
    }

    void happen(Event const& event) {
      Step const& step = runner.step(event.rank, event.step);
      if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
        runner.run_sweep(event.rank, event.step, part_of(*sweep, static_cast<int>(event.which)));
        return;
      }
      redistribution::Message const& message =
          std::get<Move>(step.work).moves->receive.messages[event.which];
      auto const [their_step, sent] = sent_as(event.rank, event.step, message);
      runner.deliver(message.rank, their_step, *sent, event.rank, event.step, message);
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
      for (std::size_t i = 0; i < runner.steps(rank); ++i) {
        std::vector<bool> const& mine = happened[at(rank)][i];
        Windows &all = done[at(rank)][i], &gone = left[at(rank)][i];
        all = gone = ~Windows{0};
        if (auto const* move = std::get_if<Move>(&runner.step(rank, i).work)) {
          auto const& receives = move->moves->receive.messages;
          for (std::size_t which = 0; which < receives.size(); ++which)
            if (!mine[which]) all &= ~redistribution::bit(receives[which].behind);
          for (redistribution::Message const& sent : move->moves->send.messages)
            if (!is_delivered(rank, move->exchange, sent))
              gone &= ~redistribution::bit(sent.behind);
          continue;
        }
        for (std::size_t which = 0; which < mine.size(); ++which)
          if (!mine[which]) all &= ~redistribution::bit(static_cast<int>(which));
        gone = all;
      }
    }

    bool is_delivered(int rank, std::size_t exchange, redistribution::Message const& sent) const {
      for (std::size_t theirs = 0; theirs < runner.steps(sent.rank); ++theirs) {
        auto const* move = std::get_if<Move>(&runner.step(sent.rank, theirs).work);
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

oracle::Kinds kinds_of(schedule::Problem const& problem) {
  oracle::Kinds kinds;
  for (int i = 0; i < problem.input.axes(); ++i) {
    if (problem.axes.empty()) kinds.emplace_back(i, Kind::c2c);
    if (i < static_cast<int>(problem.axes.size()))
      kinds.emplace_back(problem.axes[at(i)],
                         problem.kinds.empty() ? Kind::c2c : problem.kinds[at(i)]);
  }
  return kinds;
}

/// Where an element of the user's array lies.
Index place_of(layout::Placement const& user, Index offset) {
  Index const n = user.layout.shape()[user.layout.order().back()];
  return user.row == 0 ? offset : offset / n * user.row + offset % n;
}

void expect_transform(schedule::Problem const& problem, Setting const& setting) {
  int const sign = setting.sign;
  bool const in_place = setting.arrays.in_place;
  schedule::Schedule const forward = schedule::schedule(problem);
  schedule::Schedule const made = sign < 0 ? forward : schedule::reverse(forward);
  oracle::Kinds const kinds = kinds_of(problem);
  std::string axes;
  for (auto const& [axis, kind] : kinds) axes += text(" ", axis, ":", to_string(kind));
  SCOPED_TRACE(text("input ", cases::describe(problem.input), "\noutput ",
                    problem.output ? cases::describe(*problem.output) : "open", "\nkinds", axes,
                    problem.padded ? ", padded" : "", sign < 0 ? ", forward" : ", backward",
                    in_place ? ", in place" : "", setting.arrays.in_segments ? ", in segments" : "",
                    setting.arrays.preserve_input ? "" : ", input given up", ", nodes of ",
                    setting.ranks_per_node, setting.nodes_differ ? " that differ" : "",
                    ", windows ", setting.windows, ", of exchanges ", setting.exchange_windows,
                    ", order ", setting.order, "\n", summary(made)));
  std::optional<Runner> tried;
  ASSERT_NO_THROW(tried.emplace(made, setting));
  Runner& runner = *tried;
  Layout const &input = made.input.layout, &output = made.output.layout;
  oracle::Whole whole{sign < 0 ? problem.input.shape() : schedule::output_shape(problem), {}};
  whole.values = oracle::values(oracle::points_of(whole.shape), 3);
  if (made.input.number == layout::Number::real)
    for (Exact& value : whole.values) value = value.real();

  for (int rank = 0; rank < input.ranks(); ++rank) {
    Program const& program = runner.programs[at(rank)];
    EXPECT_EQ(program.steps.front().source == Buffer::input, !in_place);
    EXPECT_EQ(program.steps.back().target, Buffer::output);
    for (std::size_t i = 1; i < program.steps.size(); ++i)
      EXPECT_EQ(program.steps[i].source, program.steps[i - 1].target);
    auto const reals = [&](layout::Placement const& end) {
      return place_of(end, end.layout.local_size(rank)) * layout::reals_of(end.number);
    };
    EXPECT_EQ(program.input_reals, reals(made.input));
    EXPECT_EQ(program.output_reals, reals(made.output));
    Memory& start = runner.memory.at(in_place ? Buffer::output : Buffer::input);
    ASSERT_GE(start.size(runner.place(rank)), program.input_reals);
    oracle::for_each_element(input, rank, [&](Shape const& p, Index offset) {
      put(start.of(runner.place(rank)), place_of(made.input, offset), made.input.number,
          whole.values[at(oracle::number_of(input.shape(), p))]);
    });
  }
  runner.run();
  if (testing::Test::HasFailure()) return;

  int real = 0;
  while (real < static_cast<int>(kinds.size()) - 1 && kinds[at(real)].second != Kind::r2c) ++real;
  Index const n = problem.input.shape()[kinds[at(real)].first];
  oracle::Whole const expected =
      sign < 0 ? oracle::forward(whole, kinds) : oracle::backward(whole, kinds, n);
  long double worst = 0;
  for (int rank = 0; rank < output.ranks(); ++rank) {
    long double const* const array = runner.memory.at(Buffer::output).of(runner.place(rank));
    oracle::for_each_element(output, rank, [&](Shape const& point, Index offset) {
      Exact const got = get(array, place_of(made.output, offset), made.output.number);
      long double const error =
          std::abs(got - expected.values[at(oracle::number_of(output.shape(), point))]);
      worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
    });
  }
  EXPECT_LT(worst, 1e-14L * static_cast<long double>(made.transformed_points()));
}

/// Both ways, in place and not; among separate ranks, or all or some of them on one node.
void expect_transforms(schedule::Problem const& problem, Random& random) {
  int const ranks = problem.input.ranks();
  for (int sign : {-1, +1}) {
    for (bool in_place : {false, true}) {
      expect_transform(problem, {.sign = sign,
                                 .arrays = {.in_place = in_place},
                                 .windows = random.once_in(2) ? 1 : random.between(2, 5)});
      if (random.once_in(2))
        expect_transform(problem,
                         {.sign = sign,
                          .arrays = {.in_place = in_place, .preserve_input = random.once_in(2)},
                          .exchange_windows = random.once_in(8) ? 64 : random.between(2, 4),
                          .order = static_cast<unsigned>(random.between(0, 1 << 20))});
      if (ranks == 1) continue;
      Setting setting{.sign = sign,
                      .arrays = {in_place, random.once_in(2), random.once_in(2)},
                      .ranks_per_node = random.once_in(2) ? ranks : random.between(2, ranks),
                      .last_first = random.once_in(2),
                      .nodes_differ = random.once_in(2),
                      .windows = random.once_in(2) ? 1 : random.between(2, 5)};
      expect_transform(problem, setting);
      // Latency alone costs: two hops as soon as they are fewer messages. Or bytes alone do: cut.
      setting.network =
          random.once_in(3) ? redistribution::Network{0, 1} : redistribution::Network{1, 1e30};
      setting.ranks_per_node = random.between(1, (ranks + 1) / 2);
      expect_transform(problem, setting);
    }
  }
}

TEST(program, of_all_ranks_together_computes_the_transform) {
  Random random(1);
  for (int round = 0; round < cases::rounds(90) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks),
                              .axes = cases::random_axes(random, axes)};
    if (random.once_in(2))
      problem.output = cases::random_layout(random, shape, ranks);
    else if (random.once_in(2))
      problem.output = problem.input;
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

TEST(program, of_any_kinds_computes_the_transform) {
  Random random(4);
  for (int round = 0; round < cases::rounds(100) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks)};
    for (int axis = 0; axis < axes; ++axis)
      if (axis == 0 || !random.once_in(3)) problem.axes.push_back(axis);
    random.shuffle(problem.axes);
    bool const r2r_only = random.once_in(4);
    for (int axis : problem.axes) {
      Kind const r2r = static_cast<Kind>(random.between(shape[axis] < 2 ? 3 : 2, 9));
      problem.kinds.push_back(r2r_only || random.once_in(2) ? r2r : Kind::c2c);
    }
    if (!r2r_only && random.between(0, 2) > 0) problem.kinds.back() = Kind::r2c;
    int const last = problem.axes.back();
    problem.padded = problem.kinds.back() == Kind::r2c && problem.input.whole(last) &&
                     problem.input.order().back() == last && random.once_in(2);
    Layout const& in = problem.input;
    if (random.once_in(2))
      problem.output = cases::random_layout(random, schedule::output_shape(problem), ranks);
    else if (random.once_in(2) && !in.grid().empty())
      problem.output =
          Layout::grid(schedule::output_shape(problem), in.grid(), in.distribution(), in.order());
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

TEST(program, where_reals_are_as_many_as_coefficients_computes_the_transform) {
  Random random(7);
  for (int round = 0; round < cases::rounds(100) && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(2, 4), ranks = random.between(2, 4);
    Shape shape;
    for (int axis = 0; axis < axes; ++axis) shape.push_back(random.between(Index{1}, Index{3}));
    int const real = random.between(0, axes - 1);
    shape[real] = random.between(Index{1}, Index{2});
    schedule::Problem problem{.input = cases::random_layout(random, shape, ranks)};
    for (int axis = 0; axis < axes; ++axis)
      if (axis == real || random.once_in(2)) problem.axes.push_back(axis);
    for (int axis : problem.axes)
      problem.kinds.push_back(axis == real        ? Kind::r2c
                              : random.once_in(3) ? Kind::dst2
                                                  : Kind::c2c);
    problem.output = cases::random_layout(random, schedule::output_shape(problem), ranks);
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms(problem, random);
  }
}

/// The numbers of ranks that a list of problems is for. More ranks make the same accesses more
/// often.
std::vector<int> numbers_of_ranks() {
  return sanitized() ? std::vector<int>{3} : std::vector<int>{2, 3, 4};
}

TEST(program, of_one_long_axis_computes_the_transform) {
  Random random(5);
  for (Index n : {64, 60, 97, 256}) {
    for (int ranks : numbers_of_ranks()) {
      for (Distribution distribution : {Distribution::block, cyclic}) {
        Layout const layout = Layout::grid({n}, {ranks}, {distribution});
        expect_transforms({.input = layout}, random);
        expect_transforms({.input = layout, .output = layout}, random);
      }
    }
  }
}

TEST(program, with_rows_in_tiles_computes_the_transform) {
  Random random(6);
  for (Shape const& shape : {Shape{6, 5, 70}, Shape{70, 4, 3}, Shape{3, 9, 65}}) {
    for (int ranks : numbers_of_ranks()) {
      Layout const slab = Layout::slab(shape, ranks);
      expect_transforms({.input = slab}, random);
      expect_transforms({.input = slab, .output = slab}, random);
      expect_transforms(
          {.input = slab, .axes = {0, 1, 2}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}}, random);
      expect_transforms({.input = Layout::pencil(shape, ranks)}, random);
    }
  }
}

TEST(program, with_points_of_fields_in_tiles_computes_the_transform) {
  Random random(7);
  for (Shape const& shape : {Shape{4, 3, 34, 3}, Shape{4, 4, 21, 5}, Shape{5, 6, 9, 2}}) {
    for (int ranks : {2, 3}) {
      Layout const slab = Layout::slab(shape, ranks);
      expect_transforms({.input = slab, .axes = {0, 1, 2}}, random);
      expect_transforms({.input = slab, .output = slab, .axes = {0, 1, 2}}, random);
      expect_transforms(
          {.input = slab, .axes = {0, 1, 2}, .kinds = {Kind::c2c, Kind::c2c, Kind::r2c}}, random);
    }
  }
}

TEST(program, scales_in_one_pass_only) {
  Random random(2);
  for (int round = 0; round < cases::rounds(100); ++round) {
    Shape const shape = cases::random_shape(random, 3, 120);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 6));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      schedule::Schedule const made = schedule::schedule({.input = layout});
      int scaled = 0, transforms = 0;
      for (Step const& step : compile(made, rank).steps) {
        if (auto const* sweep = std::get_if<Sweep>(&step.work)) {
          for (Pass const& pass : sweep->passes) {
            scaled += pass.scales ? 1 : 0;
            transforms += pass.axis ? 1 : 0;
            EXPECT_TRUE(!pass.scales || pass.axis);
          }
        }
      }
      EXPECT_EQ(scaled, transforms > 0 ? 1 : 0) << cases::describe(layout);
    }
  }
}

TEST(program, keeps_scratch_large_enough_for_a_window) {
  Random random(3);
  for (int round = 0; round < cases::rounds(200); ++round) {
    Shape const shape = cases::random_shape(random, 4, 2000);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 4));
    schedule::Schedule const made =
        schedule::schedule({.input = layout, .axes = cases::random_axes(random, 4)});
    Index const cache_bytes = random.between(Index{64}, Index{8192});
    Limits const limits{.cache_bytes = cache_bytes,
                        .last_cache_bytes = 4 * cache_bytes,
                        .threads = random.between(1, 3)};
    for (Step const& step : compile(made, 0, limits).steps) {
      auto const* sweep = std::get_if<Sweep>(&step.work);
      if (!sweep) continue;
      for (Pass const& pass : sweep->passes) {
        for (layout::Piece const& piece : pass.to_scratch ? pass.target : layout::Pieces{}) {
          Index last = piece.offset;
          for (int axis = 0; axis < made.shape.size(); ++axis) {
            Index counts = piece.box.ranges[axis].count();
            if (axis == sweep->window_axis) counts = std::min(counts, sweep->window);
            if (sweep->stacked_counts(axis) > 0)
              counts = std::min(counts, sweep->stacked_counts(axis));
            last += (counts - 1) * piece.strides[axis];
          }
          EXPECT_LT(reals_of(pass.target_number) * last, sweep->scratch_reals)
              << cases::describe(layout);
        }
      }
    }
  }
}

TEST(program, windows_cover_the_box) {
  for (int threads : {1, 2, 5}) {
    for (Index cache : {Index{1}, Index{4096}, Index{1} << 20}) {
      schedule::Schedule const made = schedule::schedule({.input = Layout::slab({30, 28, 26}, 2)});
      for (Step const& step : compile(made, 0, {.cache_bytes = cache, .threads = threads}).steps) {
        auto const* sweep = std::get_if<Sweep>(&step.work);
        if (!sweep || sweep->window_axis < 0) continue;
        Index const extent = sweep->passes[0].box.ranges[sweep->window_axis].count();
        EXPECT_GE(sweep->windows() * sweep->window, extent);
        EXPECT_LT((sweep->windows() - 1) * sweep->window, extent);
      }
    }
  }
}

/// Of the first sweep of a program for one rank.
int windows_of(Shape const& shape, std::vector<int> const& axes, Limits const& limits) {
  Layout const layout = Layout::slab(shape, 1);
  Program const program =
      compile(schedule::schedule({.input = layout, .output = layout, .axes = axes}), 0, limits);
  return static_cast<int>(std::get<Sweep>(program.steps.front().work).windows());
}

TEST(windows, of_few_long_rows_are_shared_by_threads) {
  Limits const two{.cache_bytes = 1 << 18, .threads = 2};
  EXPECT_EQ(windows_of({16, 1024}, {1}, two), 4);
  EXPECT_EQ(windows_of({3, 4096}, {1}, two), 3);
}

TEST(windows, are_not_so_small_that_no_thread_is_worth_waking) {
  Limits const two{.cache_bytes = 1 << 18, .threads = 2};
  EXPECT_EQ(windows_of({16, 256}, {1}, two), 1);
  EXPECT_EQ(windows_of({32, 256}, {1}, two), 2);
  EXPECT_EQ(windows_of({16, 16, 16}, {0, 1, 2}, two), 1);
}

}  // namespace
}  // namespace sixstep::program
