// SPDX-License-Identifier: BSD-3-Clause
// Layouts and redistributions of the C interface: they are those of C++.
#include "sixstep.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using oracle::at;

Index const shape[] = {9, 10, 8};

TEST(c, layouts_are_those_of_cpp) {
  Shape const extents{9, 10, 8};
  Layout const theirs = Layout::pencil(extents, all());
  std::vector<Index> lo, hi;
  for (int rank = 0; rank < all(); ++rank)
    for (Range const& range : theirs.box(rank).ranges) {
      lo.push_back(range.lo);
      hi.push_back(range.hi);
    }
  Index const* const my_lo = lo.data() + 3 * ranks::rank();
  Index const* const my_hi = hi.data() + 3 * ranks::rank();
  auto const pencil = made<sixstep_layout>(sixstep_layout_pencil, 3, shape, all());
  auto const boxes =
      made<sixstep_layout>(sixstep_layout_boxes, 3, shape, all(), lo.data(), hi.data(), nullptr);
  auto const gathered =
      made<sixstep_layout>(sixstep_layout_gather, 3, shape, my_lo, my_hi, nullptr, MPI_COMM_WORLD);
  std::vector<Index> const starts(lo.size(), 2), larger(lo.size(), 14);
  auto const halo =
      made<sixstep_layout>(sixstep_layout_in_arrays, boxes.get(), larger.data(), starts.data());
  auto const dense = made<sixstep_layout>(sixstep_layout_dense, halo.get());
  auto const half = made<sixstep_layout>(sixstep_layout_with_extent, pencil.get(), 2, Index{5});
  int equal = -1;
  for (auto const* other : {&boxes, &gathered, &dense}) {
    ASSERT_EQ(sixstep_layout_equal(pencil.get(), other->get(), &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 1);
  }
  for (auto const* other : {&halo, &half}) {
    ASSERT_EQ(sixstep_layout_equal(pencil.get(), other->get(), &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 0);
  }
  int order[3] = {}, turned[] = {2, 0, 1};
  auto const other = made<sixstep_layout>(sixstep_layout_with_order, pencil.get(), turned);
  ASSERT_EQ(sixstep_layout_order(other.get(), order), SIXSTEP_OK);
  EXPECT_EQ(std::vector<int>(order, order + 3), std::vector<int>(turned, turned + 3));
  Layout const arrays = theirs.in_arrays(std::vector<Shape>(at(all()), Shape{14, 14, 14}),
                                         std::vector<Shape>(at(all()), Shape{2, 2, 2}));
  for (int rank = 0; rank < all(); ++rank) {
    sixstep_part part;
    ASSERT_EQ(sixstep_layout_part(halo.get(), rank, &part), SIXSTEP_OK);
    EXPECT_EQ(part.offset, arrays.offset(rank));
    Index elements = 0;
    ASSERT_EQ(sixstep_layout_array_size(halo.get(), rank, &elements), SIXSTEP_OK);
    EXPECT_EQ(elements, arrays.array_size(rank));
  }
  char const* words = nullptr;
  ASSERT_EQ(sixstep_layout_describe(pencil.get(), &words), SIXSTEP_OK);
  EXPECT_EQ(words, theirs.describe());
  int const axes[] = {1, 2, 0};
  auto const transposed = made<sixstep_layout>(sixstep_layout_transposed, pencil.get(), axes);
  ASSERT_EQ(sixstep_layout_describe(transposed.get(), &words), SIXSTEP_OK);
  EXPECT_EQ(words, theirs.transposed({1, 2, 0}).describe());
  auto const tuned = made<sixstep_layout>(sixstep_layout_tuned, SIXSTEP_SINGLE, 3, shape, 1,
                                          MPI_COMM_WORLD, nullptr);
  int ranks = 0;
  EXPECT_EQ(sixstep_layout_counts(tuned.get(), nullptr, &ranks), SIXSTEP_OK);
  EXPECT_EQ(ranks, all());
}

TEST(c, layouts_answer_as_those_of_cpp) {
  int const grid[] = {1, all(), 1}, cyclic[] = {0, SIXSTEP_CYCLIC, 0};
  Index const before[] = {1, 0, 2}, after[] = {0, 3, 1};
  auto const dealt = made<sixstep_layout>(sixstep_layout_grid, 3, shape, grid, cyclic, nullptr);
  auto const halo = made<sixstep_layout>(sixstep_layout_with_ghosts, dealt.get(), before, after);
  Layout const theirs = Layout::grid(
      {9, 10, 8}, {1, all(), 1}, {Distribution::block, Distribution::cyclic, Distribution::block});
  int parts[3] = {}, distribution[3] = {}, whole[3] = {};
  ASSERT_EQ(sixstep_layout_dealt(dealt.get(), parts, distribution), SIXSTEP_OK);
  EXPECT_EQ(std::vector<int>(parts, parts + 3), std::vector<int>(grid, grid + 3));
  EXPECT_EQ(std::vector<int>(distribution, distribution + 3), std::vector<int>(cyclic, cyclic + 3));
  for (int axis = 0; axis < 3; ++axis) {
    ASSERT_EQ(sixstep_layout_whole(dealt.get(), axis, &whole[axis]), SIXSTEP_OK);
    EXPECT_EQ(whole[axis], theirs.whole(axis) ? 1 : 0);
  }
  EXPECT_EQ(sixstep_layout_whole(dealt.get(), 3, whole), SIXSTEP_ERROR_ARGUMENT);
  Index points = 0, around[6] = {};
  ASSERT_EQ(sixstep_layout_largest_size(dealt.get(), &points), SIXSTEP_OK);
  EXPECT_EQ(points, theirs.largest_local_size());
  ASSERT_EQ(sixstep_layout_ghosts(halo.get(), 0, around, around + 3), SIXSTEP_OK);
  EXPECT_EQ(std::vector<Index>(around, around + 6), (std::vector<Index>{1, 0, 2, 0, 3, 1}));
  Index const lo[] = {2, 1, 0}, hi[] = {3, 3, 8};  // of the cyclic axis, points of two ranks
  int count = 0;
  std::vector<int> meeting(at(all()), -1);
  ASSERT_EQ(sixstep_layout_ranks_meeting(dealt.get(), lo, hi, &count, meeting.data()), SIXSTEP_OK);
  meeting.resize(at(count));
  EXPECT_EQ(meeting, theirs.ranks_meeting({{{2, 3}, {1, 3}, {0, 8}}}));
  ASSERT_EQ(sixstep_choose_grid(3, shape, all(), 2, parts), SIXSTEP_OK);
  EXPECT_EQ(Grid(std::vector<int>(parts, parts + 3)), choose_grid({9, 10, 8}, all(), 2));
}

TEST(c, redistributions_move_elements_of_any_size) {
  struct Particle {
    Index number;
    char rest[5];
  };
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const turned = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 2);
  sixstep_options options = SIXSTEP_OPTIONS;
  options.verify = SIXSTEP_VERIFY_ALL;
  auto const moves =
      made<sixstep_redistribution>(sixstep_redistribution_create, sizeof(Particle), slab.get(),
                                   turned.get(), MPI_COMM_WORLD, &options);
  EXPECT_EQ(sixstep_redistribution_on_detection(moves.get(), nullptr, nullptr), SIXSTEP_OK);
  sixstep_part from, to;
  sixstep_layout_part(slab.get(), ranks::rank(), &from);
  sixstep_layout_part(turned.get(), ranks::rank(), &to);
  Index from_size = 0, to_size = 0;
  ASSERT_EQ(sixstep_redistribution_sizes(moves.get(), &from_size, &to_size), SIXSTEP_OK);
  EXPECT_EQ(from_size, from.points);
  EXPECT_EQ(to_size, to.points);
  void *in = nullptr, *out = nullptr;
  ASSERT_EQ(sixstep_redistribution_allocate(moves.get(), &in), SIXSTEP_OK);
  ASSERT_EQ(sixstep_redistribution_allocate(moves.get(), &out), SIXSTEP_OK);
  auto* const given = static_cast<Particle*>(in);
  for_each_element(from, [&](Shape const& point, Index offset) {
    given[offset].number = oracle::number_of({9, 10, 8}, point);
  });
  ASSERT_EQ(sixstep_redistribution_execute(moves.get(), in, out, SIXSTEP_FORWARD), SIXSTEP_OK);
  for_each_element(to, [&](Shape const& point, Index offset) {
    EXPECT_EQ(static_cast<Particle*>(out)[offset].number, oracle::number_of({9, 10, 8}, point));
  });
  Index checked = 0, unchecked = -1, repaired = -1, compared = 0;
  double share = -1;
  ASSERT_EQ(sixstep_redistribution_verified(moves.get(), &checked, &unchecked, &repaired, &compared,
                                            &share),
            SIXSTEP_OK);
  EXPECT_EQ(checked, 1);
  EXPECT_EQ(unchecked + repaired, 0);
  EXPECT_GE(compared, all());
  char const* words = nullptr;
  ASSERT_EQ(sixstep_redistribution_describe(moves.get(), &words), SIXSTEP_OK);
  EXPECT_NE(std::string(words).find("elements  of 16 bytes"), std::string::npos) << words;
  Redistribution<Particle> const theirs(Layout::slab({9, 10, 8}, all()),
                                        Layout::slab({9, 10, 8}, all(), 2), MPI_COMM_WORLD);
  for (auto const& [get, expected] : {std::pair(&sixstep_redistribution_from, slab.get()),
                                      std::pair(&sixstep_redistribution_to, turned.get())}) {
    auto const ours = made<sixstep_layout>(get, moves.get());
    int equal = 0;
    ASSERT_EQ(sixstep_layout_equal(ours.get(), expected, &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 1);
  }
  int passes = -1, exchanges = -1;
  ASSERT_EQ(sixstep_redistribution_counts(moves.get(), &passes, &exchanges), SIXSTEP_OK);
  EXPECT_EQ(passes, theirs.passes());
  EXPECT_EQ(exchanges, theirs.exchanges());
  std::size_t bytes = 1;
  ASSERT_EQ(sixstep_redistribution_workspace_bytes(moves.get(), &bytes), SIXSTEP_OK);
  EXPECT_EQ(bytes, theirs.workspace_bytes());
  double seconds = -1;
  ASSERT_EQ(sixstep_redistribution_communication_seconds(moves.get(), &seconds), SIXSTEP_OK);
  EXPECT_GE(seconds, 0);
  sixstep_free(in);
  sixstep_free(out);
}

}  // namespace
}  // namespace sixstep
