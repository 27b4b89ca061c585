// SPDX-License-Identifier: BSD-3-Clause
// Memory of exactly the size that is asked for, with guards before and behind, filled with what is
// not a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace soak {

/// All bits set: not a number, in either precision.
inline void unset(void* memory, std::size_t bytes) {
  if (bytes > 0) std::memset(memory, 0xff, bytes);
}

class Guarded {
 public:
  Guarded() = default;
  /// The address is `skew` bytes past a multiple of 64.
  Guarded(std::size_t bytes, std::size_t skew)
      : bytes_(bytes), memory_(bytes + 2 * guard + line + skew, mark) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = guard + (line - address % line) % line + skew;
    unset(data(), bytes);
  }
  std::byte* data() { return memory_.data() + start_; }
  std::size_t bytes() const { return bytes_; }

  bool guards_are_intact() const {
    auto const is_mark = [](std::byte b) { return b == mark; };
    auto const place = [&](std::size_t i) {
      return memory_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    return std::all_of(memory_.begin(), place(start_), is_mark) &&
           std::all_of(place(start_ + bytes_), memory_.end(), is_mark);
  }

 private:
  static constexpr std::size_t guard = 256, line = 64;
  static constexpr std::byte mark{0x5a};
  std::size_t bytes_ = 0;
  std::size_t start_ = 0;
  std::vector<std::byte> memory_ = std::vector<std::byte>(guard, mark);
};

}  // namespace soak
