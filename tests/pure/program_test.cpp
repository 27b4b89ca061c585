// SPDX-License-Identifier: BSD-3-Clause
// Programs: messages and passes counted, and the programs of all ranks run by the definitions.
#include "plan/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracle.hpp"
#include "plan/match.hpp"
#include "real_oracle.hpp"
#include "views.hpp"

namespace sixstep::plan {
namespace {

using cases::Random;
using exchange::Message;
using oracle::at;
using oracle::Exact;

constexpr Distribution cyclic = Distribution::cyclic;

std::vector<Move> moves_of(Program const& program) {
  std::vector<Move> moves;
  for (Step const& step : program.steps)
    if (auto const* move = std::get_if<Move>(&step)) moves.push_back(*move);
  return moves;
}

int passes(Problem const& problem) { return compile(schedule(problem), 0).sweeps(); }

// Messages.

TEST(messages, of_4096_pencils_are_63_to_each_of_two_groups) {
  // P x Q ranks: P - 1 messages of 16 N / (P^2 Q) bytes, then Q - 1 of 16 N / (P Q^2).
  Index const points = Index{256} * 256 * 256, p = 64, q = 64;
  Schedule const made = schedule({.input = Layout::grid({256, 256, 256}, {64, 64, 1})});
  for (int rank : {0, 1, 63, 64, 2047, 4095}) {
    std::vector<Move> const moves = moves_of(compile(made, rank));
    ASSERT_EQ(moves.size(), 2u);
    std::set<int> partners;
    for (Move const& move : moves) {
      int to_others = 0;
      for (Message const& message : move.moves.send.messages) {
        EXPECT_EQ(message.count, points / (p * p * q));
        if (message.rank == rank) continue;
        ++to_others;
        partners.insert(message.rank);
      }
      EXPECT_EQ(to_others, 63);
      EXPECT_EQ(exchange::group_of(move.from, move.to, rank).size(), 64u);
    }
    EXPECT_EQ(partners.size(), 126u) << "a row and a column of the grid";
    for (int partner : partners)
      EXPECT_TRUE(partner / 64 == rank / 64 || partner % 64 == rank % 64);
  }
}

TEST(messages, of_rectangular_grids_have_the_size_that_the_grid_gives_them) {
  Index const points = 64 * 64 * 64;
  for (auto const& [p, q] : {std::pair{2, 8}, std::pair{8, 2}, std::pair{4, 4}}) {
    Schedule const made = schedule({.input = Layout::grid({64, 64, 64}, {p, q, 1})});
    std::vector<Move> const moves = moves_of(compile(made, 0));
    ASSERT_EQ(moves.size(), 2u);
    std::multiset<Index> found, expected{points / (p * p * q), points / (p * q * q)};
    std::multiset<std::size_t> numbers;
    for (Move const& move : moves) {
      found.insert(move.moves.send.messages[0].count);
      numbers.insert(move.moves.send.messages.size());
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(numbers, (std::multiset<std::size_t>{static_cast<std::size_t>(p),
                                                   static_cast<std::size_t>(q)}));
  }
}

TEST(messages, of_slabs_carry_all_but_one_part_of_the_array) {
  for (int ranks : {2, 4, 8, 16}) {
    Schedule const made = schedule({.input = Layout::slab({64, 64, 64}, ranks)});
    Index sent = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (Move const& move : moves_of(compile(made, rank)))
        for (Message const& message : move.moves.send.messages)
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
  Problem const problem{
      .input = Layout::slab({64, 64, 64}, 8), .axes = {1, 2}, .kinds = {Kind::r2c}, .padded = true};
  Schedule const forward = schedule(problem);
  for (Schedule const& made : {forward, reverse(forward)}) {
    Program const program = compile(made, 0);
    EXPECT_EQ(program.sweeps(), 1);
    EXPECT_EQ(program.work_a_reals + program.work_b_reals, 0);
  }
}

TEST(passes, from_cyclic_to_cyclic_are_two) {
  Layout const layout = Layout::grid({1 << 16}, {16}, {cyclic});
  EXPECT_EQ(passes({.input = layout, .output = layout}), 2);
}

// What the programs of all ranks compute.

/// Buffers of one rank, in reals; what was never written is not a number.
class Memory {
 public:
  Memory(Program const& program, bool in_place) {
    long double const unset = std::numeric_limits<long double>::quiet_NaN();
    Index const output =
        in_place ? std::max(program.input_reals(), program.output_reals()) : program.output_reals();
    buffers_[Buffer::input].assign(at(in_place ? 0 : program.input_reals()), unset);
    buffers_[Buffer::output].assign(at(output), unset);
    buffers_[Buffer::work_a].assign(at(program.work_a_reals), unset);
    buffers_[Buffer::work_b].assign(at(program.work_b_reals), unset);
  }

  std::vector<long double>& operator[](Buffer buffer) { return buffers_.at(buffer); }

 private:
  std::map<Buffer, std::vector<long double>> buffers_;
};

bool holds(std::vector<long double> const& array, Index offset, Number number) {
  return offset >= 0 && at((offset + 1) * reals_of(number)) <= array.size();
}

Exact get(std::vector<long double> const& array, Index offset, Number number) {
  if (number == Number::real) return array[at(offset)];
  return {array[at(2 * offset)], array[at(2 * offset + 1)]};
}

void put(std::vector<long double>& array, Index offset, Number number, Exact const& value) {
  if (number == Number::real) {
    EXPECT_LT(std::abs(value.imag()), 1e-15L) << "an imaginary part is lost";
    array[at(offset)] = value.real();
  } else {
    array[at(2 * offset)] = value.real();
    array[at(2 * offset + 1)] = value.imag();
  }
}

struct Runner {
  Schedule const& made;
  int sign;
  bool in_place;
  std::vector<Program> programs;
  std::vector<Memory> memory;
  std::vector<std::size_t> next;  // step of each rank

  Runner(Schedule const& schedule, int direction, bool same_array)
      : made(schedule), sign(direction), in_place(same_array) {
    for (int rank = 0; rank < made.input.layout.ranks(); ++rank) {
      programs.push_back(compile(made, rank));
      memory.emplace_back(programs.back(), in_place);
    }
    next.assign(programs.size(), 0);
  }

  std::vector<Buffer> const& buffers(std::size_t rank) const {
    return in_place ? programs[rank].in_place : programs[rank].out_of_place;
  }

  /// Each rank sweeps up to its next move, then all move; as often as it takes.
  void run() {
    for (bool done = false; !done;) {
      done = true;
      for (std::size_t rank = 0; rank < programs.size(); ++rank) {
        std::size_t& i = next[rank];
        for (; i < steps(rank) && !is_move(rank); ++i)
          run_sweep(rank, i, std::get<Sweep>(programs[rank].steps[i]));
      }
      for (std::size_t rank = 0; rank < programs.size(); ++rank) {
        if (next[rank] == steps(rank)) continue;
        deliver(rank, next[rank], std::get<Move>(programs[rank].steps[next[rank]]));
        done = false;
      }
      if (testing::Test::HasFatalFailure()) return;
      for (std::size_t rank = 0; rank < programs.size(); ++rank)
        if (next[rank] < steps(rank)) ++next[rank];
    }
  }

  std::size_t steps(std::size_t rank) const { return programs[rank].steps.size(); }
  bool is_move(std::size_t rank) const {
    return std::holds_alternative<Move>(programs[rank].steps[next[rank]]);
  }

  void run_sweep(std::size_t rank, std::size_t i, Sweep const& sweep) {
    Buffer const from = buffers(rank)[i], to = buffers(rank)[i + 1];
    EXPECT_TRUE(from != to || sweep.may_work_in_place());
    EXPECT_NE(to, Buffer::input);
    std::vector<long double> scratch;
    for (Pass const& pass : sweep.passes) {
      EXPECT_TRUE(!pass.axis || *pass.axis != sweep.window_axis);
      std::vector<long double> fresh;
      run_pass(pass, pass.from_scratch ? scratch : memory[rank][from],
               pass.to_scratch ? fresh : memory[rank][to]);
      if (pass.to_scratch) scratch = std::move(fresh);
    }
  }

  void run_pass(Pass const& pass, std::vector<long double> const& source,
                std::vector<long double>& target) {
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
      ASSERT_TRUE(holds(source, offset, pass.source_number)) << "reads outside of its buffer";
      Exact const value = get(source, offset, pass.source_number);
      ASSERT_FALSE(std::isnan(value.real() + value.imag())) << "reads what was never written";
      values[number] = value;
    }
    if (pass.axis) transform(pass, values);
    ASSERT_EQ(values.size(), to.size());
    Index const element = reals_of(pass.target_number);
    if (pass.to_scratch) target.resize(at(places.empty() ? 0 : (*places.rbegin() + 1) * element));
    for (auto const& [number, offset] : to) {
      ASSERT_TRUE(values.count(number)) << "writes what it has not read";
      ASSERT_TRUE(holds(target, offset, pass.target_number)) << "writes outside of its buffer";
      put(target, offset, pass.target_number, values.at(number));
    }
  }

  /// Along pass.axis, and the twiddle. A transform may only be of a box.
  void transform(Pass const& pass, std::map<Index, Exact>& values) {
    int const axis = *pass.axis;
    std::size_t points = 0;
    std::map<Index, Exact> results;
    std::vector<Exact> const roots =
        oracle::roots_of_unity(pass.twiddle_axis ? pass.twiddle_period : 1, sign);
    oracle::for_each_point(pass.box, [&](Shape point) {
      ++points;
      if (point[axis] != 0) return;
      oracle::Whole column{{pass.box.ranges[axis].count()}, {}};
      for (Index j = 0; j < column.shape[0]; ++j) {
        point[axis] = j;
        auto const value = values.find(oracle::number_of(made.shape, point));
        ASSERT_NE(value, values.end()) << "a column is not on one rank";
        column.values.push_back(value->second);
      }
      // A reversed schedule names the kinds that undo those of the forward one.
      oracle::Kinds const kinds{{0, sign < 0 ? pass.kind : oracle::undone_by(pass.kind)}};
      column = sign < 0 ? oracle::forward(column, kinds)
                        : oracle::backward(column, kinds, made.shape[axis]);
      ASSERT_EQ(column.shape[0], pass.target_box.ranges[axis].count());
      for (Index k = 0; k < column.shape[0]; ++k) {
        point[axis] = k;
        Index const power =
            pass.twiddle_axis ? k * point[*pass.twiddle_axis] % pass.twiddle_period : 0;
        results[oracle::number_of(made.shape, point)] = column.values[at(k)] * roots[at(power)];
      }
    });
    EXPECT_EQ(points, values.size()) << "the pieces are not the box";
    values = std::move(results);
  }

  void deliver(std::size_t rank, std::size_t i, Move const& move) {
    Buffer const from = buffers(rank)[i], to = buffers(rank)[i + 1];
    EXPECT_NE(from, to);
    EXPECT_NE(to, Buffer::input);
    Index const element = reals_of(move.number);
    ASSERT_GE(memory[rank][to].size(), at(move.moves.receive.size * element));
    for (Message const& message : move.moves.receive.messages) {
      std::size_t const sender = at(message.rank);
      ASSERT_LT(next[sender], steps(sender)) << "the exchanges of the ranks differ";
      auto const* theirs = std::get_if<Move>(&programs[sender].steps[next[sender]]);
      auto const& sends = theirs->moves.send.messages;
      auto const match = std::find_if(sends.begin(), sends.end(), [&](Message const& m) {
        return m.rank == static_cast<int>(rank);
      });
      ASSERT_NE(match, sends.end());
      ASSERT_EQ(match->count, message.count);
      std::vector<long double> const& source = memory[sender][buffers(sender)[next[sender]]];
      ASSERT_EQ(theirs->number, move.number);
      ASSERT_GE(source.size(), at((match->offset + match->count) * element));
      // Nobody writes to the buffer it sends from, so the order of ranks does not matter.
      std::copy_n(source.begin() + match->offset * element, message.count * element,
                  memory[rank][to].begin() + message.offset * element);
    }
  }
};

oracle::Kinds kinds_of(Problem const& problem) {
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
Index place_of(Placement const& user, Index offset) {
  Index const n = user.layout.shape()[user.layout.order().back()];
  return user.row == 0 ? offset : offset / n * user.row + offset % n;
}

void expect_transform(Problem const& problem, int sign, bool in_place) {
  Schedule const forward = schedule(problem);
  Schedule const made = sign < 0 ? forward : reverse(forward);
  oracle::Kinds const kinds = kinds_of(problem);
  std::string axes;
  for (auto const& [axis, kind] : kinds) axes += text(" ", axis, ":", to_string(kind));
  SCOPED_TRACE(text("input ", cases::describe(problem.input), "\noutput ",
                    problem.output ? cases::describe(*problem.output) : "open", "\nkinds", axes,
                    problem.padded ? ", padded" : "", sign < 0 ? ", forward" : ", backward",
                    in_place ? ", in place" : "", "\n", summary(made)));
  Runner runner(made, sign, in_place);
  Layout const &input = made.input.layout, &output = made.output.layout;
  oracle::Whole whole{sign < 0 ? problem.input.shape() : output_shape(problem), {}};
  whole.values = oracle::values(oracle::points_of(whole.shape), 3);
  if (made.input_number == Number::real)
    for (Exact& value : whole.values) value = value.real();

  for (std::size_t rank = 0; rank < runner.programs.size(); ++rank) {
    Program const& program = runner.programs[rank];
    ASSERT_EQ(runner.buffers(rank).size(), program.steps.size() + 1);
    EXPECT_EQ(program.out_of_place.front(), Buffer::input);
    EXPECT_NE(program.in_place.front(), Buffer::input);
    EXPECT_EQ(runner.buffers(rank).back(), Buffer::output);
    EXPECT_EQ(program.input_points, place_of(made.input, input.local_size(static_cast<int>(rank))));
    EXPECT_EQ(program.output_points,
              place_of(made.output, output.local_size(static_cast<int>(rank))));
    std::vector<long double>& start = runner.memory[rank][runner.buffers(rank).front()];
    ASSERT_GE(start.size(), at(program.input_reals()));
    oracle::for_each_element(input, static_cast<int>(rank), [&](Shape const& p, Index offset) {
      put(start, place_of(made.input, offset), made.input_number,
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
    std::vector<long double> const& array = runner.memory[at(rank)][Buffer::output];
    oracle::for_each_element(output, rank, [&](Shape const& point, Index offset) {
      Exact const got = get(array, place_of(made.output, offset), made.output_number);
      long double const error =
          std::abs(got - expected.values[at(oracle::number_of(output.shape(), point))]);
      worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
    });
  }
  EXPECT_LT(worst, 1e-14L * static_cast<long double>(made.transformed_points()));
}

TEST(program, of_all_ranks_together_computes_the_transform) {
  Random random(1);
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    Problem problem{.input = cases::random_layout(random, shape, ranks),
                    .axes = cases::random_axes(random, axes)};
    if (!random.once_in(4)) problem.output = cases::random_layout(random, shape, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round);
    for (int sign : {-1, +1})
      for (bool in_place : {false, true}) expect_transform(problem, sign, in_place);
  }
}

TEST(program, of_any_kinds_computes_the_transform) {
  Random random(4);
  for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    int const axes = random.between(1, 4);
    Shape const shape = cases::random_shape(random, axes, 120);
    int const ranks = random.between(1, 8);
    Problem problem{.input = cases::random_layout(random, shape, ranks)};
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
    if (!random.once_in(4))
      problem.output = cases::random_layout(random, output_shape(problem), ranks);
    SCOPED_TRACE(testing::Message() << "round " << round);
    for (int sign : {-1, +1})
      for (bool in_place : {false, true}) expect_transform(problem, sign, in_place);
  }
}

TEST(program, of_one_long_axis_computes_the_transform) {
  for (Index n : {64, 60, 97, 256}) {
    for (int ranks : {2, 3, 4}) {
      for (Distribution distribution : {Distribution::block, cyclic}) {
        Layout const layout = Layout::grid({n}, {ranks}, {distribution});
        for (int sign : {-1, +1}) {
          for (bool in_place : {false, true}) {
            expect_transform({.input = layout}, sign, in_place);
            expect_transform({.input = layout, .output = layout}, sign, in_place);
          }
        }
      }
    }
  }
}

TEST(program, scales_in_one_pass_only) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    Shape const shape = cases::random_shape(random, 3, 120);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 6));
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Schedule const made = schedule({.input = layout});
      int scaled = 0, transforms = 0;
      for (Step const& step : compile(made, rank).steps) {
        if (auto const* sweep = std::get_if<Sweep>(&step)) {
          for (Pass const& pass : sweep->passes) {
            scaled += pass.last ? 1 : 0;
            transforms += pass.axis ? 1 : 0;
            EXPECT_TRUE(!pass.last || pass.axis);
          }
        }
      }
      EXPECT_EQ(scaled, transforms > 0 ? 1 : 0) << cases::describe(layout);
    }
  }
}

