// SPDX-License-Identifier: BSD-3-Clause
// What is CUDA's alone: kernels, streams that are lent, memory of several GPUs and what is managed,
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
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/copies.hpp"
#include "device/backend.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using Complex = std::complex<double>;
using device::Copy;

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

// Copies of boxes, against loops over their counts.

using Random = std::mt19937;
Index one_of(Random& random, std::vector<Index> const& all) { return all[random() % all.size()]; }

/// Strides with which no two elements have a place in common, in random order of axes.
Index choose_strides(Random& random, Copy const& copy, Index* strides) {
  std::vector<int> order;
  for (int axis = 0; axis < copy.axes; ++axis) order.push_back(axis);
  std::shuffle(order.begin(), order.end(), random);
  Index stride = one_of(random, {1, 1, 2, 3});
  for (int const axis : order) {
    strides[axis] = stride;
    stride *= copy.extent[axis] + one_of(random, {0, 0, 1, 5});
  }
  return stride;
}

struct Side {
  Index places;
  std::size_t element_bytes;
  std::shared_ptr<std::byte> there;
  std::vector<std::byte> here;

  Side(Index count, std::size_t bytes, Random& random)
      : places(count), element_bytes(bytes), here(static_cast<std::size_t>(count) * bytes) {
    there = device::cuda_backend(0).allocate(here.size());
    for (std::byte& byte : here) byte = static_cast<std::byte>(random());
  }
  std::byte* at(Index place) {
    return here.data() + static_cast<std::size_t>(place) * element_bytes;
  }
};

template <class Use>
void for_each_count(Copy const& copy, Use const& use) {
  Index counts[Copy::most_axes] = {};
  for (Index number = 0; number < copy.elements(); ++number) {
    Index rest = number, from = 0, to = 0;
    for (int axis = copy.axes - 1; axis >= 0; --axis) {
      counts[axis] = rest % copy.extent[axis];
      rest /= copy.extent[axis];
      from += counts[axis] * copy.from[axis];
      to += counts[axis] * copy.to[axis];
    }
    use(counts, from, to);
  }
}

Copy random_box(Random& random) {
  Copy copy;
  copy.axes = static_cast<int>(random() % 5);
  for (int axis = 0; axis < copy.axes; ++axis)
    copy.extent[axis] =
        one_of(random, {1, 2, 3, 5, 8, 9, copy.axes < 4 ? 33 : 7, copy.axes < 3 ? 70 : 4});
  return copy;
}

/// In the current stream of GPU 0, in launches of so many elements at most.
void put_all(Copy const& copy, Index most) {
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(device::put(copy, nullptr, most), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

TEST(cuda, kernels_move_boxes) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    Copy copy = random_box(random);
    copy.real_bytes = static_cast<int>(one_of(random, {1, 2, 4, 8, 16}));
    copy.from_reals = copy.to_reals = static_cast<int>(one_of(random, {1, 2}));
    auto const bytes = static_cast<std::size_t>(copy.real_bytes * copy.from_reals);
    Side source(choose_strides(random, copy, copy.from), bytes, random);
    Side target(choose_strides(random, copy, copy.to), bytes, random);
    sixstep::copy(Device::cuda, source.there.get(), source.here.data(), source.here.size());
    sixstep::copy(Device::cuda, target.there.get(), target.here.data(), target.here.size());
    copy.target = target.there.get();
    bool const is_zeros = round % 7 == 0;
    if (!is_zeros) copy.source = source.there.get();
    put_all(copy, one_of(random, {Index{1} << 30, 100, 1}) * (round % 3 == 0 ? 1 : 1 << 20));
    for_each_count(copy, [&](Index const*, Index from, Index to) {
      if (is_zeros)
        std::memset(target.at(to), 0, bytes);
      else
        std::memcpy(target.at(to), source.at(from), bytes);
    });
    std::vector<std::byte> result(target.here.size());
    sixstep::copy(Device::cuda, result.data(), target.there.get(), result.size());
    ASSERT_EQ(std::memcmp(result.data(), target.here.data(), result.size()), 0)
        << "round " << round;
  }
}

