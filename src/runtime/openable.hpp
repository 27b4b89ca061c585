// SPDX-License-Identifier: BSD-3-Clause
// Memory that a rank allocates alone, and that other ranks of its node may open later.
//
// All of it lies in one unnamed file (memfd) of the process. An array is a range of the file, and
// no range is used twice, so that a freed array is never taken for a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/unnamed_file.hpp"

namespace sixstep {

class Arena;

/// A range of the file, as another process finds it. Its ends are multiples of a huge page.
struct OpenableRange {
  UnnamedFile::Address file;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// An array of this process that others may open.
class Openable {
 public:
  /// Maps a range of `file`. Throws Error if that is impossible.
  Openable(UnnamedFile const& file, std::size_t offset, std::size_t bytes);
  Openable(Openable const&) = delete;
  Openable& operator=(Openable const&) = delete;
  /// Returns the memory to the system, even if others still map it.
  ~Openable();

  std::byte* begin() const { return addresses_.begin(); }
  std::size_t bytes() const { return bytes_; }
  OpenableRange const& range() const { return range_; }

  /// The array's memory in an arena, whose ranks have adopted the array; null if they cannot share
  /// it.
  struct Adopted {
    std::weak_ptr<Arena const> arena;
    std::shared_ptr<std::byte> memory;
  };
  /// Replaces what was known for that arena.
  void adopt(Adopted adopted);
  /// The adoption by this arena; empty if nothing is known yet.
  std::optional<Adopted> adopted_by(Arena const& arena) const;
  /// Keeps everything that the program writes from now on to itself. For forked children.
  void make_private(UnnamedFile const& file);

 private:
  Addresses addresses_;
  std::size_t bytes_;
  OpenableRange range_;
  int forks_;
  mutable std::mutex mutex_;
  std::vector<Adopted> adopted_;
};

/// Arrays with fewer bytes are not worth sharing.
inline constexpr std::size_t least_openable_bytes = std::size_t{1} << 20;

/// Memory for an array, which fills with zeros as it is touched. Null if it is shorter than
/// least_openable_bytes, or if there is no such memory: callers then allocate otherwise.
void* allocate_openable(std::size_t bytes) noexcept;
/// Frees such an array. Returns whether it was one.
bool release_openable(void* array) noexcept;
/// The array that begins there; null if there is none, or in a forked child.
std::shared_ptr<Openable> find_openable(void const* array);

}  // namespace sixstep
