// SPDX-License-Identifier: BSD-3-Clause
// Plans of all kinds against the definitions: real, cosine and sine transforms along any axes, in
// any layouts, out of place and in place.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "cases.hpp"
#include "nodes_of.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "real_cases.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::real_cases {
namespace {

using ranks::failed_anywhere;
using ranks::OneOfThree;
using ranks::rounds;

TEST(real_plan, computes_any_kinds_in_double_precision) {
  Random random(1);
  for (int round = 0; round < rounds(120) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms<double>(random_case(random, random.between(1, 4), 250));
  }
}

TEST(real_plan, computes_any_kinds_in_single_precision) {
  Random random(2);
  for (int round = 0; round < rounds(60) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_transforms<float>(random_case(random, random.between(1, 4), 250));
  }
}

TEST(real_plan, takes_any_axis_as_the_real_one_in_the_usual_decompositions) {
  OneOfThree one_of_three;
  for (Shape const& shape : {Shape{8, 9, 10}, Shape{9, 10, 7}}) {
    for (int real : {0, 1, 2}) {
      if (failed_anywhere()) return;
      std::vector<Kind> kinds(3, Kind::c2c);
      kinds[at(real)] = Kind::r2c;
      Shape half = shape;
      half[real] = half[real] / 2 + 1;
      for (Layout const& layout : {Layout::slab(shape, all()), Layout::pencil(shape, all()),
                                   Layout::brick(shape, all())}) {
        if (!one_of_three.takes_next()) continue;
        expect_transforms<double>(
            {.input = layout, .options = {.axes = {0, 1, 2}, .kinds = kinds, .threads = 1}});
        if (all() > 4) continue;
        expect_transforms<double>({.input = layout,
                                   .output = Layout::slab(half, all(), real),
                                   .options = {.axes = {0, 1, 2}, .kinds = kinds, .threads = 2}});
      }
    }
  }
}

TEST(real_plan, keeps_padded_rows_in_place) {
  for (Index n : {1, 2, 3, 8, 9}) {
    if (failed_anywhere()) return;
    Shape const shape{6, 5, n}, half{6, 5, n / 2 + 1};
    expect_transforms<double>({.input = Layout::slab(shape, all()),
                               .options = {.kinds = {Kind::r2c}, .padded = true, .threads = 1}});
    expect_transforms<double>({.input = Layout::pencil(shape, all()),
                               .output = Layout::pencil(half, all()),
                               .options = {.kinds = {Kind::r2c}, .padded = true, .threads = 1}});
  }
  Plan<double> plan(Layout::slab({6, 5, 8}, all()), MPI_COMM_WORLD,
                    {.axes = {1, 2}, .kinds = {Kind::r2c}, .padded = true});
  EXPECT_EQ(plan.exchanges(), 0);
  EXPECT_EQ(plan.in_place_size(), plan.output_size());
  EXPECT_EQ(plan.input_size(), 2 * plan.output_size());
}

// Rows of 6 reals and 2 ghosts are as long as rows of 4 complex numbers, but begin one row before
// or behind them.
TEST(real_plan, moves_rows_in_place_between_different_ghosts) {
  Layout const reals = Layout::slab({64, 6}, all()), complex = Layout::slab({64, 4}, all());
  Index const rows = reals.box(ranks::rank()).ranges[0].count();
  for (Index before : {0, 1}) {
    Plan<double> plan(reals.with_ghosts({before, 0}, {1, 2}),
                      complex.with_ghosts({1 - before, 0}, {1, 0}), MPI_COMM_WORLD,
                      {.axes = {1}, .kinds = {Kind::r2c}, .threads = 1});
    std::vector<double> in(at(plan.input_size()));
    Random random(3);
    for (double& value : in) value = static_cast<double>(random.between(-1000, 1000)) / 1000;
    std::vector<std::complex<double>> out(at(plan.output_size())), one(at(plan.in_place_size()));
    auto* const array = reinterpret_cast<double*>(one.data());
    std::copy(in.begin(), in.end(), array);
    plan.forward(in.data(), out.data());
    plan.forward(array, one.data());
    Index const first = 4 * (1 - before);
    for (Index i = first; i < first + 4 * rows; ++i) EXPECT_EQ(one[at(i)], out[at(i)]);
    plan.backward(one.data(), array, Scale::by_n);
    for (Index row = before; row < before + rows; ++row)
      for (Index i = 8 * row; i < 8 * row + 6; ++i) EXPECT_NEAR(array[i], in[at(i)], 1e-14);
  }
}

// r2c along x, Fourier along z, Chebyshev along y.
TEST(real_plan, computes_what_channel_flows_need) {
  Shape const shape{12, 9, 10};
  for (Layout const& layout : {Layout::slab(shape, all()), Layout::pencil(shape, all())})
    expect_transforms<double>(
        {.input = layout,
         .options = {.axes = {2, 0, 1}, .kinds = {Kind::r2c, Kind::c2c, Kind::dct1}, .threads = 1},
         .scale = Scale::by_n});
}

TEST(real_plan, computes_each_kind_along_all_axes) {
  for (int kind = static_cast<int>(Kind::dct1); kind <= static_cast<int>(Kind::dst4); ++kind)
    expect_transforms<double>({.input = Layout::slab({6, 7, 4}, all()),
                               .options = {.kinds = {static_cast<Kind>(kind)}, .threads = 1}});
}

TEST(real_plan, computes_transforms_of_one_axis) {
  OneOfThree one_of_three;
  for (Index n : {1, 2, 7, 64, 97})
    for (Kind kind : {Kind::r2c, Kind::dct2, Kind::dst4}) {
      if (!one_of_three.takes_next()) continue;
      Layout const layout = Layout::slab({n}, all());
      expect_transforms<double>({.input = layout, .options = {.kinds = {kind}, .threads = 1}});
    }
}

// Even lengths, twice a prime, odd and odd prime ones.
TEST(real_plan, shares_one_long_axis_among_all_ranks) {
  OneOfThree one_of_three;
  for (Index n : {4096, 2018, 2003}) {
    Shape const half{n / 2 + 1};
    Layout const input = Layout::slab({n}, all()), output = Layout::slab(half, all());
    Layout const cyclic = Layout::grid({n}, {all()}, {Distribution::cyclic});
    Layout const cyclic_half = Layout::grid(half, {all()}, {Distribution::cyclic});
    std::vector<Kind> const kinds{Kind::r2c};
    for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
      if (failed_anywhere()) return;
      if (!one_of_three.takes_next()) continue;
      Case const given{.input = input,
                       .output = output,
                       .options = {.kinds = kinds, .exchange = exchange, .threads = 1},
                       .scale = static_cast<Scale>(n % 3)};
      if (exchange == Exchange::collective)
        expect_transforms<float>(given);
      else
        expect_transforms<double>(given);
    }
    expect_transforms<double>({.input = cyclic,
                               .output = cyclic_half,
                               .options = {.kinds = kinds, .threads = 2, .own_workspace = false}});
    expect_transforms<double>({.input = input, .options = {.kinds = kinds, .threads = 1}});
    Plan<double> const plan(input, output, MPI_COMM_WORLD, {.kinds = kinds});
    if (all() > 3) {
      EXPECT_NE(plan.describe().find("complex numbers"), std::string::npos) << plan.describe();
    }
  }
}

