// SPDX-License-Identifier: BSD-3-Clause
// Work memory of executions, from lists of free blocks.
#include "serial/blocks.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "base/fork.hpp"
#include "base/machine_memory.hpp"

namespace sixstep::serial {

namespace {

constexpr std::size_t small_bytes = std::size_t{1} << 20;

std::size_t most_free_bytes() {
  static auto const most = static_cast<std::size_t>(machine_bytes() / 16);
  return most;
}

/// The small block that this thread used last.
thread_local Blocks::Kept small_block;

}  // namespace

std::shared_ptr<Blocks> Blocks::of_process() {
  static auto& last = *new std::weak_ptr<Blocks>;
  std::lock_guard const lock(mutex_of(Shared::blocks));
  std::shared_ptr<Blocks> blocks = last.lock();
  if (!blocks) last = blocks = std::make_shared<Blocks>();
  return blocks;
}

Blocks::Kept Blocks::take(std::size_t bytes) {
  {
    std::lock_guard const lock(mutex_of(Shared::blocks));
    auto const found = std::find_if(free_.rbegin(), free_.rend(), [&](Kept const& each) {
      return each.bytes >= bytes && each.bytes / 2 <= bytes;
    });
    if (found != free_.rend()) {
      Kept block = std::move(*found);
      free_.erase(std::next(found).base());
      return block;
    }
  }
  return {allocate(bytes), bytes};
}

void Blocks::give_back(Kept block) {
  if (block.bytes > most_free_bytes()) return;
  std::array<Kept, most_free + 1> surplus;  // freed without the lock
  std::size_t count = 0;
  std::lock_guard const lock(mutex_of(Shared::blocks));
  free_.push_back(std::move(block));
  std::size_t all = 0;
  for (Kept const& each : free_) all += each.bytes;
  while (free_.size() > most_free || all > most_free_bytes()) {
    all -= free_.front().bytes;
    surplus[count++] = std::move(free_.front());
    free_.erase(free_.begin());
  }
}

Block::Block(Blocks& blocks, std::size_t bytes) : blocks_(blocks) {
  if (bytes > small_bytes) {
    block_ = blocks_.take(bytes);
    return;
  }
  block_ = std::move(small_block);
  small_block = {};
  if (block_.bytes < bytes) block_ = {allocate(bytes), bytes};
}

Block::~Block() {
  if (block_.bytes > small_bytes)
    blocks_.give_back(std::move(block_));
  else
    small_block = std::move(block_);
}

}  // namespace sixstep::serial
