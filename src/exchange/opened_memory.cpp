// SPDX-License-Identifier: BSD-3-Clause
// Handles go around, and all open them.
#include "exchange/opened_memory.hpp"

#include <algorithm>

namespace sixstep::exchange {

OpenedMemory::OpenedMemory(device::Backend& backend, mpi::Communicator const& node,
                           std::size_t bytes)
    : bytes_(bytes), place_(node.rank()) {
  device::Handle handle{};
  mpi::together(node, [&] {
    mine_ = backend.allocate(std::max<std::size_t>(bytes, 1));
    handle = backend.handle_of(mine_.get());
  });
  std::vector<device::Handle> handles(static_cast<std::size_t>(node.size()));
  mpi::gather_to_all(node, &handle, handles.data(), sizeof handle);
  mpi::together(node, [&] {
    for (int place = 0; place < node.size(); ++place) {
      bool const is_mine = place == node.rank();
      theirs_.push_back(is_mine ? nullptr : backend.open(handles[static_cast<std::size_t>(place)]));
      shifts_.push_back(is_mine ? 0 : theirs_.back().get() - mine_.get());
    }
  });
}

}  // namespace sixstep::exchange
