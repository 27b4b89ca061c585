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

/// How the exchanges of a schedule go.
struct Exchanging {
  std::vector<redistribution::Medium> media = {};  // of each exchange; empty: all by messages
  redistribution::Nodes nodes = {};                // if there are media
  int windows = 1;
};

/// Whether exchanges may have media other than messages.
bool may_share(Options const& options, int ranks);

/// Of the media that suit the exchanges (exchange::choose_media()) those that a plan uses: what
/// ranks gather for another node, they gather in the host's memory.
std::vector<redistribution::Medium> usable(std::vector<redistribution::Medium> media,
                                           Options const& options);

/// How many windows exchanges go in, as far as `rank` can tell: those that are asked for, or as its
/// messages' sizes allow; 0: no exchange leaves the memory of its node.
int windows_of(schedule::Schedule const& schedule, Options const& options,
               std::vector<redistribution::Medium> const& media, bool has_other_nodes, int rank,
               Tuning const& tuning);

/// How exchanges go by what `rank` alone knows of the ranks of the schedule. Without `nodes` each
/// rank has a node of its own.
Exchanging exchanging_of(schedule::Schedule const& schedule, Options const& options,
                         redistribution::Nodes const& nodes, int rank, Tuning const& tuning);

/// The limits of a rank whose cores have such caches. `options` has the number of threads.
program::Limits limits_of(Options const& options, local::Caches const& caches,
                          Exchanging const& exchanging, Tuning const& tuning);

}  // namespace sixstep::runners