TEST(program, keeps_scratch_large_enough_for_a_window) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    Shape const shape = cases::random_shape(random, 4, 2000);
    Layout const layout = cases::random_layout(random, shape, random.between(1, 4));
    Schedule const made = schedule({.input = layout});
    Limits const limits{.cache_bytes = random.between(Index{64}, Index{8192}),
                        .threads = random.between(1, 3)};
    for (Step const& step : compile(made, 0, limits).steps) {
      auto const* sweep = std::get_if<Sweep>(&step);
      if (!sweep) continue;
      for (Pass const& pass : sweep->passes) {
        for (exchange::Piece const& piece : pass.to_scratch ? pass.target : exchange::Pieces{}) {
          Index last = piece.offset;
          for (int axis = 0; axis < made.shape.size(); ++axis) {
            Index counts = piece.box.ranges[axis].count();
            if (axis == sweep->window_axis) counts = std::min(counts, sweep->window);
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
      Schedule const made = schedule({.input = Layout::slab({30, 28, 26}, 2)});
      for (Step const& step : compile(made, 0, {.cache_bytes = cache, .threads = threads}).steps) {
        auto const* sweep = std::get_if<Sweep>(&step);
        if (!sweep || sweep->window_axis < 0) continue;
        Index const extent = sweep->passes[0].box.ranges[sweep->window_axis].count();
        EXPECT_GE(sweep->windows() * sweep->window, extent);
        EXPECT_LT((sweep->windows() - 1) * sweep->window, extent);
      }
    }
  }
}

TEST(describe, tells_layouts_exchanges_passes_and_memory) {
  std::string const lines = describe(schedule({.input = Layout::slab({64, 64, 64}, 8)}));
  for (char const* part :
       {"64 x 64 x 64 over 8 x 1 x 1 ranks (slab)", "64 x 64 x 64 over 1 x 8 x 1 ranks (slab)",
        "1 exchange, 2 passes", "7 messages of 64 KiB", "448 KiB sent", "fft 64",
        "input 512 KiB, output 512 KiB"})
    EXPECT_NE(lines.find(part), std::string::npos) << part << " is missing in\n" << lines;
}

}  // namespace
}  // namespace sixstep::plan
