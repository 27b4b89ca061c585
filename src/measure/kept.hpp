// SPDX-License-Identifier: BSD-3-Clause
// Measuring what of the last-level cache a rank keeps while all ranks work.
#pragma once

#include <map>

#include "measure/team.hpp"
#include "sixstep/index.hpp"

namespace sixstep::measure {

/// Bytes of a node's last-level cache that the ranks which share it keep together (see
/// Tuning::third_bytes). 0 if they keep all that the system reports, or if cache and memory cannot
/// be told apart. Others may use the same cache, and a system may report one that it does not hand
/// out. Takes some milliseconds beside `seconds`. Collective. Throws Error if memory cannot be
/// allocated.
Index kept_of_third(Team const& team, double seconds);

/// The bytes that are kept, given the seconds of a read by the bytes that are read in turn: each
/// size times the share of its reads that came from the cache; the largest of these.
Index kept_bytes(std::map<Index, double> const& seconds);

}  // namespace sixstep::measure
