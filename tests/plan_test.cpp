// SPDX-License-Identifier: BSD-3-Clause
// Plans against the definition of the transform, for any layouts, ways to move data and ways to
// call.
#include "sixstep/plan.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "cases.hpp"
#include "no_more_files.hpp"
#include "oracle.hpp"
#include "ranks.hpp"

namespace sixstep {
namespace {

using arrays::difference;
using arrays::fill;
using arrays::rounding;
using arrays::unset;
using cases::Random;
using oracle::at;
using oracle::Exact;

int mine() { return ranks::rank(); }
int all() { return ranks::count(); }

int sign(Direction direction) { return direction == Direction::forward ? -1 : +1; }

struct Case {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  Scale scale = Scale::none;
};

std::string describe(Case const& given) {
  Options const& options = given.options;
  std::string axes;
  for (int axis : options.axes) axes += text(" ", axis);
  return text("input ", cases::describe(given.input), "\noutput ",
              given.output ? cases::describe(*given.output) : "open", "\naxes", axes, ", exchange ",
              static_cast<int>(options.exchange), options.preserve_input ? "" : ", input given up",
              options.low_memory ? ", low memory" : "", options.regrid ? ", regrid" : "",
              options.own_workspace ? "" : ", lent workspace", ", local ",
              static_cast<int>(options.local), ", threads ", options.threads, ", scale ",
              static_cast<int>(given.scale));
}

/// Memory of exactly the size a plan asks for, with a guard before and behind.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes) : bytes_(bytes), memory_(bytes + 3 * guard, mark) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = guard + (64 - address % 64) % 64;
  }
  std::byte* data() { return memory_.data() + start_; }
  bool guards_are_intact() const {
    auto const is_mark = [](std::byte b) { return b == mark; };
    auto const first = memory_.begin();
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(start_), is_mark) &&
           std::all_of(first + static_cast<std::ptrdiff_t>(start_ + bytes_), memory_.end(),
                       is_mark);
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr std::byte mark{0x5a};
  std::size_t bytes_;
  std::vector<std::byte> memory_;
  std::size_t start_;
};

/// Input and output of a plan, filled with what is not a number.
template <class Real>
struct Arrays {
  using Complex = std::complex<Real>;
  enum Whose { ours, of_plan, input_of_plan, output_of_plan, by_rank };
  static constexpr Whose all[] = {ours, of_plan, input_of_plan, output_of_plan, by_rank};

  Arrays(Plan<Real>& plan, Whose whose) : of_plan_{plan.allocate(), plan.allocate()} {
    bool const odd = mine() % 2 == 1;
    for (int i = 0; i < 2; ++i) {
      bool const is_plans =
          whose == of_plan ||
          (whose == by_rank ? odd : whose == (i == 0 ? input_of_plan : output_of_plan));
      ours_[i] = unset<Real>(plan.in_place_size());
      if (is_plans) std::copy(ours_[i].begin(), ours_[i].end(), of_plan_[i].get());
      (i == 0 ? in : out) = is_plans ? of_plan_[i].get() : ours_[i].data();
    }
  }

  Complex* in;
  Complex* out;

 private:
  std::shared_ptr<Complex[]> of_plan_[2];
  std::vector<Complex> ours_[2];
};

template <class Real>
Plan<Real> make(Case const& given) {
  return given.output ? Plan<Real>(given.input, *given.output, MPI_COMM_WORLD, given.options)
                      : Plan<Real>(given.input, MPI_COMM_WORLD, given.options);
}

long double factor(Scale scale, Case const& given) {
  long double points = 1;
  for (int axis = 0; axis < given.input.axes(); ++axis) {
    std::vector<int> const& axes = given.options.axes;
    if (axes.empty() || std::count(axes.begin(), axes.end(), axis) > 0)
      points *= static_cast<long double>(given.input.shape()[axis]);
  }
  return scale == Scale::none ? 1 : scale == Scale::by_n ? 1 / points : 1 / std::sqrt(points);
}

