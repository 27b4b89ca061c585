// SPDX-License-Identifier: BSD-3-Clause
// Keeps what a user's function threw until the exchanges of an execution are over, because other
// ranks would wait for ever.
#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace sixstep::formulas {

/// The first exception of an execution.
class FirstFailure {
 public:
  /// Keeps the exception that is handled, if it is the first. Several threads may call it.
  void keep() {
    std::lock_guard const lock(keeping_);
    if (!first_) first_ = std::current_exception();
  }
  /// Throws the exception, if there is one, and forgets it.
  void rethrow() {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::mutex keeping_;
  std::exception_ptr first_;
};

}  // namespace sixstep::formulas
