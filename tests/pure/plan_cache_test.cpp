// SPDX-License-Identifier: BSD-3-Clause
// Plans that are kept for all threads: which, how many, and how much memory they take.
#include "serial/plan_cache.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <thread>
#include <vector>

#include "child.hpp"
#include "live_bytes.hpp"

namespace sixstep::serial {
namespace {

using Complex = std::complex<double>;

PlanKey of_length(Index n) { return {{n}, {0}, {Kind::c2c}, 1, false}; }

std::shared_ptr<AnyPlan const> plan_of(PlanCache& cache, Index n) {
  return cache.plan(cache.entry(of_length(n)));
}

std::size_t bytes_of(Index n) {
  return std::get<SerialPlan<double>>(*plan_of(*std::make_unique<PlanCache>(0), n)).bytes();
}

TEST(plan_cache, keeps_plans_and_drops_the_one_that_was_used_first) {
  PlanCache cache(2 * bytes_of(1000) + 1000);
  auto const entry = cache.entry(of_length(1000));
  EXPECT_EQ(entry, cache.entry(of_length(1000)));
  EXPECT_NE(entry, cache.entry(of_length(1001)));
  AnyPlan const* const first = cache.plan(entry).get();
  AnyPlan const* const second = plan_of(cache, 999).get();
  EXPECT_EQ(plan_of(cache, 1000).get(), first);
  EXPECT_EQ(cache.plans(), 2u);
  std::weak_ptr<AnyPlan const> const of_999 = plan_of(cache, 999);
  EXPECT_EQ(of_999.lock().get(), second);
  plan_of(cache, 1000);
  plan_of(cache, 990);
  EXPECT_EQ(cache.plans(), 2u);
  EXPECT_TRUE(of_999.expired());
  EXPECT_LE(cache.bytes(), cache.most_bytes());
}

TEST(plan_cache, makes_plans_with_the_bits_of_their_key) {
  PlanCache cache(std::size_t{1} << 20);
  PlanKey key = of_length(12);
  key.bits = Bits::machine;
  auto const plan = cache.plan(cache.entry(key));
  std::string const words = std::get<SerialPlan<double>>(*plan).describe();
  EXPECT_NE(words.find("the same bits"), std::string::npos) << words;
}

TEST(plan_cache, leaves_plans_alone_that_are_in_use) {
  PlanCache cache(bytes_of(1000) + 1000);
  auto const in_use = plan_of(cache, 1000);
  plan_of(cache, 1001);
  plan_of(cache, 1002);
  EXPECT_EQ(cache.plans(), 1u);
  std::vector<Complex> x(1000, 1.0), y(1000);
  std::get<SerialPlan<double>>(*in_use).forward(x.data(), y.data());
  EXPECT_NEAR(y[0].real(), 1000, 1e-9);
}

TEST(plan_cache, keeps_the_last_plan_whatever_its_size_unless_nothing_is_kept) {
  PlanCache cache(1);
  auto const first = plan_of(cache, 1000);
  EXPECT_EQ(plan_of(cache, 1000), first);
  EXPECT_EQ(cache.plans(), 1u);
  cache.set_most_bytes(0);
  EXPECT_EQ(cache.plans(), 0u);
  EXPECT_EQ(cache.bytes(), 0u);
  EXPECT_NE(plan_of(cache, 1000), first);
  EXPECT_EQ(cache.plans(), 0u);
}

TEST(plan_cache, of_many_lengths_in_several_threads_stays_within_its_bound) {
  constexpr std::size_t most_bytes = std::size_t{8} << 20;
  PlanCache cache(most_bytes);
  plan_of(cache, 4);
  std::size_t const before = live::bytes();
  std::vector<std::thread> running;
  for (int thread = 0; thread < 4; ++thread)
    running.emplace_back([&] {
      for (Index n = 7000; n < 7064; ++n) {
        std::vector<Complex> x(static_cast<std::size_t>(n), 1.0), y(x.size());
        std::get<SerialPlan<double>>(*plan_of(cache, n)).forward(x.data(), y.data());
        EXPECT_NEAR(y[0].real(), static_cast<double>(n), 1e-6);
        EXPECT_LE(cache.bytes(), most_bytes);
      }
    });
  for (std::thread& thread : running) thread.join();
  EXPECT_GT(cache.plans(), 3u);
  EXPECT_LE(live::bytes(), before + most_bytes);
  cache.set_most_bytes(0);
  EXPECT_LE(live::bytes(), before + (std::size_t{1} << 18));
}

TEST(plan_cache, works_in_forked_processes) {
  PlanCache cache(std::size_t{64} << 20);
  auto const here = plan_of(cache, 1000);
  EXPECT_EQ(child::run([&] {
              return plan_of(cache, 1000) == here && plan_of(cache, 1001) && cache.plans() == 2;
            }),
            "");
}

}  // namespace
}  // namespace sixstep::serial
