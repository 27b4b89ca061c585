// SPDX-License-Identifier: BSD-3-Clause
// Working memory: aligned, in huge pages if the system has them, freed with its owner.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace sixstep {

/// Alignment of all memory: a cache line.
inline constexpr std::size_t alignment = 64;

/// Bytes of a huge page.
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

/// `bytes` rounded up to a multiple of the alignment.
inline std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte[], FreeMemory>;
/// Memory of the host or of a device.
using AnyMemory = std::shared_ptr<std::byte>;

/// At least `bytes` bytes, aligned to a cache line, or to a huge page if there are many of them.
inline Memory allocate(std::size_t bytes) {
  std::size_t const unit = bytes >= 4 * huge_page ? huge_page : alignment;
  std::size_t const rounded = (bytes + unit - 1) / unit * unit;
  void* memory = std::aligned_alloc(unit, rounded == 0 ? unit : rounded);
  if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (unit == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return Memory(static_cast<std::byte*>(memory));
}

}  // namespace sixstep
