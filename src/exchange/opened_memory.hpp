// SPDX-License-Identifier: BSD-3-Clause
// Memory of devices that the ranks of a node have opened each other's of.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/index.hpp"

namespace sixstep::exchange {

class OpenedMemory {
 public:
  /// So many bytes on each rank. Collective over the node. Errors, on all of its ranks: memory that
  /// cannot be had or opened on any.
  OpenedMemory(device::Backend& backend, mpi::Communicator const& node, std::size_t bytes);

  std::shared_ptr<std::byte> const& mine() const { return mine_; }
  std::size_t bytes() const { return bytes_; }
  /// By how many bytes the memory of the rank so many places on lies further than this rank's: an
  /// entry for each, that of this rank is 0.
  Index const* shifts() const { return shifts_.data() + place_; }
  /// The others' is not used any more. They may release it once all ranks have closed theirs.
  void close() { theirs_.clear(); }

 private:
  std::size_t bytes_;
  std::ptrdiff_t place_;
  std::shared_ptr<std::byte> mine_;
  std::vector<std::shared_ptr<std::byte>> theirs_;
  std::vector<Index> shifts_;
};

}  // namespace sixstep::exchange
