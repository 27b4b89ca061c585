// SPDX-License-Identifier: BSD-3-Clause
// Decisions: what a plan, the tuner and the command know of how a schedule runs.
#include "decision/decision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases.hpp"
#include "formulas/composition.hpp"
#include "redistribution/tag_range.hpp"
#include "tuned.hpp"

namespace sixstep::decision {
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

/// Of slabs of four ranks with three threads.
Decision decided(Index extent, Options options, Conditions conditions) {
  options.threads = 3;
  conditions.caches = caches;
  schedule::Schedule const schedule =
      formulas::compose({.input = Layout::slab({extent, extent, extent}, 4)}).schedules[0];
  return decide(schedule, options, conditions, allowed_by_all(schedule, options, conditions));
}

program::Limits limits(Index extent, Options const& options, redistribution::Nodes const& nodes,
                       Tuning const& tuning = {}) {
  return decided(extent, options, {.nodes = nodes, .tuning = tuning}).limits;
}

TEST(limits, have_the_caches_and_the_threads) {
  program::Limits const found =
      limits(64, {}, {},
             tuned(&Tuning::window_of_second, {1, 2}, tuned(&Tuning::window_of_third, {1, 4})));
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
  Tuning const tuning = tuned(&Tuning::least_window_message_bytes, message_bytes / 9);
  EXPECT_EQ(limits(256, {}, nodes_of(4, 1), tuning).exchange_windows, 3);
  EXPECT_EQ(limits(256, {.windows = 5}, nodes_of(4, 1), tuning).exchange_windows, 5);
  EXPECT_EQ(limits(256, {.low_memory = true}, nodes_of(4, 1), tuning).exchange_windows, 1);
  EXPECT_EQ(limits(256, {.windows = 5}, nodes_of(4, 4), tuning).exchange_windows, 1);
}

TEST(exchanges, have_no_more_windows_than_tags_tell_apart) {
  schedule::Schedule const forward =
      formulas::compose({.input = Layout::slab({64, 64, 64}, 4)}).schedules[0];
  std::vector<schedule::Link> links;
  for (int pairs = 1; pairs <= 4; ++pairs) {
    links.push_back(schedule::Half{forward});
    links.push_back(schedule::Half{schedule::reverse(forward), true});
    schedule::Schedule const many = schedule::joined(links);
    Options const options{.exchange = Exchange::one_sided, .windows = 64};
    int const windows =
        decide(many, options, {}, allowed_by_all(many, options, {})).limits.exchange_windows;
    auto const fits = [&](int each) {
      return redistribution::TagRange::count(many.exchanges(), each) <= 32768;
    };
    EXPECT_TRUE(fits(windows)) << many.exchanges() << " exchanges";
    EXPECT_TRUE(windows == 64 || !fits(windows + 1)) << many.exchanges() << " exchanges";
  }
}

TEST(exchanges, of_many_windows_have_tags_of_their_own) {
  constexpr int exchanges = 11, windows = 3;
  redistribution::TagRange const range{.first = 7, .windows = windows};
  std::vector<int> tags;
  for (int exchange = 0; exchange < exchanges; ++exchange)
    for (int before = 0; before < windows; ++before)
      for (int behind = 0; behind < windows; ++behind) {
        redistribution::Message message{};
        message.before = before;
        message.behind = behind;
        for (int i = 0; i < redistribution::TagRange::each; ++i)
          tags.push_back(range.of(exchange, message) + i);
      }
  std::ranges::sort(tags);
  EXPECT_EQ(std::ranges::adjacent_find(tags), tags.end());
  EXPECT_EQ(tags.front(), range.first);
  EXPECT_EQ(Index{tags.back()} - range.first + 1,
            redistribution::TagRange::count(exchanges, windows));
}

TEST(exchanges, of_devices_have_larger_messages_and_are_gathered) {
  Options const on_device{.device = Device::emulated};
  Index const message_bytes = Index{256 * 256 * 256 / 16} * 16;
  Tuning const tuning = tuned(&Tuning::least_device_message_bytes, message_bytes / 4);
  program::Limits const found = limits(256, on_device, nodes_of(4, 1), tuning);
  EXPECT_EQ(found.exchange_windows, 2);
  EXPECT_EQ(found.threads, 1);
  EXPECT_EQ(limits(16, {}, nodes_of(4, 2)).media, std::vector{redistribution::Medium::by_nodes});
  EXPECT_EQ(limits(16, on_device, nodes_of(4, 2)).media,
            std::vector{redistribution::Medium::by_nodes});
}

TEST(drivers, are_chosen_by_what_mpi_allows) {
  struct Case {
    Driver wanted;
    int threads;
    ThreadLevel level;
    Driver runs;
  };
  using enum Driver;
  using enum ThreadLevel;
  for (Case const& one : {Case{automatic, 1, single, between},
                          {automatic, 4, funneled, between},
                          {automatic, 1, serialized, thread},
                          {automatic, 4, multiple, thread},
                          {between, 4, multiple, between},
                          {thread, 1, funneled, between},
                          {thread, 1, serialized, thread},
                          {master, 1, multiple, between},
                          {master, 2, single, between},
                          {master, 2, funneled, master},
                          {pipelines, 2, funneled, between},
                          {pipelines, 2, serialized, pipelines}}) {
    for (Device device : {Device::none, Device::emulated}) {
      bool const is_device = device != Device::none;
      Driver const runs = is_device && one.wanted == automatic ? between : one.runs;
      DriverChoice const choice = choose_driver(one.wanted, device, one.threads, one.level);
      EXPECT_EQ(choice.driver, runs)
          << to_string(one.wanted) << ", level " << static_cast<int>(one.level)
          << (is_device ? ", device" : "");
      EXPECT_EQ(choice.reason.empty(), one.wanted == runs);
    }
  }
}

TEST(drivers, are_chosen_where_messages_are_cut) {
  Conditions const serialized{.nodes = nodes_of(4, 1), .mpi = {.level = ThreadLevel::serialized}};
  Options const pipelines{.driver = Driver::pipelines};
  EXPECT_EQ(decided(64, pipelines, serialized).driver.driver, Driver::pipelines);
  Conditions inside = serialized;
  inside.nodes = nodes_of(4, 4);
  EXPECT_EQ(decided(64, pipelines, inside).driver.driver, Driver::between);
}

TEST(exchanges, in_queues_are_not_cut) {
  Conditions in_queue{.nodes = nodes_of(4, 1), .exchanges_in_queue = true};
  Options const on_device{.windows = 4, .device = Device::emulated};
  EXPECT_EQ(decided(64, on_device, in_queue).limits.exchange_windows, 1);
  in_queue.exchanges_in_queue = false;
  EXPECT_EQ(decided(64, on_device, in_queue).limits.exchange_windows, 4);
}

TEST(exchanges, staged_in_common_are_cut_only_for_other_nodes) {
  Options const on_device{.exchange = Exchange::pairwise, .device = Device::emulated};
  auto const windows = [&](int ranks_a_node, bool stages_in_common) {
    Conditions const conditions{.nodes = nodes_of(4, ranks_a_node),
                                .stages_in_common = stages_in_common};
    return decided(512, on_device, conditions).limits.exchange_windows;
  };
  EXPECT_EQ(windows(4, true), 1);
  EXPECT_GT(windows(4, false), 1);
  EXPECT_GT(windows(2, true), 1);
}

TEST(messages, are_sent_in_a_way_for_each_exchange_but_shared) {
  for (Exchange const each : all_exchanges)
    EXPECT_EQ(way_of(each) == nullptr, each == Exchange::shared) << to_string(each);
  EXPECT_EQ(ways_of_messages.size(), std::size(all_exchanges) - 1);
}

TEST(messages, are_sent_as_mpi_can) {
  Mpi const careful{.calls_collectives = false, .puts = false};
  auto const messages = [](Exchange wanted, int windows, Mpi const& mpi) {
    return decided(64, {.exchange = wanted, .windows = windows}, {.mpi = mpi}).messages;
  };
  EXPECT_EQ(messages(Exchange::one_sided, 1, {}), Exchange::one_sided);
  EXPECT_EQ(messages(Exchange::one_sided, 1, careful), Exchange::pairwise);
  EXPECT_EQ(messages(Exchange::collective, 4, {}), Exchange::collective);
  EXPECT_EQ(messages(Exchange::collective, 4, careful), Exchange::pairwise);
  EXPECT_EQ(messages(Exchange::shared, 1, {}), Exchange::collective);
  EXPECT_EQ(messages(Exchange::shared, 4, {}), Exchange::pairwise);
  EXPECT_EQ(messages(Exchange::persistent, 1, careful), Exchange::persistent);
}

TEST(decisions, without_memory_send_messages) {
  Decision const shares = decided(64, {}, {.nodes = nodes_of(4, 4)});
  ASSERT_TRUE(shares.shares_memory());
  EXPECT_FALSE(shares.without_memory().shares_memory());
  EXPECT_EQ(shares.without_memory().limits.medium_of(0), redistribution::Medium::messages);
}

// What ranks allow that look only at those they exchange with, and then agree, is what a process
// finds that looks at all of them.
TEST(ranks, agree_on_what_all_of_them_allow) {
  cases::Random random(1);
  int media = 0, cut = 0;
  for (int round = 0; round < 40; ++round) {
    int const ranks = random.between(2, 12);
    Shape const shape = cases::random_shape(random, random.between(2, 4), 20000);
    Layout const home = cases::random_layout(random, shape, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round << ": " << home.describe());
    schedule::Schedule const made = schedule::schedule({.input = home, .output = home});
    Conditions const conditions{.nodes = nodes_of(ranks, random.between(1, ranks)),
                                .tuning = tuned(&Tuning::gathered_message_bytes, 256,
                                                tuned(&Tuning::least_window_message_bytes, 16))};
    Allowed const all = allowed_by_all(made, {}, conditions);
    Allowed least = allowed_by(0, made, {}, conditions);
    for (int rank = 1; rank < ranks; ++rank) {
      Allowed const its = allowed_by(rank, made, {}, conditions);
      least.windows = std::min(least.windows, its.windows);
      for (std::size_t i = 0; i < least.media.size(); ++i)
        least.media[i] = std::min(least.media[i], its.media[i]);
    }
    EXPECT_EQ(all.media, least.media);
    EXPECT_EQ(all.windows, least.windows);
    media += all.media.empty() ? 0 : 1;
    cut += all.windows > 1 ? 1 : 0;
  }
  EXPECT_GT(media, 0);
  EXPECT_GT(cut, 0);
}

TEST(arrays, of_allocate_are_in_segments_where_exchanges_share_memory) {
  formulas::Composition const composition =
      formulas::compose({.input = Layout::slab({64, 64, 64}, 4)});
  Options const options{.preserve_input = false};
  auto const in_segments = [&](int node_ranks) {
    auto const all = limits_of(composition, options, {.nodes = nodes_of(4, node_ranks)});
    return allocated_arrays(composition, all, options).in_segments;
  };
  EXPECT_TRUE(in_segments(4));
  EXPECT_FALSE(in_segments(1));
}

TEST(low_memory, has_its_windows) {
  EXPECT_EQ(limits(64, {.low_memory = true}, {}, tuned(&Tuning::low_memory_windows, 7)).windows, 7);
  EXPECT_EQ(limits(64, {}, {}, tuned(&Tuning::low_memory_windows, 7)).windows, 1);
}

/// The form of a plan of slabs with this tolerance.
program::Wire wire(double tolerance, Options options, int node_ranks, int extent = 64) {
  options.wire.tolerance = tolerance;
  formulas::Composition const composition = formulas::compose(
      {.input = Layout::slab({extent, extent, extent}, 4), .kinds = options.kinds});
  return limits_of(composition, options, {.nodes = nodes_of(4, node_ranks)}).front().wire;
}

/// The bound that docs/decisions/0050-short-messages.md proves.
long double bound_of(ShortForm const& form, int exchanges, long double condition) {
  long double const most = std::exp2(8.0L * form.bytes - 1) - 1;
  long double const one = std::sqrt(static_cast<long double>(form.block)) * (33.0L / 32) *
                              (0.5L + most * 0x1p-51L) / most +
                          0x1p-53L;
  return condition * (std::pow(1 + one, static_cast<long double>(exchanges)) - 1);
}

TEST(wire, is_the_shortest_form_below_the_tolerance) {
  for (int digits = 2; digits <= 60; ++digits) {
    double const tolerance = std::pow(10.0, -digits / 4.0);
    for (int exchanges : {1, 2, 3, 7}) {
      for (double condition : {1.0, 1.5}) {
        Rounding const rounding{.tolerance = tolerance, .condition = condition};
        ShortForm const found = rounding.form(exchanges, 8);
        double least = 8;
        for (int bytes : {2, 3, 4, 6})
          for (int block : {4, 8, 16, 32, 64})
            if (bound_of({bytes, block}, exchanges, condition) < tolerance)
              least = std::min(least, bytes + 2.0 / block);
        EXPECT_EQ(found.shortens() ? found.mean_bytes() : 8, least) << tolerance;
        if (!found.shortens()) continue;
        long double const bound = bound_of(found, exchanges, condition);
        EXPECT_NEAR(rounding.bound(found, exchanges, 8) / static_cast<double>(bound), 1, 1e-4);
      }
    }
  }
}

TEST(wire, is_short_only_between_nodes_and_with_a_tolerance) {
  EXPECT_EQ(wire(1e-6, {}, 1).form, (ShortForm{3, 64}));
  EXPECT_EQ(wire(1e-4, {}, 1).form, (ShortForm{2, 32}));
  EXPECT_FALSE(wire(0, {}, 1).form.shortens());
  EXPECT_FALSE(wire(1e-6, {}, 4).form.shortens());
  EXPECT_EQ(wire(1e-4, {}, 1, 4).form, (ShortForm{2, 8})) << "two hops round twice";
  EXPECT_EQ(wire(1e-6, {.own_workspace = false}, 2, 4).form, (ShortForm{3, 64}));
}

TEST(wire, counts_what_transforms_of_reals_add) {
  double const complex = wire(1e-6, {}, 1).bound;
  EXPECT_NEAR(wire(1e-6, {.kinds = {Kind::r2c}}, 1).bound / complex, std::sqrt(2), 1e-6);
  EXPECT_NEAR(wire(1e-5, {.kinds = {Kind::dct2}}, 1).bound / complex, 2 * std::sqrt(2), 1e-6);
  EXPECT_NEAR(wire(1e-5, {.kinds = {Kind::dct1, Kind::dst1, Kind::dct4}}, 1).bound / complex, 2,
              1e-6);
}

TEST(wire, of_exchanges_in_memory_alone_does_not_count) {
  Options const options{.windows = 1, .wire = {.tolerance = 1e-4}};
  formulas::Composition const composition =
      formulas::compose({.input = Layout::grid({64, 64, 64}, {2, 2, 1})});
  schedule::Schedule const& schedule = composition.schedules[0];
  Conditions conditions{.nodes = nodes_of(4, 2), .rounding = rounding_of(composition, options)};
  Decision const found =
      decide(schedule, options, conditions, allowed_by_all(schedule, options, conditions));
  EXPECT_EQ(std::ranges::count(found.limits.media, redistribution::Medium::in_memory), 1);
  EXPECT_EQ(found.limits.wire.form, (ShortForm{2, 32}));
  EXPECT_EQ(found.without_memory().limits.wire.form, (ShortForm{2, 8}));
  EXPECT_FALSE(found.limits.in_arrays);
}

TEST(collective_exchanges, move_packed_messages) {
  EXPECT_TRUE(limits(64, {}, {}).in_arrays);
  EXPECT_FALSE(limits(64, {.exchange = sixstep::Exchange::collective}, {}).in_arrays);
}

}  // namespace
}  // namespace sixstep::decision
