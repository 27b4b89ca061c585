// SPDX-License-Identifier: BSD-3-Clause
// Memory of the emulated device: files without names, which the host cannot touch unless it is let
// in, and which other processes can open.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/memory.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device::emulated {

/// Memory of the device, of this process or opened from another: a file without a name. A page that
/// nobody may touch follows the array, so that works which read or write beyond its end crash.
class Mapped {
 public:
  Mapped(int file, std::size_t bytes) : file_(file), bytes_(bytes), length_(in_pages(bytes)) {
    void* const all = mmap(nullptr, length_ + page(), PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all != MAP_FAILED) memory_ = static_cast<std::byte*>(all);
    if (!memory_ || mmap(memory_, length_, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) != all) {
      unmap();
      throw Error(text("emulated device: ", bytes, " bytes cannot be mapped"), ErrorCode::memory);
    }
  }
  ~Mapped() { unmap(); }
  Mapped(Mapped const&) = delete;

  /// Bytes of a file for an array.
  static std::size_t in_pages(std::size_t bytes) { return (bytes + page() - 1) / page() * page(); }

  std::byte* begin() const { return memory_ + (length_ - aligned(bytes_)); }
  std::byte* end() const { return begin() + bytes_; }
  std::size_t bytes() const { return bytes_; }
  int file() const { return file_; }
  void protect(bool open) const {
    mprotect(memory_, length_, open ? PROT_READ | PROT_WRITE : PROT_NONE);
  }

 private:
  static std::size_t page() {
    static auto const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
  }
  void unmap() {
    if (memory_) munmap(memory_, length_ + page());
    close(file_);
  }

  int file_;
  std::size_t bytes_;
  std::size_t length_;  // of the file
  std::byte* memory_ = nullptr;
};

/// All memory of the device that this process has, and whether the host may touch it.
class Memories {
 public:
  std::shared_ptr<std::byte> add(int file, std::size_t bytes) {
    auto const mapped = std::make_shared<Mapped>(file, bytes);
    std::lock_guard const lock(mutex_);
    mapped->protect(visitors_ > 0);
    all_[mapped->begin()] = mapped.get();
    count_ = all_.size();
    return {mapped->begin(), [this, mapped](std::byte* memory) {
              std::lock_guard const inner(mutex_);
              all_.erase(memory);
              count_ = all_.size();
            }};
  }

  Mapped const* find(void const* memory) {
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    std::lock_guard const lock(mutex_);
    auto const* const place = static_cast<std::byte const*>(memory);
    auto after = all_.upper_bound(const_cast<std::byte*>(place));
    if (after == all_.begin()) return nullptr;
    Mapped const* const found = std::prev(after)->second;
    return place < found->end() ? found : nullptr;
  }

  void let_in() {
    std::lock_guard const lock(mutex_);
    if (visitors_++ == 0) protect_all(true);
  }
  void shut_out() {
    std::lock_guard const lock(mutex_);
    if (--visitors_ == 0) protect_all(false);
  }

 private:
  void protect_all(bool open) {
    for (auto const& [begin, mapped] : all_) mapped->protect(open);
  }

  std::mutex mutex_;
  std::map<std::byte*, Mapped const*> all_;
  std::atomic<std::size_t> count_ = 0;  // of memories: plans on the host ask at each call
  int visitors_ = 0;
};

inline Memories& memories() {
  static Memories all;
  return all;
}

/// Lets the host in while this object lives.
class Visit {
 public:
  Visit() { memories().let_in(); }
  ~Visit() { memories().shut_out(); }
  Visit(Visit const&) = delete;
};

/// The place of memory of the device.
struct Address {
  std::int64_t process, file;
  std::uint64_t bytes;
};

inline Address address_of(std::byte const* memory) {
  Mapped const* const mapped = memories().find(memory);
  return {getpid(), mapped->file(), mapped->bytes()};
}

/// Opens a file of another process, or of this one.
inline int open_file(Address const& address) {
  std::string const path = text("/proc/", address.process, "/fd/", address.file);
  int const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  require(file >= 0, "emulated device: memory of process ", address.process, " cannot be opened");
  return file;
}

inline int make_file(std::size_t bytes) {
  int const file = memfd_create("sixstep device", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(Mapped::in_pages(bytes))) == 0) return file;
  if (file >= 0) close(file);
  throw Error(text("emulated device: ", bytes, " bytes cannot be allocated"), ErrorCode::memory);
}

}  // namespace sixstep::device::emulated
