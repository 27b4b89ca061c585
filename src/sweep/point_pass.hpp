// SPDX-License-Identifier: BSD-3-Clause
// Passes with an operation at points: they find the points and hand them over.
#pragma once

#include <cstddef>
#include <vector>

#include "program/points.hpp"
#include "sweep/blocks.hpp"
#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// A pass with an operation at points.
class PointPass {
 public:
  PointPass(program::Pass const& pass, program::Sweep const& sweep, Index element_bytes);

  std::size_t scratch_bytes() const { return 0; }
  std::size_t bytes() const { return rectangles_.capacity() * sizeof(Rectangle); }
  void run(void const* source, void* target, Region const& region, Mode const& mode,
           std::byte* scratch) const;

  /// The number of the operation, and the boxes of its points on both sides.
  int operation() const { return operation_; }
  Box const& box() const { return numbering_.box; }
  Box const& target_box() const { return target_box_; }
  /// Gives all values before the operation, or behind it, as copies in blocks.
  void give_before(BlockTaker to) { before_ = to; }
  void give_behind(BlockTaker to) { behind_ = to; }

 private:
  /// Points that lie alike on either side.
  struct Rectangle {
    LocalPiece source, target;
    Shape source_scratch, target_scratch;  // from a count of the box to the next, in scratch
    int points, rows;                      // axes of blocks; rows is -1 if there is no second axis
    PerAxis<int> outer;                    // the other axes but that of the fields
  };

  void choose_axes(Rectangle& rectangle, program::Sweep const& sweep) const;
  void give(BlockTaker const& to, LocalPiece const& side, Shape const& lo, Shape hi,
            void const* window) const;

  Index element_bytes_;
  int operation_;    // its number
  int fields_axis_;  // if an operation needs all fields of a point at once; else -1
  bool from_scratch_, to_scratch_;
  program::Numbering numbering_;
  Box target_box_;
  BlockTaker before_, behind_;
  std::vector<Rectangle> rectangles_;
};

}  // namespace sixstep::sweep
