// SPDX-License-Identifier: BSD-3-Clause
// Formulas: by interpretation that compositions with them compute the transform, every rank's
// pointwise work included.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "base/match.hpp"
#include "base/memory.hpp"
#include "cases.hpp"
#include "formulas/bluestein.hpp"
#include "formulas/composition.hpp"
#include "formulas/half_complex.hpp"
#include "formulas/in_place.hpp"
#include "formulas/zero_imaginary.hpp"
#include "oracles/fourier.hpp"
#include "schedule/line.hpp"
#include "views.hpp"

namespace sixstep::formulas {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;

/// Runs the tasks of a composition for all ranks in turn: schedules by their definition, pointwise
/// work by the ranks' workers. Every array has room for any.
template <class Real>
class Interpreter {
 public:
  explicit Interpreter(Composition const& composition) : composition_(composition) {
    int const ranks = composition.input.layout.ranks();
    Index room = 1;
    auto const make_room = [&](layout::Placement const& placement) {
      for (int rank = 0; rank < ranks; ++rank)
        room = std::max(room, 2 * placement.memory_size(rank));
    };
    for (schedule::Schedule const& schedule : composition.schedules)
      make_room(schedule.input), make_room(schedule.output);
    for (Layout const& layout : composition.work) make_room(layout::place(layout));
    make_room(composition.input), make_room(composition.output);
    slots_.resize(composition.slots(), Array(at(ranks), std::vector<Real>(at(room))));
    for (auto const& formula : composition.formulas) {
      workers_.emplace_back();
      for (int rank = 0; rank < ranks; ++rank)
        workers_.back().push_back(formula->on_rank(rank, sizeof(Real), Local::own));
    }
    run(composition.setup, 1);
  }

  /// What becomes of a whole array, by the numbers of its points.
  std::vector<Exact> transform(std::vector<Exact> const& whole, bool backward, double scale) {
    layout::Placement const& from = backward ? composition_.output : composition_.input;
    layout::Placement const& to = backward ? composition_.input : composition_.output;
    scatter(whole, from, given, 1);
    run(backward ? composition_.backward : composition_.forward, scale);
    return gather(to, result);
  }

 private:
  using Complex = std::complex<Real>;
  using Array = std::vector<std::vector<Real>>;  // of each rank

  void run(std::vector<Task> const& tasks, double scale) {
    for (Task const& task : tasks) {
      double const factor = task.scaled ? task.factor * scale : task.factor;
      std::visit(match{[&](Run const& run) { this->run(run, task, factor); },
                       [&](Apply const& apply) { this->apply(apply, task, factor); },
                       [&](Turn const& turn) { this->turn(turn.square, task); }},
                 task.what);
    }
  }

  void run(Run const& run, Task const& task, double factor) {
    schedule::Schedule const& forward = composition_.schedules[run.schedule];
    schedule::Schedule const made = run.backward ? schedule::reverse(forward) : forward;
    int const sign = run.backward ? 1 : -1;
    std::vector<Exact> array = gather(made.input, task.source);
    for (schedule::Stage const& stage : made.stages)
      std::visit(
          match{[&](schedule::Fft const& fft) {
                  oracle::transform(array, made.shape, fft.axis, sign);
                },
                [&](schedule::Twiddle const& twiddle) { twist(array, made.shape, twiddle, sign); },
                [](auto const&) {}},
          stage);
    scatter(array, made.output, task.target, factor);
    if (run.times) multiply(*run.times, made.output, task.target);
  }

  static void twist(std::vector<Exact>& array, Shape const& shape, schedule::Twiddle const& twiddle,
                    int sign) {
    Index const period = shape[twiddle.axis] * shape[twiddle.other];
    std::vector<Exact> const roots = oracle::roots_of_unity(period, sign);
    oracle::for_each_point(shape, [&](Shape const& point) {
      array[at(oracle::number_of(shape, point))] *=
          roots[at(point[twiddle.axis] * point[twiddle.other] % period)];
    });
  }

  void multiply(Times const& times, layout::Placement const& end, Slot slot) {
    for (int rank = 0; rank < end.layout.ranks(); ++rank) {
      auto const* const table =
          static_cast<Complex const*>(workers_[times.formula][at(rank)]->table(times.work));
      auto* const array = reinterpret_cast<Complex*>(slots_[slot][at(rank)].data());
      for (Index i = 0; i < end.memory_size(rank); ++i) array[i] *= table[i];
    }
  }