/// Both directions, out of place and in place, against the definition.
template <class Real>
void expect_transforms(Case const& given) {
  SCOPED_TRACE(describe(given));
  using Complex = std::complex<Real>;
  Plan<Real> plan = make<Real>(given);
  std::optional<Workspace> workspace;
  if (!given.options.own_workspace) {
    workspace.emplace(plan.workspace_bytes());
    plan.set_workspace(workspace->data(), plan.workspace_bytes());
  }
  ASSERT_TRUE(plan.input() == given.input);
  if (given.output) {
    ASSERT_TRUE(plan.output() == *given.output);
  }
  ASSERT_EQ(plan.input_size(), plan.input().local_size(mine()));
  ASSERT_EQ(plan.output_size(), plan.output().local_size(mine()));
  ASSERT_EQ(plan.in_place_size(), std::max(plan.input_size(), plan.output_size()));

  Shape const& shape = given.input.shape();
  Index const points = oracle::points_of(shape);
  long double const scale = factor(given.scale, given);
  double const bound = rounding<Real>(points, scale);
  for (Direction direction : {Direction::forward, Direction::backward}) {
    bool const forward = direction == Direction::forward;
    Layout const& from = forward ? plan.input() : plan.output();
    Layout const& to = forward ? plan.output() : plan.input();
    std::vector<Exact> const whole = oracle::values(points, forward ? 1 : 2);
    std::vector<Exact> expected = whole;
    oracle::transform_along(expected, shape, given.options.axes, sign(direction));

    std::vector<Complex> in = unset<Real>(from.local_size(mine()));
    fill(in, from, mine(), whole);
    for (auto const whose : Arrays<Real>::all) {
      if (given.options.exchange != Exchange::shared && whose > Arrays<Real>::of_plan) break;
      SCOPED_TRACE(text(forward ? "forward" : "backward", ", arrays ", static_cast<int>(whose),
                        "\n", plan.describe()));
      Arrays<Real> const arrays(plan, whose);
      std::copy(in.begin(), in.end(), arrays.in);
      plan.execute(arrays.in, arrays.out, direction, given.scale);
      std::vector<Complex> const out(arrays.out, arrays.out + to.local_size(mine()));
      EXPECT_LT(ranks::largest(difference(out, to, mine(), expected, scale)), bound);
      if (given.options.preserve_input) {
        EXPECT_TRUE(std::equal(in.begin(), in.end(), arrays.in)) << "the input was changed";
      }

      std::copy(in.begin(), in.end(), arrays.out);
      plan.execute(arrays.out, arrays.out, direction, given.scale);
      std::vector<Complex> const array(arrays.out, arrays.out + to.local_size(mine()));
      EXPECT_LT(ranks::largest(difference(array, to, mine(), expected, scale)), bound)
          << "in place";
    }
    if (workspace) {
      EXPECT_TRUE(workspace->guards_are_intact());
    }
  }
}

Options random_options(Random& random, int axes) {
  return {.axes = cases::random_axes(random, axes),
          .preserve_input = !random.once_in(3),
          .low_memory = random.once_in(3),
          .exchange = static_cast<Exchange>(random.between(0, 2)),
          .threads = random.between(1, 2),
          .regrid = random.once_in(3),
          .own_workspace = !random.once_in(3)};
}

Case random_case(Random& random, int axes, Index points) {
  Shape const shape = cases::random_shape(random, axes, points);
  Case given{.input = cases::random_layout(random, shape, all()),
             .options = random_options(random, axes),
             .scale = static_cast<Scale>(random.between(0, 2))};
  if (!random.once_in(3)) given.output = cases::random_layout(random, shape, all());
  return given;
}

/// Fewer rounds on many ranks, which take turns on few cores.
int rounds(int most) { return all() <= 2 ? most : all() <= 4 ? most / 2 : most / 5; }

/// Stops at the first round that fails on any rank, so that the ranks stay together.
bool failed_anywhere() { return !ranks::everywhere(!testing::Test::HasFailure()); }

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

TEST(plan, computes_the_transform_of_one_axis_of_any_length) {
  std::vector<Index> lengths{60, 97, 256};
  if (all() <= 4)
    lengths.insert(lengths.end(), {1, 2, 3, 4, 7, 12, 16, 31, 128, 210, 343, 509, 1024});
  for (Index n : lengths) {
    if (failed_anywhere()) return;
    Layout const block = Layout::slab({n}, all());
    Layout const cyclic = Layout::grid({n}, {all()}, {Distribution::cyclic});
    expect_transforms<double>({.input = block, .output = block, .options = {.threads = 1}});
    expect_transforms<double>({.input = cyclic, .output = cyclic, .options = {.threads = 1}});
    expect_transforms<double>({.input = block, .options = {.threads = 1}});
  }
}

// Lengths that do not divide: convolutions on all ranks.

Layout on_one_rank(Index n, int holder) {
  std::vector<Box> boxes(at(all()), Box{{{0, 0}}});
  boxes[at(holder)] = Box{{{0, n}}};
  return Layout::boxes({n}, boxes);
}

