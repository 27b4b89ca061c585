// SPDX-License-Identifier: BSD-3-Clause
// Plans of one axis: of any length, shared by all ranks, in the memory of its array.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "sixstep/plan.hpp"
#include "transforms.hpp"

namespace sixstep {
namespace {

using arrays::fill;
using arrays::unset;
using cases::Random;
using oracle::at;
using oracle::Exact;
using ranks::failed_anywhere;
using ranks::OneOfThree;
using ranks::rounds;
using transforms::all;
using transforms::Case;
using transforms::expect_transforms;
using transforms::mine;
using transforms::random_options;

TEST(one_axis, computes_the_transform_of_one_axis_of_any_length) {
  std::vector<Index> lengths{60, 97, 256};
  if (all() <= 4)
    lengths.insert(lengths.end(), {1, 2, 3, 4, 7, 12, 16, 31, 128, 210, 343, 509, 1024});
  OneOfThree one_of_three;
  for (Index n : lengths) {
    if (failed_anywhere()) return;
    Layout const block = Layout::slab({n}, all());
    Layout const cyclic = Layout::grid({n}, {all()}, {Distribution::cyclic});
    for (Case const& given : {Case{block, block}, Case{cyclic, cyclic}, Case{block}}) {
      if (!one_of_three.takes_next()) continue;
      Case with_a_thread = given;
      with_a_thread.options = {.threads = 1};
      expect_transforms<double>(with_a_thread);
    }
  }
}

// Lengths that do not divide: convolutions on all ranks.

Layout on_one_rank(Index n, int holder) {
  std::vector<Box> boxes(at(all()), Box{{{0, 0}}});
  boxes[at(holder)] = Box{{{0, n}}};
  return Layout::boxes({n}, boxes);
}

TEST(one_axis, shares_lengths_that_do_not_divide_among_all_ranks) {
  OneOfThree one_of_three;
  for (Index n : {509, 1009}) {
    Layout const block = Layout::slab({n}, all());
    Layout const cyclic = Layout::grid({n}, {all()}, {Distribution::cyclic});
    for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
      if (failed_anywhere()) return;
      if (!one_of_three.takes_next()) continue;
      Case const given{.input = block,
                       .output = block,
                       .options = {.exchange = exchange, .threads = 1},
                       .scale = static_cast<Scale>(n % 3)};
      expect_transforms<double>(given);
      expect_transforms<float>(given);
    }
    expect_transforms<double>({.input = cyclic, .output = cyclic, .options = {.threads = 2}});
    expect_transforms<double>({.input = cyclic, .output = block, .options = {.threads = 1}});
    expect_transforms<double>({.input = block, .options = {.threads = 1, .own_workspace = false}});
    expect_transforms<double>(
        {.input = on_one_rank(n, all() - 1), .output = block, .options = {.threads = 1}});
    Plan<double> plan(block, block, MPI_COMM_WORLD);
    if (all() > 2 && n == 1009) {
      EXPECT_NE(plan.describe().find("(Bluestein)"), std::string::npos) << plan.describe();
    }
  }
}

TEST(one_axis, shares_lengths_that_do_not_divide_in_any_layout) {
  Random random(6);
  for (int round = 0; round < rounds(20) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    Index const n = round % 3 == 0 ? 211 : 1013;
    Shape const shape = round % 4 == 0 ? Shape{1, n, 1} : Shape{n};
    Case given{.input = cases::random_layout(random, shape, all()),
               .options = random_options(random, 1),
               .scale = static_cast<Scale>(random.between(0, 2))};
    given.options.axes.clear();
    if (!random.once_in(3)) given.output = cases::random_layout(random, shape, all());
    if (round % 5 == 0)
      expect_transforms<float>(given);
    else
      expect_transforms<double>(given);
  }
}

/// The root of the mean squared error of some coefficients, relative to the root of their mean
/// square.
template <class Real>
double relative_error(Index n) {
  Layout const layout = Layout::slab({n}, all());
  Plan<Real> plan(layout, layout, MPI_COMM_WORLD);
  std::vector<Exact> const x = oracle::values(n, 3);
  auto array = unset<Real>(plan.in_place_size());
  fill(array, layout, mine(), x);
  plan.forward(array.data(), array.data());
  std::vector<Exact> const roots = oracle::roots_of_unity(n, -1);
  Range const held = layout.box(mine()).ranges[0];
  double sums[] = {0, 0};
  constexpr Index samples = 32;
  for (Index k = 1; k < n; k += n / samples) {
    if (k < held.lo || k >= held.hi) continue;
    Exact exact = 0;
    for (Index j = 0; j < n; ++j) exact += x[at(j)] * roots[at(j * k % n)];
    sums[0] += static_cast<double>(std::norm(Exact(array[at(k - held.lo)]) - exact));
    sums[1] += static_cast<double>(std::norm(exact));
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sums[0] / sums[1]);
}

TEST(one_axis, keeps_errors_of_lengths_that_do_not_divide_small) {
  EXPECT_LT(relative_error<double>(32749), 3 * relative_error<double>(32768));
  EXPECT_LT(relative_error<float>(32749), 3 * relative_error<float>(32768));
}

TEST(one_axis, shares_the_memory_of_lengths_that_do_not_divide) {
  constexpr Index n = 1000003;
  if (all() <= 2) return;  // each rank transforms a column, with what that needs
  Layout const layout = Layout::slab({n}, all());
  Plan<double> const plan(layout, layout, MPI_COMM_WORLD,
                          {.exchange = Exchange::collective, .threads = 1});
  double const share = 16.0 * n / all();
  EXPECT_LT(ranks::largest(static_cast<double>(plan.workspace_bytes())), 7 * share + (1 << 20))
      << plan.describe();
}

/// Points of one axis that all ranks share in little more than the memory of the array: a square
/// of items of so many points, its sides a multiple of the ranks.
Index square(Index side, Index item) { return side * side * item; }

TEST(one_axis, transforms_a_long_axis_in_the_memory_of_its_array) {
  OneOfThree one_of_three;
  for (Index const item : {1, 2, 3, 7, 61}) {
    if (failed_anywhere()) return;
    if (all() > 4 && item > 2) continue;
    Layout const layout = Layout::slab({square(item < 3 ? 4 * all() : 2 * all(), item)}, all());
    for (Exchange const exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
      if (!one_of_three.takes_next()) continue;
      Case given{layout, layout, {.low_memory = true, .exchange = exchange, .threads = 1}};
      if (exchange == Exchange::pairwise) given.scale = Scale::by_n;
      if (exchange == Exchange::collective)
        given.options.threads = 2, given.scale = Scale::by_sqrt_n;
      if (item == 2) given.options.own_workspace = false;
      EXPECT_NE(make<double>(given).describe().find("in place in blocks"), std::string::npos);
      expect_transforms<double>(given);
      if (exchange != Exchange::pairwise) expect_transforms<float>(given);
    }
  }
}

TEST(one_axis, transforms_a_long_axis_of_low_memory_that_is_no_such_square) {
  OneOfThree one_of_three;
  for (Index const points : {Index{4096}, square(all() + 1, 2), square(2, 67)}) {
    if (failed_anywhere()) return;
    if (!one_of_three.takes_next()) continue;
    Layout const layout = Layout::slab({points}, all());
    expect_transforms<double>({layout, layout, {.low_memory = true, .threads = 1}});
  }
  Shape const shape{square(2 * all(), 1)};
  Layout const blocks = Layout::slab(shape, all());
  Layout const cyclic = Layout::grid(shape, {all()}, {Distribution::cyclic});
  for (auto const& given : {Case{cyclic, cyclic}, Case{blocks, cyclic}, Case{blocks}}) {
    if (!one_of_three.takes_next()) continue;
    Case few = given;
    few.options = {.low_memory = true, .threads = 1};
    expect_transforms<double>(few);
  }
}

/// The roots of unity of the last length that was asked for. Collective.
std::vector<std::complex<double>> const& roots_of(Index n) {
  static std::vector<std::complex<double>> roots;
  if (static_cast<Index>(roots.size()) != n) {
    roots.resize(at(n));
    ranks::compute_once(roots, [&] {
      std::vector<Exact> const exact = oracle::roots_of_unity(n, +1);
      std::copy(exact.begin(), exact.end(), roots.begin());
    });
  }
  return roots;
}

/// The largest error of both directions on impulses, of which the transform is known.
template <class Real>
double error_of_impulses(Index n, Options const& options, bool in_place) {
  Layout const layout = Layout::slab({n}, all());
  Plan<Real> plan(layout, layout, MPI_COMM_WORLD, options);
  Range const range = layout.box(mine()).ranges[0];
  Index const impulses[] = {1, n / 3, n - 2};
  std::vector<std::complex<double>> const& roots = roots_of(n);
  double worst = 0;
  for (Direction const direction : {Direction::forward, Direction::backward}) {
    std::vector<std::complex<Real>> in(at(plan.input_size())), out(in);
    for (Index const impulse : impulses)
      if (range.lo <= impulse && impulse < range.hi) in[at(impulse - range.lo)] = Real(impulse % 7);
    std::vector<std::complex<Real>>& result = in_place ? in : out;
    plan.execute(in.data(), result.data(), direction);
    for (Index k = range.lo; k < range.hi; ++k) {
      std::complex<double> expected = 0;
      for (Index const impulse : impulses) {
        std::complex<double> const root = roots[at(impulse * k % n)];
        expected += static_cast<double>(impulse % 7) *
                    (direction == Direction::forward ? std::conj(root) : root);
      }
      std::complex<double> const found(result[at(k - range.lo)]);
      worst = ranks::worse(worst, std::norm(found - expected));
    }
  }
  return ranks::largest(std::sqrt(worst));
}

TEST(one_axis, transforms_more_points_than_caches_hold) {
  if (all() > 4) return;
  for (Index const n : {Index{1} << 20, Index{1} << 19}) {
    for (Exchange const exchange : {Exchange::shared, Exchange::collective}) {
      Options const options{.exchange = exchange, .threads = 1};
      EXPECT_LT(error_of_impulses<double>(n, options, false), 1e-13);
      EXPECT_LT(error_of_impulses<float>(n, options, true), 5e-5);
    }
  }
}

TEST(one_axis, turns_large_squares_in_chunks_that_need_not_divide) {
  for (Index const item : {1, 3}) {
    Index const n = square(780, item);  // 2^2 3 5 13: not for 7 ranks
    Options const options{
        .low_memory = true, .exchange = Exchange::collective, .threads = item == 1 ? 2 : 1};
    EXPECT_LT(error_of_impulses<double>(n, options, true), 1e-13);
    EXPECT_LT(error_of_impulses<float>(n, options, item == 1), 5e-5);
  }
}

TEST(one_axis, works_on_a_long_axis_in_a_seventh_of_its_array) {
  constexpr Index n = Index{1} << 24;
  if (n % (all() * all()) != 0) return;
  Layout const layout = Layout::slab({n}, all());
  constexpr double scratch = 4 << 20;  // of a thread, for passes
  for (Exchange const exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
    Plan<double> const plan(layout, layout, MPI_COMM_WORLD,
                            {.low_memory = true, .exchange = exchange, .threads = 1});
    double const share = 16.0 * n / all();
    EXPECT_LE(ranks::largest(static_cast<double>(plan.workspace_bytes())), 0.15 * share + scratch)
        << plan.describe();
    EXPECT_EQ(plan.exchanges(), all() > 1 ? 3 : 0);
    EXPECT_EQ(plan.passes(), all() > 1 ? 5 : 3) << plan.describe();
  }
}

TEST(one_axis, tells_the_same_bytes_of_pointwise_work_there_and_back) {
  if (all() < 3) return;  // two ranks share this length without pointwise work
  Plan<double> const plan(Layout::slab({1009}, all()), MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  Part const there = plan.breakdown(Direction::forward).front();
  Part const back = plan.breakdown(Direction::backward).back();
  EXPECT_EQ(there.what, "reals to complex numbers");
  EXPECT_EQ(back.what, "complex numbers to reals");
  EXPECT_EQ(there.bytes, back.bytes);
}

}  // namespace
}  // namespace sixstep