  void apply(Apply const& apply, Task const& task, double factor) {
    constexpr int threads = 2;
    for (std::size_t rank = 0; rank < workers_[apply.formula].size(); ++rank) {
      Pointwise& worker = *workers_[apply.formula][rank];
      Memory const scratch = allocate(worker.scratch_bytes() * threads);
      worker.apply(apply.work, {.source = slots_[task.source][rank].data(),
                                .other = slots_[apply.other][rank].data(),
                                .target = slots_[task.target][rank].data(),
                                .backward = apply.backward,
                                .factor = factor,
                                .threads = threads,
                                .scratch = scratch.get()});
    }
  }

  void turn(redistribution::Square const& square, Task const& task) {
    Array const source = slots_[task.source];
    Array& target = slots_[task.target];
    Index const item = 2 * square.item;
    auto const place = [&](Array& array, Index row, Index column) {
      return array[at(row / square.block())].data() +
             (row % square.block() * square.side + column) * item;
    };
    Array from = source;
    for (Index row = 0; row < square.side; ++row)
      for (Index column = 0; column < square.side; ++column)
        std::copy_n(place(from, row, column), item, place(target, column, row));
  }

  /// A whole array in working axes, from the ranks' parts.
  std::vector<Exact> gather(layout::Placement const& placement, Slot slot) {
    std::vector<Exact> whole(at(oracle::points_of(placement.view.shape)));
    for (int rank = 0; rank < placement.layout.ranks(); ++rank) {
      Real const* const part = slots_[slot][at(rank)].data();
      for (auto const& [number, offset] : views::offsets(placement, rank))
        whole[at(number)] = placement.number == layout::Number::real
                                ? Exact(part[offset])
                                : Exact(part[2 * offset], part[2 * offset + 1]);
    }
    return whole;
  }

  void scatter(std::vector<Exact> const& whole, layout::Placement const& placement, Slot slot,
               double factor) {
    for (int rank = 0; rank < placement.layout.ranks(); ++rank) {
      Real* const part = slots_[slot][at(rank)].data();
      for (auto const& [number, offset] : views::offsets(placement, rank)) {
        Exact const value = whole[at(number)] * static_cast<long double>(factor);
        if (placement.number == layout::Number::real) {
          part[offset] = static_cast<Real>(value.real());
        } else {
          part[2 * offset] = static_cast<Real>(value.real());
          part[2 * offset + 1] = static_cast<Real>(value.imag());
        }
      }
    }
  }

  Composition const& composition_;
  std::vector<Array> slots_;
  std::vector<std::vector<std::unique_ptr<Pointwise>>> workers_;  // by formula and rank
};

long double largest_difference(std::vector<Exact> const& a, std::vector<Exact> const& b) {
  EXPECT_EQ(a.size(), b.size());
  long double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

std::vector<Exact> transformed(std::vector<Exact> array, int sign) {
  oracle::transform(array, {static_cast<Index>(array.size())}, 0, sign);
  return array;
}

/// The largest coefficient by which those of a composition differ from the definition, forward and
/// backward, of values of at most 1 and by the number of points.
template <class Real>
long double error_of_complex(Composition const& made) {
  Index const n = made.input.layout.shape()[0];
  std::vector<Exact> const values = oracle::values(n, 3);
  Interpreter<Real> interpreter(made);
  EXPECT_EQ(made.points, static_cast<double>(n));
  long double worst = 0;
  for (bool backward : {false, true}) {
    std::vector<Exact> expected = transformed(values, backward ? 1 : -1);
    for (Exact& value : expected) value *= 0.25L;
    worst = std::max(worst,
                     largest_difference(interpreter.transform(values, backward, 0.25), expected));
  }
  return worst / static_cast<long double>(n);
}

template <class Real>
long double error_of_reals(Composition const& made) {
  Index const n = made.input.layout.shape()[0], coefficients = n / 2 + 1;
  EXPECT_EQ(made.input.number, layout::Number::real);
  EXPECT_EQ(made.output.number, layout::Number::complex);
  EXPECT_EQ(made.points, static_cast<double>(n));
  Interpreter<Real> interpreter(made);
  std::vector<Exact> reals = oracle::values(n, 5);
  for (Exact& value : reals) value = value.real();
  std::vector<Exact> expected = transformed(reals, -1);
  expected.resize(at(coefficients));
  for (Exact& value : expected) value *= 0.25L;
  long double const there = largest_difference(interpreter.transform(reals, false, 0.25), expected);

  // Back: imaginary parts of coefficients that stand for themselves do not count.
  std::vector<Exact> const half = oracle::values(coefficients, 6);
  std::vector<Exact> all(at(n));
  for (Index k = 0; k < coefficients; ++k) {
    all[at(k)] = half[at(k)];
    all[at((n - k) % n)] = std::conj(half[at(k)]);
    if (k == (n - k) % n) all[at(k)] = half[at(k)].real();
  }
  expected = transformed(all, 1);
  for (Exact& value : expected) value = value.real() * 0.25L;
  long double const back = largest_difference(interpreter.transform(half, true, 0.25), expected);
  return std::max(there, back) / static_cast<long double>(n);
}

constexpr long double bound_double = 1e-15L, bound_float = 1e-6L;

Layout random_line(Random& random, Index n, int ranks) {
  return *schedule::line_of(cases::random_layout(random, {n}, ranks), 0);
}

/// A problem along one axis in layouts by chance.
schedule::Problem random_problem(Random& random, Index n, Kind kind) {
  int const ranks = random.between(1, 6);
  return {.input = random_line(random, n, ranks),
          .output = random_line(random, kind == Kind::r2c ? n / 2 + 1 : n, ranks),
          .axes = {0},
          .kinds = {kind},
          .real_bytes = random.once_in(2) ? 4 : 8};
}

std::string describe(schedule::Problem const& problem) {
  return text("input ", cases::describe(problem.input), "\noutput ",
              cases::describe(*problem.output));
}

Index random_length(Random& random, Index step, Index first) {
  return first + step * random.between(Index{0}, Index{120} / step);
}

TEST(bluestein, computes_the_transform_of_any_line) {
  Random random(1);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    schedule::Problem const problem =
        random_problem(random, random_length(random, 1, 2), Kind::c2c);
    SCOPED_TRACE(text("round ", round, "\n", describe(problem)));
    Composition const made = bluestein(problem, {});
    if (problem.real_bytes == 8)
      EXPECT_LT(error_of_complex<double>(made), bound_double);
    else
      EXPECT_LT(error_of_complex<float>(made), bound_float);
  }
}

TEST(half_complex, computes_the_transform_of_any_line_of_even_length) {
  Random random(2);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    schedule::Problem const problem =
        random_problem(random, random_length(random, 2, 2), Kind::r2c);
    SCOPED_TRACE(text("round ", round, "\n", describe(problem)));
    Composition const made = half_complex(problem, {});
    if (problem.real_bytes == 8)
      EXPECT_LT(error_of_reals<double>(made), bound_double);
    else
      EXPECT_LT(error_of_reals<float>(made), bound_float);
  }
}

