// SPDX-License-Identifier: BSD-3-Clause
// Ways: of the exchanges in windows, those that let passes and exchanges overlap.
#include "program/ways.hpp"

#include <gtest/gtest.h>

#include <string>

#include "schedule/search.hpp"

namespace sixstep::plan {
namespace {

/// Steps that wait for half of another, of all ranks.
Index stops_of(Problem const& problem, Limits const& limits, Arrays const& arrays) {
  Schedule const made = schedule(problem);
  Job const job{made, arrays, limits, {}};
  std::vector<Way> const ways = choose_ways(job).ways;
  Index stops = 0;
  for (int rank = 0; rank < problem.input.ranks(); ++rank)
    if (auto const priced = make_program(job, rank, ways)) stops += priced->cost.stops;
  return stops;
}

constexpr Arrays two{}, lost{.preserve_input = false}, in_place{.in_place = true};

TEST(ways, of_slabs_pencils_and_lines_let_nothing_wait) {
  for (int ranks : {4, 6})
    for (Layout const& input : {Layout::slab({48, 48, 48}, ranks), Layout::pencil({48, 48, 48}, ranks),
                                Layout::slab({1 << 14}, ranks)})
      for (bool natural : {false, true})
        for (Arrays const& arrays : {two, lost, in_place}) {
          Problem problem{.input = input};
          if (natural) problem.output = input;
          EXPECT_EQ(stops_of(problem, {.exchange_windows = 8}, arrays), 0)
              << input.describe() << (natural ? ", natural" : "")
              << (arrays.in_place ? ", in place" : arrays.preserve_input ? "" : ", input lost");
        }
}

TEST(ways, with_packed_messages_alone_wait) {
  Layout const pencils = Layout::pencil({48, 48, 48}, 4);
  EXPECT_GT(stops_of({.input = pencils}, {.exchange_windows = 8, .in_arrays = false}, two), 0);
}

}  // namespace
}  // namespace sixstep::plan
