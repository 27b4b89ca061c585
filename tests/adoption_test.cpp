// SPDX-License-Identifier: BSD-3-Clause
// Arrays that ranks have allocated alone: when plans work on them directly, what happens when they
// are freed and allocated anew, when they cannot be shared, and in forked children.
#include "runtime/adoption.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "child.hpp"
#include "natural_plan.hpp"
#include "no_more_files.hpp"
#include "ranks.hpp"
#include "runtime/openable.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using arrays::unset;
using Complex = std::complex<double>;

struct Release {
  void operator()(Complex* array) const { EXPECT_TRUE(release_openable(array)); }
};
using Alone = std::unique_ptr<Complex[], Release>;

constexpr std::size_t enough = least_openable_bytes + 5000;

Alone alone() { return Alone(static_cast<Complex*>(allocate_openable(enough))); }

TEST(openable_memory, is_for_large_arrays_and_begins_with_zeros) {
  EXPECT_EQ(allocate_openable(least_openable_bytes - 1), nullptr);
  EXPECT_EQ(allocate_openable(SIZE_MAX), nullptr);
  EXPECT_EQ(allocate_openable(std::size_t{1} << 60), nullptr);
  for (int round = 0; round < 20; ++round) {
    Alone const array = alone();
    ASSERT_NE(array, nullptr);
    auto const* const bytes = reinterpret_cast<unsigned char const*>(array.get());
    EXPECT_EQ(std::count(bytes, bytes + enough, 0), static_cast<Index>(enough));
    std::fill_n(array.get(), enough / sizeof(Complex), Complex(1, 2));
  }
  int number = 0;
  EXPECT_FALSE(release_openable(&number));
  EXPECT_FALSE(release_openable(nullptr));
}

TEST(openable_memory, is_refused_where_there_is_no_file_for_it) {
  Alone const before = alone();
  {
    NoMoreFiles const limit;  // one file is enough for all arrays
    EXPECT_NE(alone(), nullptr);
  }
  EXPECT_EQ(child::run([] { return allocate_openable(enough) == nullptr; }), "");
}

TEST(plans, work_directly_on_arrays_that_ranks_allocated_alone) {
  bool const direct = can_be_direct();
  Natural natural;
  Alone const a = alone(), b = alone(), c = alone();
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(natural.is_right(a.get(), b.get()));
    EXPECT_EQ(natural.was_direct(), direct) << round;
    EXPECT_TRUE(natural.is_right(b.get(), c.get()));
    EXPECT_EQ(natural.was_direct(), direct) << round;
    EXPECT_TRUE(natural.is_right(c.get(), c.get()));
    EXPECT_EQ(natural.was_direct(), direct) << round;
  }
}

TEST(plans, work_directly_on_such_arrays_beside_their_own) {
  bool const direct = can_be_direct();
  Natural natural;
  Alone const theirs = alone();
  auto const own = natural.plan().allocate();
  EXPECT_TRUE(natural.is_right(theirs.get(), own.get()));
  EXPECT_EQ(natural.was_direct(), direct);
  EXPECT_TRUE(natural.is_right(own.get(), theirs.get()));
  EXPECT_EQ(natural.was_direct(), direct);
}

TEST(plans, find_arrays_that_another_plan_has_shared) {
  bool const direct = can_be_direct();
  Alone const a = alone(), b = alone();
  std::optional<Natural> first(std::in_place);
  EXPECT_TRUE(first->is_right(a.get(), b.get()));
  Natural second;
  first.reset();
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(second.is_right(b.get(), a.get()));
    EXPECT_EQ(second.was_direct(), direct);
  }
}

TEST(plans, of_other_ranks_share_the_same_array_again) {
  bool const direct = can_be_direct();
  Natural all;
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -ranks::rank(), &reversed);
  Natural others({12, 10, 8}, reversed);
  MPI_Comm_free(&reversed);
  Alone const a = alone(), b = alone();
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(all.is_right(a.get(), b.get()));
    EXPECT_EQ(all.was_direct(), direct);
    EXPECT_TRUE(others.is_right(a.get(), b.get()));
    EXPECT_EQ(others.was_direct(), direct);
  }
}

