// SPDX-License-Identifier: BSD-3-Clause
// Plans side by side: on parts of the ranks, in several threads, and after each other, which shows
// what they leave behind.
//
// This program stands between the library and MPI and counts communicators and types (MPI's
// profiling interface).
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "exchange/strategy.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace {

std::atomic<int> communicators{0};  // made and not freed yet
std::atomic<int> types{0};

}  // namespace

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  ++communicators;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
  int const result = PMPI_Comm_split(comm, colour, key, made);
  communicators += *made != MPI_COMM_NULL ? 1 : 0;
  return result;
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  int const result = PMPI_Comm_split_type(comm, type, key, info, made);
  communicators += *made != MPI_COMM_NULL ? 1 : 0;
  return result;
}
int MPI_Comm_free(MPI_Comm* comm) {
  --communicators;
  return PMPI_Comm_free(comm);
}
int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
  ++types;
  return PMPI_Type_contiguous(count, of, made);
}
int MPI_Type_create_struct(int count, int const lengths[], MPI_Aint const places[],
                           MPI_Datatype const of[], MPI_Datatype* made) {
  ++types;
  return PMPI_Type_create_struct(count, lengths, places, of, made);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype of,
                            MPI_Datatype* made) {
  ++types;
  return PMPI_Type_create_hvector(count, length, stride, of, made);
}
int MPI_Type_create_hindexed(int count, int const lengths[], MPI_Aint const places[],
                             MPI_Datatype of, MPI_Datatype* made) {
  ++types;
  return PMPI_Type_create_hindexed(count, lengths, places, of, made);
}
int MPI_Type_create_hindexed_block(int count, int length, MPI_Aint const places[], MPI_Datatype of,
                                   MPI_Datatype* made) {
  ++types;
  return PMPI_Type_create_hindexed_block(count, length, places, of, made);
}
int MPI_Type_free(MPI_Datatype* type) {
  --types;
  return PMPI_Type_free(type);
}

namespace sixstep {
namespace {

using arrays::difference;
using arrays::fill;
using arrays::rounding;
using arrays::unset;
using oracle::Exact;

/// The largest error of a number of transforms there and back on a communicator.
double worst_error(Shape const& shape, MPI_Comm comm, Options const& options, int rounds) {
  int const rank = ranks::rank_in(comm);
  Layout const layout = Layout::slab(shape, ranks::size_of(comm));
  Plan<double> plan(layout, layout, comm, options);
  std::vector<Exact> const whole = oracle::values(oracle::points_of(shape), 1);
  std::vector<Exact> expected = whole;
  oracle::transform_along(expected, shape, {}, -1);
  auto in = unset<double>(plan.input_size()), out = unset<double>(plan.output_size());
  fill(in, layout, rank, whole);
  double worst = 0;
  for (int round = 0; round < rounds; ++round) {
    plan.forward(in.data(), out.data());
    worst = std::max(worst, difference(out, layout, rank, expected));
    plan.backward(out.data(), in.data(), Scale::by_n);
    worst = std::max(worst, difference(in, layout, rank, whole));
  }
  return worst;
}

TEST(plans, on_different_parts_of_the_ranks_run_at_once) {
  int const part = ranks::rank() % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, part, -ranks::rank(), &half);
  Shape const shape = part == 0 ? Shape{12, 10} : Shape{6, 5, 7};
  Options const options{.exchange = part == 0 ? Exchange::shared : Exchange::pairwise,
                        .threads = 1};
  EXPECT_LT(worst_error(shape, half, options, 5), rounding<double>(oracle::points_of(shape)));
  MPI_Comm_free(&half);
}

TEST(plans, outlive_the_communicator_they_were_made_with) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Layout const layout = Layout::slab({8, 8}, ranks::count());
  Plan<double> plan(layout, layout, comm);
  MPI_Comm_free(&comm);
  std::vector<std::complex<double>> array(static_cast<std::size_t>(plan.in_place_size()), 1);
  plan.forward(array.data(), array.data());
  if (ranks::rank() == 0) {
    EXPECT_EQ(array[0], std::complex<double>(64));
  }
}

TEST(plans, in_two_threads_run_at_once) {
  int provided = 0;
  MPI_Query_thread(&provided);
  ASSERT_EQ(provided, MPI_THREAD_MULTIPLE);
  constexpr std::size_t threads = 2;
  MPI_Comm comms[threads];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Shape const shapes[threads] = {{12, 10, 6}, {9, 16}};
  double errors[threads];
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      Options const options{.exchange = i == 0 ? Exchange::shared : Exchange::collective,
                            .threads = 1};
      errors[i] = worst_error(shapes[i], comms[i], options, 10);
    });
  for (std::thread& thread : running) thread.join();
  for (std::size_t i = 0; i < threads; ++i)
    EXPECT_LT(errors[i], rounding<double>(oracle::points_of(shapes[i])));
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

TEST(plans, free_every_communicator_that_they_made) {
  int const all = ranks::count();
  for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
    for (Layout const& layout : {Layout::pencil({8, 8, 8}, all), Layout::slab({256}, all)}) {
      int const before = communicators;
      {
        Plan<double> one(layout, layout, MPI_COMM_WORLD, {.exchange = exchange});
        Plan<double> two(layout, MPI_COMM_WORLD, {.exchange = exchange});
        EXPECT_GE(communicators, before + 2);
        one = std::move(two);
      }
      EXPECT_EQ(communicators, before);
      EXPECT_THROW(Plan<double>(layout, MPI_COMM_WORLD, {.axes = {5}, .exchange = exchange}),
                   Error);
      EXPECT_EQ(communicators, before);
    }
  }
}

TEST(plans, with_large_counts_free_every_type_that_they_made) {
  int const before = types;
  {
    exchange::Traffic const traffic{.comm = MPI_COMM_WORLD,
                                    .element = MPI_DOUBLE,
                                    .sends = {{ranks::rank(), 0, 5}},
                                    .receives = {{ranks::rank(), 0, 5}},
                                    .count_limit = 2};
    double send[5] = {1, 2, 3, 4, 5}, receive[5] = {};
    auto const strategy = exchange::make_collective(traffic);
    EXPECT_GT(types, before);
    strategy->run(send, receive);
    EXPECT_EQ(receive[4], 5);
  }
  EXPECT_EQ(types, before);
}

TEST(plans, may_be_made_more_often_than_there_are_communicators) {
  // MPICH has room for about 2000 at a time.
  Layout const layout = Layout::pencil({4, 4, 4}, 1);
  for (int round = 0; round < 3000; ++round)
    Plan<double> const plan(layout, layout, MPI_COMM_SELF, {.threads = 1});
  EXPECT_LT(worst_error({4, 4, 4}, MPI_COMM_SELF, {.threads = 1}, 1), rounding<double>(64));
}

}  // namespace
}  // namespace sixstep
