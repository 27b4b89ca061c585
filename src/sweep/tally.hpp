// SPDX-License-Identifier: BSD-3-Clause
// Sums over the bits of all elements at one end of a sweep.
//
// The weight of an element depends on its global index alone, so the sums of a writer and of its
// readers are equal, however the elements lie at either place.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "layout/placement.hpp"
#include "local/kernels/bit_sums.hpp"
#include "sweep/blocks.hpp"
#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// Whether a tally is of what a sweep reads or of what it has written.
enum class End { read, written };

/// Called with rows of elements that a tally is about to add.
using BeforeAdding = std::function<void(End, void const* begin, local::WeightedRows const&)>;

/// A sum for each parcel: the elements that come from one rank or go to one.
class Tally {
 public:
  /// Parts of a sweep are counted from the begin of `box`.
  /// `before` may be empty, and outlives the tally.
  Tally(End end, Box const& box, Index element_bytes, std::size_t parcels,
        BeforeAdding const& before);

  /// The elements of `piece` belong to a parcel.
  void take(layout::Piece const& piece, std::size_t parcel);

  void begin();
  /// Adds the elements of a block. Any thread may call it.
  void add(Block const& block);
  /// Adds the elements of a part of the sweep.
  void add(Region const& region, void const* array);
  /// Adds all elements.
  void add_all(void const* array) { add({}, array); }
  std::uint64_t sum(std::size_t parcel) const {
    return sums_[parcel].load(std::memory_order_relaxed);
  }
  std::size_t parcels() const { return sums_.size(); }

 private:
  struct Rectangle {
    LocalPiece place;
    PerAxis<std::uint64_t> weights;  // of a count along each axis
    std::uint64_t first;             // the weight of its first element
    std::size_t parcel;
  };

  std::uint64_t sum_of(Rectangle const& rectangle, Block const& block) const;

  End end_;
  Box box_;
  Index element_bytes_;
  local::BitSum kernel_;
  BeforeAdding const& before_;
  std::vector<Rectangle> rectangles_;
  std::vector<std::atomic<std::uint64_t>> sums_;
};

}  // namespace sixstep::sweep
