// SPDX-License-Identifier: BSD-3-Clause
// Bits that flip in messages of verified plans are repaired, or an error on every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nodes_of.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep.h"
#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"
#include "verified_plans.hpp"

namespace {

/// Flips this bit of a real of a message in each of so many exchanges.
struct Flip {
  int left = 0;
  std::size_t real = 0;
  int bit = 0;
};
Flip flip;

}  // namespace

/// The library's messages pass through here.
extern "C" int MPI_Ialltoallv(void const* sent, int const counts[], int const displacements[],
                              MPI_Datatype type, void* received, int const receive_counts[],
                              int const receive_displacements[], MPI_Datatype receive_type,
                              MPI_Comm comm, MPI_Request* request) {
  int size = 0, ranks = 0;
  MPI_Type_size(type, &size);
  MPI_Comm_size(comm, &ranks);
  for (int rank = 0; rank < ranks && flip.left > 0; ++rank) {
    auto const reals =
        static_cast<std::size_t>(counts[rank]) * static_cast<std::size_t>(size) / sizeof(double);
    if (flip.real >= reals) continue;
    auto* const message = static_cast<char*>(const_cast<void*>(sent)) +
                          static_cast<std::ptrdiff_t>(displacements[rank]) * size;
    sixstep::verified::flip_bit(message, sizeof(double), flip.real, flip.bit);
    --flip.left;
    break;
  }
  return PMPI_Ialltoallv(sent, counts, displacements, type, received, receive_counts,
                         receive_displacements, receive_type, comm, request);
}

namespace sixstep::verified {
namespace {

/// Executions of a plan whose messages are changed on one rank.
struct Trial {
  int round;
  bool in_place;
  bool preserve_input;
  int flips;  // in as many executions, one behind the other
  Verify verify;

  bool may_repeat() const { return !in_place && preserve_input; }
};

void flip_in_a_message(Trial const& trial) {
  using Complex = std::complex<double>;
  Random random(static_cast<std::uint64_t>(trial.round) + 5);
  Shape const shape{random.between(Index{8}, Index{30}), random.between(Index{8}, Index{30}), 16};
  Plan<double> plan(Layout::slab(shape, ranks::count()), MPI_COMM_WORLD,
                    {.preserve_input = trial.preserve_input,
                     .exchange = Exchange::collective,
                     .windows = 1,
                     .verify = trial.verify});
  Random mine(static_cast<std::uint64_t>(100 * trial.round + ranks::rank()));
  auto const in = random_array<Complex>(mine, plan.in_place_size());
  std::vector<Complex> given = in, out(in.size()), again(in.size());
  plan.forward(given.data(), out.data());
  given = in;
  flip = {.left = ranks::rank() == trial.round % ranks::count() ? trial.flips : 0,
          .real = static_cast<std::size_t>(trial.round % 3),
          .bit = random.between(48, 62)};
  Complex* const target = trial.in_place ? given.data() : again.data();
  std::string const message = message_of([&] { plan.forward(given.data(), target); });
  flip.left = 0;
  bool const is_repaired = trial.may_repeat() && trial.flips == 1;
  if (is_repaired) {
    EXPECT_EQ(message, "");
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + plan.output_size(), again.begin()));
  } else {
    bool const is_named = trial.verify == Verify::all;
    std::string const words = is_named ? "verify: exchange 1 of 1 (to "
                                       : "verify: the result of a forward transform is wrong";
    EXPECT_NE(message.find(words), std::string::npos) << message;
    // The message that was changed may be one to the rank itself.
    int const writer = trial.round % ranks::count();
    std::string const other = text("other bits than rank ", writer, " wrote");
    std::string const own = text("rank ", writer, " has read other bits than it wrote");
    bool const names =
        message.find(other) != std::string::npos || message.find(own) != std::string::npos;
    EXPECT_EQ(names, is_named) << message;
    EXPECT_EQ(message.find("second") != std::string::npos, trial.may_repeat()) << message;
  }
  given = in;
  plan.forward(given.data(), again.data());
  EXPECT_TRUE(std::equal(out.begin(), out.begin() + plan.output_size(), again.begin()));
  EXPECT_EQ(plan.verified().checked, is_repaired ? 3 : 2);
  EXPECT_EQ(plan.verified().repaired, is_repaired ? 1 : 0);
  EXPECT_LT(plan.verified().largest_share, 0.5);
}

/// Messages of Open MPI go one by one and do not pass through the function above.
#ifdef OPEN_MPI
constexpr bool is_told_of_messages = false;
#else
constexpr bool is_told_of_messages = true;
#endif

