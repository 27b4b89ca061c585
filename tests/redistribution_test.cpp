// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: every byte says which element of the whole array it is of, and is looked for
// where the other layout has it.
#include "sixstep/redistribution.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;

template <std::size_t bytes>
using Element = std::array<std::uint8_t, bytes>;

/// That of the global index in one of the fields.
template <class T>
T element(Index number, int field) {
  T value;
  auto bits = static_cast<std::uint64_t>(1 + number + 1'000'003 * field);
  for (std::uint8_t& byte : value) {
    bits = bits * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019;
    byte = static_cast<std::uint8_t>(bits >> 56);
  }
  return value;
}

template <class T>
std::vector<T> blank(Index size) {
  T value;
  value.fill(0xee);
  return std::vector<T>(at(size), value);
}

/// The arrays of all fields of a rank; ghosts are blank.
template <class T>
std::vector<T> arrays_of(Layout const& layout, int fields) {
  Index const size = layout.array_size(ranks::rank());
  std::vector<T> arrays = blank<T>(fields * size);
  oracle::for_each_element(layout, ranks::rank(), [&](Shape const& point, Index) {
    for (int field = 0; field < fields; ++field)
      arrays[at(field * size + oracle::place_of(layout, ranks::rank(), point))] =
          element<T>(oracle::number_of(layout.shape(), point), field);
  });
  return arrays;
}

template <class T>
void fill(T* array, Layout const& layout, int fields) {
  std::vector<T> const all = arrays_of<T>(layout, fields);
  std::copy(all.begin(), all.end(), array);
}

/// Ghosts too, if they are to be as they were.
template <class T>
bool holds(T const* array, Layout const& layout, int fields, bool ghosts_too = false) {
  std::vector<T> const all = arrays_of<T>(layout, fields), none = blank<T>(1);
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((ghosts_too || all[i] != none[0]) && array[i] != all[i]) return false;
  return true;
}

/// There and back: out of place and in place, in arrays of the caller's and of allocate().
template <class T>
void test(Layout const& from, Layout const& to, RedistributionOptions const& options) {
  Redistribution<T> moves(from, to, MPI_COMM_WORLD, options);
  SCOPED_TRACE(text("elements of ", sizeof(T), " bytes, ", options.fields, " fields, ",
                    to_string(options.exchange), options.preserve_input ? "" : ", input lost",
                    "\nfrom ", from.describe(), "\nto ", to.describe()));
  int const fields = options.fields;
  bool right = moves.from_size() == fields * from.array_size(ranks::rank()) &&
               moves.to_size() == fields * to.array_size(ranks::rank());
  auto const one = moves.allocate(), two = moves.allocate();
  auto private_one = blank<T>(moves.in_place_size()), private_two = private_one;
  for (bool allocated : {true, false}) {
    T* const a = allocated ? one.get() : private_one.data();
    T* const b = allocated ? two.get() : private_two.data();
    for (Direction direction : {Direction::forward, Direction::backward}) {
      bool const backward = direction == Direction::backward;
      Layout const& source = backward ? to : from;
      Layout const& target = backward ? from : to;
      fill(a, source, fields);
      std::fill_n(b, fields * target.array_size(ranks::rank()), blank<T>(1)[0]);
      moves.execute(a, b, direction);
      right = right && holds(b, target, fields, target.has_ghosts());
      if (options.preserve_input) right = right && holds(a, source, fields, source.has_ghosts());
      fill(b, source, fields);
      moves.execute(b, b, direction);
      right = right && holds(b, target, fields);
    }
  }
  EXPECT_TRUE(ranks::everywhere(right)) << moves.describe();
}

Layout random_layout(Random& random, Shape const& shape) {
  return cases::with_random_ghosts(random, cases::random_layout(random, shape, ranks::count()), 3);
}

template <class T>
void test_random(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < ranks::rounds(20) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 500);
    RedistributionOptions options;
    options.fields = random.once_in(3) ? random.between(2, 3) : 1;
    options.exchange = random.once_in(2) ? Exchange::shared
                                         : all_exchanges[at(random.between(Index{0}, Index{4}))];
    options.threads = random.between(1, 2);
    options.preserve_input = !random.once_in(3);
    test<T>(random_layout(random, shape), random_layout(random, shape), options);
  }
}

TEST(Redistribution, elements_of_any_size_go_where_the_layouts_say) {
  test_random<Element<1>>(1);
  test_random<Element<2>>(2);
  test_random<Element<3>>(3);
  test_random<Element<4>>(4);
  test_random<Element<8>>(5);
  test_random<Element<12>>(6);
  test_random<Element<16>>(7);
  test_random<Element<40>>(8);
}

