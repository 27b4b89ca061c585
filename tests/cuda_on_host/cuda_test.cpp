// SPDX-License-Identifier: BSD-3-Clause
// What is CUDA's alone: streams that are lent, memory of several GPUs and what is managed,
// threads, errors. On a GPU, or on the host.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/backend.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using Complex = std::complex<double>;

int gpus() { return static_cast<int>(devices(Device::cuda).size()); }
int gpu_of_rank() { return ranks::rank() % gpus(); }
bool is_on_host() { return devices(Device::cuda)[0].find("on the host") != std::string::npos; }

Options on_gpu(int number) {
  Options options;
  options.device = Device::cuda;
  options.gpu = number;
  return options;
}
Layout slabs() { return Layout::slab({6, 5, 4}, ranks::count()); }

/// An impulse at the origin has ones for its transform.
void set_impulse(Plan<double> const& plan, Complex* host) {
  for_each(plan.input_box(), plan.input_strides(), [&](Shape const& x, Index i) {
    host[i] = x == Shape{0, 0, 0} ? 1.0 : 0.0;
  });
}
void expect_ones(Plan<double> const& plan, Complex const* host) {
  for_each(plan.output_box(), plan.output_strides(),
           [&](Shape const&, Index i) { EXPECT_LT(std::abs(host[i] - 1.0), 1e-13); });
}

/// Memory of CUDA's, freed in the end.
template <class Element>
struct Freed {
  Element* data = nullptr;
  std::size_t bytes;
  bool is_pinned;
  enum class Kind { device, pinned, managed };
  Freed(std::size_t elements, Kind kind)
      : bytes((elements + 1) * sizeof(Element)), is_pinned(kind == Kind::pinned) {
    auto* const place = reinterpret_cast<void**>(&data);
    EXPECT_EQ(kind == Kind::device   ? cudaMalloc(place, bytes)
              : kind == Kind::pinned ? cudaHostAlloc(place, bytes, cudaHostAllocDefault)
                                     : cudaMallocManaged(place, bytes, cudaMemAttachGlobal),
              cudaSuccess);
  }
  ~Freed() { EXPECT_EQ(is_pinned ? cudaFreeHost(data) : cudaFree(data), cudaSuccess); }
  Freed(Freed const&) = delete;
};
using Array = Freed<Complex>;
std::size_t elements(Plan<double> const& plan) {
  return static_cast<std::size_t>(plan.in_place_size());
}

/// Whether this process has a context there.
bool is_in_use(int gpu) {
  auto* const get_state = reinterpret_cast<int (*)(int, unsigned*, int*)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuDevicePrimaryCtxGetState"));
  unsigned flags = 0;
  int is_active = 0;
  EXPECT_TRUE(get_state && get_state(gpu, &flags, &is_active) == 0);
  return is_active != 0;
}

// The first one: nobody has used a GPU yet.
TEST(cuda, a_gpu_that_nobody_uses_is_left_alone) {
  int const last = gpus() - 1;
  if (last == 0) GTEST_SKIP() << "one GPU";
  if (is_in_use(0)) GTEST_SKIP() << "MPI uses it";
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_gpu(last));
  auto const array = plan.allocate();
  plan.forward(array.get(), array.get());
  EXPECT_FALSE(is_in_use(0));
  EXPECT_TRUE(is_in_use(last));
}

// A GPU that somebody uses is current again.
TEST(cuda, the_current_gpu_is_kept) {
  for (int mine = 0; mine < gpus(); ++mine) {
    ASSERT_EQ(cudaSetDevice(mine), cudaSuccess);
    Plan<double> plan(slabs(), MPI_COMM_WORLD, on_gpu(gpus() - 1));
    auto const array = plan.allocate();
    plan.forward(array.get(), array.get());
    int current = -1;
    EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
    EXPECT_EQ(current, mine);
  }
}

TEST(cuda, memory_that_the_plan_cannot_use_is_refused) {
  int const gpu = gpu_of_rank();
  ASSERT_EQ(cudaSetDevice(gpu), cudaSuccess);
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_gpu(gpu)), here(slabs(), MPI_COMM_WORLD);
  Array const mine(elements(plan), Array::Kind::device),
      pinned(elements(plan), Array::Kind::pinned);
  EXPECT_TRUE(refuses("in", {"memory of the plan's device"},
                      [&] { plan.forward(pinned.data, mine.data); }));
  EXPECT_TRUE(refuses("in", {"memory of the host is needed"},
                      [&] { here.forward(mine.data, pinned.data); }));
  auto* const odd = reinterpret_cast<Complex*>(reinterpret_cast<double*>(mine.data) + 1);
  EXPECT_TRUE(refuses("out", {"aligned to 16 bytes"}, [&] { plan.forward(mine.data, odd); }));
  if (gpus() > 1) {
    ASSERT_EQ(cudaSetDevice((gpu + 1) % gpus()), cudaSuccess);
    Array const other(elements(plan), Array::Kind::device);
    ASSERT_EQ(cudaSetDevice(gpu), cudaSuccess);
    EXPECT_TRUE(refuses("out", {"memory of the plan's device", "another device"},
                        [&] { plan.forward(mine.data, other.data); }));
  }
  Options lent = on_gpu(gpu);
  lent.own_workspace = false;
  Plan<double> without(slabs(), MPI_COMM_WORLD, lent);
  std::size_t const bytes = without.workspace_bytes();
  Freed<std::byte> const host(bytes, Freed<std::byte>::Kind::pinned);
  EXPECT_TRUE(refuses("workspace", {"memory of the plan's device"},
                      [&] { without.set_workspace(host.data, bytes); }));
}

