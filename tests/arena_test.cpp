// SPDX-License-Identifier: BSD-3-Clause
// Arrays in memory that the ranks of a node have in common: how they come and go, and what plans do
// with those of any plan of the same ranks.
#include "runtime/arena.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "natural_plan.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using arrays::unset;
using cases::Random;
using Complex = std::complex<double>;
using Array = std::shared_ptr<Complex[]>;

constexpr std::size_t page = std::size_t{1} << 21;

mpi::Communicator world() { return mpi::Communicator::duplicate(MPI_COMM_WORLD); }

std::shared_ptr<Arena> make(mpi::Communicator const& node) { return Arena::make(node, 1); }

// Arenas.

TEST(arena, is_found_by_the_same_ranks_as_long_as_one_has_it) {
  mpi::Communicator const comm = world(), again = world();
  EXPECT_EQ(Arena::find(comm), nullptr);
  std::shared_ptr<Arena> const first = make(comm), second = make(comm);
  std::shared_ptr<Arena> const found = Arena::find(again);
  EXPECT_EQ(found, second);
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -ranks::rank(), &reversed);
  auto const others = mpi::Communicator::own(reversed);
  EXPECT_EQ(Arena::find(others) == nullptr, ranks::count() > 1);
}

TEST(arena, that_one_rank_has_released_is_not_found) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> arena = make(comm);
  if (ranks::rank() == ranks::count() - 1) arena.reset();
  EXPECT_EQ(Arena::find(comm), nullptr);
  MPI_Barrier(comm);
}

TEST(arena, shows_each_rank_what_the_others_have_written) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> const arena = make(comm);
  for (int round = 0; round < 3; ++round) {
    auto const array = arena->hold(arena->reserve(comm, 5 * page).value());
    std::memset(array.get(), 1 + comm.rank(), 5 * page);
    MPI_Barrier(comm);
    for (int rank = 0; rank < comm.size(); ++rank) {
      std::byte const* const theirs =
          array.get() + (rank - comm.rank()) * static_cast<Index>(arena->segment_bytes());
      EXPECT_EQ(theirs[5 * page - 1], static_cast<std::byte>(1 + rank));
    }
    MPI_Barrier(comm);
  }
}

TEST(arena, never_gives_room_that_a_rank_still_holds) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> const arena = make(comm);
  struct Held {
    std::shared_ptr<std::byte> array;
    std::size_t bytes;
    int mark;
  };
  std::vector<Held> held;
  Random same(1), own(100 + static_cast<unsigned>(ranks::rank()));
  auto const expect_marks = [](Held const& one) {
    EXPECT_EQ(one.array.get()[0], static_cast<std::byte>(one.mark));
    EXPECT_EQ(one.array.get()[one.bytes - 1], static_cast<std::byte>(one.mark));
  };
  for (int round = 0; round < 200; ++round) {
    auto const bytes = static_cast<std::size_t>(same.between(1, 5)) * page - 100;
    std::optional<std::size_t> const offset = arena->reserve(comm, bytes);
    ASSERT_TRUE(offset);
    held.push_back({arena->hold(*offset), bytes, round % 250 + 1});
    std::byte* const array = held.back().array.get();
    EXPECT_EQ(array[0], std::byte{0}) << "what was there before";
    array[0] = array[bytes - 1] = static_cast<std::byte>(held.back().mark);
    if (round % 20 != 19) continue;
    own.shuffle(held);
    for (; held.size() > 20; held.pop_back()) expect_marks(held.back());
  }
  for (Held const& one : held) expect_marks(one);
}

TEST(arena, uses_room_again_when_all_ranks_have_released_it) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> const arena = make(comm);
  auto const hold = [&](std::size_t pages) {
    std::size_t const offset = arena->reserve(comm, pages * page).value();
    return std::pair{offset, arena->hold(offset)};
  };
  auto first = hold(2), second = hold(3), third = hold(1);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(second.first, 2 * page);
  EXPECT_EQ(third.first, 5 * page);
  if (ranks::rank() != ranks::count() - 1) second.second.reset();
  MPI_Barrier(comm);
  auto const fourth = hold(3);
  EXPECT_EQ(fourth.first, 6 * page);
  second.second.reset();
  first.second.reset();
  MPI_Barrier(comm);
  auto const fifth = hold(4), sixth = hold(1), seventh = hold(1);
  EXPECT_EQ(fifth.first, 0u);
  EXPECT_EQ(sixth.first, 4 * page);
  EXPECT_EQ(seventh.first, 9 * page);
}

TEST(arena, numbers_its_arrays_alike_on_all_ranks) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> const arena = make(comm);
  std::shared_ptr<std::byte> held = arena->hold(arena->reserve(comm, 3 * page - 5).value());
  auto const next = arena->hold(arena->reserve(comm, 1).value());
  std::uint32_t const number = arena->number_of(held.get(), 3 * page - 5);
  EXPECT_GT(number, 0u);
  EXPECT_EQ(ranks::largest(number), number);
  EXPECT_NE(arena->number_of(next.get(), 1), number);
  EXPECT_NE(arena->number_of(next.get(), 1), 0u);
  EXPECT_EQ(arena->number_of(held.get(), 3 * page + 1), 0u) << "too small";
  EXPECT_EQ(arena->number_of(held.get() + page, 1), 0u) << "within an array";
  EXPECT_EQ(arena->number_of(held.get() + 64, 1), 0u);
  EXPECT_EQ(arena->number_of(held.get() + arena->segment_bytes(), 1), 0u) << "another rank's";
  EXPECT_EQ(arena->number_of(&number, 1), 0u);
  EXPECT_EQ(arena->number_of(nullptr, 1), 0u);
}

