// SPDX-License-Identifier: BSD-3-Clause
// Global arrays: every element is a function of its indices, so each result can be told point by
// point, wherever it lies.
#include "sixstep/array.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "array_cases.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using namespace array_cases;

TEST(array, goes_to_any_layout_by_assignment) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(1);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 400);
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all), c, d(random_layout(random, shape), all);
    b = a;
    c = b;
    EXPECT_TRUE(c.layout() == b.layout());
    d = std::move(b);
    for (Array<Complex> const* one : {&a, &std::as_const(c), &std::as_const(d)})
      EXPECT_TRUE(holds(*one, [&](Shape const& i) { return value(shape, i); }))
          << a.layout().describe() << "\n"
          << d.layout().describe();
  }
}

TEST(array, is_transposed_by_any_permutation_into_any_layout) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(2);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 400);
    Order const axes = cases::random_order(random, shape.size());
    Array<Complex> a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, permuted(shape, axes)), all);
    auto const expected = [&](Shape const& i) { return value(shape, original(i, axes)); };
    b = transpose(a, axes);
    Array const relabelled(transpose(a, axes));
    EXPECT_TRUE(holds(b, expected)) << a.layout().describe() << "\n" << b.layout().describe();
    EXPECT_TRUE(holds(relabelled, expected)) << relabelled.layout().describe();
    EXPECT_TRUE(holds(a, [&](Shape const& i) { return value(shape, i); }));
    b = Complex(0);
    b = transpose(std::move(a), axes);
    EXPECT_TRUE(holds(b, expected));
  }
}

TEST(array, is_computed_with_where_the_target_lies) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(3);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    auto const at = [&](Shape const& i) { return value(shape, i); };
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all);
    b = 2 * a + conj(a) / 4 - 1;
    EXPECT_TRUE(holds(
        b, [&](Shape const& i) { return 2.0 * at(i) + std::conj(at(i)) / 4.0 - 1.0; }, 1e-14));
    Array<Complex> c(random_layout(random, shape), all);
    c = b * a - map([](Complex x, Complex y) { return x / (y + 3.0); }, a, b);
    EXPECT_TRUE(holds(
        c,
        [&](Shape const& i) {
          Complex const y = 2.0 * at(i) + std::conj(at(i)) / 4.0 - 1.0;
          return y * at(i) - at(i) / (y + 3.0);
        },
        1e-13));
    c = a;
    c *= -c;
    EXPECT_TRUE(holds(
        c, [&](Shape const& i) { return -at(i) * at(i); }, 1e-14));
    Array<double> const r = abs(a) + real(a) * imag(a);
    EXPECT_TRUE(r.layout() == a.layout());
    EXPECT_TRUE(holds(
        r, [&](Shape const& i) { return std::abs(at(i)) + at(i).real() * at(i).imag(); }, 1e-14));
    Array<float> single = as<float>(r);
    single = 2 * single;
    EXPECT_TRUE(holds(
        single,
        [&](Shape const& i) {
          return static_cast<float>(2 * (std::abs(at(i)) + at(i).real() * at(i).imag()));
        },
        1e-6));
  }
}

TEST(array, has_its_ghosts_from_those_who_have_the_points) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(9);
  for (int round = 0; round < ranks::rounds(100) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 200);
    Layout layout = cases::random_layout(random, shape, ranks::count());
    PerAxis<Boundary> boundaries;
    Shape before, after;
    for (int axis = 0; axis < shape.size(); ++axis) {
      boundaries.push_back(random.once_in(2) ? Boundary::periodic : Boundary::open);
      bool const cyclic = layout.distribution()[axis] == Distribution::cyclic;
      before.push_back(cyclic ? 0 : random.between(Index{0}, Index{4}));
      after.push_back(cyclic ? 0 : random.between(Index{0}, Index{4}));
    }
    layout = layout.with_ghosts(before, after);
    Array<Complex> a(layout, all);
    Complex const untouched(7, 7);
    a = untouched;
    a.fill([&](Shape const& i) { return value(shape, i); });
    update_ghosts(a, boundaries);
    LocalView<Complex> const here = a.local();
    Box surroundings = here.box();
    bool right = true;
    for (int axis = 0; axis < shape.size() && !here.box().empty(); ++axis) {
      Range& range = surroundings.ranges[axis];
      if (before[axis] + after[axis] > 0) range = {range.lo - before[axis], range.hi + after[axis]};
    }
    oracle::for_each_point(surroundings, [&](Shape const& point) {
      Shape image = point;
      bool is_there = true;
      for (int axis = 0; axis < shape.size(); ++axis) {
        Index const n = shape[axis];
        bool const outside = point[axis] < 0 || point[axis] >= n;
        is_there = is_there && !(outside && boundaries[axis] == Boundary::open);
        image[axis] = ((point[axis] % n) + n) % n;
      }
      right = right && here[point] == (is_there ? value(shape, image) : untouched);
    });
    EXPECT_TRUE(ranks::everywhere(right)) << layout.describe();
  }
}

