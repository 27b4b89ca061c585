// SPDX-License-Identifier: BSD-3-Clause
// Exchanges whose messages to other nodes have their reals in short form.
#pragma once

#include <memory>
#include <vector>

#include "base/short_form.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// How messages are shortened.
struct Shortening {
  ShortForm form;
  int real_bytes = 8;
  Index element_reals = 2;     // of an element
  std::vector<int> near = {};  // ranks of this node, ascending: their messages stay as they are
  bool may_overwrite_source = true;  // whether messages may be shortened where they lie
  int threads = 1;                   // of run()
};

/// The traffic of a shortened exchange, in bytes. Messages are dense. A short message leaves from
/// the begin of its place, and arrives at the end of its place.
Traffic in_bytes(Traffic traffic, Shortening const& how);

/// Shortens what `inner` sends, and lengthens what it receives; `inner` has the traffic
/// in_bytes(traffic, how).
std::unique_ptr<Strategy> make_shortened(std::unique_ptr<Strategy> inner, Traffic const& traffic,
                                         Shortening const& how);

}  // namespace sixstep::exchange
