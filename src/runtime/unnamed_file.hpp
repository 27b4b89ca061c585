// SPDX-License-Identifier: BSD-3-Clause
// Files without names (memfd): memory that processes of a node map together.
//
// Such a file takes pages only when they are touched, needs no space in /dev/shm, and disappears
// with the last process that has it open or maps it. Knows nothing about MPI.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/descriptor.hpp"
#include "base/memory.hpp"

namespace sixstep {

inline std::size_t round_to_huge_pages(std::size_t bytes) {
  return (bytes + huge_page - 1) / huge_page * huge_page;
}

/// A limit of this process, as RLIMIT_AS.
std::size_t limit_of_process(decltype(RLIMIT_AS) of);

/// An open file; none by default. Its first bytes are a mark that no other file has.
class UnnamedFile {
 public:
  /// The address by which another process finds the file.
  struct Address {
    std::int64_t process = 0;
    std::int64_t descriptor = -1;
    std::uint64_t mark = 0;
  };

  UnnamedFile() = default;
  UnnamedFile(UnnamedFile&&) = default;
  UnnamedFile& operator=(UnnamedFile&& other) noexcept;
  /// Closes the file, unless the program has closed it: the descriptor may be that of another one.
  ~UnnamedFile() { close(); }
  /// A new file. Throws Error if it cannot be made.
  static UnnamedFile make(std::size_t bytes);
  /// The file of another process, or of this one. Throws Error if it cannot be opened.
  static UnnamedFile open(Address const& address);

  Address const& address() const { return address_; }
  std::uint64_t mark() const { return address_.mark; }
  /// Whether the descriptor is still that of this file: a program may have closed it.
  bool is_open() const;
  /// Makes it longer. Returns whether this was possible.
  bool grow(std::size_t bytes) const;
  /// Maps its bytes [offset, offset + bytes) at `place`, shared with the other processes that do.
  bool map(std::byte* place, std::size_t offset, std::size_t bytes) const;
  /// Likewise, but what this process writes stays its own.
  bool map_privately(std::byte* place, std::size_t offset, std::size_t bytes) const;

 private:
  void close();
  bool map_as(int kind, std::byte* place, std::size_t offset, std::size_t bytes) const;

  std::unique_ptr<Descriptor> file_;
  Address address_;
};

/// Addresses without memory, which begin with a huge page.
class Addresses {
 public:
  Addresses() = default;
  /// At least `bytes`. Throws Error if there are not that many.
  explicit Addresses(std::size_t bytes);
  Addresses(Addresses&& other) noexcept;
  Addresses& operator=(Addresses&& other) noexcept;
  /// Removes what is mapped there.
  ~Addresses();

  std::byte* begin() const { return begin_; }

 private:
  std::byte* all_ = nullptr;
  std::size_t all_bytes_ = 0;
  std::byte* begin_ = nullptr;
};

}  // namespace sixstep
