// SPDX-License-Identifier: BSD-3-Clause
// Passes that only reorder. They know nothing about elements but their size.
#pragma once

#include <cstddef>
#include <vector>

#include "program/program.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// A pass that only reorders.
class CopyPass {
 public:
  CopyPass(program::Pass const& pass, Index element_bytes);

  std::size_t scratch_bytes() const { return 0; }
  std::size_t bytes() const { return rectangles_.capacity() * sizeof(Rectangle); }
  void run(void const* source, void* target, Region const& region, Mode const& mode,
           std::byte* scratch) const;

 private:
  /// A part that both sides hold with one set of strides. Counts along an axis x are
  /// start[x] + i step[x], i < extent[x].
  struct Rectangle {
    Shape start, step, extent;
    Index source_offset, target_offset;  // in bytes, like the strides
    Shape source_strides, target_strides;
  };

  Index element_bytes_;
  std::vector<Rectangle> rectangles_;
};

}  // namespace sixstep::sweep
