// SPDX-License-Identifier: BSD-3-Clause
// Serial plans: long columns of reals, several threads at once, forked processes, errors, memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "cases.hpp"
#include "child.hpp"
#include "formulas/composition.hpp"
#include "live_bytes.hpp"
#include "oracles/fourier.hpp"
#include "refuses.hpp"
#include "serial/blocks.hpp"
#include "sixstep/serial.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;

/// Threads that share a column otherwise round otherwise.
template <class Element>
double largest_difference(std::vector<Element> const& a, std::vector<Element> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

/// A long column of reals against the definition, at some places and in its energy; there and back,
/// in place and not.
template <class Real>
void check_long_reals(Index n) {
  using Complex = std::complex<Real>;
  oracle::ExactRoots const roots(n);
  Random random(7);
  std::vector<Real> x(at(n));
  long double energy = 0;
  for (Real& value : x) {
    value = static_cast<Real>(random.between(-1000, 1000)) / Real{1000};
    energy += static_cast<long double>(value) * value;
  }
  std::vector<Exact> const wide(x.begin(), x.end());
  long double const bound =
      40 * std::numeric_limits<Real>::epsilon() * std::sqrt(static_cast<long double>(n));
  for (int threads : {1, 3}) {
    std::size_t const bytes = live::bytes();
    SerialPlan<Real> const plan({n}, {.kinds = {Kind::r2c}, .threads = threads});
    EXPECT_LE(live::bytes() - bytes, plan.bytes());
    EXPECT_NE(plan.describe().find(text(n, " reals in two levels")), std::string::npos)
        << plan.describe();
    std::vector<Complex> y(at(plan.output_size()), std::numeric_limits<Real>::quiet_NaN());
    std::vector<Real> const before = x;
    plan.forward(x.data(), y.data());
    EXPECT_EQ(x, before);
    Index const last = n / 2;
    for (Index k : {Index{0}, Index{1}, Index{1023}, Index{1024}, last / 2, last / 2 + 1,
                    last - 1024, last - 1, last})
      EXPECT_LT(std::abs(oracle::coefficient(wide, roots, k, false) - Exact(y[at(k)])), bound)
          << k << " of " << n;
    EXPECT_EQ(y.front().imag(), 0);
    EXPECT_EQ(y.back().imag(), 0);
    long double found = -std::norm(Exact(y.front())) - std::norm(Exact(y.back()));
    for (Complex const& value : y) found += 2 * std::norm(Exact(value));
    EXPECT_NEAR(static_cast<double>(found / static_cast<long double>(n) / energy), 1,
                10 * std::numeric_limits<Real>::epsilon());

    SerialOptions once{.kinds = {Kind::r2c}, .threads = threads};
    once.uses = {.backward = false, .in_place = false};
    std::vector<Complex> again(y.size());
    SerialPlan<Real>({n}, once).forward(x.data(), again.data());
    EXPECT_LT(largest_difference(again, y), bound);

    std::vector<Complex> in_place(at(plan.in_place_size()));
    auto* const reals = reinterpret_cast<Real*>(in_place.data());
    std::copy(x.begin(), x.end(), reals);
    plan.forward(reals, in_place.data());
    EXPECT_LT(std::abs(Exact(in_place[3] - y[3])), bound);

    // What is imaginary in the first and the last coefficient counts for nothing.
    y.front().imag(5);
    y.back().imag(-7);
    std::vector<Complex> const given = y;
    std::vector<Real> back(at(n), std::numeric_limits<Real>::quiet_NaN());
    plan.backward(y.data(), back.data(), Scale::by_n);
    EXPECT_EQ(y, given);
    once.uses = {.forward = false, .in_place = false};
    std::vector<Real> back_again(x.size());
    SerialPlan<Real>({n}, once).backward(y.data(), back_again.data(), Scale::by_n);
    EXPECT_LT(largest_difference(back_again, back), 4 * std::numeric_limits<Real>::epsilon());
    plan.backward(y.data(), reinterpret_cast<Real*>(y.data()), Scale::by_n);
    long double worst = 0;
    for (Index j = 0; j < n; ++j)
      worst = std::max(
          {worst, std::abs(static_cast<long double>(back[at(j)] - x[at(j)])),
           std::abs(static_cast<long double>(reinterpret_cast<Real*>(y.data())[j] - x[at(j)]))});
    EXPECT_LT(worst, 20 * std::numeric_limits<Real>::epsilon());
  }
}

TEST(serial, a_long_column_of_reals_is_shared_by_threads) {
  for (Index n : {Index{1} << 20, (Index{1} << 19) + 2, Index{3} << 17}) {
    check_long_reals<double>(n);
    if (!sanitized()) check_long_reals<float>(n);
  }
}

// Composed of several schedules are only axes that ranks cannot share.
TEST(serial, one_rank_has_a_single_schedule) {
  for (Index n :
       {Index{1}, Index{2}, Index{1000003}, Index{1} << 20, Index{1} << 24, Index{16777259}})
    for (Kind kind : {Kind::c2c, Kind::r2c}) {
      Layout const input = Layout::slab({n}, 1);
      EXPECT_TRUE(
          formulas::compose({.input = input, .axes = {0}, .kinds = {kind}}).formulas.empty());
    }
}

TEST(serial, the_sign_can_be_chosen) {
  SerialPlan<double> const plan({5});
  std::vector<std::complex<double>> x{1, {0, 2}, 3, -1, {4, 1}}, plus(5), minus(5), there(5);
  plan.execute(x.data(), minus.data(), Direction::forward, Sign::minus);
  plan.execute(x.data(), plus.data(), Direction::forward, Sign::plus);
  plan.forward(x.data(), there.data());
  EXPECT_EQ(minus, there);
  plan.backward(x.data(), there.data());
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(std::abs(plus[k] - there[k]), 0, 1e-14);
    EXPECT_NEAR(std::abs(plus[k] - minus[(5 - k) % 5]), 0, 1e-14);
  }
  for (Sign const sign : {Sign::minus, Sign::plus}) {
    plan.execute(x.data(), there.data(), Direction::backward, sign);
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(std::abs(there[k] - (sign == Sign::minus ? minus : plus)[k]), 0, 1e-14);
  }
}

