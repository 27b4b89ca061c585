// SPDX-License-Identifier: BSD-3-Clause
// The bits of an array before it is redistributed, and after.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "exchange/strategy.hpp"
#include "layout/placement.hpp"
#include "runners/handovers.hpp"
#include "sixstep/direction.hpp"
#include "sweep/tally.hpp"
#include "verify/handovers.hpp"

namespace sixstep::runners {

/// Sums over the bits of the caller's arrays, before and after each redistribution.
class MovedBits {
 public:
  struct Site {
    mpi::Comm comm;
    redistribution::TagRange tags;  // of one window for each direction
    int threads;
    bool by_ranks;  // compares what each rank has got from each other one, else only all elements
    Findings& findings;
  };

  /// Elements of both placements take `element_bytes`. The objects of the site outlive this one.
  /// Local.
  MovedBits(layout::Placement const& input, layout::Placement const& output, Index element_bytes,
            Site const& site);

  /// Adds up what this rank gives.
  void before(Direction direction, void const* in);
  /// Adds up what it has got, and compares. Returns whether all elements together have other bits:
  /// the same on all ranks, and false `by_ranks`. Collective.
  bool after(Direction direction, void const* out);

 private:
  /// A direction.
  struct Way {
    verify::Handover what;
    sweep::Tally written, read;
    std::unique_ptr<exchange::Strategy> exchange = {};  // null unless sums are compared by ranks
    std::vector<std::uint64_t> sent = {}, received = {};
  };

  Way make(Direction direction, layout::Placement const& from, layout::Placement const& to,
           Index element_bytes) const;
  Way& way(Direction direction) { return ways_[static_cast<std::size_t>(direction)]; }
  void add(sweep::Tally& to, verify::HandoverEnd const& end, void const* array) const;

  Site site_;
  int rank_;
  std::array<Way, 2> ways_;
};

}  // namespace sixstep::runners