TEST(real_plan, shares_one_long_axis_in_any_layout) {
  Random random(7);
  for (int round = 0; round < rounds(20) && !failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    Index const n = std::vector<Index>{4096, 2018, 3750, 2003, 4098}[at(round % 5)];
    Case given{.input = cases::random_layout(random, {n}, all()),
               .options = {.kinds = {Kind::r2c},
                           .preserve_input = !random.once_in(3),
                           .low_memory = random.once_in(3),
                           .exchange = static_cast<Exchange>(random.between(0, 2)),
                           .threads = random.between(1, 2),
                           .own_workspace = !random.once_in(3)},
               .scale = static_cast<Scale>(random.between(0, 2))};
    if (!random.once_in(3)) given.output = cases::random_layout(random, {n / 2 + 1}, all());
    expect_transforms<double>(given);
  }
}

TEST(real_plan, shares_the_memory_of_one_long_axis) {
  constexpr Index n = 1 << 22;
  if (all() <= 2) return;
  Layout const layout = Layout::slab({n}, all());
  Plan<double> const plan(layout, MPI_COMM_WORLD,
                          {.kinds = {Kind::r2c}, .exchange = Exchange::collective, .threads = 1});
  double const share = 8.0 * n / all();
  EXPECT_LT(ranks::largest(static_cast<double>(plan.workspace_bytes())), 6 * share + (4 << 20))
      << plan.describe();
}

