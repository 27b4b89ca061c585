// SPDX-License-Identifier: BSD-3-Clause
// A turnstile: lets one thread at a time pass, and throws in others instead of making them wait.
#pragma once

#include <atomic>
#include <string_view>

#include "sixstep/error.hpp"

namespace sixstep {

/// At most one thread may be between its construction and the end of the block.
class Turnstile {
 public:
  /// Throws Error, on this rank only, if another thread is there.
  Turnstile(std::atomic_flag& is_busy, std::string_view what) : is_busy_(is_busy) {
    require(!is_busy_.test_and_set(std::memory_order_acquire), what,
            ": another thread of this rank is using it; make one for each thread. Other ranks may "
            "wait for the call that was refused here");
  }
  ~Turnstile() { is_busy_.clear(std::memory_order_release); }
  Turnstile(Turnstile const&) = delete;
  Turnstile& operator=(Turnstile const&) = delete;

 private:
  std::atomic_flag& is_busy_;
};

}  // namespace sixstep
