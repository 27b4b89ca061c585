// SPDX-License-Identifier: BSD-3-Clause
// Plans on a device: what they refuse, what they say, when they return. That they are right in all
// kinds, layouts and exchanges, soak sees.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/backend.hpp"
#include "device_plans.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::on_devices {
namespace {

TEST(device, memory_of_the_wrong_side_is_refused) {
  Plan<double> there(slabs(), MPI_COMM_WORLD, on_device()), here(slabs(), MPI_COMM_WORLD);
  std::vector<Complex> host(static_cast<std::size_t>(here.in_place_size()) + 1);
  auto const memory = there.allocate();
  EXPECT_TRUE(refuses("in", {"memory of the plan's device", "allocate()"},
                      [&] { there.forward(host.data(), memory.get()); }));
  EXPECT_TRUE(refuses("out", {"memory of the plan's device"},
                      [&] { there.forward(memory.get(), host.data()); }));
  EXPECT_TRUE(refuses("in", {"memory of the host is needed", "Options::device"},
                      [&] { here.forward(memory.get(), host.data()); }));
  EXPECT_TRUE(refuses("out", {"memory of the host is needed"},
                      [&] { here.backward(host.data(), memory.get()); }));
}

TEST(device, what_cannot_be_had_is_refused_on_every_rank) {
  auto const refuses_all = [&](std::string const& argument, char const* part,
                               Options const& options) {
    std::string const message = message_of([&] { Plan<double>(slabs(), MPI_COMM_WORLD, options); });
    EXPECT_EQ(message.find(argument), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
    for (std::string const& other : ranks::gather(message)) EXPECT_EQ(other, message);
  };
  Options options = on_device();
  options.device = static_cast<Device>(7);
  refuses_all("device:", "none, cuda or emulated is needed", options);
  options = on_device();
  options.gpu = -2;
  refuses_all("gpu:", "-2 was given", options);
  if (devices(Device::cuda).empty()) {
    options = on_device();
    options.device = Device::cuda;
    refuses_all("device:", "CUDA", options);
  }
  setenv("SIXSTEP_DEVICE_MESSAGES", "sometimes", 1);
  refuses_all("SIXSTEP_DEVICE_MESSAGES:", "staged, staged-apart, pointers or nccl", on_device());
  unsetenv("SIXSTEP_DEVICE_MESSAGES");
}

TEST(device, streams_are_of_gpus) {
  if (tested == Device::cuda) GTEST_SKIP();
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_device());
  EXPECT_TRUE(refuses("stream", {"cuda"}, [&] { plan.set_stream(nullptr); }));
}

TEST(device, executions_may_be_begun_one_behind_the_other) {
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_device());
  Wave const wave{{3, 11, 5}, 3};
  auto const in = array_of(wave, plan), out = plan.allocate(), back = plan.allocate();
  plan.execute_async(in.get(), out.get());
  plan.execute_async(out.get(), back.get(), Direction::backward, Scale::by_n);
  plan.execute_async(back.get(), out.get());
  plan.wait();
  expect_transform(wave, plan, out.get());
  plan.wait();
  plan.forward(in.get(), out.get());
  expect_transform(wave, plan, out.get());
}

TEST(device, a_call_that_was_refused_leaves_nothing_behind) {
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_device());
  std::vector<Complex> host(static_cast<std::size_t>(plan.in_place_size()) + 1);
  auto const out = plan.allocate();
  for (int round = 0; round < 10; ++round) {
    Wave const wave{{round % 14, 3, 1}, 1};
    auto const in = array_of(wave, plan);
    EXPECT_THROW(plan.execute_async(host.data(), out.get()), Error);
    plan.forward(in.get(), out.get());
    expect_transform(wave, plan, out.get());
  }
}

TEST(device, on_the_host_nothing_is_left_to_wait_for) {
  Plan<double> plan(slabs(), MPI_COMM_WORLD);
  std::vector<Complex> in(static_cast<std::size_t>(plan.input_size())), out = in;
  out.resize(static_cast<std::size_t>(plan.output_size()), 1);
  plan.execute_async(in.data(), out.data());
  for (Complex const& value : out) EXPECT_EQ(value, 0.0);
  plan.wait();
}

