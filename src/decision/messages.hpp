// SPDX-License-Identifier: BSD-3-Clause
// The ways to send messages, a row for each: what it is called, and what it needs.
#pragma once

#include <array>

#include "sixstep/options.hpp"

namespace sixstep::decision {

/// The threads that may call MPI, in the order of MPI's own levels.
enum class ThreadLevel { single, funneled, serialized, multiple };

/// The MPI of a job.
struct Mpi {
  bool calls_collectives = true;  // false: its collective calls may wait for ever
  bool puts = true;               // false: its one-sided calls cannot be relied on
  ThreadLevel level = ThreadLevel::single;

  bool operator==(Mpi const&) const = default;
};

/// A way to send messages.
struct WayOfMessages {
  Exchange exchange;
  char const* words;              // in descriptions
  bool Mpi::*needs = nullptr;     // null: any MPI has it
  char const* why_not = nullptr;  // said where an MPI lacks it; null: nothing is said

  bool is_there(Mpi const& mpi) const { return needs == nullptr || mpi.*needs; }
};

inline constexpr std::array ways_of_messages{
    WayOfMessages{Exchange::collective, "collective exchange", &Mpi::calls_collectives},
    WayOfMessages{Exchange::pairwise, "pairwise exchange"},
    WayOfMessages{Exchange::persistent, "persistent pairwise exchange"},
    WayOfMessages{Exchange::one_sided, "one-sided exchange", &Mpi::puts,
                  "Open MPI's puts cannot be relied on"}};

/// The row of an exchange; null for Exchange::shared.
constexpr WayOfMessages const* way_of(Exchange exchange) {
  for (WayOfMessages const& way : ways_of_messages)
    if (way.exchange == exchange) return &way;
  return nullptr;
}

}  // namespace sixstep::decision