TEST(Redistribution, all_axes_that_a_layout_may_have) {
  Shape const shape{2, 3, 1, 2, 3, 2, 1, 3};
  RedistributionOptions options;
  options.fields = 2;
  Order order;
  for (int axis = 7; axis >= 0; --axis) order.push_back(axis);
  test<Element<3>>(Layout::slab(shape, ranks::count()),
                   Layout::slab(shape, ranks::count(), 4).with_order(order), options);
}

TEST(Redistribution, larger_arrays_than_a_window) {
  for (Exchange exchange : {Exchange::shared, Exchange::collective}) {
    RedistributionOptions options;
    options.exchange = exchange;
    Shape const shape{40, 33, 17};
    auto const slab = Layout::slab(shape, ranks::count());
    for (int threads : {1, 3}) {
      options.threads = threads;
      test<Element<16>>(slab, Layout::slab(shape, ranks::count(), 1).with_order({2, 1, 0}),
                        options);
      test<Element<4>>(slab, slab.with_order({1, 2, 0}), options);
    }
  }
}

TEST(Redistribution, arrays_of_allocate_go_in_one_pass) {
  Shape const shape{16, 12, 10};
  Redistribution<double> moves(Layout::slab(shape, ranks::count()),
                               Layout::slab(shape, ranks::count(), 1), MPI_COMM_WORLD);
  EXPECT_EQ(moves.exchanges(), ranks::count() > 1 ? 1 : 0) << moves.describe();
  RedistributionOptions options;
  options.exchange = Exchange::collective;
  Redistribution<double> packed(Layout::slab(shape, ranks::count()),
                                Layout::slab(shape, ranks::count(), 1), MPI_COMM_WORLD, options);
  EXPECT_LE(packed.passes(), 2) << packed.describe();
}

TEST(Redistribution, lists_of_arrays) {
  Shape const shape{9, 8};
  auto const from = Layout::slab(shape, ranks::count()),
             to = Layout::slab(shape, ranks::count(), 1);
  Redistribution<Element<4>> moves(from, to, MPI_COMM_WORLD);
  auto a = blank<Element<4>>(moves.from_size()), b = blank<Element<4>>(moves.to_size());
  auto c = a, d = b;
  fill(a.data(), from, 1);
  c = a;
  std::vector<Element<4> const*> const in{a.data(), c.data()};
  std::vector<Element<4>*> const out{b.data(), d.data()};
  moves.execute(in, out);
  EXPECT_TRUE(ranks::everywhere(holds(b.data(), to, 1) && holds(d.data(), to, 1)));
  EXPECT_TRUE(refuses("in, out", {"2", "1"},
                      [&] { moves.execute(in, std::span<Element<4>* const>(out.data(), 1)); }));
}

TEST(Redistribution, errors_are_the_same_on_all_ranks) {
  int const ranks = ranks::count();
  Shape const shape{6, 5};
  auto const layout = Layout::slab(shape, ranks);
  auto const make = [](Layout const& from, Layout const& to, RedistributionOptions options = {}) {
    Redistribution<int> moves(from, to, MPI_COMM_WORLD, options);
  };
  EXPECT_TRUE(refuses("to", {"6 x 5", "5 x 6"}, [&] {
    make(layout, Layout::slab({5, 6}, ranks));
  }));
  EXPECT_TRUE(refuses("to", {"ranks"}, [&] { make(layout, Layout::slab(shape, ranks + 1)); }));
  EXPECT_TRUE(refuses("from", {"ranks"}, [&] { make(Layout::slab(shape, ranks + 1), layout); }));
  EXPECT_TRUE(refuses("from", {"0 x 5"}, [&] {
    make(Layout::slab({0, 5}, ranks), Layout::slab({0, 5}, ranks));
  }));
  EXPECT_TRUE(refuses("fields", {"0"}, [&] { make(layout, layout, {.fields = 0}); }));
  EXPECT_TRUE(refuses("threads", {"-1"}, [&] { make(layout, layout, {.threads = -1}); }));
  if (ranks > 1) {
    EXPECT_TRUE(refuses("fields", {"the same; 1 was given on rank 0, 2 on rank 1"},
                        [&] { make(layout, layout, {.fields = 1 + ranks::rank()}); }));
  }
  Redistribution<int> moves(layout, layout, MPI_COMM_WORLD);
  std::vector<int> array(at(moves.in_place_size()) + 1);
  if (moves.from_size() > 0) {
    EXPECT_TRUE(refuses("in", {"null"}, [&] { moves.execute(nullptr, array.data()); }));
    EXPECT_TRUE(refuses("out", {"null"}, [&] { moves.execute(array.data(), nullptr); }));
  }
}

}  // namespace
}  // namespace sixstep
