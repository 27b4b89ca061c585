// SPDX-License-Identifier: BSD-3-Clause
// Working memory: aligned, in huge pages where the system has them, freed with its owner.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace sixstep {

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte[], FreeMemory>;

/// At least `bytes` bytes, aligned to 64 and, if there are many of them, to a huge page.
inline Memory allocate(std::size_t bytes) {
  constexpr std::size_t line = 64;
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  std::size_t const alignment = bytes >= 4 * huge_page ? huge_page : line;
  std::size_t const rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return Memory(static_cast<std::byte*>(memory));
}

}  // namespace sixstep
