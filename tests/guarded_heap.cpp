// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into a program: a heap that finds what is read or written beyond an array.
//
// A page that nobody may touch follows every array, so a read or a write there crashes. Bytes that
// lie between an array and a page, and arrays that have been freed, are compared with what was
// left there. The address sanitizer sees the accesses of code that was compiled with it; this heap
// sees those of all code, kernels of every instruction set and the test's own code included.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t kept_pages = 64;       // larger blocks are given back at once
constexpr std::size_t freed_blocks = 200;    // of each size, before the first is used again
constexpr std::size_t filled_bytes = 65536;  // of a new array; the system's pages are zero
constexpr int before = 0x5d, inside = 0xa5, behind = 0x5c, freed = 0xdb;

/// A block: the page of this header, the pages of an array, and one that nobody may touch.
struct Block {
  std::size_t pages;
  std::byte* array;  // null if it was freed
  std::size_t bytes;
  Block* next;  // in the list of freed blocks

  std::byte* begin() { return reinterpret_cast<std::byte*>(this) + page; }
  std::byte* end() { return begin() + pages * page; }
};

std::byte* page_of(std::byte* place) {
  return place - reinterpret_cast<std::uintptr_t>(place) % page;
}

[[noreturn]] void stop(char const* what, void const* array, std::size_t bytes, std::ptrdiff_t at) {
  std::array<char, 200> words{};
  int const length = std::snprintf(words.data(), words.size(),
                                   "guarded heap: an array of %zu bytes, %p: %s at byte %td\n",
                                   bytes, array, what, at);
  static_cast<void>(!write(STDERR_FILENO, words.data(), static_cast<std::size_t>(length)));
  std::abort();
}

void expect(int value, std::byte* from, std::byte* to, char const* otherwise, Block& block,
            std::byte* array) {
  for (std::byte* place = from; place < to; ++place)
    if (*place != static_cast<std::byte>(value)) stop(otherwise, array, block.bytes, place - array);
}

/// Blocks of one size that were freed, the oldest first.
struct Freed {
  Block *first = nullptr, *last = nullptr;
  std::size_t count = 0;

  void add(Block* block) {
    block->next = nullptr;
    (last ? last->next : first) = block;
    last = block;
    ++count;
  }
  Block* oldest() {
    if (count <= freed_blocks) return nullptr;
    Block* const block = first;
    first = block->next;
    --count;
    return block;
  }
};
constinit std::array<Freed, kept_pages> freed_of_pages{};
constinit std::mutex mutex;

Block* used_again(std::size_t pages) {
  if (pages >= kept_pages) return nullptr;
  Block* block = nullptr;
  {
    std::lock_guard const lock(mutex);
    block = freed_of_pages[pages].oldest();
  }
  if (block)
    expect(freed, block->begin(), block->end(), "written after it was freed,", *block,
           block->begin());
  return block;
}

Block* new_block(std::size_t pages) {
  std::size_t const bytes = (pages + 2) * page;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const block = static_cast<Block*>(memory);
  block->pages = pages;
  if (mprotect(block->end(), page, PROT_NONE) == 0) return block;
  munmap(memory, bytes);
  return nullptr;
}

/// The place before an array's first page that tells its block.
Block** mark_of(std::byte* array) {
  return reinterpret_cast<Block**>(page_of(array) - sizeof(Block*));
}

void* take(std::size_t wanted_alignment, std::size_t bytes) {
  std::size_t const alignment = std::max(wanted_alignment, alignof(std::max_align_t));
  std::size_t const rounded =
      std::max((bytes + alignment - 1) / alignment, std::size_t{1}) * alignment;
  if (rounded < bytes) return nullptr;
  std::size_t const pages = (rounded + page - 1) / page + (alignment > page ? alignment / page : 0);
  Block* block = used_again(pages);
  if (!block) block = new_block(pages);
  if (!block) {
    errno = ENOMEM;
    return nullptr;
  }
  std::byte* array = block->end() - rounded;
  array -= reinterpret_cast<std::uintptr_t>(array) % alignment;
  block->array = array;
  block->bytes = bytes;
  *mark_of(array) = block;
  std::memset(page_of(array), before, static_cast<std::size_t>(array - page_of(array)));
  std::memset(array, inside, std::min(bytes, filled_bytes));
  std::memset(array + bytes, behind, static_cast<std::size_t>(block->end() - array) - bytes);
  return array;
}

Block& block_of(void* memory) {
  auto* const array = static_cast<std::byte*>(memory);
  Block* const block = *mark_of(array);
  if (!block || block->array != array) stop("not allocated here,", memory, 0, 0);
  return *block;
}

void give_back(void* memory) {
  auto* const array = static_cast<std::byte*>(memory);
  Block& block = block_of(memory);
  expect(before, page_of(array), array, "written before its begin,", block, array);
  expect(behind, array + block.bytes, block.end(), "written beyond its end,", block, array);
  block.array = nullptr;
  if (block.pages >= kept_pages) {
    munmap(&block, (block.pages + 2) * page);
    return;
  }
  std::memset(block.begin(), freed, block.pages * page);
  std::lock_guard const lock(mutex);
  freed_of_pages[block.pages].add(&block);
}

}  // namespace

extern "C" {

void free(void* memory) noexcept {
  int const error = errno;
  if (memory) give_back(memory);
  errno = error;
}
void* malloc(std::size_t bytes) noexcept { return take(1, bytes); }
void* calloc(std::size_t count, std::size_t each) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, each, &bytes)) return nullptr;
  void* const array = take(1, bytes);
  return array ? std::memset(array, 0, bytes) : nullptr;
}
void* realloc(void* old, std::size_t bytes) noexcept {
  void* const array = take(1, bytes);
  if (!old || !array) return array;
  std::memcpy(array, old, std::min(bytes, block_of(old).bytes));
  free(old);
  return array;
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return take(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept { return take(alignment, bytes); }
int posix_memalign(void** array, std::size_t alignment, std::size_t bytes) noexcept {
  *array = take(alignment, bytes);
  return *array ? 0 : ENOMEM;
}
std::size_t malloc_usable_size(void* array) noexcept { return array ? block_of(array).bytes : 0; }
}
