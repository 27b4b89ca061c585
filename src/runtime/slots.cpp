// SPDX-License-Identifier: BSD-3-Clause
// Slots: which are in use, and which one an array is.
#include "runtime/slots.hpp"

#include <algorithm>
#include <utility>

namespace sixstep {

Slots::Slots(std::shared_ptr<NodeMemory> memory, std::size_t offset, std::size_t bytes)
    : memory_(std::move(memory)),
      in_use_(std::make_shared<std::array<bool, count>>()),
      offset_(offset),
      bytes_(bytes) {}

std::size_t Slots::rounded(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{1} << 21;
  return (bytes + page - 1) / page * page;
}

std::shared_ptr<void> Slots::take(mpi::Communicator const& comm) {
  if (!memory_) return nullptr;
  were_taken_ = true;
  std::array<int, count> used;
  std::copy(in_use_->begin(), in_use_->end(), used.begin());
  mpi::reduce_to_all(comm, used.data(), count, MPI_INT, MPI_MAX);
  auto const slot = static_cast<std::size_t>(std::find(used.begin(), used.end(), 0) - used.begin());
  if (slot == count) return nullptr;
  in_use_->at(slot) = true;
  return {begin() + slot * bytes_,
          [memory = memory_, in_use = in_use_, slot, bytes = bytes_](void* array) {
            in_use->at(slot) = false;
            memory->give_back(array, bytes);
          }};
}

std::uint64_t Slots::number_of(void const* array) const {
  std::ptrdiff_t const offset = static_cast<std::byte const*>(array) - begin();
  auto const unit = static_cast<std::ptrdiff_t>(bytes_);
  if (offset < 0 || offset % unit != 0 || offset / unit >= std::ptrdiff_t{count}) return 0;
  return static_cast<std::uint64_t>(offset / unit) + 1;
}

std::uint64_t Slots::word_for(void const* in, void const* out) const {
  if (number_of(in) == 0 || number_of(out) == 0) return 0;
  return number_of(in) * (count + 1) + number_of(out);
}

}  // namespace sixstep