TEST(array, is_read_by_global_index) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(7);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Shape point;
    Box box;
    for (Index n : shape) {
      point.push_back(random.between(Index{0}, n - 1));
      Index const lo = random.between(Index{0}, n - 1);
      box.ranges.push_back({lo, random.between(lo + 1, n), random.between(Index{1}, Index{3})});
    }
    EXPECT_EQ(a.at(point), value(shape, point));
    Array<Complex> const some = a.slice(box);
    EXPECT_TRUE(holds(some,
                      [&](Shape const& i) {
                        Shape whole;
                        for (int axis = 0; axis < i.size(); ++axis)
                          whole.push_back(box.ranges[axis].lo + i[axis] * box.ranges[axis].step);
                        return value(shape, whole);
                      }))
        << to_string(box) << " of " << a.layout().describe();
    Array<Complex> const turned(transpose(a));
    std::reverse(box.ranges.begin(), box.ranges.end());
    EXPECT_TRUE(holds(turned.slice(box),
                      [&](Shape const& i) {
                        Shape whole(i.size(), 0);
                        for (int axis = 0; axis < i.size(); ++axis)
                          whole[i.size() - 1 - axis] =
                              box.ranges[axis].lo + i[axis] * box.ranges[axis].step;
                        return value(shape, whole);
                      }))
        << to_string(box) << " of " << turned.layout().describe();
    std::vector<Complex> everything = a.gather();
    ASSERT_EQ(static_cast<Index>(everything.size()), oracle::points_of(shape));
    oracle::for_each_point(shape, [&](Shape const& i) {
      EXPECT_EQ(everything[oracle::at(oracle::number_of(shape, i))], value(shape, i));
    });
    int const root = random.between(0, ranks::count() - 1);
    EXPECT_EQ(a.gather(root).size(), ranks::rank() == root ? everything.size() : 0);
    Array<Complex> b(random_layout(random, shape), all);
    if (ranks::rank() != root) everything.clear();
    b.scatter(everything, root);
    EXPECT_TRUE(holds(b, [&](Shape const& i) { return value(shape, i); }));
  }
}

TEST(array, lies_in_memory_of_the_program_too) {
  Ranks const all(MPI_COMM_WORLD);
  Layout const layout = Layout::slab({9, 5}, ranks::count());
  std::shared_ptr<Complex[]> const memory(
      new Complex[oracle::at(layout.array_size(ranks::rank()) + 1)]);
  Array<Complex> a(layout, all, memory);
  a.fill([&](Shape const& i) { return value({9, 5}, i); });
  EXPECT_EQ(a.data(), memory.get());
  Array<Complex> b(Layout::slab({5, 9}, ranks::count()), all);
  b = transpose(a);
  EXPECT_TRUE(holds(b, [&](Shape const& i) { return value({9, 5}, {i[1], i[0]}); }));
}

TEST(array, keeps_plans_and_memory_in_a_loop) {
  Ranks const all(MPI_COMM_WORLD);
  Array<Complex> a = filled(Layout::slab({12, 10}, ranks::count()), all);
  Array<Complex> b(Layout::slab({10, 12}, ranks::count()), all);
  Plan<double>* first = nullptr;
  for (int round = 0; round < 40; ++round) {
    b = fft(transpose(a), 0);
    Plan<double>& plan = all.plan<double>(a.layout().transposed({1, 0}), b.layout(),
                                          {.axes = {0}, .kinds = {Kind::c2c}});
    if (!first) first = &plan;
    EXPECT_EQ(first, &plan);
    a = transpose(ifft(b, 0));
  }
  EXPECT_TRUE(holds(
      a,
      [&](Shape const& i) {
        return value({12, 10}, i);
      },
      1e-12));
}

}  // namespace
}  // namespace sixstep
