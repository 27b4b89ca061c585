// SPDX-License-Identifier: BSD-3-Clause
// Decides media first, then windows, then what follows from both.
#include "decision/decision.hpp"

#include <algorithm>
#include <utility>

#include "redistribution/tag_range.hpp"

namespace sixstep::decision {

using redistribution::Medium;

namespace {

int ranks_of(schedule::Schedule const& schedule) { return schedule.input.layout.ranks(); }

bool on_device(Options const& options) { return options.device != Device::none; }

bool knows_nodes(Conditions const& conditions) { return !conditions.nodes.node.empty(); }

bool has_several_nodes(Conditions const& conditions) {
  std::vector<int> const& nodes = conditions.nodes.node;
  return nodes.empty() ||
         std::any_of(nodes.begin(), nodes.end(), [&](int node) { return node != nodes.front(); });
}

/// Whether the number of windows follows from the sizes of messages. Ranks of one node that stage
/// in common copy both ways at once without windows: then these only make copies and passes
/// smaller.
bool cuts_by_size(Options const& options, Conditions const& conditions) {
  if (conditions.stages_in_common && !has_several_nodes(conditions)) return false;
  return options.windows == 0 && (options.exchange == Exchange::shared || on_device(options));
}

/// The most windows for which messages are neither too small nor too many, if each window of a
/// sender sends one to each window of a receiver.
int windows_by_size(schedule::Schedule const& schedule, Options const& options,
                    Tuning const& tuning, std::optional<int> rank) {
  Index const least_bytes =
      on_device(options) ? tuning.least_device_message_bytes : tuning.least_window_message_bytes;
  auto windows = static_cast<int>(tuning.most_automatic_windows);
  for (redistribution::Ends const& ends : schedule.ends())
    visit_groups(ends, rank, [&](std::vector<int> const& group, Index least, Index) {
      auto const ranks = static_cast<Index>(group.size());
      Index const bytes = least * schedule.bytes_of(ends.from.number) / ranks;
      auto const fits = [&](Index messages_to_each) {
        return bytes / messages_to_each >= least_bytes &&
               ranks * messages_to_each <= tuning.most_window_messages;
      };
      while (windows > 1 && !fits(windows * windows)) --windows;
    });
  return windows;
}

/// The media and windows that `rank` allows, or those that all ranks do.
Allowed allowed(schedule::Schedule const& schedule, Options const& options,
                Conditions const& conditions, std::optional<int> rank) {
  int const ranks = ranks_of(schedule);
  Allowed found;
  if (knows_nodes(conditions) && may_share(options, ranks))
    found.media = suitable_media(schedule.ends(), schedule.real_bytes, conditions.nodes,
                                 conditions.tuning, rank);
  if (cuts_by_size(options, conditions) && may_cut(options, ranks, has_several_nodes(conditions)))
    found.windows = windows_by_size(schedule, options, conditions.tuning, rank);
  return found;
}

/// All exchanges go by messages if one would go by nodes, and messages go in a device's queue:
/// ranks that gather messages have to wait for each other.
Media media_of(Conditions const& conditions, Allowed const& allowed) {
  if (allowed.media.empty()) return {};
  Media media = used_media(allowed.media, conditions.nodes);
  if (conditions.exchanges_in_queue && has(media, Medium::by_nodes)) media.clear();
  return media;
}

/// The windows of an exchange; 0 if no messages are cut.
int windows_of(schedule::Schedule const& schedule, Options const& options,
               Conditions const& conditions, Media const& media, Allowed const& allowed) {
  bool const by_messages = media.empty() || has(media, Medium::messages);
  if (!by_messages || schedule.exchanges() == 0 || conditions.exchanges_in_queue ||
      !may_cut(options, ranks_of(schedule), has_several_nodes(conditions)))
    return 0;
  int const most = redistribution::TagRange::most_windows_of(schedule.exchanges());
  if (options.windows != 0) return std::min(options.windows, most);
  return cuts_by_size(options, conditions) && !has(media, Medium::by_nodes)
             ? std::min(allowed.windows, most)
             : 1;
}

Exchange messages_of(Exchange wanted, int windows, Mpi const& mpi) {
  if (wanted == Exchange::shared) wanted = windows > 1 ? Exchange::pairwise : Exchange::collective;
  return way_of(wanted)->is_there(mpi) ? wanted : Exchange::pairwise;
}

/// The limits without those of exchanges. On a device each pass is a sweep.
program::Limits limits_without_exchanges(Options const& options, Conditions const& conditions) {
  Tuning const& tuning = conditions.tuning;
  local::Caches const& caches = conditions.caches;
  Index const third = tuning.window_of_third.of(local::third_bytes(tuning, caches));
  program::Limits limits{.cache_bytes = tuning.window_of_second.of(caches.second),
                         .last_cache_bytes = std::max(caches.second, third),
                         .threads = options.threads,
                         // MPICH (4.0, over UCX) loses parts of rows in MPI_Ialltoallw between
                         // hosts.
                         .in_arrays = options.exchange != Exchange::collective,
                         .tuning = tuning};
  if (options.low_memory) limits.windows = static_cast<int>(tuning.low_memory_windows);
  if (!on_device(options)) return limits;
  limits.last_cache_bytes = -1;
  limits.threads = 1;
  limits.in_arrays = false;
  return limits;
}

/// How the messages of so many exchanges carry reals.
program::Wire wire_of(schedule::Schedule const& schedule, Conditions const& conditions,
                      Index exchanges) {
  Rounding const& rounding = conditions.rounding;
  program::Wire wire{.tolerance = rounding.tolerance};
  if (!has_several_nodes(conditions)) return wire;
  wire.form = rounding.form(static_cast<int>(exchanges), schedule.real_bytes);
  if (!wire.form.shortens()) return wire;
  wire.bound =
      rounding.bound(wire.form, static_cast<int>(exchanges) + rounding.others, schedule.real_bytes);
  wire.node = conditions.nodes.node;
  return wire;
}

}  // namespace

bool may_share(Options const& options, int ranks) {
  return options.exchange == Exchange::shared && ranks > 1 && options.own_workspace;
}

bool may_cut(Options const& options, int ranks, bool has_several_nodes) {
  return ranks > 1 && !options.low_memory && (has_several_nodes || !may_share(options, ranks));
}

Allowed allowed_by(int rank, schedule::Schedule const& schedule, Options const& options,
                   Conditions const& conditions) {
  return allowed(schedule, options, conditions, rank);
}

Allowed allowed_by_all(schedule::Schedule const& schedule, Options const& options,
                       Conditions const& conditions) {
  return allowed(schedule, options, conditions, {});
}

DriverChoice choose_driver(Driver wanted, Device device, int threads, ThreadLevel level) {
  bool const may_be_serialized = level >= ThreadLevel::serialized;
  if (wanted == Driver::automatic && device != Device::none)
    return {Driver::between, "the device computes"};
  if (wanted == Driver::automatic)
    return may_be_serialized
               ? DriverChoice{Driver::thread, "MPI allows it"}
               : DriverChoice{Driver::between, "MPI was initialized below MPI_THREAD_SERIALIZED"};
  auto const instead = [&](std::string const& reason) {
    return DriverChoice{Driver::between,
                        to_string(wanted) + " was asked for, but it needs " + reason};
  };
  bool const shares_work = wanted == Driver::master || wanted == Driver::pipelines;
  if (shares_work && threads < 2) return instead("two threads a rank");
  if (wanted == Driver::master && level < ThreadLevel::funneled)
    return instead("MPI_THREAD_FUNNELED");
  if ((wanted == Driver::pipelines || wanted == Driver::thread) && !may_be_serialized)
    return instead("MPI_THREAD_SERIALIZED");
  return {wanted, ""};
}

Decision Decision::without_memory() const {
  Decision other = *this;
  other.limits.media.clear();
  other.limits.nodes = {};
  other.limits.wire = only_messages;
  if (only_messages.form.shortens()) other.limits.in_arrays = false;
  return other;
}

Decision decide(schedule::Schedule const& schedule, Options const& options,
                Conditions const& conditions, Allowed const& allowed) {
  Decision found{.limits = limits_without_exchanges(options, conditions)};
  Media media = media_of(conditions, allowed);
  int const windows = windows_of(schedule, options, conditions, media, allowed);
  if (windows > 1) media.clear();
  if (windows > 0)
    found.driver =
        choose_driver(options.driver, options.device, found.limits.threads, conditions.mpi.level);
  found.limits.exchange_windows = std::max(windows, 1);
  found.messages = messages_of(options.exchange, windows, conditions.mpi);
  found.only_messages = wire_of(schedule, conditions, schedule.exchanges());
  // Two hops between nodes round twice.
  found.limits.wire = media.empty() ? found.only_messages
                                    : wire_of(schedule, conditions,
                                              std::ranges::count(media, Medium::messages) +
                                                  2 * std::ranges::count(media, Medium::by_nodes));
  // Short messages must be packed.
  if (found.limits.wire.form.shortens()) found.limits.in_arrays = false;
  if (media.empty()) return found;
  found.limits.media = std::move(media);
  found.limits.nodes = conditions.nodes;
  return found;
}

std::vector<program::Limits> limits_of(formulas::Composition const& composition,
                                       Options const& options, Conditions const& conditions) {
  std::vector<program::Limits> limits;
  Conditions with_rounding = conditions;
  with_rounding.rounding = rounding_of(composition, options);
  for (schedule::Schedule const& schedule : composition.schedules)
    limits.push_back(
        decide(schedule, options, with_rounding, allowed_by_all(schedule, options, conditions))
            .limits);
  return limits;
}

program::Arrays allocated_arrays(formulas::Composition const& composition,
                                 std::vector<program::Limits> const& limits,
                                 Options const& options) {
  auto const direct = composition.direct();
  return {.in_segments = direct && !limits[*direct].media.empty(),
          .preserve_input = options.preserve_input};
}

}  // namespace sixstep::decision
