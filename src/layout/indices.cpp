// SPDX-License-Identifier: BSD-3-Clause
// Walking through a local array: the order of its axes, where a walk begins, and threads.
#include "sixstep/indices.hpp"

#include <cstdlib>
#include <exception>
#include <vector>

#include "base/run_team.hpp"

namespace sixstep {

Walk::Walk(Box const& box, Shape const& strides)
    : box_(box), strides_(strides), extents_(box.shape()), order_(c_order(box.axes())) {
  require(strides.size() >= box.axes(), "strides: ", box.axes(),
          " entries are needed, one an axis, ", strides.size(), " were given");
  if (box.axes() == 0 || box.empty()) return;
  points_ = box.volume();
  // An axis of one point must not be the fastest: it would make rows of one point.
  auto const key = [&](int axis) {
    return std::pair(extents_[axis] > 1, -std::abs(strides_[axis]));
  };
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return key(a) < key(b); });
  fastest_ = order_.back();
}

Walk::Place Walk::place(Index number) const {
  Place at{Shape(box_.axes(), 0)};
  for (int position = order_.size() - 1; position >= 0; --position) {
    int const axis = order_[position];
    Index const steps = number % extents_[axis];
    number /= extents_[axis];
    at.point[axis] = box_.ranges[axis].lo + steps * box_.ranges[axis].step;
    at.offset += steps * strides_[axis];
  }
  return at;
}

void on_threads(int threads, std::function<void(int)> const& work) {
  require(threads >= 1, "threads: at least 1 is needed, ", threads, " were given");
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(threads));
  run_team(threads, [&](int first, int team) {
    for (int thread = first; thread < threads; thread += team) {
      try {
        work(thread);
      } catch (...) {
        thrown[static_cast<std::size_t>(thread)] = std::current_exception();
      }
    }
  });
  for (std::exception_ptr const& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace sixstep
