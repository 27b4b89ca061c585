// SPDX-License-Identifier: BSD-3-Clause
// Limits of a schedule: from options, and from what is known of ranks, nodes and caches.
//
// Pure. The runner of a plan, the tuner and the command all ask here, so that what is priced or
// described is what would run.
#pragma once

#include <vector>

#include "local/caches.hpp"
#include "program/limits.hpp"
#include "schedule/schedule.hpp"
#include "sixstep/options.hpp"
#include "tuning.hpp"

namespace sixstep::runners {

/// How the exchanges of a schedule are done.
struct Exchanging {
  std::vector<redistribution::Medium> media = {};  // of each exchange; empty: all by messages
  redistribution::Nodes nodes = {};                // if there are media
  int windows = 1;
};

/// Whether exchanges may have media other than messages.
bool may_share(Options const& options, int ranks);

/// The media that a plan uses, given those that suit its exchanges (exchange::choose_media()). On a
/// device all exchanges go by messages if one would go by nodes, because ranks gather messages for
/// other nodes in the host's memory.
std::vector<redistribution::Medium> usable(std::vector<redistribution::Medium> media,
                                           Options const& options);

/// The number of windows of an exchange, as far as `rank` can tell: as many as the user asks for,
/// or as its messages' sizes allow. 0 if no exchange leaves the memory of its node.
int windows_of(schedule::Schedule const& schedule, Options const& options,
               std::vector<redistribution::Medium> const& media, bool has_other_nodes, int rank,
               Tuning const& tuning);

/// How exchanges are done, as far as `rank` alone can tell. Without `nodes` each rank is a node.
Exchanging exchanging_of(schedule::Schedule const& schedule, Options const& options,
                         redistribution::Nodes const& nodes, int rank, Tuning const& tuning);

/// The limits of a rank whose cores have these caches. `options` has the number of threads.
program::Limits limits_of(Options const& options, local::Caches const& caches,
                          Exchanging const& exchanging, Tuning const& tuning);

}  // namespace sixstep::runners