std::vector<double> values(std::size_t count, int seed) {
  std::vector<double> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(std::sin(static_cast<double>(i * static_cast<std::size_t>(seed + 3))));
  return made;
}

TEST(serial, one_plan_serves_several_threads_at_once) {
  constexpr std::size_t threads = 4, rounds = 20;
  // The second has work arrays beyond what a thread keeps.
  for (Shape const& shape : {Shape{30, 20}, Shape{96, 40, 60}}) {
    SerialPlan<double> const plan(shape, {.kinds = {Kind::r2c}, .threads = 2});
    using Complex = std::complex<double>;
    auto const round_trip = [&](int seed) {
      std::vector<double> x = values(at(plan.input_size()), seed);
      std::vector<Complex> y(at(plan.output_size()));
      plan.forward(x.data(), y.data());
      plan.backward(y.data(), x.data());
      return x;
    };
    std::vector<std::vector<double>> alone;
    for (std::size_t i = 0; i < threads; ++i) alone.push_back(round_trip(static_cast<int>(i)));
    std::vector<int> wrong(threads, 0);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i)
      running.emplace_back([&, i] {
        for (std::size_t round = 0; round < rounds; ++round)
          wrong[i] += round_trip(static_cast<int>(i)) == alone[i] ? 0 : 1;
      });
    for (std::thread& thread : running) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(threads, 0));
  }
}

TEST(serial, plans_work_in_forked_processes) {
  Shape const shape{64, 48};
  auto const transformed = [&] {
    SerialPlan<double> const plan(shape, {.threads = 2});
    std::vector<double> const x = values(at(2 * plan.input_size()), 1);
    std::vector<std::complex<double>> y(at(plan.output_size()));
    plan.forward(reinterpret_cast<std::complex<double> const*>(x.data()), y.data());
    return y;
  };
  auto const here = transformed();
  for (int round = 0; round < 5; ++round)
    EXPECT_EQ(child::run([&] { return transformed() == here; }), "");
}