TEST(cuda, memory_that_it_manages_is_everybodys) {
  int const gpu = gpu_of_rank();
  ASSERT_EQ(cudaSetDevice(gpu), cudaSuccess);
  Plan<double> there(slabs(), MPI_COMM_WORLD, on_gpu(gpu)), here(slabs(), MPI_COMM_WORLD);
  Array const in(elements(there), Array::Kind::managed), out(elements(there), Array::Kind::managed);
  for (Plan<double>* plan : {&there, &here}) {
    set_impulse(*plan, in.data);
    plan->forward(in.data, out.data);
    expect_ones(*plan, out.data);
  }
}

TEST(cuda, plans_work_in_streams_of_the_users) {
  int const gpu = gpu_of_rank();
  ASSERT_EQ(cudaSetDevice(gpu), cudaSuccess);
  for (Exchange exchange : {Exchange::shared, Exchange::pairwise}) {
    Options options = on_gpu(gpu);
    options.exchange = exchange;
    Plan<double> plan(slabs(), MPI_COMM_WORLD, options);
    std::size_t const bytes = elements(plan) * sizeof(Complex);
    cudaStream_t mine;
    ASSERT_EQ(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking), cudaSuccess);
    for (cudaStream_t stream : {mine, cudaStream_t{}}) {
      plan.set_stream(stream);
      Array const host(elements(plan), Array::Kind::pinned),
          in(elements(plan), Array::Kind::device), out(elements(plan), Array::Kind::device);
      set_impulse(plan, host.data);
      EXPECT_EQ(cudaMemcpyAsync(in.data, host.data, bytes, cudaMemcpyDefault, stream), cudaSuccess);
      plan.execute_async(in.data, out.data);
      plan.execute_async(out.data, in.data, Direction::backward, Scale::by_n);
      plan.execute_async(in.data, out.data);
      EXPECT_EQ(cudaMemcpyAsync(host.data, out.data, bytes, cudaMemcpyDefault, stream),
                cudaSuccess);
      plan.wait();
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      expect_ones(plan, host.data);
    }
    plan.set_stream(nullptr);
    EXPECT_EQ(cudaStreamDestroy(mine), cudaSuccess);
  }
}

// Streams on the host run when somebody waits, so an execution that waits leaves an idle one.
TEST(cuda, long_axes_wait_for_no_pointwise_work) {
  device::Backend& backend = device::backend(Device::cuda, gpu_of_rank());
  if (ranks::count() == 1 || gpus() < ranks::count() || !backend.has_peers())
    GTEST_SKIP() << "ranks that exchange in their queues are needed";
  ASSERT_EQ(cudaSetDevice(gpu_of_rank()), cudaSuccess);
  setenv("SIXSTEP_DEVICE_MESSAGES", "nccl", 1);
  for (Kind kind : {Kind::c2c, Kind::r2c}) {
    Options options = on_gpu(gpu_of_rank());
    options.exchange = Exchange::pairwise;
    options.kinds = {kind};
    bool const are_real = kind == Kind::r2c;
    Layout const line = Layout::slab({are_real ? 2018 : 1009}, ranks::count());
    Plan<double> plan(line, MPI_COMM_WORLD, options);
    EXPECT_NE(plan.describe().find(are_real ? "coefficients of reals" : "times chirp"),
              std::string::npos)
        << plan.describe();
    cudaStream_t stream;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    plan.set_stream(stream);
    auto const in = plan.allocate(), out = plan.allocate();
    int unfinished = 0;
    for (int round = 0; round < 20; ++round) {
      if (are_real)
        plan.execute_async(reinterpret_cast<double const*>(in.get()), out.get());
      else
        plan.execute_async(in.get(), out.get());
      unfinished += cudaStreamQuery(stream) == cudaErrorNotReady ? 1 : 0;
      plan.wait();
    }
    EXPECT_GT(unfinished, 0);
    plan.set_stream(nullptr);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaGetLastError();
  }
  unsetenv("SIXSTEP_DEVICE_MESSAGES");
}

