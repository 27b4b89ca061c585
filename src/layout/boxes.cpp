// SPDX-License-Identifier: BSD-3-Clause
// Shapes, ranges and boxes of global indices.
//
// Knows nothing about ranks.
#include <algorithm>
#include <numeric>
#include <utility>

#include "layout/checks.hpp"

namespace sixstep {

namespace {

/// x with x = a (mod m) and x = b (mod n), in [0, lcm); -1 if there is none.
Index common_residue(Index a, Index m, Index b, Index n) {
  // Extended Euclid on (m, n): m u = g (mod n).
  Index old_r = m, r = n, old_u = 1, u = 0;
  while (r != 0) {
    Index const quotient = old_r / r;
    old_r = std::exchange(r, old_r - quotient * r);
    old_u = std::exchange(u, old_u - quotient * u);
  }
  Index const gcd = old_r;
  if ((b - a) % gcd != 0) return -1;
  Wide const period = static_cast<Wide>(m) / gcd * n;
  Wide const steps = static_cast<Wide>((b - a) / gcd) * old_u % (n / gcd);
  Wide const x = (a + steps * m) % period;
  return static_cast<Index>(x < 0 ? x + period : x);
}

}  // namespace

Index volume(Shape const& shape) {
  // If an extent is 0, the product of the others may exceed 64 bits.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::string to_string(Shape const& shape) { return list(shape, " x "); }

Order c_order(int axes) {
  Order order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  return order;
}

Range intersect(Range const& a, Range const& b) {
  Index const lo = std::max(a.lo, b.lo);
  Index const hi = std::min(a.hi, b.hi);
  if (hi <= lo) return {lo, lo, 1};
  if (a.step == 1 && b.step == 1) return {lo, hi, 1};
  Index const residue = common_residue(a.lo % a.step, a.step, b.lo % b.step, b.step);
  if (residue < 0) return {lo, lo, 1};
  Index const step = std::lcm(a.step, b.step);
  Index const gap = (residue - lo % step + step) % step;
  return gap >= hi - lo ? Range{lo, lo, 1} : Range{lo + gap, hi, step};
}

bool Box::empty() const {
  return std::any_of(ranges.begin(), ranges.end(), [](Range const& r) { return r.empty(); });
}

Index Box::volume() const { return sixstep::volume(shape()); }

Shape Box::shape() const {
  Shape extents;
  for (Range const& range : ranges) extents.push_back(range.count());
  return extents;
}

Box intersect(Box const& a, Box const& b) {
  Box shared;
  for (int axis = 0; axis < a.axes(); ++axis)
    shared.ranges.push_back(intersect(a.ranges[axis], b.ranges[axis]));
  return shared;
}

std::string to_string(Box const& box) {
  bool const as_fortran = counting() == Counting::fortran;
  PerAxis<std::string> ranges;
  for (Range const& range : box.ranges)
    ranges.push_back(text(
        as_fortran ? text(range.lo + 1, ":", range.hi) : text("[", range.lo, ", ", range.hi, ")"),
        range.step == 1 ? "" : text(":", range.step)));
  return list(ranges, " x ");
}

}  // namespace sixstep
