// SPDX-License-Identifier: BSD-3-Clause
// Plans against the definition of the transform, for any layouts, ways to move data and ways to
// call.
#include "sixstep/plan.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "no_more_files.hpp"
#include "nodes_of.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "transforms.hpp"

namespace sixstep {
namespace {

using arrays::difference;
using arrays::fill;
using arrays::rounding;
using arrays::unset;
using cases::Random;
using oracle::at;
using oracle::Exact;
using ranks::failed_anywhere;
using ranks::rounds;
using transforms::all;
using transforms::Case;
using transforms::expect_transforms;
using transforms::mine;
using transforms::random_case;
using transforms::Workspace;

TEST(plan, computes_the_transform_in_double_precision) {
  Random random(1);
  for (int round = 0; round < rounds(80) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms<double>(random_case(random, random.between(1, 4), 300));
  }
}

TEST(plan, computes_the_transform_in_single_precision) {
  Random random(2);
  for (int round = 0; round < rounds(40) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms<float>(random_case(random, random.between(1, 4), 300));
  }
}

TEST(plan, computes_the_transform_of_the_usual_decompositions) {
  Shape const shape{9, 10, 8};
  std::vector<Layout> const layouts{Layout::slab(shape, all()), Layout::slab(shape, all(), 2),
                                    Layout::pencil(shape, all()), Layout::brick(shape, all())};
  for (Layout const& layout : layouts) {
    for (Exchange exchange : {Exchange::collective, Exchange::pairwise}) {
      if (failed_anywhere()) return;
      if (all() > 4 && (exchange == Exchange::pairwise) != (&layout == &layouts[1])) continue;
      expect_transforms<double>({.input = layout, .options = {.exchange = exchange, .threads = 1}});
      expect_transforms<double>(
          {.input = layout, .output = layout, .options = {.exchange = exchange, .threads = 2}});
    }
  }
}

TEST(plan, computes_the_transform_where_other_libraries_break) {
  // More ranks than points along an axis or at all, and extents of one.
  for (Shape const& shape : {Shape{1, 1, 64}, Shape{2, 4, 4}, Shape{2, 2, 2}, Shape{1, 1, 1},
                             Shape{1}, Shape{2}, Shape{3, 1}, Shape{1, 5, 1, 2}}) {
    if (failed_anywhere()) return;
    Layout const slab = Layout::slab(shape, all());
    Layout const last = Layout::slab(shape, all(), shape.size() - 1);
    expect_transforms<double>({.input = slab, .output = last, .options = {.threads = 1}});
    if (all() > 4) continue;
    expect_transforms<double>({.input = slab, .output = slab, .options = {.threads = 1}});
    expect_transforms<double>({.input = last, .options = {.threads = 1}});
  }
}

TEST(plan, computes_the_transform_of_five_to_eight_axes) {
  Random random(3);
  for (Shape const& shape : {Shape{3, 4, 2, 3, 2}, Shape{2, 3, 2, 2, 3, 2},
                             Shape{2, 2, 3, 2, 2, 2, 2}, Shape{2, 2, 2, 2, 2, 3, 2, 2}}) {
    if (failed_anywhere()) return;
    Options const options{.axes = cases::random_axes(random, shape.size()), .threads = 1};
    if (all() <= 4) expect_transforms<double>({.input = Layout::pencil(shape, all())});
    expect_transforms<double>({.input = cases::random_layout(random, shape, all()),
                               .output = cases::random_layout(random, shape, all()),
                               .options = options});
  }
}

TEST(plan, computes_the_transform_where_all_is_on_one_rank) {
  Shape const shape{6, 5};
  for (int holder : {0, all() - 1}) {
    std::vector<Box> boxes(at(all()), Box{{{0, 0}, {0, 0}}});
    boxes[at(holder)] = Box{{{0, 6}, {0, 5}}};
    Layout const one = Layout::boxes(shape, boxes);
    expect_transforms<double>({.input = one, .output = one, .options = {.threads = 1}});
    expect_transforms<double>(
        {.input = Layout::slab(shape, all()), .output = one, .options = {.threads = 1}});
    expect_transforms<double>(
        {.input = one, .output = Layout::slab(shape, all()), .options = {.threads = 1}});
  }
}

TEST(plan, computes_the_transform_with_any_local_library) {
  for (Local const local : {Local::own, Local::fftw, Local::mkl}) {
    Layout const layout = Layout::slab({12, 10, 7}, all());
    try {
      Plan<double>(layout, MPI_COMM_WORLD, {.local = local});
      Plan<float>(layout, MPI_COMM_WORLD, {.local = local});
    } catch (Error const& error) {
      if (mine() == 0) std::printf("not available: %s\n", error.what());
      continue;
    }
    Index const squared = Index{4} * all() * all();
    for (auto const& given :
         {Case{layout, layout, {.local = local}, Scale::by_n},
          Case{layout, std::nullopt, {.axes = {0, 2}, .threads = 2, .local = local}},
          Case{Layout::slab({squared}, all()), std::nullopt, {.local = local}, Scale::by_sqrt_n},
          Case{Layout::slab({101}, all()), Layout::slab({101}, all()), {.local = local}}}) {
      expect_transforms<double>(given);
      expect_transforms<float>(given);
    }
  }
}

TEST(plan, scales_by_the_transformed_extents) {
  Layout const layout = Layout::slab({6, 5, 4}, all());
  for (Scale scale : {Scale::by_n, Scale::by_sqrt_n})
    for (std::vector<int> const& axes : {std::vector<int>{}, {0}, {1, 2}})
      expect_transforms<double>({.input = layout,
                                 .output = layout,
                                 .options = {.axes = axes, .threads = 1},
                                 .scale = scale});
}

// Larger arrays.

struct Large {
  Shape shape{48, 50, 54};
  std::vector<Exact> whole, forward;