TEST(real_plan, sends_half_of_what_a_complex_plan_sends) {
  if (all() < 2) return;
  Layout const layout = Layout::slab({16, 16, 16}, all());
  Plan<double> plan(layout, MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  EXPECT_EQ(plan.exchanges(), 1);
  EXPECT_LE(plan.passes(), 2);
}

// Calls and options that do not fit.

void expect_refused(char const* argument, std::initializer_list<char const*> parts,
                    Options const& options, Shape const& shape = {4, 6, 8}) {
  EXPECT_TRUE(refuses(argument, parts, [&] {
    Plan<double> plan(Layout::slab(shape, all()), MPI_COMM_WORLD, options);
  }));
}

/// Boxes as lists of lo, hi along each axis.
Layout of_boxes(Shape const& shape, std::vector<std::vector<Index>> const& ends,
                Order const& order = {}) {
  std::vector<Box> boxes;
  for (std::vector<Index> const& of_rank : ends) {
    boxes.emplace_back();
    for (std::size_t i = 0; i < of_rank.size(); i += 2)
      boxes.back().ranges.push_back({of_rank[i], of_rank[i + 1], 1});
  }
  return Layout::boxes(shape, boxes, order);
}

TEST(real_plan, goes_there_and_back_in_windows_where_the_real_axis_is_split) {
  if (all() != 2) return;
  for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise})
    for (bool preserve : {false, true})
      for (int threads : {1, 2})
        for (bool lent : {false, true})
          expect_transforms<double>(
              {.input = Layout::grid({2, 2, 2, 2}, {1, 2, 1, 1}, {}, {1, 0, 2, 3}),
               .output = Layout::grid({2, 2, 2, 2}, {1, 1, 2, 1}, {}, {2, 3, 1, 0}),
               .options = {.axes = {2, 1, 0, 3},
                           .kinds = {Kind::c2c, Kind::r2c, Kind::c2c, Kind::c2c},
                           .preserve_input = preserve,
                           .low_memory = true,
                           .exchange = exchange,
                           .threads = threads,
                           .regrid = true,
                           .own_workspace = !lent}});
}

TEST(real_plan, finds_buffers_for_ranks_that_have_more_than_the_first) {
  if (all() == 3) {
    Layout const boxes =
        of_boxes({2, 2, 2}, {{1, 2, 0, 2, 0, 1}, {1, 2, 0, 2, 1, 2}, {0, 1, 0, 2, 0, 2}});
    expect_transforms<float>(
        {.input = boxes,
         .output =
             of_boxes({2, 2, 2}, {{1, 2, 0, 2, 0, 1}, {1, 2, 0, 2, 1, 2}, {0, 1, 0, 2, 0, 2}}),
         .options = {.axes = {0, 1}, .kinds = {Kind::c2c, Kind::r2c}, .preserve_input = false}});
  }
  if (all() == 2)
    expect_transforms<double>({.input = of_boxes({2, 3}, {{0, 1, 0, 3}, {1, 2, 0, 3}}),
                               .output = of_boxes({2, 3}, {{0, 2, 0, 1}, {0, 2, 1, 3}}),
                               .options = {.kinds = {Kind::r2c, Kind::dst2},
                                           .preserve_input = false,
                                           .low_memory = true,
                                           .regrid = true}});
}

/// Two fields, interleaved, along one axis: what is in one row of one field is multiplied, and no
/// other row may change a bit.
template <class Real>
void expect_independent_rows(Shape const& shape, Kind kind, int axis, bool forward, Real factor) {
  Shape const chosen{2, 3, 4};
  Shape half = shape;
  if (kind == Kind::r2c) half[axis] = shape[axis] / 2 + 1;
  Side const reals{Layout::slab(shape, all()), true};
  Side const results{Layout::slab(half, all(), shape.size() - 1), kind != Kind::r2c};
  Side const& from = forward ? reals : results;
  Side const& to = forward ? results : reals;
  Plan<Real> plan(reals.layout, results.layout, MPI_COMM_WORLD,
                  {.axes = {axis}, .kinds = {kind}, .fields = 2, .interleaved = true});
  auto const is_changed = [&](Shape const& point, Index field) {
    bool in_row = field == 1;
    for (int other = 0; other < shape.size(); ++other)
      in_row = in_row && (other == axis || point[other] == chosen[other]);
    return in_row;
  };
  auto const run = [&](Real multiplier) {
    std::vector<Real> in(at(2 * from.reals())), out(at(2 * to.reals()));
    oracle::for_each_element(from.layout, mine(), [&](Shape const& point, Index offset) {
      Index const number = oracle::number_of(from.layout.shape(), point);
      for (Index i = 0; i < 2 * from.unit(); ++i) {
        Real const value = std::sin(static_cast<Real>(number * 2 * from.unit() + i + 1));
        in[at(2 * offset * from.unit() + i)] =
            is_changed(point, i / from.unit()) ? multiplier * value : value;
      }
    });
    execute(plan, in.data(), out.data(), from, to, forward, Scale::none);
    return out;
  };
  std::vector<Real> const usual = run(1), changed = run(factor);
  Index most_changed = 0;
  oracle::for_each_element(to.layout, mine(), [&](Shape const& point, Index offset) {
    for (Index i = 0; i < 2 * to.unit(); ++i) {
      std::size_t const place = at(2 * offset * to.unit() + i);
      bool const same = std::memcmp(&usual[place], &changed[place], sizeof(Real)) == 0;
      most_changed += !same && !is_changed(point, i / to.unit());
    }
  });
  EXPECT_EQ(most_changed, 0) << to_string(kind) << " along " << axis << (forward ? "" : ", back")
                             << ", times " << factor << "\n"
                             << plan.describe();
}