TEST(plan, shares_lengths_that_do_not_divide_among_all_ranks) {
  for (Index n : {509, 1009}) {
    Layout const block = Layout::slab({n}, all());
    Layout const cyclic = Layout::grid({n}, {all()}, {Distribution::cyclic});
    for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
      if (failed_anywhere()) return;
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

TEST(plan, shares_lengths_that_do_not_divide_in_any_layout) {
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

TEST(plan, keeps_errors_of_lengths_that_do_not_divide_small) {
  EXPECT_LT(relative_error<double>(32749), 3 * relative_error<double>(32768));
  EXPECT_LT(relative_error<float>(32749), 3 * relative_error<float>(32768));
}

TEST(plan, shares_the_memory_of_lengths_that_do_not_divide) {
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

TEST(plan, transforms_a_long_axis_in_the_memory_of_its_array) {
  for (Index const item : {1, 2, 3, 7, 61}) {
    if (failed_anywhere()) return;
    if (all() > 4 && item > 2) continue;
    Layout const layout = Layout::slab({square(item < 3 ? 4 * all() : 2 * all(), item)}, all());
    for (Exchange const exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
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

TEST(plan, transforms_a_long_axis_of_low_memory_that_is_no_such_square) {
  for (Index const points : {Index{4096}, square(all() + 1, 2), square(2, 67)}) {
    if (failed_anywhere()) return;
    Layout const layout = Layout::slab({points}, all());
    expect_transforms<double>({layout, layout, {.low_memory = true, .threads = 1}});
  }
  Shape const shape{square(2 * all(), 1)};
  Layout const blocks = Layout::slab(shape, all());
  Layout const cyclic = Layout::grid(shape, {all()}, {Distribution::cyclic});
  for (auto const& given : {Case{cyclic, cyclic}, Case{blocks, cyclic}, Case{blocks}}) {
    Case few = given;
    few.options = {.low_memory = true, .threads = 1};
    expect_transforms<double>(few);
  }
}

/// The largest error of both directions on impulses, of which the transform is known.
template <class Real>
double error_of_impulses(Index n, Options const& options, bool in_place) {
  Layout const layout = Layout::slab({n}, all());
  Plan<Real> plan(layout, layout, MPI_COMM_WORLD, options);
  Range const range = layout.box(mine()).ranges[0];
  Index const impulses[] = {1, n / 3, n - 2};
  double worst = 0;
  for (Direction const direction : {Direction::forward, Direction::backward}) {
    std::vector<std::complex<Real>> in(at(plan.input_size())), out(in);
    for (Index const impulse : impulses)
      if (range.lo <= impulse && impulse < range.hi) in[at(impulse - range.lo)] = Real(impulse % 7);
    std::vector<std::complex<Real>>& result = in_place ? in : out;
    plan.execute(in.data(), result.data(), direction);
    for (Index k = range.lo; k < range.hi; ++k) {
      std::complex<double> expected = 0;
      for (Index const impulse : impulses)
        expected += std::polar(static_cast<double>(impulse % 7),
                               sign(direction) * static_cast<double>(oracle::turn) *
                                   static_cast<double>(impulse * k % n) / static_cast<double>(n));
      std::complex<double> const found(result[at(k - range.lo)]);
      worst = std::max(worst, std::abs(found - expected));
    }
  }
  return ranks::largest(worst);
}

TEST(plan, turns_large_squares_in_chunks_that_need_not_divide) {
  for (Index const item : {1, 3}) {
    Index const n = square(780, item);  // 2^2 3 5 13: not for 7 ranks
    Options const options{
        .low_memory = true, .exchange = Exchange::collective, .threads = item == 1 ? 2 : 1};
    EXPECT_LT(error_of_impulses<double>(n, options, true), 1e-13);
    EXPECT_LT(error_of_impulses<float>(n, options, item == 1), 5e-5);
  }
}

TEST(plan, works_on_a_long_axis_in_a_seventh_of_its_array) {
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

// What holds for any transform.

struct Medium {
  Shape shape{12, 15, 14};
  Layout layout = Layout::pencil(shape, all());
  Plan<double> plan{layout, layout, MPI_COMM_WORLD, {.threads = 1}};
  Index points = oracle::points_of(shape);

  std::vector<std::complex<double>> forward(std::vector<Exact> const& whole) {
    auto array = unset<double>(plan.in_place_size());
    fill(array, layout, mine(), whole);
    plan.forward(array.data(), array.data());
    return array;
  }
};

TEST(plan, is_linear) {
  Medium given;
  std::vector<Exact> const x = oracle::values(given.points, 1), y = oracle::values(given.points, 2);
  Exact const a(0.5, -2), b(-1.25, 0.75);
  std::vector<Exact> both(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) both[i] = a * x[i] + b * y[i];
  auto const of_x = given.forward(x), of_y = given.forward(y), of_both = given.forward(both);
  double const bound = 6 * rounding<double>(given.points);
  for (std::size_t i = 0; i < of_both.size(); ++i) {
    std::complex<double> const expected =
        std::complex<double>(a) * of_x[i] + std::complex<double>(b) * of_y[i];
    ASSERT_LT(std::abs(of_both[i] - expected), bound);
  }
}

TEST(plan, turns_an_impulse_into_a_wave) {
  Medium given;
  for (Shape const& place :
       {Shape{0, 0, 0}, Shape{1, 0, 0}, Shape{0, 1, 0}, Shape{0, 0, 1}, Shape{11, 7, 3}}) {
    std::vector<Exact> impulse(at(given.points), 0), wave(at(given.points));
    impulse[at(oracle::number_of(given.shape, place))] = 1;
    oracle::for_each_point(given.shape, [&](Shape const& k) {
      long double turns = 0;
      for (int axis = 0; axis < 3; ++axis)
        turns += static_cast<long double>(place[axis] * k[axis] % given.shape[axis]) /
                 static_cast<long double>(given.shape[axis]);
      wave[at(oracle::number_of(given.shape, k))] = std::polar(1.0L, -oracle::turn * turns);
    });
    EXPECT_LT(difference(given.forward(impulse), given.layout, mine(), wave), 1e-13);
  }
}

TEST(plan, turns_a_shift_into_a_phase) {
  Medium given;
  std::vector<Exact> const x = oracle::values(given.points, 4);
  Shape const by{5, 2, 9};
  std::vector<Exact> shifted(x.size());
  oracle::for_each_point(given.shape, [&](Shape const& point) {
    Shape to = point;
    for (int axis = 0; axis < 3; ++axis) to[axis] = (to[axis] + by[axis]) % given.shape[axis];
    shifted[at(oracle::number_of(given.shape, to))] = x[at(oracle::number_of(given.shape, point))];
  });
  auto const of_x = given.forward(x), of_shifted = given.forward(shifted);
  oracle::for_each_element(given.layout, mine(), [&](Shape const& k, Index offset) {
    long double turns = 0;
    for (int axis = 0; axis < 3; ++axis)
      turns += static_cast<long double>(by[axis] * k[axis] % given.shape[axis]) /
               static_cast<long double>(given.shape[axis]);
    auto const phase = static_cast<std::complex<double>>(std::polar(1.0L, -oracle::turn * turns));
    ASSERT_LT(std::abs(of_shifted[at(offset)] - phase * of_x[at(offset)]),
              2 * rounding<double>(given.points));
  });
}

// How plans behave.

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

TEST(plan, allocates_any_number_of_arrays_that_outlive_it) {
  std::vector<std::shared_ptr<double[]>> arrays;
  {
    Plan<double> plan(Layout::slab({16, 16}, all()), MPI_COMM_WORLD);
    for (int i = 0; i < 7; ++i) arrays.push_back(plan.allocate<double>());
    arrays.erase(arrays.begin() + 1);
    arrays.push_back(plan.allocate<double>());
  }
  Index const reals = 2 * Layout::slab({16, 16}, all()).local_size(mine());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    std::fill_n(arrays[i].get(), reals, static_cast<double>(i));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (Index j = 0; j < reals; ++j) ASSERT_EQ(arrays[i][j], static_cast<double>(i));
}

TEST(plan, works_on_after_it_was_moved) {
  static_assert(!std::is_copy_constructible_v<Plan<double>>);
  Medium given;
  Plan<double> taken = std::move(given.plan);
  Plan<double> other(Layout::slab({4}, all()), MPI_COMM_WORLD);
  other = std::move(taken);
  given.plan = std::move(other);
  std::vector<Exact> const x = oracle::values(given.points, 8);
  std::vector<Exact> expected = x;
  oracle::transform_along(expected, given.shape, {}, -1);
  EXPECT_LT(difference(given.forward(x), given.layout, mine(), expected),
            rounding<double>(given.points));
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
