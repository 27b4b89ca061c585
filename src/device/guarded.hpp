// SPDX-License-Identifier: BSD-3-Clause
// A backend whose errors wait for the end of an execution. A rank whose device has failed goes on
// meanwhile, with wrong numbers, so that no other rank waits for its messages in vain.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "device/backend.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device {

/// The first error of a device while errors are kept.
class KeptErrors {
 public:
  /// Keeps errors from now on, or no longer. Forgets what was kept.
  void keep(bool keeps);
  /// Returns the error that was kept, and forgets it.
  std::optional<Error> take();

  /// Runs an action. Its Error is kept, and `otherwise` returned, or it is thrown if errors are not
  /// kept. Any thread may call it.
  template <class Action, class Result>
  Result guard(Action const& action, Result otherwise) {
    try {
      return action();
    } catch (Error const& error) {
      if (!take_in(error)) throw;
      return otherwise;
    }
  }
  template <class Action>
  void guard(Action const& action) {
    guard([&] { return action(), true; }, false);
  }

 private:
  /// Returns false if errors are not kept.
  bool take_in(Error const& error);

  std::mutex mutex_;
  bool keeps_ = false;
  std::optional<Error> first_;
};

/// A backend that works as `backend`, which outlives it. `errors` keeps the errors of its queues,
/// of its events and of reaches(). Queues and events belong together only if one guarded backend
/// has made them.
std::unique_ptr<Backend> make_guarded(Backend& backend, std::shared_ptr<KeptErrors> errors);

}  // namespace sixstep::device