/// Whether MPI does; what is made of the host's memory, any does.
bool takes_pointers() {
  bool const is_on_host = devices(tested)[0].find("on the host") != std::string::npos;
  return tested == Device::emulated || is_on_host || mpi::takes_cuda_pointers();
}
/// Whether no two ranks have the same GPU, and NCCL is there.
bool have_their_own() {
  return tested == Device::emulated || (all() <= static_cast<int>(devices(tested).size()) &&
                                        device::backend(tested, 0).has_peers());
}

/// The plan of these options is right, and says how it exchanges.
void expect_exchange(Options const& options, std::string const& words) {
  Layout const layout = slabs();
  Plan<double> plan(layout, layout, MPI_COMM_WORLD, options);
  if (all() > 1) {
    EXPECT_NE(plan.describe().find(words), std::string::npos) << plan.describe();
  }
  EXPECT_NE(plan.describe().find("on " + devices(tested)[0].substr(0, 8)), std::string::npos)
      << plan.describe();
  auto const out = plan.allocate();
  constexpr int orders = 20;  // of queues
  for (int round = 0; round < orders; ++round) {
    Wave const wave{{round % 14, 5 * round % 12, 3 * round % 10}, 1 + 0.1 * round};
    auto const in = array_of(wave, plan);
    plan.forward(in.get(), out.get());
    expect_transform(wave, plan, out.get());
  }
  double seconds = 0;
  for (Part const& part : plan.breakdown()) {
    EXPECT_GE(part.seconds, 0) << part.what;
    seconds += part.seconds;
  }
  EXPECT_GT(seconds, 0);
}

TEST(device, all_exchanges_work_and_are_told) {
  Options options = on_device();
  expect_exchange(options, "device memory shared by the ");
  options.exchange = Exchange::pairwise;
  std::string const staged =
      text("exchange staged in memory of the host that the ", all(), " ranks of a node share");
  expect_exchange(options, staged);
  options.windows = 4;
  expect_exchange(options, staged);
  expect_exchange(options, "in up to 4 windows");
  setenv("SIXSTEP_DEVICE_MESSAGES", "staged-apart", 1);
  expect_exchange(options, "pairwise exchange staged in the host's memory");
  options.windows = 1;
  expect_exchange(options, "pairwise exchange staged in the host's memory");
  if (takes_pointers()) {
    setenv("SIXSTEP_DEVICE_MESSAGES", "pointers", 1);
    expect_exchange(options, "pairwise exchange of the device's memory");
  }
  if (have_their_own()) {
    setenv("SIXSTEP_DEVICE_MESSAGES", "nccl", 1);
    expect_exchange(options, "exchange in the device's queue by ");
  }
  unsetenv("SIXSTEP_DEVICE_MESSAGES");
}

/// With two ranks on a node.
TEST(device, exchanges_among_nodes_work_and_are_told) {
  setenv("SIXSTEP_NODE_RANKS", "2", 1);
  bool const is_alone = all() % 2 == 1 && ranks::rank() == all() - 1;
  Options options = on_device();
  expect_exchange(options, is_alone ? "gathered messages (this rank has a node of its own)"
                                    : "device memory shared by the 2 ranks of a node");
  options.exchange = Exchange::pairwise;
  std::string const staged = " staged in ";
  expect_exchange(options, staged + (is_alone ? "the host's memory"
                                              : "memory of the host that the 2 ranks of a node"));
  for (Exchange exchange : {Exchange::collective, Exchange::persistent, Exchange::one_sided}) {
    options.exchange = exchange;
    for (int windows : {1, 3}) {
      options.windows = windows;
      expect_exchange(options, staged);
    }
  }
  unsetenv("SIXSTEP_NODE_RANKS");
}

