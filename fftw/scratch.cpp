// SPDX-License-Identifier: BSD-3-Clause
// Scratch that a thread keeps, and frees when it ends.
#include "scratch.hpp"

#include "base/memory.hpp"

namespace sixstep::fftw {

thread_local KeptScratch kept_scratch [[gnu::tls_model("initial-exec")]];

namespace {

/// Owns the block of a thread.
struct Owner {
  Memory memory;

  ~Owner() { kept_scratch = {}; }
};
thread_local Owner owner;

}  // namespace

std::byte* larger_scratch(std::size_t bytes) {
  kept_scratch = {};
  owner.memory = allocate(bytes);
  kept_scratch = {owner.memory.get(), bytes};
  return kept_scratch.memory;
}

}  // namespace sixstep::fftw
