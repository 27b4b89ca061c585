// SPDX-License-Identifier: BSD-3-Clause
// The weighted sums of one end of a plan, made while passes read or write its elements.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>

#include "program/program.hpp"
#include "sweep/blocks.hpp"
#include "sweep/tally.hpp"
#include "verify/end_sums.hpp"

namespace sixstep::runners {

/// The sums over what first sweeps read of a plan's input, over what last ones write, or over the
/// points of an operation.
class EndTally {
 public:
  /// The elements of an array, by their numbers and the bytes of a real, 4 or 8.
  struct Elements {
    layout::Number number;
    int real_bytes;
  };
  /// `before` may be null, and outlives the tally.
  EndTally(verify::EndSums const& end, int real_bytes, sweep::BeforeAdding const* before = nullptr);
  /// Adds points of `box`, which are given as copies.
  EndTally(Box const& box, verify::BoxWeights weights, Elements const& of);
  /// Adds the elements of `piece`, which are all of this rank.
  EndTally(layout::Piece const& piece, verify::BoxWeights weights, Elements const& of,
           sweep::BeforeAdding const* before);

  /// The elements of this rank.
  Box const& box() const { return box_; }
  void begin(bool conjugate);
  /// Adds the elements of a block. Any thread may call it.
  void add(sweep::Block const& block);
  local::WeightedSums sums() const { return sums_.rounded(); }

 private:
  void add_rows(sweep::Block const& block, sweep::BlockRows const& rows,
                verify::LongSums& to) const;

  Box box_;
  verify::BoxWeights weights_;
  sweep::LocalPiece whole_;  // the array
  layout::Number number_;
  int real_bytes_;
  sweep::BeforeAdding const* before_;
  bool conjugate_ = false;
  std::mutex mutex_;  // of the sums
  verify::LongSums sums_;
};

/// The step whose sweep alone reads the elements of `box` from a program's input, or writes them to
/// its output, and gives them in blocks.
std::optional<std::size_t> step_at(sweep::End end, program::Program const& program, Box const& box);

/// All that a program reads of its input, or writes to its output, if step_at() finds its box.
std::optional<layout::Piece> piece_at(sweep::End end, program::Program const& program);

}  // namespace sixstep::runners
