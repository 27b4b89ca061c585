// SPDX-License-Identifier: BSD-3-Clause
// Results of the C interface have the bits of C++'s, which other tests compare with definitions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <vector>

#include "c/handles.hpp"
#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/layout.hpp"

namespace sixstep::c_handles {

/// The precision of arrays of these elements.
template <class Element>
constexpr int precision_of = sizeof(decltype(std::abs(Element()))) == sizeof(double)
                                 ? SIXSTEP_DOUBLE
                                 : SIXSTEP_SINGLE;

/// This rank's array: no two numbers of any ranks are alike.
template <class Element>
std::vector<Element> numbers(Index count) {
  using Real = decltype(std::abs(Element()));
  std::vector<Element> array(oracle::at(count));
  auto* const reals = reinterpret_cast<Real*>(array.data());
  for (std::size_t i = 0; i < array.size() * sizeof(Element) / sizeof(Real); ++i)
    reals[i] = static_cast<Real>(std::sin(1 + static_cast<double>(i) + 1000. * ranks::rank()));
  return array;
}

/// Whether `count` elements have the same bits.
template <class Element>
bool have_same_bits(Element const* a, Element const* b, Index count) {
  return count == 0 || std::memcmp(a, b, oracle::at(count) * sizeof(Element)) == 0;
}

/// Whether C is told where the elements of a local array are.
inline void expect_part(sixstep_part const& part, Layout const& layout, Shape const& strides) {
  Box const box = layout.box(ranks::rank());
  ASSERT_EQ(part.axes, box.axes());
  EXPECT_EQ(part.points, box.volume());
  Index offset = 0;
  for (int axis = 0; axis < part.axes; ++axis) {
    EXPECT_EQ(part.lo[axis], box.ranges[axis].lo);
    EXPECT_EQ(part.hi[axis], box.ranges[axis].hi);
    EXPECT_EQ(part.step[axis], box.ranges[axis].step);
    offset += layout.ghosts(ranks::rank()).before[axis] * strides[axis];
  }
  EXPECT_EQ(part.offset, offset);
  EXPECT_TRUE(std::equal(strides.begin(), strides.end(), part.stride));
}

/// Whether a handle has the arrays of the object of C++: elements, sizes, boxes and strides.
template <class In, class Out, class Handle, class Theirs>
void expect_same_arrays(Handle* ours, Theirs const& theirs, Calls<Handle> const& calls) {
  std::size_t in_bytes = 0, out_bytes = 0;
  ASSERT_EQ(calls.element_bytes(ours, &in_bytes, &out_bytes), SIXSTEP_OK);
  ASSERT_EQ(in_bytes, sizeof(In));
  ASSERT_EQ(out_bytes, sizeof(Out));
  Index in = 0, out = 0, in_place = 0;
  ASSERT_EQ(calls.sizes(ours, &in, &out, &in_place), SIXSTEP_OK);
  ASSERT_EQ(in, theirs.input_size());
  ASSERT_EQ(out, theirs.output_size());
  ASSERT_EQ(in_place, theirs.in_place_size());
  sixstep_part part;
  ASSERT_EQ(calls.input_part(ours, &part), SIXSTEP_OK);
  expect_part(part, theirs.input(), theirs.input_strides());
  ASSERT_EQ(calls.output_part(ours, &part), SIXSTEP_OK);
  expect_part(part, theirs.output(), theirs.output_strides());
  auto const input = made<sixstep_layout>(calls.input, ours);
  auto const output = made<sixstep_layout>(calls.output, ours);
  EXPECT_TRUE(input->layout == theirs.input());
  EXPECT_TRUE(output->layout == theirs.output());
}

/// The same for an operator, a map or a convolution, and whether what it applies has the bits of
/// what `theirs` makes: in two arrays, and in one of the library.
template <class Element, class Handle, class Theirs>
void expect_same(Handle* ours, Theirs& theirs) {
  ASSERT_TRUE(ours);
  Calls<Handle> const calls = calls_of(ours);
  expect_same_arrays<Element, Element>(ours, theirs, calls);
  auto const in = numbers<Element>(theirs.input_size());
  std::vector<Element> out(oracle::at(theirs.output_size())), expected(out.size());
  theirs.apply(in.data(), expected.data());
  ASSERT_EQ(calls.apply(ours, in.data(), out.data()), SIXSTEP_OK) << sixstep_error_message();
  EXPECT_TRUE(have_same_bits(out.data(), expected.data(), theirs.output_size()));

  void* memory = nullptr;
  ASSERT_EQ(calls.allocate(ours, &memory), SIXSTEP_OK);
  auto* const both = static_cast<Element*>(memory);
  auto const both_of_theirs = theirs.template allocate<Element>();
  std::copy(in.begin(), in.end(), both);
  std::copy(in.begin(), in.end(), both_of_theirs.get());
  theirs.apply(both_of_theirs.get(), both_of_theirs.get());
  ASSERT_EQ(calls.apply(ours, both, both), SIXSTEP_OK) << sixstep_error_message();
  EXPECT_TRUE(have_same_bits(both, both_of_theirs.get(), theirs.output_size())) << "in place";
  EXPECT_EQ(sixstep_free(memory), SIXSTEP_OK);
}

}  // namespace sixstep::c_handles
