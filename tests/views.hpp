// SPDX-License-Identifier: BSD-3-Clause
// Placements point by point: where the working indices of a rank's local array lie.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cases.hpp"
#include "layout/placement.hpp"
#include "oracles/fourier.hpp"

namespace views {

using oracle::at;
using sixstep::Index;
using sixstep::Layout;
using sixstep::PerAxis;
using sixstep::Shape;
using sixstep::layout::Pieces;
using sixstep::layout::Placement;
using sixstep::layout::View;

/// A point of the user's axes in working axes: index = slow digit * extent of the fast one + fast
/// digit.
inline Shape working_point(View const& view, Shape const& point) {
  Shape found(view.shape.size(), 0);
  for (int axis = 0; axis < point.size(); ++axis) {
    Index rest = point[axis];
    PerAxis<int> const& digits = view.digits[axis];
    for (int i = digits.size() - 1; i >= 0; --i) {
      found[digits[i]] = rest % view.shape[digits[i]];
      rest /= view.shape[digits[i]];
    }
  }
  return found;
}

/// Offsets by working number: where each of the rank's points lies in its local array.
inline std::map<Index, Index> offsets(Placement const& placement, int rank) {
  std::map<Index, Index> found;
  oracle::for_each_element(placement.layout, rank, [&](Shape const& point, Index offset) {
    Shape const working = working_point(placement.view, point);
    found.emplace(oracle::number_of(placement.view.shape, working), offset);
  });
  return found;
}

/// The same by the pieces; `twice` tells whether a point occurs more than once.
inline std::map<Index, Index> offsets(Shape const& shape, Pieces const& pieces, bool& twice) {
  std::map<Index, Index> found;
  twice = false;
  for (auto const& piece : pieces) {
    oracle::for_each_point(piece.box, [&](Shape const& point) {
      Index offset = piece.offset;
      for (int axis = 0; axis < point.size(); ++axis) {
        sixstep::Range const& range = piece.box.ranges[axis];
        offset += (point[axis] - range.lo) / range.step * piece.strides[axis];
      }
      twice = twice || !found.emplace(oracle::number_of(shape, point), offset).second;
    });
  }
  return found;
}

/// The rank that holds each working number.
inline std::vector<int> owners(Placement const& placement) {
  std::vector<int> found(at(oracle::points_of(placement.view.shape)), -1);
  for (int rank = 0; rank < placement.layout.ranks(); ++rank)
    for (auto const& [number, offset] : offsets(placement, rank)) found[at(number)] = rank;
  return found;
}

/// Two views of a random shape in the same working axes, some axes split as before and after a
/// six-step: digits (slow, fast) and (fast, slow).
struct Pair {
  Shape shape;
  View first;
  View second;
};

inline Pair random_views(cases::Random& random, int axes, Index points) {
  Pair pair;
  Shape const sides = cases::random_shape(random, 2 * axes, points);
  for (int axis = 0; axis < axes; ++axis) {
    Index const slow = sides[2 * axis], fast = sides[2 * axis + 1];
    int const working = pair.first.shape.size();
    pair.shape.push_back(slow * fast);
    if (random.once_in(2)) {
      pair.first.shape.push_back(slow * fast);
      pair.first.digits.push_back({working});
      pair.second.digits.push_back({working});
    } else {
      pair.first.shape.push_back(slow);
      pair.first.shape.push_back(fast);
      pair.first.digits.push_back({working, working + 1});
      pair.second.digits.push_back({working + 1, working});
    }
  }
  pair.second.shape = pair.first.shape;
  return pair;
}

inline std::string describe(Placement const& placement) {
  std::string text = cases::describe(placement.layout) + ", seen as " +
                     to_string(placement.view.shape) + ", digits";
  for (auto const& digits : placement.view.digits) {
    text += " (";
    for (int digit : digits) text += sixstep::text(" ", digit);
    text += " )";
  }
  return text;
}

}  // namespace views
