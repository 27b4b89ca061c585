// SPDX-License-Identifier: BSD-3-Clause
// Memory that executions work in: each takes a block, and gives it back when it has ended.
//
// A thread keeps its last small block. Large ones are kept for all threads as long as there are
// plans: the last four, and no more than a sixteenth of the machine's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory.hpp"

namespace sixstep::serial {

/// Large blocks that nobody uses now. Safe to use from several threads at once.
class Blocks {
 public:
  Blocks() { free_.reserve(most_free + 1); }
  /// The one of this process, made anew where all users of the last one have gone.
  static std::shared_ptr<Blocks> of_process();

  struct Kept {
    Memory memory;
    std::size_t bytes = 0;
  };

  /// A block of at least so many bytes. Errors: std::bad_alloc.
  Kept take(std::size_t bytes);
  void give_back(Kept block);

 private:
  static constexpr std::size_t most_free = 4;

  std::vector<Kept> free_;  // that of the last execution is the last; it has room for one more
};

/// Memory of at least so many bytes, aligned, as long as this lives. `blocks` outlives it.
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
