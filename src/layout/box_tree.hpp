// SPDX-License-Identifier: BSD-3-Clause
// Lists of boxes, of which those that meet a region are found.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep {

/// Boxes in a binary tree of bounding boxes, so that a question visits few of them.
struct Layout::BoxTree {
  struct Node {
    Box bounds;
    int first, last;            // of `ranks`
    int left = -1, right = -1;  // -1: a leaf
  };

  explicit BoxTree(std::vector<Box> all) : boxes(std::move(all)) {
    for (int rank = 0; rank < static_cast<int>(boxes.size()); ++rank)
      if (!at(rank).empty()) ranks.push_back(rank);
    if (!ranks.empty()) build(0, static_cast<int>(ranks.size()));
  }

  Box const& at(int rank) const { return boxes[static_cast<std::size_t>(rank)]; }

  int build(int first, int last) {
    int const self = static_cast<int>(nodes.size());
    nodes.push_back({hull(first, last), first, last});
    constexpr int leaf_size = 4;
    if (last - first <= leaf_size) return self;
    int widest = 0;
    Box const bounds = nodes.back().bounds;
    for (int axis = 1; axis < bounds.axes(); ++axis)
      if (bounds.ranges[axis].count() > bounds.ranges[widest].count()) widest = axis;
    int const middle = first + (last - first) / 2;
    std::nth_element(
        ranks.begin() + first, ranks.begin() + middle, ranks.begin() + last,
        [&](int a, int b) { return at(a).ranges[widest].lo < at(b).ranges[widest].lo; });
    int const left = build(first, middle);
    int const right = build(middle, last);
    nodes[static_cast<std::size_t>(self)].left = left;
    nodes[static_cast<std::size_t>(self)].right = right;
    return self;
  }

  Box hull(int first, int last) const {
    Box bounds = at(ranks[static_cast<std::size_t>(first)]);
    for (int i = first + 1; i < last; ++i) {
      Box const& box = at(ranks[static_cast<std::size_t>(i)]);
      for (int axis = 0; axis < bounds.axes(); ++axis) {
        bounds.ranges[axis].lo = std::min(bounds.ranges[axis].lo, box.ranges[axis].lo);
        bounds.ranges[axis].hi = std::max(bounds.ranges[axis].hi, box.ranges[axis].hi);
      }
    }
    return bounds;
  }

  void meeting(Box const& region, std::vector<int>& found, int node = 0) const {
    if (nodes.empty()) return;
    Node const& here = nodes[static_cast<std::size_t>(node)];
    if (intersect(here.bounds, region).empty()) return;
    if (here.left >= 0) {
      meeting(region, found, here.left);
      meeting(region, found, here.right);
      return;
    }
    for (int i = here.first; i < here.last; ++i) {
      int const rank = ranks[static_cast<std::size_t>(i)];
      if (!intersect(at(rank), region).empty()) found.push_back(rank);
    }
  }

  std::vector<Box> boxes;
  std::vector<int> ranks;  // of the boxes that are not empty, grouped by node
  std::vector<Node> nodes;
};

}  // namespace sixstep
