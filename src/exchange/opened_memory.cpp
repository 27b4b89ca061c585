// SPDX-License-Identifier: BSD-3-Clause
// Handles go around, and all open them; what all have released is closed by all, and then freed.
#include "exchange/opened_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>

namespace sixstep::exchange {

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

namespace {

/// Those of this process.
struct Known {
  std::mutex mutex;
  std::vector<std::weak_ptr<OpenedArrays>> all;
  std::int64_t last_mark = 0;
};
Known& known() {
  static Known here;
  return here;
}

}  // namespace

std::shared_ptr<OpenedArrays> OpenedArrays::of(device::Backend& backend,
                                               mpi::Communicator const& node) {
  std::vector<std::int64_t> processes(static_cast<std::size_t>(node.size()));
  std::int64_t const mine = getpid();
  mpi::gather_to_all(node, &mine, processes.data(), sizeof mine);
  std::shared_ptr<OpenedArrays> found;
  std::int64_t mark = 0, next = 0;
  {
    std::lock_guard const lock(known().mutex);
    std::erase_if(known().all, [](auto const& each) { return each.expired(); });
    for (auto const& each : known().all) {
      std::shared_ptr<OpenedArrays> arrays = each.lock();
      if (arrays && &arrays->backend_ == &backend && arrays->processes_ == processes)
        found = arrays;
    }
    if (found) mark = found->mark_;
    next = known().last_mark + 1;
  }
  std::int64_t all[3] = {mark, -mark, next};
  mpi::reduce_to_all(node, all, 3, MPI_INT64_T, MPI_MAX);
  auto const [highest, minus_lowest, new_mark] = all;
  if (highest != 0 && highest == -minus_lowest) return found;
  std::shared_ptr<OpenedArrays> const made(new OpenedArrays(backend));
  made->processes_ = processes;
  made->mark_ = new_mark;
  std::lock_guard const lock(known().mutex);
  known().last_mark = made->mark_;
  known().all.push_back(made);
  return made;
}

void OpenedArrays::let_go(std::shared_ptr<OpenedArrays> arrays, mpi::Communicator const& node) {
  int is_last = arrays.use_count() == 1 ? 1 : 0;
  mpi::reduce_to_all(node, &is_last, 1, MPI_INT, MPI_MIN);
  if (is_last == 0) return;
  for (Held& array : arrays->held_) array.memory.close();
  mpi::meet(node);
}

/// Arrays that all ranks have released: first all close what they have opened.
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
  return find(memory)->memory.shifts();
}

}  // namespace sixstep::exchange
