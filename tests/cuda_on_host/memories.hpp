// SPDX-License-Identifier: BSD-3-Clause
// Memory of GPUs made of the host's: pages that the host cannot touch but while streams run.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "device.hpp"

namespace cuda_on_host {

constexpr std::size_t page = 4096;
constexpr std::size_t alignment = 256;

inline std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Of one allocation: pages behind which nothing may be touched, and of what others may open one
/// more page, which says how many have it open.
struct Block : Memory {
  std::byte* pages;
  std::size_t mapped;
  int file = -1;
  bool is_registered = false;  // memory of the program's own, which is pinned
  std::atomic<int>* openers = nullptr;
  Address address = {};
  int times_opened = 0;
};

class Memories {
 public:
  std::byte* add(std::size_t bytes, Kind kind, int gpu, Address const* from) {
    std::lock_guard const lock(mutex_);
    std::size_t const mapped = rounded(bytes, page);
    bool const is_file = kind == Kind::device || kind == Kind::opened;
    int const file = from ? file_of(*from) : is_file ? make_shared_file(mapped + page) : -1;
    if (is_file && file < 0) return nullptr;
    void* const reserved =
        mmap(nullptr, mapped + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (reserved == MAP_FAILED) return nullptr;
    auto* const pages = static_cast<std::byte*>(reserved) + page;
    void* const memory =
        mmap(pages, mapped, is_file ? usual() : PROT_READ | PROT_WRITE,
             (is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS) | MAP_FIXED, file, 0);
    if (memory == MAP_FAILED) return nullptr;
    Block block{};
    block.begin = pages + (mapped - rounded(bytes, alignment));
    block.bytes = bytes, block.kind = kind, block.gpu = gpu;
    block.pages = pages, block.mapped = mapped, block.file = file;
    if (is_file) {
      void* const count =
          mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(mapped));
      block.openers = static_cast<std::atomic<int>*>(count);
    }
    if (from) block.address = *from, block.times_opened = 1, ++*block.openers;
    if (!from) set(block, is_file);
    all_[block.begin] = block;
    return block.begin;
  }

  /// False if some of it is pinned already.
  bool add_registered(std::byte* memory, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    for (auto const& [begin, other] : all_)
      if (memory < begin + other.bytes && begin < memory + bytes) return false;
    Block block{};
    block.begin = memory, block.bytes = bytes, block.kind = Kind::pinned;
    block.is_registered = true;
    all_[memory] = block;
    return true;
  }
  void remove_registered(std::byte* memory) { all_.erase(memory); }

  /// All later use of these addresses is a fault.
  void remove(Block const& block) {
    mmap(block.pages, block.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (block.openers) munmap(block.openers, page);
    if (block.file >= 0) ::close(block.file);
    all_.erase(block.begin);
  }

  Block* find(void const* address) {
    auto const* const place = static_cast<std::byte const*>(address);
    auto const after = all_.upper_bound(const_cast<std::byte*>(place));
    if (after == all_.begin()) return nullptr;
    Block& found = std::prev(after)->second;
    return place < found.begin + found.bytes ? &found : nullptr;
  }
  Block* opened(Address const& address) {
    for (auto& [begin, block] : all_)
      if (block.kind == Kind::opened && std::memcmp(&block.address, &address, sizeof address) == 0)
        return &block;
    return nullptr;
  }

  void let_in() {
    std::lock_guard const lock(mutex_);
    if (visitors_++ == 0) protect(PROT_READ | PROT_WRITE);
  }
  void shut_out() {
    std::lock_guard const lock(mutex_);
    --visitors_;
    protect(usual());
  }

  std::recursive_mutex& mutex() { return mutex_; }
  std::size_t count() const { return all_.size(); }

 private:
  /// What has not been set shows: it is no number.
  void set(Block const& block, bool is_file) {
    constexpr std::size_t most = std::size_t{1} << 22;
    constexpr int no_number = 0xff;
    if (block.bytes > most) return;
    if (is_file) mprotect(block.pages, block.mapped, PROT_READ | PROT_WRITE);
    std::memset(block.begin, no_number, block.bytes);
    if (is_file) mprotect(block.pages, block.mapped, usual());
  }
  /// Open as long as streams run. An MPI that takes pointers is one that may touch what they point
  /// to.
  int usual() const {
    char const* const messages = std::getenv("SIXSTEP_DEVICE_MESSAGES");
    bool const is_for_mpi = messages && std::strcmp(messages, "pointers") == 0;
    return visitors_ > 0 || is_for_mpi ? PROT_READ | PROT_WRITE : PROT_NONE;
  }
  void protect(int how) {
    for (auto const& [begin, block] : all_)
      if (block.kind == Kind::device || block.kind == Kind::opened)
        mprotect(block.pages, block.mapped, how);
  }

  std::recursive_mutex mutex_;
  std::map<std::byte*, Block> all_;
  int visitors_ = 0;
};

inline Memories& memories() {
  static Memories& all = *new Memories;
  return all;
}

}  // namespace cuda_on_host