TEST(Verify, a_flip_in_a_message_is_repaired_or_an_error_on_every_rank) {
  if (!is_told_of_messages || ranks::count() == 1) return;
  NodesOf const nodes(1);
  for (int round = 0; round < 4; ++round)
    for (bool const in_place : {false, true})
      for (bool const preserve_input : {false, true})
        for (int const flips : {1, 2}) {
          Verify const verify = (round + flips) % 2 == 0 ? Verify::result : Verify::all;
          flip_in_a_message({round, in_place, preserve_input, flips, verify});
          if (ranks::failed_anywhere()) return;
        }
}

TEST(Verify, a_flip_in_a_message_of_a_redistribution_is_repaired) {
  if (!is_told_of_messages || ranks::count() == 1) return;
  NodesOf const nodes(1);
  Shape const shape{14, 14, 10};  // each rank has a part
  for (Verify const verify : {Verify::result, Verify::all}) {
    Redistribution<double> moves(Layout::slab(shape, ranks::count(), 0),
                                 Layout::slab(shape, ranks::count(), 1), MPI_COMM_WORLD,
                                 {.exchange = Exchange::collective, .verify = verify});
    Random random(static_cast<std::uint64_t>(ranks::rank()) + 1);
    auto const in = random_array<double>(random, moves.from_size());
    std::vector<double> out(at(moves.to_size())), again(out.size());
    moves.forward(in.data(), out.data());
    flip = {.left = ranks::rank() == ranks::count() - 1 ? 1 : 0, .real = 1, .bit = 3};
    EXPECT_EQ(message_of([&] { moves.forward(in.data(), again.data()); }), "");
    flip.left = 0;
    EXPECT_EQ(out, again);
    EXPECT_EQ(moves.verified().checked, 2);
    EXPECT_EQ(moves.verified().repaired, 1);
  }
}

/// What a function of C was told.
struct Told {
  int calls = 0;
  sixstep_detection last = {};
  std::string where;
};

void tell(void* context, sixstep_detection const* found) {
  auto& told = *static_cast<Told*>(context);
  ++told.calls;
  told.last = *found;
  told.where = found->where;
}

TEST(Verify, a_function_of_c_is_told_on_every_rank) {
  if (!is_told_of_messages || ranks::count() == 1) return;
  NodesOf const nodes(1);
  Index const shape[] = {12, 14, 10};
  sixstep_layout* slab = nullptr;
  sixstep_plan* plan = nullptr;
  sixstep_options options = SIXSTEP_OPTIONS;
  options.exchange = SIXSTEP_COLLECTIVE;
  options.windows = 1;
  options.verify = SIXSTEP_VERIFY_ALL;
  ASSERT_EQ(sixstep_layout_slab(3, shape, ranks::count(), 0, &slab), SIXSTEP_OK);
  ASSERT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab, nullptr, MPI_COMM_WORLD, &options, &plan),
            SIXSTEP_OK);
  Told told;
  EXPECT_EQ(sixstep_plan_on_detection(plan, &tell, &told), SIXSTEP_OK);
  Random random(static_cast<std::uint64_t>(ranks::rank()) + 1);
  auto in = random_array<std::complex<double>>(random, 12 * 14 * 10);
  std::vector<std::complex<double>> out(in.size());
  int const victim = ranks::count() - 1;
  auto const flip_and_execute = [&] {
    flip = {.left = ranks::rank() == victim ? 1 : 0, .real = 2, .bit = 61};
    EXPECT_EQ(sixstep_plan_forward(plan, in.data(), out.data(), 0), SIXSTEP_OK);
    flip.left = 0;
  };
  EXPECT_EQ(sixstep_plan_forward(plan, in.data(), out.data(), 0), SIXSTEP_OK);
  EXPECT_EQ(told.calls, 0);
  flip_and_execute();
  EXPECT_EQ(told.calls, 1);
  EXPECT_EQ(told.last.direction, SIXSTEP_FORWARD);
  EXPECT_EQ(told.last.repaired, 1);
  EXPECT_GT(told.last.difference, told.last.bound);
  EXPECT_NE(told.where.find(text("rank ", told.last.rank, " has read other bits than ")),
            std::string::npos)
      << told.where;
  EXPECT_EQ(sixstep_plan_on_detection(plan, nullptr, nullptr), SIXSTEP_OK);
  flip_and_execute();
  EXPECT_EQ(told.calls, 1);
  EXPECT_EQ(sixstep_plan_free(plan), SIXSTEP_OK);
  EXPECT_EQ(sixstep_layout_free(slab), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep::verified
