// SPDX-License-Identifier: BSD-3-Clause
// Compositions of arrays that no machine holds: they are found at once, or refused.
#include "formulas/composition.hpp"

#include <gtest/gtest.h>

#include <string>

#include "refuses.hpp"

namespace sixstep::program {
namespace {

std::string told(Shape const& shape, int ranks, Kind kind) {
  schedule::Problem problem{.input = Layout::slab(shape, ranks), .kinds = {kind}};
  problem.output = Layout::slab(schedule::output_shape(problem), ranks);
  return formulas::describe(formulas::compose(problem));
}

// The largest prime; a product of two; a power of two.
TEST(huge, lengths_are_found_and_its_bytes_are_counted) {
  for (Index n : {(Index{1} << 57) - 13, Index{268435399} * 268435367, Index{1} << 57})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
      for (int ranks : {1, 4, 64})
        for (Shape const& shape : {Shape{n}, Shape{1, n}}) {
          std::string const words = told(shape, ranks, kind);
          EXPECT_NE(words.find("total"), std::string::npos);
          EXPECT_EQ(words.find("-"), std::string::npos) << words;
        }
}

TEST(huge, lengths_beyond_what_can_be_counted_are_refused) {
  for (Index n : {(Index{1} << 57) + 1, (Index{1} << 61) - 1, Index{1} << 62})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
      EXPECT_TRUE(
          refuses("input", {"2^57", std::to_string(n).c_str()}, [&] { told({n}, 4, kind); }));
}

}  // namespace
}  // namespace sixstep::program
