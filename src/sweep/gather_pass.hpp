// SPDX-License-Identifier: BSD-3-Clause
// Passes that gather the columns of a sphere from planes, or scatter them. They know nothing about
// elements but their size.
#pragma once

#include <cstddef>
#include <vector>

#include "program/program.hpp"
#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// A pass that gathers columns or scatters them.
class GatherPass {
 public:
  GatherPass(program::Pass const& pass, Index element_bytes);

  std::size_t scratch_bytes() const { return 0; }
  std::size_t bytes() const;
  void run(void const* source, void* target, Region const& region, Mode const& mode,
           std::byte* scratch) const;

 private:
  /// Elements that follow each other on both sides, along the fast axis. Offsets count elements.
  struct Run {
    Index source, target, count;
  };
  /// The columns that a piece of the source and a piece of the target have in common; or, without a
  /// source, the places of a target that no column has.
  struct Overlap {
    LocalPiece source, target;
    Shape source_scratch, target_scratch;  // from a count of the box to the next, in scratch
    Index source_step, target_step;        // from an element of a run to the next
    std::vector<Run> runs;
    bool is_zero = false;
  };

  void add_runs(layout::Piece const& all_planes, layout::Piece const& all_gathered);
  void add_zeros(layout::Piece const& planes);
  void run(Overlap const& overlap, void const* source, void* target, Region const& region) const;

  schedule::Gather gather_;
  Box box_, target_box_;
  Index element_bytes_;
  bool from_scratch_, to_scratch_;
  PerAxis<int> others_;  // the axes that stay, slowest in the target first
  std::vector<Overlap> overlaps_;
};

}  // namespace sixstep::sweep
