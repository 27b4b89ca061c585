// SPDX-License-Identifier: BSD-3-Clause
// Limits of a schedule: media first, then windows, then what follows from both.
#include "runners/limits_of.hpp"

#include <algorithm>

#include "exchange/medium.hpp"
#include "sweep/host_limits.hpp"

namespace sixstep::runners {

namespace {

bool has(std::vector<redistribution::Medium> const& media, redistribution::Medium medium) {
  return std::find(media.begin(), media.end(), medium) != media.end();
}

/// The most windows for which messages are neither too small nor too many, if each window of a
/// sender sends one to each window of a receiver.
int windows_by_size(schedule::Schedule const& schedule, int rank, Index least_bytes,
                    Tuning const& tuning) {
  auto windows = static_cast<int>(tuning.most_automatic_windows);
  for (redistribution::Ends const& ends : schedule.ends()) {
    auto const group =
        static_cast<Index>(redistribution::group_of(ends.from, ends.to, rank).size());
    Index const bytes = ends.from.memory_size(rank) * schedule.bytes_of(ends.from.number) / group;
    auto const fits = [&](Index messages_to_each) {
      return bytes / messages_to_each >= least_bytes &&
             group * messages_to_each <= tuning.most_window_messages;
    };
    while (windows > 1 && !fits(windows * windows)) --windows;
  }
  return windows;
}

}  // namespace

bool may_share(Options const& options, int ranks) {
  return options.exchange == sixstep::Exchange::shared && ranks > 1 && options.own_workspace;
}

std::vector<redistribution::Medium> usable(std::vector<redistribution::Medium> media,
                                           Options const& options) {
  if (options.device != Device::none && has(media, redistribution::Medium::by_nodes)) media.clear();
  return media;
}

int windows_of(schedule::Schedule const& schedule, Options const& options,
               std::vector<redistribution::Medium> const& media, bool has_other_nodes, int rank,
               Tuning const& tuning) {
  bool const shared = options.exchange == sixstep::Exchange::shared;
  bool const on_device = options.device != Device::none;
  bool const leaves_node =
      media.empty() ? !shared || has_other_nodes : has(media, redistribution::Medium::messages);
  if (schedule.input.layout.ranks() == 1 || options.low_memory || !leaves_node ||
      schedule.exchanges() == 0)
    return 0;
  if (options.windows != 0) return options.windows;
  bool const by_size = shared || on_device;
  if (!by_size || has(media, redistribution::Medium::by_nodes)) return 1;
  return windows_by_size(
      schedule, rank,
      on_device ? tuning.least_device_message_bytes : tuning.least_window_message_bytes, tuning);
}

Exchanging exchanging_of(schedule::Schedule const& schedule, Options const& options,
                         redistribution::Nodes const& nodes, int rank, Tuning const& tuning) {
  int const ranks = schedule.input.layout.ranks();
  Exchanging found;
  bool has_other_nodes = ranks > 1;
  if (!nodes.node.empty() && may_share(options, ranks)) {
    found.nodes = nodes;
    found.media = usable(
        exchange::choose_media(schedule.ends(), schedule.real_bytes, nodes, tuning), options);
    has_other_nodes = std::any_of(nodes.node.begin(), nodes.node.end(),
                                  [&](int node) { return node != nodes.of(rank); });
  }
  found.windows =
      std::max(1, windows_of(schedule, options, found.media, has_other_nodes, rank, tuning));
  if (found.windows > 1) found.media.clear();
  return found;
}

program::Limits limits_of(Options const& options, local::Caches const& caches,
                          Exchanging const& exchanging, Tuning const& tuning) {
  program::Limits limits = sweep::host_limits(caches, options.threads, tuning);
  if (options.low_memory) limits.windows = static_cast<int>(tuning.low_memory_windows);
  limits.exchange_windows = exchanging.windows;
  // MPICH (4.0, over UCX) loses parts of rows in MPI_Ialltoallw between hosts.
  limits.in_arrays = options.exchange != sixstep::Exchange::collective;
  if (options.device != Device::none) limits = limits.on_device();
  if (exchanging.media.empty()) return limits;
  limits.media = exchanging.media;
  limits.nodes = exchanging.nodes;
  return limits;
}

}  // namespace sixstep::runners
