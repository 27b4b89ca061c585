// SPDX-License-Identifier: BSD-3-Clause
// Counting: how messages number axes and indices. Fortran numbers them from 1, and its first axis
// is the fastest in memory, which is the last axis here.
//
// All code that puts the number of an axis, or values of all axes, into words calls these
// functions.
#pragma once

#include <algorithm>
#include <string>

#include "sixstep/layout.hpp"

namespace sixstep {

enum class Counting { c, fortran };

/// The counting in messages that this thread makes now.
Counting counting();

/// Messages that this thread makes while this object lives count in this way.
class CountAs {
 public:
  explicit CountAs(Counting counting);
  ~CountAs();
  CountAs(CountAs const&) = delete;
  CountAs& operator=(CountAs const&) = delete;

 private:
  Counting before_;
};

/// The number of an axis in words about `axes` axes. An axis that does not exist gets the number
/// that the user gave.
int axis_name(int axis, int axes);
/// "0 to 2", or "1 to 3".
std::string axis_names(int axes);
/// "0 1 2", or "1 2 3": the axes of an order. C lists the slowest axis first, Fortran the fastest.
std::string axis_list(Order const& order, char const* separator);

/// The values of all axes, axis by axis.
template <class T>
std::string list(PerAxis<T> values, char const* separator) {
  if (counting() == Counting::fortran) std::reverse(values.begin(), values.end());
  std::string words;
  for (int axis = 0; axis < values.size(); ++axis)
    words += text(axis > 0 ? separator : "", values[axis]);
  return words;
}

/// "{3, 0, 4}": indices along all axes.
std::string point_words(Shape point);

}  // namespace sixstep
