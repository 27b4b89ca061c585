// SPDX-License-Identifier: BSD-3-Clause
// Memory of devices that the ranks of a node have opened each other's of; and arrays in it.
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
  /// So many bytes on each rank. Collective over the node. Errors, on all of its ranks: memory that
  /// cannot be had or opened on any.
  OpenedMemory(device::Backend& backend, mpi::Communicator const& node, std::size_t bytes);

  std::shared_ptr<std::byte> const& mine() const { return mine_; }
  /// By how many bytes the memory of the rank so many places on lies further than this rank's: an
  /// entry for each, that of this rank is 0.
  Index const* shifts() const { return shifts_.data() + place_; }
  /// The others' is not used any more. They may release it once all ranks have closed theirs.
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
  /// Those that these ranks have already, or none yet. Collective over the node, as all else but
  /// questions.
  static std::shared_ptr<OpenedArrays> of(device::Backend& backend, mpi::Communicator const& node);
  /// A plan's: with that of the last plan, all close what they have opened. Arrays may outlive it.
  static void let_go(std::shared_ptr<OpenedArrays> arrays, mpi::Communicator const& node);

  /// Errors, on all ranks: memory that cannot be had or opened on any.
  std::shared_ptr<void> allocate(mpi::Communicator const& node, std::size_t bytes);

  /// Which two arrays these are, with room for so many bytes, as a number that is the same on all
  /// ranks that allocated them together; 0 if they are not both.
  struct Array {
    void const* memory;
    std::size_t bytes;
  };
  std::uint64_t word_for(Array const& in, Array const& out) const;
  /// Of one of those.
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
