// SPDX-License-Identifier: BSD-3-Clause
// The memory between the passes of a sweep.
#pragma once

#include <cstddef>

#include "program/local_leg.hpp"
#include "program/program.hpp"
#include "tuning.hpp"

namespace sixstep::program {

/// Puts scratch between the passes of a leg's sweeps.
class Scratch {
 public:
  /// `leg` and `tuning` outlive this.
  Scratch(LocalLeg const& leg, Tuning const& tuning) : leg_(leg), tuning_(tuning) {}

  /// Connects the passes of a sweep, the first of which is pass `first` of the leg. Adds another
  /// piece of scratch wherever the array changes its extents or its numbers.
  void connect(Sweep& sweep, std::size_t first, layout::Pieces const& source,
               layout::Pieces const& target) const;

 private:
  using End = LocalLeg::End;

  layout::Piece piece(End const& end, Shape const& extents, Sweep const& sweep) const;
  Numbering numbering(Pass const& pass, Sweep const& sweep) const;
  layout::Pieces behind(Sweep& sweep, Pass const& pass, End const& before, End const& end) const;

  LocalLeg const& leg_;
  Tuning const& tuning_;
};

}  // namespace sixstep::program
