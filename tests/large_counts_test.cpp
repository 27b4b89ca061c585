// SPDX-License-Identifier: BSD-3-Clause
// Messages of more elements than an int counts: derived types for them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <numeric>
#include <vector>

#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::mpi {
namespace {

TEST(narrow, passes_counts_and_refuses_what_is_none) {
  EXPECT_EQ(narrow(0), 0);
  EXPECT_EQ(narrow(largest_count), 2147483647);
  EXPECT_TRUE(refuses("internal", {"2147483648"}, [] { narrow(largest_count + 1); }));
  EXPECT_TRUE(refuses("internal", {"-1"}, [] { narrow(-1); }));
}

TEST(large_type, holds_its_elements_and_no_others) {
  std::vector<std::complex<double>> array;
  for (int i = 0; i < 64; ++i) array.emplace_back(i, -i);
  for (Index limit = 1; limit <= 10; ++limit) {
    for (Index count = 1; count <= 40; count += limit <= 3 ? 1 : 3) {
      for (Index displacement : {Index{0}, Index{1}, Index{17}}) {
        DerivedType const type(MPI_C_DOUBLE_COMPLEX, {{count, 1}}, displacement, limit);
        std::vector<std::complex<double>> packed(static_cast<std::size_t>(count) + 1, {-1, -1});
        int position = 0;
        MPI_Pack(array.data(), 1, type.get(), packed.data(),
                 static_cast<int>(packed.size() * sizeof packed[0]), &position, MPI_COMM_SELF);
        ASSERT_EQ(position, static_cast<int>(count * 16));
        for (Index i = 0; i < count; ++i)
          ASSERT_EQ(packed[static_cast<std::size_t>(i)],
                    array[static_cast<std::size_t>(displacement + i)])
              << count << " from " << displacement << " in pieces of " << limit;
      }
    }
  }
}

TEST(large_type, has_the_size_and_the_place_that_64_bits_say) {
  Index const billion = 1000000000;
  struct Given {
    Index count, displacement, limit;
  };
  for (Given const& given :
       {Given{3 * billion, 0, largest_count}, Given{3 * billion, 9 * billion, largest_count},
        Given{largest_count, 10 * billion, largest_count},
        Given{largest_count + 1, Index{1} << 34, largest_count},
        Given{5 * billion + 7, (Index{1} << 33) + 1, 1000003}}) {
    DerivedType const type(MPI_C_DOUBLE_COMPLEX, {{given.count, 1}}, given.displacement,
                           given.limit);
    MPI_Count size = 0, lower = 0, extent = 0;
    MPI_Type_size_x(type.get(), &size);
    MPI_Type_get_true_extent_x(type.get(), &lower, &extent);
    EXPECT_EQ(size, 16 * given.count);
    EXPECT_EQ(lower, 16 * given.displacement);
    EXPECT_EQ(extent, 16 * given.count);
  }
}

TEST(large_type, has_more_rows_than_an_int_counts) {
  Index const billion = 1000000000;
  DerivedType const type(MPI_DOUBLE, {{3 * billion, 2}}, 0, largest_count);
  MPI_Count size = 0, lower = 0, extent = 0;
  MPI_Type_size_x(type.get(), &size);
  MPI_Type_get_true_extent_x(type.get(), &lower, &extent);
  EXPECT_EQ(size, 8 * 3 * billion);
  EXPECT_EQ(extent, 8 * (2 * 3 * billion - 1));
}

TEST(counted, is_one_of_a_derived_type_beyond_the_limit) {
  EXPECT_EQ(Counted(MPI_DOUBLE, 7, 7).count(), 7);
  EXPECT_EQ(Counted(MPI_DOUBLE, 7, 7).type(), MPI_DOUBLE);
  Counted const many(MPI_DOUBLE, 3 * largest_count);
  MPI_Count size = 0;
  MPI_Type_size_x(many.type(), &size);
  EXPECT_EQ(many.count(), 1);
  EXPECT_EQ(size, 8 * 3 * largest_count);
}

TEST(large_type, carries_a_message_between_ranks) {
  int const next = (ranks::rank() + 1) % ranks::count();
  int const previous = (ranks::rank() + ranks::count() - 1) % ranks::count();
  std::vector<double> send(30), receive(30, -1);
  std::iota(send.begin(), send.end(), ranks::rank() * 100);
  DerivedType const out(MPI_DOUBLE, {{17, 1}}, 3, 5), in(MPI_DOUBLE, {{17, 1}}, 11, 4);
  MPI_Sendrecv(send.data(), 1, out.get(), next, 0, receive.data(), 1, in.get(), previous, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(receive[static_cast<std::size_t>(i)],
              i >= 11 && i < 28 ? previous * 100 + 3 + i - 11 : -1);
}

}  // namespace
}  // namespace sixstep::mpi
