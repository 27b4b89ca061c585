// SPDX-License-Identifier: BSD-3-Clause
// Scratch of kernels: each thread keeps a small block, which takes no lock and no allocation.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "serial/blocks.hpp"

namespace sixstep::fftw {

/// The block of this thread: null at first.
struct KeptScratch {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
};
// The model spares a call for each use; a library that is loaded late has room for two words.
extern thread_local KeptScratch kept_scratch [[gnu::tls_model("initial-exec")]];

/// A block of this thread of at least `bytes` bytes, aligned. Throws std::bad_alloc.
std::byte* larger_scratch(std::size_t bytes);

/// At least `bytes` bytes, aligned, for the life of this object. A thread has one at a time.
class Scratch {
 public:
  explicit Scratch(serial::Blocks& blocks, std::size_t bytes) {
    if (bytes > most_kept_bytes)
      memory_ = large_.emplace(blocks, bytes).get();
    else
      memory_ = bytes <= kept_scratch.bytes ? kept_scratch.memory : larger_scratch(bytes);
  }
  std::byte* get() const { return memory_; }

 private:
  static constexpr std::size_t most_kept_bytes = std::size_t{1} << 20;

  std::byte* memory_;
  std::optional<serial::Block> large_;
};

}  // namespace sixstep::fftw
