// SPDX-License-Identifier: BSD-3-Clause
// Tells the caller of a long call how far it has come.
//
// Knows nothing about what is done. Each thread of the program has its own listener, as each may
// make a call of its own.
#pragma once

#include <functional>
#include <string>

namespace sixstep {

/// Is told what is being done, and the share of it (0 to 1) that is done.
using Listener = std::function<void(std::string const& what, double share)>;

/// The listener of this thread; empty: nobody listens.
inline Listener& listener() {
  thread_local Listener mine;
  return mine;
}

/// Tells this thread's listener, if there is one.
inline void tell_progress(std::string const& what, double share) {
  if (Listener const& mine = listener()) mine(what, share);
}

}  // namespace sixstep
