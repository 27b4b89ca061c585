// SPDX-License-Identifier: BSD-3-Clause
// Fields: each is where it was, and the axis of all of them can be taken away again.
#include "layout/fields.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"

namespace sixstep {
namespace {

TEST(fields, each_lies_as_one_field_does) {
  cases::Random random(20);
  for (int round = 0; round < 200; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 200);
    int const ranks = random.between(1, 5);
    Layout one = cases::random_layout(random, shape, ranks);
    if (random.once_in(2))
      one = one.with_ghosts(Shape(shape.size(), 1), Shape(shape.size(), random.between(0, 2)));
    Index const count = random.between(1, 4);
    for (Storage storage : {Storage::blocks, Storage::interleaved}) {
      Layout const all = with_fields(one, count, storage);
      bool const interleaved = storage == Storage::interleaved;
      ASSERT_EQ(of_one_field(all), one) << all.describe();
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(all.array_size(rank), count * one.array_size(rank));
        if (one.local_size(rank) == 0) continue;
        Shape const apart = all.strides(rank), alone = one.strides(rank);
        Index const times = interleaved ? count : 1;
        for (int axis = 0; axis < one.axes(); ++axis) ASSERT_EQ(apart[axis], times * alone[axis]);
        ASSERT_EQ(apart[one.axes()], interleaved ? 1 : one.array_size(rank));
        ASSERT_EQ(all.offset(rank), times * one.offset(rank));
        ASSERT_TRUE(all.box(rank).ranges[one.axes()] == (Range{0, count}));
      }
    }
  }
}

}  // namespace
}  // namespace sixstep
