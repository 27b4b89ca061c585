// SPDX-License-Identifier: BSD-3-Clause
// Memory that the ranks of a node have in common: work arrays of a schedule, and arrays of users,
// on the host or on the ranks' devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/backend.hpp"
#include "runtime/adoption.hpp"
#include "runtime/node.hpp"
#include "sixstep/index.hpp"

namespace sixstep::device {

class CommonMemory {
 public:
  CommonMemory() = default;
  CommonMemory(CommonMemory const&) = delete;
  virtual ~CommonMemory() = default;

  /// The memory by which the ranks wait for each other.
  virtual NodeMemory& node() = 0;
  /// This rank's part of the work memory.
  virtual std::byte* segment() const = 0;
  /// Distance from one rank's part to the next's; 0 where shifts() tells it.
  virtual std::size_t segment_bytes() const = 0;
  /// The distances in bytes from this rank's part to those of the ranks i places on, and from its
  /// array of allocate() to theirs; null where all of them are multiples of segment_bytes(), and
  /// for any other array.
  virtual Index const* shifts() const = 0;
  virtual Index const* shifts(void const* array) const = 0;
  /// How the other ranks of the node reach two arrays with room for `bytes`: those of allocate(),
  /// and on the host those of allocate_openable().
  using Array = NodeMemory::Array;
  virtual Reached reach(Array const& in, Array const& out) const = 0;
  /// Called on all ranks of the node if is_offered().
  virtual Reached adopt(Array const& in, Array const& out) = 0;
  /// Null on the host if there is no room beside other arrays. Collective over all ranks. Errors,
  /// on all ranks: there is not enough memory.
  virtual std::shared_ptr<void> allocate(std::size_t bytes) = 0;
  /// Called once all ranks of `comm` have made theirs: they may destroy them at different times.
  /// Before, destroying it is collective. Collective.
  virtual void destroy_with_others(mpi::Communicator const& comm) = 0;
};

/// On the host. `bytes` of work memory for each rank, the same on all. Collective. `node` and
/// `comm`, which has all ranks, outlive it. Throws Error on this rank.
std::unique_ptr<CommonMemory> common_on_host(Node const& node, mpi::Communicator const& comm,
                                             std::size_t bytes);
/// Likewise on the ranks' devices.
std::unique_ptr<CommonMemory> common_on_device(Backend& backend, Node const& node,
                                               std::size_t bytes);

}  // namespace sixstep::device
