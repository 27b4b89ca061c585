// SPDX-License-Identifier: BSD-3-Clause
// Ranks send each other handles and open them. Memory that all have released is closed by all, and
// then freed.
#include "device/opened_memory.hpp"

#include <algorithm>

#include "device/in_common.hpp"

namespace sixstep::device {

OpenedMemory::OpenedMemory(device::Backend& backend, mpi::Communicator const& node,
                           std::size_t bytes)
    : place_(node.rank()) {
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

std::shared_ptr<OpenedArrays> OpenedArrays::of(device::Backend& backend,
                                               mpi::Communicator const& node) {
  return in_common<OpenedArrays>(
      backend, node, [&] { return std::shared_ptr<OpenedArrays>(new OpenedArrays(backend)); });
}

void OpenedArrays::let_go(std::shared_ptr<OpenedArrays> arrays, mpi::Communicator const& node) {
  int is_last = arrays.use_count() == 1 ? 1 : 0;
  mpi::reduce_to_all(node, &is_last, 1, MPI_INT, MPI_MIN);
  if (is_last == 0) return;
  for (Held& array : arrays->held_) array.memory.close();
  mpi::meet(node);
}

/// Frees the arrays that all ranks have released, after all ranks have closed them.
void OpenedArrays::give_back(mpi::Communicator const& node) {
  std::vector<int> is_held;
  for (Held const& array : held_) is_held.push_back(array.by_user->load() ? 1 : 0);
  mpi::reduce_to_all(node, is_held.data(), static_cast<Index>(is_held.size()), MPI_INT, MPI_MAX);
  if (std::find(is_held.begin(), is_held.end(), 0) == is_held.end()) return;
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (is_held[i] == 0) held_[i].memory.close();
  mpi::meet(node);
  std::size_t i = 0;
  std::erase_if(held_, [&](Held const&) { return is_held[i++] == 0; });
}

std::shared_ptr<void> OpenedArrays::allocate(mpi::Communicator const& node, std::size_t bytes) {
  give_back(node);
  held_.push_back({OpenedMemory(backend_, node, bytes), bytes, ++last_,
                   std::make_shared<std::atomic<bool>>(true)});
  Held const& array = held_.back();
  return {array.memory.mine().get(),
          [mine = array.memory.mine(), by_user = array.by_user](void*) { by_user->store(false); }};
}

OpenedArrays::Held const* OpenedArrays::find(void const* memory) const {
  for (Held const& array : held_)
    if (array.memory.mine().get() == memory && array.by_user->load()) return &array;
  return nullptr;
}

std::uint64_t OpenedArrays::word_for(Array const& in, Array const& out) const {
  Held const *const first = find(in.memory), *const second = find(out.memory);
  if (!first || !second || first->bytes < in.bytes || second->bytes < out.bytes) return 0;
  return std::uint64_t{first->number} << 32 | second->number;
}

Index const* OpenedArrays::shifts(void const* memory) const {
  Held const* const array = find(memory);
  return array ? array->memory.shifts() : nullptr;
}

}  // namespace sixstep::device