TEST(zero_imaginary, computes_the_transform_of_any_line_of_odd_length) {
  Random random(3);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    schedule::Problem const problem =
        random_problem(random, random_length(random, 2, 1), Kind::r2c);
    SCOPED_TRACE(text("round ", round, "\n", describe(problem)));
    Composition const made = zero_imaginary(problem, {});
    if (problem.real_bytes == 8)
      EXPECT_LT(error_of_reals<double>(made), bound_double);
    else
      EXPECT_LT(error_of_reals<float>(made), bound_float);
  }
}

TEST(composition, within_another_computes_the_transform) {
  schedule::Choices const quick_messages{.rates = {.latency_s = 1e-9}};
  for (Index n : {2 * 211, 257}) {
    schedule::Problem const problem{.input = Layout::slab({n}, 3),
                                    .output = Layout::slab({n / 2 + 1}, 3),
                                    .axes = {0},
                                    .kinds = {Kind::r2c}};
    Composition const made = n % 2 == 0 ? half_complex(problem, quick_messages)
                                        : zero_imaginary(problem, quick_messages);
    EXPECT_EQ(made.formulas.size(), 2u) << "a convolution of " << n << " reals";
    EXPECT_LT(error_of_reals<double>(made), bound_double);
  }
}

TEST(in_place, computes_the_transform_of_squares_of_items) {
  for (int ranks : {1, 2, 3})
    for (Index item : {1, 2, 5}) {
      Index const side = 6;
      Layout const line = Layout::slab({item * side * side}, ranks);
      SCOPED_TRACE(text(ranks, " ranks, items of ", item));
      std::optional<Composition> const made = in_place({.input = line, .output = line}, {});
      ASSERT_TRUE(made);
      EXPECT_LT(error_of_complex<double>(*made), bound_double);
      EXPECT_LT(error_of_complex<float>(*made), bound_float);
    }
}

TEST(in_place, needs_even_blocks_and_a_square_that_ranks_share) {
  auto const is_possible = [](Layout const& line) {
    return in_place({.input = line, .output = line}, {}).has_value();
  };
  EXPECT_TRUE(is_possible(Layout::slab({64 * 64}, 4)));
  EXPECT_FALSE(is_possible(Layout::slab({63 * 63}, 4)));
  EXPECT_FALSE(is_possible(Layout::slab({10007}, 1)));
  EXPECT_FALSE(is_possible(Layout::grid({64 * 64}, {4}, {Distribution::cyclic})));
}

}  // namespace
}  // namespace sixstep::formulas