TEST(cuda, queues_wait_for_events) {
  device::Backend& backend = device::backend(Device::cuda, gpu_of_rank());
  std::size_t const bytes = 4096;
  auto const there = backend.allocate(bytes), here = backend.allocate_pinned(bytes);
  for (int round = 0; round < 20; ++round) {
    auto const in = backend.make_queue(), out = backend.make_queue();
    auto const begin = backend.make_event(), event = backend.make_event();
    EXPECT_TRUE(event->has_come());
    event->wait();
    out->wait_for(*event);
    auto const sent = backend.allocate_pinned(bytes);
    std::memset(sent.get(), round, bytes);
    in->record(*begin);
    in->copy(there.get(), sent.get(), bytes);
    in->record(*event);
    out->wait_for(*event);
    out->copy(here.get(), there.get(), bytes);
    out->finish();
    EXPECT_TRUE(out->is_done());
    EXPECT_EQ(static_cast<int>(here.get()[bytes - 1]), round);
    EXPECT_GE(event->seconds_since(*begin), 0);
  }
}

TEST(cuda, waiting_leaves_no_error_behind) {
  Options options = on_gpu(gpu_of_rank());
  options.exchange = Exchange::pairwise;
  options.windows = 3;
  Plan<double> plan(slabs(), MPI_COMM_WORLD, options);
  auto const in = plan.allocate(), out = plan.allocate();
  for (int round = 0; round < 20; ++round) {
    plan.forward(in.get(), out.get());
    plan.breakdown();
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  }
}

TEST(cuda, any_thread_may_execute) {
  int const gpu = gpu_of_rank();
  ASSERT_EQ(cudaSetDevice(gpu), cudaSuccess);
  Plan<double> plan(slabs(), MPI_COMM_WORLD, on_gpu(gpu));
  Array const host(elements(plan), Array::Kind::pinned);
  set_impulse(plan, host.data);
  auto const in = plan.allocate(), out = plan.allocate();
  std::size_t const bytes = elements(plan) * sizeof(Complex);
  copy(Device::cuda, in.get(), host.data, bytes);
  std::thread([&] { plan.forward(in.get(), out.get()); }).join();
  copy(Device::cuda, host.data, out.get(), bytes);
  expect_ones(plan, host.data);
}

TEST(cuda, errors_are_those_of_cuda) {
  int const gpu = gpu_of_rank();
  auto const message = [&](auto const& call) { return message_of(call); };
  device::Backend& backend = device::backend(Device::cuda, gpu);
  constexpr std::size_t too_many = std::size_t{1} << 60;
  EXPECT_EQ(message([&] { backend.allocate(too_many); }).find("cuda: 1152921504606846976 bytes: "),
            0u);
  EXPECT_EQ(message([&] { backend.allocate_pinned(too_many); }).find("cuda: "), 0u);
  std::size_t const bytes = 4096;
  auto const memory = backend.allocate(bytes);
  EXPECT_EQ(message([&] { backend.open(backend.handle_of(memory.get())); }).find("cuda: "), 0u);
  EXPECT_EQ(message([&] { device::backend(Device::cuda, gpus()); }).find("gpu: 0 to "), 0u);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

/// Arrays of allocate() are transformed.
void expect_transform(Plan<double>& plan) {
  auto const in = plan.allocate(), out = plan.allocate();
  Array const host(elements(plan), Array::Kind::pinned);
  set_impulse(plan, host.data);
  copy(Device::cuda, in.get(), host.data, elements(plan) * sizeof(Complex));
  plan.forward(in.get(), out.get());
  copy(Device::cuda, host.data, out.get(), elements(plan) * sizeof(Complex));
  expect_ones(plan, host.data);
}

TEST(cuda, memory_that_cannot_be_pinned_together_is_no_error) {
  if (!is_on_host() || ranks::count() == 1) GTEST_SKIP() << "it can be";
  Options options = on_gpu(gpu_of_rank());
  options.exchange = Exchange::pairwise;
  for (bool const may_pin : {true, false, true}) {
    if (!may_pin && ranks::rank() == 1) setenv("CUDA_ON_HOST_NO_REGISTER", "1", 1);
    Plan<double> plan(slabs(), slabs(), MPI_COMM_WORLD, options);
    unsetenv("CUDA_ON_HOST_NO_REGISTER");
    bool const is_apart = plan.describe().find("ranks do not share (cuda: ") != std::string::npos;
    bool const is_common = plan.describe().find("ranks of a node share") != std::string::npos;
    EXPECT_EQ(is_apart, !may_pin) << plan.describe();
    EXPECT_EQ(is_common, may_pin) << plan.describe();
    expect_transform(plan);
  }
}

TEST(cuda, memory_that_others_cannot_open_is_no_error) {
  if (!is_on_host()) GTEST_SKIP() << "others can open it";
  setenv("CUDA_ON_HOST_NO_IPC", "1", 1);
  Plan<double> plan(slabs(), slabs(), MPI_COMM_WORLD, on_gpu(gpu_of_rank()));
  unsetenv("CUDA_ON_HOST_NO_IPC");
  if (ranks::count() > 1) {
    EXPECT_EQ(plan.describe().find("device memory shared"), std::string::npos) << plan.describe();
  }
  expect_transform(plan);
}

}  // namespace
}  // namespace sixstep
