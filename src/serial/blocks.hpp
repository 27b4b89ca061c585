// SPDX-License-Identifier: BSD-3-Clause
// Work memory of executions: each takes a block, and gives it back when it has ended.
//
// A thread keeps its last small block. Large blocks are kept for all threads as long as there are
// plans: the last four, and at most a sixteenth of the machine's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory.hpp"

namespace sixstep::serial {

/// Large blocks that are not in use. Safe to use from several threads at once.
class Blocks {
 public:
  Blocks() { free_.reserve(most_free + 1); }
  /// The blocks of this process, made anew if all users of the last ones have gone.
  static std::shared_ptr<Blocks> of_process();

  struct Kept {
    Memory memory;
    std::size_t bytes = 0;
  };

  /// A block of at least `bytes` bytes. Throws std::bad_alloc.
  Kept take(std::size_t bytes);
  void give_back(Kept block);

 private:
  static constexpr std::size_t most_free = 4;

  std::vector<Kept> free_;  // the block released last is last; there is room for one more
};

/// Memory of at least `bytes` bytes, aligned, for the life of this object. `blocks` must outlive
/// it.
class Block {
 public:
  Block(Blocks& blocks, std::size_t bytes);
  ~Block();
  Block(Block const&) = delete;
  Block& operator=(Block const&) = delete;

  std::byte* get() const { return block_.memory.get(); }

 private:
  Blocks& blocks_;
  Blocks::Kept block_;
};

}  // namespace sixstep::serial