  static Large const& get() {
    static Large const large;
    return large;
  }

 private:
  Large() {
    Index const points = oracle::points_of(shape);
    whole = oracle::values(points, 5);
    std::vector<std::complex<double>> transformed(at(points));
    if (mine() == 0) {
      std::vector<Exact> exact = whole;
      oracle::transform_along(exact, shape, {}, -1);
      std::copy(exact.begin(), exact.end(), transformed.begin());
    }
    MPI_Bcast(transformed.data(), static_cast<int>(points), MPI_C_DOUBLE_COMPLEX, 0,
              MPI_COMM_WORLD);
    forward.assign(transformed.begin(), transformed.end());
  }
};

template <class Real>
void expect_large(Layout const& layout, Exchange exchange, int threads) {
  Large const& large = Large::get();
  Plan<Real> plan(layout, MPI_COMM_WORLD, {.exchange = exchange, .threads = threads});
  SCOPED_TRACE(plan.describe());
  auto in = unset<Real>(plan.input_size()), out = unset<Real>(plan.output_size());
  fill(in, plan.input(), mine(), large.whole);
  plan.forward(in.data(), out.data());
  double const bound = rounding<Real>(oracle::points_of(large.shape));
  EXPECT_LT(ranks::largest(difference(out, plan.output(), mine(), large.forward)), bound);
  plan.backward(out.data(), in.data(), Scale::by_n);
  EXPECT_LT(ranks::largest(difference(in, plan.input(), mine(), large.whole)), bound);
}

TEST(plan, computes_larger_transforms_too) {
  Shape const& shape = Large::get().shape;
  expect_large<double>(Layout::slab(shape, all()), Exchange::collective, 1);
  expect_large<double>(Layout::pencil(shape, all()), Exchange::pairwise, 2);
  expect_large<float>(Layout::brick(shape, all()), Exchange::collective, 2);
  expect_large<double>(
      Layout::grid(shape, cases::random_grid(*std::make_unique<Random>(1), 3, all()), {},
                   {2, 0, 1}),
      Exchange::pairwise, 1);
}

// How plans behave.

TEST(plan, goes_there_and_back_in_windows_between_nodes_of_unequal_size) {
  if (all() < 3) return;
  NodesOf const two(2);
  Layout const slab = Layout::slab({8, 8, 8}, all());
  Options const options{.low_memory = true};
  expect_transforms<double>({.input = slab, .output = slab, .options = options});
}

TEST(plan, goes_in_as_many_windows_as_there_are_planes) {
  int const planes = 5;
  NodesOf const one(1);
  Layout const slab = Layout::slab({planes * all(), 6, 5}, all());
  Options const options{.exchange = Exchange::pairwise, .threads = 1, .windows = planes};
  expect_transforms<double>({.input = slab, .output = slab, .options = options});
}

TEST(plan, gives_the_same_bits_each_time) {
  Random random(4);
  for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
    Shape const shape{20, 18, 16};
    Layout const layout = Layout::pencil(shape, all());
    Plan<double> plan(layout, MPI_COMM_WORLD, {.exchange = exchange, .threads = 2});
    auto in = unset<double>(plan.input_size());
    fill(in, layout, mine(), oracle::values(oracle::points_of(shape), 6));
    auto first = unset<double>(plan.output_size()), second = first;
    plan.forward(in.data(), first.data());
    for (int round = 0; round < 3; ++round) {
      plan.forward(in.data(), second.data());
      EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]), 0);
    }
  }
}

