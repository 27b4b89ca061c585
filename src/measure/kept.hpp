// SPDX-License-Identifier: BSD-3-Clause
// Measuring what of the last-level cache a rank keeps while all ranks work.
#pragma once

#include <map>

#include "measure/team.hpp"
#include "sixstep/index.hpp"

namespace sixstep::measure {

/// Bytes of a node's last-level cache that the ranks which share it keep together, as Tuning has
/// it; 0: as much as the system says, or it cannot be told from memory. Others may use the same
/// cache, and a system may tell of one that it does not hand out. Collective; it takes some
/// milliseconds beside `seconds`. Errors: memory that cannot be had.
Index kept_of_third(Team const& team, double seconds);

/// What is kept at most by these times of a read, by the bytes that are read in turn: the part of
/// `bytes` that came from the cache, of those sizes for which it is largest.
Index kept_bytes(std::map<Index, double> const& seconds);

}  // namespace sixstep::measure
