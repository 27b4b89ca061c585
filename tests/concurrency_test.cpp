// SPDX-License-Identifier: BSD-3-Clause
// Plans side by side: on parts of the ranks, in several threads, and after each other, which shows
// what they leave behind.
//
// This program stands between the library and MPI and counts communicators and types (MPI's
// profiling interface).
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "exchange/strategy.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep.h"
#include "sixstep/plan.hpp"
#include "sixstep/ranks.hpp"
#include "sixstep/redistribution.hpp"

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

TEST(plans, on_one_communicator_run_at_once_in_two_threads) {
  Layout const layout = Layout::slab({12, 10}, ranks::count());
  std::vector<Exact> const whole = oracle::values(120, 3);
  std::vector<Exact> expected = whole;
  oracle::transform_along(expected, {12, 10}, {}, -1);
  for (Exchange exchange : {Exchange::pairwise, Exchange::collective, Exchange::shared}) {
    std::vector<Plan<double>> plans;
    for (int i = 0; i < 2; ++i)
      plans.emplace_back(layout, layout, MPI_COMM_WORLD,
                         Options{.exchange = exchange, .threads = 1});
    double errors[2] = {};
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < 2; ++i)
      running.emplace_back([&, i] {
        Exact const factor(static_cast<double>(i) + 1);
        std::vector<Exact> mine = whole, theirs = expected;
        for (Exact& value : mine) value *= factor;
        for (Exact& value : theirs) value *= factor;
        auto in = unset<double>(plans[i].input_size()), out = unset<double>(plans[i].output_size());
        for (int round = 0; round < 50; ++round) {
          fill(in, layout, ranks::rank(), mine);
          plans[i].forward(in.data(), out.data());
          errors[i] = std::max(errors[i], difference(out, layout, ranks::rank(), theirs));
        }
      });
    for (std::thread& thread : running) thread.join();
    for (double error : errors) EXPECT_LT(error, 3 * rounding<double>(120));
  }
}

/// Calls execute() in two threads of rank 0 at once, of which one waits for the other ranks, and
/// then in the other ranks. What the second thread is told.
template <class Execute>
std::string refusal(Execute const& execute) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::string words[2];
  auto const run = [&](std::size_t i) { words[i] = message_of([&] { execute(i); }); };
  if (ranks::rank() == 0) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i)
      threads.emplace_back([&, i] {
        run(i);
        if (!words[i].empty()) MPI_Barrier(comm);  // now the others may come
      });
    for (std::thread& thread : threads) thread.join();
  } else {
    MPI_Barrier(comm);
    run(0);
  }
  MPI_Comm_free(&comm);
  EXPECT_TRUE(words[0].empty() || words[1].empty());
  return words[0] + words[1];
}

TEST(plans, refuse_a_second_thread_while_one_executes) {
  if (ranks::count() == 1) return;
  std::string const expected = ranks::rank() == 0 ? "another thread of this rank" : "";
  auto const expect_refused = [&](std::string const& words) {
    EXPECT_EQ(words.empty(), expected.empty()) << words;
    EXPECT_NE(words.find(expected), std::string::npos) << words;
  };
  Layout const layout = Layout::slab({8, 8}, ranks::count());
  for (Exchange exchange : {Exchange::shared, Exchange::pairwise}) {
    Plan<double> plan(layout, layout, MPI_COMM_WORLD, {.exchange = exchange, .threads = 1});
    auto arrays =
        std::array{unset<double>(plan.in_place_size()), unset<double>(plan.in_place_size())};
    expect_refused(
        refusal([&](std::size_t i) { plan.forward(arrays[i].data(), arrays[i].data()); }));
    plan.forward(arrays[0].data(), arrays[0].data());  // it goes on
  }
  Redistribution<int> moves(layout, Layout::slab({8, 8}, ranks::count(), 1), MPI_COMM_WORLD);
  std::vector<int> numbers[2];
  for (auto& each : numbers) each.resize(64);
  expect_refused(
      refusal([&](std::size_t i) { moves.execute(numbers[i].data(), numbers[i].data()); }));
  std::int64_t const extents[] = {8, 8};
  sixstep_layout* slab = nullptr;
  sixstep_plan* plan = nullptr;
  sixstep_layout_slab(2, extents, ranks::count(), 0, &slab);
  sixstep_plan_create(SIXSTEP_DOUBLE, slab, slab, MPI_COMM_WORLD, nullptr, &plan);
  std::vector<std::complex<double>> both[2];
  for (auto& each : both) each.resize(64);
  expect_refused(refusal([&](std::size_t i) {
    int const code = sixstep_plan_forward(plan, both[i].data(), both[i].data(), SIXSTEP_UNSCALED);
    if (code == SIXSTEP_ERROR_ARGUMENT) throw Error(sixstep_error_message());
    EXPECT_EQ(code, SIXSTEP_OK);
  }));
  sixstep_plan_free(plan);
  sixstep_layout_free(slab);
  Ranks const all(MPI_COMM_WORLD);
  expect_refused(refusal([&](std::size_t) {
    double value = 1;
    all.sum(std::span(&value, 1));
    EXPECT_EQ(value, ranks::count());
  }));
}

TEST(plans, free_every_communicator_that_they_made) {
  int const all = ranks::count();
  for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
    for (Layout const& layout : {Layout::pencil({8, 8, 8}, all), Layout::slab({256}, all)}) {
      MPI_Comm comm = MPI_COMM_NULL;
      PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
      int const before = communicators;
      {
        Plan<double> one(layout, layout, comm, {.exchange = exchange});
        Plan<double> two(layout, comm, {.exchange = exchange});
        EXPECT_GE(communicators, before + 1);
        one = std::move(two);
      }
      int const kept = communicators;
      EXPECT_THROW(Plan<double>(layout, comm, {.axes = {5}, .exchange = exchange}), Error);
      EXPECT_EQ(communicators, kept);
      PMPI_Comm_free(&comm);
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

TEST(arrays, are_released_by_one_thread_while_another_allocates) {
  Ranks const all(MPI_COMM_WORLD);
  std::mutex mutex;
  std::vector<std::shared_ptr<void>> done_with;
  std::set<void*> used;
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) {
      std::vector<std::shared_ptr<void>> released;
      {
        std::lock_guard const lock(mutex);
        std::swap(released, done_with);
        for (auto const& memory : released) used.erase(memory.get());
      }
      released.clear();
      std::this_thread::yield();
    }
  });
  int twice = 0;
  for (Index i = 0; i < 1000; ++i) {
    Layout const layout = Layout::slab({ranks::count() * (1 + i % 3)}, ranks::count());
    std::shared_ptr<void> memory = all.allocate(layout, 64, false);
    std::lock_guard const lock(mutex);
    twice += used.insert(memory.get()).second ? 0 : 1;
    done_with.push_back(std::move(memory));
  }
  is_over = true;
  other.join();
  EXPECT_EQ(twice, 0);
}

}  // namespace
}  // namespace sixstep