/// Spectra that are none of reals: cuFFT does not say what it makes of those.
TEST(device, backward_to_reals_ignores_what_no_spectrum_of_reals_has) {
  if (all() > 1) return;
  for (bool const preserve : {false, true})
    for (auto const& [n0, n1] : {std::pair<Index, Index>{6, 8}, {5, 6}, {4, 7}, {1, 10}, {7, 2}}) {
      for (Index planes : {1, 3}) {  // with those, two of three axes are transformed at once
        Options options = on_device();
        options.kinds = {Kind::r2c};
        options.axes = planes == 1 ? std::vector<int>{0, 1} : std::vector<int>{1, 2};
        options.preserve_input = preserve;
        Index const half = n1 / 2 + 1, coefficients = n0 * half, points = n0 * n1;
        Shape const shape = planes == 1 ? Shape{n0, n1} : Shape{planes, n0, n1};
        Shape waves = shape;
        waves[waves.size() - 1] = half;
        Plan<double> plan(Layout::slab(shape, 1), Layout::slab(waves, 1), MPI_COMM_WORLD, options);
        ASSERT_EQ(plan.output_size(), planes * coefficients);
        std::vector<Complex> X(static_cast<std::size_t>(planes * coefficients));
        for (std::size_t i = 0; i < X.size(); ++i)
          X[i] = {std::sin(static_cast<double>(3 * i * i)), std::cos(static_cast<double>(7 * i))};
        auto const spectrum = plan.allocate(), result = plan.allocate();
        copy(tested, spectrum.get(), X.data(), X.size() * sizeof(Complex));
        plan.backward(spectrum.get(), reinterpret_cast<double*>(result.get()));
        std::vector<double> got(static_cast<std::size_t>(planes * points));
        copy(tested, got.data(), result.get(), got.size() * sizeof(double));
        int const last = shape.size() - 1;
        oracle::Whole const expected = oracle::backward(
            {waves, {X.begin(), X.end()}}, {{last - 1, Kind::c2c}, {last, Kind::r2c}}, n1);
        for (std::size_t i = 0; i < got.size(); ++i)
          EXPECT_NEAR(got[i], static_cast<double>(expected.values[i].real()), 1e-12)
              << n0 << " x " << n1 << ", planes: " << planes << ", kept: " << preserve;
      }
    }
}

/// The most memory of a plan for rows of n reals, by whether it keeps its input: a transform back
/// to reals goes by way of a copy of its input, unless it may lose it.
std::array<std::size_t, 2> bytes_of_reals(Index n) {
  Options options = on_device();
  options.kinds = {Kind::r2c};
  Layout const points = Layout::slab({12, n}, all());
  Layout const waves = Layout::slab({12, n / 2 + 1}, all());
  std::array<std::size_t, 2> bytes;
  for (bool const preserve : {false, true}) {
    options.preserve_input = preserve;
    options.axes = {1};
    Plan<double> plan(points, waves, MPI_COMM_WORLD, options);
    bytes[preserve ? 1 : 0] = plan.workspace_bytes();
    std::vector<double> in(static_cast<std::size_t>(plan.input_size()) + 1, 0.25), got = in;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(static_cast<double>(i * i));
    auto const array = plan.allocate(), spectrum = plan.allocate();
    auto* const reals = reinterpret_cast<double*>(array.get());
    std::size_t const size = static_cast<std::size_t>(plan.input_size()) * sizeof(double);
    copy(tested, reals, in.data(), size);
    plan.forward(reals, spectrum.get());
    plan.backward(spectrum.get(), reals, Scale::by_n);
    copy(tested, got.data(), reals, size);
    for (Index i = 0; i < plan.input_size(); ++i)
      EXPECT_NEAR(got[static_cast<std::size_t>(i)], in[static_cast<std::size_t>(i)], 1e-12);
  }
  return bytes;
}

TEST(device, reals_need_a_block_only_if_their_length_is_odd_and_the_input_is_kept) {
  auto const [lost, kept] = bytes_of_reals(999);
  auto const [even_lost, even_kept] = bytes_of_reals(1000);
  // cuFFT may take as much scratch as a block takes.
  if (tested != Device::emulated || ranks::rank() != 0) return;
  EXPECT_LT(lost, kept);
  EXPECT_EQ(even_lost, even_kept);
}

