// SPDX-License-Identifier: BSD-3-Clause
// Limits: what a plan, the tuner and the command compile a schedule by.
#include "runners/limits_of.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "formulas/composition.hpp"

namespace sixstep::runners {
namespace {

constexpr local::Caches caches{.first = 1 << 15, .second = 1 << 20, .third = 1 << 25};

redistribution::Nodes nodes_of(int ranks, int node_ranks) {
  redistribution::Nodes nodes;
  for (int rank = 0; rank < ranks; ++rank) {
    nodes.node.push_back(rank / node_ranks * node_ranks);
    nodes.segment.push_back(rank % node_ranks);
  }
  return nodes;
}

/// Of slabs of four ranks.
program::Limits limits(Index extent, Options options, redistribution::Nodes const& nodes,
                       Tuning const& tuning = {}) {
  options.threads = 3;
  schedule::Schedule const schedule =
      formulas::compose({.input = Layout::slab({extent, extent, extent}, 4)}).schedules[0];
  return limits_of(options, caches, exchanging_of(schedule, options, nodes, 0, tuning), tuning);
}

TEST(limits, have_the_caches_and_the_threads) {
  program::Limits const found =
      limits(64, {}, {}, {.window_of_second = {1, 2}, .window_of_third = {1, 4}});
  EXPECT_EQ(found.cache_bytes, caches.second / 2);
  EXPECT_EQ(found.last_cache_bytes, caches.third / 4);
  EXPECT_EQ(found.threads, 3);
}

TEST(caches, are_shared_by_ranks_that_are_spread_over_cores) {
  constexpr int cores = 16, third_cores = 8;
  EXPECT_EQ(local::third_sharers(1, cores, third_cores), 1);
  EXPECT_EQ(local::third_sharers(2, cores, third_cores), 1);
  EXPECT_EQ(local::third_sharers(3, cores, third_cores), 2);
  EXPECT_EQ(local::third_sharers(16, cores, third_cores), 8);
  EXPECT_EQ(local::third_sharers(4, 2, 2), 4) << "more ranks than cores";
  EXPECT_EQ(local::third_sharers(4, 2, 64), 4) << "cores that this process may not use";
  EXPECT_EQ(local::third_sharers(4, 4, 1), 1) << "nothing is known";
}

TEST(exchanges, of_one_node_go_in_memory) {
  program::Limits const found = limits(64, {}, nodes_of(4, 4));
  EXPECT_EQ(found.media, std::vector{redistribution::Medium::in_memory});
  EXPECT_EQ(found.exchange_windows, 1);
  EXPECT_TRUE(found.stays_on_a_node());
}

TEST(exchanges, go_by_messages_where_the_workspace_is_lent) {
  program::Limits const found = limits(64, {.own_workspace = false}, nodes_of(4, 4));
  EXPECT_TRUE(found.media.empty());
  EXPECT_GT(found.exchange_windows, 1);
}

TEST(exchanges, between_nodes_go_in_as_many_windows_as_messages_allow) {
  Index const message_bytes = Index{256 * 256 * 256 / 16} * 16;
  Tuning tuning{.least_window_message_bytes = message_bytes / 9};
  EXPECT_EQ(limits(256, {}, nodes_of(4, 1), tuning).exchange_windows, 3);
  EXPECT_EQ(limits(256, {.windows = 5}, nodes_of(4, 1), tuning).exchange_windows, 5);
  EXPECT_EQ(limits(256, {.low_memory = true}, nodes_of(4, 1), tuning).exchange_windows, 1);
  EXPECT_EQ(limits(256, {.windows = 5}, nodes_of(4, 4), tuning).exchange_windows, 1);
}

TEST(exchanges, of_devices_have_larger_messages_and_are_not_gathered) {
  Options const on_device{.device = Device::emulated};
  Index const message_bytes = Index{256 * 256 * 256 / 16} * 16;
  Tuning const tuning{.least_device_message_bytes = message_bytes / 4};
  program::Limits const found = limits(256, on_device, nodes_of(4, 1), tuning);
  EXPECT_EQ(found.exchange_windows, 2);
  EXPECT_EQ(found.threads, 1);
  EXPECT_EQ(limits(16, {}, nodes_of(4, 2)).media, std::vector{redistribution::Medium::by_nodes});
  EXPECT_TRUE(limits(16, on_device, nodes_of(4, 2)).media.empty());
}

TEST(low_memory, has_its_windows) {
  EXPECT_EQ(limits(64, {.low_memory = true}, {}, {.low_memory_windows = 7}).windows, 7);
  EXPECT_EQ(limits(64, {}, {}, {.low_memory_windows = 7}).windows, 1);
}

TEST(collective_exchanges, move_packed_messages) {
  EXPECT_TRUE(limits(64, {}, {}).in_arrays);
  EXPECT_FALSE(limits(64, {.exchange = sixstep::Exchange::collective}, {}).in_arrays);
}

}  // namespace
}  // namespace sixstep::runners
