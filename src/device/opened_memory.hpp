// SPDX-License-Identifier: BSD-3-Clause
// Device memory of the ranks of a node that all of them have opened, and arrays in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/index.hpp"

namespace sixstep::device {

class OpenedMemory {
 public:
  /// Allocates `bytes` on each rank. Collective over the node. Errors, on all of its ranks: one of
  /// them cannot allocate or open the memory.
  OpenedMemory(device::Backend& backend, mpi::Communicator const& node, std::size_t bytes);

  std::shared_ptr<std::byte> const& mine() const { return mine_; }
  /// shifts()[i] is the distance in bytes from this rank's memory to that of the rank i places on.
  /// i may be negative; shifts()[0] is 0.
  Index const* shifts() const { return shifts_.data() + place_; }
  /// Closes the memory of the other ranks. A rank may release its memory once all others have
  /// closed it.
  void close() { theirs_.clear(); }

 private:
  std::ptrdiff_t place_;
  std::shared_ptr<std::byte> mine_;
  std::vector<std::shared_ptr<std::byte>> theirs_;
  std::vector<Index> shifts_;
};

/// The arrays of all plans of the same ranks of a node on the same devices.
class OpenedArrays {
 public:
  /// The arrays that these ranks share already, or a new object without arrays. Collective over the
  /// node, like let_go() and allocate().
  static std::shared_ptr<OpenedArrays> of(device::Backend& backend, mpi::Communicator const& node);
  /// A plan gives up the arrays. When the last plan does so, all ranks close what they have opened.
  /// Arrays may outlive this.
  static void let_go(std::shared_ptr<OpenedArrays> arrays, mpi::Communicator const& node);

  /// Errors, on all ranks: one of them cannot allocate or open the memory.
  std::shared_ptr<void> allocate(mpi::Communicator const& node, std::size_t bytes);

  /// A number for these two arrays that is the same on all ranks that allocated them together; 0
  /// unless both are such arrays, with room for `bytes`.
  struct Array {
    void const* memory;
    std::size_t bytes;
  };
  std::uint64_t word_for(Array const& in, Array const& out) const;
  /// The shifts of such an array; null for any other.
  Index const* shifts(void const* memory) const;

 private:
  struct Held {
    OpenedMemory memory;
    std::size_t bytes;
    std::uint32_t number;
    std::shared_ptr<std::atomic<bool>> by_user;
  };

  explicit OpenedArrays(device::Backend& backend) : backend_(backend) {}
  Held const* find(void const* memory) const;
  void give_back(mpi::Communicator const& node);

  device::Backend& backend_;
  std::vector<Held> held_;
  std::uint32_t last_ = 0;
};

}  // namespace sixstep::device
