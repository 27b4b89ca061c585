// SPDX-License-Identifier: BSD-3-Clause
// Slots: arrays for users in memory that the ranks of a node have in common, at the same place of
// each rank's segment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/node.hpp"

namespace sixstep {

/// A few arrays of one size.
class Slots {
 public:
  static constexpr std::size_t count = 4;

  /// None.
  Slots() = default;
  /// Behind `offset` in each segment, of `bytes` each; both are multiples of a page, see rounded().
  Slots(std::shared_ptr<NodeMemory> memory, std::size_t offset, std::size_t bytes);

  /// The least multiple of a page.
  static std::size_t rounded(std::size_t bytes);

  /// The first slot that is free on all ranks, until it is released; null if there is none. The
  /// memory lives as long as that. Collective over `comm`.
  std::shared_ptr<void> take(mpi::Communicator const& comm);
  /// Which two slots these arrays are, as a word that is the same on all ranks which give arrays
  /// that they took together; 0 if they are not both slots.
  std::uint64_t word_for(void const* in, void const* out) const;
  /// Whether take() has been called.
  bool were_taken() const { return were_taken_; }

 private:
  std::uint64_t number_of(void const* array) const;
  std::byte* begin() const { return memory_->segment() + offset_; }

  std::shared_ptr<NodeMemory> memory_;
  std::shared_ptr<std::array<bool, count>> in_use_;
  std::size_t offset_ = 0;
  std::size_t bytes_ = 0;
  bool were_taken_ = false;
};

}  // namespace sixstep