TEST(plan, does_without_common_memory_where_there_is_none) {
  Shape const shape{12, 10, 8};
  Layout const layout = Layout::slab(shape, all());
  std::optional<Plan<double>> plan;
  {
    NoMoreFiles const limit;
    plan.emplace(layout, layout, MPI_COMM_WORLD);
  }
  if (all() > 1) {
    EXPECT_NE(plan->describe().find("cannot be made"), std::string::npos) << plan->describe();
  }
  std::shared_ptr<std::complex<double>[]> const in = plan->allocate(), out = plan->allocate();
  std::vector<Exact> const whole = oracle::values(oracle::points_of(shape), 1);
  std::vector<Exact> expected = whole;
  oracle::transform_along(expected, shape, {}, -1);
  std::vector<std::complex<double>> array = unset<double>(plan->input_size());
  fill(array, layout, mine(), whole);
  std::copy(array.begin(), array.end(), in.get());
  plan->forward(in.get(), out.get());
  std::copy_n(out.get(), plan->output_size(), array.begin());
  EXPECT_LT(ranks::largest(difference(array, layout, mine(), expected)), 1e-12);
}

TEST(plan, works_on_after_it_was_moved) {
  static_assert(!std::is_copy_constructible_v<Plan<double>>);
  Shape const shape{12, 15, 14};
  Layout const layout = Layout::pencil(shape, all());
  Plan<double> plan(layout, layout, MPI_COMM_WORLD, {.threads = 1});
  Plan<double> taken = std::move(plan);
  Plan<double> other(Layout::slab({4}, all()), MPI_COMM_WORLD);
  other = std::move(taken);
  plan = std::move(other);
  Index const points = oracle::points_of(shape);
  std::vector<Exact> const x = oracle::values(points, 8);
  std::vector<Exact> expected = x;
  oracle::transform_along(expected, shape, {}, -1);
  auto array = unset<double>(plan.in_place_size());
  fill(array, layout, mine(), x);
  plan.forward(array.data(), array.data());
  EXPECT_LT(difference(array, layout, mine(), expected), rounding<double>(points));
}

TEST(plan, takes_a_workspace_lent_anew) {
  Layout const layout = Layout::slab({12, 8}, all());
  Plan<double> plan(layout, layout, MPI_COMM_WORLD, {.threads = 1, .own_workspace = false});
  std::vector<Exact> const x = oracle::values(96, 9);
  std::vector<Exact> expected = x;
  oracle::transform_along(expected, {12, 8}, {}, -1);
  for (int round = 0; round < 3; ++round) {
    Workspace workspace(plan.workspace_bytes());
    plan.set_workspace(workspace.data(), plan.workspace_bytes());
    auto array = unset<double>(plan.in_place_size());
    fill(array, layout, mine(), x);
    plan.forward(array.data(), array.data());
    EXPECT_LT(difference(array, layout, mine(), expected), rounding<double>(96));
    EXPECT_TRUE(workspace.guards_are_intact());
  }
}

TEST(plan, serves_two_transforms_in_turn) {
  Layout const slab = Layout::slab({8, 9}, all()), pencil = Layout::pencil({6, 4, 5}, all());
  Plan<double> one(slab, slab, MPI_COMM_WORLD, {.threads = 1});
  Plan<float> two(pencil, pencil, MPI_COMM_WORLD, {.exchange = Exchange::pairwise, .threads = 1});
  std::vector<Exact> const x = oracle::values(72, 1), y = oracle::values(120, 2);
  std::vector<Exact> of_x = x, of_y = y;
  oracle::transform_along(of_x, {8, 9}, {}, -1);
  oracle::transform_along(of_y, {6, 4, 5}, {}, -1);
  for (int round = 0; round < 3; ++round) {
    auto a = unset<double>(one.in_place_size());
    auto b = unset<float>(two.in_place_size());
    fill(a, slab, mine(), x);
    fill(b, pencil, mine(), y);
    one.forward(a.data(), a.data());
    two.forward(b.data(), b.data());
    EXPECT_LT(difference(a, slab, mine(), of_x), rounding<double>(72));
    EXPECT_LT(difference(b, pencil, mine(), of_y), rounding<float>(120));
  }
}

TEST(plan, tells_what_it_does) {
  Layout const layout = Layout::slab({16, 16, 16}, all());
  Plan<double> plan(layout, MPI_COMM_WORLD, {.exchange = Exchange::pairwise, .threads = 2});
  EXPECT_EQ(plan.exchanges(), all() > 1 ? 1 : 0);
  EXPECT_GE(plan.passes(), 1);
  EXPECT_LE(plan.passes(), 3);
  EXPECT_EQ(plan.threads(), 2);
  EXPECT_EQ(plan.communication_seconds(), 0);
  auto array = unset<double>(plan.in_place_size());
  fill(array, layout, mine(), oracle::values(16 * 16 * 16, 1));
  plan.forward(array.data(), array.data());
  if (all() > 1) {
    EXPECT_GT(plan.communication_seconds(), 0);
  }
  for (char const* part : {"16 x 16 x 16", "pass", "pairwise exchange", "2 threads"})
    EXPECT_NE(plan.describe().find(part), std::string::npos) << plan.describe();
  EXPECT_EQ(Plan<double>(layout, MPI_COMM_WORLD).threads(), 1);  // OMP_NUM_THREADS of the tests
}

}  // namespace
}  // namespace sixstep