TEST(device, executions_are_traced) {
  std::string const file = text("device_trace_", all(), ".json");
  for (int windows : {1, 3}) {
    Options options = on_device();
    options.exchange = Exchange::pairwise;
    options.windows = windows;
    options.trace = file;
    Plan<double> plan(slabs(), MPI_COMM_WORLD, options);
    Wave const wave{{1, 2, 3}, 1};
    auto const in = array_of(wave, plan), out = plan.allocate();
    plan.forward(in.get(), out.get());
    expect_transform(wave, plan, out.get());
    plan.write_trace();
  }
  if (ranks::rank() == 0) {
    EXPECT_EQ(std::remove(file.c_str()), 0);
  }
}

TEST(device, arrays_serve_all_plans_of_the_same_ranks) {
  std::optional<Plan<double>> first(std::in_place, slabs(), slabs(), MPI_COMM_WORLD, on_device());
  Wave const wave{{4, 2, 9}, 2};
  auto const in = array_of(wave, *first), out = first->allocate();
  for (int round = 0; round < 3; ++round) {
    Plan<double> second(slabs(), slabs(), MPI_COMM_WORLD, on_device());
    if (round == 1) first.reset();
    auto const between = second.allocate();
    second.forward(in.get(), between.get());
    expect_transform(wave, second, between.get());
    second.forward(in.get(), out.get());
    expect_transform(wave, second, out.get());
  }
}

TEST(device, plans_are_tuned) {
  for (bool own_workspace : {true, false}) {
    Options options = on_device();
    options.exchange = Exchange::pairwise;
    options.own_workspace = own_workspace;
    options.tuning = TuningLevel::quick;
    options.tuning_seconds = 0.2;
    Plan<double> plan(slabs(), MPI_COMM_WORLD, options);
    EXPECT_NE(plan.describe().find("\ntuned "), std::string::npos) << plan.describe();
    auto const workspace = allocate(tested, plan.workspace_bytes());
    if (!own_workspace) plan.set_workspace(workspace.get(), plan.workspace_bytes());
    Wave const wave{{2, 7, 1}, 1};
    auto const in = array_of(wave, plan), out = plan.allocate();
    plan.forward(in.get(), out.get());
    expect_transform(wave, plan, out.get());
  }
}

TEST(device, arrays_are_moved_without_a_transform) {
  Options options = on_device();
  options.transform = false;
  Layout const from = slabs(), to = Layout::slab(from.shape(), all(), 2);
  Plan<double> plan(from, to, MPI_COMM_WORLD, options);
  auto const in = array_of({{1, 0, 0}, 1}, plan), out = plan.allocate();
  plan.forward(in.get(), out.get());
  std::vector<Complex> here(static_cast<std::size_t>(plan.output_size()));
  copy(tested, here.data(), out.get(), here.size() * sizeof(Complex));
  for_each(plan.output_box(), plan.output_strides(), [&](Shape const& x, Index i) {
    Complex const expected = std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(x[0]) /
                                                 static_cast<double>(from.shape()[0]));
    EXPECT_LT(std::abs(here[static_cast<std::size_t>(i)] - expected), 1e-15);
  });
}

// Bluestein's product with the transformed chirp is the end of a pass on the device.
TEST(device, a_prime_length_is_transformed_by_passes_and_pointwise_work) {
  Layout const line = Layout::slab({10007}, all());
  Plan<double> plan(line, line, MPI_COMM_WORLD, on_device());
  if (all() > 1) {
    EXPECT_NE(plan.describe().find("in the last pass"), std::string::npos) << plan.describe();
  }
  auto const out = plan.allocate();
  for (Index k : {0, 1, 5003, 10006}) {
    auto const in = array_of({{k}, 0.5}, plan);
    plan.execute_async(in.get(), out.get());
    plan.wait();
    expect_transform({{k}, 0.5}, plan, out.get());
  }
}

}  // namespace
}  // namespace sixstep::on_devices