TEST(real_plan, keeps_rows_and_fields_independent) {
  OneOfThree one_of_three;
  for (Shape const& shape : {Shape{7, 6, 9}, Shape{96}, Shape{45}})
    for (Kind kind : {Kind::r2c, Kind::dct1, Kind::dct2, Kind::dst4})
      for (int axis = 0; axis < shape.size(); ++axis)
        for (bool forward : {true, false}) {
          if (!one_of_three.takes_next()) continue;
          double const nan = std::numeric_limits<double>::quiet_NaN();
          expect_independent_rows<double>(shape, kind, axis, forward, 1e13);
          expect_independent_rows<float>(shape, kind, axis, forward, 1e5f);
          expect_independent_rows<double>(shape, kind, axis, forward, nan);
        }
}

TEST(real_plan, goes_there_and_back_in_windows_between_nodes) {
  if (all() < 3) return;
  NodesOf const two(2);
  Layout const bricks = Layout::brick({4, 5, 9}, all());
  expect_transforms<double>({.input = bricks,
                             .output = Layout::brick({4, 5, 5}, all()),
                             .options = {.kinds = {Kind::r2c}, .low_memory = true}});
  Layout const pencils = Layout::pencil({2, 2, 2}, all());
  expect_transforms<double>({.input = pencils, .output = pencils, .options = {.low_memory = true}});
}

TEST(real_plan, takes_little_memory_where_nothing_is_to_be_moved) {
  for (Index n : {Index{889}, Index{2066}}) {
    Layout const slab = Layout::slab({n}, all());
    std::vector<Box> boxes(at(all()), Box{{{0, 0, 1}}});
    boxes[0] = {{{0, n / 2 + 1, 1}}};
    expect_transforms<double>({.input = slab,
                               .output = Layout::boxes({n / 2 + 1}, boxes),
                               .options = {.kinds = {Kind::r2c}, .low_memory = true}});
  }
}

TEST(real_plan, refuses_kinds_that_make_no_sense_on_all_ranks) {
  expect_refused("kinds", {"3 axes", "2 were given"}, {.kinds = {Kind::r2c, Kind::c2c}});
  expect_refused("kinds", {"one axis", "0 and 2"}, {.kinds = {Kind::r2c, Kind::c2c, Kind::r2c}});
  expect_refused("kinds", {"dct1", "2 points", "axis 1 has 1"}, {.kinds = {Kind::dct1}}, {4, 1, 8});
  expect_refused("padded", {"r2c axis is needed"}, {.padded = true});
  expect_refused("padded", {"fastest", "axis 2; it is axis 1"},
                 {.axes = {2, 1}, .kinds = {Kind::r2c}, .padded = true});
  if (all() > 1) {
    EXPECT_TRUE(refuses("padded", {"whole", "is split"}, [&] {
      Plan<double> plan(Layout::slab({4, 6, 8}, all(), 2), MPI_COMM_WORLD,
                        {.kinds = {Kind::r2c}, .padded = true});
    }));
  }
  EXPECT_TRUE(refuses("output", {"4 x 6 x 8", "axes, kinds, lengths and modes", "4 x 6 x 5"}, [&] {
    Layout const layout = Layout::slab({4, 6, 8}, all());
    Plan<double> plan(layout, layout, MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  }));
}

TEST(real_plan, names_the_calls_that_it_can_answer) {
  Layout const layout = Layout::slab({4, 6, 8}, all());
  Plan<double> real(layout, MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  Plan<double> cosine(layout, MPI_COMM_WORLD, {.kinds = {Kind::dct2}});
  Plan<double> complex(layout, MPI_COMM_WORLD);
  std::vector<std::complex<double>> array(400);
  auto* const reals = reinterpret_cast<double*>(array.data());
  char const* const there = "forward(Real const*, Complex*)";
  EXPECT_TRUE(refuses("in, out", {"r2c axis", there, "backward(Complex const*, Real*)"},
                      [&] { real.forward(array.data(), array.data()); }));
  EXPECT_TRUE(refuses("in, out", {there}, [&] { real.forward(reals, reals); }));
  EXPECT_TRUE(refuses("in, out", {"real input and output", "forward(Real const*, Real*)"},
                      [&] { cosine.forward(reals, array.data()); }));
  EXPECT_TRUE(refuses("in, out", {"complex input and output", "backward(Complex const*, Complex*)"},
                      [&] { complex.backward(array.data(), reals); }));
}

}  // namespace
}  // namespace sixstep::real_cases