/// exp(-2 pi i k / n) in tables as a phase has them.
std::shared_ptr<std::byte> set_roots(device::Phase& phase, Index n) {
  phase.n = n;
  while ((Index{1} << (2 * phase.shift)) < n) ++phase.shift;
  Index const fine = Index{1} << phase.shift, coarse = (n + fine - 1) / fine;
  std::vector<device::Pair<double>> all;
  auto const add = [&](Index k) {
    double const angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    all.push_back({std::cos(angle), std::sin(angle)});
  };
  for (Index k = 0; k < fine; ++k) add(k);
  for (Index k = 0; k < coarse; ++k) add(k * fine);
  std::size_t const bytes = all.size() * sizeof all[0];
  std::shared_ptr<std::byte> const memory = device::cuda_backend(0).allocate(bytes);
  copy(Device::cuda, memory.get(), all.data(), bytes);
  phase.fine = reinterpret_cast<device::Pair<double> const*>(memory.get());
  phase.coarse = phase.fine + fine;
  return memory;
}

template <class Real>
void expect_changes(Random& random) {
  Copy copy = random_box(random);
  copy.real_bytes = sizeof(Real);
  copy.from_reals = static_cast<int>(one_of(random, {1, 2}));
  copy.to_reals = static_cast<int>(one_of(random, {1, 2}));
  copy.changes = true;
  copy.scale = 0.25;
  copy.take = random() % 2 == 0 ? device::Take::real : device::Take::minus_imaginary;
  auto const along = [&] {
    int const axis = copy.axes == 0 ? -1 : static_cast<int>(random() % (copy.axes + 1)) - 1;
    return device::Along{axis, one_of(random, {0, 1, 7}), one_of(random, {1, 2, 3})};
  };
  copy.row = along();
  copy.halved[0] = 0, copy.real[0] = 4;
  copy.conjugates = random() % 3 == 0;
  copy.conjugates_table = random() % 2 == 0;
  copy.adds = random() % 3 == 0;
  std::shared_ptr<std::byte> tables;
  if (random() % 2 == 0) {
    tables = set_roots(copy.phase, one_of(random, {1, 12, 35, 1000}));
    copy.phase.row = along(), copy.phase.column = along();
    copy.phase.conjugate = random() % 2 == 0;
  }
  Side source(choose_strides(random, copy, copy.from),
              sizeof(Real) * static_cast<std::size_t>(copy.from_reals), random);
  Side target(choose_strides(random, copy, copy.to),
              sizeof(Real) * static_cast<std::size_t>(copy.to_reals), random);
  auto* const reals = reinterpret_cast<Real*>(source.here.data());
  for (std::size_t i = 0; i < source.here.size() / sizeof(Real); ++i)
    reals[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  copy.table.reals = random() % 2 == 0 ? 1 : 2;
  Side factors(choose_strides(random, copy, copy.in_table),
               sizeof(Real) * static_cast<std::size_t>(copy.table.reals), random);
  auto* const before = reinterpret_cast<Real*>(target.here.data());
  for (std::size_t i = 0; i < target.here.size() / sizeof(Real); ++i)
    before[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  auto* const of_factors = reinterpret_cast<Real*>(factors.here.data());
  for (Index i = 0; i < copy.table.reals * factors.places; ++i)
    of_factors[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  sixstep::copy(Device::cuda, source.there.get(), source.here.data(), source.here.size());
  sixstep::copy(Device::cuda, target.there.get(), target.here.data(), target.here.size());
  sixstep::copy(Device::cuda, factors.there.get(), factors.here.data(), factors.here.size());
  copy.source = source.there.get(), copy.target = target.there.get();
  if (random() % 2 == 0) copy.table.numbers = factors.there.get();
  put_all(copy, one_of(random, {Index{1} << 30, 100, 1}));
  std::vector<std::byte> result(target.here.size());
  sixstep::copy(Device::cuda, result.data(), target.there.get(), result.size());
  auto const* const results = reinterpret_cast<Real const*>(result.data());
  for_each_count(copy, [&](Index const* counts, Index from, Index to) {
    auto const index = [&](device::Along const& it) {
      return it.axis < 0 ? it.first : it.first + it.step * counts[it.axis];
    };
    Real const* const place = reals + from * copy.from_reals;
    std::complex<double> value(place[0], copy.from_reals == 2 ? place[1] : 0);
    if (index(copy.row) == 4) value = value.real();
    if (copy.conjugates) value = std::conj(value);
    value *= index(copy.row) == 0 ? 0.125 : 0.25;
    if (copy.phase.fine) {
      Index const k = index(copy.phase.row) * index(copy.phase.column) % copy.phase.n;
      double const turns = static_cast<double>(k) / static_cast<double>(copy.phase.n);
      value *= std::polar(1.0, (copy.phase.conjugate ? 2 : -2) * std::numbers::pi * turns);
    }
    if (copy.table.numbers) {
      Index at = 0;
      for (int axis = 0; axis < copy.axes; ++axis) at += counts[axis] * copy.in_table[axis];
      Real const* const number = of_factors + at * copy.table.reals;
      std::complex<double> const factor(number[0], copy.table.reals == 2 ? number[1] : 0);
      value *= copy.conjugates_table ? std::conj(factor) : factor;
    }
    Real const* const was = before + to * copy.to_reals;
    double const error = std::is_same_v<Real, float> ? 1e-6 : 1e-12;
    Real const* const got = results + to * copy.to_reals;
    if (copy.to_reals == 2) {
      if (copy.adds) value += std::complex<double>(was[0], was[1]);
      EXPECT_LT(std::abs(std::complex<double>(got[0], got[1]) - value), error);
    } else {
      bool const is_real = copy.take == device::Take::real;
      double const added = copy.adds ? was[0] : 0;
      EXPECT_NEAR(got[0], (is_real ? value.real() : -value.imag()) + added, error);
    }
  });
}

// Scattered columns, against the definition.

using device::RowCode;
using device::Scattered;
using device::ScatteredSide;

/// A side whose elements have no place in common: rows at equal distances, or in random places of
/// two ranks, where some are missing. Returns the places that it takes of each rank.
Index choose_side(Random& random, Scattered const& columns, ScatteredSide& side,
                  std::vector<RowCode>& rows) {
  std::vector<int> order{0, 1, 2, 3};
  std::shuffle(order.begin(), order.end(), random);
  Index stride = one_of(random, {1, 1, 2});
  Index row_stride = 0;
  for (int const axis : order) {
    bool const is_rows = axis == Scattered::rows_axis;
    (is_rows ? row_stride : side.strides[axis]) = stride;
    stride *= (is_rows ? columns.n : columns.extents[axis]) + one_of(random, {0, 0, 1, 3});
  }
  side.has_rows_first = random() % 2 == 0;
  side.row_stride = row_stride;
  if (random() % 2 == 0) return stride;
  for (Index row = 0; row < columns.n; ++row) rows.push_back(RowCode::of(row * row_stride, 0));
  std::shuffle(rows.begin(), rows.end(), random);
  for (RowCode& row : rows) {
    if (random() % 3 == 0) row = RowCode::of(row.offset(), 2);
    if (random() % 5 == 0) row.code = RowCode::nowhere;
  }
  return stride;
}

template <class Real>
class ScatteredArray {
 public:
  std::vector<std::complex<Real>> here;

  /// Memory of two ranks, the second one numbered 2.
  ScatteredArray(Random& random, Scattered const& columns, ScatteredSide& side) {
    Index const places = choose_side(random, columns, side, rows_);
    for (Index i = 0; i < 2 * places; ++i) {
      auto const any = [&] { return static_cast<Real>(random() % 1000) / 500 - 1; };
      here.push_back({any(), any()});
    }
    device::Backend& backend = device::cuda_backend(0);
    there_ = backend.allocate(bytes());
    send();
    side.memory = there_.get();
    side.shifts[2] = places * static_cast<Index>(sizeof here[0]);
    if (rows_.empty()) return;
    table_ = backend.allocate(rows_.size() * sizeof(RowCode));
    sixstep::copy(Device::cuda, table_.get(), rows_.data(), rows_.size() * sizeof(RowCode));
    side.rows = reinterpret_cast<RowCode const*>(table_.get());
  }

  void send() { sixstep::copy(Device::cuda, there_.get(), here.data(), bytes()); }
  std::vector<std::complex<Real>> result() const {
    std::vector<std::complex<Real>> got(here.size());
    sixstep::copy(Device::cuda, got.data(), there_.get(), bytes());
    return got;
  }
  /// The number of an element in `here`; -1 if it lies nowhere. `in_table` is that in a table.
  Index find(ScatteredSide const& side, Index const* counts, Index row, Index& in_table) const {
    Index place = 0;
    for (int axis = 0; axis < ScatteredSide::most_axes; ++axis)
      place += counts[axis] * side.strides[axis];
    if (rows_.empty()) return in_table = place + row * side.row_stride;
    RowCode const code = rows_[static_cast<std::size_t>(row)];
    if (!code.is_there()) return -1;
    in_table = place + code.offset();
    return in_table + (code.rank() == 2 ? static_cast<Index>(here.size()) / 2 : 0);
  }

 private:
  std::size_t bytes() const { return here.size() * sizeof here[0]; }

  std::vector<RowCode> rows_;
  std::shared_ptr<std::byte> there_, table_;
};

template <class Real>
class ScatteredTrial {
 public:
  using Element = std::complex<Real>;
  using Wide = std::complex<double>;

  ScatteredTrial(Random& random, Index n)
      : columns_(drawn(random, n)),
        source_(random, columns_, columns_.source),
        target_(random, columns_, columns_.target),
        table_(random, columns_, columns_.in_table) {
    if (random() % 3 == 0) {
      roots_ = set_roots(columns_.phase, 35 * n);
      columns_.phase.row = {Scattered::rows_axis, 0, 1};
      columns_.phase.column = {static_cast<int>(random() % 3), 5, 2};
      columns_.phase.conjugate = random() % 2 == 0;
    }
    columns_.there_and_back = random() % 2 == 0;
    columns_.table.reals = random() % 2 == 0 ? 1 : 2;
    if (columns_.there_and_back || random() % 3 == 0)
      columns_.table.numbers = columns_.in_table.memory;
  }

  void run() const {
    std::unique_ptr<device::Planned> const planned =
        device::cuda_backend(0).plan_scattered(columns_.n, sizeof(Real));
    ASSERT_TRUE(planned) << columns_.n;
    auto const queue = device::cuda_backend(0).make_queue();
    queue->run(*planned, columns_);
    queue->finish();
  }

  void expect_result() const {
    std::vector<Wide> expected(target_.here.begin(), target_.here.end());
    for (Index number = 0; number < columns_.columns(); ++number) {
      Index const last = number / columns_.extents[2];
      Index const counts[] = {last / columns_.extents[1], last % columns_.extents[1],
                              number % columns_.extents[2]};
      expect_column(counts, expected);
    }
    std::vector<Element> const got = target_.result();
    double const all = static_cast<double>(columns_.n);
    double const error = (columns_.there_and_back ? all : std::sqrt(all)) *
                         (std::is_same_v<Real, float> ? 2e-6 : 4e-15);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_LT(std::abs(Wide(got[i]) - expected[i]), error)
          << columns_.n << " points, place " << i << (columns_.there_and_back ? ", and back" : "");
  }

 private:
  static Scattered drawn(Random& random, Index n) {
    Scattered columns;
    columns.n = n;
    columns.real_bytes = sizeof(Real);
    for (Index& extent : columns.extents) extent = one_of(random, {1, 1, 2, 3, n < 50 ? 7 : 1});
    columns.backward = random() % 2 == 0;
    columns.scale = 0.5;
    return columns;
  }

  static std::vector<Wide> transformed(std::vector<Wide> const& points, double sign) {
    auto const n = static_cast<Index>(points.size());
    std::vector<Wide> sums(points.size());
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        sums[static_cast<std::size_t>(k)] +=
            points[static_cast<std::size_t>(j)] *
            std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                static_cast<double>(n));
    return sums;
  }

  /// The number of the table for a row; 0 if it is nowhere there.
  Wide factor(Index const* counts, Index row) const {
    Index at = 0;
    if (table_.find(columns_.in_table, counts, row, at) < 0) return 0;
    if (columns_.table.reals == 2) return table_.here[static_cast<std::size_t>(at)];
    return reinterpret_cast<Real const*>(table_.here.data())[at];
  }

  void expect_column(Index const* counts, std::vector<Wide>& expected) const {
    Index const n = columns_.n;
    Index unused = 0;
    std::vector<Wide> column(static_cast<std::size_t>(n));
    for (Index j = 0; j < n; ++j) {
      Index const from = source_.find(columns_.source, counts, j, unused);
      if (from >= 0)
        column[static_cast<std::size_t>(j)] = source_.here[static_cast<std::size_t>(from)];
    }
    double const sign = columns_.backward ? 1 : -1;
    column = transformed(column, sign);
    if (columns_.there_and_back) {
      for (Index k = 0; k < n; ++k) column[static_cast<std::size_t>(k)] *= factor(counts, k);
      column = transformed(column, -sign);
    }
    for (Index k = 0; k < n; ++k) {
      Index const place = target_.find(columns_.target, counts, k, unused);
      if (place < 0) continue;
      Wide value = 0.5 * column[static_cast<std::size_t>(k)];
      if (roots_) {
        Index const turned = k * (5 + 2 * counts[columns_.phase.column.axis]) % (35 * n);
        double const turns = static_cast<double>(turned) / static_cast<double>(35 * n);
        value *= std::polar(1.0, (columns_.phase.conjugate ? 2 : -2) * std::numbers::pi * turns);
      }
      if (columns_.table.numbers && !columns_.there_and_back) value *= factor(counts, k);
      expected[static_cast<std::size_t>(place)] = value;
    }
  }

  Scattered columns_;
  ScatteredArray<Real> source_, target_, table_;
  std::shared_ptr<std::byte> roots_;
};

template <class Real>
void expect_scattered(Random& random, Index n) {
  ScatteredTrial<Real> const trial(random, n);
  trial.run();
  trial.expect_result();
}

TEST(cuda, kernels_transform_scattered_columns) {
  Random random(13);
  for (Index n : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 21, 32, 35, 36, 48, 49, 64, 81, 100, 120})
    for (int round = 0; round < 6; ++round) {
      expect_scattered<double>(random, n);
      expect_scattered<float>(random, n);
    }
  for (Index n : {128, 243, 343, 512, 625, 1000}) {
    expect_scattered<double>(random, n);
    expect_scattered<float>(random, n);
  }
}

TEST(cuda, kernels_know_which_lengths_they_have) {
  device::Backend& backend = device::cuda_backend(0);
  for (Index n : {1, 11, 26, 257}) EXPECT_FALSE(backend.plan_scattered(n, 8)) << n;
  EXPECT_TRUE(backend.plan_scattered(2048, 8));
  EXPECT_FALSE(backend.plan_scattered(Index{1} << 16, 8));  // a block has no room
}

TEST(cuda, kernels_change_what_they_move) {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    expect_changes<double>(random);
    expect_changes<float>(random);
  }
}

}  // namespace
}  // namespace sixstep
