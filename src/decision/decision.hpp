// SPDX-License-Identifier: BSD-3-Clause
// Decisions: how a schedule runs, from the options of a plan and from what is known of its ranks.
//
// Pure. The runner of a plan, the tuner, the command and serial plans all ask here, so that what is
// priced or described is what runs.
#pragma once

#include <string>
#include <vector>

#include "decision/media.hpp"
#include "decision/messages.hpp"
#include "decision/wire.hpp"
#include "formulas/composition.hpp"
#include "local/caches.hpp"
#include "program/limits.hpp"
#include "schedule/schedule.hpp"
#include "sixstep/options.hpp"
#include "tuning.hpp"

namespace sixstep::decision {

/// Facts that are known of ranks, nodes, caches, MPI and devices before a schedule runs.
struct Conditions {
  redistribution::Nodes nodes = {};  // without ranks: each rank has a node of its own
  local::Caches caches = {};         // of this rank's cores
  Mpi mpi = {};
  bool exchanges_in_queue = false;  // of a device, without messages of MPI
  bool stages_in_common = false;    // ranks of a node copy chunks out of a device and into another
  Rounding rounding = {};           // of the plan
  Tuning tuning = {};
};

/// The most that ranks and their messages allow. All ranks take the least that any of them allows.
struct Allowed {
  Media media = {};  // of each exchange; empty: only messages
  int windows = 1;   // of an exchange, if their number follows from the messages' sizes
};

/// Finds what `rank` allows, by a look only at the ranks that it exchanges with.
Allowed allowed_by(int rank, schedule::Schedule const& schedule, Options const& options,
                   Conditions const& conditions);
/// Finds what all ranks allow.
Allowed allowed_by_all(schedule::Schedule const& schedule, Options const& options,
                       Conditions const& conditions);

/// The driver of a flow, and why it is this one; no reason is given for the one that was asked for.
struct DriverChoice {
  Driver driver = Driver::between;
  std::string reason = {};
};

/// The driver for `threads` threads a rank. On a device the calling thread has nothing to do but to
/// put passes into the queue, so it lets messages progress all the time, and never sleeps.
DriverChoice choose_driver(Driver wanted, Device device, int threads, ThreadLevel level);

/// How a schedule runs. The backward direction has limits.reversed().
struct Decision {
  program::Limits limits = {};               // media and windows of exchanges among them
  Exchange messages = Exchange::collective;  // how messages are sent; never Exchange::shared
  DriverChoice driver = {};                  // of exchanges in windows
  program::Wire only_messages = {};          // how these carry reals if there is no common memory

  /// Whether ranks need memory that their node shares.
  bool shares_memory() const { return !limits.media.empty(); }
  /// The decision where there is no such memory.
  Decision without_memory() const;
};

/// Decides for a rank, given what all ranks allow. `options` has the number of threads.
Decision decide(schedule::Schedule const& schedule, Options const& options,
                Conditions const& conditions, Allowed const& allowed);

/// The limits of each schedule of a composition.
std::vector<program::Limits> limits_of(formulas::Composition const& composition,
                                       Options const& options, Conditions const& conditions);

/// The arrays of a plan whose user takes them from allocate().
program::Arrays allocated_arrays(formulas::Composition const& composition,
                                 std::vector<program::Limits> const& limits,
                                 Options const& options);

/// Whether exchanges may use memory that ranks of a node share.
bool may_share(Options const& options, int ranks);

/// Whether ranks send messages that may be cut into windows, if there is something to exchange.
bool may_cut(Options const& options, int ranks, bool has_several_nodes);

}  // namespace sixstep::decision