TEST(arena, has_no_room_for_more_than_a_segment) {
  mpi::Communicator const comm = world();
  std::shared_ptr<Arena> const arena = make(comm);
  EXPECT_FALSE(arena->reserve(comm, arena->segment_bytes() + 1));
  auto const all = arena->hold(arena->reserve(comm, arena->segment_bytes()).value());
  EXPECT_FALSE(arena->reserve(comm, 1));
}

TEST(arena, is_made_as_large_as_it_has_to_be) {
  mpi::Communicator const comm = world();
  std::size_t const bytes = 2 * make(comm)->segment_bytes();
  std::shared_ptr<Arena> const larger = Arena::make(comm, bytes);
  EXPECT_TRUE(larger->reserve(comm, bytes));
}

// Plans.

TEST(plans, work_directly_on_any_two_of_many_arrays) {
  bool const direct = can_be_direct();
  Natural natural({12, 10, 8});
  std::vector<Array> arrays;
  for (int i = 0; i < 20; ++i) arrays.push_back(natural.plan().allocate());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_LT(natural.error(arrays[i].get(), arrays[(7 * i + 3) % 20].get()), natural.tolerance());
    EXPECT_EQ(natural.was_direct(), direct) << i;
  }
}

TEST(plans, work_directly_on_arrays_of_other_plans_of_the_same_ranks) {
  bool const direct = can_be_direct();
  Natural small({12, 10, 8});
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::optional<Natural> large(std::in_place, Shape{96, 60, 50}, comm);
  MPI_Comm_free(&comm);
  Array const in = large->plan().allocate(), out = small.plan().allocate();
  Array more = large->plan().allocate();
  EXPECT_LT(large->error(in.get(), more.get()), large->tolerance());
  EXPECT_EQ(large->was_direct(), direct);
  large.reset();
  EXPECT_LT(small.error(in.get(), out.get()), small.tolerance());
  EXPECT_EQ(small.was_direct(), direct);
  EXPECT_LT(small.error(more.get(), in.get()), small.tolerance());
  EXPECT_EQ(small.was_direct(), direct);
}

TEST(plans, use_arrays_that_were_given_back_in_any_order) {
  bool const direct = can_be_direct();
  Random own(static_cast<unsigned>(ranks::rank()));
  Natural first({12, 10, 8}), second({9, 16});
  std::vector<Array> arrays;
  for (int round = 0; round < 6; ++round) {
    Natural& natural = round % 2 == 0 ? first : second;
    while (arrays.size() < 12) arrays.push_back(natural.plan().allocate());
    EXPECT_LT(natural.error(arrays[11].get(), arrays[10].get()), natural.tolerance());
    EXPECT_EQ(natural.was_direct(), direct);
    // The same are released, on each rank in another order.
    auto const some = static_cast<std::size_t>(round % 3) + 4;
    std::vector<Array> released(arrays.begin() + 2, arrays.begin() + 2 + Index(some));
    arrays.erase(arrays.begin() + 2, arrays.begin() + 2 + Index(some));
    own.shuffle(released);
    while (!released.empty()) released.pop_back();
  }
}

TEST(plans, work_on_arrays_that_were_not_allocated_together) {
  Natural natural({12, 10, 8});
  std::vector<Array> arrays;
  for (int i = 0; i < 6; ++i) arrays.push_back(natural.plan().allocate());
  auto const mine = static_cast<std::size_t>(ranks::rank() % 5);
  EXPECT_LT(natural.error(arrays[mine].get(), arrays[mine + 1].get()), natural.tolerance());
  auto in = unset<double>(natural.plan().input_size());
  EXPECT_LT(natural.error(in.data(), arrays[0].get()), natural.tolerance());
  EXPECT_FALSE(natural.was_direct());
}

TEST(arrays, outlive_their_plans_and_keep_what_they_hold) {
  Shape const shape{16, 16};
  Index const points = Layout::slab(shape, ranks::count()).local_size(ranks::rank());
  std::vector<Array> arrays;
  for (int i = 0; i < 20; ++i) {
    Plan<double> plan(Layout::slab(shape, ranks::count()), MPI_COMM_WORLD);
    arrays.push_back(plan.allocate());
    std::fill_n(arrays.back().get(), points, i);
    if (i % 3 == 2) arrays.erase(arrays.begin() + i / 6);
  }
  std::vector<double> values;
  for (Array const& array : arrays) {
    values.push_back(array[0].real());
    for (Index i = 0; i < points; ++i) ASSERT_EQ(array[i], array[0]);
  }
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
}

}  // namespace
}  // namespace sixstep