TEST(serial, what_is_wrong_is_refused_by_name) {
  auto const make = [](Shape const& shape, SerialOptions const& options) {
    return [=] { SerialPlan<double>(shape, options); };
  };
  EXPECT_TRUE(refuses("shape", {"none was given"}, make({}, {})));
  EXPECT_TRUE(refuses("input", {"4 x 0"}, make({4, 0}, {})));
  EXPECT_TRUE(refuses("threads", {"-1"}, make({4}, {.threads = -1})));
  EXPECT_TRUE(refuses("axes", {"2 was given"}, make({4, 4}, {.axes = {2}})));
  EXPECT_TRUE(
      refuses("kinds", {"3 were given"}, make({4}, {.kinds = {Kind::c2c, Kind::c2c, Kind::c2c}})));
  EXPECT_TRUE(refuses("order", {}, make({4, 4}, {.order = {0, 0}})));
  EXPECT_TRUE(refuses("memory", {}, make({Index{1} << 50}, {})));
  EXPECT_TRUE(refuses("input_strides", {"each of the 2 axes", "1 were given"},
                      make({4, 5}, {.input_strides = {1}})));
  EXPECT_TRUE(
      refuses("output_strides", {"axis 1 has -1"}, make({4, 5}, {.output_strides = {5, -1}})));
  EXPECT_TRUE(refuses("input_strides", {"axis 0 has 0 between 4 points"},
                      make({4, 5}, {.input_strides = {0, 1}})));
  EXPECT_TRUE(refuses("output_strides", {"two of the 4 x 3 points", "{2, 1}"},
                      make({4, 4}, {.kinds = {Kind::r2c}, .output_strides = {2, 1}})));
  EXPECT_TRUE(refuses("input_strides", {"2^57 elements"},
                      make({4, 5}, {.input_strides = {Index{1} << 60, 1}})));
  EXPECT_TRUE(
      refuses("padded", {"input_strides were given"},
              make({4, 5}, {.kinds = {Kind::r2c}, .input_strides = {5, 1}, .padded = true})));
  EXPECT_TRUE(refuses("input", {"4 x 0"}, make({4, 0}, {.input_strides = {-1, 1}})));
  SerialPlan<double> const plan({4});
  std::complex<double> values[4] = {};
  double reals[4] = {};
  EXPECT_TRUE(refuses("in", {"4 elements", "null"},
                      [&] { plan.forward(static_cast<std::complex<double>*>(nullptr), values); }));
  EXPECT_TRUE(refuses("out", {"4 elements", "null"},
                      [&] { plan.forward(values, static_cast<std::complex<double>*>(nullptr)); }));
  EXPECT_TRUE(
      refuses("in, out", {"complex input and output"}, [&] { plan.forward(reals, reals); }));
  EXPECT_TRUE(
      refuses("uses", {"direction"}, make({4}, {.uses = {.forward = false, .backward = false}})));
  EXPECT_TRUE(refuses("uses", {"in_place or out_of_place"},
                      make({4}, {.uses = {.in_place = false, .out_of_place = false}})));
  SerialPlan<double> const away({4}, {.uses = {.backward = false, .in_place = false}});
  std::complex<double> results[4] = {};
  away.forward(values, results);
  EXPECT_TRUE(refuses("uses", {"backward out of place"}, [&] { away.backward(values, results); }));
  EXPECT_TRUE(refuses("uses", {"forward in place"}, [&] { away.forward(values, values); }));
  SerialPlan<double> const empty;
  EXPECT_FALSE(empty);
  EXPECT_TRUE(refuses("plan", {"empty"}, [&] { empty.describe(); }));
}

TEST(serial, plans_say_what_they_do) {
  SerialPlan<double> const plan({60, 50}, {.kinds = {Kind::r2c}, .threads = 2});
  std::string const words = plan.describe();
  for (char const* part : {"r2c 50", "fft 60", "2 threads", "kernels"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
  EXPECT_EQ(plan.threads(), 2);
  EXPECT_EQ(plan.input_size(), 3000);
  EXPECT_EQ(plan.output_size(), 60 * 26);
}

TEST(serial, plans_keep_no_more_bytes_than_they_say) {
  { SerialPlan<double> const first({4}); }  // what is made once a process
  for (Shape const& shape :
       {Shape{9000}, Shape{9001}, Shape{1024}, Shape{30, 40, 50}, Shape{1 << 18}})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2}) {
      std::size_t const before = live::bytes();
      SerialPlan<double> const plan(shape, {.kinds = {kind}, .threads = 1});
      EXPECT_LE(live::bytes() - before, plan.bytes()) << to_string(shape) << ' ' << to_string(kind);
    }
}

TEST(serial, plans_of_one_length_share_their_tables) {
  SerialPlan<double> const first({9000}, {.threads = 1});
  std::size_t const before = live::bytes();
  SerialPlan<double> const second({9000}, {.threads = 1});
  EXPECT_LT(live::bytes() - before, std::size_t{64} << 10);
}

TEST(blocks, are_used_again) {
  constexpr std::size_t large = std::size_t{8} << 20;
  auto const blocks = serial::Blocks::of_process();
  EXPECT_EQ(blocks, serial::Blocks::of_process());
  for (std::size_t bytes : {std::size_t{1000}, large}) {
    std::byte* first = nullptr;
    {
      serial::Block const block(*blocks, bytes);
      first = block.get();
      serial::Block const other(*blocks, bytes);
      EXPECT_NE(other.get(), first);
    }
    serial::Block const again(*blocks, bytes);
    serial::Block const more(*blocks, bytes);
    EXPECT_TRUE(again.get() == first || more.get() == first);
  }
  std::byte* small = nullptr;
  {
    serial::Block const block(*blocks, large);
    small = block.get();
  }
  serial::Block const larger(*blocks, 2 * large);
  serial::Block const much_smaller(*blocks, large / 3);
  EXPECT_NE(larger.get(), small);
  EXPECT_NE(much_smaller.get(), small);
}

}  // namespace
}  // namespace sixstep
