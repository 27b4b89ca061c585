// SPDX-License-Identifier: BSD-3-Clause
// Counting: a setting of each thread, and the words that depend on it.
#include "layout/counting.hpp"

#include <utility>

namespace sixstep {

namespace {

thread_local Counting current = Counting::c;

}  // namespace

Counting counting() { return current; }

CountAs::CountAs(Counting counting) : before_(std::exchange(current, counting)) {}
CountAs::~CountAs() { current = before_; }

int axis_name(int axis, int axes) { return current == Counting::c ? axis : axes - axis; }

std::string axis_names(int axes) {
  return current == Counting::c ? text("0 to ", axes - 1) : text("1 to ", axes);
}

std::string axis_list(Order const& order, char const* separator) {
  Order names;
  for (int axis : order) names.push_back(axis_name(axis, order.size()));
  return list(names, separator);
}

std::string point_words(Shape point) {
  for (Index& index : point) index += current == Counting::c ? 0 : 1;
  return "{" + list(point, ", ") + "}";
}

}  // namespace sixstep
