// SPDX-License-Identifier: BSD-3-Clause
// Arrays that ranks of a node have allocated alone, in an arena of the node: when an execution can
// use them, and how they come there.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/node.hpp"

namespace sixstep {

/// Two arrays where the other ranks of the node reach them. They stay there as long as this object.
struct Reached {
  std::shared_ptr<std::byte> in;
  std::shared_ptr<std::byte> out;
  /// A number that is equal on all ranks whose arrays belong together; `offered` if they can be
  /// adopted first; 0 if others do not reach them.
  std::uint64_t word = 0;
};

/// The address of an array that somebody else keeps.
std::shared_ptr<std::byte> borrowed(void const* array);

/// The word of arrays that this rank allocated alone, at least one of which is not adopted yet. It
/// is none of NodeMemory::word_for().
inline constexpr std::uint64_t offered = 1;

/// How this rank's arrays are reached: arrays of the arena where they are, others where the arena
/// has adopted them.
Reached reach(NodeMemory const& memory, NodeMemory::Array const& in, NodeMemory::Array const& out);

/// Whether the ranks have to adopt their arrays: at the meeting that has just ended, one of them
/// offered, and none said 0. All ranks find the same.
bool is_offered(NodeMemory const& memory);

/// Adopts the arrays of all ranks. Collective over the node, by meetings alone. If one rank cannot,
/// the word is 0 on all of them, and these arrays are not offered again.
Reached adopt(NodeMemory& memory, NodeMemory::Array const& in, NodeMemory::Array const& out);

}  // namespace sixstep
