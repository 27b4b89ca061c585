// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new and delete of the program that includes this, once, and counts the bytes
// that live. What sixstep::allocate() gives is not among them.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace live {

inline std::atomic<std::size_t> count{0};

inline std::size_t bytes() { return count; }

inline void* allocate(std::size_t bytes, std::size_t alignment) {
  std::size_t const rounded = (bytes + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (!memory) throw std::bad_alloc();
  count += malloc_usable_size(memory);
  return memory;
}

inline void* allocate_or_null(std::size_t bytes) noexcept {
  try {
    return allocate(bytes, alignof(std::max_align_t));
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

inline void release(void* memory) {
  if (memory) count -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace live

void* operator new(std::size_t bytes) { return live::allocate(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes) { return live::allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return live::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return live::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  return live::allocate_or_null(bytes);
}
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
  return live::allocate_or_null(bytes);
}
void operator delete(void* memory, std::nothrow_t const&) noexcept { live::release(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { live::release(memory); }
void operator delete(void* memory) noexcept { live::release(memory); }
void operator delete[](void* memory) noexcept { live::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { live::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { live::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { live::release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { live::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  live::release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  live::release(memory);
}