TEST(plans, tell_new_arrays_from_freed_ones_at_the_same_address) {
  bool const direct = can_be_direct();
  Natural natural;
  Alone a = alone(), b = alone();
  int same_address = 0;
  for (int round = 0; round < 12; ++round) {
    EXPECT_TRUE(natural.is_right(a.get(), b.get())) << round;
    EXPECT_EQ(natural.was_direct(), direct) << round;
    Complex const* const before = a.get();
    a.reset();
    if (round % 2 == 0) b.reset();
    a = alone();
    if (round % 2 == 0) b = alone();
    same_address += a.get() == before ? 1 : 0;
    EXPECT_EQ(a[7], Complex()) << round;
  }
  EXPECT_GT(same_address, 0);
}

TEST(plans, tell_new_arrays_from_freed_ones_of_one_rank_alone) {
  Natural natural;
  Alone a = alone(), b = alone();
  for (int round = 0; round < 12; ++round) {
    EXPECT_TRUE(natural.is_right(a.get(), b.get())) << round;
    if (round % ranks::count() != ranks::rank()) continue;
    a.reset();
    a = alone();
  }
}

TEST(plans, take_the_way_by_work_arrays_on_all_ranks_if_one_rank_has_another_array) {
  Natural natural;
  Alone const a = alone(), b = alone();
  for (int other = 0; other < std::min(ranks::count(), 3); ++other) {
    auto in = unset<double>(natural.plan().input_size());
    EXPECT_TRUE(natural.is_right(ranks::rank() == other ? in.data() : a.get(), b.get()));
    EXPECT_FALSE(natural.was_direct());
    EXPECT_TRUE(natural.is_right(a.get(), ranks::rank() == other ? in.data() : b.get()));
    EXPECT_FALSE(natural.was_direct());
  }
  EXPECT_TRUE(natural.is_right(a.get(), b.get()));
  EXPECT_EQ(natural.was_direct(), can_be_direct());
}

TEST(plans, pair_arrays_as_ranks_pass_them) {
  Natural natural;
  Alone const a = alone(), b = alone(), c = alone();
  bool const is_even = ranks::rank() % 2 == 0;
  for (int round = 0; round < 4; ++round) {
    EXPECT_TRUE(natural.is_right(a.get(), b.get()));
    EXPECT_TRUE(natural.is_right(is_even ? a.get() : c.get(), is_even ? c.get() : a.get()));
    EXPECT_TRUE(natural.is_right(c.get(), b.get()));
  }
}

TEST(plans, pair_new_arrays_with_different_ones_that_are_known) {
  Natural natural;
  Alone const a = alone(), b = alone();
  EXPECT_TRUE(natural.is_right(a.get(), b.get()));
  Alone const c = alone(), d = alone();
  bool const is_even = ranks::rank() % 2 == 0;
  EXPECT_TRUE(natural.is_right(is_even ? a.get() : b.get(), c.get()));
  EXPECT_TRUE(natural.is_right(d.get(), is_even ? b.get() : a.get()));
}

TEST(plans, go_on_if_one_rank_cannot_open_the_others_memory) {
  Natural natural;
  Alone const a = alone(), b = alone();
  std::optional<NoMoreFiles> limit;
  if (ranks::rank() == 0) limit.emplace();
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(natural.is_right(a.get(), b.get()));
    EXPECT_FALSE(natural.was_direct());
  }
  limit.reset();
  Alone const c = alone(), d = alone();
  EXPECT_TRUE(natural.is_right(c.get(), d.get()));
  EXPECT_EQ(natural.was_direct(), can_be_direct());
}

TEST(plans, may_be_destroyed_before_or_after_their_arrays) {
  for (int round = 0; round < 4; ++round) {
    std::optional<Natural> natural(std::in_place);
    Alone a = alone(), b = alone();
    EXPECT_TRUE(natural->is_right(a.get(), b.get()));
    Complex const value = b[0];
    if (round % 2 == ranks::rank() % 2) a.reset();
    MPI_Barrier(MPI_COMM_WORLD);
    natural.reset();
    EXPECT_EQ(b[0], value);
  }
}

TEST(forked_child, has_the_array_and_leaves_its_parents_alone) {
  Natural natural;
  Alone a = alone(), b = alone();
  EXPECT_TRUE(natural.is_right(a.get(), b.get()));
  Complex const before = a[0];
  EXPECT_EQ(child::run(
                [&] {
                  bool const is_there = a[0] == before;
                  a[0] = 17;
                  bool const is_written = a[0] == Complex(17);
                  a.reset();
                  return is_there && is_written;
                },
                child::End::as_programs),
            "");
  EXPECT_EQ(a[0], before);
  EXPECT_TRUE(natural.is_right(a.get(), b.get()));
  EXPECT_EQ(natural.was_direct(), can_be_direct());
}

}  // namespace
}  // namespace sixstep
