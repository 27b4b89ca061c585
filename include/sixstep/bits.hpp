// SPDX-License-Identifier: BSD-3-Clause
// Which runs of a transform give the same bits.
#pragma once

#include "sixstep/named.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// When equal input has a result with equal bits.
/// - `none`: in the same plan, on the same machine, with the same options.
/// - `machine`: with the same instruction set, for any number of ranks, layout, threads, windows,
///   exchange, nodes, tuning, caches, number of fields and place in memory.
/// - `everywhere`: also with any other instruction set that sixstep's kernels are compiled for.
enum class Bits { none, machine, everywhere };
constexpr auto names_of(Bits) { return std::array{"none", "machine", "everywhere"}; }

}  // namespace sixstep
#pragma GCC visibility pop
